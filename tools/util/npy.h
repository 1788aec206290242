/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_NPY_H
#define CUMSUM_TOOLS_NPY_H

/* NumPy's .npy files (format versions 1.0 to 3.0), of every type that cumsum_judge takes and either
 * byte order; bool is read as UINT8, and has no other values than 0 and 1; complex numbers are read
 * as their real and imaginary parts, in one more dimension. Where a function takes a path, it may
 * also be "x.npz:name" or "x.safetensors:name" (array_member.h). */

#include <cumsum/cumsum.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "json_value.h"

typedef struct npy_array {
    cumsum_data_type type;
    bool boolean;       /* the file has bool */
    bool complex_parts; /* it has complex numbers: the last dimension is their two parts */
    uint32_t rank;      /* 0 to 8: the format's () is rank 0, one element */
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t strides[CUMSUM_MAX_DIMENSIONS]; /* elements; C and Fortran order both end up here */
    bool fortran_order;
    unsigned char *bytes; /* the elements as they lie in the file, aligned to 64 bytes; maybe mapped
                             (file_map) */
    uint64_t size;        /* bytes: product(sizes) * element size */
} npy_array;

/* What an array is, before its elements are read. */
typedef struct npy_header {
    cumsum_data_type type;
    bool boolean;
    bool complex_parts;
    uint32_t rank;
    uint64_t sizes[CUMSUM_MAX_DIMENSIONS]; /* below 2^63 */
    bool fortran_order;
    bool big_endian;
    uint64_t start;    /* bytes of the file before the elements */
    uint64_t end;      /* of a part of a file, where it ends there; 0: with the file */
    uint64_t size;     /* bytes of the elements; UINT64_MAX if there are more */
    uint64_t inflated; /* bytes of an .npy file, if it is compressed at [start, end); else 0 */
    uint64_t skipped;  /* bytes of its header, before the elements */
} npy_header;

/* The dimensions that an axis may be: without that of the parts of complex numbers. */
static inline uint32_t npy_axes(uint32_t rank, bool complex_parts) {
    return rank - complex_parts;
}

/* Is path an .npy file by its name, or an array in an archive? */
bool npy_is_path(const char *path);

/* Reads the header of a file, or of its first bytes in memory. */
tool_status npy_read_header(const char *path, cumsum_data_type declared, npy_header *out,
                            tool_error *error);
tool_status npy_parse_header(const unsigned char *data, size_t length, const char *name,
                             cumsum_data_type declared, npy_header *out, tool_error *error);

/* The sizes of a header, from a list. An error is recorded in the list's document. */
void npy_take_shape(const json_object *shape, npy_header *out);

/* The bytes of elements, at most UINT64_MAX; 0 where a size is 0, whatever the others are. */
uint64_t npy_size_of(cumsum_data_type type, uint32_t rank, const uint64_t *sizes);

/* Reads a whole file. TOOL_MALFORMED for what it says (another type, version, header or
 * length), TOOL_ENVIRONMENT if it cannot be read. On success npy_free frees the elements. NumPy has
 * no BFLOAT16: where that is declared, '<V2' (what ml_dtypes writes) and '<u2' (the bits) are read
 * as such; where it is not, '<V2' is an error. UNKNOWN and other types declare nothing, and are not
 * compared with the file's. */
tool_status npy_read_as(const char *path, cumsum_data_type declared, npy_array *out,
                        tool_error *error);

/* The elements of a file of any size, for file_free. They may be mapped. */
tool_status npy_map(const char *path, const npy_header *header, unsigned char **bytes,
                    tool_error *error);

/* The same as npy_read_as for a file whose header is known, or that has none. */
tool_status npy_read_raw(const char *path, const npy_header *header, npy_array *out,
                         tool_error *error);

/* The array that a header describes, without its elements, and whether there are as many bytes of
 * them. */
tool_status npy_describe(const npy_header *header, const char *name, npy_array *array,
                         tool_error *error);
tool_status npy_check_size(const npy_header *header, uint64_t found, const char *name,
                           tool_error *error);

/* Converts the elements to another type if that is wider and holds all values of the array's: sums
 * of an array may have such a type. Otherwise leaves the array as it is. TOOL_ENVIRONMENT if there
 * is no memory. */
tool_status npy_widen(npy_array *array, cumsum_data_type type, const char *name, tool_error *error);

/* Is a type wider, and does it hold all values of the other? boolean: these are 0 and 1, which INT8
 * holds as well. */
bool npy_is_wider(cumsum_data_type type, cumsum_data_type narrow, bool boolean);

/* "INT32", "bool", or "complex FLOAT32". */
const char *npy_type_name(const npy_array *array);

/* The same for packed elements in the machine's byte order; `to` may be `from`. */
void npy_widen_elements(const unsigned char *from, cumsum_data_type narrow, unsigned char *to,
                        cumsum_data_type type, uint64_t count);

void npy_free(npy_array *array);

/* Makes the header of a file with elements in C order, of a type that is read; complex_parts: with
 * complex numbers, whose parts are the last of the sizes. Returns its length. */
#define NPY_HEADER_ROOM 384
size_t npy_make_header(char header[NPY_HEADER_ROOM], cumsum_data_type type, bool complex_parts,
                       uint32_t rank, const uint64_t *sizes);

/* Writes elements in C order as version 1.0 (as NumPy writes them: the header padded to 64 bytes).
 * The file appears whole or not at all: it is written beside path and renamed.
 * The other arguments are those of npy_make_header; bytes: product(sizes) * element size of them.
 * TOOL_ENVIRONMENT on failure. */
tool_status npy_write(const char *path, cumsum_data_type type, bool complex_parts, uint32_t rank,
                      const uint32_t *sizes, const void *bytes, tool_error *error);

#endif
