// SPDX-License-Identifier: MIT
// verdicts.mjs OUT CUMSUM: the WebAssembly judges random outputs as the native program CUMSUM does:
// the same lines of JSON, for arrays of every type with small and large errors in them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [out, native] = process.argv.slice(2);
if (!native || !existsSync(native)) {
  console.log(`skipped: the native program ${native} is missing`);
  process.exit(77);
}
const { load } = await import(`${resolve(out)}/package/cumsum.js`);
const c = await load();

// xorshift32, so that each run judges the same.
let state = 2463534242;
const random = () => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
};

const npy = (name, values, shape) => {
  const text = `{'descr': '${name}', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
  const header = text.padEnd(117) + '\n';
  return new Uint8Array([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0,
                         ...new TextEncoder().encode(header), ...new Uint8Array(values.buffer)]);
};

// Arrays whose sums cancel, are subnormal, overflow, or are harmless.
const magnitudes = [1, 1e-38, 1e38, 1e-3];
const makers = [
  ['<f4', (n) => Float32Array.from({ length: n }, () => (random() - 0.5) *
                                    magnitudes[Math.floor(random() * 4)]), {}],
  ['<f2', (n) => Uint16Array.from({ length: n }, () => Math.floor(random() * 0x7c00) |
                                    (random() < 0.5 ? 0x8000 : 0)), { type: 'FLOAT16' }],
  ['<i4', (n) => Int32Array.from({ length: n }, () => (random() - 0.5) * 2 ** 32), {}],
  ['<u8', (n) => BigUint64Array.from({ length: n }, () => BigInt(Math.floor(random() * 2 ** 53))),
   {}],
];
const folder = mkdtempSync(join(tmpdir(), 'cumsum-verdicts.'));
const files = {};
const judgements = [];
let outputs = 0;
for (let i = 0; outputs < 5000; i++) {
  const [name, make, more] = makers[i % 4];
  const shape = [1 + Math.floor(random() * 5), 1 + Math.floor(random() * 40)];
  const x = make(shape[0] * shape[1]);
  const options = { shape, axis: Math.floor(random() * 2), exclusive: random() < 0.5,
                    reversed: random() < 0.5 };
  const orders = ['sequential', 'blocked', 'exact'];
  const y = c.cumsum(x, { ...options, ...more, order: orders[Math.floor(random() * 3)] });
  // Wrong last places, and now and then a wrong number.
  const words = new Uint16Array(y.buffer);
  for (let k = 0; k < words.length; k += words.length / y.length)
    if (random() < 0.02)
      words[k] += random() < 0.9 ? 1 : 300;
  files[`x${i}.npy`] = npy(name, x, shape);
  files[`y${i}.npy`] = npy(name, y, shape);
  judgements.push(['judge', '--json', '--input', `x${i}.npy`, '--actual', `y${i}.npy`, '--axis',
                   `${options.axis}`, ...(options.exclusive ? ['--exclusive'] : []),
                   ...(options.reversed ? ['--decreasing'] : [])]);
  outputs += x.length;
}
for (const [name, bytes] of Object.entries(files))
  writeFileSync(join(folder, name), bytes);
let failed = 0;
try {
  for (const args of judgements) {
    const [, , , input, , actual] = args;
    const there = await c.run(args, { [input]: files[input], [actual]: files[actual] });
    let here;
    try {
      here = execFileSync(resolve(native), args, { cwd: folder, encoding: 'utf8' });
    } catch (error) {
      here = error.stdout;
    }
    assert.equal(there.output, here, args.join(' '));
    failed += there.status === 1 ? 1 : 0;
  }
} finally {
  rmSync(folder, { recursive: true });
}
assert.ok(failed > 10 && failed < judgements.length - 10, `${failed} of ${judgements.length} fail`);
console.log(`${outputs} outputs of ${judgements.length} arrays, ${failed} of them wrong: ` +
            'the verdicts of the native program');
