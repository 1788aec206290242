/* SPDX-License-Identifier: MIT */
#include "minimize_result.h"

#include <cumsum/oracle.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "case_write.h"
#include "element.h"
#include "file_path.h"
#include "json_make.h"
#include "memory.h"
#include "minimize_words.h"
#include "progress.h"
#include "report_fields.h"
#include "show_judgement.h"
#include "text.h"

/* What there is to say of the smallest case. */
typedef struct smallest {
    suite_case before; /* as it is written: not executed */
    suite_case after;
    sweep_result result;
    char name[CASE_NAME_ROOM];
    char *verdict; /* the judge's words; NULL where there is no output to be judged */
    char *again;   /* the command that shows the failure again */
    char *path;
} smallest;

static char *judge(const smallest *s) {
    const case_spec *spec = &s->before.spec;
    const cumsum_judge_options options = {.promised = true, .numerics = spec->numerics};
    cumsum_judgement judgement;
    if (s->result.state != SWEEP_FAIL && s->result.state != SWEEP_PASS)
        return NULL;
    if (cumsum_judge(&s->before.descriptor.desc, s->before.input + spec->input.offset,
                     s->before.input_size - spec->input.offset,
                     s->after.output + spec->output.offset,
                     s->after.output_size - spec->output.offset, &options, NULL, &judgement,
                     NULL) != CUMSUM_OK)
        return NULL;
    text_buffer buffer;
    text_buffer_begin(&buffer);
    fputs(judgement.pass ? "PASS: " : "FAIL: ", buffer.stream);
    show_judgement_words(buffer.stream, spec->type, &judgement, true);
    return text_buffer_end(&buffer);
}

/* The elements of the output as they were computed, where they are few. */
static json_object *actual_values(const smallest *s) {
    const layout tensor = layout_of(&s->after.descriptor.output_buffer);
    json_object *values = json_make_array();
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        const unsigned char *first = s->after.output + s->after.spec.output.offset;
        json_put_element(
            values, fields_element(tensor.type,
                                   element_load(first + layout_offset(&tensor, at), tensor.type)));
    } while (layout_next(&tensor, at));
    return values;
}

static void put_member(FILE *out, const char *key, json_object *value) {
    fprintf(out, "  \"%s\": %s,\n", key,
            json_print(value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(value);
}

static void put_text(FILE *out, const char *key, const char *text) {
    char *clean = text_utf8(text, 0);
    put_member(out, key, json_make_string(clean));
    free(clean);
}

/* Readers of case files skip these members. */
static char *head_of(const smallest *s, const minimize_found *found) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    char *source = minimize_command(found->executor->options, "minimize", found->origin);
    put_text(buffer.stream, "source", source);
    free(source);
    put_text(buffer.stream, "state", sweep_state_name(s->result.state));
    if (s->result.reason[0])
        put_text(buffer.stream, "reason", s->result.reason);
    if (s->verdict)
        put_text(buffer.stream, "verdict", s->verdict);
    if (s->verdict && found->shrinker->best.count <= CASE_INLINE_ELEMENTS)
        put_member(buffer.stream, "actual", actual_values(s));
    put_text(buffer.stream, "again", s->again);
    return text_buffer_end(&buffer);
}

/* verify does not look at what is between the elements. */
static char *again_of(const smallest *s, const minimize_found *found, const char *file) {
    const bool stray_alone = s->result.stray && !s->result.comparison.differing;
    return minimize_command(found->executor->options, stray_alone ? "minimize" : "verify", file);
}

static tool_status write_case(smallest *s, const minimize_found *found, tool_error *error) {
    const char *folder = found->executor->options->output;
    char file[CASE_NAME_ROOM + 24];
    snprintf(file, sizeof file, "%s.json", found->stem);
    char *path = file_join(folder ? folder : ".", file);
    if (!path)
        tool_memory_is_out();
    s->again = again_of(s, found, folder ? path : file);
    free(path);
    char *head = head_of(s, found);
    const case_title title = {.name = s->name, .stem = found->stem, .head = head};
    tool_status status =
        case_write_titled(&s->before, &title, folder ? folder : ".", &s->path, error);
    free(head);
    return status;
}

static void show_text(const smallest *s, const minimize_found *found) {
    progress_clear();
    printf("from     ");
    text_show(stdout, found->origin);
    printf("  %" PRIu64 " elements\nto       %s  %" PRIu64 " elements, after %" PRIu64 " tries%s\n",
           found->elements, s->name, found->shrinker->best.count, found->shrinker->tried,
           found->shrinker->stopped ? "; the time was up" : "");
    printf("%-7s  ", sweep_state_name(s->result.state));
    text_show(stdout, s->result.reason);
    for (const char *line = s->result.detail ? s->result.detail : ""; *line;) {
        size_t length = strcspn(line, "\n");
        bool first = line == s->result.detail && !s->result.reason[0];
        printf("%s%.*s", first ? "" : "\n         ", (int)length, line);
        line += length + (line[length] == '\n');
    }
    printf("\n%s%s%sfile     ", s->verdict ? "verdict  " : "", s->verdict ? s->verdict : "",
           s->verdict ? "\n" : "");
    text_show(stdout, s->path);
    fputs("\nagain    ", stdout);
    text_show(stdout, s->again);
    putchar('\n');
}

static void show_json(const smallest *s, const minimize_found *found) {
    json_object *line = json_make_object();
    fields_text(line, "event", "minimized");
    fields_text(line, "source", found->origin);
    fields_count(line, "sourceElements", found->elements);
    fields_text(line, "name", s->name);
    fields_count(line, "elements", found->shrinker->best.count);
    fields_count(line, "tries", found->shrinker->tried);
    fields_flag(line, "complete", !found->shrinker->stopped);
    sweep_result_fields(line, &s->after.descriptor.output_buffer, &s->result);
    if (s->verdict)
        fields_text(line, "verdict", s->verdict);
    fields_text(line, "path", s->path);
    fields_text(line, "again", s->again);
    report_json_line(line);
}

static void show(report *r, const smallest *s, const minimize_found *found) {
    r->failed++;
    if (r->options->json)
        show_json(s, found);
    else
        show_text(s, found);
}

void minimize_report(report *r, const minimize_found *found) {
    const shrink_case *best = &found->shrinker->best;
    smallest s = {.name = ""};
    tool_error error;
    tool_status status = case_begin_values(&s.before, &best->spec, best->values, &error);
    if (status == TOOL_OK)
        status = case_begin_values(&s.after, &best->spec, best->values, &error);
    if (status == TOOL_OK) {
        minimize_case_name(s.name, &best->spec);
        sweep_check_case(found->executor, &s.after, best->values, &s.result);
        s.verdict = judge(&s);
        status = write_case(&s, found, &error);
    }
    if (status == TOOL_OK)
        show(r, &s, found);
    else
        report_error(r, status, NULL, error.message);
    case_end(&s.before);
    case_end(&s.after);
    free(s.result.detail);
    free(s.verdict);
    free(s.again);
    free(s.path);
}
