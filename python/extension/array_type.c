/* SPDX-License-Identifier: MIT */
/* The types that are taken, as the buffer protocol's formats and as DLPack's codes. */
#include "array_view.h"

#include <dlpack/dlpack.h>
#include <string.h>

/* What may be given for x of a type that is not taken. */
static const char *hint(const array_view *view, const char *what) {
    if (view->taker == ARRAY_FOR_ORACLE || strcmp(view->name, "x") != 0)
        return "";
    if (strcmp(what, "bfloat16") == 0)
        return "; dtype='float32' converts x";
    if (strcmp(what, "bool") == 0 || strncmp(what, "int", 3) == 0 || strncmp(what, "uint", 4) == 0)
        return "; dtype='int64' converts x";
    return strncmp(what, ">", 1) == 0 ? "; dtype= converts x" : "";
}

/* The one message for types that are not taken. */
static bool refuse_type(const array_view *view, const char *what) {
    PyErr_Format(PyExc_TypeError, "%s has elements of type %s; %s%s", view->name, what,
                 view->taker == ARRAY_FOR_ORACLE ? ARRAY_JUDGED_TYPES : ARRAY_TYPES,
                 hint(view, what));
    return false;
}

const char *array_type_name(cumsum_data_type type) {
    static const char *const names[] = {
        [CUMSUM_DATA_TYPE_FLOAT64] = "float64", [CUMSUM_DATA_TYPE_FLOAT32] = "float32",
        [CUMSUM_DATA_TYPE_FLOAT16] = "float16", [CUMSUM_DATA_TYPE_INT8] = "int8",
        [CUMSUM_DATA_TYPE_UINT8] = "uint8",     [CUMSUM_DATA_TYPE_INT16] = "int16",
        [CUMSUM_DATA_TYPE_UINT16] = "uint16",   [CUMSUM_DATA_TYPE_INT32] = "int32",
        [CUMSUM_DATA_TYPE_UINT32] = "uint32",   [CUMSUM_DATA_TYPE_INT64] = "int64",
        [CUMSUM_DATA_TYPE_UINT64] = "uint64"};
    if (type == CUMSUM_DATA_TYPE_BFLOAT16)
        return "bfloat16";
    return (size_t)type < sizeof names / sizeof names[0] && names[type] ? names[type] : "unknown";
}

static bool is_taken(const array_view *view, cumsum_data_type type) {
    switch (type) {
    case CUMSUM_DATA_TYPE_UNKNOWN:
        return false;
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

/* The name of a format like "3w", a number of letters; NULL for others. */
static const char *text_words(const char *format) {
    const char *letter = format + strspn(format, "0123456789");
    if (letter == format || !*letter || letter[1])
        return NULL;
    return *letter == 'w' ? "str" : *letter == 's' ? "bytes" : *letter == 'x' ? "void" : NULL;
}

/* NumPy's names of types that are not taken. Other formats are shown as they are. */
static const char *format_words(const char *format, char letter, int64_t size) {
    static const struct {
        const char *format, *name;
    } names[] = {{"?", "bool"},       {"Zf", "complex64"}, {"Zd", "complex128"},
                 {"F", "complex64"},  {"D", "complex128"}, {"Zg", "clongdouble"},
                 {"g", "longdouble"}, {"O", "object"},     {"c", "bytes"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(format, names[i].format) == 0)
            return names[i].name;
    const cumsum_data_type type =
        letter && !format[1] ? letter_type(letter, size) : CUMSUM_DATA_TYPE_UNKNOWN;
    const char *text = text_words(format);
    return type ? array_type_name(type) : text ? text : format;
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
        return refuse_type(view, letter);
    if (*letter && strchr("@=<>!", *letter))
        letter++;
    const cumsum_data_type type =
        *letter && !letter[1] ? letter_type(*letter, item_size) : CUMSUM_DATA_TYPE_UNKNOWN;
    return is_taken(view, type) ? accept(view, type)
                                : refuse_type(view, format_words(letter, *letter, item_size));
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
    if (lanes == 1 && strcmp(dlpack_words(code), "bool") == 0)
        PyOS_snprintf(what, sizeof what, "bool");
    else if (lanes == 1)
        PyOS_snprintf(what, sizeof what, "%s%d", dlpack_words(code), bits);
    else
        PyOS_snprintf(what, sizeof what, "%s%d with %d lanes", dlpack_words(code), bits, lanes);
    return refuse_type(view, what);
}
