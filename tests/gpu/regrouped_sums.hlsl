/* SPDX-License-Identifier: MIT */
/*
 * For test_gpu_driver.c and check_bytecode.py. Adds b to a and takes it away again, for pairs in a
 * buffer. A compiler that regroups additions makes a of the first result. The second sum passes
 * an exclusive-or with a zero that no compiler knows, as the scans' sums do
 * (src/gpu/shaders/scan_element.hlsli).
 */
cbuffer constants : register(b0) {
    uint zero;
};

RWByteAddressBuffer results : register(u0);
RWByteAddressBuffer pairs : register(u1);

[numthreads(1, 1, 1)] void main(uint3 group : SV_GroupID) {
    uint2 pair = pairs.Load2(8 * group.x);
    float a = asfloat(pair.x), b = asfloat(pair.y);
    precise float bare = a + b;
    precise float regrouped = bare - b;
    precise float sum = a + b;
    precise float kept = asfloat(asuint(sum) ^ zero) - b;
    results.Store2(8 * group.x, uint2(asuint(regrouped), asuint(kept)));
}
