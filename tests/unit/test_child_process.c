/* SPDX-License-Identifier: MIT */
/* The test starts itself as a child process, which answers, ends, or does not answer. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "child_process.h"

#define LONG_LINE 300000

/* What the child does with each line. */
static int be_child(const char *does) {
    char line[200];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (!strcmp(line, "abort")) {
            abort();
        } else if (!strcmp(line, "exit")) {
            exit(3);
        } else if (!strcmp(line, "sleep")) {
            nanosleep(&(struct timespec){.tv_sec = 1000}, NULL);
        } else if (!strcmp(line, "half")) {
            fputs("half a line", stdout);
        } else if (!strcmp(line, "long")) {
            for (int i = 0; i < LONG_LINE; i++)
                putchar('a' + i % 26);
            putchar('\n');
        } else {
            printf("%s %s\n%s\n", does, line, "twice");
        }
        fflush(stdout);
    }
    return 0;
}

static child_process *start(const char *word) {
    child_process *child;
    tool_error error;
    const char *const arguments[] = {"child", word, NULL};
    if (child_process_start(&child, NULL, arguments, &error) != TOOL_OK) {
        printf("%s\n", error.message);
        fail();
    }
    return child;
}

static void expect_line(child_process *child, const char *text) {
    const char *line;
    assert_int_equal(child_process_receive(child, 0, &line), CHILD_LINE);
    assert_string_equal(line, text);
}

static void answers(void **state) {
    (void)state;
    static const char *const words[] = {"plain",        "two words", "a\"quote\"", "\\",
                                        "a\\\"b\\\\\"", "",          "tail\\\\"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char expected[100];
        char how[100];
        child_process *child = start(words[i]);
        for (int turn = 0; turn < 3; turn++) {
            assert_true(child_process_send(child, "name"));
            snprintf(expected, sizeof expected, "%s name", words[i]);
            expect_line(child, expected);
            expect_line(child, "twice");
        }
        child_process_end(child, CHILD_GRACE, how, sizeof how);
        assert_string_equal(how, "with exit status 0");
    }
}

static void long_lines(void **state) {
    (void)state;
    const char *line;
    child_process *child = start("x");
    assert_true(child_process_send(child, "long"));
    assert_true(child_process_send(child, "short"));
    assert_int_equal(child_process_receive(child, 60000, &line), CHILD_LINE);
    assert_int_equal(strlen(line), LONG_LINE);
    assert_int_equal(line[LONG_LINE - 1], 'a' + (LONG_LINE - 1) % 26);
    expect_line(child, "x short");
    child_process_end(child, CHILD_GRACE, NULL, 0);
}

static void ends(void **state) {
    (void)state;
    const char *line;
    char how[100];
    child_process *child = start("x");
    assert_true(child_process_send(child, "exit"));
    assert_int_equal(child_process_receive(child, 0, &line), CHILD_ENDED);
    child_process_send(child, "more"); /* is no error that ends this process */
    assert_int_equal(child_process_receive(child, 0, &line), CHILD_ENDED);
    child_process_end(child, CHILD_GRACE, how, sizeof how);
    assert_string_equal(how, "with exit status 3");
    child = start("x");
    assert_true(child_process_send(child, "abort"));
    assert_int_equal(child_process_receive(child, 0, &line), CHILD_ENDED);
    child_process_end(child, CHILD_GRACE, how, sizeof how);
#ifndef _WIN32
    assert_non_null(strstr(how, "by signal 6 ("));
#endif
    assert_string_not_equal(how, "with exit status 0");
}

static void does_not_answer(void **state) {
    (void)state;
    const char *line;
    child_process *child = start("x");
    assert_true(child_process_send(child, "half")); /* half a line is no answer */
    assert_int_equal(child_process_receive(child, 300, &line), CHILD_LATE);
    assert_true(child_process_send(child, "sleep"));
    assert_int_equal(child_process_receive(child, 1, &line), CHILD_LATE);
    child_process_end(child, 0, NULL, 0);
}

/* An emulator may be unable to start programs of the emulated machine: the child then ends at once
 * with status 127. Without an emulator that is a failure. */
static bool nothing_can_be_started(void) {
#ifdef UNDER_EMULATOR
    const char *line;
    char how[100];
    child_process *child = start("x");
    child_process_send(child, "name");
    const child_answer answer = child_process_receive(child, 0, &line);
    child_process_end(child, CHILD_GRACE, how, sizeof how);
    return answer == CHILD_ENDED && !strcmp(how, "with exit status 127");
#else
    return false;
#endif
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(ends),
        cmocka_unit_test(does_not_answer),
    };
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN); /* as the tool does */
#endif
    if (argc == 3 && !strcmp(argv[1], "child"))
        return be_child(argv[2]);
    if (nothing_can_be_started()) {
        puts("SKIPPED: the emulator cannot start programs of the emulated machine");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
