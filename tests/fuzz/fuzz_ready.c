/* SPDX-License-Identifier: MIT */
/* Reads data as the READY of a process of --exec: it is read, with abilities in their ranges, or
 * refused with a message. */
#include <string.h>

#include "exec_protocol.h"
#include "fuzz_target.h"

static void check_abilities(const exec_abilities *can) {
    FUZZ_CHECK(can->name[0] && strlen(can->name) < sizeof can->name);
    FUZZ_CHECK(strlen(can->version) < sizeof can->version);
    FUZZ_CHECK(can->types && can->directions && can->sums);
    FUZZ_CHECK(can->ranks[0] >= 1 && can->ranks[0] <= can->ranks[1]);
    FUZZ_CHECK(!(can->deterministic && can->nondeterministic));
    FUZZ_CHECK(can->half_accumulator.value <= CUMSUM_HALF_ACCUMULATOR_FLOAT16);
    FUZZ_CHECK(can->half_store.value <= CUMSUM_HALF_STORE_IEEE);
    FUZZ_CHECK(can->denormals.value <= CUMSUM_DENORMALS_FLUSH);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    exec_abilities can;
    tool_error error = {""};
    const tool_status status = exec_read_ready((const char *)data, size, &can, &error);
    FUZZ_CHECK((status == TOOL_OK) == (error.message[0] == '\0'));
    if (status == TOOL_OK) {
        check_abilities(&can);
    } else {
        FUZZ_CHECK(strncmp(error.message, "READY:", 6) == 0);
        memcpy(error.message + 1, "fuzz", 4); /* as the files of the other targets are called */
        fuzz_check_message(error.message + 1);
    }
    return 0;
}
