/* SPDX-License-Identifier: MIT */
#include "number_store.h"

#include <string.h>
#include <strings.h>

#include "number.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "buffers are little-endian: number_store and npy would have to swap bytes on this machine"
#endif

bool number_is_float(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT16 || type == CUMSUM_DATA_TYPE_FLOAT32 ||
           type == CUMSUM_DATA_TYPE_FLOAT64;
}

static bool is_signed(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_INT8 || type == CUMSUM_DATA_TYPE_INT16 ||
           type == CUMSUM_DATA_TYPE_INT32 || type == CUMSUM_DATA_TYPE_INT64;
}

static bool is_unsigned(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_UINT8 || type == CUMSUM_DATA_TYPE_UINT16 ||
           type == CUMSUM_DATA_TYPE_UINT32 || type == CUMSUM_DATA_TYPE_UINT64;
}

static number_status store_integer(cumsum_data_type type, const char *text, size_t length,
                                   void *out) {
    uint32_t bits = 8 * cumsum_data_type_size(type);
    uint64_t maximum = UINT64_MAX >> (64 - bits);
    int64_t minimum = 0;
    uint64_t number;
    if (is_signed(type)) {
        maximum >>= 1;
        minimum = -(int64_t)maximum - 1;
    }
    number_status status = number_to_integer(text, length, minimum, maximum, &number);
    if (status == NUMBER_OK)
        memcpy(out, &number, bits / 8); /* little-endian: the low bytes come first */
    return status;
}

static bool store_float(cumsum_data_type type, const char *text, size_t length, void *out) {
    uint16_t half;
    float single;
    double wide;
    bool done;
    if (type == CUMSUM_DATA_TYPE_FLOAT16) {
        done = number_to_half(text, length, &half);
        memcpy(out, &half, sizeof half);
    } else if (type == CUMSUM_DATA_TYPE_FLOAT32) {
        done = number_to_float(text, length, &single);
        memcpy(out, &single, sizeof single);
    } else {
        done = number_to_double(text, length, &wide);
        memcpy(out, &wide, sizeof wide);
    }
    return done;
}

number_status number_store(cumsum_data_type type, const char *text, size_t length, void *out) {
    if (number_is_float(type))
        return store_float(type, text, length, out) ? NUMBER_OK : NUMBER_OUT_OF_RANGE;
    if (is_signed(type) || is_unsigned(type))
        return store_integer(type, text, length, out);
    return NUMBER_NO_TYPE;
}

/* The exponent all ones, and of the mantissa the highest bit for NaN. */
static void store_special(cumsum_data_type type, bool nan, bool negative, void *out) {
    uint32_t bits = 8 * cumsum_data_type_size(type);
    uint32_t mantissa = type == CUMSUM_DATA_TYPE_FLOAT16 ? 10 : bits == 32 ? 23 : 52;
    uint64_t sign = UINT64_C(1) << (bits - 1);
    uint64_t pattern = sign - (UINT64_C(1) << mantissa);
    pattern |= nan ? UINT64_C(1) << (mantissa - 1) : 0;
    pattern |= negative ? sign : 0;
    memcpy(out, &pattern, bits / 8);
}

bool number_store_word(cumsum_data_type type, const char *word, void *out) {
    bool nan = strcasecmp(word, "nan") == 0;
    bool negative = strcasecmp(word, "-inf") == 0;
    if (!number_is_float(type) || !(nan || negative || strcasecmp(word, "inf") == 0))
        return false;
    store_special(type, nan, negative, out);
    return true;
}

/* The sum of two halves rounded to binary32 and then to binary16 is the sum rounded once: 24 bits
 * are at least 2 * 11 + 2. */
static uint16_t add_halves(uint16_t a, uint16_t b) {
    return cumsum_half_from_float(cumsum_half_to_float(a) + cumsum_half_to_float(b),
                                  CUMSUM_HALF_STORE_IEEE);
}

static void add_floats(cumsum_data_type type, void *value, const void *delta) {
    uint16_t half[2];
    float single[2];
    double wide[2];
    if (type == CUMSUM_DATA_TYPE_FLOAT16) {
        memcpy(&half[0], value, sizeof half[0]);
        memcpy(&half[1], delta, sizeof half[1]);
        half[0] = add_halves(half[0], half[1]);
        memcpy(value, &half[0], sizeof half[0]);
    } else if (type == CUMSUM_DATA_TYPE_FLOAT32) {
        memcpy(&single[0], value, sizeof single[0]);
        memcpy(&single[1], delta, sizeof single[1]);
        single[0] += single[1];
        memcpy(value, &single[0], sizeof single[0]);
    } else {
        memcpy(&wide[0], value, sizeof wide[0]);
        memcpy(&wide[1], delta, sizeof wide[1]);
        wide[0] += wide[1];
        memcpy(value, &wide[0], sizeof wide[0]);
    }
}

void number_add(cumsum_data_type type, void *value, const void *delta) {
    if (number_is_float(type)) {
        add_floats(type, value, delta);
        return;
    }
    uint32_t size = cumsum_data_type_size(type);
    uint64_t a = 0;
    uint64_t b = 0;
    memcpy(&a, value, size);
    memcpy(&b, delta, size);
    a += b; /* modulo 2^64, hence modulo 2^8, 2^16 and 2^32 in the low bytes */
    memcpy(value, &a, size);
}

const char *number_words(cumsum_data_type type) {
    switch (type) {
    case CUMSUM_DATA_TYPE_UINT8:
        return "UINT8: an integer from 0 to 255";
    case CUMSUM_DATA_TYPE_INT8:
        return "INT8: an integer from -128 to 127";
    case CUMSUM_DATA_TYPE_UINT16:
        return "UINT16: an integer from 0 to 65535";
    case CUMSUM_DATA_TYPE_INT16:
        return "INT16: an integer from -32768 to 32767";
    case CUMSUM_DATA_TYPE_UINT32:
        return "UINT32: an integer from 0 to 4294967295";
    case CUMSUM_DATA_TYPE_INT32:
        return "INT32: an integer from -2147483648 to 2147483647";
    case CUMSUM_DATA_TYPE_UINT64:
        return "UINT64: an integer from 0 to 18446744073709551615";
    case CUMSUM_DATA_TYPE_INT64:
        return "INT64: an integer from -9223372036854775808 to 9223372036854775807";
    default:
        return "a number, \"nan\", \"inf\" or \"-inf\"";
    }
}
