// SPDX-License-Identifier: MIT
// anyorder: is this the sum of these terms, in some order of additions?
//
// The verdicts of anyorder.h, for JavaScript: the rules and their proofs are in docs/oracle.md of
// the project cumsum, which this file comes from (anyorder/anyorder.mjs). A profile says what one
// addition may return and in which order terms may be added; sums are exact, in BigInt, so that a
// FAIL is a theorem and not a tolerance. No dependencies.
//
//     import { begin, bits, isWrong, profiles } from './anyorder.mjs';
//     const line = begin(profiles.wgsl('FLOAT32'));
//     for (const [i, x] of input.entries()) {
//       line.add(bits('FLOAT32', x));
//       if (isWrong(line.judge(bits('FLOAT32', output[i]))))
//         report(i, line.reason, line.range());
//     }
//
// An exclusive scan judges before it adds. An inactive lane is skipped. An initial value is the
// first that is added. For a sum, add all terms and ask judgeSum.
//
// Notation: S is the exact sum, A that of the magnitudes, p the bits of the accumulator's
// significand, v the unit error of an addition (2^-p, or twice that unless it rounds to nearest),
// r the additions that may round. A finite number is a BigInt: how many of the smallest subnormals
// of the line's type it has; a scale is the number of further bits. Others are Infinity, -Infinity
// and NaN.
//
// Copyright (c) 2026 The cumsum authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

// The version of the project that this file comes from.
export const version = '0.1.0';

export const verdicts = ['PASS', 'FAIL', 'SUSPECT', 'MAY_OVERFLOW'];

const FLOATS = {
  FLOAT64: { width: 64, precision: 53, quantum: -1074, highest: 1023 },
  FLOAT32: { width: 32, precision: 24, quantum: -149, highest: 127 },
  FLOAT16: { width: 16, precision: 11, quantum: -24, highest: 15 },
  BFLOAT16: { width: 16, precision: 8, quantum: -133, highest: 127 },
};
const INTEGERS = {
  INT8: 8, UINT8: 8, INT16: 16, UINT16: 16, INT32: 32, UINT32: 32, INT64: 64, UINT64: 64,
};

// Terms of which every order is tried: always, and on request. The bound decides if one subset has
// more values than the third number.
const FEW = 4;
const FEW_MOST = 8;
const VALUES_MOST = 1 << 18;

const DEFAULTS = {
  rounding: 'nearest',
  'flush-inputs': 'never',
  'flush-results': 'never',
  specials: 'ieee',
  order: 'any',
  wider: 'forbidden',
  'strict-zero': false,
  'orders-of': FEW,
};
const WORDS = {
  rounding: ['nearest', 'toward-zero', 'either'],
  'flush-inputs': ['never', 'may', 'must'],
  'flush-results': ['never', 'may', 'must'],
  specials: ['ieee', 'absent'],
  order: ['any', 'contiguous', 'sequential'],
  wider: ['forbidden', 'allowed'],
};

const magnitude = (x) => (x < 0n ? -x : x);
const isNumber = (x) => typeof x === 'bigint'; // a finite one
const least = (a, b) => (b < a ? b : a);
const most = (a, b) => (b > a ? b : a);
const leastOf = (list) => list.reduce(least);
const mostOf = (list) => list.reduce(most);

// The number of bits of a natural number, 0 for 0.
function bitLength(x) {
  if (x === 0n)
    return 0;
  const digits = x.toString(16);
  return 4 * digits.length - Math.clz32(parseInt(digits[0], 16)) + 28;
}

function greatestCommonDivisor(a, b) {
  while (b)
    [a, b] = [b, a % b];
  return a;
}

// A format, in units of the quantum of the line's type.
class Format {
  constructor(name, base) {
    const { precision, quantum, highest } = FLOATS[name];
    this.name = name;
    this.precision = precision;
    this.lowest = quantum - base; // the exponent of its own quantum
    this.normal = this.lowest + precision - 1; // that of its smallest normal number
    this.top = highest + 1 - base; // that of the first power of two beyond it
    this.greatest = ((1n << BigInt(precision)) - 1n) << BigInt(this.top - precision);
  }

  isSubnormal(x, scale = 0) {
    const exponent = this.normal + scale;
    return isNumber(x) && x !== 0n && exponent > 0 && magnitude(x) >> BigInt(exponent) === 0n;
  }

  // x, rounded 'down', 'up', to the 'nearest' or 'inward'.
  round(x, scale, direction) {
    if (!isNumber(x) || x === 0n)
      return x;
    const negative = x < 0n, size = magnitude(x);
    const signed = (value) => (negative ? -value : value);
    const outward = direction === (negative ? 'down' : 'up');
    const limit = this.greatest << BigInt(scale);
    if (size > limit) {
      const half = 1n << BigInt(this.top - this.precision - 1 + scale);
      const beyond = outward || (direction === 'nearest' && size >= limit + half);
      return beyond ? signed(1) * Infinity : signed(limit);
    }
    const spare = BigInt(Math.max(bitLength(size) - this.precision, this.lowest + scale, 0));
    const quotient = size >> spare, rest = size - (quotient << spare);
    let up = outward && rest > 0n;
    if (direction === 'nearest' && rest > 0n) {
      const half = 1n << (spare - 1n);
      up = rest > half || (rest === half && (quotient & 1n) === 1n);
    }
    return signed((up ? quotient + 1n : quotient) << spare);
  }

  // All results of a rounding, one or two. A truncated sum stops at the greatest number.
  roundings(x, scale, rounding) {
    if (rounding === 'either')
      return [this.round(x, scale, 'down'), this.round(x, scale, 'up')];
    return [this.round(x, scale, rounding === 'nearest' ? 'nearest' : 'inward')];
  }

  // What numbers from low to high are rounded to.
  roundedEnds([low, high], scale, rounding) {
    return [leastOf(this.roundings(low, scale, rounding)),
      mostOf(this.roundings(high, scale, rounding))];
  }
}

// The number that bits of a type are, and its bits.
function numberOf({ width, precision }, field) {
  const stored = BigInt(precision - 1), exponents = BigInt(width - precision);
  const exponent = field >> stored & ((1n << exponents) - 1n);
  const rest = field & ((1n << stored) - 1n);
  const negative = field >> BigInt(width - 1) === 1n;
  if (exponent === (1n << exponents) - 1n)
    return rest ? NaN : negative ? -Infinity : Infinity;
  const size = exponent ? (rest | 1n << stored) << (exponent - 1n) : rest;
  return negative ? -size : size;
}

function bitsOfNumber({ width, precision }, x) {
  const stored = BigInt(precision - 1);
  const infinity = ((1n << BigInt(width - precision)) - 1n) << stored;
  if (Number.isNaN(x))
    return infinity | 1n << (stored - 1n);
  const sign = x < 0 ? 1n << BigInt(width - 1) : 0n;
  if (!isNumber(x))
    return sign | infinity;
  const size = magnitude(x), shift = Math.max(bitLength(size) - precision, 0);
  return sign | (BigInt(shift) << stored) + (size >> BigInt(shift));
}

function plus(a, b) {
  if (isNumber(a) && isNumber(b))
    return a + b;
  return (isNumber(a) ? 0 : a) + (isNumber(b) ? 0 : b);
}

// What passes: values, intervals of values, NaN.
class Answer {
  constructor(reason) {
    this.values = new Set();
    this.intervals = [];
    this.nan = false;
    this.absent = false; // a special value may occur that the profile has not
    this.explained = () => false; // of an output that does not pass: by an overflow?
    this.passes = reason.passes;
    this.fails = reason.fails;
  }

  accept([low, high]) {
    if (low <= high)
      this.intervals.push([low, high]);
  }

  has(y) {
    if (Number.isNaN(y))
      return this.nan;
    return this.values.has(y) || this.intervals.some(([low, high]) => low <= y && y <= high);
  }

  ends() {
    const lows = this.intervals.map(([low]) => low), highs = this.intervals.map(([, high]) => high);
    const all = [...this.values];
    if (lows.length + all.length === 0)
      return this.nan ? [NaN, NaN] : null;
    return [leastOf([...lows, ...all]), mostOf([...highs, ...all])];
  }
}

function checked(given) {
  if (typeof given !== 'object' || given === null)
    throw new TypeError('profile: it is no object');
  const profile = { ...DEFAULTS, accumulator: given.type, ...given };
  for (const name of Object.keys(given))
    if (!(name in DEFAULTS) && name !== 'type' && name !== 'accumulator')
      throw new RangeError(`profile: there is no member ${name}`);
  for (const name of ['type', 'accumulator'])
    if (!(profile[name] in FLOATS) && !(profile[name] in INTEGERS))
      throw new RangeError(`profile: ${name} is no type: ${profile[name]}`);
  for (const [name, words] of Object.entries(WORDS))
    if (!words.includes(profile[name]))
      throw new RangeError(`profile: ${name} is one of ${words.join(', ')}: ${profile[name]}`);
  const few = profile['orders-of'];
  if (!Number.isInteger(few) || few < FEW || few > FEW_MOST)
    throw new RangeError(`profile: orders-of is from ${FEW} to ${FEW_MOST}: ${few}`);
  const { type, accumulator } = profile;
  if (type in INTEGERS) {
    if (accumulator !== type)
      throw new RangeError('profile: the accumulator of an integer type is the type');
    if (profile.rounding !== 'nearest')
      throw new RangeError('profile: additions of integers do not round');
    if (profile['flush-inputs'] !== 'never' || profile['flush-results'] !== 'never')
      throw new RangeError('profile: integers have no subnormal numbers to flush');
    if (profile.wider !== 'forbidden')
      throw new RangeError('profile: integers wrap, so that no sum is more precise');
    return Object.freeze(profile);
  }
  if (accumulator in INTEGERS)
    throw new RangeError('profile: the accumulator of a floating-point type is one');
  const t = FLOATS[type], f = FLOATS[accumulator];
  if (f.precision < t.precision || f.quantum > t.quantum)
    throw new RangeError('profile: the accumulator cannot hold every number of the type');
  return Object.freeze(profile);
}

function field(value, width) {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new TypeError(`bits are an integer, or a BigInt for 64 of them: ${value}`);
  return BigInt.asUintN(width, BigInt(value));
}

// A line of integers, which wrap.
class IntegerLine {
  constructor(profile) {
    this.profile = profile;
    this.width = INTEGERS[profile.type];
    this.sum = 0n;
    this.reason = 'no output has been judged';
  }

  add(value) {
    this.sum = BigInt.asUintN(this.width, this.sum + field(value, this.width));
  }

  judge(output) {
    const right = field(output, this.width) === this.sum;
    this.reason = right ? 'the sum of integers' : 'not the sum of integers, which wraps';
    return right ? 'PASS' : 'FAIL';
  }

  judgeSum(output) {
    return this.judge(output);
  }

  range() {
    return { low: this.sum, high: this.sum };
  }
}

// The least and the greatest sequential sum. Additions are monotonic, and so is flushing.
class Run {
  constructor(accumulator) {
    this.accumulator = accumulator;
    this.low = this.high = 0n;
    this.mayBeNaN = false;
  }

  get isNaN() {
    return Number.isNaN(this.low);
  }
}

class FloatLine {
  constructor(profile) {
    const base = FLOATS[profile.type].quantum;
    this.profile = profile;
    this.layout = FLOATS[profile.type];
    this.t = new Format(profile.type, base);
    this.f = profile.accumulator === profile.type ? this.t : new Format(profile.accumulator, base);
    this.twice = profile.rounding === 'nearest' ? 1n : 2n;
    this.scale = this.f.precision + 64; // of errors: each bound is a whole number then
    this.mayFlush = profile['flush-inputs'] !== 'never' || profile['flush-results'] !== 'never';
    this.mustFlush = profile['flush-inputs'] === 'must' || profile['flush-results'] === 'must';
    this.wider = [];
    if (profile.wider === 'allowed')
      for (const name of ['FLOAT32', 'FLOAT64'])
        if (FLOATS[name].precision > this.f.precision)
          this.wider.push(new Format(name, base));
    this.terms = 0; // all of them
    this.nonzero = 0; // without zeros
    this.few = [];
    this.zeros = 0; // bit k: a zero directly after the first k terms that are not zero
    this.specials = [];
    this.sum = 0n;
    this.sides = [0n, 0n]; // the magnitudes of positive and of negative terms
    this.reach = [0n, 0n]; // the least and the greatest prefix sum
    this.lowestBit = 0n;
    this.largest = 0n;
    this.runs = [this.f, ...(profile.order === 'sequential' ? this.wider : [])].map(
      (format) => new Run(format));
    this.inSequence = true;
    this.before = null;
    this.jumps = { count: 0, first: 0, last: 0, distance: 0 };
    this.answered = null; // what passes of the terms so far
    this.asked = null; // the last call, if it was of judgeSum, for these terms
    this.reason = 'no output has been judged';
  }

  add(value) {
    const x = numberOf(this.layout, field(value, this.layout.width));
    this.answered = this.asked = null;
    this.terms++;
    for (const run of this.runs)
      this.addToRun(run, x);
    if (x === 0n) {
      if (this.nonzero <= FEW_MOST)
        this.zeros |= 1 << this.nonzero;
      return;
    }
    if (this.nonzero < FEW_MOST)
      this.few.push(x);
    this.nonzero++;
    if (!isNumber(x)) {
      this.specials.push(x);
      if (this.specials.length > 3) // NaN, or one infinity, or both
        this.specials = [...new Set(this.specials)];
      return;
    }
    const size = magnitude(x), bit = size & -size;
    this.sum += x;
    this.sides[x < 0n ? 1 : 0] += size;
    this.reach = [least(this.reach[0], this.sum), most(this.reach[1], this.sum)];
    this.lowestBit = this.largest === 0n ? bit : least(this.lowestBit, bit);
    this.largest = most(this.largest, size);
  }

  // Judges the sum of the terms so far as an output of a scan. Outputs are judged in order.
  judge(output) {
    return this.judgeAs(output, true);
  }

  // Judges it as a sum, whose terms may be permuted, so that fewer outputs are suspect. Many
  // outputs may be judged: the bound is worked out once, and so is the verdict on an output that is
  // asked for again.
  judgeSum(output) {
    if (this.asked?.output !== output)
      this.asked = { output, verdict: this.judgeAs(output, false) };
    return this.asked.verdict;
  }

  // The bits of the least and the greatest output that passes, both a NaN's if no other does; null
  // if nothing is known.
  range() {
    const ends = this.answer().ends();
    if (!ends)
      return null;
    const [low, high] = ends.map((end) => bitsOfNumber(this.layout, end));
    return { low, high };
  }

  judgeAs(output, scan) {
    const bits = field(output, this.layout.width), y = numberOf(this.layout, bits);
    this.asked = null;
    const verdict = this.verdict(bits, y);
    if (this.profile.order === 'sequential')
      return verdict;
    const sequential = this.isSequential(y);
    this.inSequence &&= sequential;
    const doubt = this.doubt(bits, y, scan);
    const known = scan ? this.inSequence : sequential;
    if (verdict !== 'PASS' || !doubt || this.nonzero <= FEW || known)
      return verdict;
    this.reason = doubt;
    return 'SUSPECT';
  }

  verdict(bits, y) {
    const answer = this.answer();
    const refused = (verdict, reason) => {
      this.reason = reason;
      return verdict;
    };
    if (this.profile['strict-zero'] && y === 0n && bits !== 0n)
      return refused('FAIL', '-0, and no output may be -0');
    if (answer.absent)
      return refused('MAY_OVERFLOW',
        'a term or a sum may be infinite or NaN, and the profile has no such values');
    if (!answer.has(y))
      return answer.explained(y)
        ? refused('MAY_OVERFLOW', 'an overflow on the way may give this output')
        : refused('FAIL', answer.fails);
    if (this.profile['flush-results'] === 'must' && this.terms > 1 && this.t.isSubnormal(y))
      return refused('FAIL', 'a subnormal output, which the profile flushes');
    return refused('PASS', answer.passes);
  }

  answer() {
    this.answered ??= this.newAnswer();
    return this.answered;
  }

  newAnswer() {
    if (this.profile.specials === 'absent' && this.specials.length) {
      const answer = new Answer({});
      answer.absent = true;
      return answer;
    }
    const few = this.nonzero <= this.profile['orders-of'] ? this.answerFew() : null;
    if (few)
      return few;
    if (this.profile.order === 'sequential')
      return this.answerSequence();
    return this.specials.length ? this.answerSpecial() : this.answerMany();
  }

  // Short prefixes: every order, with every choice of rounding and flushing. Adding a zero changes
  // no value, but that it may flush, which is among the choices. Where flushing must, there are four
  // cases in which no place of a zero leaves all values as they are (docs/oracle.md, "Zeros that
  // flush"): a single term, the first term of a sequence, the last sum of one, and two neighbours
  // with a zero between them.

  leaf(format, i) {
    const x = this.few[i], { order } = this.profile;
    if (!this.t.isSubnormal(x) || !this.mayFlush)
      return [x];
    const isResult = order === 'sequential' && i === 0 && (this.zeros & 3) !== 0;
    const flushed = this.profile['flush-inputs'] === 'must' ||
      (isResult && this.profile['flush-results'] === 'must' && format.isSubnormal(x));
    return flushed ? [0n] : [x, 0n];
  }

  areParted(part, rest) {
    return this.profile.order === 'contiguous' && this.profile['flush-results'] === 'must' &&
      (part & (part - 1)) === 0 && rest === part << 1 && (this.zeros & rest) !== 0;
  }

  // The values of a node whose exact sum is x: outputs of the last one, operands of others.
  node(format, x, last) {
    const { rounding, order } = this.profile;
    const isOperand = !last || (order === 'sequential' && (this.zeros >> this.nonzero & 1) === 1);
    const must = this.profile['flush-results'] === 'must' ||
      (this.profile['flush-inputs'] === 'must' && isOperand);
    const values = [];
    for (const y of format.roundings(x, 0, rounding)) {
      const subnormal = format.isSubnormal(y);
      if (!subnormal || !must)
        values.push(y);
      if (subnormal && this.mayFlush) // as a result, or as an operand, if only of a zero
        values.push(0n);
    }
    return values;
  }

  // The outputs that a sum may be stored as; `others`: or that other roundings give.
  stores(x, ...others) {
    const outputs = [];
    for (const y of [...others, ...this.t.roundings(x, 0, this.profile.rounding)]) {
      const subnormal = this.t.isSubnormal(y);
      if (!subnormal || this.profile['flush-results'] !== 'must')
        outputs.push(y);
      if (subnormal && this.mayFlush)
        outputs.push(0n);
    }
    return outputs;
  }

  maySplit(part, rest) {
    const isRun = (mask) => ((mask | (mask - 1)) & ((mask | (mask - 1)) + 1)) === 0;
    if (this.profile.order === 'any')
      return true;
    if (this.profile.order === 'contiguous')
      return isRun(part) && isRun(rest) && isRun(part | rest);
    return (part & (part + 1)) === 0 && rest === part + 1;
  }

  // The outputs of all trees with sums of this format, and whether one of their sums is special.
  // null: there are too many values.
  reached(format) {
    const n = this.nonzero, all = (1 << n) - 1, values = new Map();
    let special = false;
    for (let i = 0; i < n; i++)
      values.set(1 << i, new Set(this.leaf(format, i)));
    for (let mask = 3; mask <= all; mask++) {
      const lowest = mask & -mask;
      if (mask === lowest)
        continue;
      const found = new Set();
      for (let part = (mask - 1) & mask; part; part = (part - 1) & mask) {
        if (!(part & lowest) || !this.maySplit(part, mask ^ part))
          continue;
        const parted = this.areParted(part, mask ^ part);
        for (const a of values.get(part))
          for (const b of values.get(mask ^ part))
            if (!parted || !format.isSubnormal(a) || !format.isSubnormal(b))
              for (const sum of this.node(format, plus(a, b), mask === all))
                found.add(sum);
        if (found.size > VALUES_MOST)
          return null;
      }
      values.set(mask, found);
    }
    const outputs = new Set();
    for (const found of values.values())
      for (const sum of found)
        special ||= !isNumber(sum);
    for (const sum of values.get(all))
      for (const y of this.stores(sum))
        outputs.add(y);
    for (const y of outputs)
      special ||= !isNumber(y);
    return { outputs, special };
  }

  // One term or none: it is copied, or zeros are added.
  unadded() {
    const [x = 0n] = this.few;
    if (!this.mayFlush || !this.t.isSubnormal(x))
      return [x];
    return this.mustFlush && this.zeros ? [0n] : [x, 0n];
  }

  answerFew() {
    const answer = new Answer({
      passes: 'an order of additions gives this output',
      fails: 'no order of additions gives this output: all were tried',
    });
    const keep = (outputs) => {
      for (const y of outputs)
        if (Number.isNaN(y))
          answer.nan = true;
        else
          answer.values.add(y);
    };
    if (this.nonzero < 2) {
      keep(this.unadded());
      return answer;
    }
    const own = this.reached(this.f);
    if (!own)
      return null;
    keep(own.outputs);
    answer.absent = own.special && this.profile.specials === 'absent';
    if (answer.absent || this.profile.wider !== 'allowed')
      return answer;
    if (this.specials.length) {
      answer.passes = 'an order of additions, or a more precise sum, gives this output';
      answer.accept(this.infinity());
      return answer;
    }
    for (const format of this.wider) {
      const wider = this.reached(format);
      if (!wider)
        return null;
      keep(wider.outputs);
    }
    answer.passes = 'an order of additions, or a more precise sum, gives this output';
    keep(this.unrounded());
    return answer;
  }

  // The finite outputs of an accumulator that never rounds, which are rounded to nearest or as
  // additions are. It adds all of a few terms, or, if it flushes, those that are not subnormal.
  unrounded() {
    const flushes = this.mayFlush ? [false, true] : [false], { t, profile } = this;
    const outputs = [];
    for (const flushed of profile['flush-inputs'] === 'must' ? [true] : flushes) {
      const terms = this.few.filter((x) => !flushed || !t.isSubnormal(x));
      const sum = terms.reduce((a, b) => a + b, 0n);
      outputs.push(...this.stores(sum, t.round(sum, 0, 'nearest')));
    }
    return outputs.filter(isNumber);
  }

  // Of a sequence: all outputs that are at most as far from S as one of these.
  asFar(values) {
    const far = values.map((y) => magnitude(y - this.sum)).reduce(most);
    return [this.t.round(this.sum - far, 0, 'up'), this.t.round(this.sum + far, 0, 'down')];
  }

  // S, rounded once; none if that is infinite.
  exact() {
    const only = this.t.round(this.sum, 0, 'nearest');
    return isNumber(only) ? [only, only] : [1n, 0n];
  }

  // An infinity among the terms is what more precise sums give, which do not overflow.
  infinity() {
    const only = new Set(this.specials), [infinity] = only;
    return only.size > 1 || only.has(NaN) ? [1n, 0n] : [infinity, infinity];
  }

  // Sequential sums.

  flushedEnds(format, flush, [low, high], scale = 0) {
    const zeroLow = format.isSubnormal(low, scale) ? 0n : low;
    const zeroHigh = format.isSubnormal(high, scale) ? 0n : high;
    if (flush === 'must')
      return [zeroLow, zeroHigh];
    return flush === 'may' ? [least(low, zeroLow), most(high, zeroHigh)] : [low, high];
  }

  addToRun(run, x) {
    const { rounding } = this.profile, format = run.accumulator;
    const may = this.mayFlush ? 'may' : 'never';
    const operands = this.profile['flush-inputs'] === 'must' ? 'must' : may;
    if (run.isNaN)
      return;
    if (Number.isNaN(x)) {
      run.low = run.high = NaN;
      run.mayBeNaN = true;
      return;
    }
    if (this.terms === 1) { // copied, or added to zero
      [run.low, run.high] = this.flushedEnds(this.t, may, [x, x]);
      return;
    }
    const term = this.flushedEnds(this.t, operands, [x, x]);
    const [left, right] = this.flushedEnds(format, operands, [run.low, run.high]);
    let low = plus(left, term[0]), high = plus(right, term[1]);
    if (Number.isNaN(low) && Number.isNaN(high)) {
      run.low = run.high = NaN;
      run.mayBeNaN = true;
      return;
    }
    run.mayBeNaN ||= Number.isNaN(low) || Number.isNaN(high);
    low = Number.isNaN(low) ? high : low;
    high = Number.isNaN(high) ? low : high;
    const ends = format.roundedEnds([low, high], 0, rounding);
    const flushed = this.flushedEnds(format, this.profile['flush-results'], ends);
    [run.low, run.high] = this.flushedEnds(format, may, flushed);
  }

  // The outputs of a sequential sum, or null if it is NaN.
  acceptRun(answer, run) {
    answer.nan ||= run.mayBeNaN;
    if (run.isNaN)
      return null;
    let ends = [run.low, run.high];
    if (run.accumulator !== this.t)
      ends = this.t.roundedEnds(ends, 0, this.profile.rounding);
    ends = this.flushedEnds(this.t, this.mayFlush ? 'may' : 'never', ends);
    answer.accept(ends);
    return ends;
  }

  answerSequence() {
    const answer = new Answer({
      passes: 'the sequential sum, or a more precise one where that is allowed',
      fails: 'not what the terms give from the first to the last',
    });
    const ends = this.acceptRun(answer, this.runs[0]);
    const finite = ends !== null && ends.every(isNumber);
    answer.absent = this.profile.specials === 'absent' && (answer.nan || !finite);
    if (answer.absent || this.profile.wider !== 'allowed')
      return answer;
    if (this.specials.length) {
      answer.accept(this.infinity());
      return answer;
    }
    for (const run of this.runs.slice(1))
      this.acceptRun(answer, run);
    if (finite)
      answer.accept(this.asFar(ends));
    answer.accept(this.exact());
    return answer;
  }

  isSequential(y) {
    const [run] = this.runs;
    if (run.isNaN)
      return Number.isNaN(y);
    if (run.low !== run.high || run.mayBeNaN || Number.isNaN(y))
      return false;
    const stored = this.t.roundings(run.low, 0, this.profile.rounding);
    return stored.every((value) => value === y);
  }

  // Longer prefixes: what every order keeps to.

  // An infinity or a NaN is among the terms. Only an infinity may become something else: a NaN, if
  // the finite terms of the other sign overflow.
  answerSpecial() {
    const answer = new Answer({
      passes: 'what the infinities and NaNs among the terms give',
      fails: 'not what the infinities and NaNs among the terms give',
    });
    const [infinity, same] = this.infinity();
    if (infinity !== same) {
      answer.nan = true;
      return answer;
    }
    answer.accept([infinity, same]);
    answer.explained = (y) => Number.isNaN(y) && this.mayOverflow(infinity > 0 ? 1 : 0);
    return answer;
  }

  magnitudes() {
    return this.sides[0] + this.sides[1];
  }

  spread() {
    return this.reach[1] - this.reach[0];
  }

  // r. An addition that rounds has magnitudes of more than L = 2^p times the lowest bit below it,
  // and so more than L / M terms, where M is the greatest. Of n terms that leaves n + 1 - h.
  roundingAdditions() {
    const exact = this.lowestBit << BigInt(this.f.precision);
    if (this.largest === 0n || this.magnitudes() <= exact)
      return 0n;
    return BigInt(this.nonzero) + 1n - most(2n, exact / this.largest + 1n);
  }

  // ((1 + v)^k - 1), times 2^scale, rounded up; null if that is too large. Divided by v,
  // (1 + g) (1 + h) - 1 is g + h + v g h, and the result is at most 2^(1.5 k v) / v.
  compound(k) {
    const unit = BigInt(this.f.precision) + 1n - this.twice; // v is 2^-unit
    const most = unit + (3n * k + (2n << unit) - 1n >> unit + 1n), long = !this.isAtMostOne(k);
    if (long && most > 60n)
      return null;
    const places = 61n - (long ? most : BigInt(bitLength(k)));
    const shift = places + unit, product = (a, b) => -(-(a * b) >> shift);
    let growth = 0n, power = 1n << places;
    for (let rest = k; rest > 0n; rest >>= 1n) {
      if (rest & 1n)
        growth += power + product(growth, power);
      power += power + product(power, power);
    }
    return growth << BigInt(this.scale) - shift;
  }

  isAtMostOne(k) {
    return k * this.twice <= 1n << BigInt(this.f.precision);
  }

  // The error of k additions of which each returns either neighbour, times 2^scale: G^k(A) - A with
  // G(x) = x + v 2^floor(log2 x). Those within one power of two add the same. Beyond all numbers of
  // the format it stops.
  grown(k, all) {
    const p = this.f.precision, start = all << BigInt(p);
    const enough = Math.max(this.f.top + p, bitLength(start)) + 3;
    let x = start;
    while (k > 0n && bitLength(x) <= enough) {
      const unit = this.twice << BigInt(bitLength(x) - 1 - p);
      const left = ((1n << BigInt(bitLength(x))) - x + unit - 1n) / unit;
      const steps = least(left, k);
      x += steps * unit;
      k -= steps;
    }
    return x - start << BigInt(this.scale - p);
  }

  // Each of n terms and n - 1 sums loses less than the smallest normal number, w. A value that is
  // flushed is the same as one more term, which cancels it exactly: S moves by what is lost at most,
  // A and R grow by it at most, and no addition rounds more often. If the lowest bit is w or more,
  // nothing is ever subnormal.
  lost() {
    const normal = BigInt(this.t.normal);
    if (!this.mayFlush || this.largest === 0n || this.lowestBit >> normal !== 0n)
      return 0n;
    return 2n * BigInt(this.nonzero) - 1n << normal;
  }

  // Additions that may round.
  mayRound() {
    return this.lost() ? BigInt(this.nonzero) - 1n : this.roundingAdditions();
  }

  // How far sums are from S after k additions that round, and with all that is flushed, times
  // 2^scale.
  error(k) {
    const { rounding, order } = this.profile, lost = this.lost();
    const all = this.magnitudes() + lost;
    let error = rounding === 'either' ? this.grown(k, all)
      : k * this.twice * all << BigInt(this.scale - this.f.precision);
    const compound = order === 'contiguous' ? this.compound(k) : null;
    if (compound !== null)
      error = least(error, (this.spread() + lost) * compound);
    return error + (lost << BigInt(this.scale));
  }

  // ceil(1.5 k v)
  doublings(k) {
    const p = BigInt(this.f.precision);
    return Number(3n * k * this.twice + (2n << p) - 1n >> p + 1n);
  }

  // Terms of one sign. An addition is monotonic and keeps the numbers of the format, so that no
  // partial sum is beyond the last one, y, and each rounding errs by at most v |y|. Of k below the
  // last one that leaves |y| >= round(|S| - lost - k v |y|). The least number for which this holds
  // is (|S| - lost) / (1 + k v), rounded down, or the next one. Like all partial sums it is a
  // multiple of the type's quantum. What is flushed is below w, where nothing is rounded.
  leastSize() {
    const { f, scale, twice } = this, r = this.mayRound(), p = BigInt(f.precision);
    const errors = r > 1n ? twice * (r - 1n) : 0n, left = magnitude(this.sum) - this.lost();
    if (left <= 0n)
      return 0n;
    const quotient = (left << p) / ((1n << p) + errors);
    const spare = BigInt(Math.max(bitLength(quotient) - f.precision, 0));
    const size = least(quotient >> spare << spare, f.greatest);
    const rest = (left << BigInt(scale)) - (errors * size << BigInt(scale) - p);
    const reached = f.round(rest, scale, this.profile.rounding === 'nearest' ? 'nearest' : 'down');
    if (reached <= size << BigInt(scale))
      return size << BigInt(scale);
    return f.round(size + (1n << spare) << BigInt(scale), scale, 'up');
  }

  // Moves the end that is nearer to 0.
  withSign([low, high]) {
    if (this.sides[1] === 0n)
      return [most(low, this.leastSize()), high];
    if (this.sides[0] === 0n) {
      const size = this.leastSize();
      return [low, least(high, isNumber(size) ? -size : -Infinity)];
    }
    return [low, high];
  }

  // The outputs for sums between two numbers, given times 2^scale. rounded: between these are the
  // rounded sums; otherwise these are what the last addition rounds.
  storedEnds(low, high, rounded) {
    const { rounding } = this.profile, { t, f, scale } = this;
    let ends = rounded ? [f.round(low, scale, 'up'), f.round(high, scale, 'down')]
      : this.withSign(f.roundedEnds([low, high], scale, rounding));
    if (f !== t)
      ends = t.roundedEnds(ends, scale, rounding);
    ends = this.flushedEnds(t, this.lost() ? 'may' : 'never', ends, scale);
    return ends.map((end) => (isNumber(end) ? end >> BigInt(scale) : end));
  }

  // The last addition rounds once, and monotonically; the two subtrees that it adds are together as
  // far from S as those additions of them that round can move them.
  interval() {
    const r = this.mayRound(), sum = this.sum << BigInt(this.scale);
    const error = this.error(r > 1n ? r - 1n : 0n);
    return this.storedEnds(sum - error, sum + error, false);
  }

  // Sums may stop at the greatest number C, unless they are rounded to nearest:
  // min(P, C) - N - width <= y <= P - min(N, C) + width.
  saturated() {
    const [positive, negative] = this.sides, { greatest } = this.f, scale = BigInt(this.scale);
    const width = this.error(this.mayRound()) + (this.lost() << scale);
    const low = least(positive, greatest) - negative << scale;
    const high = positive - least(negative, greatest) << scale;
    const ends = this.storedEnds(low - width, high + width, true), last = this.t.greatest;
    // Finite numbers; terms of one sign do not come back from the greatest one.
    return [most(ends[0], negative === 0n ? last : -last),
      least(ends[1], positive === 0n ? -last : last)];
  }

  // May a partial sum pass the greatest number on the side of this sign (0: positive)? One of terms
  // with P and N is at most P - N + (n - 1) v (P + N), which N only lowers if (n - 1) v <= 1.
  // Truncated ones stay within P.
  mayPass(sign) {
    const { rounding } = this.profile, { f, scale } = this;
    const n = BigInt(this.nonzero) - 1n;
    if (this.sides[sign] === 0n || n < 1n)
      return false;
    const side = this.sides[sign] + this.lost(), limit = f.greatest << BigInt(scale);
    if (rounding === 'toward-zero')
      return side > f.greatest;
    const error = this.isAtMostOne(n) ? side * n * this.twice << BigInt(scale - f.precision)
      : this.error(n);
    const reach = (side << BigInt(scale)) + error;
    if (rounding === 'either')
      return reach > limit;
    return reach >= limit + (1n << BigInt(f.top - f.precision - 1 + scale));
  }

  mayOverflow(sign) {
    return this.profile.rounding !== 'toward-zero' && this.mayPass(sign);
  }

  answerMany() {
    const answer = new Answer({
      passes: 'within the bound that every order of additions keeps',
      fails: 'beyond the bound that every order of additions keeps',
    });
    const { profile } = this;
    answer.accept(this.interval());
    if (profile.rounding !== 'nearest' && (this.mayPass(0) || this.mayPass(1)))
      answer.accept(this.saturated());
    if (profile.wider === 'allowed')
      answer.accept(this.exact());
    const up = this.mayOverflow(0), down = this.mayOverflow(1);
    if (profile.specials === 'absent') {
      answer.absent = up || down || !answer.intervals.flat().every(isNumber);
      return answer;
    }
    answer.explained = (y) => {
      if (Number.isNaN(y))
        return up && down;
      return !isNumber(y) && (y > 0 ? up : down);
    };
    return answer;
  }

  // Doubt: what some order may give, and yet no scan that is known. With the error e = y - S and
  // the range R of the prefix sums:
  // - A scan adds neighbours, so that |e| <= R ((1 + v)^r - 1).
  // - Outputs next to each other share nearly all their additions, so that e grows by at most
  //   16 v R bits(m) from one to the next; by 256 v R bits(m) where jumps come at a regular
  //   distance.
  // - Where r v >= 1/4, nearly everything is within the bounds. There |e| is at most
  //   2 ceil(log2 m) v A, what a balanced tree gives twice over.
  // A sum that stops at the greatest number keeps to none of these.

  // The errors of the sums that are stored as y, times 2^scale.
  errorsOf(bits, y) {
    const scale = BigInt(this.scale), at = (x) => x - this.sum << scale;
    if (this.f === this.t)
      return [at(y), at(y)];
    const { width } = this.layout, { rounding } = this.profile;
    const sign = 1n << BigInt(width - 1), size = bits & ~sign;
    const beside = (other) => {
      const number = other < 0n ? numberOf(this.layout, 1n) : numberOf(this.layout, other);
      return isNumber(number) ? number : 1n << BigInt(this.t.top);
    };
    const inner = size === 0n ? -beside(1n) : beside(size - 1n), outer = beside(size + 1n);
    const negative = y < 0n;
    let [below, above] = negative ? [-outer, -inner] : [inner, outer];
    if (rounding === 'toward-zero' && y !== 0n)
      [below, above] = negative ? [below, y] : [y, above];
    if (rounding !== 'nearest')
      return [at(below), at(above)];
    const half = (x) => (x + y << scale - 1n) - (this.sum << scale);
    return [half(below), half(above)];
  }

  doubt(bits, y, scan) {
    const { before } = this, m = this.terms;
    this.before = null;
    if (!isNumber(y) || this.specials.length)
      return null;
    const [low, high] = this.errorsOf(bits, y), r = this.roundingAdditions();
    const distanceOf = (a, b) => most(most(a, -b), 0n);
    let reason = null, unknown = false;
    if (r > 0n && this.spread() > 0n && !this.mayStop(scan ? this.spread() : this.magnitudes())) {
      const grown = this.isAtMostOne(r) ? 3n * this.lost()
        : this.lost() && this.lost() << BigInt(least(this.doublings(r), this.f.top + 1));
      const explained = grown << BigInt(this.scale);
      const distance = distanceOf(low, high), known = most(distance - explained, 0n);
      const levels = BigInt(bitLength(BigInt(m - 1)));
      unknown = 4n * r * this.twice >> BigInt(this.f.precision) > 0n &&
        known > 2n * levels * this.units(this.magnitudes());
      if (scan && !this.ofNeighbours(known, r))
        reason = 'no sum of neighbours, in any order, and a scan adds neighbours';
      else if (unknown)
        reason = 'the bound says nothing of so many terms, and no balanced tree is as far off';
      const follows = before && (before.terms === m || before.terms === m - 1);
      if (scan && follows && !before.unknown && !unknown &&
          distance > distanceOf(before.low, before.high)) {
        const jump = distanceOf(low - before.high, high - before.low) - explained;
        if (this.isJump(jump))
          reason ??= 'the error jumps from the output before';
      }
    }
    this.before = { terms: m, low, high, unknown };
    return reason;
  }

  // May sums of terms that make up this much stop at the greatest number?
  mayStop(sum) {
    if (this.profile.rounding === 'nearest')
      return false;
    const r = this.roundingAdditions(), compound = this.compound(r);
    if (compound === null)
      return bitLength(sum) + this.doublings(r) > this.f.top;
    return (sum << BigInt(this.scale)) + sum * compound >= this.f.greatest << BigInt(this.scale);
  }

  // v x, times 2^scale
  units(x) {
    return x * this.twice << BigInt(this.scale - this.f.precision);
  }

  ofNeighbours(known, r) {
    if (this.isAtMostOne(r))
      return known <= this.spread() * this.compound(r);
    const growth = bitLength(2n * this.spread()) + this.doublings(r);
    return bitLength(known >> BigInt(this.scale - 1)) < growth;
  }

  isJump(jump) {
    const unit = this.units(this.spread()) * BigInt(bitLength(BigInt(this.terms)));
    const { jumps } = this;
    if (jump <= 16n * unit)
      return false;
    if (jumps.last !== this.terms) {
      if (jumps.count++)
        jumps.distance = greatestCommonDivisor(jumps.distance, this.terms - jumps.last);
      else
        jumps.first = this.terms;
      jumps.last = this.terms;
    }
    return jump > 256n * unit || !this.hasSeams();
  }

  // Do the jumps come at a regular distance?
  hasSeams() {
    const { count, first, last, distance } = this.jumps;
    if (count < 3 || distance < 2 || first > 2 * distance)
      return false;
    return Math.floor((last - first) / distance) + 1 <= 2 * count;
  }
}

// Starts a line. A profile that contradicts itself is a RangeError, which names the member.
export function begin(profile) {
  const full = checked(profile);
  return full.type in INTEGERS ? new IntegerLine(full) : new FloatLine(full);
}

// Does a test fail for this verdict? The profile promises nothing of what may overflow.
export function isWrong(verdict) {
  return verdict === 'FAIL' || verdict === 'SUSPECT';
}

// The bits of a number that is one of the type's: an element of a typed array, or a BigInt for 64
// bits. A number between two of the type's is rounded to nearest.
export function bits(type, value) {
  if (type in INTEGERS)
    return field(value, INTEGERS[type]);
  if (!(type in FLOATS))
    throw new RangeError(`there is no type ${type}`);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const exact = numberOf(FLOATS.FLOAT64, view.getBigUint64(0));
  if (type === 'FLOAT64')
    return view.getBigUint64(0);
  const negative = Object.is(value, -0) || value < 0, { width, quantum } = FLOATS[type];
  const scale = quantum - FLOATS.FLOAT64.quantum;
  const format = new Format(type, FLOATS[type].quantum);
  const rounded = format.round(exact, scale, 'nearest');
  const number = isNumber(rounded) ? rounded >> BigInt(scale) : rounded;
  const result = bitsOfNumber(FLOATS[type], number);
  return result === 0n && negative ? 1n << BigInt(width - 1) : result;
}

// The number that bits of a type are, as text would show it: a BigInt for integers.
export function valueOf(type, value) {
  if (type in INTEGERS) {
    const raw = field(value, INTEGERS[type]);
    return type.startsWith('U') ? raw : BigInt.asIntN(INTEGERS[type], raw);
  }
  if (!(type in FLOATS))
    throw new RangeError(`there is no type ${type}`);
  const { width, quantum } = FLOATS[type], raw = field(value, width);
  const number = numberOf(FLOATS[type], raw);
  if (!isNumber(number))
    return number;
  if (number === 0n)
    return raw === 0n ? 0 : -0;
  const view = new DataView(new ArrayBuffer(8));
  const wide = number << BigInt(quantum - FLOATS.FLOAT64.quantum);
  view.setBigUint64(0, bitsOfNumber(FLOATS.FLOAT64, wide));
  return view.getFloat64(0);
}

const isFloat = (type) => type in FLOATS;
const ieee = (type) => ({ type, accumulator: type });
const flushing = (how) => ({ 'flush-inputs': how, 'flush-results': how });
const weak = (type) => (isFloat(type)
  ? { ...ieee(type), rounding: 'either', ...flushing('may'), specials: 'absent', wider: 'allowed' }
  : ieee(type));

// The profiles of specifications. Change a member to follow an option of a device or compiler.
// docs/for-suites.md says what each rests on.
export const profiles = {
  ieee,
  cuda: ieee,
  hlsl: (type) => ({ ...ieee(type), ...(type === 'FLOAT32' ? flushing('must') : {}) }),
  sycl: (type) => ({ ...ieee(type), order: 'contiguous' }),
  opencl: (type) => ({
    ...ieee(type),
    ...(type === 'FLOAT32' || type === 'FLOAT16' ? flushing('may') : {}),
    ...(isFloat(type) ? { wider: 'allowed' } : {}),
  }),
  vulkan: weak,
  wgsl: weak,
};
