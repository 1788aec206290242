// SPDX-License-Identifier: MIT
// golden.mjs OUT FOLDER: all golden files with every kernel, and the suite's quick list, in the
// WebAssembly.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [out, folder] = process.argv.slice(2);
const { load } = await import(`${resolve(out)}/package/cumsum.js`);
const c = await load();
const last = (run) => run.output.trim().split('\n').at(-1);

const files = {};
for (const name of readdirSync(folder, { recursive: true }))
  if (/^[^/]+\/.+\.(json|bin|npy)$/.test(name))
    files[name] = new Uint8Array(readFileSync(`${folder}/${name}`));
const models = Object.keys(files).filter((name) => /^[^/]+\/[^/]+\.json$/.test(name));
const kernels = [];
for (const kernel of ['reference', 'portable']) {
  const run = await c.run(['verify', '-q', '--backend', `cpu:${kernel}`, ...models], files);
  assert.equal(last(run), '648 passed, 0 failed, 0 skipped', run.output.slice(-2000) + run.errors);
  kernels.push(kernel);
}
console.log(`648 golden dispatches, kernels ${kernels.join(', ')}`);
const quick = await c.run(['sweep', '-q', 'quick']);
if (quick.status !== 0 && /Random123/.test(quick.errors + quick.output))
  console.log('SKIPPED: the quick list: the build has no SLEEF');
else
  assert.match(last(quick), /^[1-9]\d* passed, 0 failed, 0 skipped$/);
console.log(`quick list: ${last(quick)}`);
