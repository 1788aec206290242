/* SPDX-License-Identifier: MIT */
/*
 * The format is NumPy's own (numpy.lib.format): "\x93NUMPY", a version, the length of the header,
 * the header, and the elements. The header is a Python dictionary with exactly the keys descr,
 * fortran_order and shape, in any order. A file that is written has NumPy's own bytes.
 */
#include "npy.h"

#include <cumsum/cumsum.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "error.h"
#include "file.h"
#include "memory_limit.h"
#include "number.h"
#include "text.h"

/* The types, as descr names them. NumPy has no name for BFLOAT16: the package ml_dtypes writes two
 * bytes without a type, and any other program may write them for something else. */
static const struct {
    const char *descr;
    cumsum_data_type type;
} npy_types[] = {{"<f4", CUMSUM_DATA_TYPE_FLOAT32}, {"<f2", CUMSUM_DATA_TYPE_FLOAT16},
                 {"<i4", CUMSUM_DATA_TYPE_INT32},   {"<u4", CUMSUM_DATA_TYPE_UINT32},
                 {"<i8", CUMSUM_DATA_TYPE_INT64},   {"<u8", CUMSUM_DATA_TYPE_UINT64},
                 {"<f8", CUMSUM_DATA_TYPE_FLOAT64}, {"|i1", CUMSUM_DATA_TYPE_INT8},
                 {"|u1", CUMSUM_DATA_TYPE_UINT8},   {"<i2", CUMSUM_DATA_TYPE_INT16},
                 {"<u2", CUMSUM_DATA_TYPE_UINT16},  {"<V2", CUMSUM_DATA_TYPE_BFLOAT16},
                 {"|V2", CUMSUM_DATA_TYPE_BFLOAT16}};

#define NPY_TYPES (sizeof npy_types / sizeof npy_types[0])

/* The header's text, which starts at byte `start` of the file. */
typedef struct parser {
    const char *text;
    size_t length;
    size_t position;
    const char *name;
    size_t start;
    cumsum_data_type declared; /* what the caller says that the elements are, or UNKNOWN */
    npy_array *out;
    tool_error *error;
} parser;

static tool_status fail(const parser *p, const char *rule) {
    char shown[40];
    text_printable(shown, sizeof shown, p->text + p->position, p->length - p->position);
    return tool_fail(p->error, TOOL_MALFORMED, "%.400s: byte %zu: .npy header: %s (found: %s)",
                     p->name, p->start + p->position, rule, shown[0] ? shown : "its end");
}

static void skip_spaces(parser *p) {
    while (p->position < p->length && p->text[p->position] == ' ')
        p->position++;
}

/* Skips spaces and says whether c comes next; if so, goes past it. */
static bool take(parser *p, char c) {
    skip_spaces(p);
    if (p->position == p->length || p->text[p->position] != c)
        return false;
    p->position++;
    return true;
}

static bool take_word(parser *p, const char *word) {
    size_t length = strlen(word);
    skip_spaces(p);
    if (p->length - p->position < length || memcmp(p->text + p->position, word, length) != 0)
        return false;
    p->position += length;
    return true;
}

/* A string without escapes. */
static tool_status take_string(parser *p, const char **string, size_t *length) {
    char quote = '\'';
    if (!take(p, quote)) {
        quote = '"';
        if (!take(p, quote))
            return fail(p, "a string in quotes is expected");
    }
    *string = p->text + p->position;
    const char *end = memchr(*string, quote, p->length - p->position);
    if (!end)
        return fail(p, "a string has no end");
    *length = (size_t)(end - *string);
    p->position += *length + 1;
    return TOOL_OK;
}

/* Two bytes are BFLOAT16 if the caller says so: without a type, or as UINT16, the bits. */
static tool_status take_type(const parser *p, cumsum_data_type found, cumsum_data_type *type) {
    const bool said = p->declared == CUMSUM_DATA_TYPE_BFLOAT16;
    if (found == CUMSUM_DATA_TYPE_BFLOAT16 && !said)
        return fail(p, "elements of 2 bytes without a type: if they are BFLOAT16, say so (--type "
                       "BFLOAT16)");
    *type = said && found == CUMSUM_DATA_TYPE_UINT16 ? CUMSUM_DATA_TYPE_BFLOAT16 : found;
    return TOOL_OK;
}

static tool_status parse_descr(parser *p) {
    const char *string = NULL;
    size_t length = 0;
    skip_spaces(p);
    parser before = *p;
    tool_status status = take_string(p, &string, &length);
    if (status != TOOL_OK)
        return status;
    for (size_t i = 0; i < NPY_TYPES; i++)
        if (length == 3 && memcmp(string, npy_types[i].descr, 3) == 0)
            return take_type(&before, npy_types[i].type, &p->out->type);
    if (length > 0 && string[0] == '>')
        return fail(&before, "big-endian elements are not supported: only little-endian ones are");
    return fail(&before, "descr must be '<f8', '<f4', '<f2' or an integer of 1, 2, 4 or 8 bytes");
}

static tool_status parse_order(parser *p) {
    if (take_word(p, "True")) {
        p->out->fortran_order = true;
        return TOOL_OK;
    }
    return take_word(p, "False") ? TOOL_OK : fail(p, "fortran_order must be True or False");
}

static tool_status parse_size(parser *p, uint32_t *size) {
    uint64_t value;
    const char *text = p->text + p->position;
    const char *after = number_canonical(text, p->text + p->length, UINT32_MAX, &value);
    if (!after)
        return fail(p, "a size in shape must be an integer from 0 to 4294967295");
    p->position += (size_t)(after - text);
    *size = (uint32_t)value;
    return TOOL_OK;
}

/* () or (3,) or (3, 4) or (3, 4,) */
static tool_status parse_shape(parser *p) {
    if (!take(p, '('))
        return fail(p, "shape must be a tuple");
    bool comma = true;
    while (!take(p, ')')) {
        if (!comma)
            return fail(p, "after a size in shape comes , or )");
        if (p->out->rank == CUMSUM_MAX_DIMENSIONS)
            return fail(p, "shape may have at most 8 dimensions");
        tool_status status = parse_size(p, &p->out->sizes[p->out->rank]);
        if (status != TOOL_OK)
            return status;
        p->out->rank++;
        comma = take(p, ',');
    }
    return p->out->rank == 1 && !comma ? fail(p, "a shape of one size is written (n,)") : TOOL_OK;
}

static tool_status parse_entry(parser *p, bool seen[3]) {
    static const char *const keys[3] = {"descr", "fortran_order", "shape"};
    static tool_status (*const values[3])(parser *) = {parse_descr, parse_order, parse_shape};
    const char *key = NULL;
    size_t length = 0;
    skip_spaces(p);
    parser before = *p;
    tool_status status = take_string(p, &key, &length);
    if (status != TOOL_OK)
        return status;
    for (size_t i = 0; i < 3; i++) {
        if (length == strlen(keys[i]) && memcmp(key, keys[i], length) == 0) {
            if (seen[i])
                return fail(&before, "a key occurs twice");
            seen[i] = true;
            return take(p, ':') ? values[i](p) : fail(p, "after a key comes :");
        }
    }
    return fail(&before, "the keys are descr, fortran_order and shape, and no others");
}

/* text: the dictionary with its padding. */
static tool_status parse_header(const char *text, size_t length, const char *name, size_t start,
                                cumsum_data_type declared, npy_array *out, tool_error *error) {
    parser p = {text, length, 0, name, start, declared, out, error};
    bool seen[3] = {false, false, false};
    bool comma = true;
    *out = (npy_array){0};
    if (!take(&p, '{'))
        return fail(&p, "a dictionary is expected");
    while (!take(&p, '}')) {
        if (!comma)
            return fail(&p, "after an entry comes , or }");
        tool_status status = parse_entry(&p, seen);
        if (status != TOOL_OK)
            return status;
        comma = take(&p, ',');
    }
    if (!seen[0] || !seen[1] || !seen[2])
        return fail(&p, "descr, fortran_order and shape are all required");
    take(&p, '\n');
    return p.position == length ? TOOL_OK : fail(&p, "something follows the dictionary");
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

static bool has_elements(uint32_t rank, const uint32_t *sizes) {
    for (uint32_t d = 0; d < rank; d++)
        if (sizes[d] == 0)
            return false;
    return true;
}

/* Strides of packed elements, and their size; false if there are more than 2^32 - 1 of them. Where
 * there are none, the strides do not matter, and their products may be of any size. */
static bool set_strides(npy_array *array) {
    const bool any = has_elements(array->rank, array->sizes);
    uint64_t stride = 1;
    for (uint32_t i = 0; i < array->rank && stride <= UINT32_MAX; i++) {
        uint32_t d = array->fortran_order ? i : array->rank - 1 - i;
        array->strides[d] = (uint32_t)stride;
        stride *=
            array->sizes[d] ? array->sizes[d] : 1; /* below 2^64: both factors fit in 32 bits */
    }
    array->size = any ? stride * cumsum_data_type_size(array->type) : 0;
    return !any || stride <= UINT32_MAX;
}

/* Reads all but the elements, which begin at *start. */
static tool_status read_header(const unsigned char *data, size_t length, const char *name,
                               cumsum_data_type declared, npy_array *array, size_t *start,
                               tool_error *error) {
    uint64_t size = 0;
    tool_status status = find_header(data, length, name, start, &size, error);
    if (status == TOOL_OK) {
        status = parse_header((const char *)data + *start, (size_t)size, name, *start, declared,
                              array, error);
    }
    if (status != TOOL_OK)
        return status;
    *start += (size_t)size;
    if (set_strides(array))
        return TOOL_OK;
    return tool_fail(error, TOOL_MALFORMED,
                     "%.400s: shape has more than 4294967295 elements, the most that a tensor may "
                     "have",
                     name);
}

static tool_status copy_elements(npy_array *array, const unsigned char *data, uint64_t found,
                                 const char *name, tool_error *error) {
    if (found != array->size) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: shape and type need %" PRIu64
                         " bytes of elements, the file has %" PRIu64,
                         name, array->size, found);
    }
    tool_error why;
    if (memory_check(0, array->size, &why) != TOOL_OK)
        return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: %s", name, why.message);
    array->bytes = memory_allocate(array->size);
    if (!array->bytes) {
        return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: no memory for %" PRIu64 " bytes", name,
                         array->size);
    }
    if (array->size > 0)
        memcpy(array->bytes, data, array->size);
    element_swap_little_endian(array->bytes, array->size, array->type);
    return TOOL_OK;
}

tool_status npy_parse(const unsigned char *data, size_t length, const char *name,
                      cumsum_data_type declared, npy_array *out, tool_error *error) {
    npy_array array;
    size_t start = 0;
    *out = (npy_array){0};
    tool_status status = read_header(data, length, name, declared, &array, &start, error);
    if (status == TOOL_OK)
        status = copy_elements(&array, data + start, length - start, name, error);
    if (status == TOOL_OK)
        *out = array;
    return status;
}

tool_status npy_read(const char *path, npy_array *out, tool_error *error) {
    return npy_read_as(path, CUMSUM_DATA_TYPE_UNKNOWN, out, error);
}

/* Refuses an array that is not taken, such as one that is too large, before it is read. */
static tool_status check_header(const char *path, cumsum_data_type declared, tool_error *error) {
    file_contents file;
    npy_array array;
    size_t start = 0;
    tool_status status = file_read_start(path, 12 + MOST_HEADER, &file, error);
    if (status == TOOL_OK) {
        status = read_header(file.bytes, file.size, path, declared, &array, &start, error);
        memory_free(file.bytes);
    }
    return status;
}

tool_status npy_read_as(const char *path, cumsum_data_type declared, npy_array *out,
                        tool_error *error) {
    file_contents file;
    *out = (npy_array){0};
    tool_status status = check_header(path, declared, error);
    if (status == TOOL_OK)
        status = file_read(path, &file, error);
    if (status == TOOL_OK) {
        status = npy_parse(file.bytes, file.size, path, declared, out, error);
        memory_free(file.bytes);
    }
    return status;
}

void npy_free(npy_array *array) {
    memory_free(array->bytes);
    array->bytes = NULL;
}

/* magic, version 1.0 and the length of the header */
#define PREFIX    10
#define ALIGNMENT 64

static const char *descr_of(cumsum_data_type type) {
    for (size_t i = 0; i < NPY_TYPES; i++)
        if (npy_types[i].type == type)
            return npy_types[i].descr;
    return NULL;
}

/* (), (3,), (3, 4): as Python writes a tuple. At most 8 * 12 + 2 characters. */
static void write_shape(char *shape, size_t room, uint32_t rank, const uint32_t *sizes) {
    size_t used = (size_t)snprintf(shape, room, "(");
    for (uint32_t i = 0; i < rank; i++)
        used += (size_t)snprintf(shape + used, room - used, "%s%u", i ? ", " : "", sizes[i]);
    snprintf(shape + used, room - used, rank == 1 ? ",)" : ")");
}

/* NumPy leaves room for the first size to grow to 21 digits in place, and then pads to 64 bytes. */
static size_t growth(uint32_t rank, const uint32_t *sizes) {
    char digits[16];
    return rank == 0 ? 0 : 21 - (size_t)snprintf(digits, sizeof digits, "%u", sizes[0]);
}

/* The file up to the elements; returns its length. */
static size_t write_header(char *header, size_t room, const char *type, uint32_t rank,
                           const uint32_t *sizes) {
    char shape[8 * 12 + 8];
    write_shape(shape, sizeof shape, rank, sizes);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    size_t used =
        PREFIX + (size_t)snprintf(header + PREFIX, room - PREFIX,
                                  "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type,
                                  shape);
    size_t wanted = used + growth(rank, sizes) + 1;
    size_t total = (wanted + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(header + used, ' ', total - used);
    header[total - 1] = '\n';
    header[8] = (char)((total - PREFIX) & 0xFF);
    header[9] = (char)((total - PREFIX) >> 8);
    return total;
}

tool_status npy_write(const char *path, cumsum_data_type type, uint32_t rank, const uint32_t *sizes,
                      const void *bytes, tool_error *error) {
    char header[4 * ALIGNMENT];
    const char *name = descr_of(type);
    if (!name || rank > CUMSUM_MAX_DIMENSIONS) {
        return tool_fail(error, TOOL_ENVIRONMENT,
                         "%.400s: cannot be written: %u dimensions of type %s", path, rank,
                         cumsum_data_type_name(type));
    }
    uint64_t size = has_elements(rank, sizes) ? cumsum_data_type_size(type) : 0;
    for (uint32_t i = 0; i < rank; i++) {
        if (__builtin_mul_overflow(size, (uint64_t)sizes[i], &size)) {
            return tool_fail(error, TOOL_ENVIRONMENT,
                             "%.400s: cannot be written: it would have more than 2^64 bytes", path);
        }
    }
    size_t used = write_header(header, sizeof header, name, rank, sizes);
#if ELEMENT_BIG_ENDIAN
    unsigned char *elements = memory_allocate(size + 1);
    if (!elements)
        return tool_fail(error, TOOL_ENVIRONMENT, "%.400s: no memory for %" PRIu64 " bytes", path,
                         size);
    memcpy(elements, bytes, (size_t)size);
    element_swap_little_endian(elements, size, type);
    bytes = elements;
#endif
    const file_part parts[2] = {{header, used}, {bytes, (size_t)size}};
    const tool_status status = file_write(path, parts, 2, error);
#if ELEMENT_BIG_ENDIAN
    memory_free(elements);
#endif
    return status;
}
