// SPDX-License-Identifier: MIT
// make_lines.mjs MODULE SEED COUNT: prints random lines in the form of vectors.json, with the
// verdicts of anyorder.mjs, for anyorder.h to be compared with. Profiles are random, terms such
// that roundings, cancellation, overflow and flushing are likely, outputs near the ends of what
// passes.
import { resolve } from 'node:path';

const [module, seed, count] = process.argv.slice(2);
const { begin, bits, valueOf } = await import(resolve(module));

// A generator of 32-bit numbers (xorshift), and choices by it.
let state = BigInt(seed) * 0x9e3779b97f4a7c15n % 2n ** 64n | 1n;
function next() {
  state ^= state << 13n & 2n ** 64n - 1n;
  state ^= state >> 7n;
  state ^= state << 17n & 2n ** 64n - 1n;
  return Number(state >> 32n);
}
const below = (n) => next() % n;
const chance = (part) => next() < part * 2 ** 32;
const oneOf = (...list) => list[below(list.length)];
const between = (low, high) => low + below(high - low + 1);

// Bits of the significand, the least and the greatest exponent of a number.
const FORMATS = {
  FLOAT64: [53, -1074, 1023, 64],
  FLOAT32: [24, -149, 127, 32],
  FLOAT16: [11, -24, 15, 16],
  BFLOAT16: [8, -133, 127, 16],
};

function randomProfile() {
  const type = oneOf('FLOAT64', 'FLOAT32', 'FLOAT32', 'FLOAT16', 'FLOAT16', 'BFLOAT16');
  const wider = { FLOAT64: ['FLOAT64'], FLOAT32: ['FLOAT32', 'FLOAT32', 'FLOAT64'] };
  const flush = oneOf('never', 'never', 'may', 'must');
  return {
    type,
    accumulator: oneOf(...(wider[type] ?? [type, type, 'FLOAT32', 'FLOAT64'])),
    rounding: oneOf('nearest', 'nearest', 'toward-zero', 'either'),
    'flush-inputs': flush,
    'flush-results': oneOf(flush, flush, 'never', 'may', 'must'),
    specials: oneOf('ieee', 'ieee', 'ieee', 'absent'),
    order: oneOf('any', 'any', 'contiguous', 'sequential'),
    wider: oneOf('forbidden', 'forbidden', 'allowed'),
    ...(chance(0.2) ? { 'strict-zero': true } : {}),
  };
}

// A finite number with an exponent in this range, often with few bits.
function randomNumber(type, low, high) {
  const [precision, quantum, highest] = FORMATS[type];
  const exponent = between(Math.max(low, quantum), Math.max(Math.min(high, highest), quantum));
  const kept = oneOf(1, 2, 3, precision, precision);
  const significand = 1 + below(2 ** Math.min(kept - 1, 30)) / 2 ** (kept - 1);
  const [half, rest] = [Math.trunc(exponent / 2), exponent - Math.trunc(exponent / 2)];
  const size = significand * 2 ** half * 2 ** rest;
  return chance(0.5) ? size : -size;
}

function randomTerms(type, count) {
  const [precision, quantum, highest] = FORMATS[type], middle = between(-3, 3);
  const [low, high] = oneOf(
    [middle, middle + 2], [middle - precision, middle + precision], [middle - 1, middle],
    [quantum, quantum + precision + 1], [highest - 2, highest]);
  const terms = [];
  for (let i = 0; i < count; i++)
    terms.push(terms.length && chance(0.2) ? -terms[below(terms.length)] :
      chance(0.1) ? oneOf(0, -0, 1) : randomNumber(type, low, high));
  if (chance(0.05))
    terms[below(count)] = oneOf(Infinity, -Infinity, NaN);
  return terms.map((term) => bits(type, term));
}

// Bits near the ends of what passes, and elsewhere.
function randomOutputs(line, type, width) {
  const sign = 1n << BigInt(width - 1), range = line.range();
  const rank = (field) => (field & sign ? -(field & ~sign) : field);
  const field = (number) => (number < 0n ? -number | sign : number);
  const outputs = [BigInt(next()) << 32n | BigInt(next()), bits(type, oneOf(0, -0, -0, Infinity, NaN))];
  const top = rank(bits(type, Infinity));
  for (const end of range ? [range.low, range.high] : [])
    for (const step of [-1n, 0n, 1n]) {
      const number = rank(end) + step;
      if (number >= -top && number <= top)
        outputs.push(field(number));
    }
  if (range && !Number.isNaN(valueOf(type, range.low)))
    outputs.push(field((rank(range.low) + rank(range.high)) / 2n));
  return outputs.map((output) => BigInt.asUintN(width, output));
}

const lines = [];
for (let i = 0; i < Number(count); i++) {
  const profile = randomProfile(), { type } = profile, width = FORMATS[type][3];
  const hexed = (field) => field.toString(16).padStart(width / 4, '0');
  const exact = profile.rounding === 'nearest' && profile['flush-inputs'] === 'never' &&
    profile['flush-results'] === 'never';
  const more = exact && chance(0.2) ? { 'orders-of': 8 } : {};
  const line = begin({ ...profile, ...more }), steps = [];
  for (const term of randomTerms(type, chance(0.5) ? between(1, 8) : between(5, 60))) {
    steps.push(['add', hexed(term)]);
    line.add(term);
    if (!chance(0.3))
      continue;
    const range = line.range();
    steps.push(range ? ['range', hexed(range.low), hexed(range.high)] : ['range']);
    for (const output of randomOutputs(line, type, width)) {
      const scan = chance(0.8);
      const verdict = scan ? line.judge(output) : line.judgeSum(output);
      steps.push([scan ? 'judge' : 'judge-sum', hexed(output), verdict]);
    }
  }
  lines.push(JSON.stringify({ name: `line ${i}`, profile, ...more, steps }));
}
console.log(`{"about": "by anyorder.mjs", "lines": [\n${lines.join(',\n')}\n]}`);
