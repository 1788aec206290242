/* SPDX-License-Identifier: MIT */
/*
 * anyorder.h against test vectors: check_vectors FILE. Each difference is printed, and how many of
 * what was compared. Also built as C++.
 */
#include "anyorder.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const type_names[] = {"FLOAT64", "FLOAT32", "FLOAT16", "BFLOAT16",
                                         "INT8",    "UINT8",   "INT16",   "UINT16",
                                         "INT32",   "UINT32",  "INT64",   "UINT64"};
static const char *const rounding_names[] = {"nearest", "toward-zero", "either"};
static const char *const flush_names[] = {"never", "may", "must"};
static const char *const specials_names[] = {"ieee", "absent"};
static const char *const order_names[] = {"any", "contiguous", "sequential"};
static const char *const wider_names[] = {"forbidden", "allowed"};
static const char *const verdict_names[] = {"PASS", "FAIL", "DOUBTFUL", "INDETERMINATE"};
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* Room for 8 terms of which all orders are tried, with choices. */
static uint64_t room[1 << 20];

static unsigned differences;
static unsigned compared;

static const char *text(struct json_object *object) {
    return json_object_get_string(object);
}

static struct json_object *member(struct json_object *object, const char *name) {
    struct json_object *found = NULL;
    if (!json_object_object_get_ex(object, name, &found)) {
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
    struct json_object *strict_zero = NULL;
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
    if (json_object_object_get_ex(o, "strict-zero", &strict_zero))
        p.strict_zero = json_object_get_boolean(strict_zero);
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
    return strtoull(text(json_object_array_get_idx(step, i)), NULL, 16);
}

static void check_range(const char *name, size_t i, struct json_object *step, const ao_line *line) {
    char expected[80] = "nothing", found[80] = "nothing";
    uint64_t low, high;
    if (json_object_array_length(step) == 3)
        snprintf(expected, sizeof expected, "%" PRIx64 " to %" PRIx64, step_bits(step, 1),
                 step_bits(step, 2));
    if (ao_range(line, &low, &high))
        snprintf(found, sizeof found, "%" PRIx64 " to %" PRIx64, low, high);
    if (strcmp(expected, found) != 0)
        differ(name, i, expected, found);
}

static void check_step(const char *name, size_t i, struct json_object *step, ao_line *line) {
    const char *what = text(json_object_array_get_idx(step, 0));
    if (strcmp(what, "add") == 0) {
        for (size_t k = 1; k < json_object_array_length(step); k++)
            ao_add(line, step_bits(step, k));
        return;
    }
    compared++;
    if (strcmp(what, "range") == 0) {
        check_range(name, i, step, line);
        return;
    }
    const uint64_t bits = step_bits(step, 1);
    const char *expected = text(json_object_array_get_idx(step, 2));
    const int sum = strcmp(what, "judge-sum") == 0;
    const char *found = verdict_names[sum ? ao_judge_sum(line, bits) : ao_judge(line, bits)];
    if (strcmp(expected, found) != 0)
        differ(name, i, expected, found);
    if (!ao_reason(line))
        differ(name, i, "a reason", "none");
}

static void check_line(struct json_object *o) {
    const char *name = text(member(o, "name"));
    struct json_object *named = NULL, *error = NULL, *orders = NULL;
    struct json_object *steps = member(o, "steps");
    ao_profile profile = read_profile(member(o, "profile"));
    ao_line line;
    if (json_object_object_get_ex(o, "named", &named)) {
        const ao_profile built = named_profile(text(named), profile.type);
        compared++;
        if (!same_profile(&built, &profile))
            differ(name, 0, "the listed members", "others");
    }
    if (json_object_object_get_ex(o, "orders-of", &orders)) {
        profile.room = room;
        profile.room_count = COUNT(room);
    }
    const char *problem = ao_begin(&line, &profile);
    if (json_object_object_get_ex(o, "error", &error) != (problem != NULL))
        differ(name, 0, problem ? "no error" : "an error", problem ? problem : "none");
    if (problem) {
        compared++;
        ao_add(&line, 0);
        if (ao_judge(&line, 0) != AO_FAIL || ao_reason(&line) != problem)
            differ(name, 0, "FAIL, for that reason", "another verdict");
    }
    for (size_t i = 0; i < json_object_array_length(steps); i++)
        check_step(name, i, json_object_array_get_idx(steps, i), &line);
}

int main(int argc, char **argv) {
    struct json_object *file = argc == 2 ? json_object_from_file(argv[1]) : NULL;
    if (!file) {
        fprintf(stderr, "usage: check_vectors FILE, which is JSON\n");
        return 2;
    }
    struct json_object *lines = member(file, "lines");
    for (size_t i = 0; i < json_object_array_length(lines); i++)
        check_line(json_object_array_get_idx(lines, i));
    printf("%zu lines, %u compared, %u differences\n", json_object_array_length(lines), compared,
           differences);
    json_object_put(file);
    return differences ? 1 : 0;
}
