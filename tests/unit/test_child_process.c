/* SPDX-License-Identifier: MIT */
/* The program starts itself as a child process, which answers, ends, or does not answer. */
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

#include "check.h"
#include "child_process.h"
#include "clock.h"

#define LONG_LINE 300000
#define FOREVER   UINT32_MAX

/* The child: what it does with each line. */
static int be_child(int count, char **arguments) {
    const char *does = count > 1 ? arguments[1] : "";
    char line[200];
#ifdef _WIN32 /* line ends stay as they are */
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
#endif
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

CHECK_MAIN(answering_child, be_child);

static child_process *start(const char *word) {
    child_process *child;
    tool_error error;
    const char *const arguments[] = {"answering_child", word, NULL};
    const child_program program = {.arguments = arguments};
    if (child_process_open(&child, &program, &error) != TOOL_OK) {
        printf("%s\n", error.message);
        fail();
    }
    return child;
}

/* Sends a line, and receives `least` bytes; what comes in less time than this is not late. */
static child_event ask(child_process *child, const char *line, char *to, size_t least,
                       uint32_t milliseconds) {
    const child_bytes pieces[] = {{line, strlen(line)}, {"", 0}, {"\n", 1}};
    size_t got;
    child_process_send(child, pieces, 3);
    return child_process_receive(child, to, least, least, &got,
                                 milliseconds == FOREVER
                                     ? UINT64_MAX
                                     : clock_monotonic() + milliseconds * UINT64_C(1000000));
}

static void expect_text(child_process *child, const char *line, const char *text) {
    char answer[200] = "";
    assert_int_equal(ask(child, line, answer, strlen(text), FOREVER), CHILD_CAME);
    assert_string_equal(answer, text);
    assert_false(child_process_has_spoken(child));
}

static void answers(void) {
    static const char *const words[] = {"plain",        "two words", "a\"quote\"", "\\",
                                        "a\\\"b\\\\\"", "",          "tail\\\\"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char expected[100];
        char how[100];
        child_process *child = start(words[i]);
        for (int turn = 0; turn < 3; turn++) {
            snprintf(expected, sizeof expected, "%s name\ntwice\n", words[i]);
            expect_text(child, "name", expected);
        }
        assert_true(child_process_close(child, CHILD_GRACE, how, sizeof how));
        assert_string_equal(how, "with exit status 0");
    }
}

static void long_answers(void) {
    static char answer[LONG_LINE + 1];
    child_process *child = start("x");
    assert_int_equal(ask(child, "long", answer, LONG_LINE + 1, 60000), CHILD_CAME);
    assert_int_equal(answer[LONG_LINE - 1], 'a' + (LONG_LINE - 1) % 26);
    assert_int_equal(answer[LONG_LINE], '\n');
    expect_text(child, "short", "x short\ntwice\n");
    child_process_close(child, CHILD_GRACE, NULL, 0);
}

/* More than a pipe holds, in both directions at once: the child answers while it reads. */
static void both_ways(void) {
    enum {
        LINES = 150000,
        WORD = 5
    };
    char *lines = malloc(LINES * WORD + 1);
    char *answers = malloc(LINES * 13);
    size_t got;
    child_process *child = start("x");
    for (size_t i = 0; i < LINES; i++)
        memcpy(lines + i * WORD, "name\n", WORD + 1);
    child_process_send(child, &(child_bytes){lines, LINES * WORD}, 1);
    assert_int_equal(
        child_process_receive(child, answers, LINES * 13, LINES * 13, &got, UINT64_MAX),
        CHILD_CAME);
    assert_memory_equal(answers, "x name\ntwice\nx", 14);
    assert_memory_equal(answers + (LINES - 1) * (size_t)13, "x name\ntwice\n", 13);
    child_process_close(child, CHILD_GRACE, NULL, 0);
    free(lines);
    free(answers);
}

static void ends(void) {
    char answer[10];
    char how[100];
    child_process *child = start("x");
    assert_int_equal(ask(child, "exit", answer, 1, FOREVER), CHILD_CLOSED);
    /* is no error that ends this process */
    assert_int_equal(ask(child, "more", answer, 1, FOREVER), CHILD_CLOSED);
    assert_true(child_process_has_spoken(child));
    assert_false(child_process_close(child, CHILD_GRACE, how, sizeof how));
    assert_string_equal(how, "with exit status 3");
    child = start("x");
    assert_int_equal(ask(child, "abort", answer, 1, FOREVER), CHILD_CLOSED);
    assert_false(child_process_close(child, CHILD_GRACE, how, sizeof how));
#ifndef _WIN32
    assert_non_null(strstr(how, "by signal 6 ("));
#endif
    assert_string_not_equal(how, "with exit status 0");
}

static void does_not_answer(void) {
    char answer[100];
    char how[100];
    child_process *child = start("x");
    assert_int_equal(ask(child, "half", answer, 12, 300), CHILD_LATE); /* 11 bytes come */
    assert_int_equal(ask(child, "sleep", answer, 1, 1), CHILD_LATE);
    assert_false(child_process_close(child, 0, how, sizeof how));
    assert_string_equal(how, "only when it was killed");
}

/* An emulator may be unable to start programs of the emulated machine. */
static bool nothing_can_be_started(void) {
#ifdef UNDER_EMULATOR
    child_process *child;
    tool_error error;
    char answer[16];
    char how[100];
    const char *const arguments[] = {"answering_child", "x", NULL};
    const child_program program = {.arguments = arguments};
    if (child_process_open(&child, &program, &error) != TOOL_OK)
        return true;
    const child_event event = ask(child, "name", answer, 1, FOREVER);
    child_process_close(child, CHILD_GRACE, how, sizeof how);
    return event == CHILD_CLOSED && !strncmp(how, "with exit status 12", 19);
#else
    return false;
#endif
}

static void begin(void) {
#ifdef SIGPIPE
    signal(SIGPIPE, SIG_IGN); /* as the tool does */
#endif
    if (nothing_can_be_started())
        check_skip("the emulator cannot start programs of the emulated machine");
}

CHECK_GROUP_WITH(test_child_process, begin, NULL, T(answers), T(long_answers), T(both_ways),
                 T(ends), T(does_not_answer));
