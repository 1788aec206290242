/* SPDX-License-Identifier: MIT */
#include "probe.h"

/* DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION */
#define HALF 1u

#define FLOAT16 CUMSUM_DATA_TYPE_FLOAT16
#define FLOAT32 CUMSUM_DATA_TYPE_FLOAT32

const probe_question probe_questions[] = {
    {"float32.order", "in which order are elements added?", FLOAT32, 0, probe_order},
    {"float32.subnormal-inputs", "is a subnormal input kept?", FLOAT32, 0, probe_subnormal_inputs},
    {"float32.subnormal-sums", "is a subnormal sum kept?", FLOAT32, 0, probe_subnormal_sums},
    {"float32.signed-zero", "what is the sum of -0 alone?", FLOAT32, 0, probe_signed_zero},
    {"float32.nan", "does a NaN stay, and change nothing before it?", FLOAT32, 0, probe_nan},
    {"float32.infinity", "is +inf + -inf a NaN?", FLOAT32, 0, probe_infinity},
    {"float32.overflow", "does a sum that overflowed stay infinite?", FLOAT32, 0, probe_overflow},
    {"float16.accumulator", "what are sums kept in?", FLOAT16, 0, probe_half_accumulator},
    {"float16.rounding", "how is a sum rounded?", FLOAT16, 0, probe_half_rounding},
    {"float16.overflow", "from which sum on is it infinite?", FLOAT16, 0, probe_half_overflow},
    {"float16.subnormals", "are subnormals kept?", FLOAT16, 0, probe_half_subnormals},
    {"float16.signed-zero", "what is the sum of -0 alone?", FLOAT16, 0, probe_signed_zero},
    {"float16.nan", "does a NaN stay, and change nothing before it?", FLOAT16, 0, probe_nan},
    {"float16.infinity", "is +inf + -inf a NaN?", FLOAT16, 0, probe_infinity},
    {"float16.accumulator.half-allowed", "the same, half precision allowed", FLOAT16, HALF,
     probe_half_accumulator},
    {"float16.rounding.half-allowed", "the same, half precision allowed", FLOAT16, HALF,
     probe_half_rounding},
    {"float16.overflow.half-allowed", "the same, half precision allowed", FLOAT16, HALF,
     probe_half_overflow},
    {"float16.subnormals.half-allowed", "the same, half precision allowed", FLOAT16, HALF,
     probe_half_subnormals},
    {"int32.wrap", "do sums wrap?", CUMSUM_DATA_TYPE_INT32, 0, probe_wrap},
    {"uint32.wrap", "do sums wrap?", CUMSUM_DATA_TYPE_UINT32, 0, probe_wrap},
    {"int64.wrap", "do sums wrap?", CUMSUM_DATA_TYPE_INT64, 0, probe_wrap},
    {"uint64.wrap", "do sums wrap?", CUMSUM_DATA_TYPE_UINT64, 0, probe_wrap},
    {"causality", "does an output depend on its prefix alone?", FLOAT32, 0, probe_causality},
    {"stability", "are the bits the same from run to run?", FLOAT32, 0, probe_stability},
    {"neighbours", "does a line depend on other lines?", FLOAT32, 0, probe_neighbours},
    {"length", "do the first sums depend on how many follow?", FLOAT32, 0, probe_length},
    {"layouts", "are the bits the same in every layout?", FLOAT32, 0, probe_layouts},
};
const size_t probe_question_count = sizeof probe_questions / sizeof probe_questions[0];
