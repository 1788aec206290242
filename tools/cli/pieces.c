/* SPDX-License-Identifier: MIT */
/* Cuts arrays into pieces, and reads them. */
#include "pieces.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "case_file.h"
#include "element.h"
#include "file.h"
#include "layout.h"
#include "memory_limit.h"
#include "report.h"

/* The header of an array. A file of raw elements has none: --raw says what it holds. */
static tool_status read_array_header(const tool_options *options, const char *path, npy_header *out,
                                     tool_error *error) {
    if (!options->raw.rank || npy_is_path(path))
        return npy_read_header(path, options->raw.type, out, error);
    *out = options->raw;
    out->size = npy_size_of(out->type, out->rank, out->sizes);
    return TOOL_OK;
}

tool_status read_array(const tool_options *options, const char *path, npy_array *out,
                       tool_error *error) {
    npy_header header;
    const tool_status status = read_array_header(options, path, &header, error);
    return status == TOOL_OK ? npy_read_raw(path, &header, out, error) : status;
}

tool_status check_axis_given(const tool_options *options, const char *path, uint32_t rank,
                             tool_error *error) {
    if (options->has_axis || rank < 2)
        return TOOL_OK;
    return tool_fail(error, TOOL_MALFORMED,
                     "%.400s: has %" PRIu32 " dimensions: --axis N says which one is summed along",
                     path, rank);
}

tool_status pieces_open(pieces *p, const tool_options *options, int index, const char *path,
                        tool_error *error) {
    piece_source *s = &p->source[index];
    const bool standard = !strcmp(path, "-");
    const tool_status status = read_array_header(options, path, &s->header, error);
    s->path = standard ? "standard input" : path;
    return status == TOOL_OK && !standard ? npy_map(path, &s->header, &s->bytes, error) : status;
}

static uint64_t at_most(uint64_t count, uint64_t limit) {
    const uint64_t least = count > 0 ? count : 1;
    return least < limit ? least : limit;
}

tool_status pieces_begin(pieces *p, const tool_options *options, uint64_t bytes, bool in_order,
                         tool_error *error) {
    const npy_header *header = &p->source[0].header;
    const uint64_t step = cumsum_data_type_size(p->type);
    char shape[LAYOUT_WIDE_TEXT];
    const uint32_t axes = npy_axes(header->rank, header->complex_parts);
    layout_shape_text(shape, axes, header->sizes);
    tool_status status = check_axis_given(options, p->source[0].path, axes, error);
    if (status == TOOL_OK)
        status = case_file_check_axis(p->source[0].path, axes, shape, header->size, options->axis,
                                      error);
    if (status != TOOL_OK)
        return status;
    p->axis = (uint32_t)(options->axis < 0 ? options->axis + (int32_t)axes : options->axis);
    p->outer = p->inner = 1;
    for (uint32_t d = 0; d < header->rank; d++)
        *(d < p->axis ? &p->outer : &p->inner) *= d == p->axis ? 1 : header->sizes[d];
    p->length = header->sizes[p->axis];
    p->most_rows = at_most(bytes / step / p->inner, p->length);
    if (p->most_rows < p->length && bytes > PIECE_BYTES)
        p->most_rows = at_most(PIECE_BYTES / step / p->inner, p->length);
    if (in_order && options->decreasing) /* else the last rows of a block come first */
        p->most_rows = p->length;
    const bool whole = p->most_rows == p->length;
    /* No size is 0. NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
    p->most_blocks = whole ? at_most(bytes / step / (p->inner * p->length), p->outer) : 1;
    const uint64_t most = p->most_blocks * p->most_rows * p->inner;
    if (header->size > INT64_MAX || most > UINT32_MAX)
        return tool_fail(error, TOOL_MALFORMED, "%.400s: shape %s has more than 4294967295 %s",
                         p->source[0].path, shape,
                         whole
                             ? "elements in a block, and standard input or output needs blocks of "
                               "a decreasing sum as a whole"
                             : "lines in a block");
    for (int i = 0; i < 2; i++)
        if ((!p->source[i].bytes || p->source[i].header.type != p->type) &&
            !(p->source[i].room = memory_for(most * step + 4, p->source[0].path, error)))
            return TOOL_ENVIRONMENT;
    p->tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &p->buffer};
    p->desc = (cumsum_operator_desc){.input_tensor = &p->tensor,
                                     .output_tensor = &p->tensor,
                                     .axis = 1,
                                     .axis_direction = direction_of(options->decreasing),
                                     .has_exclusive_sum = options->exclusive};
    return TOOL_OK;
}

bool pieces_next(pieces *p) {
    const bool decreasing = p->desc.axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
    p->row += p->rows;
    if (p->row == p->length) {
        p->row = 0;
        p->block += p->blocks;
    }
    if (p->block == p->outer)
        return false;
    p->rows = at_most(p->most_rows, p->length - p->row);
    p->blocks = at_most(p->most_blocks, p->outer - p->block);
    p->first =
        (p->block * p->length + (decreasing ? p->length - p->row - p->rows : p->row)) * p->inner;
    p->size = p->blocks * p->rows * p->inner * cumsum_data_type_size(p->type);
    p->sizes[0] = (uint32_t)p->blocks;
    p->sizes[1] = (uint32_t)p->rows;
    p->sizes[2] = (uint32_t)p->inner;
    p->buffer = tensor_of(p->type, 3, p->sizes, NULL);
    return true;
}

/* Reads on in standard input: pieces follow each other there. */
static tool_status read_on(piece_source *s, uint64_t size, tool_error *error) {
    const int64_t got = file_read_all(STDIN_FILENO, s->room, (size_t)size);
    if (got < 0)
        return file_fail(s->path, error, "cannot be read");
    s->at += (uint64_t)got;
    if ((uint64_t)got < size)
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: ends after %" PRIu64 " bytes; --raw needs %" PRIu64, s->path, s->at,
                         s->header.size);
    element_swap_little_endian(s->room, size, s->header.type);
    return TOOL_OK;
}

tool_status pieces_read(pieces *p, int index, tool_error *error) {
    piece_source *s = &p->source[index];
    const uint64_t step = cumsum_data_type_size(s->header.type);
    const uint64_t count = p->size / cumsum_data_type_size(p->type);
    tool_status status = TOOL_OK;
    s->piece = s->bytes ? s->bytes + p->first * step : s->room;
    if (!s->bytes)
        status = read_on(s, count * step, error);
    else
        file_drop(s->bytes); /* the pieces before are not needed any more */
    if (status == TOOL_OK && s->header.type != p->type) {
        npy_widen_elements(s->piece, s->header.type, s->room, p->type, count);
        s->piece = s->room;
    }
    progress_show((p->block * p->length + p->row) * p->inner * step, s->header.size, s->path);
    return status;
}

tool_status pieces_end(const pieces *p, tool_error *error) {
    unsigned char byte;
    for (int i = 0; i < 2; i++)
        if (p->source[i].path && !p->source[i].bytes && file_read_all(STDIN_FILENO, &byte, 1) == 1)
            return tool_fail(error, TOOL_MALFORMED,
                             "%s: has more than the %" PRIu64 " bytes of --raw", p->source[i].path,
                             p->source[i].header.size);
    return file_check_maps(error);
}

void pieces_describe(FILE *out, const pieces *p) {
    const npy_header *header = &p->source[0].header;
    char shape[LAYOUT_WIDE_TEXT];
    layout_shape_text(shape, header->rank, header->sizes);
    describe_sums(out, p->type, shape, p->axis, &p->desc);
}

void pieces_close(pieces *p) {
    for (int i = 0; i < 2; i++) {
        memory_free(p->source[i].room);
        file_free(p->source[i].bytes);
    }
}
