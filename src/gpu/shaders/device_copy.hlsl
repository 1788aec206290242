/* SPDX-License-Identifier: MIT */
/*
 * What a measurement needs beside the measured work (gpu_measure.c): a copy by a shader, and reads
 * of so much other data that the device's caches hold nothing else. Data is moved in blocks of 16
 * bytes, four by each thread, and a thread loads all of its blocks before it uses one.
 */
cbuffer copy_constants : register(b0) {
    uint block_count;
    uint mode;
};

#define MODE_COPY  0u
#define MODE_READ  1u /* load everything and store nothing, which no compiler can know */
#define MODE_WRITE 2u /* fill with numbers that differ from block to block */

RWByteAddressBuffer source : register(u0);
RWByteAddressBuffer target : register(u1);

#define THREADS    256
#define BLOCKS     4
#define GRID_WIDTH 32768 /* groups in x; the number of rows is in y */

[numthreads(THREADS, 1, 1)] void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint first = (group.x + group.y * GRID_WIDTH) * (THREADS * BLOCKS) + thread;
    uint4 data[BLOCKS];
    uint i;
    [unroll] for (i = 0; i < BLOCKS; i++) {
        const uint block = min(first + i * THREADS, block_count - 1);
        data[i] = uint4(block, ~block, block * 0x9E3779B9u, block ^ 0x55555555u);
        [branch] if (mode != MODE_WRITE)
            data[i] = source.Load4(block * 16);
    }
    const uint4 sums = data[0] ^ data[1] ^ data[2] ^ data[3];
    const bool stores = mode != MODE_READ || all(sums == 0xDEADBEEFu);
    [unroll] for (i = 0; i < BLOCKS; i++) {
        [branch] if (stores && first + i * THREADS < block_count)
            target.Store4((first + i * THREADS) * 16, data[i]);
    }
}
