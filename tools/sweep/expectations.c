/* SPDX-License-Identifier: MIT */
/* Reads baselines and waivers, and decides what an outcome means beside them. */
#include "expectations.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "case_name.h"
#include "file.h"
#include "memory.h"
#include "memory_limit.h"
#include "number.h"
#include "report.h"
#include "text.h"

/*
 * Baselines and waivers are words in lines, written by hand. Blanks and tabs separate words; a word
 * in double quotes may contain them. Blank lines and lines that start with # are skipped.
 */

#define LINE_WORDS 5

typedef struct text_line {
    const char *path;
    uint64_t number;               /* from 1 on */
    const char *words[LINE_WORDS]; /* valid while the line is taken */
    uint32_t count;                /* LINE_WORDS stands for more, too */
} text_line;

typedef tool_status line_taker(sweep_expectations *x, const text_line *line, tool_error *error);

/* TOOL_MALFORMED; the message starts with "FILE:LINE: ". */
__attribute__((format(printf, 3, 4))) static tool_status
fail_line(const text_line *line, tool_error *error, const char *format, ...) {
    char message[600];
    char safe[sizeof message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return tool_fail(error, TOOL_MALFORMED, "%.300s:%" PRIu64 ": %s", line->path, line->number,
                     text_printable(safe, sizeof safe, message, strlen(message)));
}

/* Ends a word in place. Returns what follows it, or NULL if a quote has no end. */
static char *end_word(text_line *line, char *at) {
    const bool quoted = *at == '"';
    char *start = at + quoted;
    char *end = start + strcspn(start, quoted ? "\"" : " \t");
    if (quoted && !*end)
        return NULL;
    line->words[line->count++] = start;
    at = *end ? end + 1 : end;
    *end = '\0';
    return at;
}

static tool_status split(text_line *line, char *at, tool_error *error) {
    line->count = 0;
    while (at && *(at += strspn(at, " \t")) && line->count < LINE_WORDS)
        at = end_word(line, at);
    return at ? TOOL_OK : fail_line(line, error, "a quote without an end");
}

/* Calls `take` for every line of a file that is not skipped, until one fails. */
static tool_status read_lines(sweep_expectations *x, const char *path, line_taker *take,
                              tool_error *error) {
    text_line line = {.path = path};
    file_contents contents;
    tool_status status = file_read(path, &contents, error);
    if (status != TOOL_OK)
        return status;
    char *at = (char *)contents.bytes;
    if (memchr(at, 0, contents.size))
        status = tool_fail(error, TOOL_MALFORMED, "%.400s: no text: it has a byte 0", path);
    while (*at && status == TOOL_OK) {
        char *end = at + strcspn(at, "\n");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        if (end > at && end[-1] == '\r')
            end[-1] = '\0';
        line.number++;
        status = *at == '#' ? TOOL_OK : split(&line, at, error);
        if (status == TOOL_OK && *at != '#' && line.count)
            status = take(x, &line, error);
        at = next;
    }
    memory_free(contents.bytes);
    return status;
}

static tool_status take_baseline_line(sweep_expectations *x, const text_line *line,
                                      tool_error *error) {
    sweep_state expected;
    case_spec spec;
    tool_error why;
    if (line->count != 2) {
        return fail_line(line, error, "a line is 'STATE NAME'; this one has %s words",
                         line->count < 2 ? "fewer" : "more");
    }
    if (!sweep_state_find(line->words[0], &expected) || !sweep_state_is_failure(expected)) {
        return fail_line(line, error,
                         "'%.100s' is not one of fail, crash, timeout, unstable, doubtful",
                         line->words[0]);
    }
    if (case_parse(line->words[1], &spec, &why) != TOOL_OK)
        return fail_line(line, error, "%.500s", why.message);
    if (!name_set_add(&x->baseline, line->words[1]))
        return fail_line(line, error, "%.400s stands here a second time", line->words[1]);
    x->states = tool_grow(x->states, x->baseline.count - 1, sizeof *x->states);
    x->states[x->baseline.count - 1] = expected;
    return TOOL_OK;
}

static int by_text(const void *a, const void *b) {
    return strcmp((*(const results_case *const *)a)->name, (*(const results_case *const *)b)->name);
}

tool_status baseline_write(const char *path, const sweep_results *results, tool_error *error) {
    const results_case **failed =
        tool_calloc(results->names.count + 1, sizeof(const results_case *));
    size_t count = 0;
    text_buffer buffer;
    text_buffer_open(&buffer);
    for (size_t i = 0; i < results->names.count; i++)
        if (sweep_state_is_failure(results->cases[i].outcome) &&
            results->cases[i].state != SWEEP_WAIVED)
            failed[count++] = &results->cases[i];
    qsort(failed, count, sizeof(const results_case *), by_text);
    fputs("# Known failures, for cumsum sweep --baseline\n", buffer.stream);
    for (size_t i = 0; i < count; i++)
        fprintf(buffer.stream, "%s %s\n", sweep_state_name(failed[i]->outcome), failed[i]->name);
    free(failed);
    return file_write_text(path, &buffer, error);
}

static unsigned number_at(const char *text, size_t digits) {
    uint64_t number;
    (void)number_digits(text, text + digits, 9999, &number);
    return (unsigned)number;
}

/* A day of the calendar, YYYY-MM-DD. */
static bool is_day(const char *text) {
    static const unsigned days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    static const char form[] = "0000-00-00";
    for (size_t i = 0; i < sizeof form; i++)
        if (form[i] == '0' ? !isdigit((unsigned char)text[i]) : form[i] != text[i])
            return false;
    const unsigned year = number_at(text, 4);
    const unsigned month = number_at(text + 5, 2);
    const unsigned day = number_at(text + 8, 2);
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] + (month == 2 && leap);
}

/* "scheme:..." with at least one character after the colon. */
static bool is_url(const char *text) {
    const size_t scheme = strspn(text, "abcdefghijklmnopqrstuvwxyz+");
    return scheme > 0 && strncmp(text + scheme, "://", 3) == 0 && text[scheme + 3];
}

static const waiver *find_same(const sweep_expectations *x, const text_line *line) {
    for (size_t i = 0; i < x->waiver_count; i++)
        if (!strcmp(x->waivers[i].pattern, line->words[0]) &&
            !strcmp(x->waivers[i].device, line->words[1]))
            return &x->waivers[i];
    return NULL;
}

static tool_status take_waiver_line(sweep_expectations *x, const text_line *line,
                                    tool_error *error) {
    if (line->count != 4) {
        return fail_line(line, error,
                         "a line is 'PATTERN DEVICE URL YYYY-MM-DD'; this one has %s words",
                         line->count < 4 ? "fewer" : "more");
    }
    if (!is_url(line->words[2]))
        return fail_line(line, error, "'%.300s' is no URL, https://... say", line->words[2]);
    if (!is_day(line->words[3]))
        return fail_line(line, error, "'%.100s' is no day: YYYY-MM-DD", line->words[3]);
    const waiver *same = find_same(x, line);
    if (same) {
        return fail_line(line, error, "'%.200s' on '%.200s' is waived in line %" PRIu64 " already",
                         line->words[0], line->words[1], same->line);
    }
    x->waivers = tool_grow(x->waivers, x->waiver_count, sizeof *x->waivers);
    waiver *w = &x->waivers[x->waiver_count++];
    *w = (waiver){.pattern = tool_strdup(line->words[0]),
                  .device = tool_strdup(line->words[1]),
                  .url = tool_strdup(line->words[2]),
                  .line = line->number};
    memcpy(w->last_day, line->words[3], sizeof w->last_day);
    return TOOL_OK;
}

static bool is_expired(const sweep_expectations *x, const waiver *w) {
    return strcmp(w->last_day, x->today) < 0;
}

static bool is_for_device(const sweep_expectations *x, const waiver *w) {
    return fnmatch(w->device, x->device, 0) == 0;
}

/* The first waiver for this case and device that has not expired, or NULL. Marks it as used. */
static const waiver *find_waiver(sweep_expectations *x, const char *name) {
    for (size_t i = 0; i < x->waiver_count; i++) {
        waiver *w = &x->waivers[i];
        if (!is_expired(x, w) && is_for_device(x, w) && fnmatch(w->pattern, name, 0) == 0) {
            w->used = true;
            return w;
        }
    }
    return NULL;
}

/* "FILE:LINE: the waiver of PATTERN" */
static void name_waiver(FILE *out, const sweep_expectations *x, const waiver *w) {
    text_show(out, x->settings->waivers);
    fprintf(out, ":%" PRIu64 ": the waiver of ", w->line);
    text_show(out, w->pattern);
}

static void say_expired(const sweep_expectations *x) {
    for (size_t i = 0; i < x->waiver_count; i++) {
        const waiver *w = &x->waivers[i];
        if (is_for_device(x, w) && is_expired(x, w)) {
            fputs("cumsum: ", stderr);
            name_waiver(stderr, x, w);
            fprintf(stderr, " ended on %s and waives nothing any more\n", w->last_day);
        }
    }
}

tool_status sweep_expectations_read(sweep_expectations *x, const sweep_settings *settings,
                                    const char *device, tool_error *error) {
    const time_t now = time(NULL);
    struct tm utc;
    tool_status status = TOOL_OK;
    *x = (sweep_expectations){.settings = settings, .device = device};
    strftime(x->today, sizeof x->today, "%Y-%m-%d", gmtime_r(&now, &utc));
    if (settings->baseline)
        status = read_lines(x, settings->baseline, take_baseline_line, error);
    if (status == TOOL_OK && settings->waivers)
        status = read_lines(x, settings->waivers, take_waiver_line, error);
    if (status == TOOL_OK)
        say_expired(x);
    return status;
}

void sweep_expectations_free(sweep_expectations *x) {
    name_set_free(&x->baseline);
    free(x->states);
    for (size_t i = 0; i < x->waiver_count; i++) {
        free(x->waivers[i].pattern);
        free(x->waivers[i].device);
        free(x->waivers[i].url);
    }
    free(x->waivers);
}

/* The baseline comes first: an expected failure needs no waiver. An improvement cannot be waived.
 */
sweep_state sweep_expect(sweep_expectations *x, const char *name, sweep_state outcome,
                         json_object *record) {
    const size_t place = name_set_find(&x->baseline, name);
    const bool listed = place != SIZE_MAX;
    const sweep_state expected = listed ? x->states[place] : outcome;
    const bool known = listed && expected == outcome;
    const waiver *w = !known && sweep_state_is_failure(outcome) ? find_waiver(x, name) : NULL;
    const sweep_state state = known    ? SWEEP_KNOWN
                              : w      ? SWEEP_WAIVED
                              : listed ? SWEEP_UNEXPECTED
                                       : outcome;
    fields_text(record, "state", sweep_state_name(state));
    if (state != outcome)
        fields_text(record, "outcome", sweep_state_name(outcome));
    if (listed)
        fields_text(record, "expected", sweep_state_name(expected));
    if (w)
        fields_text(record, "waiver", w->url);
    return state;
}

void sweep_show_unused_waivers(const sweep_expectations *x) {
    for (size_t i = 0; i < x->waiver_count; i++) {
        const waiver *w = &x->waivers[i];
        if (!w->used && is_for_device(x, w) && !is_expired(x, w)) {
            progress_clear();
            name_waiver(stdout, x, w);
            puts(" waived nothing");
        }
    }
}
