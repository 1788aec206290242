/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_H
#define CUMSUM_ORACLE_H

/*
 * The oracle: is somebody else's output of this operator right, how good is it, and in which order
 * was it added? Exact sums come from superaccumulators, so a verdict is a theorem and not a
 * tolerance. The rules, with their proofs, are in docs/oracle.md.
 */

#include <cumsum/cumsum.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Verdict 1, on one output. For FLOAT16 the models are tried in this order and the first that fits
 * is named. */
typedef enum cumsum_verdict {
    CUMSUM_VERDICT_EXACT = 0,            /* integers: the bits; a prefix with NaN or infinity: the
                                            only value allowed */
    CUMSUM_VERDICT_CONFORMANT = 1,       /* FLOAT32: some order of additions gives it */
    CUMSUM_VERDICT_CONFORMANT_FLUSH = 2, /* FLOAT32: some order with subnormals flushed */
    CUMSUM_VERDICT_BINARY32_NEAREST = 3, /* FLOAT16: binary32 sum, stored to nearest even */
    CUMSUM_VERDICT_BINARY32_ZERO = 4,    /* FLOAT16: binary32 sum, truncated */
    CUMSUM_VERDICT_BINARY32_IEEE = 5,    /* FLOAT16: binary32 sum, the IEEE conversion */
    CUMSUM_VERDICT_BINARY16 = 6,         /* FLOAT16: binary16 sum */
    CUMSUM_VERDICT_BINARY16_TRUNCATING = 7, /* FLOAT16: binary16 sum, every addition truncated */
    CUMSUM_VERDICT_INDETERMINATE = 8,       /* infinity or NaN where some order may overflow */
    CUMSUM_VERDICT_FAIL = 9,                /* no order of additions gives it */
    CUMSUM_VERDICT_COUNT = 10
} cumsum_verdict;

/* Verdict 2, on a tensor: the smallest class that holds for all of its outputs. h is the largest
 * |y - S| / (u A) over the outputs: the error in units of one rounding of the sum of |x|. */
typedef enum cumsum_error_class {
    CUMSUM_CLASS_CORRECTLY_ROUNDED = 0, /* every output is the exact sum, rounded once */
    CUMSUM_CLASS_ONE = 1,               /* h <= 1 */
    CUMSUM_CLASS_LOG = 2,               /* each output's h <= ceil(log2 m) */
    CUMSUM_CLASS_TWO_LOG = 3,           /* each output's h <= 2 ceil(log2 m) */
    CUMSUM_CLASS_ANY_ORDER = 4,
    CUMSUM_CLASS_FAIL = 5
} cumsum_error_class;

/* Verdict 3: the orders of addition that have a name. */
typedef enum cumsum_named_order {
    CUMSUM_NAMED_SEQUENTIAL = 0,
    CUMSUM_NAMED_BLOCKED = 1,
    CUMSUM_NAMED_EXACT = 2,
    CUMSUM_NAMED_HILLIS_STEELE = 3, /* and Kogge-Stone, which adds the same pairs */
    CUMSUM_NAMED_SKLANSKY = 4,
    CUMSUM_NAMED_BLELLOCH = 5,
    CUMSUM_NAMED_SEQUENTIAL_BINARY64 = 6, /* a binary64 tally, each output rounded from it */
    CUMSUM_NAMED_ORDER_COUNT = 7
} cumsum_named_order;

/* A named order with the arithmetic it was found with. For FLOAT16 with a FLOAT32 accumulator the
 * store counts, for FLOAT32 the denormals; the other members are 0. */
typedef struct cumsum_order_match {
    cumsum_named_order order;
    cumsum_half_accumulator half_accumulator;
    cumsum_half_store half_store;
    cumsum_denormals denormals;
} cumsum_order_match;

/* One output that a judgement points at. */
typedef struct cumsum_finding {
    cumsum_verdict verdict;
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS]; /* indices of the output element */
    uint64_t terms;                              /* m: the elements in its prefix */
    uint64_t expected_bits; /* the exact sum, rounded once (integers: modulo 2^N) */
    uint64_t actual_bits;
    uint64_t lower_bits; /* the accepted interval of the widest plain model, in the output type; */
    uint64_t upper_bits; /* both are expected_bits where a single value is allowed */
    uint64_t ulps;       /* cumsum_ulp_distance(expected, actual) */
    double error;        /* |y - S| / (u A); 0 for integers; infinity where y is not finite */
} cumsum_finding;

/* What the oracle says of a tensor. */
typedef struct cumsum_judgement {
    uint64_t outputs;
    uint64_t overwritten; /* outputs that share an address with one of a later line: not judged */
    uint64_t counts[CUMSUM_VERDICT_COUNT]; /* outputs of each verdict */
    bool pass;                             /* no output fails (strict: none is indeterminate) */
    uint32_t models; /* bit (1 << verdict) for each model that fits every output */
    cumsum_error_class error_class;
    double h; /* over all outputs with a finite error; see cumsum_error_class */
    /* Where some output fails (or, if none does, is indeterminate): the first of them in row-major
     * order, and the one with the most ulps between expected and actual. Where all is well, both
     * are the output with the largest error; for integers, then, nothing. */
    cumsum_finding first;
    cumsum_finding worst;
    uint32_t match_count; /* how many of the following are filled in */
    cumsum_order_match matches[CUMSUM_NAMED_ORDER_COUNT]; /* in the order of cumsum_named_order */
} cumsum_judgement;

typedef struct cumsum_judge_options {
    bool strict_zero; /* +0 and -0 differ */
    bool strict;      /* indeterminate outputs fail the tensor */
    bool promised;   /* FLOAT16: only the model of the accumulator and store in `numerics` counts */
    bool all_orders; /* name every order that fits, not only the first */
    bool no_orders;  /* do not look for a named order */
    cumsum_numerics numerics; /* what was promised */
} cumsum_judge_options;

/*
 * Judges a recorded output.
 *
 * desc             a valid descriptor (cumsum_validate)
 * input, actual    the element with all indices 0 of the input as it was before the operator ran,
 *                  and of the output; in place means two copies here
 * ..._in_bytes     the bytes that may be read from there: at least the tensor's extent
 * options          NULL: all zero
 * verdicts         NULL, or product(sizes) bytes that receive a cumsum_verdict for each output, in
 *                  row-major order of the indices; CUMSUM_VERDICT_COUNT for an overwritten one
 * judgement        receives the result
 * diagnostic       may be NULL
 * Returns CUMSUM_OK whatever the verdict; CUMSUM_INVALID_DESCRIPTOR; CUMSUM_INVALID_ARGUMENT for a
 * null pointer; CUMSUM_INVALID_BINDING for a range that is too small or misaligned;
 * CUMSUM_OUT_OF_MEMORY.
 */
CUMSUM_API cumsum_status cumsum_judge(const cumsum_operator_desc *desc, const void *input,
                                      uint64_t input_in_bytes, const void *actual,
                                      uint64_t actual_in_bytes, const cumsum_judge_options *options,
                                      uint8_t *verdicts, cumsum_judgement *judgement,
                                      cumsum_diagnostic *diagnostic);

/*
 * How far apart two values of a type are, in units in the last place: the number of steps between
 * neighbouring values, where values are ordered by sign and magnitude. So +0 and -0 are 0 apart and
 * the distance is defined across zero; infinity is one step from the largest finite value. Two NaNs
 * are 0 apart, a NaN and anything else UINT64_MAX. For integers it is |a - b|. a_bits and b_bits
 * hold the value in their low bits. UINT64_MAX for a type that the operator does not take.
 */
CUMSUM_API uint64_t cumsum_ulp_distance(cumsum_data_type type, uint64_t a_bits, uint64_t b_bits);

/* Are the bits equal, where any NaN equals any NaN? The comparison of cumsum verify. */
CUMSUM_API bool cumsum_same_bits(cumsum_data_type type, uint64_t a_bits, uint64_t b_bits);

/* "exact", "conformant", "conformant-with-flush", "binary32-nearest-even", ...; never NULL. */
CUMSUM_API const char *cumsum_verdict_name(cumsum_verdict verdict);

/* "correctly-rounded", "h<=1", "h<=log2(m)", "h<=2*log2(m)", "any-order", "FAIL"; never NULL. */
CUMSUM_API const char *cumsum_error_class_name(cumsum_error_class error_class);

/* "sequential", "blocked", "exact", "hillis-steele", ...; never NULL. */
CUMSUM_API const char *cumsum_named_order_name(cumsum_named_order order);

#ifdef __cplusplus
}
#endif

#endif
