// SPDX-License-Identifier: MIT
// node web/pack.mjs CORE FOLDER [VERSION]: makes the npm package in FOLDER. CORE is the folder with
// Emscripten's cumsum_core.js and cumsum_core.wasm.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [core, folder, version = '0.0.0'] = process.argv.slice(2);
const here = fileURLToPath(new URL('.', import.meta.url));
const text = (path) => readFileSync(path, 'utf8');

mkdirSync(folder, { recursive: true });
for (const file of ['cumsum.js', 'cumsum.d.ts', 'README.md'])
  cpSync(here + file, `${folder}/${file}`);
cpSync(`${here}../LICENSE`, `${folder}/LICENSE`);
cpSync(`${core}/cumsum_core.wasm`, `${folder}/cumsum_core.wasm`);
writeFileSync(`${folder}/cumsum_core.mjs`,
              `${text(`${core}/cumsum_core.js`)}\nexport default cumsumCore;\n`);
const manifest = JSON.parse(text(`${here}package.json`));
writeFileSync(`${folder}/package.json`, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
