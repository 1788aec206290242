/* SPDX-License-Identifier: MIT */
/* The workloads, which of them are selected, and their memory. */
#include "workload.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_data.h"
#include "memory_limit.h"

#define SQUARE    .rank = 2, .sizes = {4096, 4096}
#define CUBE      .rank = 4, .sizes = {64, 64, 64, 64}
#define GAPS(...) .input_strides = {__VA_ARGS__}, .output_strides = {__VA_ARGS__}
#define EIGHT     .rank = 8, .sizes = {8, 8, 8, 8, 8, 8, 8, 8}

/* How the cost grows: with the length of a line; at 2^24 elements with the length of their lines.
 */
#define GROWTH "growth"
#define LINE(n)                                                                                    \
    { GROWTH "-line-2^" #n, .rank = 2, .sizes = {1, 1 << (n)}, .axis = 1 }
#define LINES(n)                                                                                   \
    { GROWTH "-lines-2^" #n, .rank = 2, .sizes = {1 << (24 - (n)), 1 << (n)}, .axis = 1 }
#define FOUR(row, a, b, c, d) row(a), row(b), row(c), row(d)

/* The oracle's workloads: 64 lines of 1024 and their sums fit in a level-2 cache. */
#define JUDGE "judge"
#define JUDGED(word, pattern, order)                                                               \
    {JUDGE "-" word "-l2", .rank = 2,      .sizes = {64, 1024}, .axis = 1,                         \
     .data = (pattern),    .sums = (order)},                                                       \
    {                                                                                              \
        JUDGE "-" word, .rank = 2, .sizes = {32, 1 << 18}, .axis = 1, .data = (pattern),           \
                        .sums = (order)                                                            \
    }

/* From rows and columns larger than any cache down to an operator so small that the call itself
 * takes most of the time. */
const workload workload_list[] = {
    {"row-1x64M", .rank = 2, .sizes = {1, 64 << 20}, .axis = 1},
    {"rows-256x256K", .rank = 2, .sizes = {256, 256 << 10}, .axis = 1},
    {"rows-64Kx1K", .rank = 2, .sizes = {64 << 10, 1 << 10}, .axis = 1},
    {"square-axis1", SQUARE, .axis = 1},
    {"square-axis0", SQUARE, .axis = 0},
    {"eight-axis0", EIGHT, .axis = 0},
    {"eight-axis3", EIGHT, .axis = 3},
    {"eight-axis7", EIGHT, .axis = 7},
    {"transposed-in", SQUARE, .axis = 1, .input_strides = {1, 4096}},
    {"transposed-out", SQUARE, .axis = 1, .output_strides = {1, 4096}},
    /* The row stride is not a power of two, so that rows do not share cache sets. */
    {"padded", SQUARE, .axis = 1, .input_strides = {4160, 1}, .output_strides = {4160, 1}},
    /* Dimensions in reverse order; channels last in the input; gaps between all elements; gaps that
     * differ in each dimension. */
    {"strided-reversed", CUBE, .axis = 1, .input_strides = {1, 64, 4096, 262144}},
    {"strided-channels", CUBE, .axis = 1, .input_strides = {262144, 1, 4096, 64}},
    {"strided-gaps", CUBE, .axis = 2, GAPS(524288, 8192, 128, 2)},
    {"strided-padded", CUBE, .axis = 1, GAPS(283140, 4290, 66, 1)},
    {"exclusive", SQUARE, .axis = 1, .exclusive = true},
    {"decreasing", SQUARE, .axis = 1, .decreasing = true},
    {"in-place", SQUARE, .axis = 1, .in_place = true},
    {"row-l1", .rank = 2, .sizes = {1, 4 << 10}, .axis = 1},
    {"row-l2", .rank = 2, .sizes = {1, 64 << 10}, .axis = 1},
    {"rows-l2", .rank = 2, .sizes = {256, 256}, .axis = 1},
    {"columns-l2", .rank = 2, .sizes = {256, 256}, .axis = 0},
    {"row-l3", .rank = 2, .sizes = {1, 1 << 20}, .axis = 1},
    {"tiny-3x4", .rank = 4, .sizes = {1, 1, 3, 4}, .axis = 3},
    FOUR(LINE, 0, 4, 8, 12),
    FOUR(LINE, 16, 20, 24, 28),
    FOUR(LINES, 0, 4, 8, 12),
    LINES(16),
    LINES(20),
    JUDGED("uniform", BENCH_UNIFORM, CUMSUM_NAMED_SEQUENTIAL),
    JUDGED("normal", BENCH_NORMAL, CUMSUM_NAMED_SEQUENTIAL),
    JUDGED("integers", BENCH_INTEGERS, CUMSUM_NAMED_SEQUENTIAL),
    JUDGED("cancelling", BENCH_CANCELLING, CUMSUM_NAMED_SEQUENTIAL),
    JUDGED("blocked", BENCH_NORMAL, CUMSUM_NAMED_BLOCKED),
    JUDGED("hillis-steele", BENCH_NORMAL, CUMSUM_NAMED_HILLIS_STEELE),
    JUDGED("binary64", BENCH_NORMAL, CUMSUM_NAMED_SEQUENTIAL_BINARY64),
    {.name = NULL}};

static const workload_task tasks[] = {{"sequential", CUMSUM_ORDER_SEQUENTIAL, false, false},
                                      {"blocked", CUMSUM_ORDER_BLOCKED, false, false},
                                      {"exact", CUMSUM_ORDER_EXACT, false, false},
                                      {"judge", CUMSUM_ORDER_SEQUENTIAL, true, false},
                                      {"verdict", CUMSUM_ORDER_SEQUENTIAL, true, true}};

uint64_t workload_elements(const workload *w) {
    uint64_t elements = 1;
    for (uint32_t d = 0; d < w->rank; d++)
        elements *= w->sizes[d];
    return elements;
}

void workload_name(char name[WORKLOAD_NAME], const workload_entry *entry) {
    const int used = snprintf(name, WORKLOAD_NAME, "%s/%s/%s/", entry->work->name,
                              cumsum_data_type_name(entry->type), entry->task->name);
    if (entry->backend)
        snprintf(name + used, WORKLOAD_NAME - (size_t)used, "%s", entry->backend);
    else
        snprintf(name + used, WORKLOAD_NAME - (size_t)used, "%ut", entry->threads);
}

/* Cases with these beginnings are measured only if PATTERN has the same beginning. */
static const char *family_of(const char *text) {
    static const char *const families[] = {GROWTH, JUDGE};
    for (int i = 0; text && i < 2; i++)
        if (strncmp(text, families[i], strlen(families[i])) == 0)
            return families[i];
    return "";
}

bool workload_fits(const char *name, const char *pattern) {
    if (strcmp(family_of(name), family_of(pattern)) != 0)
        return false;
    if (!pattern)
        return true;
    return strpbrk(pattern, "*?[") ? fnmatch(pattern, name, 0) == 0 : strstr(name, pattern) != NULL;
}

static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
                                         CUMSUM_DATA_TYPE_INT32, CUMSUM_DATA_TYPE_INT64};

enum {
    TYPES = sizeof types / sizeof types[0],
    TASKS = sizeof tasks / sizeof tasks[0]
};

/* Devices have no exact order. `growth` measures the oracle and the orders, `judge` only the
 * oracle.
 */
static bool is_asked_for(const workload_selection *s, const workload_task *task) {
    const bool growth = strcmp(family_of(s->pattern), GROWTH) == 0;
    const bool judge = strcmp(family_of(s->pattern), JUDGE) == 0;
    if (s->order)
        return strcmp(s->order, task->name) == 0;
    if (s->backend)
        return !task->judge && task->order != CUMSUM_ORDER_EXACT;
    return task->no_orders ? judge : task->judge ? judge || growth : !judge;
}

bool workload_next(const workload_selection *s, workload_entry *entry) {
    const uint32_t type_count = s->type == CUMSUM_DATA_TYPE_UNKNOWN ? TYPES : 1;
    const uint32_t thread_count = s->threads[1] ? 2 : 1;
    for (uint32_t number = entry->number;; number++) {
        const uint32_t place = number % thread_count;
        uint32_t rest = number / thread_count;
        const workload_task *task = &tasks[rest % TASKS];
        rest /= TASKS;
        const cumsum_data_type type = type_count == 1 ? s->type : types[rest % TYPES];
        const workload *work = &workload_list[rest / type_count];
        char name[WORKLOAD_NAME];
        if (!work->name)
            return false;
        *entry =
            (workload_entry){work, type, task, s->threads[place], s->backend, place, number + 1};
        workload_name(name, entry);
        if (is_asked_for(s, task) && workload_fits(name, s->pattern) &&
            (strcmp(family_of(name), JUDGE) != 0 || bench_suits(work->data, type)))
            return true;
    }
}

/* Number of distinct elements; longer inputs repeat them. */
#define DRAWN_ELEMENTS (UINT64_C(1) << 20)

static tool_status describe(cumsum_buffer_tensor_desc *buffer, const workload *w,
                            const uint32_t *strides, cumsum_data_type type, tool_error *error) {
    *buffer = (cumsum_buffer_tensor_desc){.data_type = type,
                                          .dimension_count = w->rank,
                                          .sizes = w->sizes,
                                          .strides = strides[0] ? strides : NULL};
    cumsum_status status = cumsum_tensor_size(type, w->rank, w->sizes, buffer->strides,
                                              &buffer->total_tensor_size_in_bytes);
    return status == CUMSUM_OK
               ? TOOL_OK
               : tool_fail(error, TOOL_ENVIRONMENT, "%s", cumsum_status_string(status));
}

/* Fills the padding as well. */
static void fill(workload_operator *op) {
    cumsum_data_type type = op->input_buffer.data_type;
    uint64_t size = cumsum_data_type_size(type);
    uint64_t count = op->input_buffer.total_tensor_size_in_bytes / size;
    uint64_t done = count < DRAWN_ELEMENTS ? count : DRAWN_ELEMENTS;
    const bench_pattern data = bench_suits(op->work->data, type) ? op->work->data : BENCH_INTEGERS;
    bench_fill(data, type, op->input, done, op->work->sizes[op->work->axis]);
    while (done < count) {
        uint64_t more = count - done < done ? count - done : done;
        memcpy(op->input + done * size, op->input, more * size);
        done += more;
    }
}

tool_status workload_init(workload_operator *op, const workload *w, cumsum_data_type type,
                          tool_error *error) {
    *op =
        (workload_operator){.work = w, .bytes = workload_elements(w) * cumsum_data_type_size(type)};
    tool_status status = describe(&op->input_buffer, w, w->input_strides, type, error);
    if (status == TOOL_OK)
        status = describe(&op->output_buffer, w, w->output_strides, type, error);
    uint64_t input_size = op->input_buffer.total_tensor_size_in_bytes;
    uint64_t output_size = op->output_buffer.total_tensor_size_in_bytes;
    if (status == TOOL_OK)
        status = memory_check(0, input_size + output_size, error);
    if (status != TOOL_OK)
        return status;
    op->input_tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &op->input_buffer};
    op->output_tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &op->output_buffer};
    op->desc =
        (cumsum_operator_desc){.input_tensor = &op->input_tensor,
                               .output_tensor = &op->output_tensor,
                               .axis = w->axis,
                               .axis_direction = w->decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                               : CUMSUM_AXIS_DIRECTION_INCREASING,
                               .has_exclusive_sum = w->exclusive};
    op->input = memory_allocate(input_size);
    op->output = memory_allocate(output_size);
    if (!op->input || !op->output) {
        workload_free(op);
        return tool_fail(error, TOOL_ENVIRONMENT, "out of memory");
    }
    fill(op);
    memset(op->output, 0, output_size); /* touches every page before the first measurement */
    return TOOL_OK;
}

void workload_free(workload_operator *op) {
    memory_free(op->input);
    memory_free(op->output);
    op->input = op->output = NULL;
}

tool_status workload_each(const workload_selection *s, workload_take *take, void *state) {
    workload_operator op = {.work = NULL};
    tool_error memory;
    tool_status made = TOOL_OK;
    tool_status status = TOOL_OK;
    for (workload_entry entry = {0}; status == TOOL_OK && workload_next(s, &entry);) {
        if (!op.work || entry.work != op.work || entry.type != op.input_buffer.data_type) {
            workload_free(&op);
            made = workload_init(&op, entry.work, entry.type, &memory);
        }
        status = made == TOOL_OK ? take(state, &entry, &op, NULL)
                                 : take(state, &entry, NULL, memory.message);
    }
    workload_free(&op);
    return status;
}

const unsigned char *workload_source(const workload_operator *op) {
    return op->work->in_place ? op->output : op->input;
}
