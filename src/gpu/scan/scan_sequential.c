/* SPDX-License-Identifier: MIT */
/* The sequential order: a thread a line, in chunks that leave the tallies to the next one. */
#include "scan_pass.h"

/* Of lines of a few elements nothing can be staged. */
#define SHORT_LINE 4

/* How lines are shared out among threads. */
typedef struct sharing {
    scan_kernel kernel;
    uint32_t flags;
    uint32_t shift; /* log2 of what divides a group's 64 lines */
} sharing;

/* So many groups keep a GPU busy. */
#define ENOUGH_GROUPS 256
/* So many lines side by side are kept together, for whole cache lines. */
#define LINES_TOGETHER 16

/* Where there are few lines, fewer share a group, and each then has more of its elements staged at
 * a time. */
static uint32_t choose_shift(const scan_layout *layout, bool across) {
    const uint32_t together = layout->lines < LINES_TOGETHER ? layout->lines : LINES_TOGETHER;
    const uint32_t least = across ? together : 1;
    uint32_t shift = 0;
    while (shift < 6 && (UINT32_C(32) >> shift) >= least &&
           (UINT32_C(64) >> shift) > layout->lines / ENOUGH_GROUPS)
        shift++;
    return shift;
}

static sharing share_lines(const scan_layout *layout) {
    const bool in = cumsum_scan_input_across(layout);
    const bool out = cumsum_scan_output_across(layout);
    if ((in && out && layout->lines >= SCAN_GROUP) || layout->length <= SHORT_LINE)
        return (sharing){SCAN_SEQUENTIAL_DIRECT, 0, 0};
    return (sharing){SCAN_SEQUENTIAL_STAGED,
                     (in ? (uint32_t)SCAN_FLAG_FILL_ACROSS : 0) |
                         (out ? (uint32_t)SCAN_FLAG_EMPTY_ACROSS : 0),
                     choose_shift(layout, in || out)};
}

static uint32_t chunk_of(const scan_pass *pass) {
    return pass->chunk ? pass->chunk : SCAN_CHUNK;
}

/* Elements first to first + count - 1: the shader is given a shorter line that begins there. */
static gpu_status append_chunk(scan_pass *pass, uint32_t first, uint32_t count, gpu_failure *why) {
    const scan_layout *layout = &pass->layout;
    const sharing share = share_lines(layout);
    const gpu_shader *shader = NULL;
    scan_constants constants;
    const gpu_status status =
        cumsum_scan_shader(pass->shaders, share.kernel, pass->element, &shader, why);
    if (status != GPU_OK)
        return status;
    cumsum_scan_fill_constants(&constants, layout);
    constants.input_base += first * layout->input_step;
    constants.output_base += first * layout->output_step;
    constants.line_length = count;
    constants.flags |= pass->flags | share.flags;
    constants.flags |= first > 0 ? (uint32_t)SCAN_FLAG_CONTINUES : 0;
    constants.flags |= first + count < layout->length ? (uint32_t)SCAN_FLAG_CONTINUED : 0;
    constants.line_shift = share.shift;
    const uint32_t lines = SCAN_GROUP >> share.shift;
    const uint64_t groups = (UINT64_C(1) * layout->lines + lines - 1) / lines;
    return cumsum_scan_append(pass->commands, shader, &pass->buffers, &constants, groups,
                              UINT64_C(1) * layout->lines * count, why);
}

gpu_status cumsum_scan_sequential(scan_pass *pass, uint32_t first, uint32_t count,
                                  gpu_failure *why) {
    const uint32_t chunk = chunk_of(pass);
    gpu_status status = GPU_OK;
    for (uint32_t done = 0; done < count && status == GPU_OK;) {
        const uint32_t now = count - done < chunk ? count - done : chunk;
        status = append_chunk(pass, first + done, now, why);
        done += now;
    }
    return status;
}

uint64_t cumsum_scan_sequential_work(const scan_pass *pass) {
    return UINT64_C(1) * pass->layout.lines * cumsum_scan_tally_bytes(pass->element);
}
