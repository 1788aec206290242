/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_ARRAY_VIEW_H
#define CUMSUM_PYTHON_ARRAY_VIEW_H

/*
 * A view of an array that another library owns. It is opened through the buffer protocol (NumPy and
 * most others) or through DLPack (PyTorch and other tensor libraries), and keeps the memory alive
 * until array_release.
 *
 * Files that call each other, lowest first: array_type.c and array_capsule.c; array_view.c;
 * array_buffer.c, array_dlpack.c and array_pack.c; array_open.c.
 */

#include "python_api.h"

#include <cumsum/cumsum.h>

/* The limit of the buffer protocol. NumPy's is lower or the same. */
#define ARRAY_MAX_DIMENSIONS 64

/* For messages. */
#define ARRAY_TYPES                                                                                \
    "sums are computed of float64, float32, float16, int32, uint32, int64 and uint64, in this "    \
    "machine's byte order"
#define ARRAY_JUDGED_TYPES                                                                         \
    "the oracle takes float64, float32, float16, bfloat16 and integers of 8 to 64 bits, in this "  \
    "machine's byte order"

/* What the array is for. */
typedef enum array_taker {
    ARRAY_FOR_OPERATOR,
    ARRAY_FOR_ORACLE /* which takes more types */
} array_taker;

struct DLManagedTensor;
struct array_versioned_tensor;

typedef struct array_view {
    const char *name; /* the argument's, for messages */
    array_taker taker;
    unsigned char *first; /* the element with all indices 0 */
    cumsum_data_type type;
    int64_t element_size;
    int dimensions;
    int64_t sizes[ARRAY_MAX_DIMENSIONS];   /* elements */
    int64_t strides[ARRAY_MAX_DIMENSIONS]; /* bytes; negative if the index runs backwards */
    int64_t below, above; /* the bytes in use: from first - below to first + above */
    bool read_only;
    bool copied;                              /* the exporter says that this is a copy */
    Py_buffer buffer;                         /* the owner of the memory: a buffer, ... */
    struct DLManagedTensor *tensor;           /* ... a DLPack tensor, ... */
    struct array_versioned_tensor *versioned; /* ... one of DLPack 1.0, ... */
    void *copy;                               /* ... or a copy from malloc */
} array_view;

/* Opens the array that an argument called `name` holds. False, with TypeError, BufferError or
 * ValueError set, if it cannot be taken. After true the caller must call array_release. */
bool array_open(array_view *view, PyObject *object, const char *name, array_taker taker);

/* The two protocols; array_open chooses one. */
bool array_open_buffer(array_view *view, PyObject *object);
bool array_open_dlpack(array_view *view, PyObject *object);

void array_release(array_view *view);
void array_release_dlpack(array_view *view);

/* Sets the strides of packed, row-major elements. A stride that overflows becomes INT64_MAX. */
void array_pack_strides(array_view *view);

/* The number of elements: 0 if a size is 0, -1 if their bytes do not fit in int64_t. */
int64_t array_count(const array_view *view);

/* Sets the type from a format of Python's module struct. False, with TypeError, if this type is not
 * taken. */
bool array_type_of_format(array_view *view, const char *format, int64_t item_size);

/* NumPy's name of a type that is taken. */
const char *array_type_name(cumsum_data_type type);

/* The same for DLPack's description of a type. */
bool array_type_of_dlpack(array_view *view, int code, int bits, int lanes);

#endif
