/* SPDX-License-Identifier: MIT */
/*
 * Measures what Direct3D leaves to the driver: whether additions keep FLOAT32 subnormals, and how a
 * binary32 number becomes a binary16 one. All inputs come from a buffer, so that no compiler
 * computes the answers in advance. Group i answers question i (api_device.c).
 *
 * The bytecode also contains the root signature of all shaders (gpu_driver.h), from which
 * d3d12/d3d12_shader.c makes it.
 */
RWByteAddressBuffer answers : register(u0); /* for each pair: the sum, the binary16 of the first */
RWByteAddressBuffer terms : register(u1); /* pairs */

#define ROOT_SIGNATURE "RootConstants(num32BitConstants=32, b0), UAV(u0), UAV(u1), UAV(u2)"

[RootSignature(ROOT_SIGNATURE)] [numthreads(1, 1, 1)] void main(uint3 group : SV_GroupID) {
    uint2 pair = terms.Load2(8 * group.x);
    answers.Store(8 * group.x, asuint(asfloat(pair.x) + asfloat(pair.y)));
    answers.Store(8 * group.x + 4, f32tof16(asfloat(pair.x)));
}
