// SPDX-License-Identifier: MIT
// What Direct3D leaves to the driver: whether additions keep FLOAT32 subnormals, and how a binary32
// becomes a binary16. Everything comes from a buffer, so that no compiler computes it beforehand.
RWByteAddressBuffer answers : register(u0);
RWByteAddressBuffer terms : register(u1); // pairs

[numthreads(1, 1, 1)] void main(uint3 group : SV_GroupID) {
    uint2 pair = terms.Load2(8 * group.x);
    answers.Store(8 * group.x, asuint(asfloat(pair.x) + asfloat(pair.y)));
    answers.Store(8 * group.x + 4, f32tof16(asfloat(pair.x)));
}
