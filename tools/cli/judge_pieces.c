/* SPDX-License-Identifier: MIT */
/*
 * cumsum judge of arrays in pieces. A part is as many whole blocks as there is room for, which
 * cumsum_judge takes, or one block in pieces, which cumsum_judging takes. All lines of a part end
 * in it, so that the judgements of two parts add up.
 */
#include <cumsum/judging.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "json_tree.h"
#include "layout.h"
#include "memory_limit.h"
#include "pieces.h"

/* Orders that are tried where lines are in one piece. */
#define ALL_ORDERS ((1u << CUMSUM_NAMED_COMPOSED) - 1)

typedef struct piece_judge {
    judge_report *to;
    pieces p;
    cumsum_judging *judging; /* of a block that is judged in pieces */
    judged_output all;
    cumsum_pieces_judgement found; /* of the parts so far; places are block, row, line */
    uint64_t places[3][CUMSUM_MAX_DIMENSIONS]; /* of the findings and the doubt, in the array */
} piece_judge;

/* Adds the judgement of a part, whose places begin with its first block. */
static cumsum_status add_part(piece_judge *w, cumsum_pieces_judgement *part,
                              cumsum_diagnostic *why) {
    part->first[0] += w->p.block;
    part->worst[0] += w->p.block;
    part->doubt[0] += w->p.block;
    return cumsum_judging_add_lines(&w->found, part, why);
}

/* A part of one piece. */
static cumsum_status judge_blocks(piece_judge *w, cumsum_diagnostic *why) {
    const uint64_t size = w->p.buffer.total_tensor_size_in_bytes;
    cumsum_pieces_judgement now = {.tried = ALL_ORDERS};
    const cumsum_status status =
        cumsum_judge(&w->p.desc, w->p.source[0].piece, size, w->p.source[1].piece, size,
                     &w->all.options, NULL, &now.judgement, why);
    for (int d = 0; d < 3; d++) {
        now.first[d] = now.judgement.first.coordinates[d];
        now.worst[d] = now.judgement.worst.coordinates[d];
        now.doubt[d] = now.judgement.doubt.coordinates[d];
    }
    return status == CUMSUM_OK ? add_part(w, &now, why) : status;
}

static cumsum_status judge_rows(piece_judge *w, cumsum_diagnostic *why) {
    const uint64_t size = w->p.buffer.total_tensor_size_in_bytes;
    cumsum_pieces_judgement now;
    cumsum_status status = CUMSUM_OK;
    if (w->p.row == 0)
        status = cumsum_judging_create(&w->p.desc, w->p.length, &w->all.options, &w->judging, why);
    if (status == CUMSUM_OK)
        status = cumsum_judging_feed(w->judging, &w->p.desc, w->p.row, w->p.source[0].piece, size,
                                     w->p.source[1].piece, size, NULL, why);
    if (status == CUMSUM_OK && w->p.row + w->p.rows == w->p.length) {
        status = cumsum_judging_end(w->judging, &now, why);
        cumsum_judging_destroy(w->judging);
        w->judging = NULL;
        if (status == CUMSUM_OK)
            status = add_part(w, &now, why);
    }
    return status;
}

static tool_status judge_all(piece_judge *w, tool_error *error) {
    cumsum_diagnostic why = {0};
    tool_status status = TOOL_OK;
    while (status == TOOL_OK && pieces_next(&w->p)) {
        for (int i = 0; i < 2 && status == TOOL_OK; i++)
            status = pieces_read(&w->p, i, error);
        if (status != TOOL_OK)
            return status;
        const cumsum_status found =
            w->p.rows == w->p.length ? judge_blocks(w, &why) : judge_rows(w, &why);
        if (found != CUMSUM_OK)
            status = library_fail(error, found, w->p.source[1].path, &why);
    }
    return status == TOOL_OK ? pieces_end(&w->p, error) : status;
}

/* Where the findings are in the whole array. */
static void set_places(piece_judge *w) {
    const npy_header *header = &w->p.source[0].header;
    const uint64_t *const found[] = {w->found.first, w->found.worst, w->found.doubt};
    for (int i = 0; i < 3; i++) {
        const uint64_t *from = found[i];
        uint64_t *place = w->places[i], block = from[0], row = from[1], line = from[2];
        for (uint32_t d = header->rank; d-- > 0;) {
            uint64_t *rest = d < w->p.axis ? &block : &line;
            place[d] = d == w->p.axis ? row : *rest % header->sizes[d];
            *rest /= d == w->p.axis ? 1 : header->sizes[d];
        }
    }
    w->all.places = (const uint64_t(*)[CUMSUM_MAX_DIMENSIONS])w->places;
}

/* What needs whole lines. */
static void report_untried(const piece_judge *w, report_record *record) {
    json_object *untried = json_make_array();
    for (int o = 0; o < CUMSUM_NAMED_COMPOSED && element_is_float(w->p.type); o++)
        if (!(w->found.tried >> o & 1))
            json_put_element(untried,
                             json_make_string(cumsum_named_order_name((cumsum_named_order)o)));
    json_show_list(record->detail.stream, untried, "in pieces, so not tried: ", ", ");
    fputs(json_length(untried) ? "\n" : "", record->detail.stream);
    json_put_member(record->fields, "notTried", untried);
}

static void report_pieces(piece_judge *w) {
    const tool_options *options = w->to->options;
    cumsum_judgement *j = &w->all.judgement;
    report_record record;
    char name[300];
    *j = w->found.judgement;
    set_places(w);
    if (j->match_count > 1 && !w->to->options->has_required_order && !options->report.verbose)
        j->match_count = 1;
    snprintf(name, sizeof name, "sums of %.280s", w->p.source[0].path);
    report_record_init(&record, "dispatch", w->p.source[1].path, name);
    w->all.options.no_orders |= w->found.tried != ALL_ORDERS;
    FILE *detail = judge_put_verdict(w->to, &record, &w->all);
    pieces_describe(detail, &w->p);
    putc('\n', detail);
    report_untried(w, &record);
    judge_report_verdict(w->to, &record, &w->all);
}

static tool_status begin(piece_judge *w, tool_error *error) {
    const tool_options *options = w->to->options;
    const piece_source *x = &w->p.source[0], *y = &w->p.source[1];
    const bool streams = !x->bytes || !y->bytes;
    cumsum_diagnostic why = {0};
    if (options->output || options->report.html || options->beside || options->segments ||
        options->initial || options->has_types ||
        (options->has_required_order && options->required_order.order == CUMSUM_NAMED_COMPOSED))
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: is judged in pieces, and so without --output, a page, --beside, "
                         "--segments, --initial, --types and orders of levels",
                         y->path);
    if ((x->header.type != y->header.type &&
         !npy_is_wider(y->header.type, x->header.type, x->header.boolean)) ||
        x->header.rank != y->header.rank || x->header.complex_parts != y->header.complex_parts ||
        memcmp(x->header.sizes, y->header.sizes, sizeof x->header.sizes) != 0 ||
        (x->header.rank > 1 && (x->header.fortran_order || y->header.fortran_order)))
        return tool_fail(error, TOOL_MALFORMED,
                         "%.400s: in pieces needs the input's type and shape, in C order", y->path);
    w->p.type = y->header.type;
    w->all.tensor = (layout){.type = w->p.type,
                             .element_size = cumsum_data_type_size(w->p.type),
                             .rank = x->header.rank};
    w->all.profile = judge_profile(w->to);
    w->all.options = judge_oracle_options(w->to);
    w->all.options.all_orders = !w->all.options.no_orders;
    w->all.options.near_order = w->all.options.power = w->all.options.power_if_suspect = false;
    w->all.options.composed_orders = false;
    const cumsum_status read = judged_output_read_profile(&w->all, &why);
    if (read != CUMSUM_OK)
        return library_fail(error, read, y->path, &why);
    return pieces_begin(&w->p, options, streams ? memory_room() / 4 : UINT32_MAX, streams, error);
}

tool_status judge_pieces(judge_report *to, bool *taken, tool_error *error) {
    const tool_options *options = to->options;
    piece_judge w = {.to = to};
    const npy_header *header = &w.p.source[0].header;
    *taken = false;
    if (!options->input)
        return TOOL_OK;
    tool_status status = pieces_open(&w.p, options, 0, options->input, error);
    if (status == TOOL_OK)
        status = pieces_open(&w.p, options, 1, options->recorded, error);
    const bool stream = !strcmp(options->input, "-") || !strcmp(options->recorded, "-");
    *taken = stream ||
             (status == TOOL_OK && header->size / cumsum_data_type_size(header->type) > UINT32_MAX);
    if (*taken && status == TOOL_OK)
        status = begin(&w, error);
    if (*taken && status == TOOL_OK)
        status = judge_all(&w, error);
    if (*taken && status == TOOL_OK)
        report_pieces(&w);
    cumsum_judging_destroy(w.judging);
    pieces_close(&w.p);
    return *taken ? status : TOOL_OK;
}
