/* SPDX-License-Identifier: MIT */
/* One line of a scan; the words for a verdict, an order and its arithmetic. */
#include "judged.h"

#include <stdlib.h>
#include <string.h>

void cumsum_describe_line(line_scan *scan, cumsum_data_type type, uint32_t length,
                          uint64_t input_step, uint64_t output_step, bool decreasing,
                          bool exclusive) {
    const uint64_t steps[2] = {input_step, output_step};
    *scan = (line_scan){.length = length};
    for (int t = 0; t < 2; t++) {
        scan->strides[t] = length > 1 ? (uint32_t)(steps[t] / cumsum_data_type_size(type)) : 1;
        scan->buffers[t] = tensor_of(type, 1, &scan->length, &scan->strides[t]);
        scan->tensors[t] = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &scan->buffers[t]};
    }
    scan->desc = (cumsum_operator_desc){.input_tensor = &scan->tensors[0],
                                        .output_tensor = &scan->tensors[1],
                                        .axis_direction = direction_of(decreasing),
                                        .has_exclusive_sum = exclusive};
}

unsigned char *cumsum_line_sums(const line_elements *line, cumsum_data_type type, uint32_t length,
                                bool decreasing, bool exclusive) {
    const uint32_t size = cumsum_data_type_size(type);
    line_scan scan;
    cumsum_describe_line(&scan, type, length, line->step, size, decreasing, exclusive);
    const uint64_t bytes = whole_words((uint64_t)length * size);
    unsigned char *sums = length && bytes <= SIZE_MAX ? malloc((size_t)bytes) : NULL;
    if (sums &&
        cumsum_exact_sums(&scan.desc, line->first, scan.buffers[0].total_tensor_size_in_bytes, sums,
                          bytes, NULL) == CUMSUM_OK)
        return sums;
    free(sums);
    return NULL;
}

bool cumsum_judged_suspect(const cumsum_judgement *judgement) {
    return judgement->counts[CUMSUM_VERDICT_SUSPECT] && !judgement->counts[CUMSUM_VERDICT_FAIL];
}

const char *cumsum_judged_status(const cumsum_judgement *j) {
    return j->pass ? "PASS" : cumsum_judged_suspect(j) ? "SUSPECT" : "FAIL";
}

const char *cumsum_judged_verdict(const cumsum_judgement *j) {
    const uint64_t exact = j->counts[CUMSUM_VERDICT_EXACT];
    uint64_t judged = 0; /* fewer than the outputs where some lie under others */
    for (int v = 0; v < CUMSUM_VERDICT_COUNT; v++)
        judged += j->counts[v];
    if (!j->pass)
        return cumsum_judged_status(j);
    if (exact == judged)
        return cumsum_verdict_name(CUMSUM_VERDICT_EXACT);
    for (int v = CUMSUM_VERDICT_CONFORMANT; v < CUMSUM_VERDICT_MAY_OVERFLOW; v++)
        if (j->models & (1u << v))
            return cumsum_verdict_name((cumsum_verdict)v);
    const bool rest = exact + j->counts[CUMSUM_VERDICT_MAY_OVERFLOW] == judged;
    return rest ? cumsum_verdict_name(CUMSUM_VERDICT_MAY_OVERFLOW) : "mixed";
}

bool cumsum_judged_half(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT16 || type == CUMSUM_DATA_TYPE_BFLOAT16;
}

const char *cumsum_order_words(const cumsum_order_match *match, char text[CUMSUM_ORDER_TEXT]) {
    if (match->order != CUMSUM_NAMED_COMPOSED)
        return cumsum_named_order_name(match->order);
    cumsum_order_write(&match->composed, text);
    return text;
}

const char *cumsum_accumulator_word(cumsum_data_type type, const cumsum_order_match *match) {
    return match->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT32 ? "float32"
           : type == CUMSUM_DATA_TYPE_BFLOAT16                        ? "bfloat16"
                                                                      : "float16";
}

const char *cumsum_store_word(const cumsum_order_match *match) {
    static const char *const words[] = {[CUMSUM_HALF_STORE_NEAREST_EVEN] = "nearest-even",
                                        [CUMSUM_HALF_STORE_TOWARD_ZERO] = "toward-zero",
                                        [CUMSUM_HALF_STORE_IEEE] = "ieee"};
    return words[match->half_store];
}

const char *cumsum_denormals_word(const cumsum_order_match *match) {
    return match->denormals == CUMSUM_DENORMALS_FLUSH ? "flush" : "preserve";
}

/* The types that libraries give the sums of integers; UNKNOWN: the type stays, as that of floats
 * does. */
static const struct {
    const char *library;
    cumsum_data_type of_signed; /* and of bool */
    cumsum_data_type of_unsigned;
} sums_of_integers[] = {{"numpy", CUMSUM_DATA_TYPE_INT64, CUMSUM_DATA_TYPE_UINT64},
                        {"array-api", CUMSUM_DATA_TYPE_INT64, CUMSUM_DATA_TYPE_UINT64},
                        {"torch", CUMSUM_DATA_TYPE_INT64, CUMSUM_DATA_TYPE_INT64},
                        {"onnx", CUMSUM_DATA_TYPE_UNKNOWN, CUMSUM_DATA_TYPE_UNKNOWN}};

cumsum_data_type cumsum_type_of_sums(const char *library, cumsum_data_type input, bool boolean) {
    for (size_t i = 0; library && i < sizeof sums_of_integers / sizeof sums_of_integers[0]; i++) {
        if (strcmp(library, sums_of_integers[i].library) != 0)
            continue;
        const cumsum_data_type wide = boolean || element_is_signed(input)
                                          ? sums_of_integers[i].of_signed
                                          : sums_of_integers[i].of_unsigned;
        return element_is_float(input) || wide == CUMSUM_DATA_TYPE_UNKNOWN ? input : wide;
    }
    return CUMSUM_DATA_TYPE_UNKNOWN;
}

size_t cumsum_type_text(const char *library, cumsum_data_type input, bool boolean,
                        cumsum_data_type sums, char *text, size_t room) {
    cumsum_writer w = {text, room, 0, false};
    cumsum_write(&w, "%s", "");
    const cumsum_data_type right = cumsum_type_of_sums(library, input, boolean);
    if (right != sums)
        cumsum_write(&w, "the type is %s, and %s sums %s in %s", cumsum_data_type_name(sums),
                     library, boolean ? "bool" : cumsum_data_type_name(input),
                     cumsum_data_type_name(right));
    return w.length;
}
