/* SPDX-License-Identifier: MIT */
#include "option_words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool same_word(const char *a, const char *b) {
    for (; *a && *b; a++, b++) {
        int x = *a == '_' ? '-' : tolower((unsigned char)*a);
        int y = *b == '_' ? '-' : tolower((unsigned char)*b);
        if (x != y)
            return false;
    }
    return *a == *b;
}

/* "all", which only verify takes, comes first so that the others can leave it out. */
const word_value words_backends[] = {{"all", BACKEND_ALL},
                                     {"cpu", BACKEND_CPU},
                                     {"d3d12", BACKEND_D3D12},
                                     {"directml", BACKEND_DIRECTML},
                                     {NULL, 0}};
const word_value words_colors[] = {
    {"auto", COLOR_AUTO}, {"always", COLOR_ALWAYS}, {"never", COLOR_NEVER}, {NULL, 0}};
const word_value words_orders[] = {{"sequential", CUMSUM_ORDER_SEQUENTIAL},
                                   {"blocked", CUMSUM_ORDER_BLOCKED},
                                   {"exact", CUMSUM_ORDER_EXACT},
                                   {NULL, 0}};
const word_value words_accumulators[] = {{"float32", CUMSUM_HALF_ACCUMULATOR_FLOAT32},
                                         {"float16", CUMSUM_HALF_ACCUMULATOR_FLOAT16},
                                         {NULL, 0}};
const word_value words_stores[] = {{"nearest-even", CUMSUM_HALF_STORE_NEAREST_EVEN},
                                   {"toward-zero", CUMSUM_HALF_STORE_TOWARD_ZERO},
                                   {"ieee", CUMSUM_HALF_STORE_IEEE},
                                   {NULL, 0}};
const word_value words_denormals[] = {
    {"preserve", CUMSUM_DENORMALS_PRESERVE}, {"flush", CUMSUM_DENORMALS_FLUSH}, {NULL, 0}};
const word_value words_levels[] = {{"2_1", CUMSUM_FEATURE_LEVEL_2_1},
                                   {"4_0", CUMSUM_FEATURE_LEVEL_4_0},
                                   {"5_0", CUMSUM_FEATURE_LEVEL_5_0},
                                   {NULL, 0}};
const word_value words_types[] = {{"float32", CUMSUM_DATA_TYPE_FLOAT32},
                                  {"float16", CUMSUM_DATA_TYPE_FLOAT16},
                                  {"int32", CUMSUM_DATA_TYPE_INT32},
                                  {"uint32", CUMSUM_DATA_TYPE_UINT32},
                                  {"int64", CUMSUM_DATA_TYPE_INT64},
                                  {"uint64", CUMSUM_DATA_TYPE_UINT64},
                                  {NULL, 0}};
const word_value words_named_orders[] = {
    {"first", ORDERS_FIRST}, {"all", ORDERS_ALL}, {"none", ORDERS_NONE}, {NULL, 0}};
const word_value words_isolate[] = {
    {"auto", ISOLATE_AUTO}, {"always", ISOLATE_ALWAYS}, {"never", ISOLATE_NEVER}, {NULL, 0}};
const word_value words_accept[] = {
    {"bits", ACCEPT_BITS}, {"conformant", ACCEPT_CONFORMANT}, {NULL, 0}};
/* As above. */
const word_value words_kernels[] = {{"all", CUMSUM_KERNEL_AUTO},
                                    {"auto", CUMSUM_KERNEL_AUTO},
                                    {"reference", CUMSUM_KERNEL_REFERENCE},
                                    {"portable", CUMSUM_KERNEL_PORTABLE},
                                    {"avx2", CUMSUM_KERNEL_AVX2},
                                    {"avx512", CUMSUM_KERNEL_AVX512},
                                    {"neon", CUMSUM_KERNEL_NEON},
                                    {NULL, 0}};

tool_status read_word(const option_spec *spec, const word_value *words, const char *text,
                      int *value, tool_error *error) {
    char list[160] = "";
    for (const word_value *w = words; w->word; w++) {
        if (same_word(w->word, text)) {
            *value = w->value;
            return TOOL_OK;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", w->word);
    }
    return tool_fail(error, TOOL_MALFORMED, "option --%s: '%s' is not one of %s", spec->name, text,
                     list);
}
