/* SPDX-License-Identifier: MIT */
/*
 * The sequential order: each line is summed by one thread, element by element. A line is cut into
 * chunks, one dispatch each, so that no dispatch runs into a time limit. A chunk's carry-out is the
 * next chunk's carry-in; it stays in the work buffer, one tally per line.
 *
 * Two shaders compute the same bits. The direct one gives adjacent threads adjacent lines and suits
 * interleaved lines. The staged one moves elements through groupshared memory, so that all threads
 * of a group load and store even if a group has few lines.
 */
#include "scan_pass.h"

/* Lines of up to this many elements are not worth staging. */
#define SHORT_LINE 4
/* A GPU is busy with this many groups. */
#define ENOUGH_GROUPS 256
/* Interleaved lines that a group takes at least, to use whole cache lines. */
#define INTERLEAVED_LINES 16

/* The shader for a layout, and how many lines a group takes: SCAN_GROUP >> shift. */
typedef struct assignment {
    scan_kernel kernel;
    uint32_t flags;
    uint32_t shift;
} assignment;

/* With few lines, fewer of them share a group. More groups then work at a time, and each stages
 * more elements of a line at once. */
static uint32_t choose_shift(const scan_layout *layout, bool interleaved) {
    const uint32_t most =
        layout->lines < INTERLEAVED_LINES ? layout->lines : (uint32_t)INTERLEAVED_LINES;
    const uint32_t least = interleaved ? most : 1;
    uint32_t shift = 0;
    while (shift < 6 && (UINT32_C(32) >> shift) >= least &&
           (UINT32_C(64) >> shift) > layout->lines / ENOUGH_GROUPS)
        shift++;
    return shift;
}

static assignment assign_lines(const scan_layout *layout) {
    const bool in = cumsum_scan_input_is_interleaved(layout);
    const bool out = cumsum_scan_output_is_interleaved(layout);
    if ((in && out && layout->lines >= SCAN_GROUP) || layout->length <= SHORT_LINE)
        return (assignment){SCAN_SEQUENTIAL_DIRECT, 0, 0};
    return (assignment){SCAN_SEQUENTIAL_STAGED,
                        (in ? (uint32_t)SCAN_FLAG_LOAD_INTERLEAVED : 0) |
                            (out ? (uint32_t)SCAN_FLAG_STORE_INTERLEAVED : 0),
                        choose_shift(layout, in || out)};
}

/* Elements first to first + count - 1. The shader sees a shorter line that begins at `first`. */
static gpu_status append_chunk(scan_pass *pass, uint32_t first, uint32_t count, gpu_failure *why) {
    const scan_layout *layout = &pass->layout;
    const assignment assigned = assign_lines(layout);
    const gpu_shader *shader = NULL;
    scan_constants constants;
    const gpu_status status =
        cumsum_scan_shader(pass->shaders, assigned.kernel, pass->element, &shader, why);
    if (status != GPU_OK)
        return status;
    cumsum_scan_fill_constants(&constants, layout);
    constants.input_base += first * layout->input_step;
    constants.output_base += first * layout->output_step;
    constants.line_length = count;
    constants.flags |= pass->flags | assigned.flags;
    constants.flags |= first > 0 ? (uint32_t)SCAN_FLAG_CONTINUES : 0;
    constants.flags |= first + count < layout->length ? (uint32_t)SCAN_FLAG_CONTINUED : 0;
    constants.line_shift = assigned.shift;
    const uint32_t lines = SCAN_GROUP >> assigned.shift;
    const uint64_t groups = (UINT64_C(1) * layout->lines + lines - 1) / lines;
    return cumsum_scan_append(pass->commands, shader, &pass->buffers, &constants, groups,
                              UINT64_C(1) * layout->lines * count, why);
}

gpu_status cumsum_scan_sequential(scan_pass *pass, uint32_t first, uint32_t count,
                                  gpu_failure *why) {
    const uint32_t chunk = pass->chunk ? pass->chunk : SCAN_CHUNK;
    gpu_status status = GPU_OK;
    for (uint32_t done = 0; done < count && status == GPU_OK;) {
        const uint32_t next = count - done < chunk ? count - done : chunk;
        status = append_chunk(pass, first + done, next, why);
        done += next;
    }
    return status;
}

uint64_t cumsum_scan_sequential_work(const scan_pass *pass) {
    return UINT64_C(1) * pass->layout.lines * cumsum_scan_tally_bytes(pass->element);
}
