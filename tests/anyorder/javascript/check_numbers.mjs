// SPDX-License-Identifier: MIT
// check_numbers.mjs MODULE VERSION: the bits of numbers and the numbers of bits, beside typed arrays;
// errors that name the member; answers that no vector has; and the package's name and version.
import { strict as assert } from 'node:assert';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

const [module, expectedVersion] = process.argv.slice(2);
const { begin, bits, profiles, valueOf, verdicts, version } = await import(resolve(module));

// The package, which a project may name.
const byName = createRequire(resolve(dirname(module), 'package.json'));
assert.equal(byName.resolve('anyorder'), resolve(module));
assert.equal(byName('./package.json').version, expectedVersion);
assert.equal(version, expectedVersion);
assert.ok(verdicts.includes(begin(profiles.ieee('FLOAT32')).judge(0)));

// FLOAT32, FLOAT64 and integers, beside typed arrays.
const arrays = {
  FLOAT64: [Float64Array, BigUint64Array],
  FLOAT32: [Float32Array, Uint32Array],
  INT8: [Int8Array, Uint8Array],
  UINT8: [Uint8Array, Uint8Array],
  INT16: [Int16Array, Uint16Array],
  UINT16: [Uint16Array, Uint16Array],
  INT32: [Int32Array, Uint32Array],
  UINT32: [Uint32Array, Uint32Array],
  INT64: [BigInt64Array, BigUint64Array],
  UINT64: [BigUint64Array, BigUint64Array],
};
const wide = [0, -0, 1, -1, 1.5, 2 ** 24 + 1, 3.4028235677973366e38, 3.4028235e38, 2 ** -149,
  2 ** -150, 2 ** -149 * 1.5, 2 ** -1074, -1e-40, 1e300, Infinity, -Infinity, NaN, 0.1, -7.4];
const whole = [0, 1, -1, 127, 128, 255, 256, -129, 65535, 2 ** 31];
for (const [type, [Values, Bits]] of Object.entries(arrays)) {
  const is64 = Values === BigInt64Array || Values === BigUint64Array;
  for (const value of type.startsWith('F') ? wide : whole) {
    const one = Values.of(is64 ? BigInt(value) : value);
    const expected = BigInt(new Bits(one.buffer)[0]);
    assert.equal(bits(type, value), expected, `${type} ${value}`);
    const back = type.startsWith('F') ? one[0] : BigInt(one[0]);
    assert.ok(Object.is(valueOf(type, expected), back), `${type} ${value} back`);
  }
}
for (const [type, value, expected] of [
  ['FLOAT16', 1, 0x3c00n], ['FLOAT16', 65519.99, 0x7bffn], ['FLOAT16', 65520, 0x7c00n],
  ['FLOAT16', 2 ** -25, 0n], ['FLOAT16', 2 ** -25 * 1.0001, 1n], ['FLOAT16', -0, 0x8000n],
  ['FLOAT16', 2049, 0x6800n], ['FLOAT16', -2051, 0xe802n], ['BFLOAT16', 1 + 2 ** -8, 0x3f80n],
  ['BFLOAT16', 1 + 3 * 2 ** -8, 0x3f82n], ['BFLOAT16', -Infinity, 0xff80n],
])
  assert.equal(bits(type, value), expected, `${type} ${value}`);
assert.equal(valueOf('FLOAT16', 0x0001), 2 ** -24);
assert.equal(valueOf('BFLOAT16', 0x3f80n), 1);
assert.throws(() => bits('FLOAT31', 1), /there is no type FLOAT31/);
assert.throws(() => valueOf('FLOAT31', 1), /there is no type FLOAT31/);

// Profiles that are wrong: the message names the member.
for (const [profile, message] of [
  [undefined, /profile: it is no object/],
  [{}, /profile: type is no type/],
  [{ type: 'FLOAT32', accumulator: 'HALF' }, /profile: accumulator is no type: HALF/],
  [{ type: 'FLOAT32', rounding: 'up' }, /rounding is one of nearest, toward-zero, either: up/],
  [{ type: 'FLOAT32', flush: 'may' }, /there is no member flush/],
  [{ type: 'FLOAT32', 'orders-of': 9 }, /orders-of is from 4 to 8: 9/],
])
  assert.throws(() => begin(profile), message);
assert.throws(() => begin(profiles.ieee('FLOAT32')).add(0.5), /bits are an integer/);

// Judges one line: the verdict on its sum.
function verdictOf(profile, terms, output) {
  const line = begin(profile);
  for (const term of terms)
    line.add(bits(profile.type, term));
  return line.judgeSum(typeof output === 'bigint' ? output : bits(profile.type, output));
}
// The greatest number stays below half a step beyond it.
const most = 2 ** 128 - 2 ** 120;
assert.equal(verdictOf(profiles.ieee('BFLOAT16'), [most, 2 ** 118], most), 'PASS');
assert.equal(verdictOf(profiles.ieee('BFLOAT16'), [most, 2 ** 119], Infinity), 'PASS');
// A store may flush what its accumulator keeps.
const stored = { ...profiles.ieee('FLOAT16'), accumulator: 'FLOAT32', 'flush-results': 'may' };
assert.equal(verdictOf(stored, [1.5 * 2 ** -14, -(2 ** -14)], 0), 'PASS');
assert.equal(verdictOf({ ...stored, 'flush-results': 'never' }, [1.5 * 2 ** -14, -(2 ** -14)], 0),
  'FAIL');
// An overflow by the errors of the additions alone explains an infinity.
const near = [40000, 25504, 5, 3, 4, -30000];
assert.equal(verdictOf(profiles.ieee('FLOAT16'), near, Infinity), 'MAY_OVERFLOW');
assert.equal(verdictOf(profiles.ieee('FLOAT16'), near.map((x) => x / 2), Infinity), 'FAIL');
// -0 where it is asked for.
const strict = { ...profiles.ieee('FLOAT32'), 'strict-zero': true };
assert.equal(verdictOf(strict, [1, -1], -0), 'FAIL');
assert.equal(verdictOf(profiles.ieee('FLOAT32'), [1, -1], -0), 'PASS');
// All orders of 8 terms.
const eight = { ...profiles.ieee('FLOAT32'), 'orders-of': 8 };
const terms = [2 ** 24, 1, 1, 1, 1, 1];
assert.equal(verdictOf(eight, terms, 2 ** 24 + 4), 'PASS');
assert.equal(verdictOf(eight, terms, 2 ** 24 + 8), 'FAIL');
console.log('bits, numbers, errors and answers are as expected');
