/* SPDX-License-Identifier: MIT */
/* cumsum run X.npy --output in pieces: each is summed from the carry of the one before, and
 * written. */
#include <cumsum/carry.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "element.h"
#include "file.h"
#include "pieces.h"

typedef struct piece_run {
    pieces p;
    cumsum_plan_options options;
    file_output output;
    uint64_t header; /* bytes of the output before the elements */
    cumsum_plan *plan;
    cumsum_carry *carry;
} piece_run;

/* The plan of the piece, and inside a block the carry before it. */
static cumsum_status make_plan(piece_run *r, cumsum_diagnostic *why) {
    cumsum_plan_destroy(r->plan);
    r->plan = NULL;
    cumsum_status status = cumsum_plan_create(&r->p.desc, &r->options, &r->plan, why);
    if (r->p.row == 0) {
        cumsum_carry_destroy(r->carry);
        r->carry = NULL;
    }
    if (status != CUMSUM_OK || r->carry || r->p.rows == r->p.length)
        return status;
    return cumsum_carry_create(r->plan, &r->carry, why);
}

static tool_status sum_piece(piece_run *r, tool_error *error) {
    const uint64_t size = r->p.buffer.total_tensor_size_in_bytes;
    const unsigned char *from = r->p.source[0].piece;
    unsigned char *to = r->p.source[1].room;
    cumsum_diagnostic why = {0};
    cumsum_status status = make_plan(r, &why);
    if (status == CUMSUM_OK)
        status = r->carry
                     ? cumsum_carry_execute(r->plan, r->carry, NULL, from, size, to, size, &why)
                     : cumsum_plan_execute(r->plan, from, size, to, size, &why);
    if (status != CUMSUM_OK)
        return library_fail(error, status, r->p.source[0].path, &why);
    element_swap_little_endian(to, r->p.size, r->p.type);
    return file_put(&r->output, r->header + r->p.first * cumsum_data_type_size(r->p.type), to,
                    (size_t)r->p.size, error);
}

/* A file has its whole size from the beginning. */
static tool_status begin_file(piece_run *r, const char *header, tool_error *error) {
    const uint64_t size = r->header + r->p.source[0].header.size;
    if (ftruncate(r->output.descriptor, (off_t)size) != 0)
        return file_fail(r->output.path, error, "cannot be written");
    return file_put(&r->output, 0, header, (size_t)r->header, error);
}

static tool_status begin_output(piece_run *r, const tool_options *options, tool_error *error) {
    const npy_header *array = &r->p.source[0].header;
    char header[NPY_HEADER_ROOM];
    if (!strcmp(options->output, "-")) {
        r->output = (file_output){.path = "standard output", .descriptor = STDOUT_FILENO};
        return TOOL_OK;
    }
    r->header =
        npy_make_header(header, array->type, array->complex_parts, array->rank, array->sizes);
    const tool_status status = file_begin(&r->output, options->output, error);
    if (status != TOOL_OK || r->output.target)
        return status == TOOL_OK ? begin_file(r, header, error) : status;
    return file_put(&r->output, 0, header, (size_t)r->header, error);
}

static tool_status sum_all(piece_run *r, tool_error *error) {
    tool_status status = TOOL_OK;
    while (status == TOOL_OK && pieces_next(&r->p)) {
        status = pieces_read(&r->p, 0, error);
        if (status == TOOL_OK)
            status = sum_piece(r, error);
        if (status == TOOL_OK)
            status = file_check_maps(error);
    }
    return status == TOOL_OK ? pieces_end(&r->p, error) : status;
}

tool_status run_pieces(const tool_options *options, const executor *e, bool *taken,
                       tool_error *error) {
    piece_run r = {
        .options = {.numerics = backend_numerics(&options->backend, (cumsum_numerics){0}),
                    .kernel = e->kernel,
                    .thread_pool = e->pool},
        .output = {.descriptor = -1}};
    const piece_source *input = &r.p.source[0];
    const uint64_t limit = options->memory ? options->memory / 2 : PIECE_BYTES;
    struct stat to;
    *taken = false;
    if (!options->output || e->backend != BACKEND_CPU)
        return TOOL_OK;
    const bool in_order =
        !strcmp(options->output, "-") || (stat(options->output, &to) == 0 && !S_ISREG(to.st_mode));
    tool_status status = pieces_open(&r.p, options, 0, options->input, error);
    *taken = status != TOOL_OK || !input->header.fortran_order || input->header.rank < 2;
    r.p.type = input->header.type;
    if (*taken && status == TOOL_OK)
        status = pieces_begin(&r.p, options, limit < PIECE_BYTES ? limit : PIECE_BYTES,
                              in_order || !input->bytes, error);
    if (*taken && status == TOOL_OK)
        status = begin_output(&r, options, error);
    if (*taken && status == TOOL_OK)
        status = sum_all(&r, error);
    if (r.output.descriptor == STDOUT_FILENO)
        r.output.descriptor = -1;
    else if (*taken && status == TOOL_OK)
        status = file_finish(&r.output, error);
    file_abandon(&r.output);
    cumsum_plan_destroy(r.plan);
    cumsum_carry_destroy(r.carry);
    pieces_close(&r.p);
    return status;
}
