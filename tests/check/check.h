/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CHECK_H
#define CUMSUM_TESTS_CHECK_H

/*
 * The frame of the unit tests: many groups of tests in one program.
 *
 *     check --list                  the groups
 *     check [GROUP [ARGUMENT...]]   one group, or all
 *
 * A group is the tests of one file. An assertion that does not hold prints its place and what it
 * found, and ends the running test; those behind it in the group still run.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void check_function(void);

typedef struct check_test {
    const char *name;
    check_function *run;
} check_test;

typedef struct check_group {
    const char *name;
    const check_test *tests; /* the last one has no function */
    check_function *begin;   /* before each test, or NULL */
    check_function *end;     /* after each test, also after one that failed, or NULL */
    /* In place of tests: a program of its own, with the group's name as its first argument. What it
     * returns is the exit status: 0, 1 (failed), 2 (wrong arguments) or CHECK_SKIPPED. */
    int (*main)(int count, char **arguments);
} check_group;

enum {
    CHECK_SKIPPED = 77
};

/* The whole of a program: runs what its arguments ask for. The last group is NULL. CMake writes the
 * table and main (cumsum_check in tests/unit/CMakeLists.txt). */
int check_main(int count, char **arguments, const check_group *const *groups);

/* For programs that have a main of their own: runs the tests of a group, and returns 0, 1 (some
 * failed) or CHECK_SKIPPED. */
int check_run(const check_group *group);

/* A group has the name of its file:
 *
 *     CHECK_GROUP(test_wait, T(yield), T(next_second));
 */
#define T(function)                                                                                \
    { #function, function }
#define CHECK_GROUP(group, ...)     CHECK_GROUP_WITH(group, NULL, NULL, __VA_ARGS__)
#define CHECK_MAIN(group, function) const check_group group = {#group, NULL, NULL, NULL, function}
#define CHECK_GROUP_WITH(group, begin, end, ...)                                                   \
    static const check_test group##_tests[] = {__VA_ARGS__, {NULL, NULL}};                         \
    const check_group group = {#group, group##_tests, begin, end, NULL}

/* The argument of this number behind the name of the group, from 0 on; NULL: there are fewer. */
const char *check_argument(int number);

/* mingw's printf knows %zu, and gcc thinks that it does not. */
#if defined(__MINGW32__)
#define CHECK_PRINTF __attribute__((format(gnu_printf, 3, 4)))
#elif defined(__GNUC__)
#define CHECK_PRINTF __attribute__((format(printf, 3, 4)))
#else
#define CHECK_PRINTF
#endif

/* End the running test. */
_Noreturn void check_fail(const char *file, int line, const char *format, ...) CHECK_PRINTF;
_Noreturn void check_skip(const char *reason);

/* What the assertions below call. `text` is what is written in the test. */
void check_equal(const char *file, int line, const char *text, uintmax_t found, uintmax_t expected);
void check_in_range(const char *file, int line, const char *text, uintmax_t found, uintmax_t least,
                    uintmax_t most);
void check_strings(const char *file, int line, const char *text, const char *found,
                   const char *expected);
void check_bytes(const char *file, int line, const char *text, const void *found,
                 const void *expected, size_t size);
bool check_same_bytes(const void *a, const void *b, size_t size);

#define HERE __FILE__, __LINE__

#define fail_msg(...)  check_fail(HERE, __VA_ARGS__)
#define fail()         check_fail(HERE, "this must not happen")
#define assert_true(x) ((x) ? (void)0 : check_fail(HERE, "%s", "not true: " #x))

#define assert_false(x)    ((x) ? check_fail(HERE, "%s", "not false: " #x) : (void)0)
#define assert_null(x)     ((x) ? check_fail(HERE, "%s", "not NULL: " #x) : (void)0)
#define assert_non_null(x) ((x) ? (void)0 : check_fail(HERE, "%s", "NULL: " #x))

/* Integers of any type; negative ones are extended to 64 bits. */
#define assert_int_equal(found, expected)                                                          \
    check_equal(HERE, #found, (uintmax_t)(found), (uintmax_t)(expected))
#define assert_int_not_equal(found, other)                                                         \
    ((found) != (other) ? (void)0 : check_fail(HERE, "%s", #found " is " #other))
#define assert_in_range(found, least, most)                                                        \
    check_in_range(HERE, #found, (uintmax_t)(found), (uintmax_t)(least), (uintmax_t)(most))
#define assert_ptr_equal(found, expected)                                                          \
    check_equal(HERE, #found, (uintptr_t)(found), (uintptr_t)(expected))
#define assert_ptr_not_equal(found, other) assert_int_not_equal(found, other)

#define assert_string_equal(found, expected) check_strings(HERE, #found, found, expected)
#define assert_contains(text, words)                                                               \
    (strstr(text, words) ? (void)0 : check_fail(HERE, "'%s' is missing from: %s", words, text))
#define assert_string_not_equal(found, other)                                                      \
    (strcmp(found, other) ? (void)0 : check_fail(HERE, "%s", #found " is " #other))
#define assert_memory_equal(found, expected, size) check_bytes(HERE, #found, found, expected, size)
#define assert_memory_not_equal(found, other, size)                                                \
    (check_same_bytes(found, other, size) ? check_fail(HERE, "%s", #found " is " #other) : (void)0)

#endif
