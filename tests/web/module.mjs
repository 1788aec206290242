// SPDX-License-Identifier: MIT
// module.mjs OUT: the package as its users see it: sums, verdicts, errors, files, and right and
// wrong devices.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const out = resolve(process.argv[2]);
const { load, Unsupported, DeviceLost } = await import(`${out}/package/cumsum.js`);
const c = await load();

// ---- sums ----

const x = Float32Array.of(1, 2, 3, 4);
assert.deepEqual(c.cumsum(x), Float32Array.of(1, 3, 6, 10));
assert.deepEqual(x, Float32Array.of(1, 2, 3, 4));
assert.deepEqual([...c.cumsum(new class extends Float32Array {}(x))], [1, 3, 6, 10]);
assert.deepEqual(c.cumsum(Int32Array.of(1, 2, 3, 4),
                          { shape: [2, 2], axis: 0, exclusive: true, reverse: true }),
                 Int32Array.of(3, 4, 0, 0));
assert.deepEqual(c.cumsum(BigUint64Array.of(2n ** 64n - 1n, 2n)),
                 BigUint64Array.of(2n ** 64n - 1n, 1n));
assert.deepEqual(c.cumsum(Uint32Array.of(7, 0xffffffff)), Uint32Array.of(7, 6));
// 2048 + 1 is 2049, which binary16 rounds to 2048 after each addition, or at the end.
const halves = Uint16Array.of(0x6800, 0x3c00, 0x3c00);
assert.deepEqual(c.cumsum(halves, { type: 'FLOAT16' }), Uint16Array.of(0x6800, 0x6800, 0x6801));
assert.deepEqual(c.cumsum(halves, { type: 'FLOAT16', halfAccumulator: 'float16' }),
                 Uint16Array.of(0x6800, 0x6800, 0x6800));
for (const kernel of ['reference', 'portable'])
  assert.deepEqual(c.cumsum(x, { kernel, order: 'blocked' }), Float32Array.of(1, 3, 6, 10));

// ---- errors name the thing and the rule ----

for (const [call, text] of [
  [() => c.cumsum([1, 2]), /^x: an Array; the rule: one of Float32Array, /],
  [() => c.cumsum(new Float64Array(1)), /^x: FLOAT64; the rule: one of FLOAT32, /],
  [() => c.cumsum(new DataView(x.buffer)), /^x: a DataView; the rule: one of Float32Array, /],
  [() => c.cumsum(new Float32Array(0)), /^x: no elements, or a detached buffer; the rule: 1 or/],
  [() => c.cumsum(x, { shape: 4 }), /^shape: 4; the rule: an array of 1 to 8 sizes$/],
  [() => c.cumsum(x, { shape: [2] }), /^shape: \[2\] has 2 elements, and the array 4$/],
  [() => c.cumsum(x, { shape: [2, 2.5] }), /^shape\[1\]: 2.5; the rule: an integer/],
  [() => c.cumsum(x, { shape: [] }), /^shape: .* the rule: an array of 1 to 8 sizes$/],
  [() => c.cumsum(x, { axis: 1 }), /^axis: 1; the rule: an integer from -1 to 0$/],
  [() => c.cumsum(x, { exclusive: 1 }), /^exclusive: 1; the rule: true or false$/],
  [() => c.cumsum(x, { order: 'tree' }), /^order: 'tree' is not one of sequential, /],
  [() => c.cumsum(x, { axes: 0 }), /^option 'axes' is not one of shape, axis, /],
  [() => c.cumsum(x, { type: 'FLOAT16' }), /^type: 'FLOAT16' of a Float32Array; the rule: /],
  [() => c.cumsum(x, { kernel: 'avx2' }), /^kernel: 'avx2' is not one of auto, /],
])
  assert.throws(call, { message: text });
for (const [call, text] of [
  [() => c.judge(x, x.subarray(1)), /^y: 3 of FLOAT32; the rule: as x, 4 of FLOAT32$/],
  [() => c.judge(x, x, { orders: '' }), /^orders: '' is not one of first, all$/],
  [() => c.judge(x, x, { halfStore: 1 }), /^halfStore: 1 is not one of nearest-even, /],
  [() => c.judge(x, x, { strictZero: true }), /^option 'strictZero' .*; give rules: 'zero=signed'$/],
  [() => c.judge(x, x, { accept: 'all' }), /'all'/],
  [() => c.judge(x, x, { rules: 'mars' }), /mars/],
  [() => c.run('info'), /^args: 'info'; the rule: an array of strings$/],
  [() => c.run([1]), /^argument 1; the rule: a string/],
  [() => c.run(['info'], { '../a': new Uint8Array(1) }), /^file '\.\.\/a'; the rule: a relative/],
  [() => c.run(['info'], null), /^files: null; the rule: an object of Uint8Arrays by name$/],
  [() => c.run(['info'], { a: new Uint8Array(1), 'a/b': new Uint8Array(1) }),
    /^file 'a\/b'; the rule: a path through no other file$/],
  [() => c.run(['info'], {}, 3), /^onLine: 3; the rule: a function$/],
  [() => c.run(['info'], {}, () => { throw new Error('mine'); }), /^mine$/],
  [() => c.run(['info'], { a: 'text' }), /^file 'a': 'text'; the rule: a Uint8Array$/],
  [() => load({ wasm: new Uint8Array(8) }), /./],
])
  await assert.rejects(call, { message: text });

// ---- verdicts ----

const numbers = Float32Array.from({ length: 1000 }, (_, i) => Math.sin(i));
const sums = c.cumsum(numbers);
assert.equal((await c.judge(numbers, sums)).status, 'PASS');
assert.equal((await c.judge(numbers, c.cumsum(numbers, { order: 'blocked' }),
                            { orders: 'all' })).status, 'PASS');
sums[500] += 1;
const failed = await c.judge(numbers, sums);
assert.equal(failed.status, 'FAIL');
assert.equal(failed.outputs, 1000);
assert.equal((await c.judge(halves, c.cumsum(halves, { type: 'FLOAT16' }),
                            { type: 'FLOAT16' })).status, 'PASS');
// Without a promise sums of either accumulator pass; with one, its own.
const narrow = c.cumsum(halves, { type: 'FLOAT16', halfAccumulator: 'float16' });
for (const [halfAccumulator, status] of [[undefined, 'PASS'], ['float16', 'PASS'],
                                         ['float32', 'FAIL']])
  assert.equal((await c.judge(halves, narrow, { type: 'FLOAT16', halfAccumulator })).status,
               status);

// A scan that loses its carry in the middle of a long line.
let drawn = 1;
const long = Float32Array.from({ length: 2 ** 18 }, () => {
  drawn = (Math.imul(drawn, 1664525) + 1013904223) >>> 0;
  return drawn / 2 ** 32 - 0.5;
});
const lost = Float32Array.from([...c.cumsum(long.subarray(0, 2 ** 17)),
                                ...c.cumsum(long.subarray(2 ** 17))]);
assert.equal((await c.judge(long, c.cumsum(long))).status, 'PASS');
assert.equal((await c.judge(long, lost)).status, 'SUSPECT');
assert.equal((await c.judge(long, lost, { accept: 'suspect' })).status, 'PASS');

// ---- the program ----

const version = await c.run(['--version']);
assert.match(version.output, /^cumsum \d/);
assert.equal(version.status, 0);
const wrong = await c.run(['judge', 'missing.npy', 'y.npy', '--axis', '0']);
assert.equal(wrong.status, 3);
assert.match(wrong.output + wrong.errors, /missing\.npy/);
const name = 'int32.wrap.increasing.inclusive.1x7.axis1.in-packed.out-packed.ones.seed0';
const written = await c.run(['generate', '--output', 'cases', name]);
if (written.status === 0)
  assert.ok(Object.keys(written.files).length > 0);

// Only what the program wrote comes back.
assert.deepEqual((await c.run(['info'], { 'a/b': new Uint8Array(1) })).files, {});

// Memory that runs out is an error of the program or of the call, and the module goes on.
const huge = await c.run(['run', 'x.npy', '--axis', '0', '--memory', '16'],
                         { 'x.npy': new Uint8Array(readFileSync(new URL('../cli/data/uint64-2.npy',
                                                                        import.meta.url))) });
assert.ok(huge.status === 2 || huge.status === 3, huge.output + huge.errors);
assert.throws(() => c.cumsum(new Float32Array(2 ** 29 - 16)), { message: /memory/ });
assert.deepEqual(c.cumsum(x), Float32Array.of(1, 3, 6, 10));

// ---- devices ----

const arrays = { FLOAT32: Float32Array, FLOAT16: Uint16Array, INT32: Int32Array,
                 UINT32: Uint32Array, INT64: BigInt64Array, UINT64: BigUint64Array };

// A device that sums with the library; `change` may change or refuse its answers.
const device = (change = (sums) => sums, ready = { strides: false }) => ({
  backend: 'test', name: 'library', driver: '1', ready,
  async execute(w) {
    const Numbers = arrays[w.type];
    const input = new Numbers(w.input.slice().buffer, 0,
                              w.sizes.reduce((product, size) => product * size, 1));
    const { type, axis, exclusive, order, halfAccumulator, halfStore, denormals } = w;
    const options = { type, axis, exclusive, order, halfAccumulator, halfStore, denormals,
                      shape: w.sizes, reverse: w.direction === 'DECREASING' };
    const sums = c.cumsum(input, options);
    const bytes = new Uint8Array(Math.max(w.output.length, sums.byteLength));
    bytes.set(new Uint8Array(sums.buffer));
    return change(bytes.subarray(0, w.output.length), w);
  },
});
const last = (run) => run.output.trim().split('\n').at(-1);
const suite = await c.run(['sweep', '-q', 'quick', '--shard', '1/10']);
if (suite.status !== 0) {
  console.log(`SKIPPED: devices: ${suite.errors}`);
} else {
  let lines = 0;
  c.device = device();
  const right = await c.run(['sweep', 'quick', '--shard', '1/10', '--exec', 'test',
                             '--output', 'r.jsonl'], {}, () => { lines++; });
  assert.equal(right.status, 0, last(right));
  assert.match(last(right), /^[1-9]\d* passed, 0 failed, \d+ skipped$/);
  assert.ok(lines > 0);
  const results = new TextDecoder().decode(right.files['r.jsonl']);
  assert.match(results, /"device":"test library 1"/);
  // All but the exact order is asked for.
  const skips = results.split('\n').filter((line) => line.includes('"skip'));
  assert.ok(skips.every((line) => /for the order exact/.test(line)), skips[0]);
  // One case, of which a device may make what it likes.
  const about = async (subject, ...more) => {
    c.device = subject;
    return c.run(['sweep', name, '--exec', 'test', ...more]);
  };
  const fails = async (change, text) => {
    const run = await about(device(change), '--timeout', '200');
    assert.match(run.output + run.errors, text);
    assert.equal(run.status, 1, run.output + run.errors);
  };
  await fails((sums) => { sums[4] ^= 1; return sums; }, /1 failed/);
  await fails(() => undefined, /its error: execute gave undefined; the rule: a Uint8Array/);
  await fails((sums) => sums.subarray(1), /SUMS has 27 bytes; the rule: 28/);
  await fails(() => { throw new Error('out of luck'); }, /its error: out of luck/);
  await fails(() => { throw new DeviceLost('unplugged'); }, /ended with its device: unplugged/);
  await fails(() => new Promise(() => {}), /no answer within 200 ms/);
  const skipped = await about(device(() => { throw new Unsupported('no integers'); }),
                              '--output', 'r.jsonl');
  assert.match(new TextDecoder().decode(skipped.files['r.jsonl']), /no integers/);
  assert.match(last(skipped), /0 failed, 1 skipped$/);
  // The other commands wait for a device, too.
  c.device = device();
  const answers = await c.run(['fingerprint', '--exec', 'test']);
  assert.match(answers.output, /^order +sequential\n/);
  assert.match(last(answers), /^place +the order gives/);
  c.device = device((sums) => { sums[36 % sums.length] ^= 1; return sums; });
  const small = await c.run(['minimize', name.replace('1x7', '3x47'), '--exec', 'test']);
  assert.equal(small.status, 1);
  assert.match(small.output, /\.minimized|again/);
  // Cancelling ends the run, and the next one is whole.
  const cancelled = await about(device((sums) => { c.cancel(); return sums; }));
  assert.equal(cancelled.status, 3, cancelled.output);
  assert.match(last(await about(device())), /^1 passed, 0 failed, 0 skipped$/);
  c.device = null;
  const none = await c.run(['sweep', name, '--exec', 'test']);
  assert.equal(none.status, 3);
  assert.match(none.output + none.errors, /there are no processes here; the rule: `device` is set/);
}

// ---- the types ----

const types = readFileSync(`${out}/package/cumsum.d.ts`, 'utf8');
const optionsOf = (call) => {
  try {
    call();
  } catch (error) {
    return error.message.split(' one of ')[1].split(', ');
  }
  return [];
};
const membersOf = (name) => {
  const body = types.match(new RegExp(`interface ${name}[^{]*{([^}]*)}`))[1];
  return [...body.matchAll(/^  (\w+)\??[:(<]/gm)].map((match) => match[1]);
};
assert.deepEqual(optionsOf(() => c.cumsum(x, { unknown: 1 })).sort(),
                 [...membersOf('Layout'), ...membersOf('SumOptions')].sort());
for (const name of membersOf('Cumsum'))
  assert.ok(name in c, name);
console.log('the module: sums, errors, verdicts, files, devices and types');
