/* SPDX-License-Identifier: MIT */
/* Runs the groups that its arguments name, test by test. */
#include "check.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PASSED = 0,
    FAILED = 1,
    USAGE = 2
};

static const char *const *given; /* the arguments behind the name of the group */
static int given_count;

/* Where the running test returns to, and how it ended. Other threads have no such place: they end
 * the program. */
static _Thread_local jmp_buf *end_of_test;
static int ended;

const char *check_argument(int number) {
    return number < given_count ? given[number] : NULL;
}

_Noreturn static void end_test(int status) {
    fflush(stdout);
    if (!end_of_test)
        _Exit(FAILED);
    ended = status;
    longjmp(*end_of_test, 1);
}

_Noreturn void check_fail(const char *file, int line, const char *format, ...) {
    const char *folder = strrchr(file, '/');
    va_list arguments;
    printf("FAIL: %s:%d: ", folder ? folder + 1 : file, line);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    end_test(FAILED);
}

_Noreturn void check_skip(const char *reason) {
    printf("SKIPPED: %s\n", reason);
    end_test(CHECK_SKIPPED);
}

void check_equal(const char *file, int line, const char *text, uintmax_t found,
                 uintmax_t expected) {
    if (found != expected)
        check_fail(file, line,
                   "%s is %" PRIdMAX " (0x%" PRIxMAX "), not %" PRIdMAX " (0x%" PRIxMAX ")", text,
                   (intmax_t)found, found, (intmax_t)expected, expected);
}

void check_in_range(const char *file, int line, const char *text, uintmax_t found, uintmax_t least,
                    uintmax_t most) {
    if (found < least || found > most)
        check_fail(file, line, "%s is %" PRIuMAX ", not from %" PRIuMAX " to %" PRIuMAX, text,
                   found, least, most);
}

void check_strings(const char *file, int line, const char *text, const char *found,
                   const char *expected) {
    if (!found || !expected || strcmp(found, expected) != 0)
        check_fail(file, line, "%s is\n  \"%s\", not\n  \"%s\"", text, found ? found : "(NULL)",
                   expected ? expected : "(NULL)");
}

bool check_same_bytes(const void *a, const void *b, size_t size) {
    return size == 0 || memcmp(a, b, size) == 0;
}

void check_bytes(const char *file, int line, const char *text, const void *found,
                 const void *expected, size_t size) {
    const unsigned char *a = found, *b = expected;
    if (check_same_bytes(a, b, size))
        return;
    size_t at = 0;
    while (a[at] == b[at])
        at++;
    check_fail(file, line, "%s: byte %zu of %zu is 0x%02X, not 0x%02X", text, at, size, a[at],
               b[at]);
}

/* Calls a function of a test, which may end it. */
static int call_test(check_function *function) {
    jmp_buf here;
    ended = PASSED;
    if (setjmp(here) == 0) {
        end_of_test = &here;
        function();
    }
    end_of_test = NULL;
    return ended;
}

static int run_test(const check_group *group, const check_test *test) {
    printf("%s: %s\n", group->name, test->name);
    fflush(stdout); /* if the test crashes, this is what is known */
    int status = group->begin ? call_test(group->begin) : PASSED;
    if (status == PASSED)
        status = call_test(test->run);
    if (group->end) {
        const int at_end = call_test(group->end);
        status = status == PASSED ? at_end : status;
    }
    return status;
}

int check_run(const check_group *group) {
    unsigned passed = 0, failed = 0, skipped = 0;
    for (const check_test *test = group->tests; test->run; test++) {
        const int status = run_test(group, test);
        passed += status == PASSED;
        failed += status == FAILED;
        skipped += status == CHECK_SKIPPED;
    }
    printf("%s: %u passed, %u failed, %u skipped\n", group->name, passed, failed, skipped);
    return failed ? FAILED : passed ? PASSED : CHECK_SKIPPED;
}

/* Those that are programs need arguments, and are run by name only. */
static int run_all(const check_group *const *group) {
    int status = PASSED;
    for (; *group; group++)
        if ((*group)->tests && check_run(*group) == FAILED)
            status = FAILED;
    return status;
}

static int list(const check_group *const *group) {
    for (; *group; group++) {
        printf("%s\n", (*group)->name);
        for (const check_test *test = (*group)->tests; test && test->run; test++)
            printf("    %s\n", test->name);
    }
    return PASSED;
}

int check_main(int count, char **arguments, const check_group *const *groups) {
    if (count == 1)
        return run_all(groups);
    if (count == 2 && strcmp(arguments[1], "--list") == 0)
        return list(groups);
    given = (const char *const *)(arguments + 2);
    given_count = count - 2;
    for (const check_group *const *group = groups; *group; group++)
        if (strcmp((*group)->name, arguments[1]) == 0)
            return (*group)->main ? (*group)->main(count - 1, arguments + 1) : check_run(*group);
    fprintf(stderr, "usage: check [GROUP [ARGUMENT...]], with a GROUP of check --list\n");
    return USAGE;
}
