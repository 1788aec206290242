/* SPDX-License-Identifier: MIT */
/*
 * anyorder.h against test vectors, and its bits of numbers: check_vectors FILE. Each difference is
 * printed, and how many of what was compared. Also built as C++.
 */
#include "anyorder.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json_tree.h"

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* The words of vectors.json for the members of a profile. */

static const char *const type_names[] = {"FLOAT64", "FLOAT32", "FLOAT16", "BFLOAT16",
                                         "INT8",    "UINT8",   "INT16",   "UINT16",
                                         "INT32",   "UINT32",  "INT64",   "UINT64"};
static const char *const rounding_names[] = {"nearest", "toward-zero", "either"};
static const char *const flush_names[] = {"never", "may", "must"};
static const char *const specials_names[] = {"ieee", "absent"};
static const char *const order_names[] = {"any", "contiguous", "sequential"};
static const char *const wider_names[] = {"forbidden", "allowed"};

/* Room for 8 terms of which all orders are tried, with choices. */
static uint64_t room[1 << 20];

static unsigned differences;
static unsigned compared;

static const char *text(struct json_object *object) {
    return json_word(object);
}

/* The JSON in a file, a pipe as well; NULL if there is none. */
static struct json_object *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    size_t length = 0, size = 1 << 16;
    char *bytes = (char *)malloc(size);
    while (file && bytes && (length += fread(bytes + length, 1, size - length, file)) == size)
        bytes = (char *)realloc(bytes, size *= 2);
    struct json_object *value = file && bytes ? json_read(bytes, length) : NULL;
    if (file)
        fclose(file);
    free(bytes);
    return value;
}

static struct json_object *member(struct json_object *object, const char *name) {
    struct json_object *found = json_member(object, name);
    if (!found) {
        fprintf(stderr, "check_vectors: %s is missing in %s\n", name, text(object));
        exit(2);
    }
    return found;
}

static unsigned find_name(const char *name, const char *const *names, size_t count) {
    for (unsigned i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    fprintf(stderr, "check_vectors: nothing has the name %s\n", name);
    exit(2);
}

static unsigned choice(struct json_object *object, const char *name, const char *const *names,
                       size_t count) {
    return find_name(text(member(object, name)), names, count);
}

static ao_profile read_profile(struct json_object *o) {
    ao_profile p;
    memset(&p, 0, sizeof p);
    p.type = (ao_type)choice(o, "type", type_names, COUNT(type_names));
    p.accumulator = (ao_type)choice(o, "accumulator", type_names, COUNT(type_names));
    p.rounding = (ao_rounding)choice(o, "rounding", rounding_names, COUNT(rounding_names));
    p.flush_inputs = (ao_flush)choice(o, "flush-inputs", flush_names, COUNT(flush_names));
    p.flush_results = (ao_flush)choice(o, "flush-results", flush_names, COUNT(flush_names));
    p.specials = (ao_specials)choice(o, "specials", specials_names, COUNT(specials_names));
    p.order = (ao_order)choice(o, "order", order_names, COUNT(order_names));
    p.wider = (ao_wider)choice(o, "wider", wider_names, COUNT(wider_names));
    p.strict_zero = json_is_true(json_member(o, "strict-zero"));
    return p;
}

static int same_profile(const ao_profile *a, const ao_profile *b) {
    return a->type == b->type && a->accumulator == b->accumulator && a->rounding == b->rounding &&
           a->flush_inputs == b->flush_inputs && a->flush_results == b->flush_results &&
           a->specials == b->specials && a->order == b->order && a->wider == b->wider &&
           a->strict_zero == b->strict_zero && a->room == b->room && a->room_count == b->room_count;
}

static ao_profile named_profile(const char *name, ao_type type) {
    static const char *const names[] = {"ieee", "cuda", "hlsl", "sycl", "opencl", "vulkan", "wgsl"};
    static ao_profile (*const profiles[])(ao_type) = {ao_ieee,   ao_cuda,   ao_hlsl, ao_sycl,
                                                      ao_opencl, ao_vulkan, ao_wgsl};
    return profiles[find_name(name, names, COUNT(names))](type);
}

static void differ(const char *line, size_t step, const char *expected, const char *found) {
    differences++;
    printf("%s, step %zu: expected %s, found %s\n", line, step, expected, found);
}

static uint64_t step_bits(struct json_object *step, size_t i) {
    return strtoull(text(json_element(step, i)), NULL, 16);
}

static void check_range(const char *name, size_t i, struct json_object *step, ao_line *line) {
    char expected[80] = "nothing", found[80] = "nothing";
    uint64_t low, high;
    if (json_length(step) == 3)
        snprintf(expected, sizeof expected, "%" PRIx64 " to %" PRIx64, step_bits(step, 1),
                 step_bits(step, 2));
    if (ao_range(line, &low, &high))
        snprintf(found, sizeof found, "%" PRIx64 " to %" PRIx64, low, high);
    if (strcmp(expected, found) != 0)
        differ(name, i, expected, found);
}

static void check_step(const char *name, size_t i, struct json_object *step, ao_line *line) {
    const char *what = text(json_element(step, 0));
    if (strcmp(what, "add") == 0) {
        for (size_t k = 1; k < json_length(step); k++)
            ao_add(line, step_bits(step, k));
        return;
    }
    compared++;
    if (strcmp(what, "range") == 0) {
        check_range(name, i, step, line);
        return;
    }
    const uint64_t bits = step_bits(step, 1);
    const char *expected = text(json_element(step, 2));
    const int sum = strcmp(what, "judge-sum") == 0;
    const ao_verdict verdict = sum ? ao_judge_sum(line, bits) : ao_judge(line, bits);
    const char *found = ao_verdict_name(verdict);
    if (strcmp(expected, found) != 0)
        differ(name, i, expected, found);
    if (sum && ao_judge_sum(line, bits) != verdict)
        differ(name, i, expected, "another verdict the second time");
    if (!ao_reason(line))
        differ(name, i, "a reason", "none");
}

static void check_line(struct json_object *o) {
    const char *name = text(member(o, "name"));
    struct json_object *named = json_member(o, "named");
    struct json_object *steps = member(o, "steps");
    ao_profile profile = read_profile(member(o, "profile"));
    ao_line line;
    if (named) {
        const ao_profile built = named_profile(text(named), profile.type);
        compared++;
        if (!same_profile(&built, &profile))
            differ(name, 0, "the listed members", "others");
    }
    if (json_member(o, "orders-of")) {
        profile.room = room;
        profile.room_count = COUNT(room);
    }
    const char *problem = ao_begin(&line, &profile);
    if ((json_member(o, "error") != NULL) != (problem != NULL))
        differ(name, 0, problem ? "no error" : "an error", problem ? problem : "none");
    if (problem) {
        compared++;
        ao_add(&line, 0);
        if (ao_judge(&line, 0) != AO_FAIL || ao_reason(&line) != problem)
            differ(name, 0, "FAIL, for that reason", "another verdict");
    }
    for (size_t i = 0; i < json_length(steps); i++)
        check_step(name, i, json_element(steps, i), &line);
}

static void expect_bits(const char *what, uint64_t found, uint64_t expected) {
    compared++;
    if (found == expected)
        return;
    differences++;
    printf("%s: expected %" PRIx64 ", found %" PRIx64 "\n", what, expected, found);
}

/* Values that are no numbers of the type are rounded. */
static void check_numbers(void) {
    static const struct {
        ao_type type;
        double value;
        uint64_t bits;
        double back;
    } numbers[] = {{AO_FLOAT64, 0.1, UINT64_C(0x3FB999999999999A), 0.1},
                   {AO_FLOAT32, -1.5, 0xBFC00000, -1.5},
                   {AO_FLOAT32, 16777217, 0x4B800000, 16777216},
                   {AO_FLOAT16, 65519.99, 0x7BFF, 65504},
                   {AO_FLOAT16, 0x1p-24, 1, 0x1p-24},
                   {AO_FLOAT16, -0x1p-26, 0x8000, -0.0},
                   {AO_BFLOAT16, 1.01171875, 0x3F82, 1.015625},
                   {AO_BFLOAT16, -1e300, 0xFF80, -(double)INFINITY}};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        expect_bits("bits", ao_bits(numbers[i].type, numbers[i].value), numbers[i].bits);
        expect_bits("value", ao_from_double(ao_value(numbers[i].type, numbers[i].bits)),
                    ao_from_double(numbers[i].back));
    }
    expect_bits("NaN", ao_bits(AO_FLOAT16, (double)NAN), 0x7E00);
    expect_bits("float", ao_from_float(-1.5F), 0xBFC00000);
    expect_bits("half", ao_from_half(ao_to_half(0xFFFFBC00)), 0xBC00);
    if (ao_to_float(0x3FC00000) != 1.5F || ao_to_double(ao_from_double(0.1)) != 0.1)
        differ("numbers", 0, "those of the bits", "others");
    if (strcmp(AO_VERSION, PROJECT_VERSION) != 0)
        differ("version", 0, PROJECT_VERSION, AO_VERSION);
}

int main(int argc, char **argv) {
    struct json_object *file = argc == 2 ? read_file(argv[1]) : NULL;
    if (!file) {
        fprintf(stderr, "usage: check_vectors FILE, which is JSON\n");
        return 2;
    }
    struct json_object *lines = member(file, "lines");
    check_numbers();
    for (size_t i = 0; i < json_length(lines); i++)
        check_line(json_element(lines, i));
    printf("%zu lines, %u compared, %u differences\n", json_length(lines), compared, differences);
    json_object_put(file);
    return differences ? 1 : 0;
}
