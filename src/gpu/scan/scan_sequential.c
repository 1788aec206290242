/* SPDX-License-Identifier: MIT */
/* The sequential order: a thread a line, in chunks that leave the tallies to the next one. */
#include "scan_pass.h"

/* Of lines of a few elements nothing can be staged. */
#define SHORT_LINE 4

static scan_kernel choose_kernel(const scan_layout *layout) {
    const bool direct = cumsum_scan_lines_side_by_side(layout) || layout->length <= SHORT_LINE;
    return direct ? SCAN_SEQUENTIAL_DIRECT : SCAN_SEQUENTIAL_STAGED;
}

static uint32_t chunk_of(const scan_pass *pass) {
    return pass->chunk ? pass->chunk : SCAN_CHUNK;
}

/* Elements first to first + count - 1: the shader is given a shorter line that begins there. */
static gpu_status append_chunk(scan_pass *pass, uint32_t first, uint32_t count, gpu_failure *why) {
    const scan_layout *layout = &pass->layout;
    const gpu_shader *shader = NULL;
    scan_constants constants;
    const gpu_status status =
        cumsum_scan_shader(pass->shaders, choose_kernel(layout), pass->element, &shader, why);
    if (status != GPU_OK)
        return status;
    cumsum_scan_fill_constants(&constants, layout);
    constants.input_base += first * layout->input_step;
    constants.output_base += first * layout->output_step;
    constants.line_length = count;
    constants.flags |= pass->flags;
    constants.flags |= first > 0 ? (uint32_t)SCAN_FLAG_CONTINUES : 0;
    constants.flags |= first + count < layout->length ? (uint32_t)SCAN_FLAG_CONTINUED : 0;
    const uint64_t groups = (UINT64_C(1) * layout->lines + SCAN_GROUP - 1) / SCAN_GROUP;
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
