// SPDX-License-Identifier: MIT
// HLSL's own sums of the lanes of a wave, for the implementation of --exec in plug.c. It is compiled
// once for each MODE and ELEMENT:
//
//     MODE_SCAN   WavePrefixSum, to which an inclusive scan adds the lane's own element
//     MODE_ADD    WaveActiveSum of the lanes up to each one
//     MODE_GROUP  a scan of 128 threads, of the waves' scans and sums
//
// No text says which threads of a group are a wave, so each wave takes the next line, and in a group
// the next part of the line.

#define THREADS 128

// An element is a word in memory, a FLOAT16 its lower half.
#if defined(FLOAT32)
typedef float element;
element from_word(uint word) { return asfloat(word); }
uint to_word(element value) { return asuint(value); }
#elif defined(FLOAT16)
typedef half element;
element from_word(uint word) { return (half)f16tof32(word); }
uint to_word(element value) { return f32tof16((float)value); }
#elif defined(INT32)
typedef int element;
element from_word(uint word) { return asint(word); }
uint to_word(element value) { return asuint(value); }
#else
typedef uint element;
element from_word(uint word) { return word; }
uint to_word(element value) { return value; }
#endif

// Words: lines, lanes of a line, 1 for exclusive scans, 0; four words of active lanes for each line;
// the elements of the lanes of each line.
RWByteAddressBuffer work : register(u0);
RWByteAddressBuffer sums : register(u1);  // in the places of the elements
RWByteAddressBuffer found : register(u2); // words: the next line; the lanes of the smallest wave

groupshared uint waves;
groupshared element totals[THREADS];

element scan(element value, bool exclusive) {
    element before = WavePrefixSum(value);
    if (exclusive)
        return before;
    return before + value;
}

[numthreads(THREADS, 1, 1)]
void main(uint3 group : SV_GroupID, uint thread : SV_GroupIndex) {
    const uint3 given = work.Load3(0); // lines, lanes, exclusive
    const uint lane = WaveGetLaneIndex();
    const uint present = WaveActiveCountBits(true);
    uint ignored;
    if (WaveIsFirstLane())
        found.InterlockedMin(4, present, ignored);
#ifdef MODE_GROUP
    if (thread == 0)
        waves = 0;
    GroupMemoryBarrierWithGroupSync();
    uint part = 0;
    if (WaveIsFirstLane())
        InterlockedAdd(waves, 1, part);
    part = WaveReadLaneFirst(part);
    const uint k = part * present + lane;
    const uint row = group.x;
    const uint at = 4 * (row * given.y + min(k, max(given.y, 1) - 1));
    const element value = from_word(work.Load(16 + 16 * given.x + at));
    const bool is_active = k < given.y;
    element sum = (element)0;
    if (is_active) {
        sum = scan(value, given.z != 0);
        const element total = WaveActiveSum(value);
        if (lane == 0)
            totals[part] = total;
    }
    GroupMemoryBarrierWithGroupSync();
    element before = (element)0;
    for (uint other = 0; other < part; other++)
        before = before + totals[other];
    if (is_active && row < given.x)
        sums.Store(at, to_word(before + sum));
#else
    uint row = 0;
    if (WaveIsFirstLane())
        found.InterlockedAdd(0, 1, row);
    row = WaveReadLaneFirst(row);
    if (row >= given.x)
        return;
    const uint at = 4 * (row * given.y + min(lane, given.y - 1));
    const element value = from_word(work.Load(16 + 16 * given.x + at));
    const uint mask = work.Load(16 + 16 * row + 4 * (lane / 32));
    const bool is_active = lane < given.y && (mask >> (lane % 32) & 1) != 0;
#ifdef MODE_ADD
    for (uint last = 0; last < given.y; last++) {
        if (is_active && lane <= last) {
            const element sum = WaveActiveSum(value);
            if (lane == last)
                sums.Store(at, to_word(sum));
        }
    }
#else
    if (is_active) {
        const element sum = scan(value, given.z != 0);
        sums.Store(at, to_word(sum));
    }
#endif
#endif
}
