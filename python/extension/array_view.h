/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_ARRAY_VIEW_H
#define CUMSUM_PYTHON_ARRAY_VIEW_H

/* The memory of somebody else's array: taken through the buffer protocol (NumPy and most others) or
 * through DLPack (PyTorch and other tensor libraries), and kept alive as long as it is in use. */

#include "python_api.h"

#include <cumsum/cumsum.h>

/* What the buffer protocol allows; NumPy has fewer. */
#define ARRAY_MAX_DIMENSIONS 64

/* For messages. */
#define ARRAY_TYPES                                                                                \
    "float32, float16, int32, uint32, int64 and uint64, in this machine's byte order"

struct DLManagedTensor;
struct array_versioned_tensor;

typedef struct array_view {
    const char *name;     /* the argument's, for messages */
    unsigned char *first; /* the element with all indices 0 */
    cumsum_data_type type;
    int64_t element_size;
    int dimensions;
    int64_t sizes[ARRAY_MAX_DIMENSIONS];   /* elements */
    int64_t strides[ARRAY_MAX_DIMENSIONS]; /* bytes; below 0 where the index runs backwards */
    int64_t below, above; /* the bytes in use: from first - below to first + above */
    bool read_only;
    Py_buffer buffer;                         /* whose memory it is: a buffer with an object, ... */
    struct DLManagedTensor *tensor;           /* ... a DLPack tensor, ... */
    struct array_versioned_tensor *versioned; /* ... one of DLPack 1.0, ... */
    void *copy;                               /* ... or our own, from malloc */
} array_view;

/* Takes hold of an array. False, with TypeError, BufferError or ValueError set, where it is none
 * that the operator takes. After true it has to be given to array_release. */
bool array_open(array_view *view, PyObject *object, const char *name);

/* The two ways to do so; array_open chooses. */
bool array_open_buffer(array_view *view, PyObject *object);
bool array_open_dlpack(array_view *view, PyObject *object);

void array_release(array_view *view);
void array_release_dlpack(array_view *view);

/* Gives the view the strides of packed, row-major elements, as far as these can be counted. */
void array_pack_strides(array_view *view);

/* Elements in all; 0 where a size is 0, -1 where they are too many to count. */
int64_t array_count(const array_view *view);

/* The type with this struct-module format. False, with TypeError, where the operator has none. */
bool array_type_of_format(array_view *view, const char *format, int64_t item_size);

/* The same for what DLPack says of a type. */
bool array_type_of_dlpack(array_view *view, int code, int bits, int lanes);

#endif
