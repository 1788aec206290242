/* SPDX-License-Identifier: MIT */
/* Targets that give data to the readers of tests/reject. */
#include "fuzz_target.h"

static int read_data(text_reader *reader, const uint8_t *data, size_t size) {
    tool_error error = {""};
    reader_names = 200;
    const tool_status status = reader((const char *)data, size, &error);
    FUZZ_CHECK((status == TOOL_OK) == (error.message[0] == '\0'));
    fuzz_check_printable(error.message);
    return 0;
}

int fuzz_case(const uint8_t *data, size_t size) {
    return read_data(read_case, data, size);
}

int fuzz_case_list(const uint8_t *data, size_t size) {
    return read_data(read_list, data, size);
}

int fuzz_case_name(const uint8_t *data, size_t size) {
    return read_data(read_name, data, size);
}

int fuzz_descriptors(const uint8_t *data, size_t size) {
    return read_data(read_descriptor, data, size);
}

int fuzz_npy(const uint8_t *data, size_t size) {
    return read_data(read_npy, data, size);
}

#ifndef _WIN32
int fuzz_ready(const uint8_t *data, size_t size) {
    return read_data(read_ready, data, size);
}
#endif
