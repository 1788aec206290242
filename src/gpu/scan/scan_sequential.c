/* SPDX-License-Identifier: MIT */
/*
 * The sequential order: each line is summed by one thread, element by element. A line is cut into
 * chunks, one dispatch each, so that no dispatch runs into a time limit. A chunk's carry-out is the
 * next chunk's carry-in; it stays in the work buffer, one running sum per line.
 *
 * Two shaders compute the same bits. The direct one gives adjacent threads adjacent lines and suits
 * many interleaved lines. The staged one moves elements through groupshared memory, so that all
 * threads of a group load and store even if a group has few lines.
 *
 * Two more compute them in parallel, on few long lines of FLOAT32 (docs/shaders.md). Their chunks
 * are longer, and consist of whole segments. The rest of a line is left to the shaders above. Each
 * chunk takes two dispatches, which also prepare the chunk after it.
 */
#include "scan_pass.h"

/* Lines of up to this many elements are not staged: that would take longer. */
#define SHORT_LINE 4
/* A processor computes a few of a group's interleaved lines at a time. With this many elements of
 * each, the cache lines that they share stay in its cache. */
#define DIRECT_CHUNK 256u
/* Interleaved lines that a group takes at least, to use whole cache lines. */
#define INTERLEAVED_LINES 16

/* Elements of a segment, the same in shaders/scan_segments.hlsli. */
#define SEGMENT 1024u
/* Segments in each chunk of all lines together. One thread per line may have to add up all of them,
 * in 33 rounds of a loop each, or 1057 if numbers are small (below 2^-103). The software devices
 * that SCAN_CHUNK names stop after more than 50 of these, and the sums are wrong; they get other
 * kernels, unless a test asks for these. */
#define SEGMENTS_AT_ONCE 1024u
/* More lines than this are faster with a thread each; so are shorter lines. */
#define FEW_LINES 64
#define LONG_LINE 16384

/* With few lines, fewer of them share a group. More groups then work at a time, and each stages
 * more elements of a line at once. */
static uint32_t choose_shift(const scan_layout *layout, uint32_t enough, bool interleaved) {
    const uint32_t most =
        layout->lines < INTERLEAVED_LINES ? layout->lines : (uint32_t)INTERLEAVED_LINES;
    const uint32_t least = interleaved ? most : 1;
    uint32_t shift = 0;
    while (shift < 6 && (UINT32_C(32) >> shift) >= least &&
           (UINT32_C(64) >> shift) > layout->lines / enough)
        shift++;
    return shift;
}

/* Interleaved lines need no stage if they are so many that a thread each has enough loads in
 * flight. docs/shaders.md has the numbers. */
static scan_assignment assign_lines(const scan_pass *pass) {
    const scan_layout *layout = &pass->layout;
    const bool in = cumsum_scan_input_is_interleaved(layout);
    const bool out = cumsum_scan_output_is_interleaved(layout);
    const uint32_t enough = pass->groups ? pass->groups : SCAN_BUSY_GROUPS;
    const bool wide = layout->lines / INTERLEAVED_LINES >= enough;
    if (pass->direct || (in && out && wide) || layout->length <= SHORT_LINE)
        return (scan_assignment){SCAN_SEQUENTIAL_DIRECT, 0, 0};
    return (scan_assignment){SCAN_SEQUENTIAL_STAGED,
                             (in ? (uint32_t)SCAN_FLAG_LOAD_INTERLEAVED : 0) |
                                 (out ? (uint32_t)SCAN_FLAG_STORE_INTERLEAVED : 0),
                             choose_shift(layout, enough, in || out)};
}

/* Elements first to first + count - 1. The shader sees a shorter line that begins at `first`. */
static gpu_status append_chunk(scan_pass *pass, uint32_t first, uint32_t count, gpu_failure *why) {
    const scan_layout *layout = &pass->layout;
    const scan_assignment assigned = assign_lines(pass);
    scan_constants constants;
    cumsum_scan_fill_constants(&constants, layout);
    constants.input_base += first * layout->input_step;
    constants.output_base += first * layout->output_step;
    constants.line_length = count;
    constants.flags |= pass->flags | assigned.flags;
    constants.flags |= first > 0 ? (uint32_t)SCAN_FLAG_CONTINUES : 0;
    constants.flags |= first + count < layout->length ? (uint32_t)SCAN_FLAG_CONTINUED : 0;
    constants.line_shift = assigned.shift;
    return cumsum_scan_append(pass, assigned.kernel, pass->element, &pass->buffers, &constants,
                              scan_line_groups(layout, assigned.shift),
                              UINT64_C(1) * layout->lines * count, why);
}

/* Elements of a line in a dispatch. */
static uint32_t chunk_of(const scan_pass *pass) {
    const bool interleaved = cumsum_scan_input_is_interleaved(&pass->layout) ||
                             cumsum_scan_output_is_interleaved(&pass->layout);
    if (pass->chunk)
        return pass->chunk;
    return pass->direct && interleaved ? DIRECT_CHUNK : SCAN_CHUNK;
}

/* Elements first to first + count - 1, a thread per line. */
static gpu_status append_chunks(scan_pass *pass, uint32_t first, uint32_t count, gpu_failure *why) {
    const uint32_t chunk = chunk_of(pass);
    gpu_status status = GPU_OK;
    for (uint32_t done = 0; done < count && status == GPU_OK;) {
        const uint32_t next = count - done < chunk ? count - done : chunk;
        status = append_chunk(pass, first + done, next, why);
        done += next;
    }
    return status;
}

static bool has_long_lines(const scan_pass *pass) {
    return pass->element == SCAN_FLOAT32 && !pass->direct && pass->layout.length >= LONG_LINE;
}

static bool works_on_segments(const scan_pass *pass) {
    return has_long_lines(pass) && pass->layout.lines <= FEW_LINES;
}

/* Segments in each chunk of a line. */
static uint32_t segments_at_once(const scan_pass *pass) {
    const uint32_t most = SEGMENTS_AT_ONCE / pass->layout.lines;
    const uint32_t asked = pass->chunk < SEGMENT ? 1 : pass->chunk / SEGMENT;
    return pass->chunk && asked < most ? asked : most;
}

/* `now` segments from number `first` on, and the `next` ones behind them, to be prepared. */
typedef struct segment_range {
    uint32_t first;
    uint32_t now;
    uint32_t next;
} segment_range;

static gpu_status append_segments(scan_pass *pass, scan_kernel kernel, const segment_range *range,
                                  bool continues, uint64_t groups, gpu_failure *why) {
    scan_constants constants;
    cumsum_scan_fill_constants(&constants, &pass->layout);
    constants.flags |= pass->flags | (continues ? (uint32_t)SCAN_FLAG_CONTINUES : 0);
    constants.first_tile = range->first;
    constants.tile_count = range->now;
    constants.tiles_per_line = range->next;
    constants.line_shift = segments_at_once(pass);
    return cumsum_scan_append(
        pass, kernel, pass->element, &pass->buffers, &constants, groups,
        UINT64_C(1) * SEGMENT * pass->layout.lines * (range->now + range->next), why);
}

static uint32_t quads(uint32_t segments) {
    return segments / 4 + (segments % 4 != 0);
}

/* Segments from number `first` to the one before `end`. Before the first chunk, one is prepared. */
static gpu_status append_all_segments(scan_pass *pass, uint32_t first, uint32_t end,
                                      gpu_failure *why) {
    const uint32_t most = segments_at_once(pass);
    const uint64_t lines = pass->layout.lines;
    segment_range range = {.first = first};
    gpu_status status = GPU_OK;
    while (status == GPU_OK && range.first < end) {
        const uint32_t left = end - range.first - range.now;
        range.next = left < most ? left : most;
        status = append_segments(pass, SCAN_SEQUENTIAL_CARRY, &range, range.first > 0,
                                 lines * ((range.now > 0) + quads(range.next)), why);
        if (status == GPU_OK)
            status =
                append_segments(pass, SCAN_SEQUENTIAL_SEGMENT, &range, range.first + range.now > 0,
                                lines * (range.now + range.next), why);
        range.first += range.now;
        range.now = range.next;
    }
    return status;
}

gpu_status cumsum_scan_sequential(scan_pass *pass, uint32_t first, uint32_t count,
                                  gpu_failure *why) {
    const uint32_t whole = works_on_segments(pass) ? count / SEGMENT * SEGMENT : 0;
    const gpu_status status =
        whole ? append_all_segments(pass, first / SEGMENT, (first + whole) / SEGMENT, why) : GPU_OK;
    return status == GPU_OK ? append_chunks(pass, first + whole, count - whole, why) : status;
}

/* The running sums, and for segments what shaders/scan_segments.hlsli has beside them: at most
 * this, since a chunk of all lines has at most SEGMENTS_AT_ONCE segments. Pieces of a tensor may
 * have fewer lines than the largest one, so the number of lines does not decide. */
uint64_t cumsum_scan_sequential_work(const scan_pass *pass) {
    const uint32_t chunk = chunk_of(pass);
    if (pass->layout.length <= chunk && pass->layout.length <= SCAN_TILE)
        return 0;
    const uint64_t sums = UINT64_C(1) * pass->layout.lines * cumsum_scan_sum_bytes(pass->element);
    const uint32_t words =
        3 * FEW_LINES + 2 * (SEGMENTS_AT_ONCE / 4 + FEW_LINES) + 8 * SEGMENTS_AT_ONCE;
    const uint64_t segments = UINT64_C(4) * words;
    return has_long_lines(pass) && segments > sums ? segments : sums;
}
