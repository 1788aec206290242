// SPDX-License-Identifier: MIT
// node web/pack.mjs CORE OUT [VERSION]: puts the npm package into the folder OUT, and beside it
// cumsum_classic.js, one script without imports for pages that are opened from a folder: it has the
// WebAssembly inside, compressed, and defines the global object `cumsumModule`. CORE is the folder
// with Emscripten's cumsum_core.js and cumsum_core.wasm.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';

const [core, out, version = '0.0.0'] = process.argv.slice(2);
const here = fileURLToPath(new URL('.', import.meta.url));
const text = (path) => readFileSync(path, 'utf8');
const script = text(`${core}/cumsum_core.js`);
const wasm = readFileSync(`${core}/cumsum_core.wasm`);

// ---- the package ----

const folder = `${out}/package`;
mkdirSync(folder, { recursive: true });
for (const file of ['cumsum.js', 'cumsum_load.mjs', 'cumsum.d.ts', 'README.md'])
  cpSync(here + file, `${folder}/${file}`);
cpSync(`${here}../LICENSE`, `${folder}/LICENSE`);
writeFileSync(`${folder}/cumsum_core.mjs`, `${script}\nexport default cumsumCore;\n`);
writeFileSync(`${folder}/cumsum_core.wasm`, wasm);
const manifest = JSON.parse(text(`${here}package.json`));
writeFileSync(`${folder}/package.json`, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);

// ---- the classic script ----

// A file without its imports, its names no longer exported.
const inner = (file) => text(here + file)
  .replace(/^import .*\n/gm, '').replace(/^export /gm, '');
const load = `
async function loadModule(bytes) {
  if (bytes)
    return WebAssembly.compile(bytes);
  const packed = Uint8Array.from(atob(wasmText), (letter) => letter.charCodeAt(0));
  const unpacked = new Response(packed).body.pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}
const wasmText = '${gzipSync(wasm, { level: 9 }).toString('base64')}';
`;
writeFileSync(`${out}/cumsum_classic.js`, `// SPDX-License-Identifier: MIT
(() => {
'use strict';
${script}
${load}
${inner('cumsum.js')}
globalThis.cumsumModule = { load, Unsupported, DeviceLost };
})();
`);
