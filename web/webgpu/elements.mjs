// SPDX-License-Identifier: MIT
// WGSL for the element types: how an element becomes a `running_sum`,
// the bits of a running sum, how two running sums are added, and how a running sum becomes an
// output. A shader is built once for each of ELEMENTS and works on running sums through these
// functions alone:
//
//     zero() add(a, b) load(input and output place) store(output place, running_sum)
//     load_work(place) store_work(place, running_sum)

// Elements are words of 32 bits, or pairs of them; the low word is first.
const words = accumulator => `
alias running_sum = ${accumulator};
@group(0) @binding(1) var<storage, read> input: array<running_sum>;
@group(0) @binding(2) var<storage, read_write> output: array<running_sum>;
fn load_bits(place: vec2u) -> running_sum {
  // In place a shader reads and writes through one binding, so its accesses keep their order.
  if (has(IN_PLACE)) { return output[place.y]; }
  return input[place.x];
}`;
const storeWords = 'fn store(place: u32, value: running_sum) { output[place] = value; }';

// Two binary16 elements share a word, and may belong to two threads, or one of them to no element.
// An atomic exclusive-or flips the bits in which the old and the new half differ, and none of the
// other half. Where a thread has both halves it stores the word (shaders.mjs).
const halves = `
alias running_sum = u32;
@group(0) @binding(1) var<storage, read> input: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<atomic<u32>>;
fn half_at(word: u32, place: u32) -> u32 { return (word >> ((place & 1) * 16)) & 0xFFFF; }
fn load_bits(place: vec2u) -> u32 {
  if (has(IN_PLACE)) { return half_at(atomicLoad(&output[place.y / 2]), place.y); }
  return half_at(input[place.x / 2], place.x);
}
fn store(place: u32, value: running_sum) {
  let old = half_at(atomicLoad(&output[place / 2]), place);
  atomicXor(&output[place / 2], (old ^ narrow(value)) << ((place & 1) * 16));
}
// binary16 to binary32, exact. Normal numbers only need another exponent.
fn widen(half: u32) -> u32 {
  let sign = (half & 0x8000) << 16;
  let magnitude = half & 0x7FFF;
  var wide = (magnitude << 13) + EXPONENT_BIAS;
  if (magnitude >= 0x7C00) { wide += EXPONENT_BIAS; } // exponent 31 becomes 255
  // A subnormal is magnitude * 2^-24; as an integer it is exact in binary32.
  if (magnitude < 0x400) {
    wide = select(bitcast<u32>(f32(magnitude)) - (24u << 23), 0, magnitude == 0);
  }
  return sign | wide;
}`;

// binary32 running sums become binary16 with the rounding that the flags name. Above 65504 all of
// them give infinity, but for IEEE_OVERFLOW, under which that begins at 65520.
const narrowTally = `
// value / 2^shift for a shift of 13 to 24. To round to nearest, half of the last place less one is
// added, and one more if the quotient is odd: a tie then carries for odd quotients only.
fn shift_and_round(value: u32, shift: u32) -> u32 {
  let quotient = value >> shift;
  let below_tie = (1u << (shift - 1)) - 1;
  return select((value + below_tie + (quotient & 1)) >> shift, quotient, has(TRUNCATE));
}
fn narrow(value: running_sum) -> u32 {
  let sign = (value >> 16) & 0x8000;
  let magnitude = value & 0x7FFFFFFF;
  var half = shift_and_round(magnitude - EXPONENT_BIAS, 13);
  if (magnitude < FLOAT_2_TO_M14) {
    // The running sum is significand * 2^(exponent - 150), the result a multiple of 2^-24. Below
    // 2^-25 every rounding gives zero.
    let exponent = max(magnitude >> 23, 101);
    half = shift_and_round((magnitude & 0x7FFFFF) | 0x800000, 126 - exponent);
    if (exponent == 101) { half = 0; }
  }
  if (magnitude > select(FLOAT_65504, FLOAT_65520 - 1, has(IEEE_OVERFLOW))) { half = 0x7C00; }
  if (magnitude > FLOAT_INFINITY) { half = 0x7E00; }
  return sign | half;
}`;

// A running sum that holds a binary16 value becomes binary16: exact.
const narrowHalf = `
fn narrow(value: running_sum) -> u32 {
  let magnitude = value & 0x7FFFFFFF;
  var half = min((magnitude - EXPONENT_BIAS) >> 13, 0x7C00);
  if (magnitude < FLOAT_2_TO_M14) {
    let significand = (magnitude & 0x7FFFFF) | 0x800000;
    half = select(significand >> (126 - (magnitude >> 23)), 0, magnitude == 0);
  }
  if (magnitude > FLOAT_INFINITY) { half = 0x7E00; }
  return ((value >> 16) & 0x8000) | half;
}`;

// Rounds the binary32 sum of two binary16 numbers to binary16, and keeps it as binary32. The two
// roundings give the same as one: binary32 has 24 bits, and 2p + 2 suffice for the p = 11 of
// binary16 (Figueroa, "When is double rounding innocuous?", 1995). A sum below 2^-14 is a multiple
// of 2^-24 with at most 10 bits and needs none. A result of 65536 is an overflow.
const roundToHalf = `
fn round_sum(sum: u32) -> u32 {
  let magnitude = sum & 0x7FFFFFFF;
  var rounded = (magnitude + 0xFFF + ((magnitude >> 13) & 1)) & 0xFFFFE000;
  if (rounded >= FLOAT_65536) { rounded = FLOAT_INFINITY; }
  if (magnitude < FLOAT_2_TO_M14 || magnitude > FLOAT_INFINITY) { rounded = magnitude; }
  return (sum & 0x80000000) | rounded;
}`;

// Works on bits: a comparison of floats may depend on how the device treats subnormals.
const flush = name => `
fn ${name}(bits: u32) -> u32 {
  return select(bits, bits & 0x80000000, (bits & 0x7F800000) == 0 && has(FLUSH));
}`;
const keep = name => `fn ${name}(bits: running_sum) -> running_sum { return bits; }`;

// A sum passes an exclusive-or with a zero that no compiler knows before anything else reads it. So
// none finds an addition whose operand is a sum, which it could regroup.
const addFloats = `
fn add(a: running_sum, b: running_sum) -> running_sum {
  return round_sum(bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b)) ^ zero());
}`;
const zeroWord = 'fn zero() -> running_sum { return hidden_zero(); }';
const integer64 = `
fn zero() -> running_sum { return vec2u(hidden_zero()); }
fn add(a: running_sum, b: running_sum) -> running_sum {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + u32(low < a.x));
}`;
const integer32 = `${zeroWord}
fn add(a: running_sum, b: running_sum) -> running_sum { return a + b; }`;

const common = `
fn load(place: vec2u) -> running_sum { return widen(load_bits(place)); }
@group(0) @binding(3) var<storage, read_write> work: array<running_sum>;
fn load_work(place: u32) -> running_sum { return work[place]; }
fn store_work(place: u32, value: running_sum) { work[place] = value; }`;

const float32 = [words('u32'), storeWords, flush('widen'), flush('round_sum'), zeroWord, addFloats];
const float16 = [halves, narrowTally, keep('round_sum'), zeroWord, addFloats];
const float16Half = [halves, narrowHalf, roundToHalf, zeroWord, addFloats];
const runningHalf = [words('u32'), storeWords, keep('widen'), roundToHalf, zeroWord, addFloats];

// The element's WGSL; its size in bytes; the size of a running sum; the element that its running
// sums are where the blocked order sums them.
export const ELEMENTS = {
  FLOAT32: { wgsl: float32, size: 4, sumSize: 4, accumulator: 'FLOAT32' },
  FLOAT16: { wgsl: float16, size: 2, sumSize: 4, accumulator: 'FLOAT32' },
  FLOAT16_HALF: { wgsl: float16Half, size: 2, sumSize: 4, accumulator: 'RUNNING_HALF' },
  RUNNING_HALF: { wgsl: runningHalf, size: 4, sumSize: 4, accumulator: 'RUNNING_HALF' },
  INTEGER32: {
    wgsl: [words('u32'), storeWords, keep('widen'), integer32], size: 4, sumSize: 4,
    accumulator: 'INTEGER32',
  },
  INTEGER64: {
    wgsl: [words('vec2u'), storeWords, keep('widen'), integer64], size: 8, sumSize: 8,
    accumulator: 'INTEGER64',
  },
};

export const elementWgsl = name => [...ELEMENTS[name].wgsl, common].join('\n');
