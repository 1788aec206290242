// SPDX-License-Identifier: MIT
// node web/page/build.mjs PACKAGE REPORT OUTPUT: puts the page together, one file that loads
// nothing. PACKAGE is the folder of the npm package, which web/pack.mjs makes; REPORT is the page
// of web/report, as the tool has it. A page that is opened from a folder may not fetch, so everything
// is inside. The hashes in its Content-Security-Policy allow its script and style, and those of
// REPORT: a report that is opened from the page inherits the policy.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const [source, report, output] = process.argv.slice(2);
const folder = resolve(source);
const read = (path, encoding = 'utf8') => readFileSync(new URL(path, import.meta.url), encoding);
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const bundle = (path, ...options) => execFileSync('esbuild',
  [fileURLToPath(new URL(path, import.meta.url)), '--bundle', '--log-level=error', ...options],
  { encoding: 'utf8', maxBuffer: 2 ** 26 });

const style = `\n${read('../report/report.css')}${read('page.css')}`;
const script = `\n${bundle('page.js', '--format=iife', '--charset=ascii')}`;
const allowed = (directive) =>
  readFileSync(report, 'utf8').match(new RegExp(`${directive} ('sha256-[^']*')`))[1];
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const wasm = readFileSync(join(folder, 'cumsum_core.wasm'));
// The worker and all that it imports. The page gives it the WebAssembly, so it loads none.
const worker = bundle('worker.mjs', '--minify', '--format=iife',
  `--alias:cumsum=${join(folder, 'cumsum.js')}`, '--external:node:fs/promises',
  '--define:import.meta.url="file:"');
const example = Object.fromEntries(['scan-x.npy', 'scan-dropped.npy'].map((name) =>
  [name, read(`../../tests/cli/data/${name}`, 'base64')]));

const policy = ["default-src 'none'",
  `script-src ${hash(script)} ${allowed('script-src')} 'wasm-unsafe-eval'`,
  `style-src ${hash(style)} ${allowed('style-src')}`, 'worker-src blob:', "connect-src 'none'",
  "base-uri 'none'", "form-action 'none'"].join('; ');

// Scripts of a data block end at the first "</script", and "<!--" begins another state.
const block = (text) => text.replace(/<(?=\/script|!--)/gi, '\\x3c');
const values = { POLICY: policy, STYLE: style, SCRIPT: script, WORKER: block(worker),
  WASM: gzipSync(wasm, { level: 9 }).toString('base64'),
  EXAMPLE: JSON.stringify(example), VERSION: version };
if (/<\/script|<!--/i.test(script))
  throw new Error('page.js: it has the end of a script element in it');
writeFileSync(output, read('index.html').replace(/@([A-Z]+)@/g, (_, name) => values[name]));
