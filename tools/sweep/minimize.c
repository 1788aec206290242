/* SPDX-License-Identifier: MIT */
/*
 * cumsum minimize: from a case that fails on a backend to a simple one that fails alike. shrink.h
 * has the search; this file decides what "alike" is, and executes, judges, writes and shows the
 * result.
 */
#include "minimize.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "case_file.h"
#include "case_write.h"
#include "clock.h"
#include "executor.h"
#include "file.h"
#include "json_tree.h"
#include "judged_output.h"
#include "memory.h"
#include "report.h"
#include "shrink.h"
#include "sweep_case.h"
#include "sweep_source.h"
#include "text.h"

#define DEFAULT_MILLISECONDS 60000
/* How often the given case is executed, to see whether it fails each time; and each simpler one, at
 * most, if it does not. */
#define RUNS 8
/* The smallest case may fail more rarely: so often it is tried for the report. */
#define LAST_RUNS 64

typedef struct minimization {
    const minimize_settings *settings;
    backend_settings backend;
    report *report;
    executor executor;
    bool found;        /* a case that fails */
    bool supported;    /* some case was computed */
    sweep_result kind; /* how the first one failed */
    uint32_t runs;     /* of that case */
    uint32_t failures; /* of those runs */
    bool lost;         /* the device is gone */
    uint64_t elements; /* of the given case */
    shrinker search;
    char stem[CASE_NAME_ROOM]; /* of the names of files */
} minimization;

void minimize_case_name(char name[CASE_NAME_ROOM], const case_spec *spec) {
    case_format(name, spec);
    for (int component = 0; component < 2; component++)
        *strrchr(name, '.') = '\0';
}

/* What the files of the case that is left are called, without an ending: "NAME.minimal", for the
 * file "DIR/NAME.json" as for the case NAME. */
static void minimize_stem(char stem[CASE_NAME_ROOM], const char *origin) {
    char name[CASE_NAME_ROOM];
    const char *folder_end = strrchr(origin, '/');
    snprintf(name, sizeof name, "%s", folder_end ? folder_end + 1 : origin);
    char *ending = strrchr(name, '.');
    if (ending && !strcmp(ending, ".json"))
        *ending = '\0';
    case_file_stem(name, stem);
    size_t length = strlen(stem);
    snprintf(stem + length, CASE_NAME_ROOM - length, ".minimal");
}

/* The smallest case, and all that is shown of it. */
typedef struct smallest {
    suite_case before; /* not executed: this one is written */
    suite_case after;
    sweep_result result;
    char name[CASE_NAME_ROOM];
    const char *verdict; /* the oracle's words on other bits, or "" */
    char *again;         /* the command that repeats the failure */
    char *path;
} smallest;

/* The first members of the case file, which its readers skip. */
static json_object *head_of(const smallest *s, const minimization *m) {
    json_object *head = json_make_object();
    char *source = backend_command_line(&m->backend, "minimize", accept_option(m->settings->accept),
                                        m->settings->origin);
    fields_text(head, "source", source);
    free(source);
    fields_text(head, "state", sweep_state_name(s->result.state));
    if (s->result.reason[0])
        fields_text(head, "reason", s->result.reason);
    if (*s->verdict)
        fields_text(head, "verdict", s->verdict);
    fields_text(head, "again", s->again);
    return head;
}

/* verify compares elements only, so it cannot show that other bytes changed. */
static char *again_of(const smallest *s, const minimization *m, const char *file) {
    const bool stray_alone = s->result.stray && !s->result.comparison.differing;
    return backend_command_line(&m->backend, stray_alone ? "minimize" : "verify",
                                accept_option(m->settings->accept), file);
}

static tool_status write_smallest(smallest *s, const minimization *m, tool_error *error) {
    const char *folder = m->settings->folder;
    char file[CASE_NAME_ROOM + 24];
    snprintf(file, sizeof file, "%s.json", m->stem);
    char *path = file_join(folder ? folder : ".", file);
    s->again = again_of(s, m, folder ? path : file);
    free(path);
    json_object *head = head_of(s, m);
    const case_title title = {.name = s->name, .stem = m->stem, .head = head};
    tool_status status =
        case_write_titled(&s->before, &title, folder ? folder : ".", &s->path, error);
    json_object_put(head);
    return status;
}

static void smallest_text(const smallest *s, const minimization *m) {
    progress_clear();
    text_show(stdout, "from     %s  %" PRIu64 " element%s\n", m->settings->origin, m->elements,
              text_plural(m->elements));
    printf("to       %s  %" PRIu64 " element%s, after %" PRIu64 " %s%s\n", s->name,
           m->search.best.count, text_plural(m->search.best.count), m->search.tried,
           m->search.tried == 1 ? "try" : "tries", m->search.stopped ? "; the time was up" : "");
    if (m->failures < m->runs)
        printf("unstable fails %" PRIu32 " of %" PRIu32 " times: each try is up to %d runs\n",
               m->failures, m->runs, RUNS);
    text_show(stdout, "%-7s  %s", sweep_state_name(s->result.state), s->result.reason);
    for (const char *line = s->result.detail ? s->result.detail : ""; *line;) {
        size_t length = strcspn(line, "\n");
        bool first = line == s->result.detail && !s->result.reason[0];
        printf("%s%.*s", first ? "" : "\n         ", (int)length, line);
        line += length + (line[length] == '\n');
    }
    putchar('\n');
    if (*s->verdict) {
        uint32_t explained = 0;
        printf("verdict  %s\n", s->verdict);
        show_judgement_legend(stdout, "         ", s->verdict, false, &explained);
    }
    text_show(stdout, "file     %s\n", s->path);
    text_show(stdout, "again    %s\n", s->again);
}

static void smallest_json(const smallest *s, const minimization *m) {
    json_object *line = report_event("minimized");
    fields_text(line, "source", m->settings->origin);
    fields_count(line, "sourceElements", m->elements);
    fields_text(line, "name", s->name);
    fields_count(line, "elements", m->search.best.count);
    fields_count(line, "tries", m->search.tried);
    fields_flag(line, "complete", !m->search.stopped);
    if (m->failures < m->runs) {
        fields_count(line, "runs", m->runs);
        fields_count(line, "failedRuns", m->failures);
    }
    sweep_result_fields(line, &s->after.descriptor.output_buffer, &s->result);
    fields_text(line, "path", s->path);
    fields_text(line, "again", s->again);
    report_json_line(line);
}

static void show_smallest(const smallest *s, const minimization *m) {
    m->report->failed++;
    m->report->suspect += s->result.state == SWEEP_SUSPECT;
    if (m->report->settings->json)
        smallest_json(s, m);
    else
        smallest_text(s, m);
}

/* A lost device executes nothing more, so the next case gets a new one. */
static void replace_device(minimization *m) {
    tool_error error;
    const tool_status status = executor_reopen(&m->executor, &error);
    if (status != TOOL_OK) {
        report_error(m->report, status, NULL, error.message);
        m->lost = true;
    }
}

/* The oracle is asked unless any other bits are alike. */
static sweep_result check_case(minimization *m, suite_case *c) {
    sweep_result done;
    sweep_check_case(&m->executor, c, &done);
    if (!m->found || m->kind.state == SWEEP_SUSPECT || m->settings->accept != ACCEPT_BITS)
        sweep_judge(&m->executor, c, m->settings->accept, &done);
    if (done.no_memory) /* else the result would depend on the memory that is free */
        tool_memory_is_out();
    if (done.unreached) {
        report_error(m->report, TOOL_ENVIRONMENT, NULL, done.reason);
        m->lost = true;
    } else if (done.state == SWEEP_CRASH || done.state == SWEEP_TIMEOUT) {
        replace_device(m);
    }
    return done;
}

/* A case that fails in another way shows another fault, and does not count. */
static bool is_same_failure(const minimization *m, const sweep_result *done) {
    return done->state == m->kind.state &&
           (done->comparison.differing > 0) == (m->kind.comparison.differing > 0) &&
           (m->kind.comparison.differing > 0 || (done->stray > 0) == (m->kind.stray > 0));
}

/* Executes a case until it fails as the first one did, `runs` times at most, and only once if that
 * one failed each time. *done receives the last result. */
static bool fails_in(minimization *m, suite_case *c, uint32_t runs, sweep_result *done) {
    const case_spec spec = c->spec;
    const unsigned char *values = c->values;
    const bool stable = m->failures == m->runs;
    *done = check_case(m, c);
    bool alike = is_same_failure(m, done);
    for (uint32_t i = 1; !alike && !stable && !m->lost && i < runs; i++) {
        case_free(c);
        if (case_init_values(c, &spec, values, NULL) != TOOL_OK)
            tool_memory_is_out(); /* there was enough a moment ago */
        *done = check_case(m, c);
        alike = is_same_failure(m, done);
    }
    return alike;
}

static bool fails_alike(void *state, suite_case *c) {
    minimization *m = state;
    sweep_result done;
    if (m->lost)
        return false;
    progress_show(0, 0, m->settings->origin);
    return fails_in(m, c, RUNS, &done);
}

/* Executes the smallest case once more, judges it, writes it and shows it. Counts a failure, or
 * reports an error. */
static void report_smallest(minimization *m) {
    const shrink_case *best = &m->search.best;
    smallest s = {.name = ""};
    tool_error error;
    tool_status status = case_init_values(&s.before, &best->spec, best->values, &error);
    if (status == TOOL_OK)
        status = case_init_values(&s.after, &best->spec, best->values, &error);
    if (status == TOOL_OK) {
        minimize_case_name(s.name, &best->spec);
        if (!fails_in(m, &s.after, LAST_RUNS, &s.result) && s.result.state == SWEEP_PASS)
            snprintf(s.result.reason, sizeof s.result.reason, "it did not fail again in %d runs",
                     LAST_RUNS);
        sweep_examine(&m->executor, &s.after, m->settings->accept, false, &s.result);
        s.verdict = json_find_text(s.result.findings, "verdict");
        status = write_smallest(&s, m, &error);
    }
    if (status == TOOL_OK)
        show_smallest(&s, m);
    else
        report_error(m->report, status, NULL, error.message);
    case_free(&s.before);
    case_free(&s.after);
    sweep_result_free(&s.result);
    free(s.again);
    free(s.path);
}

static void minimize(minimization *m, const shrink_case *first) {
    const uint32_t limit = m->settings->milliseconds;
    m->elements = first->count;
    m->search = (shrinker){.fails = fails_alike,
                           .state = m,
                           .milliseconds = limit ? limit : DEFAULT_MILLISECONDS,
                           .best = *first};
    minimize_stem(m->stem, m->settings->origin);
    shrink_run(&m->search);
    if (!m->lost)
        report_smallest(m);
    shrink_case_free(&m->search.best);
}

/* Executes a case, and notes how it fails. */
static tool_status count_run(minimization *m, const shrink_case *first, tool_error *error) {
    suite_case c;
    const tool_status status = case_init_values(&c, &first->spec, first->values, error);
    if (status != TOOL_OK)
        return status;
    const sweep_result done = check_case(m, &c);
    case_free(&c);
    const bool failed = done.state != SWEEP_PASS && done.state != SWEEP_NOT_SUPPORTED;
    if (!m->found)
        m->kind = done;
    m->supported = m->supported || done.state != SWEEP_NOT_SUPPORTED;
    m->found = m->found || failed;
    m->failures += failed;
    m->runs++;
    return TOOL_OK;
}

/* Owns the values of the case. It is executed several times, as long as that takes little of the
 * time for the search: a race may fail now and then. */
static tool_status try_case(minimization *m, shrink_case *first, tool_error *error) {
    const uint32_t limit = m->settings->milliseconds;
    const uint64_t share = (limit ? limit : DEFAULT_MILLISECONDS) * UINT64_C(1000000) / RUNS;
    const uint64_t end = clock_monotonic() + share;
    m->runs = m->failures = 0;
    tool_status status = count_run(m, first, error);
    while (status == TOOL_OK && m->kind.state != SWEEP_NOT_SUPPORTED && !m->lost &&
           m->runs < RUNS && clock_monotonic() < end)
        status = count_run(m, first, error);
    if (m->found && !m->lost)
        minimize(m, first);
    else
        shrink_case_free(first);
    return status;
}

static tool_status try_dispatch(void *state, const char *name, shrink_case *taken,
                                tool_error *error) {
    (void)name;
    return try_case(state, taken, error);
}

static tool_status try_file(minimization *m, tool_error *error) {
    case_file *file;
    tool_status status = case_file_read(m->settings->origin, &file, error);
    if (status != TOOL_OK)
        return status;
    status = source_dispatches(file, &m->backend, try_dispatch, m, &m->found, error);
    case_file_free(file);
    return status;
}

static tool_status try_origin(minimization *m, tool_error *error) {
    shrink_case first;
    if (file_has_extension(m->settings->origin, ".json") || file_exists(m->settings->origin))
        return try_file(m, error);
    tool_status status = source_named(m->settings->origin, &first, error);
    return status == TOOL_OK ? try_case(m, &first, error) : status;
}

static tool_status start_minimizing(minimization *m, tool_error *error) {
    tool_status status = folder_make(m->settings->folder, error);
    if (status == TOOL_OK)
        status = executor_open(&m->executor, &m->backend, m->backend.backend, error);
    if (status == TOOL_OK && executor_reason(&m->executor))
        return tool_fail(error, TOOL_SKIPPED, "%s", executor_reason(&m->executor));
    return status == TOOL_OK ? try_origin(m, error) : status;
}

static tool_status why_nothing(const minimization *m, tool_error *error) {
    if (!m->supported) {
        return tool_fail(error, TOOL_SKIPPED, "%.800s",
                         m->kind.reason[0] ? m->kind.reason : "there is no dispatch");
    }
    return tool_fail(error, TOOL_MALFORMED,
                     "%.400s: does not fail on backend %s: there is nothing to minimize",
                     m->settings->origin, backend_name(m->backend.backend));
}

void minimize_run(const minimize_settings *settings, const backend_settings *backend, report *r) {
    tool_error error;
    minimization m = {.settings = settings, .backend = *backend, .report = r};
    backend_isolate(&m.backend, false);
    tool_status status = start_minimizing(&m, &error);
    if (status == TOOL_OK && !m.found)
        status = why_nothing(&m, &error);
    if (status == TOOL_SKIPPED) {
        r->skipped++;
        report_message("backend %s: SKIPPED: %s", backend_name(backend->backend), error.message);
    } else if (status != TOOL_OK) {
        report_error(r, status, settings->origin, error.message);
    }
    executor_close(&m.executor);
}
