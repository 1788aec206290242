// SPDX-License-Identifier: MIT
// What the checks of pages share: Chromium without a window, or why they are skipped; the options
// --shots FOLDER; the steps that passed.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const skip = (why) => {
  console.log(`SKIPPED: ${why}`);
  process.exit(77);
};
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  .find(existsSync);

let chromium;
try {
  ({ chromium } = createRequire(import.meta.url)('playwright-core'));
} catch {
  skip('no npm package playwright-core (NODE_PATH; docs/browser.md)');
}
if (!executablePath) skip('no Chromium is installed');

export const launch = (args = []) =>
  chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });

const at = process.argv.indexOf('--shots');
export const shots = at < 0 ? null : process.argv[at + 1];

// The arrays and results of the tests of the command line.
export const data = fileURLToPath(new URL('../cli/data/', import.meta.url));

// Says that the step before has passed, and begins one of this name; '' ends the last.
let step = '';
export const checked = (name) => {
  if (step) console.log(`ok  ${step}`);
  step = name;
};

export const showFailure = (error) => console.log(`FAIL  ${step}\n${error.stack}`);
