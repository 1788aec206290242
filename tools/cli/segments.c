/* SPDX-License-Identifier: MIT */
/* Reads --segments and --initial, and explains judgements of segments. */
#include "segments.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "file.h"
#include "json_value.h"
#include "layout.h"
#include "memory.h"
#include "npy.h"
#include "number.h"

enum {
    SEGMENT_OFFSETS,
    SEGMENT_KEYS,
    SEGMENT_FLAGS
};

static const word_row kinds[] = {
    {"offsets", SEGMENT_OFFSETS}, {"keys", SEGMENT_KEYS}, {"flags", SEGMENT_FLAGS}, {NULL, 0}};

tool_status segments_check(const tool_options *options, tool_error *error) {
    const char *option = options->segments ? "segments" : options->initial ? "initial" : NULL;
    if (!option)
        return TOOL_OK;
    if ((options->input && !strcmp(options->input, "-")) ||
        (options->recorded && !strcmp(options->recorded, "-")))
        return tool_fail(error, TOOL_MALFORMED, "option --%s needs arrays in files, such as X.npy",
                         option);
    if (options->backend.backend != BACKEND_CPU && options->backend.backend != BACKEND_EXEC)
        return tool_fail(error, TOOL_MALFORMED, "option --%s needs the backend cpu, or --exec",
                         option);
    if (options->command == COMMAND_JUDGE &&
        (options->sum || options->output || options->report.html || options->beside))
        return tool_fail(error, TOOL_MALFORMED,
                         "option --%s excludes --sum, --output, --beside and pages, which are for "
                         "whole lines",
                         option);
    return TOOL_OK;
}

/* A file of segments, and the tensor that it must fit. */
typedef struct segment_file {
    const char *path;
    int kind;
    npy_array array;
    cumsum_buffer_tensor_desc tensor; /* of the sums */
    uint32_t axis;
    uint32_t parts;  /* lines that have the segments of one: 2, of complex numbers */
    uint32_t rank;   /* dimensions of the tensor without parts */
    uint64_t length; /* of a line */
    uint64_t lines;
    uint64_t inner; /* elements from one to the next along the axis, if each line has segments */
} segment_file;

/* A file of raw elements is one line of them, or has one for each element of the tensor. */
static tool_status read_raw(segment_file *f, cumsum_data_type type, tool_error *error) {
    npy_header header = {.type = type, .rank = 1};
    file_contents file;
    const tool_status status = file_map(f->path, &file, error);
    if (status != TOOL_OK)
        return status;
    header.sizes[0] = file.size / cumsum_data_type_size(type);
    file_free(file.bytes);
    if (f->kind != SEGMENT_OFFSETS && header.sizes[0] == f->length * f->lines / f->parts &&
        f->rank > 1)
        for (header.rank = 0; header.rank < f->rank; header.rank++)
            header.sizes[header.rank] = f->tensor.sizes[header.rank];
    header.size = npy_size_of(type, header.rank, header.sizes);
    return npy_read_raw(f->path, &header, &f->array, error);
}

/* "offsets=FILE" and so on. */
static tool_status read_file(const char *text, segment_file *f, tool_error *error) {
    char word[16], raw[16];
    int type = CUMSUM_DATA_TYPE_UNKNOWN, path = 0, elements = 0;
    if (sscanf(text, "%15[^=]=%n", word, &path) != 1 || !path || !word_find(kinds, word, &f->kind))
        return tool_fail(error, TOOL_MALFORMED,
                         "option --segments: '%.100s' is none of offsets=FILE, keys=FILE and "
                         "flags=FILE",
                         text);
    f->path = text + path;
    const bool is_raw = sscanf(f->path, "%15[^:]:%n", raw, &elements) == 1 && elements &&
                        word_find(element_words, raw, &type);
    f->path += is_raw ? elements : 0;
    if (!is_raw && !npy_is_path(f->path))
        return tool_fail(error, TOOL_MALFORMED,
                         "option --segments: '%.400s' is no .npy file: %s=int64:FILE says what raw "
                         "elements are",
                         f->path, word);
    const tool_status status =
        is_raw ? read_raw(f, (cumsum_data_type)type, error)
               : npy_read_as(f->path, CUMSUM_DATA_TYPE_UNKNOWN, &f->array, error);
    if (status == TOOL_OK &&
        (f->array.complex_parts || (element_is_float(f->array.type) && f->kind != SEGMENT_KEYS)))
        return tool_fail(error, TOOL_MALFORMED, "%.400s: %s are %s, not %s", f->path, word,
                         f->kind == SEGMENT_KEYS ? "real numbers" : "integers",
                         npy_type_name(&f->array));
    return status;
}

/* What was read. */
typedef struct given_segments {
    cumsum_segments segments; /* the first member; points to what follows */
    uint64_t *ends;
    uint64_t *per_line;
    uint64_t initial; /* the bytes of an element */
} given_segments;

/* What the file has for a line: elements from number `first` on, `step` apart. */
typedef struct segment_line {
    const segment_file *file;
    uint64_t count;
    uint64_t first;
    uint64_t step;
} segment_line;

/* An element as an integer. Equal keys give equal integers: also -0 and 0, and every NaN. */
static uint64_t value_at(const segment_line *line, uint64_t index) {
    const npy_array *array = &line->file->array;
    const uint64_t at = line->first + index * line->step;
    const uint64_t bits =
        element_load(array->bytes + at * cumsum_data_type_size(array->type), array->type);
    if (!element_is_float(array->type))
        return element_integer(array->type, bits);
    const double key = element_value(array->type, bits);
    return isnan(key) ? UINT64_MAX : key == 0 ? 0 : bits;
}

/* Offsets of one line, as cu_seqlens has them: 0, the ends, the last of which is the length. */
static tool_status take_offsets(const segment_line *line, given_segments *out, tool_error *error) {
    const segment_file *f = line->file;
    uint64_t before = 0;
    for (uint64_t i = 0; i < line->count; i++) {
        const uint64_t offset = value_at(line, i);
        const bool last = i + 1 == line->count;
        const bool negative = element_is_signed(f->array.type) && offset >> 63;
        if (offset < before || offset > f->length || (i == 0 && offset) ||
            (last && offset != f->length))
            return tool_fail(error, TOOL_MALFORMED,
                             "%.400s: offset number %" PRIu64 " is %s%" PRIu64
                             "; the rule: offsets begin with 0, do not decrease, and end with "
                             "%" PRIu64 ", the length of a line",
                             f->path, i, negative ? "-" : "", negative ? ~offset + 1 : offset,
                             f->length);
        before = offset;
        if (i)
            out->ends[out->segments.count++] = offset;
    }
    return TOOL_OK;
}

/* A segment begins at a flag, and where a key is another one than that before. */
static void take_marks(const segment_line *line, given_segments *out) {
    const bool flags = line->file->kind == SEGMENT_FLAGS;
    for (uint64_t i = 1; i < line->count; i++)
        if (value_at(line, i) != (flags ? 0 : value_at(line, i - 1)))
            out->ends[out->segments.count++] = i;
    out->ends[out->segments.count++] = line->count;
}

/* The input's shape, but along the axis any number of offsets? */
static bool has_lines(const segment_file *f) {
    bool has = !f->array.fortran_order && f->array.rank == f->rank;
    for (uint32_t d = 0; d < f->rank && has; d++)
        has =
            f->array.sizes[d] == f->tensor.sizes[d] || (d == f->axis && f->kind == SEGMENT_OFFSETS);
    return has;
}

static tool_status take_line_segments(const segment_line *line, given_segments *out,
                                      tool_error *error) {
    if (line->file->kind == SEGMENT_OFFSETS)
        return take_offsets(line, out, error);
    take_marks(line, out);
    return TOOL_OK;
}

/* The ends for all lines, or for each of them. */
static tool_status take_segments(segment_file *f, given_segments *out, tool_error *error) {
    const uint64_t count = f->array.size / cumsum_data_type_size(f->array.type);
    const uint64_t along = f->array.rank ? f->array.sizes[f->array.rank == 1 ? 0 : f->axis] : 0;
    const bool one = f->array.rank == 1 && (count == f->length || f->kind == SEGMENT_OFFSETS);
    tool_status status = TOOL_OK;
    if ((!one && !has_lines(f)) || along < (f->kind == SEGMENT_OFFSETS ? 2 : 1))
        return tool_fail(error, TOOL_MALFORMED,
                         f->kind == SEGMENT_OFFSETS
                             ? "%.400s: there are %" PRIu64 " %s; the rule: two or more in one "
                               "dimension, or an array of them for each line, of the input's shape "
                               "but along the axis, in C order"
                             : "%.400s: there are %" PRIu64 " %s; the rule: one for each of the "
                               "%" PRIu64 " elements of a line, or an array of the input's shape, "
                               "in C order",
                         f->path, count, word_of(kinds, f->kind), f->length);
    out->ends = tool_calloc((size_t)(one ? count : count * f->parts), sizeof *out->ends);
    if (one)
        return take_line_segments(&(segment_line){f, along, 0, 1}, out, error);
    out->per_line = tool_calloc((size_t)f->lines, sizeof *out->per_line);
    for (uint64_t line = 0; line < f->lines && status == TOOL_OK; line++) {
        const uint64_t number = line / f->parts, before = out->segments.count;
        const uint64_t first = number / f->inner * f->inner * along + number % f->inner;
        status = take_line_segments(&(segment_line){f, along, first, f->inner}, out, error);
        out->per_line[line] = out->segments.count - before;
    }
    return status;
}

/* A number as JSON has them, or nan, inf and -inf. */
static tool_status read_initial(const char *text, cumsum_data_type type, given_segments *out,
                                tool_error *error) {
    json_document document;
    tool_error why;
    bool stored = number_store_word(type, text, &out->initial);
    if (!stored && json_parse(&document, text, strlen(text), "", 1, &why) == TOOL_OK) {
        const char *digits = json_text(document.root);
        stored = json_type_of(document.root) == json_type_number &&
                 number_store(type, digits, strlen(digits), &out->initial);
        json_free(&document);
    }
    if (!stored)
        return tool_fail(error, TOOL_MALFORMED, "option --initial: '%.100s' is no number of %s",
                         text, cumsum_data_type_name(type));
    out->segments.initial = &out->initial;
    return TOOL_OK;
}

tool_status segments_read(const tool_options *options, const cumsum_operator_desc *desc,
                          bool complex_parts, cumsum_segments **out, tool_error *error) {
    const cumsum_buffer_tensor_desc *tensor = desc->input_tensor->desc;
    segment_file f = {.tensor = *tensor,
                      .axis = desc->axis,
                      .parts = complex_parts ? 2 : 1,
                      .rank = npy_axes(tensor->dimension_count, complex_parts),
                      .length = tensor->sizes[desc->axis],
                      .inner = 1};
    tool_status status = TOOL_OK;
    *out = NULL;
    if (!options->segments && !options->initial)
        return TOOL_OK;
    if (options->initial && complex_parts)
        return tool_fail(error, TOOL_MALFORMED,
                         "option --initial: the sums of complex numbers have none");
    given_segments *given = tool_calloc(1, sizeof *given);
    *out = &given->segments;
    f.lines = layout_of(tensor).count / f.length;
    for (uint32_t d = f.axis + 1; d < f.rank; d++)
        f.inner *= tensor->sizes[d];
    if (options->segments) {
        status = read_file(options->segments, &f, error);
        if (status == TOOL_OK)
            status = take_segments(&f, given, error);
        npy_free(&f.array);
    }
    if (status == TOOL_OK && options->initial)
        status = read_initial(options->initial, tensor->data_type, given, error);
    given->segments.ends = given->ends;
    given->segments.per_line = given->per_line;
    return status;
}

void segments_free(cumsum_segments *segments) {
    given_segments *given = (given_segments *)segments;
    if (given) {
        free(given->ends);
        free(given->per_line);
    }
    free(given);
}

/* Would the output be right for other segments? */
static bool is_right_for(const judged_output *o, const cumsum_segments *other) {
    cumsum_pieces_judgement found;
    return cumsum_judge_segments(o->desc, other, o->input, o->input_in_bytes, o->output,
                                 o->output_in_bytes, &o->options, NULL, &found, NULL,
                                 NULL) == CUMSUM_OK &&
           found.judgement.counts[CUMSUM_VERDICT_FAIL] == 0;
}

/* The segment that the first finding is in, as a tensor of its own: its lines, or the one. */
static void explain_segment(FILE *out, const judged_output *o) {
    const layout tensor = o->tensor;
    const cumsum_buffer_tensor_desc *given[2] = {o->desc->input_tensor->desc,
                                                 o->desc->output_tensor->desc};
    const uint32_t axis = o->desc->axis;
    const bool alone = o->segments->per_line != NULL;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS], first[CUMSUM_MAX_DIMENSIONS];
    uint32_t strides[2][CUMSUM_MAX_DIMENSIONS];
    cumsum_buffer_tensor_desc buffers[2];
    uint64_t offsets[2];
    for (uint32_t d = 0; d < tensor.rank; d++) {
        sizes[d] = alone ? 1 : tensor.sizes[d];
        first[d] = alone ? o->judgement.first.coordinates[d] : 0;
    }
    sizes[axis] = (uint32_t)(o->gravest.end - o->gravest.begin);
    first[axis] = (uint32_t)o->gravest.begin;
    for (int i = 0; i < 2; i++) {
        const layout whole = layout_of(given[i]);
        for (uint32_t d = 0; d < tensor.rank; d++)
            strides[i][d] = (uint32_t)whole.strides[d];
        offsets[i] = layout_offset(&whole, first);
        buffers[i] = tensor_of(tensor.type, tensor.rank, sizes, strides[i]);
    }
    const cumsum_tensor_desc tensors[2] = {{CUMSUM_TENSOR_TYPE_BUFFER, &buffers[0]},
                                           {CUMSUM_TENSOR_TYPE_BUFFER, &buffers[1]}};
    cumsum_operator_desc desc = *o->desc;
    desc.input_tensor = &tensors[0];
    desc.output_tensor = &tensors[1];
    judged_output one = {.desc = &desc,
                         .input = o->input + offsets[0],
                         .input_in_bytes = o->input_in_bytes - offsets[0],
                         .output = o->output + offsets[1],
                         .output_in_bytes = o->output_in_bytes - offsets[1],
                         .options = o->options,
                         .profile = o->profile};
    fprintf(out, "the first finding is in the segment [%" PRIu64 "..%" PRIu64 "]", o->gravest.begin,
            o->gravest.end - 1);
    if (!o->segments->initial && judged_output_ask(&one, NULL) == CUMSUM_OK) {
        judged_output_explain(&one);
        fputs("; with indices from its first element on: ", out);
        show_judgement(out, &one, CUMSUM_TEXT_VERDICT);
    }
    putc('\n', out);
}

static double value_of(const layout *tensor, const unsigned char *element) {
    return element_number(tensor->type, element_load(element, tensor->type));
}

/* The errors of the line and the segment that the first finding is in: each output less the sum of
 * its terms, the initial value among them. To be freed. */
static double *errors_of_line(const judged_output *o, double initial) {
    const layout x = layout_of(o->desc->input_tensor->desc), y = o->tensor;
    const uint32_t axis = o->desc->axis;
    const uint64_t count = o->gravest.end - o->gravest.begin;
    double *errors = tool_calloc((size_t)count, sizeof *errors), sum = initial;
    uint32_t at[CUMSUM_MAX_DIMENSIONS];
    memcpy(at, o->judgement.first.coordinates, sizeof at);
    for (uint64_t k = 0; k < count; k++) {
        const bool decreasing = o->desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
        at[axis] = (uint32_t)(decreasing ? o->gravest.end - 1 - k : o->gravest.begin + k);
        const double before = sum;
        sum += value_of(&x, o->input + layout_offset(&x, at));
        errors[k] = value_of(&y, o->output + layout_offset(&y, at)) -
                    (o->desc->has_exclusive_sum ? before : sum);
    }
    return errors;
}

/* Is the initial value added again at each multiple of so many elements? Returns the number, or 0.
 * A quarter of the value is allowed for roundings. */
static uint64_t repeated_initial(const judged_output *o) {
    const double initial = value_of(&o->tensor, o->segments->initial);
    const uint64_t count = o->gravest.end - o->gravest.begin;
    double *errors = errors_of_line(o, initial);
    uint64_t block = 0, fit = 0;
    while (block < count && fabs(errors[block]) < fabs(initial) / 4)
        block++;
    for (uint64_t k = 0; k < count && block > 0; k++) {
        const uint64_t blocks = k / block;
        fit += fabs(errors[k] - initial * (double)blocks) < fabs(initial) / 4;
    }
    free(errors);
    return block > 0 && block < count && fit == count ? block : 0;
}

void segments_describe(FILE *out, const cumsum_segments *segments) {
    if (segments->ends)
        fprintf(out, ", %" PRIu64 " segment%s", segments->count, segments->count == 1 ? "" : "s");
    if (segments->initial)
        fputs(", from an initial value", out);
}

void segments_explain(FILE *out, const judged_output *o) {
    cumsum_segments whole = {.initial = o->segments->initial}, bare = *o->segments;
    uint64_t block = 0;
    bare.initial = NULL;
    if (o->segments->ends && is_right_for(o, &whole))
        fputs("they are the sums of whole lines, as if there were no segments\n", out);
    else if (o->segments->initial && is_right_for(o, &bare))
        fputs("they are the sums without the initial value\n", out);
    else if (o->segments->initial && (block = repeated_initial(o)) > 0)
        fprintf(out, "the initial value is added once in each block of %" PRIu64 " elements\n",
                block);
    else if (o->segments->ends)
        explain_segment(out, o);
}
