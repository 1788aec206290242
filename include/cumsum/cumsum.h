/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CUMSUM_H
#define CUMSUM_CUMSUM_H

/*
 * DirectML's cumulative summation (DML_OPERATOR_CUMULATIVE_SUMMATION) on the CPU: the prefix sums
 * of a strided tensor of 1 to 8 dimensions along one axis, with DirectML's bits.
 *
 * Describe the operator by a cumsum_operator_desc, make a plan of it with cumsum_plan_create, call
 * cumsum_plan_execute as often as needed, and free the plan with cumsum_plan_destroy.
 *
 * Units: sizes and strides are in elements, everything named "..._in_bytes" is in bytes.
 *
 * Ownership: every array and structure that a call takes stays the caller's, and is not used after
 * the call, except for the thread pool of a plan. Only plans have to be freed.
 *
 * Threads: every function may be called from any thread at any time. A plan is immutable, so any
 * number of threads may execute it at once. It must not be destroyed while one does.
 *
 * Stack: a call needs less than 32 KiB of the calling thread's stack, if the library was compiled
 * with optimization and without instrumentation. So does each task that it gives to a thread pool.
 *
 * Errors: a call that can fail returns a cumsum_status and describes the failure in a
 * cumsum_diagnostic, if it is given one. The library prints nothing, never aborts, and keeps no
 * global state.
 *
 * Sources of the rules: docs/validation.md lists the valid descriptors and bindings,
 * docs/numerics.md says what the outputs are, bit for bit. A name that begins with DML_ is
 * DirectML's name of the same thing.
 */

#include <stdbool.h>
#include <stdint.h>

#if defined(CUMSUM_API)
/* The build defines it, to compile a part of the library into another one. */
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

/* The result of a call. Every value but CUMSUM_OK means that nothing was computed or allocated;
 * d3d12.h says where an output is undefined. */
typedef enum cumsum_status {
    CUMSUM_OK = 0,
    CUMSUM_INVALID_ARGUMENT = 1,   /* a null pointer or an option out of range */
    CUMSUM_INVALID_DESCRIPTOR = 2, /* DirectML's CreateOperator would return E_INVALIDARG */
    CUMSUM_INVALID_BINDING = 3,    /* memory that is too small, misaligned or partly overlapping */
    CUMSUM_UNSUPPORTED = 4,        /* this build, processor or device cannot do it */
    CUMSUM_OUT_OF_MEMORY = 5,
    /* The others are returned by cumsum/d3d12.h only. */
    CUMSUM_NO_DEVICE = 6,      /* no Direct3D 12 or DirectML here, or no such adapter */
    CUMSUM_DEVICE_REMOVED = 7, /* the device is gone: a driver update, a fault, a hang */
    CUMSUM_DEVICE_TIMEOUT = 8, /* the device did not answer in time */
    CUMSUM_DEVICE_FAILED = 9,  /* a call of the device's interface failed */
    CUMSUM_GUARD_BROKEN = 10   /* memory outside the output was written */
} cumsum_status;

/* DML_TENSOR_DATA_TYPE, with its values, and BFLOAT16, which DirectML does not have. The operator
 * supports FLOAT32, FLOAT16, UINT32, INT32, UINT64 and INT64. Plans compute FLOAT64 besides. Of the
 * others cumsum_judge takes FLOAT64, BFLOAT16 and the integers of 8 and 16 bits; all exist so that
 * a diagnostic can name them. */
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
    CUMSUM_DATA_TYPE_INT4 = 13,
    CUMSUM_DATA_TYPE_BFLOAT16 = 256 /* the upper 16 bits of a FLOAT32 */
} cumsum_data_type;

/* DML_TENSOR_TYPE, with its values. */
typedef enum cumsum_tensor_type {
    CUMSUM_TENSOR_TYPE_INVALID = 0,
    CUMSUM_TENSOR_TYPE_BUFFER = 1
} cumsum_tensor_type;

/* DML_TENSOR_FLAGS, with its values. */
typedef enum cumsum_tensor_flags {
    CUMSUM_TENSOR_FLAG_NONE = 0,
    CUMSUM_TENSOR_FLAG_OWNED_BY_DML = 1
} cumsum_tensor_flags;

/* DML_AXIS_DIRECTION, with its values. DECREASING sums from the last index of the axis down to the
 * first; every sum is still stored at the index of its last term. */
typedef enum cumsum_axis_direction {
    CUMSUM_AXIS_DIRECTION_INCREASING = 0,
    CUMSUM_AXIS_DIRECTION_DECREASING = 1
} cumsum_axis_direction;

/* DML_BUFFER_TENSOR_DESC, field for field. */
typedef struct cumsum_buffer_tensor_desc {
    cumsum_data_type data_type;
    cumsum_tensor_flags flags;           /* input: NONE or OWNED_BY_DML; output: NONE */
    uint32_t dimension_count;            /* 1 to 8 */
    const uint32_t *sizes;               /* [dimension_count], elements, none 0 */
    const uint32_t *strides;             /* [dimension_count], elements; NULL: packed, row-major */
    uint64_t total_tensor_size_in_bytes; /* at least what cumsum_tensor_size gives */
    uint32_t guaranteed_base_offset_alignment; /* bytes: 0, or a power of two from 16 on */
} cumsum_buffer_tensor_desc;

/* DML_TENSOR_DESC, field for field. */
typedef struct cumsum_tensor_desc {
    cumsum_tensor_type type; /* CUMSUM_TENSOR_TYPE_BUFFER */
    const void *desc;        /* a cumsum_buffer_tensor_desc */
} cumsum_tensor_desc;

/* DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, field for field. */
typedef struct cumsum_operator_desc {
    const cumsum_tensor_desc *input_tensor;
    const cumsum_tensor_desc *output_tensor; /* the type and sizes of the input */
    uint32_t axis;                           /* below dimension_count */
    cumsum_axis_direction axis_direction;
    int32_t has_exclusive_sum; /* a BOOL: if not 0, a sum excludes the element at its own index */
} cumsum_operator_desc;

/* The support table of DirectML's documentation that a descriptor has to meet. 2_1 allows FLOAT32,
 * FLOAT16, INT32 and UINT32 with exactly 4 dimensions; 4_0 allows 1 to 8 dimensions; 5_0 also
 * allows INT64 and UINT64. */
typedef enum cumsum_feature_level {
    CUMSUM_FEATURE_LEVEL_DEFAULT = 0, /* 5_0: what DirectML 1.8 and later do */
    CUMSUM_FEATURE_LEVEL_2_1 = 0x2100,
    CUMSUM_FEATURE_LEVEL_4_0 = 0x4000,
    CUMSUM_FEATURE_LEVEL_5_0 = 0x5000
} cumsum_feature_level;

/* The order of floating-point additions (docs/numerics.md). Integers wrap and give the same bits in
 * every order. */
typedef enum cumsum_order {
    CUMSUM_ORDER_SEQUENTIAL = 0, /* one element after the other: what DirectML.dll does */
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
    CUMSUM_HALF_STORE_TOWARD_ZERO = 1,  /* truncated; |sum| above 65504 becomes infinity */
    CUMSUM_HALF_STORE_IEEE = 2          /* to nearest even; |sum| from 65520 on becomes infinity */
} cumsum_half_store;

/* FLOAT32 and FLOAT64: the treatment of subnormal inputs and sums. */
typedef enum cumsum_denormals {
    CUMSUM_DENORMALS_PRESERVE = 0,
    CUMSUM_DENORMALS_FLUSH = 1 /* they become zeros of their sign */
} cumsum_denormals;

/* How sums are rounded. All zero is the default: it is what DirectML does on a device with native
 * 16-bit operations. A member that plays no part for the data type is ignored. */
typedef struct cumsum_numerics {
    cumsum_order order;
    cumsum_half_accumulator half_accumulator;
    cumsum_half_store half_store;
    cumsum_denormals denormals;
} cumsum_numerics;

/* The implementation that computes. All of them give the same bits. */
typedef enum cumsum_kernel {
    CUMSUM_KERNEL_AUTO = 0,      /* the fastest that this processor runs */
    CUMSUM_KERNEL_REFERENCE = 1, /* the plain one that the others are tested against */
    CUMSUM_KERNEL_PORTABLE = 2,  /* C11 for any processor */
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
    /* The caller's pool, which must outlive the plan; NULL: the calling thread computes alone. A
     * task of this pool must not execute the plan, since it would wait for itself. */
    struct pthreadpool *thread_pool;
} cumsum_plan_options;

/* Why a call failed. A call that takes the address of one fills it in if it fails, and leaves it
 * alone if it succeeds; the address may always be NULL. The strings are constants of the library or
 * lie in the structure: nothing has to be freed. */
typedef struct cumsum_diagnostic {
    cumsum_status status;
    const char *tensor; /* "InputTensor", "OutputTensor", or "" if it concerns no single tensor */
    const char *field;  /* the field by DirectML's name ("Strides"), an argument's name, or "" */
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

/* DirectML's name of a type without its prefix ("FLOAT32"), or "BFLOAT16"; "UNKNOWN" for any other
 * number. */
CUMSUM_API const char *cumsum_data_type_name(cumsum_data_type type);

/* Bytes of an element: 2, 4 or 8 for the types of plans, 1 to 8 for the other types of
 * whole bytes, and 0 for UNKNOWN, UINT4, INT4 and any other number. */
CUMSUM_API uint32_t cumsum_data_type_size(cumsum_data_type type);

/*
 * The exact TotalTensorSizeInBytes of a layout: the extent times the element size, rounded up to a
 * multiple of 4. The extent is 1 + dot(sizes - 1, strides) elements, or product(sizes) if strides
 * is NULL.
 *
 * sizes, strides   [dimension_count], elements; strides may be NULL
 * size_in_bytes    receives the size
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null pointer, a dimension count outside 1..8, a
 * type without a byte size, or a size of 0; CUMSUM_INVALID_DESCRIPTOR if the extent exceeds 2^32 -
 * 1 elements, which DirectML allows no tensor.
 */
CUMSUM_API cumsum_status cumsum_tensor_size(cumsum_data_type type, uint32_t dimension_count,
                                            const uint32_t *sizes, const uint32_t *strides,
                                            uint64_t *size_in_bytes);

/*
 * What Microsoft's published helper DMLCalcBufferTensorSize gives for the same arguments. It sums
 * the strided extent in 32 bits, which may wrap. If the result differs from that of
 * cumsum_tensor_size, it is too small, and DirectML rejects a descriptor that has it.
 * Returns 0 for arguments that cumsum_tensor_size calls CUMSUM_INVALID_ARGUMENT.
 */
CUMSUM_API uint64_t cumsum_tensor_size_directml(cumsum_data_type type, uint32_t dimension_count,
                                                const uint32_t *sizes, const uint32_t *strides);

/*
 * Would DirectML's CreateOperator accept this descriptor? The rules were derived from DirectML.dll
 * 1.15.4 and are listed in docs/validation.md.
 *
 * level        CUMSUM_FEATURE_LEVEL_DEFAULT, or the documented table that it has to meet
 * Returns CUMSUM_OK; CUMSUM_INVALID_DESCRIPTOR if DirectML returns E_INVALIDARG (0x80070057);
 * CUMSUM_INVALID_ARGUMENT for a null desc or an unknown level.
 */
CUMSUM_API cumsum_status cumsum_validate(const cumsum_operator_desc *desc,
                                         cumsum_feature_level level, cumsum_diagnostic *diagnostic);

/*
 * True if two elements of the output tensor may share an address. DirectML accepts some such
 * layouts, since its test is not a true overlap test; a shared element then holds what the last
 * line wrote, in row-major order of lines. The answer may be true for elements that only
 * interleave. It is false if desc is not valid (cumsum_validate).
 */
CUMSUM_API bool cumsum_output_may_overlap(const cumsum_operator_desc *desc);

/* A descriptor made ready to run. It is immutable: any number of threads may execute it at once. */
typedef struct cumsum_plan cumsum_plan;

/*
 * Makes a plan. The plan keeps nothing of desc or options but the address of the thread pool.
 *
 * desc         a descriptor that cumsum_validate accepts; or at CUMSUM_FEATURE_LEVEL_DEFAULT one of
 *              FLOAT64 that it would accept but for its type. DirectML has no FLOAT64: the rules
 *              are those of FLOAT32, in binary64, and the kernel is CUMSUM_KERNEL_REFERENCE
 * options      NULL: all zero
 * plan         receives the plan, which the caller gives to cumsum_plan_destroy; NULL on failure
 * Returns CUMSUM_OK; what cumsum_validate returns; CUMSUM_INVALID_ARGUMENT for a null plan or an
 * option out of range; CUMSUM_UNSUPPORTED for a kernel that this build, this processor or the type
 * does not have; CUMSUM_OUT_OF_MEMORY.
 */
CUMSUM_API cumsum_status cumsum_plan_create(const cumsum_operator_desc *desc,
                                            const cumsum_plan_options *options, cumsum_plan **plan,
                                            cumsum_diagnostic *diagnostic);

/* Frees a plan that no thread is executing. NULL is allowed. */
CUMSUM_API void cumsum_plan_destroy(cumsum_plan *plan);

/* The kernel that a plan runs: never AUTO. CUMSUM_KERNEL_AUTO for NULL. */
CUMSUM_API cumsum_kernel cumsum_plan_kernel(const cumsum_plan *plan);

/*
 * Computes. The output bits depend on the input, the descriptor and the numerics alone: not on the
 * kernel, the number of threads, or the floating-point mode of the calling thread, which is left as
 * it was. Nothing is allocated.
 *
 * input, output    the addresses of the element with all indices 0, aligned to the element size
 *                  and to the descriptor's guaranteed base offset alignment
 * ..._in_bytes     the bytes that may be accessed from there: at least total_tensor_size_in_bytes
 * In place means input == output; both tensors must then have the same sizes, strides and total
 * size. Any other overlap of the two tensors is an error. Bytes of the output that no element of
 * the tensor occupies are not written. Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null
 * pointer; CUMSUM_INVALID_BINDING for memory that is too small, misaligned or partly overlapping
 * (docs/validation.md, "Bindings").
 */
CUMSUM_API cumsum_status cumsum_plan_execute(const cumsum_plan *plan, const void *input,
                                             uint64_t input_in_bytes, void *output,
                                             uint64_t output_in_bytes,
                                             cumsum_diagnostic *diagnostic);

/* "reference", "portable", "avx2", "avx512", "neon", "auto"; "unknown" for any other
 * number. */
CUMSUM_API const char *cumsum_kernel_name(cumsum_kernel kernel);

/* True if cumsum_plan_create accepts this kernel in this build, on this processor. If not, *reason
 * receives a constant string that says why; reason may be NULL. */
CUMSUM_API bool cumsum_kernel_available(cumsum_kernel kernel, const char **reason);

/* binary16 to binary32. The conversion is exact; a NaN keeps its payload and becomes quiet. */
CUMSUM_API float cumsum_half_to_float(uint16_t half);

/* binary32 to binary16 by one of the three stores. A NaN becomes 0x7E00 with the NaN's sign. An
 * unknown store counts as CUMSUM_HALF_STORE_NEAREST_EVEN. */
CUMSUM_API uint16_t cumsum_half_from_float(float value, cumsum_half_store store);

#ifdef __cplusplus
}
#endif

#endif
