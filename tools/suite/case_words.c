/* SPDX-License-Identifier: MIT */
/* The words of a case name for types and numerics. */
#include <string.h>

#include "case_name.h"

typedef struct type_word {
    const char *word;
    cumsum_data_type type;
} type_word;

static const type_word types[] = {
    {"float32", CUMSUM_DATA_TYPE_FLOAT32}, {"float16", CUMSUM_DATA_TYPE_FLOAT16},
    {"int32", CUMSUM_DATA_TYPE_INT32},     {"uint32", CUMSUM_DATA_TYPE_UINT32},
    {"int64", CUMSUM_DATA_TYPE_INT64},     {"uint64", CUMSUM_DATA_TYPE_UINT64}};

/* Each list has a word for every combination that gives other bits, and for no other: a tally of
 * binary16 is stored as it is, the exact order has a rounding of its own, integers have one sum. */
typedef struct numerics_word {
    const char *word;
    cumsum_numerics numerics;
} numerics_word;

static const numerics_word float32_words[] = {
    {"sequential", {.order = CUMSUM_ORDER_SEQUENTIAL}},
    {"sequential-flush", {.order = CUMSUM_ORDER_SEQUENTIAL, .denormals = CUMSUM_DENORMALS_FLUSH}},
    {"blocked", {.order = CUMSUM_ORDER_BLOCKED}},
    {"blocked-flush", {.order = CUMSUM_ORDER_BLOCKED, .denormals = CUMSUM_DENORMALS_FLUSH}},
    {"exact", {.order = CUMSUM_ORDER_EXACT}},
    {"exact-flush", {.order = CUMSUM_ORDER_EXACT, .denormals = CUMSUM_DENORMALS_FLUSH}},
    {NULL, {0}}};

static const numerics_word float16_words[] = {
    {"sequential", {.order = CUMSUM_ORDER_SEQUENTIAL}},
    {"sequential-toward-zero",
     {.order = CUMSUM_ORDER_SEQUENTIAL, .half_store = CUMSUM_HALF_STORE_TOWARD_ZERO}},
    {"sequential-ieee", {.order = CUMSUM_ORDER_SEQUENTIAL, .half_store = CUMSUM_HALF_STORE_IEEE}},
    {"sequential-half",
     {.order = CUMSUM_ORDER_SEQUENTIAL, .half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16}},
    {"blocked", {.order = CUMSUM_ORDER_BLOCKED}},
    {"blocked-toward-zero",
     {.order = CUMSUM_ORDER_BLOCKED, .half_store = CUMSUM_HALF_STORE_TOWARD_ZERO}},
    {"blocked-ieee", {.order = CUMSUM_ORDER_BLOCKED, .half_store = CUMSUM_HALF_STORE_IEEE}},
    {"blocked-half",
     {.order = CUMSUM_ORDER_BLOCKED, .half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16}},
    {"exact", {.order = CUMSUM_ORDER_EXACT}},
    {NULL, {0}}};

static const numerics_word integer_words[] = {{"wrap", {.order = CUMSUM_ORDER_SEQUENTIAL}},
                                              {NULL, {0}}};

static const numerics_word *words_of(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT32   ? float32_words
           : type == CUMSUM_DATA_TYPE_FLOAT16 ? float16_words
                                              : integer_words;
}

static bool same_text(const char *word, const char *text, size_t length) {
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

static bool same_numerics(cumsum_numerics a, cumsum_numerics b) {
    return a.order == b.order && a.half_accumulator == b.half_accumulator &&
           a.half_store == b.half_store && a.denormals == b.denormals;
}

const char *case_type_word(cumsum_data_type type) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].type == type)
            return types[i].word;
    return "?";
}

bool case_find_type(const char *word, size_t length, cumsum_data_type *type) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (same_text(types[i].word, word, length)) {
            *type = types[i].type;
            return true;
        }
    }
    return false;
}

const char *case_numerics_word(cumsum_data_type type, cumsum_numerics numerics) {
    for (const numerics_word *w = words_of(type); w->word; w++)
        if (same_numerics(w->numerics, numerics))
            return w->word;
    return "?";
}

bool case_find_numerics(const char *word, size_t length, cumsum_data_type type,
                        cumsum_numerics *numerics) {
    for (const numerics_word *w = words_of(type); w->word; w++) {
        if (same_text(w->word, word, length)) {
            *numerics = w->numerics;
            return true;
        }
    }
    return false;
}

const char *case_list_numerics(cumsum_data_type type, size_t index, cumsum_numerics *numerics) {
    const numerics_word *w = words_of(type);
    for (; index > 0 && w->word; index--)
        w++;
    *numerics = w->numerics;
    return w->word;
}
