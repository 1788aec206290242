/* SPDX-License-Identifier: MIT */
/* Tests that fail, are skipped, and pass: the frame must count each. */
#include "check.h"

static int ends;

static void count_ends(void) {
    ends++;
}

static void wrong_number(void) {
    assert_int_equal(2 + 2, 5);
}

static void wrong_bytes(void) {
    assert_memory_equal("one", "two", 3);
}

static void skipped(void) {
    check_skip("as planted");
}

/* The ends of the three before have run. */
static void right(void) {
    assert_int_equal(ends, 3);
}

CHECK_GROUP_WITH(planted_failures, NULL, count_ends, T(wrong_number), T(wrong_bytes), T(skipped),
                 T(right));
