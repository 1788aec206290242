/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "case_select.h"
#include "case_write.h"
#include "commands.h"
#include "json_print.h"
#include "progress.h"
#include "report.h"

/* cumsum generate: cases by their names, as case files with data and expected outputs. */

static void show(const report *r, const char *name, const char *path) {
    progress_clear();
    if (r->options->json) {
        json_object *object = json_make_object();
        fields_text(object, "event", "case");
        fields_text(object, "name", name);
        if (path)
            fields_text(object, "path", path);
        report_json_line(object);
    } else if (!path) {
        puts(name);
    } else if (!r->options->quiet) {
        puts(path);
    }
}

static void generate(report *r, const char *name) {
    suite_case c;
    char *path;
    tool_error error;
    const char *folder = r->options->output ? r->options->output : ".";
    tool_status status = case_begin(&c, name, &error);
    if (status == TOOL_OK) {
        status = case_write(&c, folder, &path, &error);
        case_end(&c);
    }
    if (status != TOOL_OK) {
        report_error(r, status, NULL, error.message);
        return;
    }
    show(r, name, path);
    r->passed++;
    free(path);
}

static void generate_all(report *r, const name_set *names) {
    tool_error error;
    tool_status status = r->options->list ? TOOL_OK : folder_make(r->options->output, &error);
    if (status != TOOL_OK) {
        report_error(r, status, r->options->output, error.message);
        return;
    }
    for (size_t i = 0; i < names->count && !r->environment; i++) {
        progress_show(i, names->count, names->names[i]);
        if (r->options->list) {
            show(r, names->names[i], NULL);
            r->passed++;
        } else {
            generate(r, names->names[i]);
        }
    }
}

int command_generate(const tool_options *options) {
    report r;
    tool_error error;
    name_set names = {0};
    if (!options->file_count)
        return command_usage_error(options, "no NAME, PATTERN or list is given");
    if (options->list && options->output)
        return command_usage_error(options, "option --output does not go with --list");
    (void)report_begin(&r, options, &error); /* fails only where a JUnit file is asked for */
    for (size_t i = 0; i < options->file_count; i++) {
        tool_status status = case_select(options->files[i], &names, &error);
        if (status != TOOL_OK)
            report_error(&r, status, options->files[i], error.message);
    }
    generate_all(&r, &names);
    name_set_free(&names);
    return report_end_quietly(&r);
}
