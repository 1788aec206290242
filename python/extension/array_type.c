/* SPDX-License-Identifier: MIT */
/* The types that are taken, as the buffer protocol's formats and as DLPack's codes. */
#include "array_view.h"

#include <dlpack/dlpack.h>
#include <string.h>

/* The one message for types that are not taken. */
static bool refuse(const array_view *view, const char *what) {
    PyErr_Format(PyExc_TypeError, "%s has elements of type %s; %s", view->name, what,
                 view->taker == ARRAY_FOR_ORACLE ? ARRAY_JUDGED_TYPES : ARRAY_TYPES);
    return false;
}

static bool is_taken(const array_view *view, cumsum_data_type type) {
    switch (type) {
    case CUMSUM_DATA_TYPE_UNKNOWN:
        return false;
    case CUMSUM_DATA_TYPE_FLOAT64:
    case CUMSUM_DATA_TYPE_BFLOAT16:
    case CUMSUM_DATA_TYPE_INT8:
    case CUMSUM_DATA_TYPE_UINT8:
    case CUMSUM_DATA_TYPE_INT16:
    case CUMSUM_DATA_TYPE_UINT16:
        return view->taker == ARRAY_FOR_ORACLE;
    default:
        return true;
    }
}

static bool accept(array_view *view, cumsum_data_type type) {
    view->type = type;
    view->element_size = cumsum_data_type_size(type);
    return true;
}

static cumsum_data_type integer_type(bool is_signed, int64_t size) {
    switch (size) {
    case 1:
        return is_signed ? CUMSUM_DATA_TYPE_INT8 : CUMSUM_DATA_TYPE_UINT8;
    case 2:
        return is_signed ? CUMSUM_DATA_TYPE_INT16 : CUMSUM_DATA_TYPE_UINT16;
    case 4:
        return is_signed ? CUMSUM_DATA_TYPE_INT32 : CUMSUM_DATA_TYPE_UINT32;
    case 8:
        return is_signed ? CUMSUM_DATA_TYPE_INT64 : CUMSUM_DATA_TYPE_UINT64;
    default:
        return CUMSUM_DATA_TYPE_UNKNOWN;
    }
}

static cumsum_data_type letter_type(char letter, int64_t size) {
    if (letter == 'd')
        return CUMSUM_DATA_TYPE_FLOAT64;
    if (letter == 'f')
        return CUMSUM_DATA_TYPE_FLOAT32;
    if (letter == 'e')
        return CUMSUM_DATA_TYPE_FLOAT16;
    if (letter && strchr("bhilqn", letter))
        return integer_type(true, size);
    if (letter && strchr("BHILQN", letter))
        return integer_type(false, size);
    return CUMSUM_DATA_TYPE_UNKNOWN;
}

/* Names for common types that the operator does not take. Other formats are shown as they are. */
static const char *format_words(const char *format, char letter, int64_t size) {
    const bool one_letter = letter && !format[1];
    if (one_letter && letter == 'd')
        return "float64";
    if (one_letter && letter == '?')
        return "bool";
    if (one_letter && strchr("bhBH", letter))
        return size == 1 ? (letter == 'b' ? "int8" : "uint8") : letter == 'h' ? "int16" : "uint16";
    return format;
}

/* Whether a format's mark, one of < > !, is the byte order of this machine. */
static bool byte_order_is_native(char mark) {
    const uint16_t one = 1;
    unsigned char low;
    memcpy(&low, &one, 1);
    return mark == '<' ? low == 1 : low == 0;
}

bool array_type_of_format(array_view *view, const char *format, int64_t item_size) {
    const char *letter = format ? format : "B";
    if (*letter && strchr("<>!", *letter) && !byte_order_is_native(*letter))
        return refuse(view, format);
    if (*letter && strchr("@=<>!", *letter))
        letter++;
    const cumsum_data_type type =
        *letter && !letter[1] ? letter_type(*letter, item_size) : CUMSUM_DATA_TYPE_UNKNOWN;
    return is_taken(view, type) ? accept(view, type)
                                : refuse(view, format_words(letter, *letter, item_size));
}

static cumsum_data_type dlpack_type(int code, int bits) {
    if (code == kDLInt || code == kDLUInt)
        return integer_type(code == kDLInt, bits % 8 == 0 ? bits / 8 : 0);
    if (code == kDLFloat && bits == 64)
        return CUMSUM_DATA_TYPE_FLOAT64;
    if (code == kDLFloat && bits == 32)
        return CUMSUM_DATA_TYPE_FLOAT32;
    if (code == kDLBfloat && bits == 16)
        return CUMSUM_DATA_TYPE_BFLOAT16;
    return code == kDLFloat && bits == 16 ? CUMSUM_DATA_TYPE_FLOAT16 : CUMSUM_DATA_TYPE_UNKNOWN;
}

static const char *dlpack_words(int code) {
    static const char *const words[] = {"int",    "uint",    "float", "opaque handle",
                                        "bfloat", "complex", "bool"};
    return code >= 0 && (size_t)code < sizeof words / sizeof words[0] ? words[code] : "unknown";
}

bool array_type_of_dlpack(array_view *view, int code, int bits, int lanes) {
    const cumsum_data_type type = lanes == 1 ? dlpack_type(code, bits) : CUMSUM_DATA_TYPE_UNKNOWN;
    if (is_taken(view, type))
        return accept(view, type);
    char what[64];
    if (lanes == 1)
        PyOS_snprintf(what, sizeof what, "%s%d", dlpack_words(code), bits);
    else
        PyOS_snprintf(what, sizeof what, "%s%d with %d lanes", dlpack_words(code), bits, lanes);
    return refuse(view, what);
}
