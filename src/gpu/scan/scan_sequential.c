/* SPDX-License-Identifier: MIT */
/* The sequential order: a thread a line, in chunks that leave the tallies to the next one. */
#include "scan_pass.h"

/* Of lines of a few elements nothing can be staged. */
#define SHORT_LINE 4

static scan_kernel choose_kernel(const scan_layout *layout) {
    const bool direct = cumsum_scan_lines_side_by_side(layout) || layout->length <= SHORT_LINE;
    return direct ? SCAN_SEQUENTIAL_DIRECT : SCAN_SEQUENTIAL_STAGED;
}

/* So many groups keep a GPU busy. */
#define ENOUGH_GROUPS 256

/* log2 of what divides a group's 64 lines: fewer lines share a group where there are few, and each
 * then has more of its elements staged at a time. */
static uint32_t line_shift(uint32_t lines) {
    uint32_t shift = 0;
    while (shift < 6 && (UINT32_C(64) >> shift) > lines / ENOUGH_GROUPS)
        shift++;
    return shift;
}

static uint32_t chunk_of(const scan_pass *pass) {
    return pass->chunk ? pass->chunk : SCAN_CHUNK;
}

/* Elements first to first + count - 1: the shader is given a shorter line that begins there. */
static gpu_status append_chunk(scan_pass *pass, uint32_t first, uint32_t count, gpu_failure *why) {
    const scan_layout *layout = &pass->layout;
    const scan_kernel kernel = choose_kernel(layout);
    const uint32_t shift = kernel == SCAN_SEQUENTIAL_STAGED ? line_shift(layout->lines) : 0;
    const gpu_shader *shader = NULL;
    scan_constants constants;
    const gpu_status status =
        cumsum_scan_shader(pass->shaders, kernel, pass->element, &shader, why);
    if (status != GPU_OK)
        return status;
    cumsum_scan_fill_constants(&constants, layout);
    constants.input_base += first * layout->input_step;
    constants.output_base += first * layout->output_step;
    constants.line_length = count;
    constants.flags |= pass->flags;
    constants.flags |= first > 0 ? (uint32_t)SCAN_FLAG_CONTINUES : 0;
    constants.flags |= first + count < layout->length ? (uint32_t)SCAN_FLAG_CONTINUED : 0;
    constants.line_shift = shift;
    const uint32_t share = SCAN_GROUP >> shift;
    const uint64_t groups = (UINT64_C(1) * layout->lines + share - 1) / share;
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
