/* SPDX-License-Identifier: MIT */
/* cumsum generate: writes named cases of the suite as case files with data and expected outputs. */
#include <stdlib.h>

#include "case_list.h"
#include "case_write.h"
#include "commands.h"
#include "file.h"
#include "report.h"

/* Shows the name of a case (--list), or the path of its file. */
static void show_written_case(const report *r, const char *name, const char *path) {
    progress_clear();
    if (r->settings->json) {
        json_object *object = report_event("case");
        fields_text(object, "name", name);
        if (path)
            fields_text(object, "path", path);
        report_json_line(object);
    } else if (!path) {
        puts(name);
    } else if (!r->settings->quiet) {
        puts(path);
    }
}

static tool_status write_named_case(const char *name, const char *folder, char **path,
                                    tool_error *error) {
    suite_case c;
    tool_status status = case_init(&c, name, error);
    if (status == TOOL_OK) {
        status = case_write(&c, folder ? folder : ".", path, error);
        case_free(&c);
    }
    return status;
}

static void generate_all(report *r, const tool_options *options, const name_set *names) {
    tool_error error;
    tool_status status = options->list ? TOOL_OK : folder_make(options->output, &error);
    if (status != TOOL_OK)
        report_error(r, status, options->output, error.message);
    for (size_t i = 0; i < names->count && !r->environment; i++) {
        const char *name = names->names[i];
        char *path = NULL;
        progress_show(i, names->count, name);
        status = options->list ? TOOL_OK : write_named_case(name, options->output, &path, &error);
        if (status == TOOL_OK)
            show_written_case(r, name, path);
        else
            report_error(r, status, NULL, error.message);
        r->passed += status == TOOL_OK;
        free(path);
    }
}

tool_status command_check_generate(const tool_options *options, tool_error *error) {
    if (options->list && options->output)
        return tool_fail(error, TOOL_MALFORMED, "option --output cannot be combined with --list");
    return TOOL_OK;
}

tool_status command_generate(const tool_options *options, report *r, tool_error *error) {
    name_set names = {0};
    for (size_t i = 0; i < options->file_count; i++) {
        tool_status status = case_select(options->files[i], &names, error);
        if (status != TOOL_OK)
            report_error(r, status, options->files[i], error->message);
    }
    generate_all(r, options, &names);
    name_set_free(&names);
    return TOOL_OK;
}
