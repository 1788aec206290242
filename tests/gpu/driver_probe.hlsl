/* SPDX-License-Identifier: MIT */
/*
 * For test_gpu_driver.c. The shader uses every slot of the root signature, and each of them changes
 * what it writes, so a wrong binding shows in the output.
 */
cbuffer constants : register(b0) {
    uint first;  /* the word of the output at which this dispatch begins */
    uint count;  /* words */
    uint factor; /* for the words of u1 */
    uint unused;
    uint4 others[6];
    uint4 last; /* last.w, the 32nd constant, is added to every word */
};

RWByteAddressBuffer sums : register(u0);
RWByteAddressBuffer terms : register(u1);
RWByteAddressBuffer groups : register(u2);

[numthreads(64, 1, 1)] void main(uint3 group : SV_GroupID, uint3 thread : SV_GroupThreadID) {
    uint i = (group.y * 3 + group.x) * 64 + thread.x;
    if (i < count) {
        uint at = 4 * (first + i);
        sums.Store(at, sums.Load(at) + terms.Load(at) * factor + last.w);
        groups.Store(at, group.x + 1000 * group.y);
    }
}
