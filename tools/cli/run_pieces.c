/* SPDX-License-Identifier: MIT */
/*
 * cumsum run X.npy --output in pieces: each is summed from the carry of the one before, and
 * written. With --resume the unfinished output stays, and OUTPUT.carry, which is replaced now and
 * then, says how far it is good.
 */
#include <cumsum/carry.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "element.h"
#include "file.h"
#include "memory_limit.h"
#include "number.h"
#include "pieces.h"

/* So many pieces are computed again after an end, at most. */
#define PIECES_BETWEEN_CARRIES 32

typedef struct piece_run {
    pieces p;
    cumsum_plan_options options;
    file_output output;
    uint64_t header; /* bytes of the output before the elements */
    cumsum_plan *plan;
    cumsum_carry *carry;
    char *carry_path;    /* with --resume, else NULL */
    char *carry_text;    /* what a saved carry begins with */
    file_contents saved; /* it; its bytes begin at `saved_bytes` */
    size_t saved_bytes;
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
    if (r->p.row == 0)
        return cumsum_carry_create(r->plan, &r->carry, why);
    status = cumsum_carry_load(r->plan, r->saved.bytes + r->saved_bytes,
                               r->saved.size - r->saved_bytes, &r->carry, why);
    if (status != CUMSUM_OK || cumsum_carry_end(r->carry) == r->p.row)
        return status;
    snprintf(why->message, sizeof why->message, "the carry is not that of the row");
    cumsum_carry_destroy(r->carry);
    r->carry = NULL;
    return CUMSUM_INVALID_ARGUMENT;
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
        return tool_fail(error, status == CUMSUM_OUT_OF_MEMORY ? TOOL_ENVIRONMENT : TOOL_MALFORMED,
                         "%.400s: %s", r->p.row && !r->carry ? r->carry_path : r->p.source[0].path,
                         why.message);
    element_swap_little_endian(to, r->p.size, r->p.type);
    return file_put(&r->output, r->header + r->p.first * cumsum_data_type_size(r->p.type), to,
                    (size_t)r->p.size, error);
}

/* Saves what is needed to go on behind the piece. The output is on the disk before. */
static tool_status save_carry(const piece_run *r, tool_error *error) {
    const uint64_t row = (r->p.row + r->p.rows) % r->p.length;
    const uint64_t size = row ? cumsum_carry_size(r->carry) : 0;
    unsigned char *bytes = memory_for(size, r->carry_path, error);
    if (!bytes)
        return TOOL_ENVIRONMENT;
    char *text = text_format("%s%" PRIu64 " row %" PRIu64 "\n", r->carry_text,
                             r->p.block + (row ? 0 : r->p.blocks), row);
    const file_part parts[] = {{text, strlen(text)}, {bytes, (size_t)size}};
    if (row)
        (void)cumsum_carry_save(r->carry, bytes, size, NULL); /* it has the size */
    const tool_status status = fsync(r->output.descriptor) == 0
                                   ? file_write(r->carry_path, parts, 2, error)
                                   : file_fail(r->output.path, error, "cannot be written");
    memory_free(bytes);
    free(text);
    return status;
}

/* Goes to the place of a saved carry. */
static tool_status read_carry(piece_run *r, tool_error *error) {
    const size_t length = strlen(r->carry_text);
    const tool_status status = file_read(r->carry_path, &r->saved, error);
    if (status != TOOL_OK)
        return status;
    const char *text = (const char *)r->saved.bytes, *end = text + r->saved.size;
    const char *at = strncmp(text, r->carry_text, length) != 0
                         ? NULL
                         : number_digits(text + length, end, r->p.outer - 1, &r->p.block);
    at = at && !strncmp(at, " row ", 5) ? number_digits(at + 5, end, r->p.length - 1, &r->p.row)
                                        : NULL;
    if (!at || *at != '\n')
        return tool_fail(error, TOOL_MALFORMED,
                         "%.300s: is no carry of this sum: it does not begin with '%.400s'",
                         r->carry_path, r->carry_text);
    r->saved_bytes = (size_t)(at + 1 - text);
    return TOOL_OK;
}

/* A file has its whole size from the beginning. One that is continued must have it. */
static tool_status begin_file(piece_run *r, const char *header, tool_error *error) {
    struct stat status = {0};
    const uint64_t size = r->header + r->p.source[0].header.size;
    const int descriptor = r->output.descriptor;
    if (r->carry_path && file_exists(r->carry_path)) {
        if (fstat(descriptor, &status) == 0 && (uint64_t)status.st_size == size)
            return read_carry(r, error);
        if (status.st_size == 0)
            (void)unlink(r->output.kept); /* it was made just now */
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: its output, %.400s, is missing or has another size",
                         r->carry_path, r->output.kept);
    }
    if (ftruncate(descriptor, 0) != 0 || ftruncate(descriptor, (off_t)size) != 0)
        return file_fail(r->output.path, error, "cannot be written");
    return file_put(&r->output, 0, header, (size_t)r->header, error);
}

static tool_status begin_output(piece_run *r, const tool_options *options, tool_error *error) {
    const npy_header *array = &r->p.source[0].header;
    text_buffer text;
    char header[NPY_HEADER_ROOM];
    text_buffer_open(&text);
    fputs("cumsum run ", text.stream);
    pieces_describe(text.stream, &r->p);
    putc(' ', text.stream);
    describe_numerics(text.stream, r->p.type, &r->options.numerics);
    fputs(": block ", text.stream);
    r->carry_text = text_buffer_close(&text);
    if (!strcmp(options->output, "-")) {
        r->output = (file_output){.path = "standard output", .descriptor = STDOUT_FILENO};
        return TOOL_OK;
    }
    r->header =
        npy_make_header(header, array->type, array->complex_parts, array->rank, array->sizes);
    if (options->sweep.resume)
        r->carry_path = text_format("%s.carry", options->output);
    const tool_status status =
        file_begin(&r->output, options->output, options->sweep.resume, error);
    if (status != TOOL_OK || r->output.target)
        return status == TOOL_OK ? begin_file(r, header, error) : status;
    return file_put(&r->output, 0, header, (size_t)r->header, error);
}

static tool_status sum_all(piece_run *r, tool_error *error) {
    tool_status status = TOOL_OK;
    for (uint64_t i = 1; status == TOOL_OK && pieces_next(&r->p); i++) {
        status = pieces_read(&r->p, 0, error);
        if (status == TOOL_OK)
            status = sum_piece(r, error);
        if (status == TOOL_OK)
            status = file_check_maps(error);
        if (status == TOOL_OK && r->carry_path && i % PIECES_BETWEEN_CARRIES == 0 &&
            r->p.block + r->p.blocks < r->p.outer + (r->p.row + r->p.rows < r->p.length))
            status = save_carry(r, error);
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
    if (*taken && status == TOOL_OK && r.carry_path)
        (void)unlink(r.carry_path);
    file_abandon(&r.output);
    cumsum_plan_destroy(r.plan);
    cumsum_carry_destroy(r.carry);
    free(r.carry_path);
    free(r.carry_text);
    memory_free(r.saved.bytes);
    pieces_close(&r.p);
    return status;
}
