/* SPDX-License-Identifier: MIT */
/*
 * Compares the outputs of repeated runs. The first few different ones are kept, so that each can be
 * judged, and the first two are compared; of the others a digest tells how many there are. Memory
 * does not grow with the number of runs, but for 8 bytes of each output that is not kept.
 */
#include "repeats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "json_tree.h"
#include "memory.h"
#include "memory_limit.h"
#include "random_bits.h"
#include "report.h"
#include "text.h"

void repeats_init(repeats *r, const layout *tensor, uint64_t offset, uint64_t size) {
    *r = (repeats){.tensor = *tensor, .offset = offset, .size = size};
}

void repeats_free(repeats *r) {
    for (uint32_t i = 0; i < r->kept_count; i++)
        memory_free(r->kept[i].bytes);
    free(r->digests);
    *r = (repeats){.runs = 0};
}

/* Gives all NaN the bits of one, so that equal bytes are equal elements and equal gaps; the bytes
 * between elements are not touched. Returns a digest of the elements. */
static uint64_t settle_elements(const repeats *r, unsigned char *buffer) {
    const uint64_t ones = UINT64_MAX >> (64 - 8 * r->tensor.element_size);
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    uint64_t digest = 0;
    do {
        unsigned char *place = buffer + r->offset + layout_offset(&r->tensor, at);
        uint64_t bits = element_load(place, r->tensor.type);
        if (element_is_nan(r->tensor.type, bits)) {
            bits = ones;
            element_store(place, r->tensor.type, bits);
        }
        digest ^= bits;
        digest = random_bits(&digest);
    } while (layout_next(&r->tensor, at));
    return digest;
}

/* Is it the digest of other elements than those before? */
static bool is_new_digest(repeats *r, uint64_t digest) {
    for (uint64_t i = 0; i < r->distinct; i++)
        if (r->digests[i] == digest)
            return false;
    r->digests = tool_grow(r->digests, r->distinct, sizeof *r->digests);
    r->digests[r->distinct++] = digest;
    return true;
}

/* The output that was kept and has these elements; with `gaps`, and the same bytes between them. */
static repeated_output *find_kept(repeats *r, const unsigned char *buffer, uint64_t digest,
                                  bool gaps) {
    for (uint32_t i = 0; i < r->kept_count; i++)
        if (r->kept[i].digest == digest &&
            (!gaps || memcmp(r->kept[i].bytes, buffer, r->size) == 0))
            return &r->kept[i];
    return NULL;
}

bool repeats_add(repeats *r, const unsigned char *buffer) {
    unsigned char *copy = memory_allocate(r->size);
    if (!copy)
        return false;
    memcpy(copy, buffer, r->size);
    const uint64_t digest = settle_elements(r, copy);
    const bool room = r->kept_count < REPEATS_KEPT;
    repeated_output *same = find_kept(r, copy, digest, room);
    r->runs++;
    if (same)
        same->runs++;
    else if (is_new_digest(r, digest) && r->distinct == 2)
        r->difference = compare_tensors(&r->tensor, r->kept[0].bytes + r->offset, copy + r->offset);
    if (same || !room)
        memory_free(copy);
    else
        r->kept[r->kept_count++] = (repeated_output){copy, digest, 1};
    return true;
}

char *repeats_sentence(const repeats *r) {
    char place[LAYOUT_TEXT];
    text_buffer buffer;
    text_buffer_open(&buffer);
    layout_coordinates_text(place, r->tensor.rank, r->difference.first.coordinates);
    fprintf(buffer.stream,
            "%" PRIu64 " different outputs in %" PRIu64 " runs: %" PRIu64 " of %" PRIu64
            " elements differ, the first at %s: ",
            r->distinct, r->runs, r->difference.differing, r->tensor.count, place);
    show_both(buffer.stream, r->tensor.type, &r->difference.first);
    fputs(r->promised ? "; it promises the same bits in every run" : "", buffer.stream);
    return text_buffer_close(&buffer);
}

void repeats_explain(FILE *out, const repeats *r, char *const verdicts[REPEATS_KEPT]) {
    uint64_t others = r->runs;
    for (uint32_t i = 0; i < r->kept_count; i++) {
        others -= r->kept[i].runs;
        fprintf(out, "output %" PRIu32 ", of %" PRIu64 " run%s: %s\n", i + 1, r->kept[i].runs,
                text_plural(r->kept[i].runs), verdicts[i]);
    }
    if (others)
        fprintf(out, "the other outputs, of %" PRIu64 " runs, were not kept\n", others);
}

json_object *repeats_object(const repeats *r, char *const verdicts[REPEATS_KEPT]) {
    json_object *object = json_make_object();
    json_object *first = json_make_object();
    json_object *outputs = json_make_array();
    fields_count(object, "runs", r->runs);
    fields_count(object, "distinct", r->distinct);
    fields_count(object, "differing", r->difference.differing);
    fields_numbers(first, "coordinates", r->tensor.rank, r->difference.first.coordinates);
    fields_value(first, "one", r->tensor.type, r->difference.first.expected);
    fields_value(first, "other", r->tensor.type, r->difference.first.actual);
    fields_ulps(first, r->tensor.type, r->difference.first.ulps);
    json_put_member(object, "first", first);
    for (uint32_t i = 0; i < r->kept_count; i++) {
        json_object *output = json_make_object();
        fields_count(output, "runs", r->kept[i].runs);
        fields_text(output, "verdict", verdicts[i]);
        json_put_element(outputs, output);
    }
    json_put_member(object, "outputs", outputs);
    if (r->promised)
        fields_flag(object, "promised", true);
    return object;
}
