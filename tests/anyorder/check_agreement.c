/* SPDX-License-Identifier: MIT */
/*
 * anyorder.h and the library's oracle, which share no code, on the same lines:
 * check_agreement OUTPUTS. Outputs are at the ends of what is accepted, one step beyond, and
 * elsewhere; then scans with and without faults, of which some are suspect. Sums of the same lines
 * are compared with cumsum_judge_sums, doubt included.
 *
 * check_agreement OUTPUTS library: prints shorter ones, in the form of vectors.json, with the
 * verdicts of the library, for judge_library.py. check_agreement OUTPUTS header: prints lines with
 * those of anyorder.h, for check_vectors.mjs.
 */
#include "anyorder.h"

#include <cumsum/oracle.h>
#include <cumsum/sums.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "profile_words.h"
#include "splitmix64.h"

enum {
    MOST = 3000,
    SUMS = 16, /* outputs of one line's sum */
    ROOM = 1 << 17
};

static uint64_t state = 5;
static unsigned differences;
static bool prints_library, prints_header;
static uint32_t longest; /* line */
static uint64_t room[ROOM];

/* The arithmetics that both know. */
static const struct arithmetic {
    ao_type type;
    ao_type accumulator;
} arithmetics[] = {
    {AO_FLOAT32, AO_FLOAT32}, {AO_FLOAT64, AO_FLOAT64},   {AO_FLOAT16, AO_FLOAT16},
    {AO_FLOAT16, AO_FLOAT32}, {AO_BFLOAT16, AO_BFLOAT16}, {AO_BFLOAT16, AO_FLOAT32},
    {AO_FLOAT32, AO_FLOAT64}, {AO_FLOAT16, AO_FLOAT64},   {AO_INT8, AO_INT8},
    {AO_UINT16, AO_UINT16},   {AO_INT32, AO_INT32},       {AO_UINT64, AO_UINT64},
};
static const cumsum_data_type data_types[] = {
    CUMSUM_DATA_TYPE_FLOAT64,  CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16,
    CUMSUM_DATA_TYPE_BFLOAT16, CUMSUM_DATA_TYPE_INT8,    CUMSUM_DATA_TYPE_UINT8,
    CUMSUM_DATA_TYPE_INT16,    CUMSUM_DATA_TYPE_UINT16,  CUMSUM_DATA_TYPE_INT32,
    CUMSUM_DATA_TYPE_UINT32,   CUMSUM_DATA_TYPE_INT64,   CUMSUM_DATA_TYPE_UINT64};

/* The line that is looked at. */
static struct line {
    ao_profile profile;
    bool by_profile; /* of the library; false: its models, of which the profile's is promised */
    bool sum;        /* of the outputs each is one of all terms */
    bool exclusive;
    bool doubt; /* is looked for by the library */
    uint32_t count;
    uint64_t terms[MOST];
    uint64_t outputs[MOST];
    ao_verdict found[MOST]; /* by the header */
    bool open[MOST];        /* what the library knows more of may change the header's doubt */
    ao_verdict said[MOST];  /* by the library */
    cumsum_judgement judgement;
} now;

/* Terms whose exponents are in a window, which may be that of subnormals or of overflows, and
 * sometimes zeros, or terms before with the other sign. */
static void fill(void) {
    const ao_type type = now.profile.type;
    const uint32_t kind = random_below(&state, 8);
    const uint32_t span = 1 + random_below(&state, random_once_in(&state, 2) ? 3 : 60);
    const bool one_sign = random_once_in(&state, 3), few_bits = random_once_in(&state, 3);
    const bool zeros = random_once_in(&state, 4);
    /* The library rounds its bound for neighbours up, which shows where S is nearly 0. */
    const bool exact = prints_header || now.profile.order != AO_ORDER_CONTIGUOUS;
    const bool cancels = random_once_in(&state, 4) && exact;
    for (uint32_t i = 0; i < now.count; i++) {
        uint64_t bits = random_next(&state) & ao_type_mask(type);
        if (ao_is_float(type)) {
            const ao_format *f = ao_format_of(type);
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
            if (cancels && i > 0 && random_once_in(&state, 2))
                bits = f->sign ^ now.terms[random_below(&state, i)];
            if (one_sign)
                bits &= ~f->sign;
            if (zeros && random_once_in(&state, 2))
                bits &= f->sign;
            if (random_once_in(&state, 1000))
                bits = (bits & f->sign) | (f->infinity + random_once_in(&state, 3));
        }
        now.terms[i] = bits;
    }
}

/* IEEE 754 in an arithmetic, or any profile. */
static void choose_profile(const struct arithmetic *a, bool any) {
    ao_profile p = ao_ieee(a->type);
    p.accumulator = a->accumulator;
    now.by_profile = any;
    if (any && ao_is_float(a->type)) {
        p.rounding = (ao_rounding)random_below(&state, 3);
        p.flush_inputs = (ao_flush)random_below(&state, 3);
        p.flush_results =
            random_once_in(&state, 2) ? p.flush_inputs : (ao_flush)random_below(&state, 3);
        p.specials = random_once_in(&state, 4) ? AO_SPECIALS_ABSENT : AO_SPECIALS_IEEE;
        p.order = (ao_order)random_below(&state, 3);
        p.wider = random_once_in(&state, 3) ? AO_WIDER_ALLOWED : AO_WIDER_FORBIDDEN;
        p.strict_zero = random_once_in(&state, 4);
        if (p.rounding == AO_NEAREST && !ao_flushes(&p) && random_once_in(&state, 4)) {
            p.room = room;
            p.room_count = ROOM;
        }
    }
    now.profile = p;
}

/* Draws a line: every second round of arithmetics has random profiles, and so has a binary64
 * accumulator of a narrower type, which the library has in profiles alone. */
static void draw(uint64_t number, uint32_t most) {
    const size_t kinds = sizeof arithmetics / sizeof arithmetics[0];
    const struct arithmetic *a = &arithmetics[number % kinds];
    choose_profile(a,
                   number / kinds % 2 || (a->accumulator == AO_FLOAT64 && a->type != AO_FLOAT64));
    now.count = random_between(&state, 1, most);
    now.exclusive = random_once_in(&state, 3);
    now.sum = now.doubt = false;
    fill();
}

static union tensor {
    uint64_t u64[MOST];
    uint32_t u32[MOST];
    uint16_t u16[MOST];
    uint8_t u8[MOST];
} input, output;

static void store(union tensor *t, const uint64_t *bits, uint32_t count) {
    const uint64_t size = cumsum_data_type_size(data_types[now.profile.type]);
    for (uint32_t i = 0; i < count; i++)
        if (size == 8)
            t->u64[i] = bits[i];
        else if (size == 4)
            t->u32[i] = (uint32_t)bits[i];
        else if (size == 2)
            t->u16[i] = (uint16_t)bits[i];
        else
            t->u8[i] = (uint8_t)bits[i];
}

static cumsum_buffer_tensor_desc describe(uint32_t rank, const uint32_t *sizes,
                                          const uint32_t *strides, uint64_t elements) {
    const cumsum_data_type type = data_types[now.profile.type];
    return (cumsum_buffer_tensor_desc){.data_type = type,
                                       .dimension_count = rank,
                                       .sizes = sizes,
                                       .strides = strides,
                                       .total_tensor_size_in_bytes =
                                           (elements * cumsum_data_type_size(type) + 3) / 4 * 4};
}

static const cumsum_judge_options *options(bool orders) {
    static cumsum_profile same;
    static cumsum_judge_options how;
    const ao_profile *p = &now.profile;
    const bool half = p->type == AO_FLOAT16 || p->type == AO_BFLOAT16;
    same = (cumsum_profile){
        .accumulator = ao_is_float(p->type) ? data_types[p->accumulator] : CUMSUM_DATA_TYPE_UNKNOWN,
        .rounding = (cumsum_rounding)p->rounding,
        .flush_inputs = (cumsum_flush)p->flush_inputs,
        .flush_results = (cumsum_flush)p->flush_results,
        .specials_absent = p->specials == AO_SPECIALS_ABSENT,
        .order = (cumsum_allowed_order)p->order,
        .wider_allowed = p->wider == AO_WIDER_ALLOWED,
    };
    how = (cumsum_judge_options){.strict_zero = p->strict_zero,
                                 .reachable = p->room != NULL,
                                 .promised = !now.by_profile && half,
                                 .no_orders = !orders,
                                 .no_doubt = !now.doubt,
                                 .profile = now.by_profile ? &same : NULL,
                                 .numerics.half_store = CUMSUM_HALF_STORE_IEEE};
    if (p->accumulator != AO_FLOAT32)
        how.numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    return &how;
}

/* What the library's verdict is in the words of the header: with a profile, or else for IEEE 754
 * without flushing. */
static ao_verdict in_words_of_header(uint8_t verdict) {
    if (verdict == CUMSUM_VERDICT_CONFORMANT_FLUSH || verdict == CUMSUM_VERDICT_WIDER)
        return now.by_profile ? AO_PASS : AO_FAIL;
    return verdict == CUMSUM_VERDICT_FAIL           ? AO_FAIL
           : verdict == CUMSUM_VERDICT_SUSPECT      ? AO_SUSPECT
           : verdict == CUMSUM_VERDICT_MAY_OVERFLOW ? AO_INDETERMINATE
                                                    : AO_PASS;
}

/* Judges a scan, or SUMS outputs as sums of the line, one row each, of which all have the same
 * elements. */
static void judge(bool orders) {
    const uint32_t sizes[2] = {SUMS, now.count}, strides[2] = {0, 1}, out_sizes[2] = {SUMS, 1};
    const uint32_t axis = 1, outputs = now.sum ? SUMS : now.count;
    const cumsum_buffer_tensor_desc in = now.sum ? describe(2, sizes, strides, now.count)
                                                 : describe(1, &now.count, NULL, outputs),
                                    out = now.sum ? describe(2, out_sizes, NULL, SUMS) : in;
    const cumsum_tensor_desc from = {CUMSUM_TENSOR_TYPE_BUFFER, &in},
                             to = {CUMSUM_TENSOR_TYPE_BUFFER, &out};
    const cumsum_operator_desc scan = {&from, &to, 0, CUMSUM_AXIS_DIRECTION_INCREASING,
                                       now.exclusive};
    const cumsum_sums_desc sums = {&from, &to, 1, &axis};
    uint8_t verdicts[MOST];
    cumsum_sums_judgement judgement;
    cumsum_diagnostic why;
    store(&input, now.terms, now.count);
    store(&output, now.outputs, outputs);
    const cumsum_status status =
        now.sum ? cumsum_judge_sums(&sums, &input, sizeof input, &output, sizeof output,
                                    options(orders), verdicts, &judgement, &why)
                : cumsum_judge(&scan, &input, sizeof input, &output, sizeof output, options(orders),
                               verdicts, &judgement.judgement, &why);
    if (status != CUMSUM_OK) {
        printf("the library: %s\n", why.message);
        exit(2);
    }
    now.judgement = judgement.judgement;
    for (uint32_t i = 0; i < outputs; i++)
        now.said[i] = in_words_of_header(verdicts[i]);
}

/* In the form of vectors.json. */

static unsigned lines, steps; /* that are printed; steps of the last line */

static void print_profile(void) {
    const ao_profile *p = &now.profile;
    printf("\"profile\":{\"type\":\"%s\",\"accumulator\":\"%s\",\"rounding\":\"%s\","
           "\"flush-inputs\":\"%s\",\"flush-results\":\"%s\",\"specials\":\"%s\",\"order\":\"%s\","
           "\"wider\":\"%s\",\"strict-zero\":%s}",
           type_names[p->type], type_names[p->accumulator], rounding_names[p->rounding],
           flush_names[p->flush_inputs], flush_names[p->flush_results], specials_names[p->specials],
           order_names[p->order], wider_names[p->wider], p->strict_zero ? "true" : "false");
}

static void print_line(void) {
    printf("%s{\"name\":\"line %u\",", lines ? ",\n" : "", lines);
    print_profile();
    printf("%s%s%s,\"steps\":[", now.profile.room ? ",\"orders-of\":8" : "",
           now.by_profile ? "" : ",\"models\":true", now.doubt ? "" : ",\"no-doubt\":true");
    lines++;
    steps = 0;
}

static void print_step(const char *what, uint64_t bits, const char *verdict) {
    printf("%s[\"%s\",\"%" PRIx64 "\"", steps++ ? "," : "", what, bits);
    printf(verdict ? ",\"%s\"]" : "]", verdict);
}

static void print_range(bool known, uint64_t low, uint64_t high) {
    printf(known ? "%s[\"range\",\"%" PRIx64 "\",\"%" PRIx64 "\"]" : "%s[\"range\"]",
           steps++ ? "," : "", low, high);
}

/* With the verdicts of the library, and the interval that it shows of an output that fails. */
static void print_verdicts(void) {
    const cumsum_finding *first = &now.judgement.first;
    print_line();
    for (uint32_t i = 0; i < now.count; i++) {
        if (!now.exclusive)
            print_step("add", now.terms[i], NULL);
        if (!now.sum)
            print_step("judge", now.outputs[i], ao_verdict_name(now.said[i]));
        if (!now.sum && first->verdict == CUMSUM_VERDICT_FAIL && first->coordinates[0] == i)
            print_range(true, first->lower_bits, first->upper_bits);
        if (now.exclusive)
            print_step("add", now.terms[i], NULL);
    }
    for (uint32_t i = 0; i < SUMS && now.sum; i++)
        if (!now.open[i])
            print_step("judge-sum", now.outputs[i], ao_verdict_name(now.said[i]));
    printf("]}");
}

/* One at or near the ends of what is accepted. */
static uint64_t choose_output(ao_line *header) {
    const ao_type type = now.profile.type;
    uint64_t low, high;
    const uint64_t any = random_next(&state) & ao_type_mask(type);
    if (now.profile.strict_zero && random_once_in(&state, 5))
        return ao_format_of(type)->sign;
    if (!ao_range(header, &low, &high))
        return any;
    if (!ao_is_float(type))
        return (random_once_in(&state, 4) ? low + 1 : low) & ao_type_mask(type);
    const ao_format *f = ao_format_of(type);
    if (random_once_in(&state, 12)) {
        const uint64_t special[] = {f->infinity, f->infinity + 1, 0, any};
        return special[random_below(&state, 4)] ^ (any & f->sign);
    }
    const int64_t end = ao_rank(f, random_once_in(&state, 2) ? low : high);
    const int64_t limit = (int64_t)f->infinity;
    int64_t rank = end + (int64_t)random_below(&state, 5) - 2;
    rank = rank > limit ? limit : rank < -limit ? -limit : rank;
    return ao_of_rank(f, rank);
}

/* One between the ends of what is accepted, if there are any. */
static uint64_t choose_accepted(ao_line *header) {
    uint64_t low, high;
    if (!ao_range(header, &low, &high) || !ao_is_float(now.profile.type))
        return low;
    const ao_format *f = ao_format_of(now.profile.type);
    const uint64_t least = (uint64_t)ao_rank(f, low), most = (uint64_t)ao_rank(f, high);
    return ao_of_rank(f, (int64_t)(least + random_next(&state) % (most - least + 1)));
}

/* Prints a line with verdicts and ranges of the header. */
static void print_header(uint64_t number) {
    uint64_t low, high;
    draw(number, random_once_in(&state, 2) ? 8 : 60);
    ao_line header;
    ao_begin(&header, &now.profile);
    now.by_profile = now.doubt = true; /* which mark nothing */
    print_line();
    for (uint32_t i = 0; i < now.count; i++) {
        ao_add(&header, now.terms[i]);
        print_step("add", now.terms[i], NULL);
        if (!random_once_in(&state, 3))
            continue;
        const bool known = ao_range(&header, &low, &high);
        print_range(known, low, high);
        for (uint32_t k = 0; k < 7; k++) {
            const bool scan = !random_once_in(&state, 5);
            const uint64_t y = k < 6 ? choose_output(&header) : choose_accepted(&header);
            print_step(scan ? "judge" : "judge-sum", y,
                       ao_verdict_name(scan ? ao_judge(&header, y) : ao_judge_sum(&header, y)));
        }
    }
    printf("]}");
}

/* Where one of them knows more than the other one:
 * - it follows sequential sums of wider accumulators too, of which the library has a bound;
 * - it stores a sum that stopped at the accumulator's greatest number, which may give an infinity;
 * - a subnormal output fails where results must be flushed, also if sums stop at the greatest
 *   number. */
static bool may_differ(ao_verdict header, ao_verdict library, uint64_t y) {
    const ao_profile *p = &now.profile;
    if (header == AO_PASS)
        return library == AO_INDETERMINATE && p->rounding == AO_EITHER &&
               p->accumulator != p->type && !ao_is_finite(ao_format_of(p->type), y);
    if (p->order == AO_ORDER_SEQUENTIAL && p->wider == AO_WIDER_ALLOWED)
        return library == AO_PASS;
    return header == AO_FAIL && p->flush_results == AO_FLUSH_MUST && p->rounding != AO_NEAREST &&
           ao_is_subnormal(ao_format_of(p->type), y);
}

/* Does an order that has a name give this sum, which clears it of doubt? anyorder knows the
 * sequential one alone. */
static bool has_order(uint32_t i) {
    static struct line kept;
    kept = now;
    for (uint32_t k = 0; k < SUMS; k++)
        now.outputs[k] = now.outputs[i];
    judge(true);
    const bool given = now.judgement.match_count > 0;
    now = kept;
    return given;
}

static void compare(uint32_t i) {
    const ao_verdict header = now.found[i], library = now.said[i];
    /* For what is flushed, anyorder takes away more of the error of a sum. */
    const bool flushed =
        now.sum && header == AO_PASS && library == AO_SUSPECT && ao_flushes(&now.profile);
    if (header == library || flushed || may_differ(header, library, now.outputs[i]))
        return;
    differences++;
    print_profile();
    printf(": output %" PRIu32 " of %" PRIu32 "%s, %" PRIx64 ": anyorder says %s, the library %s\n",
           i, now.count, now.exclusive ? ", exclusive" : "", now.outputs[i],
           ao_verdict_name(header), ao_verdict_name(library));
}

/* Prints or compares the verdicts. Returns how many outputs are suspect for both. */
static uint64_t conclude(void) {
    const uint32_t outputs = now.sum ? SUMS : now.count;
    uint64_t both = 0;
    judge(false);
    const bool doubts = now.doubt && now.judgement.counts[CUMSUM_VERDICT_FAIL] == 0;
    for (uint32_t i = 0; i < outputs; i++) {
        if (now.found[i] == AO_SUSPECT && !doubts) /* nor does the library */
            now.found[i] = AO_PASS;
        both += now.found[i] == AO_SUSPECT && now.said[i] == AO_SUSPECT;
    }
    for (uint32_t i = 0; i < SUMS && now.sum; i++)
        now.open[i] = now.found[i] == AO_SUSPECT && now.said[i] == AO_PASS && has_order(i);
    if (prints_library)
        print_verdicts();
    for (uint32_t i = 0; i < outputs && !prints_library; i++)
        if (!doubts || !now.open[i])
            compare(i);
    return both;
}

/* Asks the header about each output of a scan. */
static void ask_header(bool choose) {
    ao_line header;
    ao_begin(&header, &now.profile);
    for (uint32_t i = 0; i < now.count; i++) {
        if (!now.exclusive)
            ao_add(&header, now.terms[i]);
        if (choose)
            now.outputs[i] = choose_output(&header);
        now.found[i] = ao_judge(&header, now.outputs[i]);
        now.open[i] = ao_has_seams(&header); /* so far: the line may go on otherwise */
        if (now.exclusive)
            ao_add(&header, now.terms[i]);
    }
}

/* Verdict 1 on one line. Returns how many outputs were compared. */
static uint64_t compare_scan(uint64_t number) {
    draw(number, random_once_in(&state, 8) ? longest : 40);
    ask_header(true);
    conclude();
    return now.count;
}

/* Sums of one line. Returns how many outputs are suspect for both. */
static uint64_t compare_sums(uint64_t number) {
    const bool accepted = random_once_in(&state, 2);
    draw(number, random_once_in(&state, 2) ? longest : 40);
    now.profile.strict_zero = 0; /* the library has a sum of -0 alone be -0 */
    now.exclusive = false;
    now.sum = now.doubt = true;
    ao_line header;
    ao_begin(&header, &now.profile);
    for (uint32_t i = 0; i < now.count; i++)
        ao_add(&header, now.terms[i]);
    for (uint32_t i = 0; i < SUMS; i++) {
        now.outputs[i] = accepted ? choose_accepted(&header) : choose_output(&header);
        now.found[i] = ao_judge_sum(&header, now.outputs[i]);
    }
    return conclude();
}

static double rounded(double sum) {
    return now.profile.accumulator == AO_FLOAT64 ? sum : (double)(float)sum;
}

/* Normal terms, or nearly: sums of uniform ones. */
static void fill_normal(void) {
    const bool one_sign = random_once_in(&state, 3);
    for (uint32_t i = 0; i < now.count; i++) {
        double x = one_sign ? 0 : -6;
        for (int k = 0; k < (one_sign ? 1 : 12); k++)
            x += (double)(random_next(&state) >> 11) * 0x1p-53;
        now.terms[i] = ao_bits(now.profile.type, rounded(x));
    }
}

/* A scan in chunks of 64, with a carry that may be wrong by some units from somewhere on. */
static void scan(void) {
    const uint32_t place = 64 * random_between(&state, 1, now.count / 64);
    const double unit = now.profile.accumulator == AO_FLOAT64 ? 0x1p-53 : 0x1p-24;
    const double fault =
        random_once_in(&state, 4)
            ? 0
            : unit * (double)random_between(&state, 1, 40000) * (double)now.count / 50;
    double carry = 0, sum = 0;
    for (uint32_t i = 0; i < now.count; i++) {
        if (i % 64 == 0) {
            carry = rounded(carry + sum);
            sum = 0;
        }
        if (i == place)
            carry = rounded(carry + fault);
        sum = rounded(sum + ao_value(now.profile.type, now.terms[i]));
        now.outputs[i] = ao_bits(now.profile.type, rounded(carry + sum));
    }
}

/* Doubt on one line. Returns how many outputs of it are suspect for both. */
static uint64_t compare_doubt(const struct arithmetic *a) {
    choose_profile(a, false);
    now.count = random_between(&state, 200, longest);
    now.sum = now.exclusive = false;
    now.doubt = true;
    fill_normal();
    scan();
    ask_header(false);
    return conclude();
}

/* Returns whether both have the same verdicts, and doubt something. */
static bool compare_lines(uint64_t wanted) {
    uint64_t outputs = 0, sums = 0, suspect = 0;
    for (uint64_t i = 0; outputs < wanted; i++) {
        outputs += SUMS + compare_scan(i);
        sums += compare_sums(i);
    }
    for (uint64_t i = 0; i < wanted / (prints_library ? 200 : 1000); i++) {
        const struct arithmetic *a = &arithmetics[i % 6];
        if (a->accumulator == AO_FLOAT32 || a->accumulator == AO_FLOAT64)
            suspect += compare_doubt(a);
    }
    fprintf(stderr,
            "%" PRIu64 " outputs, of which both doubt %" PRIu64 " sums, and scans with %" PRIu64
            " that both doubt, %u differences\n",
            outputs, sums, suspect, differences);
    return !differences && suspect > 0 && sums > 0;
}

int main(int argc, char **argv) {
    const uint64_t wanted = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    prints_header = argc == 3 && strcmp(argv[2], "header") == 0;
    prints_library = argc == 3 && strcmp(argv[2], "library") == 0;
    longest = prints_library ? 300 : MOST; /* rationals are slow */
    if (wanted == 0 || (argc != 2 && !prints_header && !prints_library)) {
        fprintf(stderr, "usage: check_agreement OUTPUTS [library|header]\n");
        return 2;
    }
    if (argc == 2)
        return !compare_lines(wanted);
    printf("{\"lines\":[\n");
    if (prints_library)
        compare_lines(wanted);
    for (uint64_t i = 0, outputs = 0; prints_header && outputs < wanted; i++, outputs += steps)
        print_header(i);
    return printf("]}\n") < 0;
}
