/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_H
#define CUMSUM_ORACLE_H

/*
 * The oracle judges a recorded output of this operator: could an order of additions have produced
 * it, how accurate is it, and which order was it? Sums are computed exactly, so a FAIL is a theorem
 * and not a tolerance. What some order may give and yet no scan that is known gives is suspect.
 * docs/oracle.md has the rules and their proofs.
 *
 * It takes more types than the operator has: FLOAT64, BFLOAT16 and the integers of 8 and 16 bits,
 * too. All other rules of cumsum_validate hold for them.
 *
 * Notation, for one output: y is its value, m the number of terms in its prefix, S their exact sum,
 * A the exact sum of their absolute values, u the unit roundoff (2^-53 for binary64, 2^-24 for
 * binary32, 2^-11 for binary16, 2^-8 for bfloat16).
 *
 * Every function may be called from any thread at any time. cumsum_judge allocates scratch memory
 * during the call; nothing has to be freed.
 */

#include <cumsum/cumsum.h>
#include <cumsum/order.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Verdict 1, on one output. No output that an order of additions gives is rejected. The converse
 * holds for prefixes of at most 4 terms other than zeros (8 if asked for), where every order is
 * tried: CONFORMANT and the models then say that some order gives the output. For longer prefixes
 * they say that it is within the bound that every order keeps to; docs/oracle.md shows how loose
 * that is.
 *
 * A FLOAT16 device may add and store in one of six ways, a BFLOAT16 device in one of three: its
 * models. They are tried in this order, and the first that fits is the verdict.
 */
typedef enum cumsum_verdict {
    CUMSUM_VERDICT_EXACT = 0,            /* the only right value: integers, and prefixes that hold a
                                            NaN or an infinity */
    CUMSUM_VERDICT_CONFORMANT = 1,       /* FLOAT32, FLOAT64; with a profile, all floating types */
    CUMSUM_VERDICT_CONFORMANT_FLUSH = 2, /* the same, with subnormals flushed */
    CUMSUM_VERDICT_BINARY32_NEAREST = 3, /* FLOAT16, BFLOAT16: binary32 sum, nearest even */
    CUMSUM_VERDICT_BINARY32_ZERO = 4,    /* FLOAT16, BFLOAT16: binary32 sum, truncated */
    CUMSUM_VERDICT_BINARY32_IEEE = 5,    /* FLOAT16: binary32 sum, the IEEE conversion */
    CUMSUM_VERDICT_BINARY16 = 6,         /* FLOAT16: binary16 sum, to nearest even */
    CUMSUM_VERDICT_BINARY16_TRUNCATING = 7, /* FLOAT16: truncated; from 65536 on infinity */
    CUMSUM_VERDICT_BINARY16_SATURATING = 8, /* FLOAT16: truncated; from 65536 on 65504 */
    CUMSUM_VERDICT_BFLOAT16 = 9,            /* BFLOAT16: bfloat16 sum, to nearest even */
    /* Every order was tried and none gives it, but a more precise sum does, rounded once: the exact
     * one, or for FLOAT32 one in binary64. With a profile: docs/oracle.md, "Profiles". */
    CUMSUM_VERDICT_WIDER = 10,
    CUMSUM_VERDICT_MAY_OVERFLOW = 11, /* infinity or NaN where some order may overflow; where a
                                          profile has no infinities, any output there */
    CUMSUM_VERDICT_FAIL = 12,         /* no order of additions gives it */
    CUMSUM_VERDICT_SUSPECT = 13,      /* some order may give it, but nothing that adds neighbours,
                                          or nothing known, does: cumsum_doubt */
    CUMSUM_VERDICT_COUNT = 14
} cumsum_verdict;

/* Verdict 2, on a tensor: the smallest class that holds for all of its outputs. h is the error
 * |y - S| / (u A), in units of one rounding of A. */
typedef enum cumsum_error_class {
    CUMSUM_CLASS_CORRECTLY_ROUNDED = 0, /* every output is the exact sum, rounded once */
    CUMSUM_CLASS_ONE = 1,               /* each output's h <= 1 */
    CUMSUM_CLASS_LOG = 2,               /* each output's h <= ceil(log2 m) */
    CUMSUM_CLASS_TWO_LOG = 3,           /* each output's h <= 2 ceil(log2 m) */
    CUMSUM_CLASS_WORST_CASE = 4,        /* no smaller class holds */
    CUMSUM_CLASS_MAY_OVERFLOW = 5,      /* an output may overflow, and none fails */
    CUMSUM_CLASS_FAIL = 6               /* an output fails */
} cumsum_error_class;

/* Verdict 3: the orders of addition that have a name. docs/oracle.md defines them. */
typedef enum cumsum_named_order {
    CUMSUM_NAMED_SEQUENTIAL = 0,    /* CUMSUM_ORDER_SEQUENTIAL */
    CUMSUM_NAMED_BLOCKED = 1,       /* CUMSUM_ORDER_BLOCKED */
    CUMSUM_NAMED_EXACT = 2,         /* CUMSUM_ORDER_EXACT */
    CUMSUM_NAMED_HILLIS_STEELE = 3, /* and Kogge-Stone, which adds the same pairs */
    CUMSUM_NAMED_SKLANSKY = 4,
    CUMSUM_NAMED_BLELLOCH = 5,
    CUMSUM_NAMED_SEQUENTIAL_BINARY64 = 6, /* a binary64 running sum, each output rounded from it */
    CUMSUM_NAMED_COMPOSED = 7,            /* levels of these: cumsum/order.h */
    CUMSUM_NAMED_ORDER_COUNT = 8
} cumsum_named_order;

/* A named order and the arithmetic that gives the output with it. FLOAT16 and BFLOAT16 use the
 * accumulator and, with a FLOAT32 accumulator, the store; FLOAT32 and FLOAT64 use the denormals.
 * Unused members are 0. For BFLOAT16 CUMSUM_HALF_ACCUMULATOR_FLOAT16 means sums in bfloat16, and
 * the store is NEAREST_EVEN, which IEEE is the same as, or TOWARD_ZERO. */
typedef struct cumsum_order_match {
    cumsum_named_order order;
    cumsum_half_accumulator half_accumulator;
    cumsum_half_store half_store;
    cumsum_denormals denormals;
    cumsum_composed_order composed; /* of CUMSUM_NAMED_COMPOSED; otherwise all zero */
} cumsum_order_match;

/* One output that a judgement points at. Values are given by their bits in the output type. */
typedef struct cumsum_finding {
    cumsum_verdict verdict;
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS]; /* indices of the output element */
    uint64_t terms;                              /* m */
    uint64_t expected_bits;                      /* S, rounded once (integers: modulo 2^N) */
    uint64_t actual_bits;                        /* y */
    uint64_t lower_bits; /* the accepted interval, flushing and truncation apart; both ends are */
    uint64_t upper_bits; /* expected_bits if a single value is allowed */
    bool decided;        /* every order of additions was tried, and the interval runs from the least
                            to the greatest result of them and S */
    uint64_t ulps;       /* cumsum_ulp_distance(expected, actual) */
    double error; /* |y - S| / (u A); 0 for integers; infinity if y is wrong and not finite */
} cumsum_finding;

/* A named order that gives nearly every output, and the first in row-major order that it does not
 * give. */
typedef struct cumsum_near_order {
    cumsum_order_match match;
    uint64_t differing; /* outputs that it does not give; 0: there is no such order */
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS];
    uint64_t expected_bits; /* what the order gives there */
    uint64_t actual_bits;
    uint64_t ulps; /* cumsum_ulp_distance(expected, actual) */
} cumsum_near_order;

/*
 * Why an output is SUSPECT: it passes verdict 1, no named order gives its line, nor do truncated
 * additions in sequence, and one of these holds. The rules are those of docs/oracle.md, "SUSPECT";
 * the first is a theorem, the other two were measured. Integers are never suspect, and neither is a
 * tensor with an output that fails.
 *
 * R is the greatest difference of two exact prefix sums of the line so far, the empty one included,
 * and so the greatest magnitude of a sum of consecutive terms. r is the number of additions that
 * may round, and v the unit roundoff of the accumulator (twice that where additions are truncated).
 */
typedef enum cumsum_doubt_reason {
    CUMSUM_DOUBT_NONE = 0,
    CUMSUM_DOUBT_NOT_NEIGHBOURS = 1, /* |y - S| > R ((1 + v)^r - 1): no order that adds
                                        neighbours, as every scan does, gives it */
    CUMSUM_DOUBT_ERROR_JUMPS = 2,    /* y - S differs far more from that of the output before it
                                        than in any scan that is known */
    CUMSUM_DOUBT_NOTHING_KNOWN = 3   /* r v >= 1/4, so that verdict 1 accepts nearly everything,
                                        and |y - S| is larger than that of a balanced tree */
} cumsum_doubt_reason;

/*
 * What is suspect in a tensor. The members from `model` to `jump` belong to one output: of the
 * lines with the strongest reason (the smallest number) the first in row-major order, and in it the
 * first output that is not a sum of neighbours, the one with the greatest jump, or the first one of
 * which nothing is known. All errors are in the unit of the elements.
 *
 * Without a doubt, `reason` is CUMSUM_DOUBT_NONE and the other members are 0, but for a note: if
 * `seam` is not 0, errors jump at multiples of that many elements, by less than is suspect.
 * `coordinates` to `jump` then belong to the greatest jump.
 */
typedef struct cumsum_doubt {
    cumsum_doubt_reason reason;
    cumsum_verdict model; /* the arithmetic whose v, r and store count: of those that fit every
                             output, the one that leaves the weakest doubt */
    uint64_t outputs;     /* suspect outputs, as in `counts` */
    uint64_t lines;       /* lines with such outputs */
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS]; /* indices of the output element */
    uint64_t terms;                              /* m */
    double error;        /* y - S. Where the store rounds, or additions flush, these may explain a
                            part of it, which is taken off before it is compared with the bound */
    double error_before; /* that of the output before it in its line; 0 for the first */
    double bound;        /* what |error|, or |error - error_before| for ERROR_JUMPS, may be */
    double jump;         /* j: |error - error_before| in units of v R times the bits of m */
    uint64_t seam;       /* the distance of all jumps of the line, if they come at a regular one of
                            2 or more elements; else 0 */
    bool stays; /* at the end of the line, 16 or more outputs on, the error still has the change
                   from error_before to error, but for half of it: as if a carry were lost there */
} cumsum_doubt;

/* What the judgement would have found, if that is asked for: the faults that would have made an
 * output FAIL or SUSPECT, had they come on top of the errors that the outputs have, or, if outputs
 * fail or are suspect, on top of none. The greatest of all lines and of the models that are
 * allowed counts: with the fault another one may fit. docs/oracle.md, "Power", has the formula. */
typedef struct cumsum_power {
    bool known;        /* the members below are filled in */
    bool exact;        /* no order of additions rounds: any wrong bit is found */
    double lost_term;  /* a term of this magnitude or more that is missing from an output on, or
                          added twice, in the unit of the elements; 0 if `exact`; infinity if
                          sums are beyond binary64 */
    double lost_carry; /* a carry of this magnitude or more, missing at one place or at every
                          multiple of a length */
} cumsum_power;

/* The verdicts on a tensor. */
typedef struct cumsum_judgement {
    uint64_t outputs;     /* elements of the tensor */
    uint64_t overwritten; /* outputs whose address a later line writes too: not judged */
    uint64_t counts[CUMSUM_VERDICT_COUNT]; /* outputs of each verdict */
    bool pass;       /* no output fails or is suspect; with `strict`, none may overflow either;
                        with `accept_suspect`, some may be suspect */
    uint32_t models; /* bit (1 << verdict) for each model that fits every output, or that an
                        overflow or a more precise sum leaves possible */
    cumsum_error_class error_class;
    double h; /* the largest error of an output, to a relative 2^-20, but of those that fail the
                 largest finite one; infinity if an output that does not fail may be due to an
                 overflow */
    /* If outputs fail (or if none does and some may overflow): the first of them in row-major
     * order, and the one with the most ulps between expected and actual. If outputs are suspect:
     * twice that of `doubt`. If every output is fine: twice the one with the largest error, or one
     * whose error is less by a relative 2^-20 at most, and nothing for integers. */
    cumsum_finding first;
    cumsum_finding worst;
    uint32_t match_count; /* how many of the following are filled in */
    cumsum_order_match matches[CUMSUM_NAMED_ORDER_COUNT]; /* in the order of cumsum_named_order */
    cumsum_near_order near; /* filled in if it was asked for and no order matches */
    cumsum_doubt doubt;
    cumsum_power power; /* filled in if it was asked for */
} cumsum_judgement;

/*
 * A profile: which arithmetic an implementation may use. docs/oracle.md, "Profiles", has the rules.
 * All zero is IEEE 754 in the type of the elements, in any order. Integers read no member: their
 * sums are the same in every profile.
 */
typedef enum cumsum_rounding {
    CUMSUM_ROUNDING_NEAREST = 0,     /* ties to even */
    CUMSUM_ROUNDING_TOWARD_ZERO = 1, /* an overflow gives the largest number */
    CUMSUM_ROUNDING_EITHER = 2       /* either neighbour of the exact sum ("faithful") */
} cumsum_rounding;

typedef enum cumsum_flush {
    CUMSUM_FLUSH_NEVER = 0,
    CUMSUM_FLUSH_MAY = 1, /* each subnormal on its own */
    CUMSUM_FLUSH_MUST = 2
} cumsum_flush;

typedef enum cumsum_allowed_order {
    CUMSUM_ALLOWED_ANY = 0,
    CUMSUM_ALLOWED_CONTIGUOUS = 1, /* every partial sum is one of consecutive terms */
    CUMSUM_ALLOWED_SEQUENTIAL = 2  /* from the first term to the last */
} cumsum_allowed_order;

typedef struct cumsum_profile {
    cumsum_data_type accumulator; /* the format of partial sums, at least as wide as the elements';
                                     CUMSUM_DATA_TYPE_UNKNOWN: theirs */
    cumsum_rounding rounding;     /* of every addition, and of the store into the type */
    cumsum_flush flush_inputs;    /* operands of additions that are subnormal become zeros */
    cumsum_flush flush_results;   /* results of additions */
    bool specials_absent;         /* infinities and NaN need not work: an output may overflow if
                                     one is among its terms or may be among its partial sums */
    cumsum_allowed_order order;
    bool wider_allowed; /* partial sums may be more precise, as docs/oracle.md says */
} cumsum_profile;

/* How to judge. All zero is a good default. */
typedef struct cumsum_judge_options {
    bool strict_zero; /* +0 and -0 differ, and no output may be -0 */
    bool reachable;   /* try every order of up to 8 terms other than zeros, instead of 4. This takes
                         8 MiB, and milliseconds for an output that the likely orders do not give */
    bool strict;      /* outputs that may overflow fail the tensor */
    bool promised;   /* FLOAT16, BFLOAT16: only the model of the accumulator and store in `numerics`
                        counts */
    bool all_orders; /* name every order that fits, not only the first */
    bool no_orders;  /* name no order. Lines that are suspect are compared with them anyway */
    bool composed_orders; /* if no other order matches and no output fails, look for one of levels
                             (cumsum/order.h). This takes milliseconds, for long lines a second */
    const cumsum_composed_order *composed; /* NULL, or an order that is tried as well */
    bool near_order; /* if no named order gives every output, look for the first that gives most of
                        them; a tenth may differ, rounded up, and none of three */
    cumsum_numerics numerics; /* what the device promises. Of the order only EXACT is read, which
                                 stores as the IEEE conversion does; denormals are not read. Every
                                 member must be in its range. */
    /* The caller's pool, whose threads share the lines; NULL: the calling thread judges alone. A
     * task of this pool must not judge, since it would wait for itself. */
    struct pthreadpool *thread_pool;
    bool accept_suspect; /* suspect outputs do not fail the tensor; they are counted and shown */
    bool no_doubt;       /* look for no doubt: verdict 1 alone decides */
    bool power;          /* work out what would have been found, which reads the input once more */
    bool power_if_suspect;         /* the same, if outputs are suspect and none fails */
    const cumsum_profile *profile; /* NULL: all models count. Otherwise only this arithmetic does,
                                      and outputs of it are CONFORMANT. It excludes `promised` */
} cumsum_judge_options;

/*
 * Judges a recorded output.
 *
 * desc             a descriptor that cumsum_validate accepts, or would accept but for its type
 * input, actual    the addresses of the element with all indices 0, of the input as it was before
 *                  the operator ran, and of the output. An operator that ran in place needs a copy
 *                  of its input.
 * ..._in_bytes     the bytes that may be read from there: at least the tensor's extent
 * options          NULL: all zero
 * verdicts         NULL, or product(sizes) bytes that receive a cumsum_verdict for each output, in
 *                  row-major order of the indices; CUMSUM_VERDICT_COUNT for an overwritten one
 * judgement        receives the result
 * Returns CUMSUM_OK whatever the verdict; CUMSUM_INVALID_DESCRIPTOR; CUMSUM_INVALID_ARGUMENT for a
 * null pointer, a member of the numerics or the profile out of range, or a profile that contradicts
 * the type or `promised`; CUMSUM_INVALID_BINDING for a range that is too small, misaligned, or
 * reaches past the end of the address space; CUMSUM_OUT_OF_MEMORY.
 */
CUMSUM_API cumsum_status cumsum_judge(const cumsum_operator_desc *desc, const void *input,
                                      uint64_t input_in_bytes, const void *actual,
                                      uint64_t actual_in_bytes, const cumsum_judge_options *options,
                                      uint8_t *verdicts, cumsum_judgement *judgement,
                                      cumsum_diagnostic *diagnostic);

/*
 * The exact sums, each rounded once to nearest even, with the IEEE conversion: the values that
 * cumsum_judge expects. Integers wrap. A sum that a NaN, or infinities of both signs, makes NaN is
 * a quiet NaN. Bytes of the output that no element of the tensor occupies are not written; where
 * elements share an address, it holds the sum of the last line.
 *
 * The arguments are those of cumsum_judge, with an output in place of `actual`; the memory of input
 * and output must not overlap. Returns the same statuses. It takes some 50 ns for an output of
 * FLOAT32.
 */
CUMSUM_API cumsum_status cumsum_exact_sums(const cumsum_operator_desc *desc, const void *input,
                                           uint64_t input_in_bytes, void *output,
                                           uint64_t output_in_bytes, cumsum_diagnostic *diagnostic);

/*
 * The distance of two values of a type in units in the last place: the number of steps between
 * neighbouring values, where values are ordered by sign and magnitude. So +0 and -0 are 0 apart,
 * the distance is defined across zero, and infinity is one step from the largest finite value. Two
 * NaNs are 0 apart, a NaN and anything else UINT64_MAX. For integers it is |a - b|.
 *
 * a_bits, b_bits   the values, in their low bits
 * Returns the distance; UINT64_MAX for a type that cumsum_judge does not take.
 */
CUMSUM_API uint64_t cumsum_ulp_distance(cumsum_data_type type, uint64_t a_bits, uint64_t b_bits);

/* Are the two values of a type equal, bit for bit? Any NaN equals any NaN. This is the comparison
 * of cumsum verify. */
CUMSUM_API bool cumsum_same_bits(cumsum_data_type type, uint64_t a_bits, uint64_t b_bits);

/*
 * Reads a profile: a name, and members that replace its own, as in "wgsl" or
 * "ieee,accumulator=FLOAT32,order=contiguous".
 *
 *     name           ieee cuda hlsl sycl opencl vulkan wgsl (docs/for-suites.md says what they rest
 *                    on). What a name stands for depends on the type
 *     accumulator=   FLOAT64 FLOAT32 FLOAT16 BFLOAT16, or the type itself
 *     rounding=      nearest toward-zero either
 *     flush-inputs=, flush-results=  never may must
 *     specials=      ieee absent
 *     order=         any contiguous sequential
 *     wider=         allowed forbidden
 *
 * text   NULL is a null pointer; a name may be missing, which is ieee
 * type   of the elements that are judged
 * Returns CUMSUM_OK, or CUMSUM_INVALID_ARGUMENT for a text that is none of these, a member that is
 * given twice, or members that contradict each other or the type. The diagnostic, which may be
 * NULL, names them.
 */
CUMSUM_API cumsum_status cumsum_profile_read(const char *text, cumsum_data_type type,
                                             cumsum_profile *profile,
                                             cumsum_diagnostic *diagnostic);

/* "exact", "conformant", "conformant-with-flush", "binary32-nearest-even", ..., "FAIL", "SUSPECT";
 * "none", "not-by-neighbours", "error-jumps", "nothing-known"; "correctly-rounded", "h<=1",
 * "h<=log2(m)", "h<=2*log2(m)", "worst-case", "may-overflow", "FAIL"; "sequential", "blocked",
 * "exact", "hillis-steele", ..., "composed"; "unknown" for any other number. */
CUMSUM_API const char *cumsum_verdict_name(cumsum_verdict verdict);
CUMSUM_API const char *cumsum_doubt_reason_name(cumsum_doubt_reason reason);
CUMSUM_API const char *cumsum_error_class_name(cumsum_error_class error_class);
CUMSUM_API const char *cumsum_named_order_name(cumsum_named_order order);

#ifdef __cplusplus
}
#endif

#endif
