/* SPDX-License-Identifier: MIT */
/* What cumsum_bench measures: every workload is an operator that the library takes, its memory is
 * asked about before it is taken, and both copies copy. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bench_copies.h"
#include "check.h"
#include "memory_limit.h"
#include "workload.h"

static void every_workload_is_refused_without_memory(void) {
    for (const workload *w = workload_list; w->name; w++) {
        workload_operator op;
        tool_error error = {""};
        uint64_t size = workload_elements(w) * 4;
        memory_set_limit(2 * size - 1);
        assert_int_equal(workload_init(&op, w, CUMSUM_DATA_TYPE_FLOAT32, &error), TOOL_ENVIRONMENT);
        assert_non_null(strstr(error.message, "bytes of memory"));
        assert_null(op.input);
    }
    memory_set_limit(0);
}

/* Small ones are executed as well. */
static void every_workload_is_valid(void) {
    for (const workload *w = workload_list; w->name; w++) {
        if (workload_elements(w) > 1 << 20)
            continue;
        workload_operator op;
        cumsum_plan *plan;
        assert_int_equal(workload_init(&op, w, CUMSUM_DATA_TYPE_FLOAT16, NULL), TOOL_OK);
        assert_int_equal(cumsum_plan_create(&op.desc, NULL, &plan, NULL), CUMSUM_OK);
        uint64_t size = op.output_buffer.total_tensor_size_in_bytes;
        assert_int_equal(
            cumsum_plan_execute(plan, workload_source(&op), size, op.output, size, NULL),
            CUMSUM_OK);
        cumsum_plan_destroy(plan);
        workload_free(&op);
    }
}

/* Around the blocks of 256 bytes, from addresses of every alignment to 64. */
static void streaming_copies(void) {
    static unsigned char from[1200];
    static _Alignas(64) unsigned char to[1200];
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i * 7 + i / 256);
    for (size_t size = 0; size < 1100; size += size < 300 ? 1 : 37) {
        memset(to, 0xEE, sizeof to);
        bench_streaming_copy(to, from + size % 64, size);
        assert_memory_equal(to, from + size % 64, size);
        assert_int_equal(to[size], 0xEE);
    }
}

CHECK_GROUP(test_workload, T(every_workload_is_refused_without_memory), T(every_workload_is_valid),
            T(streaming_copies));
