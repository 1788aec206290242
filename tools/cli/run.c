/* SPDX-License-Identifier: MIT */
/*
 * cumsum run: executes case files and follows their print and writeFile commands. `run X.npy`
 * sums one array without a case file. Nothing is compared with expected outputs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "case_file.h"
#include "commands.h"
#include "element.h"
#include "executor.h"
#include "file.h"
#include "json_tree.h"
#include "layout.h"
#include "memory.h"
#include "npy.h"
#include "pieces.h"
#include "report.h"
#include "segments.h"
#include "text.h"
#include "words.h"

/* ---- contents of buffers ---- */

/* The values of a resource that `print` shows. */
typedef struct shown_values {
    cumsum_data_type type;
    const unsigned char *bytes;
    uint64_t count;
} shown_values;

/* Without a type of its own, a resource has that of the tensor written to it. */
static shown_values values_of(const case_file *file, const case_file_resource *resource) {
    shown_values values = {.type = resource->type, .bytes = resource->bytes};
    const case_file_command *writer = last_writer(file, resource, file->command_count);
    uint64_t size = resource->value_bytes ? resource->value_bytes : resource->size;
    if (!cumsum_data_type_size(values.type)) {
        values.type =
            writer ? writer->dispatchable->op.output.buffer.data_type : CUMSUM_DATA_TYPE_UINT8;
    }
    values.count = size / cumsum_data_type_size(values.type);
    return values;
}

static uint64_t value_bits(const shown_values *values, uint64_t index) {
    return element_load(values->bytes + index * cumsum_data_type_size(values->type), values->type);
}

static void show_verbosely(const shown_values *values) {
    char widest[32];
    int width = snprintf(widest, sizeof widest, "%" PRIu64, values->count ? values->count - 1 : 0);
    for (uint64_t i = 0; i < values->count; i++) {
        char decimal[CUMSUM_ELEMENT_TEXT];
        char hex[CUMSUM_ELEMENT_TEXT];
        cumsum_element_decimal(decimal, values->type, value_bits(values, i));
        cumsum_element_hex(hex, values->type, value_bits(values, i));
        printf("[%*" PRIu64 "] %s (%s)\n", width, i, decimal, hex);
    }
}

/* "1, 2, 3" and a newline. */
static void show_values(shown_values values) {
    for (uint64_t i = 0; i < values.count && !ferror(stdout); i++) {
        char decimal[CUMSUM_ELEMENT_TEXT];
        cumsum_element_decimal(decimal, values.type, value_bits(&values, i));
        printf("%s%s", i ? ", " : "", decimal);
    }
    putchar('\n');
}

/* "Resource 'name': 1, 2, 3"; if verbose, a line for each element: "[0] 1 (0x00000001)". */
static void show_resource(const char *name, shown_values values, bool verbose) {
    text_show(stdout, verbose ? "Resource '%s':\n" : "Resource '%s': ", name);
    if (verbose)
        show_verbosely(&values);
    else
        show_values(values);
}

/* The same as a JSON line. fields: more members, owned by the callee, or NULL. */
static void show_values_json(const char *file, const char *name, shown_values values,
                             json_object *fields) {
    json_object *object = fields ? fields : json_make_object();
    json_object *array = json_make_array();
    for (uint64_t i = 0; i < values.count; i++)
        json_put_element(array, fields_element(values.type, value_bits(&values, i)));
    fields_text(object, "event", "print");
    fields_text(object, "file", file);
    fields_text(object, "resource", name);
    fields_text(object, "type", cumsum_data_type_name(values.type));
    json_put_member(object, "values", array);
    report_json_line(object);
}

/* Writes the elements of an output tensor, without the gaps between them. */
static tool_status write_tensor(const char *path, const case_file *file,
                                const case_file_command *writer, tool_error *error) {
    layout output = layout_of(writer->dispatchable->op.desc.output_tensor->desc);
    unsigned char *packed = tool_malloc(output.count * output.element_size);
    layout_gather(&output, binding_bytes(&writer->output), packed);
    tool_status status = TOOL_OK;
    if (strcmp(path, "-") != 0) {
        status = npy_write(path, output.type, file->complex_parts, output.rank, output.sizes,
                           packed, error);
    } else { /* that it cannot be written is seen in the end, as of all output */
        element_swap_little_endian(packed, output.count * output.element_size, output.type);
        fwrite(packed, output.element_size, (size_t)output.count, stdout);
    }
    free(packed);
    return status;
}

/* Writes a buffer that no dispatch has written. Its shape is the command's dimensions, or one
 * dimension if the command has none. */
static tool_status write_values(const case_file *file, const case_file_command *command,
                                tool_error *error) {
    shown_values values = values_of(file, command->resource);
    uint32_t one = (uint32_t)values.count;
    uint32_t rank = command->dimensions ? command->dimension_count : 1;
    const uint32_t *sizes = command->dimensions ? command->dimensions : &one;
    uint64_t product = 1;
    bool fits = rank <= CUMSUM_MAX_DIMENSIONS;
    for (uint32_t d = 0; d < rank && fits; d++)
        fits = !__builtin_mul_overflow(product, (uint64_t)sizes[d], &product);
    if (!fits || product != values.count) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: writeFile of '%s': the product of dimensions (1 to 8 of them) is not "
                         "the number of elements, %" PRIu64,
                         file->path, command->resource->name, values.count);
    }
    return npy_write(command->target_path, values.type, false, rank, sizes, values.bytes, error);
}

/* Executes the writeFile command number `index` of the case file. An .npy file gets the sizes of
 * the tensor that was last dispatched into the resource, else the command's dimensions, else one
 * dimension. A file with any other extension gets the bytes of the buffer. */
static tool_status write_output(const case_file *file, size_t index, tool_error *error) {
    const case_file_command *command = &file->commands[index];
    const case_file_command *writer = last_writer(file, command->resource, index);
    if (!file_has_extension(command->target_path, ".npy")) {
        shown_values values = values_of(file, command->resource);
        file_part part = {values.bytes,
                          (size_t)(values.count * cumsum_data_type_size(values.type))};
        return file_write(command->target_path, &part, 1, error);
    }
    return writer ? write_tensor(command->target_path, file, writer, error)
                  : write_values(file, command, error);
}

/* ---- commands of case files ---- */

/* The state of the command over all its case files. */
typedef struct running {
    const tool_options *options;
    report *report; /* for errors; it counts dispatches */
    executor executor;
} running;

static void show_contents(const running *r, const case_file *file,
                          const case_file_resource *resource, bool verbose) {
    progress_clear();
    if (r->report->settings->json) {
        show_values_json(file->path, resource->name, values_of(file, resource), NULL);
    } else {
        show_resource(resource->name, values_of(file, resource),
                      verbose || r->report->settings->verbose);
    }
}

static void show_written(const running *r, const case_file *file,
                         const case_file_command *command) {
    if (r->report->settings->json) {
        json_object *object = report_event("write");
        fields_text(object, "file", file->path);
        fields_text(object, "resource", command->resource->name);
        fields_text(object, "path", command->target_path);
        report_json_line(object);
    } else if (!r->report->settings->quiet) {
        text_show(stdout, "Resource '%s' written to %s\n", command->resource->name,
                  command->target_path);
    }
}

/* What was adapted of a dispatch. Standard output has values only, so the text is a message. */
static void show_adapted(const running *r, const case_file *file,
                         const case_file_command *command) {
    const uint32_t adapted = executor_adapted(&r->executor);
    const char *name = command->dispatchable->name;
    char text[ADAPTATION_TEXT];
    if (adapted && r->report->settings->json) {
        json_object *object = report_event("adapted");
        fields_text(object, "file", file->path);
        fields_text(object, "name", name);
        adaptation_fields(object, adapted);
        report_json_line(object);
    } else if (adapted && !r->report->settings->quiet) {
        report_message("%s: %s: %s", file->path, name, adaptation_text(adapted, text));
    }
}

static tool_status dispatch_segments(const running *r, const case_file *file,
                                     const case_file_command *command, tool_error *error) {
    cumsum_segments *cut;
    tool_status status = segments_read(r->options, &command->dispatchable->op.desc,
                                       file->complex_parts, &cut, error);
    if (status == TOOL_OK)
        status = executor_dispatch(&r->executor, file, command, cut, NULL, error);
    segments_free(cut);
    return status;
}

static tool_status follow_command(running *r, const case_file *file, size_t index,
                                  tool_error *error) {
    const case_file_command *command = &file->commands[index];
    tool_status status = TOOL_OK;
    switch (command->type) {
    case CASE_FILE_COMMAND_DISPATCH:
        progress_show(index, file->command_count, file->path);
        status = dispatch_segments(r, file, command, error);
        r->report->passed += status == TOOL_OK;
        if (status == TOOL_OK)
            show_adapted(r, file, command);
        break;
    case CASE_FILE_COMMAND_PRINT:
        show_contents(r, file, command->resource, command->verbose);
        break;
    case CASE_FILE_COMMAND_WRITE_FILE:
        status = write_output(file, index, error);
        if (status == TOOL_OK)
            show_written(r, file, command);
        break;
    }
    return status;
}

/* Shows each output once, in the order of the dispatches, if a case file has no command that shows
 * or writes one. */
static void show_outputs(const running *r, const case_file *file) {
    for (size_t i = 0; i < file->command_count; i++) {
        const case_file_resource *output = file->commands[i].output.resource;
        if (!last_writer(file, output, i))
            show_contents(r, file, output, false);
    }
}

static bool only_dispatches(const case_file *file) {
    for (size_t i = 0; i < file->command_count; i++)
        if (file->commands[i].type != CASE_FILE_COMMAND_DISPATCH)
            return false;
    return true;
}

/* run X.npy: writes the output, or shows its values alone. */
static tool_status show_sums(const running *r, const case_file *file, tool_error *error) {
    const cumsum_operator_desc *desc = &file->dispatchables[0].op.desc;
    const shown_values values = values_of(file, file->commands[0].output.resource);
    if (r->options->output)
        return write_tensor(r->options->output, file, &file->commands[0], error);
    progress_clear();
    if (r->report->settings->json) {
        const cumsum_buffer_tensor_desc *output = desc->output_tensor->desc;
        json_object *fields = json_make_object();
        fields_numbers(fields, "sizes", output->dimension_count, output->sizes);
        show_values_json(file->path, "output", values, fields);
    } else {
        show_values(values);
    }
    return TOOL_OK;
}

static tool_status run_case_file(running *r, const case_file *file, tool_error *error) {
    const bool wide = r->options->input && r->executor.backend == BACKEND_CPU &&
                      file->dispatchables[0].op.input.buffer.data_type == CUMSUM_DATA_TYPE_FLOAT64;
    /* The rules of DirectML's descriptors have no FLOAT64. */
    tool_status status = wide ? TOOL_OK : executor_check_case_file(file, error);
    for (size_t i = 0; i < file->command_count && status == TOOL_OK; i++)
        status = follow_command(r, file, i, error);
    if (status == TOOL_OK && r->options->input)
        return show_sums(r, file, error);
    if (status == TOOL_OK && only_dispatches(file))
        show_outputs(r, file);
    return status;
}

static void report_skipped_file(running *r, const case_file *file, const char *reason) {
    const char *backend = backend_name(r->executor.backend);
    r->report->skipped++;
    if (r->report->settings->json) {
        json_object *object = report_event("skip");
        fields_text(object, "file", file->path);
        fields_text(object, "backend", backend);
        fields_text(object, "reason", reason);
        report_json_line(object);
    } else {
        text_show(stdout, "SKIP  %s: backend %s: %s\n", file->path, backend, reason);
    }
}

static tool_status run_or_skip(void *state, case_file *file, tool_error *error) {
    running *r = state;
    const char *reason = executor_reason(&r->executor);
    const tool_status status = reason ? TOOL_SKIPPED : run_case_file(r, file, error);
    if (status != TOOL_SKIPPED)
        return status;
    report_skipped_file(r, file, reason ? reason : error->message);
    return TOOL_OK;
}

tool_status command_run(const tool_options *options, report *counts, tool_error *error) {
    running r = {.options = options, .report = counts};
    tool_status status =
        executor_open(&r.executor, &options->backend, options->backend.backend, error);
    bool taken = false;
    if (status == TOOL_OK && options->input && !options->segments && !options->initial)
        status = run_pieces(options, &r.executor, &taken, error);
    counts->passed += taken && status == TOOL_OK;
    if (status == TOOL_OK && !taken)
        command_each_case_file(options, counts, 1, run_or_skip, &r, NULL);
    executor_close(&r.executor);
    return status;
}
