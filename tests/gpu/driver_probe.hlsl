// SPDX-License-Identifier: MIT
// For the test of the driver: every slot of the root signature is used, and each one shows.
cbuffer constants : register(b0) {
    uint first;  // word of the output at which this dispatch begins
    uint count;  // words
    uint factor; // of what u1 holds
    uint unused;
    uint4 others[6];
    uint4 last; // the 32nd constant, last.w, is added to every word
};

RWByteAddressBuffer sums : register(u0);
RWByteAddressBuffer terms : register(u1);
RWByteAddressBuffer groups : register(u2);
RWByteAddressBuffer copies : register(u3);
ByteAddressBuffer offsets : register(t0);

[numthreads(64, 1, 1)] void main(uint3 group : SV_GroupID, uint3 thread : SV_GroupThreadID) {
    uint i = (group.y * 3 + group.x) * 64 + thread.x;
    if (i < count) {
        uint at = 4 * (first + i);
        sums.Store(at, sums.Load(at) + terms.Load(at) * factor + offsets.Load(at) + last.w);
        groups.Store(at, group.x + 1000 * group.y);
        copies.Store(at, terms.Load(at));
    }
}
