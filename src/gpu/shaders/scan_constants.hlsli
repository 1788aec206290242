/* SPDX-License-Identifier: MIT */
/*
 * The root constants of every scan shader, word for word as in scan/scan_constants.h, its buffers,
 * and where its lines are. Places, steps and strides are in elements, modulo 2^32. A base may lie
 * "before" the buffer, as long as every element that is accessed lies inside it.
 */
#ifndef SCAN_CONSTANTS
#define SCAN_CONSTANTS

cbuffer scan_constants : register(b0) {
    uint input_base; /* the element k = 0 of line 0, k in traversal order */
    uint output_base;
    uint input_step; /* from an element to the next one in traversal order */
    uint output_step;

    uint line_count;
    uint line_length;
    uint flags;
    uint last_input_stride; /* of the outermost line dimension, which needs no division */

    uint last_output_stride;
    uint first_tile; /* blocked: the tiles of each line that this dispatch computes */
    uint tile_count;
    uint tiles_per_line;

    uint4 sizes_0123; /* the other line dimensions, innermost first */
    uint2 sizes_45;
    uint2 input_strides_01;
    uint4 input_strides_2345;
    uint4 output_strides_0123;
    uint2 output_strides_45;
    uint record_base; /* blocked: where this level's records begin, in running sums */
    uint line_shift;  /* staged, blocked: a group has 64 >> line_shift lines */
};

#define FLAG_DIMENSIONS        0x07u /* how many of sizes_012345 are used */
#define FLAG_EXCLUSIVE         0x08u
#define FLAG_IN_PLACE          0x10u
#define FLAG_CONTINUES         0x20u  /* the carry-ins are in `work` */
#define FLAG_FLUSH             0x40u  /* FLOAT32: subnormals become zeros */
#define FLAG_TRUNCATE          0x80u  /* FLOAT16 stores round toward zero */
#define FLAG_IEEE_OVERFLOW     0x100u /* FLOAT16 stores: infinity from 65520 on, as in IEEE 754 */
#define FLAG_TOTALS            0x200u /* blocked: write the tiles' records, and no output */
#define FLAG_CONTINUED         0x400u /* leave the carry-outs there */
#define FLAG_LOAD_INTERLEAVED  0x800u /* staged: adjacent threads load from adjacent lines */
#define FLAG_STORE_INTERLEAVED 0x1000u /* staged: adjacent threads store to adjacent lines */

#define FLAG_NEVER 0x80000000u /* is never set */

/* +0 that no compiler can recognize. With a constant, +0 + x could be folded to x, which differs
 * for x = -0. */
#define HIDDEN_ZERO (flags & FLAG_NEVER)

#ifndef WORK_BUFFER
#define WORK_BUFFER RWByteAddressBuffer
#endif

/* In place both slots have the same memory. The shader then uses `output_buffer` alone, so that a
 * thread's reads and writes keep their order. */
RWByteAddressBuffer input_buffer : register(u0);
RWByteAddressBuffer output_buffer : register(u1);
WORK_BUFFER work : register(u2); /* running sums: 4 bytes, 8 for 64-bit integers */

#ifndef GROUP_THREADS
#define GROUP_THREADS 64
#endif
#define GRID_WIDTH    32768 /* groups in x; the number of rows is in y */

uint group_number(uint3 group) {
    return group.x + group.y * GRID_WIDTH;
}

/* Input and output place of a line's element k = 0. `line_number` is below line_count. */
uint2 line_places(uint line_number) {
    const uint size[6] = {sizes_0123.x, sizes_0123.y, sizes_0123.z,
                          sizes_0123.w, sizes_45.x,   sizes_45.y};
    const uint2 stride[6] = {uint2(input_strides_01.x, output_strides_0123.x),
                             uint2(input_strides_01.y, output_strides_0123.y),
                             uint2(input_strides_2345.x, output_strides_0123.z),
                             uint2(input_strides_2345.y, output_strides_0123.w),
                             uint2(input_strides_2345.z, output_strides_45.x),
                             uint2(input_strides_2345.w, output_strides_45.y)};
    uint2 place = uint2(input_base, output_base);
    [unroll] for (uint d = 0; d < 6; d++) {
        [branch] if (d < (flags & FLAG_DIMENSIONS)) {
            const uint round = line_number / size[d];
            place += (line_number - round * size[d]) * stride[d];
            line_number = round;
        }
    }
    return place + line_number * uint2(last_input_stride, last_output_stride);
}

uint2 steps() {
    return uint2(input_step, output_step);
}

bool has(uint flag) {
    return (flags & flag) != 0;
}

#endif
