/* SPDX-License-Identifier: MIT */
/*
 * anyorder.h and the library's oracle, which share no code, on the same lines:
 * check_agreement OUTPUTS. Outputs are at the ends of what is accepted, one step beyond, and
 * elsewhere; then scans with and without faults, of which some are doubtful. Sums of the same lines
 * are compared with cumsum_judge_sums, doubt included.
 */
#include "anyorder.h"

#include <cumsum/oracle.h>
#include <cumsum/sums.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "splitmix64.h"

enum {
    MOST = 3000,
    SUMS = 16, /* outputs of one line's sum */
    SHOWN = 20
};

typedef union tensor {
    uint64_t u64[MOST];
    uint32_t u32[MOST];
    uint16_t u16[MOST];
    uint8_t u8[MOST];
} tensor;

static tensor input, output;
static uint8_t verdicts[MOST];
static uint64_t state = 5;
static unsigned differences;

/* The arithmetics that both know. */
typedef struct arithmetic {
    ao_type type;
    ao_type accumulator;
    cumsum_data_type data_type;
} arithmetic;

static const arithmetic arithmetics[] = {
    {AO_FLOAT32, AO_FLOAT32, CUMSUM_DATA_TYPE_FLOAT32},
    {AO_FLOAT64, AO_FLOAT64, CUMSUM_DATA_TYPE_FLOAT64},
    {AO_FLOAT16, AO_FLOAT16, CUMSUM_DATA_TYPE_FLOAT16},
    {AO_FLOAT16, AO_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16},
    {AO_BFLOAT16, AO_BFLOAT16, CUMSUM_DATA_TYPE_BFLOAT16},
    {AO_BFLOAT16, AO_FLOAT32, CUMSUM_DATA_TYPE_BFLOAT16},
    {AO_INT8, AO_INT8, CUMSUM_DATA_TYPE_INT8},
    {AO_UINT16, AO_UINT16, CUMSUM_DATA_TYPE_UINT16},
    {AO_INT32, AO_INT32, CUMSUM_DATA_TYPE_INT32},
    {AO_UINT64, AO_UINT64, CUMSUM_DATA_TYPE_UINT64},
};

static void set_element(tensor *t, cumsum_data_type type, size_t i, uint64_t bits) {
    switch (cumsum_data_type_size(type)) {
    case 8:
        t->u64[i] = bits;
        return;
    case 4:
        t->u32[i] = (uint32_t)bits;
        return;
    case 2:
        t->u16[i] = (uint16_t)bits;
        return;
    default:
        t->u8[i] = (uint8_t)bits;
    }
}

static uint64_t element(const tensor *t, cumsum_data_type type, size_t i) {
    switch (cumsum_data_type_size(type)) {
    case 8:
        return t->u64[i];
    case 4:
        return t->u32[i];
    case 2:
        return t->u16[i];
    default:
        return t->u8[i];
    }
}

/* Terms whose exponents are in a window, which may be that of subnormals or of overflows, and
 * sometimes zeros. */
static void fill(const arithmetic *a, uint32_t count) {
    const uint32_t kind = random_below(&state, 8);
    const uint32_t span = 1 + random_below(&state, random_once_in(&state, 2) ? 3 : 30);
    const bool one_sign = random_once_in(&state, 3), few_bits = random_once_in(&state, 3);
    const bool zeros = random_once_in(&state, 4);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits = random_next(&state);
        if (ao_is_float(a->type)) {
            const ao_format *f = ao_format_of(a->type);
            const uint32_t exponents = (uint32_t)(f->infinity >> (f->precision - 1));
            const uint32_t window = span < exponents / 2 ? span : exponents / 2;
            const uint32_t first = kind == 0   ? 0
                                   : kind == 1 ? exponents - window - 3
                                               : exponents / 2 - window / 2;
            uint64_t fraction = bits & (((uint64_t)1 << (f->precision - 1)) - 1);
            if (few_bits)
                fraction &= fraction << (f->precision - 4);
            bits = (bits & f->sign) | fraction |
                   (uint64_t)(first + random_below(&state, window)) << (f->precision - 1);
            if (one_sign)
                bits &= ~f->sign;
            if (zeros && random_once_in(&state, 2))
                bits &= f->sign;
            if (random_once_in(&state, 1000))
                bits = (bits & f->sign) | (f->infinity + random_once_in(&state, 3));
        }
        set_element(&input, a->data_type, i, bits);
    }
}

static ao_profile profile_of(const arithmetic *a) {
    ao_profile p = ao_ieee(a->type);
    p.accumulator = a->accumulator;
    return p;
}

/* Any profile with this arithmetic. */
static ao_profile random_profile(const arithmetic *a) {
    ao_profile p = profile_of(a);
    if (!ao_is_float(a->type))
        return p;
    p.rounding = (ao_rounding)random_below(&state, 3);
    p.flush_inputs = (ao_flush)random_below(&state, 3);
    p.flush_results = random_once_in(&state, 2) ? p.flush_inputs : AO_FLUSH_NEVER;
    p.specials = random_once_in(&state, 4) ? AO_SPECIALS_ABSENT : AO_SPECIALS_IEEE;
    p.order = (ao_order)random_below(&state, 3);
    p.wider = random_once_in(&state, 3) ? AO_WIDER_ALLOWED : AO_WIDER_FORBIDDEN;
    p.strict_zero = random_once_in(&state, 4);
    return p;
}

/* The same for the library. */
static cumsum_profile library_profile(const ao_profile *p) {
    static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT64, CUMSUM_DATA_TYPE_FLOAT32,
                                             CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_DATA_TYPE_BFLOAT16};
    return (cumsum_profile){
        .accumulator = ao_is_float(p->type) ? types[p->accumulator] : CUMSUM_DATA_TYPE_UNKNOWN,
        .rounding = (cumsum_rounding)p->rounding,
        .flush_inputs = (cumsum_flush)p->flush_inputs,
        .flush_results = (cumsum_flush)p->flush_results,
        .specials_absent = p->specials == AO_SPECIALS_ABSENT,
        .order = (cumsum_allowed_order)p->order,
        .wider_allowed = p->wider == AO_WIDER_ALLOWED,
    };
}

static cumsum_judge_options options_of(const arithmetic *a, const cumsum_profile *profile,
                                       bool doubt) {
    cumsum_judge_options options = {.no_orders = true, .no_doubt = !doubt, .profile = profile};
    options.promised = !profile && (a->type == AO_FLOAT16 || a->type == AO_BFLOAT16);
    options.numerics.half_accumulator = a->accumulator == AO_FLOAT32
                                            ? CUMSUM_HALF_ACCUMULATOR_FLOAT32
                                            : CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    options.numerics.half_store = CUMSUM_HALF_STORE_IEEE;
    return options;
}

/* Judges the line as the library does. */
static void judge_line(const arithmetic *a, uint32_t count, bool exclusive,
                       const cumsum_profile *profile, bool strict_zero, bool doubt) {
    const uint32_t sizes[1] = {count};
    const uint64_t bytes = (uint64_t)count * cumsum_data_type_size(a->data_type);
    const cumsum_buffer_tensor_desc buffer = {.data_type = a->data_type,
                                              .dimension_count = 1,
                                              .sizes = sizes,
                                              .total_tensor_size_in_bytes = (bytes + 3) / 4 * 4};
    const cumsum_tensor_desc both = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {&both, &both, 0, CUMSUM_AXIS_DIRECTION_INCREASING,
                                       exclusive};
    cumsum_judge_options options = options_of(a, profile, doubt);
    options.strict_zero = strict_zero;
    cumsum_judgement judgement;
    cumsum_diagnostic diagnostic;
    if (cumsum_judge(&desc, &input, sizeof input, &output, sizeof output, &options, verdicts,
                     &judgement, &diagnostic) != CUMSUM_OK) {
        printf("cumsum_judge: %s\n", diagnostic.message);
        exit(2);
    }
}

/* What the library's verdict is in the words of the header: with a profile, or else for IEEE 754
 * without flushing. */
static ao_verdict verdict_of_library(uint8_t verdict, bool profile) {
    switch (verdict) {
    case CUMSUM_VERDICT_FAIL:
        return AO_FAIL;
    case CUMSUM_VERDICT_CONFORMANT_FLUSH:
    case CUMSUM_VERDICT_WIDER:
        return profile ? AO_PASS : AO_FAIL;
    case CUMSUM_VERDICT_DOUBTFUL:
        return AO_DOUBTFUL;
    case CUMSUM_VERDICT_INDETERMINATE:
        return AO_INDETERMINATE;
    default:
        return AO_PASS;
    }
}

static void differ(const arithmetic *a, uint32_t i, uint32_t count, bool exclusive, uint64_t bits,
                   ao_verdict found) {
    if (differences++ < SHOWN)
        printf("type %d, sums in %d, output %" PRIu32 " of %" PRIu32 "%s, %" PRIx64
               ": anyorder has %d, the library %s\n",
               a->type, a->accumulator, i, count, exclusive ? ", exclusive" : "", bits, found,
               cumsum_verdict_name((cumsum_verdict)verdicts[i]));
}

/* An output at or near the ends of what is accepted. */
static uint64_t choose_output(ao_line *line, const arithmetic *a) {
    uint64_t low, high;
    const uint64_t any = random_next(&state);
    if (line->profile.strict_zero && random_once_in(&state, 5))
        return ao_format_of(a->type)->sign;
    if (!ao_range(line, &low, &high))
        return any;
    if (!ao_is_float(a->type))
        return random_once_in(&state, 4) ? low + 1 : low;
    const ao_format *f = ao_format_of(a->type);
    if (random_once_in(&state, 20))
        return random_once_in(&state, 2) ? f->infinity + random_below(&state, 2) : any;
    const int64_t end = ao_rank(f, random_once_in(&state, 2) ? low : high);
    const int64_t limit = (int64_t)f->infinity;
    int64_t rank = end + (int64_t)random_below(&state, 5) - 2;
    rank = rank > limit ? limit : rank < -limit ? -limit : rank;
    return ao_of_rank(f, rank);
}

static void show_profile(const ao_profile *p) {
    if (differences < SHOWN)
        printf("rounding %d, flush %d %d, specials %d, order %d, wider %d: ", p->rounding,
               p->flush_inputs, p->flush_results, p->specials, p->order, p->wider);
}

/* Where one of them knows more than the other one:
 * - it follows sequential sums of wider accumulators too, of which the library has a bound;
 * - it stores a sum that stopped at the accumulator's greatest number, which may give an infinity;
 * - a subnormal output fails where results must be flushed, also if sums stop at the greatest
 *   number. */
static bool may_differ(const arithmetic *a, const ao_profile *p, ao_verdict header,
                       ao_verdict library, uint64_t y) {
    if (header == AO_PASS && library == AO_INDETERMINATE)
        return p->rounding == AO_EITHER && p->accumulator != p->type &&
               !ao_is_finite(ao_format_of(a->type), y);
    if (header == AO_PASS)
        return false;
    if (p->order == AO_ORDER_SEQUENTIAL && p->wider == AO_WIDER_ALLOWED)
        return library == AO_PASS;
    return header == AO_FAIL && p->flush_results == AO_FLUSH_MUST && p->rounding != AO_NEAREST &&
           ao_is_subnormal(ao_format_of(a->type), y);
}

/* Verdict 1 on one line. Returns how many outputs were compared. */
static uint64_t compare_line(const arithmetic *a, bool any_profile) {
    const uint32_t count =
        random_once_in(&state, 8) ? random_between(&state, 1, MOST) : random_between(&state, 1, 40);
    const bool exclusive = random_once_in(&state, 3);
    static uint8_t found[MOST];
    const ao_profile profile = any_profile ? random_profile(a) : profile_of(a);
    const cumsum_profile same = library_profile(&profile);
    ao_line line;
    fill(a, count);
    if (ao_begin(&line, &profile))
        exit(2);
    for (uint32_t i = 0; i < count; i++) {
        if (!exclusive)
            ao_add(&line, element(&input, a->data_type, i));
        const uint64_t y = choose_output(&line, a);
        set_element(&output, a->data_type, i, y);
        const ao_verdict verdict = ao_judge(&line, y);
        found[i] = (uint8_t)(verdict == AO_DOUBTFUL ? AO_PASS : verdict);
        if (exclusive)
            ao_add(&line, element(&input, a->data_type, i));
    }
    judge_line(a, count, exclusive, any_profile ? &same : NULL, profile.strict_zero, false);
    for (uint32_t i = 0; i < count; i++) {
        const ao_verdict library = verdict_of_library(verdicts[i], any_profile);
        if (found[i] == (uint8_t)library ||
            (any_profile && may_differ(a, &profile, (ao_verdict)found[i], library,
                                       element(&output, a->data_type, i))))
            continue;
        show_profile(&profile);
        differ(a, i, count, exclusive, element(&output, a->data_type, i), (ao_verdict)found[i]);
    }
    return count;
}

/* Judges outputs as sums of the line, one row each, of which all have the same elements. Returns
 * whether an order that has a name gives all of them. */
static bool judge_sums(const arithmetic *a, uint32_t count, const cumsum_profile *profile,
                       bool orders) {
    const uint32_t sizes[2] = {SUMS, count}, strides[2] = {0, 1}, out_sizes[2] = {SUMS, 1},
                   axis = 1;
    const uint64_t size = cumsum_data_type_size(a->data_type);
    const cumsum_buffer_tensor_desc in = {.data_type = a->data_type,
                                          .dimension_count = 2,
                                          .sizes = sizes,
                                          .strides = strides,
                                          .total_tensor_size_in_bytes = (count * size + 3) / 4 * 4};
    const cumsum_buffer_tensor_desc out = {.data_type = a->data_type,
                                           .dimension_count = 2,
                                           .sizes = out_sizes,
                                           .total_tensor_size_in_bytes = SUMS * size};
    const cumsum_tensor_desc from = {CUMSUM_TENSOR_TYPE_BUFFER, &in},
                             to = {CUMSUM_TENSOR_TYPE_BUFFER, &out};
    const cumsum_sums_desc desc = {&from, &to, 1, &axis};
    cumsum_judge_options options = options_of(a, profile, true);
    options.no_orders = !orders;
    cumsum_sums_judgement judgement;
    cumsum_diagnostic diagnostic;
    if (cumsum_judge_sums(&desc, &input, sizeof input, &output, sizeof output, &options, verdicts,
                          &judgement, &diagnostic) != CUMSUM_OK) {
        printf("cumsum_judge_sums: %s\n", diagnostic.message);
        exit(2);
    }
    return judgement.judgement.match_count > 0;
}

/* Doubt of a sum in which both differ: anyorder knows no named order but the sequential one, and
 * takes away more than the library for what is flushed. */
static bool may_doubt(const arithmetic *a, uint32_t count, const ao_profile *p,
                      const cumsum_profile *profile, ao_verdict header, uint64_t y) {
    if (header == AO_PASS)
        return ao_flushes(p);
    for (uint32_t i = 0; i < SUMS; i++)
        set_element(&output, a->data_type, i, y);
    return judge_sums(a, count, profile, true);
}

/* An output between the ends of what is accepted, if there are any. */
static uint64_t choose_accepted(ao_line *line, const arithmetic *a) {
    uint64_t low, high;
    if (!ao_range(line, &low, &high) || !ao_is_float(a->type))
        return low;
    const ao_format *f = ao_format_of(a->type);
    const uint64_t least = (uint64_t)ao_rank(f, low), most = (uint64_t)ao_rank(f, high);
    return ao_of_rank(f, (int64_t)(least + random_next(&state) % (most - least + 1)));
}

/* Sums of one line. Returns how many outputs are doubtful for both. */
static uint64_t compare_sums(const arithmetic *a, bool any_profile) {
    const uint32_t count = random_between(&state, 1, random_once_in(&state, 2) ? MOST : 40);
    ao_profile profile = any_profile ? random_profile(a) : profile_of(a);
    const cumsum_profile same = library_profile(&profile);
    const bool accepted = random_once_in(&state, 2);
    ao_verdict found[SUMS], said[SUMS];
    uint64_t asked[SUMS];
    ao_line line;
    uint64_t both = 0;
    bool fails = false;
    profile.strict_zero = 0; /* the library has a sum of -0 alone be -0 */
    fill(a, count);
    if (ao_begin(&line, &profile))
        exit(2);
    for (uint32_t i = 0; i < count; i++)
        ao_add(&line, element(&input, a->data_type, i));
    for (uint32_t i = 0; i < SUMS; i++) {
        const uint64_t y = accepted ? choose_accepted(&line, a) : choose_output(&line, a);
        set_element(&output, a->data_type, i, y);
        found[i] = ao_judge_sum(&line, y);
    }
    judge_sums(a, count, any_profile ? &same : NULL, false);
    for (uint32_t i = 0; i < SUMS; i++) {
        said[i] = verdict_of_library(verdicts[i], any_profile);
        asked[i] = element(&output, a->data_type, i);
        fails |= verdicts[i] == CUMSUM_VERDICT_FAIL;
    }
    for (uint32_t i = 0; i < SUMS; i++) {
        const ao_verdict library = said[i];
        const uint64_t y = asked[i];
        if (found[i] == AO_DOUBTFUL && fails) /* of a tensor that fails the library says no more */
            found[i] = AO_PASS;
        both += found[i] == AO_DOUBTFUL && library == AO_DOUBTFUL;
        if (found[i] == library || (any_profile && may_differ(a, &profile, found[i], library, y)))
            continue;
        if (found[i] + library == AO_PASS + AO_DOUBTFUL &&
            may_doubt(a, count, &profile, any_profile ? &same : NULL, found[i], y))
            continue;
        show_profile(&profile);
        differ(a, i, count, false, y, found[i]);
    }
    return both;
}

static uint64_t stored(const arithmetic *a, double sum) {
    uint64_t bits, result[2];
    memcpy(&bits, &sum, sizeof bits);
    if (a->type == AO_FLOAT64)
        return bits;
    ao_convert(ao_format_of(a->type), ao_format_of(AO_FLOAT64), bits, AO_NEAREST, result);
    return result[0];
}

static double value_of(const arithmetic *a, uint64_t bits) {
    double value;
    const uint64_t wide = ao_widen(ao_format_of(AO_FLOAT64), ao_format_of(a->type), bits);
    memcpy(&value, &wide, sizeof value);
    return value;
}

static double rounded(const arithmetic *a, double sum) {
    return a->accumulator == AO_FLOAT64 ? sum : (double)(float)sum;
}

/* Normal terms, or nearly: sums of uniform ones. */
static void fill_normal(const arithmetic *a, uint32_t count) {
    const bool one_sign = random_once_in(&state, 3);
    for (uint32_t i = 0; i < count; i++) {
        double x = one_sign ? 0 : -6;
        for (int k = 0; k < (one_sign ? 1 : 12); k++)
            x += (double)(random_next(&state) >> 11) * 0x1p-53;
        set_element(&input, a->data_type, i, stored(a, rounded(a, x)));
    }
}

/* A scan in chunks of 64, with a carry that may be wrong by some units from somewhere on. */
static void scan(const arithmetic *a, uint32_t count, double fault, uint32_t place) {
    double carry = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i % 64 == 0) {
            carry = rounded(a, carry + sum);
            sum = 0;
        }
        if (i == place)
            carry = rounded(a, carry + fault);
        sum = rounded(a, sum + value_of(a, element(&input, a->data_type, i)));
        set_element(&output, a->data_type, i, stored(a, rounded(a, carry + sum)));
    }
}

/* Doubt on one line. Returns how many outputs of it are doubtful for both. */
static uint64_t compare_doubt(const arithmetic *a) {
    const uint32_t count = random_between(&state, 200, MOST);
    const uint32_t place = 64 * random_between(&state, 1, count / 64);
    const double unit = a->accumulator == AO_FLOAT64 ? 0x1p-53 : 0x1p-24;
    const double fault = random_once_in(&state, 4)
                             ? 0
                             : unit * (double)random_between(&state, 1, 40000) * (double)count / 50;
    const ao_profile profile = profile_of(a);
    static uint8_t found[MOST];
    static bool
        seams[MOST]; /* so far, jumps came at a regular distance: the line may go on otherwise */
    ao_line line;
    uint64_t both = 0;
    fill_normal(a, count);
    scan(a, count, fault, place);
    if (ao_begin(&line, &profile))
        exit(2);
    bool fails = false;
    for (uint32_t i = 0; i < count; i++) {
        ao_add(&line, element(&input, a->data_type, i));
        found[i] = (uint8_t)ao_judge(&line, element(&output, a->data_type, i));
        seams[i] = ao_has_seams(&line);
        fails |= found[i] == AO_FAIL;
    }
    judge_line(a, count, false, NULL, false, true);
    for (uint32_t i = 0; i < count && !fails; i++) {
        const ao_verdict library = verdict_of_library(verdicts[i], false);
        both += found[i] == AO_DOUBTFUL && library == AO_DOUBTFUL;
        if (found[i] != (uint8_t)library && !seams[i])
            differ(a, i, count, false, element(&output, a->data_type, i), (ao_verdict)found[i]);
    }
    return both;
}

int main(int argc, char **argv) {
    const size_t kinds = sizeof arithmetics / sizeof arithmetics[0];
    uint64_t outputs = 0, sums = 0, doubtful = 0, lines = 0;
    const uint64_t wanted = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
    if (wanted == 0) {
        fprintf(stderr, "usage: check_agreement OUTPUTS\n");
        return 2;
    }
    for (size_t i = 0; outputs < wanted; i++) {
        outputs += SUMS + compare_line(&arithmetics[i % kinds], i / kinds % 2);
        sums += compare_sums(&arithmetics[i % kinds], i / kinds % 2);
    }
    for (; lines < wanted / 1000; lines++) {
        const arithmetic *a = &arithmetics[lines % 6];
        if (a->accumulator == AO_FLOAT32 || a->accumulator == AO_FLOAT64)
            doubtful += compare_doubt(a);
    }
    printf("%" PRIu64 " outputs, of which both doubt %" PRIu64 " sums, and scans with %" PRIu64
           " that both doubt, %u differences\n",
           outputs, sums, doubtful, differences);
    return differences || doubtful == 0 || sums == 0 ? 1 : 0;
}
