/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CUMSUM_H
#define CUMSUM_CUMSUM_H

/*
 * DirectML's cumulative summation (DML_OPERATOR_CUMULATIVE_SUMMATION) on the CPU: the prefix sums
 * of a strided tensor of 1 to 8 dimensions along one axis, with DirectML's bits.
 *
 *     describe -> cumsum_plan_create -> cumsum_plan_execute, as often as needed ->
 * cumsum_plan_destroy
 *
 * Units: sizes and strides are in elements, everything named "..._in_bytes" is in bytes. Which
 * descriptors are valid is in docs/validation.md, what the outputs are, bit for bit, in
 * docs/numerics.md. The library prints nothing, never aborts, and keeps no global state.
 */

#include <stdbool.h>
#include <stdint.h>

#if defined(CUMSUM_API)
/* Given by who compiles a part of the library into another one. */
#elif defined(_WIN32) && defined(CUMSUM_SHARED)
#ifdef CUMSUM_BUILDING
#define CUMSUM_API __declspec(dllexport)
#else
#define CUMSUM_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CUMSUM_API __attribute__((visibility("default")))
#else
#define CUMSUM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CUMSUM_VERSION_MAJOR 0
#define CUMSUM_VERSION_MINOR 1
#define CUMSUM_VERSION_PATCH 0

/* DirectML's limit (DML_TENSOR_DIMENSION_COUNT_MAX1). */
#define CUMSUM_MAX_DIMENSIONS 8

/* What a call answers. Every value but CUMSUM_OK means that nothing was done. */
typedef enum cumsum_status {
    CUMSUM_OK = 0,
    CUMSUM_INVALID_ARGUMENT = 1,   /* a null pointer or an option out of range */
    CUMSUM_INVALID_DESCRIPTOR = 2, /* DirectML's CreateOperator would answer E_INVALIDARG */
    CUMSUM_INVALID_BINDING = 3,    /* memory too small, misaligned or partly overlapping */
    CUMSUM_UNSUPPORTED = 4,        /* this build or this processor lacks what was asked for */
    CUMSUM_OUT_OF_MEMORY = 5,
    /* Of cumsum/d3d12.h alone: */
    CUMSUM_NO_DEVICE = 6,      /* no Direct3D 12 or DirectML here, or no such adapter */
    CUMSUM_DEVICE_REMOVED = 7, /* the device is gone: a driver update, a fault, a hang */
    CUMSUM_DEVICE_TIMEOUT = 8, /* the device did not answer in time */
    CUMSUM_DEVICE_FAILED = 9,  /* a call of the device's interface failed */
    CUMSUM_GUARD_BROKEN = 10   /* memory outside the output was written */
} cumsum_status;

/* DML_TENSOR_DATA_TYPE, value for value. The operator takes FLOAT32, FLOAT16, UINT32, INT32, UINT64
 * and INT64; the others are named so that a diagnostic can name them. */
typedef enum cumsum_data_type {
    CUMSUM_DATA_TYPE_UNKNOWN = 0,
    CUMSUM_DATA_TYPE_FLOAT32 = 1,
    CUMSUM_DATA_TYPE_FLOAT16 = 2,
    CUMSUM_DATA_TYPE_UINT32 = 3,
    CUMSUM_DATA_TYPE_UINT16 = 4,
    CUMSUM_DATA_TYPE_UINT8 = 5,
    CUMSUM_DATA_TYPE_INT32 = 6,
    CUMSUM_DATA_TYPE_INT16 = 7,
    CUMSUM_DATA_TYPE_INT8 = 8,
    CUMSUM_DATA_TYPE_FLOAT64 = 9,
    CUMSUM_DATA_TYPE_UINT64 = 10,
    CUMSUM_DATA_TYPE_INT64 = 11,
    CUMSUM_DATA_TYPE_UINT4 = 12,
    CUMSUM_DATA_TYPE_INT4 = 13
} cumsum_data_type;

/* DML_TENSOR_TYPE. */
typedef enum cumsum_tensor_type {
    CUMSUM_TENSOR_TYPE_INVALID = 0,
    CUMSUM_TENSOR_TYPE_BUFFER = 1
} cumsum_tensor_type;

/* DML_TENSOR_FLAGS. */
typedef enum cumsum_tensor_flags {
    CUMSUM_TENSOR_FLAG_NONE = 0,
    CUMSUM_TENSOR_FLAG_OWNED_BY_DML = 1
} cumsum_tensor_flags;

/* DML_AXIS_DIRECTION. */
typedef enum cumsum_axis_direction {
    CUMSUM_AXIS_DIRECTION_INCREASING = 0,
    CUMSUM_AXIS_DIRECTION_DECREASING = 1
} cumsum_axis_direction;

/* DML_BUFFER_TENSOR_DESC, field for field. The arrays stay the caller's and are read only during
 * the call that takes the descriptor. */
typedef struct cumsum_buffer_tensor_desc {
    cumsum_data_type data_type;
    cumsum_tensor_flags flags; /* input: NONE or OWNED_BY_DML; output: NONE */
    uint32_t dimension_count;  /* 1 to 8 */
    const uint32_t *sizes;     /* [dimension_count], elements, none 0 */
    const uint32_t *strides;   /* [dimension_count], elements; NULL: packed, row-major */
    uint64_t total_tensor_size_in_bytes;
    uint32_t guaranteed_base_offset_alignment; /* bytes: 0, or a power of two from 16 on */
} cumsum_buffer_tensor_desc;

/* DML_TENSOR_DESC. */
typedef struct cumsum_tensor_desc {
    cumsum_tensor_type type; /* CUMSUM_TENSOR_TYPE_BUFFER */
    const void *desc;        /* a cumsum_buffer_tensor_desc */
} cumsum_tensor_desc;

/* DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, field for field. */
typedef struct cumsum_operator_desc {
    const cumsum_tensor_desc *input_tensor;
    const cumsum_tensor_desc *output_tensor;
    uint32_t axis; /* below dimension_count */
    cumsum_axis_direction axis_direction;
    int32_t has_exclusive_sum; /* a BOOL: any value but 0 is true */
} cumsum_operator_desc;

/* Which documented support table a descriptor is held against: 2_1 takes exactly 4 dimensions of
 * FLOAT32, FLOAT16, INT32 and UINT32; 4_0 1 to 8 dimensions of these; 5_0 adds INT64 and UINT64. */
typedef enum cumsum_feature_level {
    CUMSUM_FEATURE_LEVEL_DEFAULT = 0, /* 5_0: what DirectML 1.8 and later do */
    CUMSUM_FEATURE_LEVEL_2_1 = 0x2100,
    CUMSUM_FEATURE_LEVEL_4_0 = 0x4000,
    CUMSUM_FEATURE_LEVEL_5_0 = 0x5000
} cumsum_feature_level;

/* In which order floating-point additions happen (docs/numerics.md). Integers wrap and give the
 * same bits in every order. */
typedef enum cumsum_order {
    CUMSUM_ORDER_SEQUENTIAL = 0, /* one after the other: what DirectML.dll does */
    CUMSUM_ORDER_BLOCKED = 1,    /* a fixed tree over blocks of 16 and tiles of 1024 */
    CUMSUM_ORDER_EXACT = 2       /* the exact sum, rounded once */
} cumsum_order;

/* FLOAT16: the format of the running sum. */
typedef enum cumsum_half_accumulator {
    CUMSUM_HALF_ACCUMULATOR_FLOAT32 = 0,
    CUMSUM_HALF_ACCUMULATOR_FLOAT16 = 1 /* every addition rounds to binary16 */
} cumsum_half_accumulator;

/* FLOAT16 with a FLOAT32 accumulator: how the running sum becomes a binary16 output. */
typedef enum cumsum_half_store {
    CUMSUM_HALF_STORE_NEAREST_EVEN = 0, /* |sum| above 65504 becomes infinity */
    CUMSUM_HALF_STORE_TOWARD_ZERO = 1,  /* the same, and truncation */
    CUMSUM_HALF_STORE_IEEE = 2          /* |sum| from 65520 on becomes infinity */
} cumsum_half_store;

/* FLOAT32 only: what happens to subnormal inputs and sums. */
typedef enum cumsum_denormals {
    CUMSUM_DENORMALS_PRESERVE = 0,
    CUMSUM_DENORMALS_FLUSH = 1 /* they become zeros of their sign */
} cumsum_denormals;

/* All zero is the default, and what DirectML does on a device with native 16-bit operations. */
typedef struct cumsum_numerics {
    cumsum_order order;
    cumsum_half_accumulator half_accumulator;
    cumsum_half_store half_store;
    cumsum_denormals denormals;
} cumsum_numerics;

/* Which implementation computes. All of them give the same bits. */
typedef enum cumsum_kernel {
    CUMSUM_KERNEL_AUTO = 0, /* the fastest that this processor runs */
    CUMSUM_KERNEL_REFERENCE = 1,
    CUMSUM_KERNEL_PORTABLE = 2,
    CUMSUM_KERNEL_AVX2 = 3,
    CUMSUM_KERNEL_AVX512 = 4,
    CUMSUM_KERNEL_NEON = 5
} cumsum_kernel;

struct pthreadpool; /* pthreadpool.h: pthreadpool_t is a pointer to this */

/* How a plan computes. All zero is a good default. */
typedef struct cumsum_plan_options {
    cumsum_numerics numerics;
    cumsum_kernel kernel;
    cumsum_feature_level feature_level;
    /* The caller's, must outlive the plan; NULL: no threads. A task of this pool must not execute
     * the plan: it would wait for itself. */
    struct pthreadpool *thread_pool;
} cumsum_plan_options;

/* Why a call failed. Filled in by a call that returns another status than CUMSUM_OK and was given
 * the address of one; left alone otherwise. The strings are constants of the library or lie in the
 * structure: nothing is to be freed. */
typedef struct cumsum_diagnostic {
    cumsum_status status;
    const char *tensor; /* "InputTensor", "OutputTensor", or "" where no single tensor is meant */
    const char *field;  /* DirectML's name of it, "Strides" say, or "" */
    int32_t dimension;  /* the index in Sizes or Strides, or -1 */
    uint64_t value;     /* what was found */
    uint64_t limit;     /* what the rule compares it with */
    const char *rule;   /* the rule in words */
    char message[320];  /* all of it as one sentence, without a newline */
} cumsum_diagnostic;

/* The version of the library that is running, "0.1.0". */
CUMSUM_API const char *cumsum_version(void);

/* A few words for a status; "unknown status" for any other number. Never NULL. */
CUMSUM_API const char *cumsum_status_string(cumsum_status status);

/* DirectML's name of a type without its prefix ("FLOAT32"); "UNKNOWN" for any other number. */
CUMSUM_API const char *cumsum_data_type_name(cumsum_data_type type);

/* Bytes of an element: 2, 4 or 8 for the six types of the operator and 1 to 8 for the other
 * byte-sized ones; 0 for UNKNOWN, UINT4, INT4 and any other number. */
CUMSUM_API uint32_t cumsum_data_type_size(cumsum_data_type type);

/*
 * The exact TotalTensorSizeInBytes of a layout: (1 + dot(sizes - 1, strides)) * element size, or
 * product(sizes) * element size where strides is NULL, rounded up to a multiple of 4.
 *
 * sizes, strides   [dimension_count], elements; strides may be NULL
 * size_in_bytes    receives the size
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer, a dimension count outside 1..8, a
 * type without a byte size, or a size of 0; CUMSUM_INVALID_DESCRIPTOR where the extent exceeds
 * 2^32 - 1 elements, which no DirectML tensor may.
 */
CUMSUM_API cumsum_status cumsum_tensor_size(cumsum_data_type type, uint32_t dimension_count,
                                            const uint32_t *sizes, const uint32_t *strides,
                                            uint64_t *size_in_bytes);

/*
 * What Microsoft's published helper DMLCalcBufferTensorSize answers for the same arguments: it sums
 * the strided extent in 32 bits and may wrap. Where it differs from cumsum_tensor_size, a
 * descriptor made with the helper is too small, and DirectML rejects it.
 * Returns 0 for the arguments that cumsum_tensor_size calls invalid, wrapping apart.
 */
CUMSUM_API uint64_t cumsum_tensor_size_directml(cumsum_data_type type, uint32_t dimension_count,
                                                const uint32_t *sizes, const uint32_t *strides);

/*
 * Would DirectML's CreateOperator accept this descriptor? The rules were read off DirectML.dll
 * 1.15.4 and are listed in docs/validation.md.
 *
 * level        CUMSUM_FEATURE_LEVEL_DEFAULT, or the documented table to hold it against
 * diagnostic   may be NULL
 * Returns CUMSUM_OK; CUMSUM_INVALID_DESCRIPTOR where DirectML answers E_INVALIDARG (0x80070057);
 * CUMSUM_INVALID_ARGUMENT for a null desc or an unknown level.
 */
CUMSUM_API cumsum_status cumsum_validate(const cumsum_operator_desc *desc,
                                         cumsum_feature_level level, cumsum_diagnostic *diagnostic);

/*
 * True where two elements of the output tensor may share an address. DirectML accepts some such
 * layouts (its test is not a true overlap test); what a shared element then holds is the one
 * written last, in row-major order of lines. desc must be valid (cumsum_validate); false otherwise.
 */
CUMSUM_API bool cumsum_output_may_overlap(const cumsum_operator_desc *desc);

/* A descriptor made ready to run. Immutable: any number of threads may execute it at once. */
typedef struct cumsum_plan cumsum_plan;

/*
 * Makes a plan. Nothing of desc or options is kept but the thread pool.
 *
 * options      NULL: all zero
 * plan         receives the plan, to be given to cumsum_plan_destroy; NULL on failure
 * diagnostic   may be NULL
 * Returns CUMSUM_OK; what cumsum_validate returns; CUMSUM_INVALID_ARGUMENT for a null plan or an
 * option out of range; CUMSUM_UNSUPPORTED for a kernel that this build or processor does not have;
 * CUMSUM_OUT_OF_MEMORY.
 */
CUMSUM_API cumsum_status cumsum_plan_create(const cumsum_operator_desc *desc,
                                            const cumsum_plan_options *options, cumsum_plan **plan,
                                            cumsum_diagnostic *diagnostic);

/* Frees a plan that no thread is executing. NULL is allowed. */
CUMSUM_API void cumsum_plan_destroy(cumsum_plan *plan);

/* The kernel that a plan runs: never AUTO. CUMSUM_KERNEL_AUTO for NULL. */
CUMSUM_API cumsum_kernel cumsum_plan_kernel(const cumsum_plan *plan);

/*
 * Computes. The bits depend on the descriptor and the numerics alone: not on the kernel, the number
 * of threads, or the floating-point mode that the calling thread is in (which is left as it was).
 *
 * input, output    the addresses of the element with all indices 0, aligned to the element size
 *                  and to the descriptor's guaranteed base offset alignment
 * ..._in_bytes     the bytes that may be accessed from there: at least total_tensor_size_in_bytes
 * diagnostic       may be NULL
 * In place: input == output where both tensors have the same sizes, strides and total size. Any
 * other overlap of the two tensors' ranges is an error. Bytes of the output that no element of the
 * tensor occupies are not written.
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer; CUMSUM_INVALID_BINDING. Allocates
 * nothing.
 */
CUMSUM_API cumsum_status cumsum_plan_execute(const cumsum_plan *plan, const void *input,
                                             uint64_t input_in_bytes, void *output,
                                             uint64_t output_in_bytes,
                                             cumsum_diagnostic *diagnostic);

/* "reference", "portable", "avx2", "avx512", "neon", "auto"; "unknown" for any other number. */
CUMSUM_API const char *cumsum_kernel_name(cumsum_kernel kernel);

/* True where cumsum_plan_create accepts this kernel here. Where it does not and reason is not NULL,
 * *reason receives a constant string that says why. */
CUMSUM_API bool cumsum_kernel_available(cumsum_kernel kernel, const char **reason);

/* binary16 to binary32: exact, NaN stays NaN (payload kept, made quiet). */
CUMSUM_API float cumsum_half_to_float(uint16_t half);

/* binary32 to binary16 by one of the three stores; NaN becomes 0x7E00 with the NaN's sign. An
 * unknown store is taken as CUMSUM_HALF_STORE_NEAREST_EVEN. */
CUMSUM_API uint16_t cumsum_half_from_float(float value, cumsum_half_store store);

#ifdef __cplusplus
}
#endif

#endif
