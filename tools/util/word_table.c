/* SPDX-License-Identifier: MIT */
/* Tables from words to the values of an enum: searched from the top, since they have few rows. */
#include "word_table.h"

#include <ctype.h>
#include <cumsum/cumsum.h>
#include <stdio.h>
#include <string.h>

const word_row element_words[] = {{"float64", CUMSUM_DATA_TYPE_FLOAT64},
                                  {"bfloat16", CUMSUM_DATA_TYPE_BFLOAT16},
                                  {"int8", CUMSUM_DATA_TYPE_INT8},
                                  {"int16", CUMSUM_DATA_TYPE_INT16},
                                  {"uint8", CUMSUM_DATA_TYPE_UINT8},
                                  {"uint16", CUMSUM_DATA_TYPE_UINT16},
                                  {"float32", CUMSUM_DATA_TYPE_FLOAT32},
                                  {"float16", CUMSUM_DATA_TYPE_FLOAT16},
                                  {"int32", CUMSUM_DATA_TYPE_INT32},
                                  {"uint32", CUMSUM_DATA_TYPE_UINT32},
                                  {"int64", CUMSUM_DATA_TYPE_INT64},
                                  {"uint64", CUMSUM_DATA_TYPE_UINT64},
                                  {NULL, 0}};
const word_row *const type_words = &element_words[6];

const word_row order_words[] = {{"sequential", CUMSUM_ORDER_SEQUENTIAL},
                                {"blocked", CUMSUM_ORDER_BLOCKED},
                                {"exact", CUMSUM_ORDER_EXACT},
                                {NULL, 0}};

const word_row half_accumulator_words[] = {{"float32", CUMSUM_HALF_ACCUMULATOR_FLOAT32},
                                           {"float16", CUMSUM_HALF_ACCUMULATOR_FLOAT16},
                                           {NULL, 0}};

const word_row half_store_words[] = {{"nearest-even", CUMSUM_HALF_STORE_NEAREST_EVEN},
                                     {"toward-zero", CUMSUM_HALF_STORE_TOWARD_ZERO},
                                     {"ieee", CUMSUM_HALF_STORE_IEEE},
                                     {NULL, 0}};

const word_row denormals_words[] = {
    {"preserve", CUMSUM_DENORMALS_PRESERVE}, {"flush", CUMSUM_DENORMALS_FLUSH}, {NULL, 0}};

const word_row rounded_words[] = {{"float32", CUMSUM_DATA_TYPE_FLOAT32},
                                  {"float16", CUMSUM_DATA_TYPE_FLOAT16},
                                  {"float64", CUMSUM_DATA_TYPE_FLOAT64},
                                  {"bfloat16", CUMSUM_DATA_TYPE_BFLOAT16},
                                  {NULL, 0}};

const word_row direction_words[] = {{"INCREASING", CUMSUM_AXIS_DIRECTION_INCREASING},
                                    {"DECREASING", CUMSUM_AXIS_DIRECTION_DECREASING},
                                    {NULL, 0}};

const word_row level_words[] = {{"2_1", CUMSUM_FEATURE_LEVEL_2_1},
                                {"4_0", CUMSUM_FEATURE_LEVEL_4_0},
                                {"5_0", CUMSUM_FEATURE_LEVEL_5_0},
                                {NULL, 0}};

const char *word_of(const word_row *table, int value) {
    for (; table->word; table++)
        if (table->value == value)
            return table->word;
    return NULL;
}

static bool is_alike(const char *a, const char *b) {
    for (; *a && *b; a++, b++) {
        const int x = *a == '_' ? '-' : tolower((unsigned char)*a);
        const int y = *b == '_' ? '-' : tolower((unsigned char)*b);
        if (x != y)
            return false;
    }
    return *a == *b;
}

bool word_find(const word_row *table, const char *word, int *value) {
    while (table->word && !is_alike(table->word, word))
        table++;
    if (table->word)
        *value = table->value;
    return table->word != NULL;
}

const char *word_list(const word_row *table, const char *separator, char *text, size_t size) {
    text[0] = '\0';
    for (const word_row *row = table; row->word; row++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", row == table ? "" : separator, row->word);
    }
    return text;
}
