/* SPDX-License-Identifier: MIT */
/*
 * cumsum sweep: selects cases, has the runners execute them, one for each job, and
 * records each result at once. Cases are counted and shown in the order of the selection.
 */
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend.h"
#include "case_list.h"
#include "file.h"
#include "jobs.h"
#include "json_tree.h"
#include "judged_output.h"
#include "memory.h"
#include "memory_limit.h"
#include "name_set.h"
#include "npy.h"
#include "random_bits.h"
#include "report.h"
#include "results.h"
#include "sweep.h"
#include "sweep_case.h"
#include "sweep_header.h"
#include "sweep_source.h"
#include "sweep_state.h"
#include "text.h"

static bool matches_any(const char *name, const pattern_list *patterns) {
    for (size_t i = 0; i < patterns->count; i++)
        if (fnmatch(patterns->list[i], name, 0) == 0)
            return true;
    return false;
}

/* A name's share of the digest: the sum of all is the same in any order. */
static uint64_t name_digest(const char *name) {
    uint64_t hash = name_hash(name);
    return random_bits(&hash);
}

/* Of --sum: is the sum of this case another one than those before? Reports wrong axes. */
static bool is_new_sum(const sweep_settings *settings, const char *name, name_set *sums,
                       report *r) {
    const shrink_case *given = sweep_given_data(settings, name);
    case_spec spec = given ? given->spec : (case_spec){.rank = 0};
    char sum[CASE_NAME_ROOM];
    tool_error error;
    tool_status status = given ? TOOL_OK : case_parse(name, &spec, &error);
    if (status == TOOL_OK)
        status = sweep_sum_check(&spec, settings->sum, &error);
    if (status != TOOL_OK) {
        report_error(r, status, name, error.message);
        return false;
    }
    sweep_sum_name(sum, spec, settings->sum);
    return given || name_set_add(sums, sum);
}

/* Adds the cases that the settings name and that belong to the shard. Reports wrong arguments. */
static void select_cases(const sweep_settings *settings, const sweep_shard *shard, report *r,
                         sweep_selection *out) {
    name_set all = {0}, sums = {0};
    tool_error error;
    for (size_t i = 0; i < settings->given_names.count; i++)
        name_set_add(&all, settings->given_names.names[i]);
    for (size_t i = 0; i < settings->case_count; i++) {
        tool_status status = source_is_file(settings->cases[i])
                                 ? TOOL_OK
                                 : case_select(settings->cases[i], &all, &error);
        if (status != TOOL_OK)
            report_error(r, status, settings->cases[i], error.message);
    }
    for (size_t i = 0; i < all.count; i++) {
        const bool wanted = !matches_any(all.names[i], &settings->exclude) &&
                            (!settings->sum || is_new_sum(settings, all.names[i], &sums, r));
        out->digest += wanted ? name_digest(all.names[i]) : 0;
        if (wanted && sweep_shard_has(shard, all.names[i]))
            name_set_add(&out->names, all.names[i]);
    }
    name_set_free(&all);
    name_set_free(&sums);
}

/* Of a case that is no failure. */
static bool is_shown(const report_settings *shown, sweep_state state, bool given) {
    return !shown->quiet && (shown->verbose || given || state == SWEEP_KNOWN);
}

/* The number of cases of each state. The last line of the report has pass, fail, suspect and
 * not-supported already, so without other states there is nothing to add. */
static void show_states(const sweep_counts *counts) {
    uint64_t others = 0;
    const char *comma = "";
    for (int i = 0; i < SWEEP_STATES; i++)
        if (i != SWEEP_PASS && i != SWEEP_FAIL && i != SWEEP_SUSPECT && i != SWEEP_NOT_SUPPORTED)
            others += counts->states[i];
    for (int i = 0; i < SWEEP_STATES && others; i++) {
        if (counts->states[i]) {
            printf("%s%" PRIu64 " %s", comma, counts->states[i], sweep_state_name((sweep_state)i));
            comma = ", ";
        }
    }
    if (others)
        putchar('\n');
}

/* What failures have to do with --accept. */
typedef struct sweep_hints {
    uint64_t failures;
    uint64_t conformant; /* of these, as below */
    uint64_t suspect;
} sweep_hints;

static void add_hints(sweep_hints *hints, const sweep_result *result) {
    if (result->state != SWEEP_FAIL && result->state != SWEEP_SUSPECT)
        return;
    hints->failures++;
    hints->conformant += result->conformant;
    hints->suspect += result->state == SWEEP_SUSPECT;
}

static void show_hint(const sweep_hints *hints, uint64_t count, accept_choice accept) {
    const char *word = word_of(accept_words, (int)accept);
    if (count)
        printf("%s: %" PRIu64 " of %" PRIu64 " failures. --accept %s takes them\n", word, count,
               hints->failures, word);
}

typedef struct sweep {
    const sweep_settings *settings;
    backend_settings backend;
    report *report;
    executor *executors;         /* of the jobs */
    backend_device device;       /* all zero for the CPU */
    const sweep_results *before; /* earlier results, or NULL */
    accept_choice accept;        /* what is a pass where both are compared */
    sweep_shard shard;
    sweep_selection selection;
    FILE *file; /* of the results, or NULL */
    sweep_results *results;
    sweep_hints hints;
    const char *failed; /* the first failure that minimize takes, or NULL */
    uint32_t explained; /* words of the oracle */
    bool lost;          /* the device is gone, or results cannot be written */
} sweep;

/* Failures that are shown in full; then all of them are shown in groups. */
#define FAILURES_SHOWN 3

/* Stands before the lines below a case. */
#define SWEEP_INDENT "               "

/* Shows a case, and below it the explanation of a failure. Passes need -v; -q hides the cases that
 * are known. */
static void show_case(sweep *s, const char *name, sweep_state state, const sweep_result *result) {
    const report_settings *shown = s->report->settings;
    const bool failed = sweep_state_fails_sweep(state);
    if (failed ? !report_shows_failure(s->report) : !is_shown(shown, state, result->given))
        return;
    char *headline = results_headline(result->record, false);
    const char *verdict = json_find_text(result->record, "verdict");
    progress_clear();
    text_show(stdout, "%-13s  %s%s%s\n", sweep_state_name(state), name, *headline ? "  " : "",
              headline);
    free(headline);
    if (failed ? !report_is_brief(shown) : shown->verbose || result->given) {
        text_indent(stdout, SWEEP_INDENT, result->detail);
        if (*verdict)
            printf(SWEEP_INDENT "the oracle: %s\n", verdict);
    }
    if (result->detail && !report_is_brief(shown))
        show_judgement_legend(stdout, SWEEP_INDENT, result->detail, shown->verbose, &s->explained);
    if (*verdict && !report_is_brief(shown))
        show_judgement_legend(stdout, SWEEP_INDENT, verdict, shown->verbose, &s->explained);
}

/* A case that is done, or why it cannot be done. */
typedef struct sweep_piece {
    sweep_result result;
    sweep_state state;
    tool_status status;
    tool_error error;
} sweep_piece;

static void lose_sweep(sweep *s, tool_status status, const char *message) {
    if (!s->lost) /* the other jobs say the same */
        report_error(s->report, status, NULL, message);
    s->lost = true;
}

/* Opens the executors from `first` on, as far as they are not open. Only the first one of all may
 * have a reason why there is no device. A process of --exec has an order of its own: where any
 * right bits pass, it is asked for the cases of every order. */
static tool_status open_executors(sweep *s, uint32_t first, uint32_t count, tool_error *error) {
    for (executor *e = s->executors + first; e < s->executors + first + count; e++) {
        if (e->settings)
            continue;
        const tool_status status = executor_open(e, &s->backend, s->backend.backend, error);
        if (status != TOOL_OK)
            return status;
        e->any_order = s->backend.exec && s->settings->accept != ACCEPT_BITS;
        if (e > s->executors && executor_reason(e))
            return tool_fail(error, TOOL_ENVIRONMENT, "%s", executor_reason(e));
    }
    return TOOL_OK;
}

static uint64_t next_piece(void *state, size_t piece) {
    const sweep *s = state;
    const name_set *names = &s->selection.names;
    progress_show(piece, names->count, names->names[piece]);
    return s->settings->jobs > 1 ? sweep_case_bytes(names->names[piece], s->settings) : 0;
}

/* Runs a case on the executors that it has. A lost device executes nothing more, so the next case
 * gets a new one. */
static tool_status run_case(sweep *s, uint32_t job, const char *name, sweep_result *result,
                            tool_error *error) {
    const uint32_t count = sweep_executors(s->settings);
    tool_status status = open_executors(s, job, count, error);
    if (status != TOOL_OK)
        return status;
    sweep_run_case(s->executors + job, name, s->settings, result);
    if (result->unreached)
        return tool_fail(error, TOOL_ENVIRONMENT, "%s: %s", name, result->reason);
    const bool lost = result->state == SWEEP_CRASH || result->state == SWEEP_TIMEOUT;
    for (uint32_t i = 0; i < count && lost && status == TOOL_OK; i++)
        status = executor_reopen(&s->executors[job + i], error);
    return status;
}

static void *run_piece(void *state, uint32_t job, size_t piece) {
    sweep *s = state;
    sweep_piece *p = tool_calloc(1, sizeof *p);
    p->status = run_case(s, job, s->selection.names.names[piece], &p->result, &p->error);
    return p;
}

static tool_status fail_to_write(tool_error *error) {
    return file_fail("the results", error, "cannot be written");
}

/* Adds a line to the results, and writes it at once, so that a sweep that is killed keeps what it
 * did. */
static tool_status add_line(sweep *s, json_object *record, tool_error *error) {
    const char *line = json_print(record);
    if (s->file && (fprintf(s->file, "%s\n", line) < 0 || fflush(s->file) != 0))
        return fail_to_write(error);
    sweep_results_add(s->results, line);
    return TOOL_OK;
}

/* Records a case. */
static bool piece_done(void *state, size_t piece, void *result) {
    sweep *s = state;
    sweep_piece *p = result;
    tool_error error;
    if (p->result.record) {
        p->state = sweep_results_against(s->before, s->accept, s->selection.names.names[piece],
                                         p->result.state, p->result.record);
        /* Else what is worse would depend on the memory that is free. */
        const bool lacking = p->state == SWEEP_WORSE && p->result.no_memory;
        const tool_status status =
            lacking ? TOOL_ENVIRONMENT : add_line(s, p->result.record, &error);
        if (status != TOOL_OK)
            lose_sweep(s, status, lacking ? p->result.reason : error.message);
    }
    if (p->status != TOOL_OK)
        lose_sweep(s, p->status, p->error.message);
    return !s->lost;
}

/* minimize runs a case once, so that it cannot see that one is unstable, and takes a case file, but
 * neither an array nor a number of a dispatch; and it asks nobody about expected bits that rules of
 * the process forbid. */
static bool can_minimize(const sweep *s, const char *name, const sweep_result *result) {
    const bool expected =
        result->given && result->state == SWEEP_FAIL && !*json_find_text(result->record, "digest");
    return !s->settings->sum && result->state != SWEEP_UNSTABLE && !strchr(name, '#') &&
           !npy_is_path(name) && !expected;
}

/* Shows a case in its turn. */
static void show_piece(void *state, size_t piece, void *result) {
    sweep *s = state;
    sweep_piece *p = result;
    const char *name = s->selection.names.names[piece];
    if (p->result.record) {
        add_hints(&s->hints, &p->result);
        if (p->state == SWEEP_NOT_SUPPORTED)
            report_count_skip(s->report, p->result.reason);
        if (!s->failed && sweep_state_is_failure(p->state) && can_minimize(s, name, &p->result))
            s->failed = name;
        if (s->report->settings->json)
            report_json_line(json_object_get(p->result.record));
        else
            show_case(s, name, p->state, &p->result);
    }
    sweep_result_free(&p->result);
    free(p);
}

static void end_job(void *state, uint32_t job) {
    executor_close(&((sweep *)state)->executors[job]);
}

/* Opens the file of results. One that is there is kept, unless it is empty. A pipe or a device is
 * written to as it is. */
static tool_status open_output(sweep *s, const char *path, tool_error *error) {
    struct stat about;
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor >= 0 && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
        about.st_size > 0) {
        close(descriptor);
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: is there already, and not empty: remove it, or name another file",
                         path);
    }
    s->file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    return s->file ? TOOL_OK : file_fail(path, error, "cannot be written");
}

/* Writes the first or the last line, and with --json shows it. Takes the record. */
static tool_status put_line(sweep *s, json_object *record, tool_error *error) {
    const tool_status status = add_line(s, record, error);
    if (status == TOOL_OK && s->report->settings->json)
        report_json_line(json_object_get(record));
    json_object_put(record);
    return status;
}

static bool begin_results(sweep *s) {
    tool_error error;
    const char *path = s->settings->output;
    tool_status status = path ? open_output(s, path, &error) : TOOL_OK;
    if (status == TOOL_OK)
        status = put_line(
            s, sweep_header(s->settings, &s->backend, &s->device, &s->shard, &s->selection),
            &error);
    if (status != TOOL_OK)
        report_error(s->report, status, path, error.message);
    return status == TOOL_OK;
}

static void end_results(sweep *s) {
    tool_error error;
    char time[SWEEP_TIME_ROOM];
    const tool_status status = put_line(s, sweep_footer(s->results, sweep_time(time)), &error);
    if (status != TOOL_OK)
        report_error(s->report, status, NULL, error.message);
}

static void run_cases(sweep *s) {
    jobs_run(&(job_work){.state = s,
                         .pieces = s->selection.names.count,
                         .jobs = sweep_executors(s->settings) > 1 ? 1 : s->settings->jobs,
                         .room = memory_room(),
                         .next = next_piece,
                         .run = run_piece,
                         .done = piece_done,
                         .show = show_piece,
                         .end = end_job});
    if (!s->lost)
        end_results(s);
    sweep_results_join(s->results);
}

/* Names the backend that is missing; nothing has run. */
static void skip_cases(sweep *s, const char *reason) {
    const junit_entry entry = {.kind = JUNIT_SKIPPED,
                               .suite = backend_name(s->backend.backend),
                               .class = "cumsum.sweep",
                               .name = "all cases",
                               .message = reason};
    if (s->report->junit)
        junit_add(s->report->junit, &entry);
    s->results->counts.states[SWEEP_NOT_SUPPORTED] = s->selection.names.count;
    if (!s->report->settings->json)
        text_show(stdout, "SKIP  backend %s: %s\n", backend_name(s->backend.backend), reason);
}

/* What is worse than before, or if not all failures were shown, these in groups. */
static void show_groups(const sweep *s) {
    results_comparison c;
    if (!s->results->sorted || !(s->before || report_is_limited(s->report)))
        return;
    results_compare_init(&c, s->before, s->results, s->accept);
    if (!s->before)
        puts("the failures in groups:");
    results_compare_show(&c, s->report, s->before ? 3 : 1);
    results_compare_free(&c);
}

static void show_totals(sweep *s) {
    char *common = conjunction_words(s->results->common);
    progress_clear();
    show_states(&s->results->counts);
    show_groups(s);
    if (common)
        printf("the failures: %s cases fail, elsewhere 0\n", common);
    free(common);
    if (s->backend.exec && s->settings->accept == ACCEPT_BITS)
        show_hint(&s->hints, s->hints.conformant, ACCEPT_CONFORMANT);
    show_hint(&s->hints, s->hints.suspect, ACCEPT_SUSPECT);
    if (s->failed) {
        char *command = backend_command_line(&s->backend, "minimize",
                                             accept_option(s->settings->accept), s->failed);
        text_show(stdout, "the first failure, made small: %s\n", command);
        free(command);
    }
}

static void close_sweep(sweep *s) {
    tool_error error;
    if (s->file && fclose(s->file) != 0)
        report_error(s->report, fail_to_write(&error), NULL, error.message);
    sweep_counts_report(&s->results->counts, s->report);
    s->report->skips_hidden = true; /* cases that are not supported are shown with -v only */
    if (!s->report->settings->json)
        show_totals(s);
    for (uint32_t i = 0; i < s->settings->jobs; i++)
        executor_close(&s->executors[i]);
    free(s->executors);
    name_set_free(&s->selection.names);
}

/* A failure of a process that says so may be another order in another run. */
static void remark_nondeterministic(const sweep *s) {
    if (s->device.nondeterministic && s->settings->accept == ACCEPT_BITS) {
        report_message("note: %s says that it is not deterministic; --accept conformant takes all "
                       "right bits",
                       s->device.name);
    }
}

static tool_status open_sweep(sweep *s, tool_error *error) {
    tool_status status = sweep_shard_of(s->settings->shard, &s->shard, error);
    if (status == TOOL_OK)
        status = open_executors(s, 0, 1, error);
    if (status == TOOL_OK && s->executors->device)
        s->device = *s->executors->device;
    remark_nondeterministic(s);
    return status;
}

bool sweep_run(const sweep_settings *settings, const backend_settings *backend, report *r,
               const sweep_results *before, sweep_results *results) {
    sweep s = {.settings = settings,
               .backend = *backend,
               .report = r,
               .executors = tool_calloc(settings->jobs, sizeof *s.executors),
               .before = before,
               .accept = settings->accept,
               .results = results};
    tool_error error;
    bool began = false;
    if (before && sweep_results_accept(before) > s.accept)
        s.accept = sweep_results_accept(before);
    backend_isolate(&s.backend, backend->timeout > 0);
    r->most = FAILURES_SHOWN;
    const tool_status status = open_sweep(&s, &error);
    if (status != TOOL_OK)
        report_error(r, status, NULL, error.message);
    else
        select_cases(settings, &s.shard, r, &s.selection);
    if (status == TOOL_OK && executor_reason(s.executors))
        skip_cases(&s, executor_reason(s.executors));
    else if (!r->malformed && !r->environment && begin_results(&s)) {
        began = true;
        run_cases(&s);
    }
    close_sweep(&s);
    return began;
}
