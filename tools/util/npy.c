/* SPDX-License-Identifier: MIT */
/*
 * The format is NumPy's own (numpy.lib.format): "\x93NUMPY", a version, the length of the header,
 * the header, and the elements. The header is a Python dictionary with exactly the keys descr,
 * fortran_order and shape, in any order, which is read as JSON. A file that is written has NumPy's
 * own bytes.
 */
#include "npy.h"

#include <cumsum/cumsum.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_member.h"
#include "element.h"
#include "error.h"
#include "file.h"
#include "inflate.h"
#include "json_value.h"
#include "memory.h"
#include "memory_limit.h"
#include "word_table.h"

#define BOOLEAN "|b1"

/* The types, as descr names them. NumPy has no name for BFLOAT16: the package ml_dtypes writes two
 * bytes without a type, and any other program may write them for something else. */
static const struct {
    const char *descr;
    cumsum_data_type type;
} npy_types[] = {{"<f4", CUMSUM_DATA_TYPE_FLOAT32},  {"<f2", CUMSUM_DATA_TYPE_FLOAT16},
                 {"<i4", CUMSUM_DATA_TYPE_INT32},    {"<u4", CUMSUM_DATA_TYPE_UINT32},
                 {"<i8", CUMSUM_DATA_TYPE_INT64},    {"<u8", CUMSUM_DATA_TYPE_UINT64},
                 {"<f8", CUMSUM_DATA_TYPE_FLOAT64},  {"|i1", CUMSUM_DATA_TYPE_INT8},
                 {"|u1", CUMSUM_DATA_TYPE_UINT8},    {"<i2", CUMSUM_DATA_TYPE_INT16},
                 {"<u2", CUMSUM_DATA_TYPE_UINT16},   {"<V2", CUMSUM_DATA_TYPE_BFLOAT16},
                 {"|V2", CUMSUM_DATA_TYPE_BFLOAT16}, {BOOLEAN, CUMSUM_DATA_TYPE_UINT8},
                 {"<c8", CUMSUM_DATA_TYPE_FLOAT32},  {"<c16", CUMSUM_DATA_TYPE_FLOAT64}};

/* Complex numbers, whose parts are elements. */
static bool has_parts(const char *descr) {
    return descr[0] && descr[1] == 'c';
}

/* As memory_allocate aligns. */
#define ELEMENT_ALIGNMENT 64

#define NPY_TYPES (sizeof npy_types / sizeof npy_types[0])

/* The dictionary as JSON, to be freed: a tuple is a list. Every character keeps its place, which a
 * message may name. */
static char *json_of(const char *dictionary, size_t length) {
    static const char python[] = "()TF'", json[] = "[]tf\"";
    char *text = tool_malloc(length);
    char quote = '\0'; /* that began the string, if there is one here */
    for (size_t i = 0; i < length; i++) {
        const char c = dictionary[i];
        const char *found = quote && c != quote ? NULL : memchr(python, c, sizeof python - 1);
        text[i] = found ? json[found - python] : c;
        if (c == quote)
            quote = '\0';
        else if (!quote && (c == '\'' || c == '"'))
            quote = c;
    }
    return text;
}

/* '>' in place of '<' is the other byte order. */
static bool is_descr(const char *name, const char *descr) {
    return (name[0] == descr[0] || (name[0] == '>' && descr[0] == '<')) && name[0] &&
           strcmp(name + 1, descr + 1) == 0;
}

/* Two bytes are BFLOAT16 if the caller says so: without a type, or as UINT16, the bits. */
static cumsum_data_type take_type(const json_object *descr, cumsum_data_type declared) {
    const bool said = declared == CUMSUM_DATA_TYPE_BFLOAT16;
    const bool text = json_type_of(descr) == json_type_string;
    const char *name = text ? json_string(descr) : "";
    size_t row = 0;
    while (row < NPY_TYPES && !is_descr(name, npy_types[row].descr))
        row++;
    if (row == NPY_TYPES)
        json_fail_type(descr,
                       "'<f8', '<f4', '<f2', '<c8', '<c16' or an integer of 1, 2, 4 or 8 bytes");
    else if (npy_types[row].type == CUMSUM_DATA_TYPE_BFLOAT16 && !said)
        json_fail(descr, TOOL_MALFORMED,
                  "elements of 2 bytes without a type: if they are BFLOAT16, say so (--raw "
                  "bfloat16)");
    if (!json_ok(descr))
        return CUMSUM_DATA_TYPE_UNKNOWN;
    return said && npy_types[row].type == CUMSUM_DATA_TYPE_UINT16 ? CUMSUM_DATA_TYPE_BFLOAT16
                                                                  : npy_types[row].type;
}

void npy_take_shape(const json_object *shape, npy_header *out) {
    if (json_expect(shape, json_type_array) && json_length(shape) > CUMSUM_MAX_DIMENSIONS)
        json_fail(shape, TOOL_MALFORMED, "%zu dimensions: at most 8 are supported",
                  json_length(shape));
    for (size_t i = 0; i < json_length(shape) && json_ok(shape); i++)
        out->sizes[out->rank++] = json_integer(json_element(shape, i), "a size", 0, INT64_MAX);
}

static void take_header(const json_object *header, cumsum_data_type declared, npy_header *out) {
    if (!json_expect(header, json_type_object))
        return;
    const json_object *descr = json_need(header, "descr");
    out->type = take_type(descr, declared);
    out->complex_parts = json_ok(descr) && has_parts(json_string(descr));
    out->boolean = json_ok(descr) && strcmp(json_string(descr), BOOLEAN) == 0;
    out->big_endian = json_ok(descr) && json_string(descr)[0] == '>';
    out->fortran_order = json_flag(json_need(header, "fortran_order"));
    const json_object *shape = json_need(header, "shape");
    npy_take_shape(shape, out);
    if (out->complex_parts && out->rank == CUMSUM_MAX_DIMENSIONS)
        json_fail(shape, TOOL_MALFORMED,
                  "8 dimensions: at most 7 of complex numbers are supported");
    else if (out->complex_parts)
        out->sizes[out->rank++] = 2;
    if (json_ok(header) && json_length(header) > 3)
        json_fail(header, TOOL_MALFORMED,
                  "there are other keys than descr, fortran_order and shape");
}

/* dictionary: with its padding. */
static tool_status parse_header(const char *dictionary, size_t length, const char *path,
                                cumsum_data_type declared, npy_header *out, tool_error *error) {
    json_document document;
    char name[400];
    char *text = json_of(dictionary, length);
    *out = (npy_header){0};
    snprintf(name, sizeof name, "%.380s: .npy header", path);
    if (json_parse(&document, text, length, name, 1, error) == TOOL_OK)
        take_header(document.root, declared, out);
    json_free(&document);
    free(text);
    return document.status;
}

/* NumPy's own limit (max_header_size). A type with as long a name is none that is taken. */
#define MOST_HEADER 10000

/* The file's first bytes: magic, version, and the length of the header in 2 bytes (1.0) or 4. */
static tool_status find_header(const unsigned char *data, size_t length, const char *name,
                               size_t *start, uint64_t *size, tool_error *error) {
    if (length < 8 || memcmp(data, "\x93NUMPY", 6) != 0) {
        return tool_fail(
            error, TOOL_MALFORMED,
            "%.400s: not an .npy file: it does not start with \\x93NUMPY and a version", name);
    }
    if (data[6] < 1 || data[6] > 3 || data[7] != 0) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: .npy version %u.%u is not supported: 1.0, 2.0 and 3.0 are", name,
                         data[6], data[7]);
    }
    *start = data[6] == 1 ? 10 : 12;
    *size = 0;
    for (size_t i = *start; i > 8 && length >= *start; i--)
        *size = *size << 8 | data[i - 1];
    if (length >= *start && *size > MOST_HEADER) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: the .npy header has %" PRIu64 " bytes; at most %d are supported",
                         name, *size, MOST_HEADER);
    }
    if (length < *start || *size > length - *start) {
        return tool_fail(error, TOOL_MALFORMED, "%.400s: the file ends inside the .npy header",
                         name);
    }
    return TOOL_OK;
}

uint64_t npy_size_of(cumsum_data_type type, uint32_t rank, const uint64_t *sizes) {
    uint64_t size = cumsum_data_type_size(type);
    bool any = true;
    for (uint32_t d = 0; d < rank; d++) {
        any = any && sizes[d] > 0;
        if (sizes[d] > 0 && __builtin_mul_overflow(size, sizes[d], &size))
            size = UINT64_MAX;
    }
    return any ? size : 0;
}

tool_status npy_parse_header(const unsigned char *data, size_t length, const char *name,
                             cumsum_data_type declared, npy_header *out, tool_error *error) {
    size_t start = 0;
    uint64_t size = 0;
    tool_status status = find_header(data, length, name, &start, &size, error);
    if (status == TOOL_OK)
        status = parse_header((const char *)data + start, (size_t)size, name, declared, out, error);
    if (status != TOOL_OK)
        return status;
    out->start = start + size;
    out->size = npy_size_of(out->type, out->rank, out->sizes);
    return TOOL_OK;
}

bool npy_is_path(const char *path) {
    size_t length;
    return file_has_extension(path, ".npy") || array_member_path(path, &length);
}

/* The path of the file that an array is in. To be freed. */
static char *file_of(const char *path) {
    size_t length = strlen(path);
    array_member_path(path, &length);
    char *file = tool_malloc(length + 1);
    memcpy(file, path, length);
    file[length] = '\0';
    return file;
}

static tool_status read_member_header(const char *path, cumsum_data_type declared, npy_header *out,
                                      tool_error *error) {
    file_contents file;
    char *name = file_of(path);
    tool_status status = file_map(name, &file, error);
    if (status == TOOL_OK)
        status = array_member_find(file.bytes, file.size, path, declared, out, error);
    if (status == TOOL_OK)
        status = file_check_maps(error);
    file_free(file.bytes);
    free(name);
    return status;
}

tool_status npy_read_header(const char *path, cumsum_data_type declared, npy_header *out,
                            tool_error *error) {
    size_t length;
    if (array_member_path(path, &length))
        return read_member_header(path, declared, out, error);
    file_contents file;
    tool_status status = file_read_part(path, 0, 12 + MOST_HEADER, &file, error);
    if (status == TOOL_OK)
        status = npy_parse_header(file.bytes, file.size, path, declared, out, error);
    memory_free(file.bytes);
    return status;
}

/* The dimension with the least stride but `place` others. The two parts of a complex number are
 * neighbours in either order. */
static uint32_t dimension_of(const npy_header *header, uint32_t place) {
    const uint32_t last = header->rank - 1;
    if (!header->fortran_order)
        return last - place;
    return !header->complex_parts ? place : place == 0 ? last : place - 1;
}

tool_status npy_describe(const npy_header *header, const char *name, npy_array *array,
                         tool_error *error) {
    uint64_t stride = 1;
    *array = (npy_array){.type = header->type,
                         .boolean = header->boolean,
                         .complex_parts = header->complex_parts,
                         .rank = header->rank,
                         .fortran_order = header->fortran_order,
                         .size = header->size};
    bool fits = header->size / cumsum_data_type_size(header->type) <= UINT32_MAX;
    for (uint32_t i = 0; i < array->rank && fits; i++) {
        const uint32_t d = dimension_of(header, i);
        fits = header->sizes[d] <= UINT32_MAX;
        array->sizes[d] = (uint32_t)header->sizes[d];
        array->strides[d] = (uint32_t)stride; /* where there are no elements, of any value */
        stride *= header->sizes[d];
    }
    if (fits)
        return TOOL_OK;
    return tool_fail(error, TOOL_MALFORMED,
                     "%.400s: shape has more than 4294967295 elements, the most that a tensor may "
                     "have",
                     name);
}

tool_status npy_check_size(const npy_header *header, uint64_t found, const char *name,
                           tool_error *error) {
    if (found == header->size)
        return TOOL_OK;
    const uint64_t count = header->size / cumsum_data_type_size(header->type);
    char fits[120] = "";
    for (const word_row *type = element_words; type->word && count; type++)
        if (found % count == 0 &&
            found / count == cumsum_data_type_size((cumsum_data_type)type->value))
            snprintf(fits + strlen(fits), sizeof fits - strlen(fits), "%s%s",
                     *fits ? " or " : ", which fit ", type->word);
    return tool_fail(error, TOOL_MALFORMED,
                     "%.400s: shape and type need %" PRIu64
                     " bytes of elements, the file has %" PRIu64 "%s",
                     name, header->size, found, fits);
}

/* Finds the elements in a file that is mapped. Where they would not be aligned, or are in the other
 * byte order, they are read: what is mapped stays as it is. */
static tool_status read_elements(const char *path, const npy_header *header, unsigned char **bytes,
                                 tool_error *error) {
    const bool mapped = header->start % ELEMENT_ALIGNMENT == 0 && !header->big_endian;
    const uint64_t end = header->end ? header->end : UINT64_MAX;
    file_contents file;
    tool_status status = mapped ? file_map(path, &file, error)
                                : file_read_part(path, header->start, end, &file, error);
    if (status != TOOL_OK)
        return status;
    const uint64_t before = mapped ? header->start : 0; /* bytes of the file before the elements */
    const uint64_t last = mapped && end < file.size ? end : file.size;
    const uint64_t found = last > before ? last - before : 0;
    status = npy_check_size(header, found, path, error);
    if (status != TOOL_OK) {
        file_free(file.bytes);
        return status;
    }
    const bool moves = mapped && !file.mapped; /* a small file, which was read as a whole */
    *bytes = file.bytes + before;
    if (moves)
        *bytes = memmove(file.bytes, *bytes, (size_t)header->size);
    return TOOL_OK;
}

/* The same for an array that is compressed. Its header has been read from the same bytes. */
static tool_status inflate_elements(const char *path, const npy_header *header,
                                    unsigned char **bytes, tool_error *error) {
    file_contents file;
    tool_status status = npy_check_size(header, header->inflated - header->skipped, path, error);
    if (status == TOOL_OK)
        status = file_read_part(path, header->start, header->end, &file, error);
    if (status != TOOL_OK)
        return status;
    *bytes = memory_for(header->inflated, path, error);
    if (!*bytes)
        status = TOOL_ENVIRONMENT;
    else if (!inflate_bytes(file.bytes, file.size, *bytes, (size_t)header->inflated))
        status = tool_fail(error, TOOL_MALFORMED, "%.400s: has changed while it was read", path);
    file_free(file.bytes);
    if (status == TOOL_OK)
        memmove(*bytes, *bytes + header->skipped, (size_t)header->size);
    else
        memory_free(*bytes);
    return status;
}

tool_status npy_map(const char *path, const npy_header *header, unsigned char **bytes,
                    tool_error *error) {
    char *file = file_of(path);
    const tool_status status = header->inflated ? inflate_elements(file, header, bytes, error)
                                                : read_elements(file, header, bytes, error);
    free(file);
    if (status == TOOL_OK && header->big_endian != ELEMENT_BIG_ENDIAN)
        element_swap(*bytes, header->size, header->type);
    return status;
}

tool_status npy_read_raw(const char *path, const npy_header *header, npy_array *out,
                         tool_error *error) {
    npy_array array;
    *out = (npy_array){0};
    tool_status status = npy_describe(header, path, &array, error);
    if (status == TOOL_OK)
        status = npy_map(path, header, &array.bytes, error);
    if (status == TOOL_OK)
        *out = array;
    return status;
}

/* The header comes first: an array that is not taken, such as one that is too large, is not read.
 */
tool_status npy_read_as(const char *path, cumsum_data_type declared, npy_array *out,
                        tool_error *error) {
    npy_header header;
    *out = (npy_array){0};
    const tool_status status = npy_read_header(path, declared, &header, error);
    return status == TOOL_OK ? npy_read_raw(path, &header, out, error) : status;
}

const char *npy_type_name(const npy_array *array) {
    if (array->complex_parts)
        return array->type == CUMSUM_DATA_TYPE_FLOAT32 ? "complex FLOAT32" : "complex FLOAT64";
    return array->boolean ? "bool" : cumsum_data_type_name(array->type);
}

bool npy_is_wider(cumsum_data_type type, cumsum_data_type narrow, bool boolean) {
    if (boolean && type == CUMSUM_DATA_TYPE_INT8)
        return true;
    if (cumsum_data_type_size(type) <= cumsum_data_type_size(narrow))
        return false;
    if (element_is_float(type)) /* its significand holds the integers of each smaller type */
        return true;
    return !element_is_float(narrow) && (element_is_signed(type) || !element_is_signed(narrow));
}

static uint64_t widened_bits(cumsum_data_type type, cumsum_data_type narrow, uint64_t bits) {
    return element_is_float(type) ? element_nearest(type, element_number(narrow, bits))
                                  : element_integer(narrow, bits);
}

void npy_widen_elements(const unsigned char *from, cumsum_data_type narrow, unsigned char *to,
                        cumsum_data_type type, uint64_t count) {
    const uint32_t step = cumsum_data_type_size(narrow), size = cumsum_data_type_size(type);
    for (uint64_t i = count; i-- > 0;)
        element_store(to + i * size, type,
                      widened_bits(type, narrow, element_load(from + i * step, narrow)));
}

tool_status npy_widen(npy_array *array, cumsum_data_type type, const char *name,
                      tool_error *error) {
    const uint32_t step = cumsum_data_type_size(array->type), size = cumsum_data_type_size(type);
    if (!npy_is_wider(type, array->type, array->boolean))
        return TOOL_OK;
    npy_array wide = *array;
    wide.type = type;
    wide.boolean = false;
    wide.size = array->size / step * size;
    wide.bytes = memory_for(wide.size, name, error);
    if (!wide.bytes)
        return TOOL_ENVIRONMENT;
    npy_widen_elements(array->bytes, array->type, wide.bytes, type, array->size / step);
    npy_free(array);
    *array = wide;
    return TOOL_OK;
}

void npy_free(npy_array *array) {
    file_free(array->bytes);
    array->bytes = NULL;
}

/* magic, version 1.0 and the length of the header */
#define PREFIX    10
#define ALIGNMENT 64

/* The first row of the type. */
static const char *descr_of(cumsum_data_type type, bool complex_parts) {
    size_t i = 0;
    while (npy_types[i].type != type || has_parts(npy_types[i].descr) != complex_parts)
        i++;
    return npy_types[i].descr;
}

/* (), (3,), (3, 4): as Python writes a tuple. */
static void write_shape(char *shape, size_t room, uint32_t rank, const uint64_t *sizes) {
    size_t used = (size_t)snprintf(shape, room, "(");
    for (uint32_t i = 0; i < rank; i++)
        used += (size_t)snprintf(shape + used, room - used, "%s%" PRIu64, i ? ", " : "", sizes[i]);
    snprintf(shape + used, room - used, rank == 1 ? ",)" : ")");
}

/* NumPy leaves room for the first size to grow to 21 digits in place, and then pads to 64 bytes. */
static size_t growth(uint32_t rank, const uint64_t *sizes) {
    char digits[24];
    return rank == 0 ? 0 : 21 - (size_t)snprintf(digits, sizeof digits, "%" PRIu64, sizes[0]);
}

size_t npy_make_header(char header[NPY_HEADER_ROOM], cumsum_data_type type, bool complex_parts,
                       uint32_t rank, const uint64_t *sizes) {
    char shape[8 * 22 + 8];
    rank -= complex_parts;
    write_shape(shape, sizeof shape, rank, sizes);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    size_t used =
        PREFIX + (size_t)snprintf(header + PREFIX, NPY_HEADER_ROOM - PREFIX,
                                  "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                                  descr_of(type, complex_parts), shape);
    size_t wanted = used + growth(rank, sizes) + 1;
    size_t total = (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(header + used, ' ', total - used);
    header[total - 1] = '\n';
    header[8] = (char)((total - PREFIX) & 0xFF);
    header[9] = (char)((total - PREFIX) >> 8);
    return total;
}

tool_status npy_write(const char *path, cumsum_data_type type, bool complex_parts, uint32_t rank,
                      const uint32_t *sizes, const void *bytes, tool_error *error) {
    char header[NPY_HEADER_ROOM];
    uint64_t shape[CUMSUM_MAX_DIMENSIONS] = {0};
    for (uint32_t d = 0; d < rank; d++)
        shape[d] = sizes[d];
    const size_t used = npy_make_header(header, type, complex_parts, rank, shape);
    const uint64_t size = npy_size_of(type, rank, shape);
#if ELEMENT_BIG_ENDIAN
    unsigned char *elements = memory_for(size, path, error);
    if (!elements)
        return TOOL_ENVIRONMENT;
    memcpy(elements, bytes, (size_t)size);
    element_swap(elements, size, type);
    bytes = elements;
#endif
    const file_part parts[2] = {{header, used}, {bytes, (size_t)size}};
    const tool_status status = file_write(path, parts, 2, error);
#if ELEMENT_BIG_ENDIAN
    memory_free(elements);
#endif
    return status;
}
