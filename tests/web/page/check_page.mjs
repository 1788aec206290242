// SPDX-License-Identifier: MIT
// node check_page.mjs PAGE PACKAGE [--shots FOLDER]: the page in headless Chromium, with clicks,
// keys and dropped files, opened from a folder. PACKAGE is the npm package, with which Node runs the
// same tool: verdicts must be its words, and it must read what the page saves. --shots writes
// pictures to look at. Every wait is for a condition, none for a time.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { checked, data, launch, shots, showFailure } from '../browser.mjs';

const [pageFile, packageFolder] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'cumsum-page-'));
const html = readFileSync(pageFile, 'utf8');
const cumsum = await (await import(pathToFileURL(join(resolve(packageFolder), 'cumsum.js')).href))
  .load();

// `cumsum ARGS` in a folder with these files. What it writes goes to `work`.
async function run(args, paths = []) {
  const done = await cumsum.run(args, Object.fromEntries(paths.map((path) =>
    [basename(path), new Uint8Array(readFileSync(path))])));
  for (const [name, bytes] of Object.entries(done.files)) writeFileSync(join(work, name), bytes);
  return done;
}

// A copy of the page with another worker or script, whose hash its policy then has.
function variant(name, change) {
  const script = /<script>([^]*)<\/script>\n<\/body>/;
  const hash = (text) => createHash('sha256').update(text).digest('base64');
  const before = html.match(script)[1];
  const changed = change(html);
  assert.notEqual(changed, html, `the variant ${name} changes nothing`);
  const path = join(work, `${name}.html`);
  writeFileSync(path, changed.replace(hash(before), hash(changed.match(script)[1])));
  return path;
}
const beforeWorker = (text) => (page) => page.replace('<script type="text/plain" id="worker">',
  (tag) => `${tag}${text}\n`);
const standIn = (defect) => beforeWorker(readFileSync(new URL('standin_webnn.js', import.meta.url),
  'utf8').replace('@FAULT@', defect));

const mainPage = resolve(pageFile);

// A tab with the page. What it fetches, complains of or breaks is remembered.
async function open(browser, path, settings = {}) {
  const context = await browser.newContext({ acceptDownloads: true, ...settings });
  const page = await context.newPage();
  const seen = { requests: [], errors: [] };
  page.setDefaultTimeout(60000);
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url())) seen.requests.push(request.url());
  });
  page.on('pageerror', (error) => seen.errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') seen.errors.push(message.text());
  });
  await page.goto(pathToFileURL(path).href);
  await page.waitForSelector('#devices input');
  const cdp = await context.newCDPSession(page);
  return { page, seen, cdp, url: pathToFileURL(path).href };
}

// Drops files as the system does, on the middle of an element.
async function drop({ page, cdp }, selector, files) {
  await page.locator(selector).scrollIntoViewIfNeeded();
  const box = await page.locator(selector).boundingBox();
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2,
    data: { items: [], files, dragOperationsMask: 1 } };
  for (const type of ['dragEnter', 'dragOver', 'drop'])
    await cdp.send('Input.dispatchDragEvent', { type, ...at });
}

const text = (page, selector) => page.locator(selector).textContent();
async function waitText(page, selector, pattern, against = /^$/) {
  const found = await page.waitForFunction(([where, ...sources]) => {
    const now = document.querySelector(where)?.textContent ?? '';
    return sources.some((source) => new RegExp(source).test(now)) && (now || ' ');
  }, [selector, pattern.source, against.source.replace('^$', '(?!)')],
    { timeout: 300000 });
  assert.match(await found.jsonValue(), pattern);
}

async function download(page, selector, name) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  const path = join(work, name ?? file.suggestedFilename());
  await file.saveAs(path);
  return path;
}

const oneLine = (words) => words.trim().replace(/\s+/g, ' ');

// The verdict's first line and its explanation are those of the native tool, which wraps long lines.
async function sameVerdict(page, args, paths) {
  const { output } = await run(['judge', '-v', ...args], paths);
  const first = output.split('\n')[0].replace(/^(PASS|FAIL) {2}.*?: .*? {2}/, '$1 ');
  assert.equal(await text(page, '#verdict .lead'), first);
  assert.equal(await text(page, '#judge-status'), first);
  const explained = await page.locator('#verdict pre').allTextContents();
  for (const line of explained.join('\n').split('\n').filter((one) => one.trim()))
    assert.ok(oneLine(output).includes(oneLine(line)), `the tool does not say: ${line}`);
}

async function checkJudge(tab) {
  const { page } = tab;
  const [x, y, dropped] = ['x', 'y', 'dropped'].map((name) => join(data, `scan-${name}.npy`));
  const arrays = ['scan-x.npy'];
  checked('one click loads the example, and its verdict is the tool\'s');
  await page.click('#example');
  await page.waitForSelector('#verdict article.fail');
  await sameVerdict(page, [...arrays, 'scan-dropped.npy', '--axis=-1'], [x, dropped]);

  checked('the saved case has the same verdict');
  await page.click('#judge-save');
  await page.waitForSelector('#saved a');
  const saved = await run(['judge', 'sums.json'], [await download(page, '#saved a')]);
  assert.match(saved.output, /1 of 36 outputs fail: it is the sum without the term at \[1,3\]/);

  checked('two dropped arrays replace the example');
  await drop(tab, '#judge .drop', [x, y]);
  await page.waitForSelector('#verdict article.pass');
  await sameVerdict(page, [...arrays, 'scan-y.npy', '--axis', '1'], [x, y]);

  checked('axis, direction, exclusive and profile are those of the tool');
  await page.check('#exclusive');
  await page.waitForSelector('#verdict article.fail');
  await sameVerdict(page, [...arrays, 'scan-y.npy', '--axis', '1', '--exclusive'], [x, y]);
  assert.match(await text(page, '#judge-status'), /they are the inclusive sums/);
  await page.fill('#axis', '0');
  await page.selectOption('#direction', 'decreasing');
  await page.click('#judge-run');
  await waitText(page, '#verdict', /axis 0 decreasing exclusive/);
  await sameVerdict(page, [...arrays, 'scan-y.npy', '--axis', '0', '--exclusive', '--reverse'],
    [x, y]);
  await page.selectOption('#profile', 'wgsl');
  await waitText(page, '#verdict', /wgsl/);
  await sameVerdict(page, ['--rules', 'wgsl', ...arrays, 'scan-y.npy', '--axis', '0',
    '--exclusive', '--reverse'], [x, y]);
  await page.fill('#axis', '7');
  await page.click('#judge-run');
  await waitText(page, '#problem', /axis/);

  checked('a case file with its arrays, dropped below');
  await page.click('#forget');
  const made = await run(['generate', 'float32.sequential.increasing.inclusive.3x300.axis1.' +
    'in-packed.out-packed.normal.seed1']);
  const names = Object.keys(made.files);
  const paths = names.map((name) => join(work, name));
  assert.ok(names.length > 1);
  await drop(tab, '#results h2', paths);
  await page.waitForSelector('#verdict article.pass');
  await sameVerdict(page, names.filter((name) => name.endsWith('.json')), paths);

  checked('a case file whose array is raw bytes, the bytes first');
  await page.click('#forget');
  const caseFile = JSON.parse(readFileSync(join(data, 'dropped-term.json'), 'utf8'));
  const raw = join(work, 'x.bin');
  const raws = join(work, 'raw.json');
  writeFileSync(raw, Buffer.from(Float32Array.from(caseFile.resources.x.initialValues).buffer));
  caseFile.resources.x.initialValues = { sourcePath: 'x.bin' };
  writeFileSync(raws, JSON.stringify(caseFile));
  await drop(tab, '#judge .drop', [raw]);
  await waitText(page, '#judge-status', /^Raw arrays \(\.bin\) belong to a case file/);
  await drop(tab, '#judge .drop', [raws]);
  await page.waitForSelector('#verdict article.fail');
  await sameVerdict(page, ['raw.json'], [raws, raw]);
}

async function checkBadFiles(tab) {
  const { page } = tab;
  checked('bad files are named with what to do, and nothing is lost');
  await page.click('#forget');
  await drop(tab, '#judge .drop', [join(data, 'scan-x.npy')]);
  await waitText(page, '#judge-status', /scan-x\.npy is here\. Now drop the sums/);
  const cut = join(work, 'cut.npy');
  writeFileSync(cut, readFileSync(join(data, 'scan-y.npy')).subarray(0, 200));
  await drop(tab, '#judge .drop', [cut]);
  await waitText(page, '#problem', /^cut\.npy: .*\nThe files are still here/);
  assert.equal(await page.locator('#judged-files li').count(), 2);
  const upper = join(work, 'UPPER.NPY');
  writeFileSync(upper, readFileSync(join(data, 'scan-y.npy')));
  await drop(tab, '#judge .drop', [upper]);
  await waitText(page, '#judged-files', /UPPER\.NPY/);
  const odd = join(work, 'sums.txt');
  writeFileSync(odd, '1 2 3');
  await drop(tab, '#judge .drop', [odd]);
  await waitText(page, '#problem', /sums\.txt: not taken\. Drop arrays/);
  const broken = join(work, 'broken.jsonl');
  writeFileSync(broken, '{"event":"sweep"\n');
  await drop(tab, '#results .drop', [broken]);
  await waitText(page, '#problem', /broken\.jsonl.*\nResults are what/);
  await drop(tab, '#judge .drop', [join(data, 'scan-y.npy')]);
  await page.selectOption('#sums', 'scan-y.npy');
  await page.waitForSelector('#verdict article');
}

// A sum that takes long enough to be cancelled.
async function checkCancel(tab) {
  const { page } = tab;
  checked('a long judgement is cancelled, and the files stay');
  await page.click('#forget');
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4194304,), }".padEnd(117);
  const values = new Float32Array(2 ** 22).map((_, i) => Math.fround(Math.sin(i * i)));
  for (const name of ['long-x.npy', 'long-y.npy']) {
    writeFileSync(join(work, name), Buffer.concat([Buffer.from('\x93NUMPY\x01\x00\x76\x00', 'latin1'),
      Buffer.from(`${header}\n`), Buffer.from(values.buffer)]));
  }
  await drop(tab, '#judge .drop', [join(work, 'long-x.npy'), join(work, 'long-y.npy')]);
  await page.click('#judge-cancel:enabled');
  await waitText(page, '#judge-status', /^Cancelled\.$/);
  await page.waitForSelector('#judge-run:enabled');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'judge-run');
  // Before the files are read, too.
  await page.evaluate(() => ['judge-run', 'judge-cancel'].forEach((id) =>
    document.getElementById(id).click()));
  await page.waitForSelector('#judge-run:enabled');
  assert.equal(await text(page, '#judge-status'), 'Cancelled.');
  assert.equal(await page.locator('#verdict article').count(), 0);
  assert.equal(await page.locator('#judged-files li').count(), 2);
  await page.click('#example');
  await page.waitForSelector('#verdict article.fail');
}

async function checkKeyboard(tab) {
  const { page, cdp } = tab;
  checked('the keyboard reaches every control, and each has a name');
  await page.reload();
  await page.waitForSelector('#devices input');
  await page.keyboard.press('Tab');
  const reached = new Set();
  for (let i = 0; i < 30; i++) {
    const id = await page.evaluate(() => document.activeElement.id);
    if (id === 'example') {
      await page.keyboard.press('Enter');
      await page.waitForSelector('#verdict article.fail');
    }
    reached.add(id);
    await page.keyboard.press('Tab');
  }
  for (const id of ['files', 'example', 'forget', 'input', 'sums', 'axis', 'direction', 'exclusive',
    'judge-run', 'judge-save', 'list', 'conformant', 'sweep', 'fingerprint',
    'result-files'])
    assert.ok(reached.has(id), `Tab does not reach ${id}`);
  const { nodes } = await cdp.send('Accessibility.getFullAXTree');
  const controls = nodes.filter(({ ignored, role }) => !ignored &&
    /^(button|combobox|checkbox|radio|spinbutton|textbox|link|progressbar|image|region)$/i
      .test(role?.value));
  assert.ok(controls.length > 15);
  for (const { role, name } of controls) assert.ok(name?.value, `a ${role.value} has no name`);
  assert.equal(await page.locator('[role=status]').count(), 3);
}

async function checkGpu(tab) {
  const { page } = tab;
  checked('quick on WebGPU: every sum has the bits of the reference');
  assert.match(await text(page, '#devices'), /WebGPU.*swiftshader/);
  assert.match(await text(page, '#devices'), /This browser has no WebNN/);
  assert.ok(await page.isChecked('#device-webgpu'));
  await page.click('#sweep');
  await waitText(page, '#count', /[1-9][\d,]* of 8,350 cases/);
  // Meanwhile another device cannot be chosen, arrays are judged, and who leaves is asked.
  assert.ok(await page.isDisabled('#device-wasm'));
  await page.click('#example');
  await page.waitForSelector('#verdict article.fail');
  assert.ok(await page.evaluate(() =>
    !dispatchEvent(new Event('beforeunload', { cancelable: true }))), 'the sweep still runs');
  await waitText(page, '#gpu-status', /^[1-9]\d* passed, 0 failed, \d+ skipped\./, /passed|Cancel/);
  assert.ok(await page.isEnabled('#device-wasm'));
  assert.match(await text(page, '#answers'), /PASS.*none fails the sweep/);

  checked('fingerprint of WebGPU');
  await page.click('#fingerprint');
  await waitText(page, '#gpu-status', /^Fingerprint of WebGPU: done/);
  assert.match(await text(page, '#answers pre >> nth=0'), /order +sequential/);
}

async function checkResults(tab) {
  const { page } = tab;
  checked('the native tool takes the results, and the report opens');
  const file = await download(page, '#runs a >> text=Download', 'webgpu.jsonl');
  const reported = await run(['compare', '--report=r.html', 'webgpu.jsonl'], [file]);
  assert.match(reported.output, /^[1-9]\d* passed, 0 failed/);
  assert.match(readFileSync(join(work, 'r.html'), 'utf8'), /swiftshader/);
  const [report] = await Promise.all([page.context().waitForEvent('page'),
    page.click('#runs a >> text=Report')]);
  await report.waitForSelector('.lead .verdict');
  assert.notEqual(await report.locator('.lead .verdict').evaluate((verdict) =>
    getComputedStyle(verdict).backgroundColor), 'rgba(0, 0, 0, 0)');
  await report.close();

  checked('two results are compared');
  const other = join(work, 'cpu.jsonl');
  await run(['sweep', 'quick', '--output', 'cpu.jsonl']);
  await drop(tab, '#results .drop', [other]);
  await waitText(page, '#results-status', /cpu\.jsonl: read/);
  await page.click('#compare');
  await page.waitForSelector('#comparison a');
  const compared = await run(['compare', 'webgpu.jsonl', 'cpu.jsonl'], [file, other]);
  assert.equal(await text(page, '#results-status'), compared.output.split('\n')[0]);
  assert.match(await text(page, '#comparison .lead'), /B is worse in [\d,]+ of 8,350 cases/);
  const [changes] = await Promise.all([page.context().waitForEvent('page'),
    page.click('#comparison a')]);
  await changes.waitForSelector('.lead .verdict');
  await changes.close();
}

async function checkShapes(browser) {
  checked('light, dark and 360 pixels wide: nothing runs over');
  for (const [name, settings] of Object.entries({
    light: { viewport: { width: 1000, height: 900 } },
    dark: { viewport: { width: 1000, height: 900 }, colorScheme: 'dark' },
    narrow: { viewport: { width: 360, height: 740 }, colorScheme: 'dark' } })) {
    const { page, seen } = await open(browser, mainPage, settings);
    await page.click('#example');
    await page.waitForSelector('#verdict article.fail');
    await page.locator('#device-wasm').check();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= settings.viewport.width, `${name}: ${width} pixels wide`);
    assert.deepEqual(seen.errors, []);
    if (shots) {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
      if (name === 'light') await page.pdf({ path: join(shots, 'print.pdf') });
    }
    await page.context().close();
  }
}

async function checkWithoutGpu() {
  checked('a browser without WebGPU says so, and the library in the page is there');
  const browser = await launch(['--disable-features=WebGPU', '--disable-gpu',
    '--disable-blink-features=WebGPU']);
  const { page } = await open(browser, variant('without', beforeWorker(
    "Object.defineProperty(self.navigator, 'gpu', { value: undefined });")));
  assert.match(await text(page, '#devices'), /This browser has no WebGPU/);
  assert.ok(await page.isChecked('#device-wasm'));
  await page.click('#fingerprint');
  await waitText(page, '#gpu-status', /^Fingerprint of WebAssembly: done/);
  assert.match(await text(page, '#answers pre >> nth=0'), /order +sequential/);
  await browser.close();
  const bare = await launch(); // no GPU, and software is not allowed
  const { page: none } = await open(bare, mainPage);
  assert.match(await text(none, '#devices'), /finds no GPU\. The page chrome:\/\/gpu .* may help/);
  await bare.close();
}

// Runs quick on a page with a defect until the condition on the count holds, and cancels.
async function sweepUntil(page, pattern) {
  await page.click('#sweep');
  await waitText(page, '#count', pattern);
  await page.click('#gpu-cancel');
  await page.waitForSelector('#answers .lead');
  assert.match(await text(page, '#answers'), /FAIL/);
  assert.match(await text(page, '#problem'), /Cancelled\.\nWhat was done until then is in/);
}

async function checkWebNN(browser) {
  checked('quick on a stand-in of WebNN: all that it takes passes');
  const tab = await open(browser, variant('webnn', standIn('')));
  const { page } = tab;
  await page.check('#device-webnn-gpu');
  assert.match(await text(page, '#devices'), /there is only a GPU/);
  assert.ok(await page.isChecked('#conformant'));
  await page.click('#sweep');
  await waitText(page, '#gpu-status', /^[1-9]\d* passed, 0 failed, [1-9]\d* skipped\./, /passed/);
  const lines = readFileSync(await download(page, '#runs a >> text=Download'), 'utf8').split('\n');
  const reasons = new Set(lines.filter((line) => line.includes('"not-supported"'))
    .map((line) => JSON.parse(line).reason));
  assert.ok([...reasons].some((reason) => /FLOAT16/.test(reason)), 'FLOAT16 is skipped by name');
  assert.ok(lines.some((line) => line.includes('"adapted":["packed"')), 'strides are packed');
  await page.context().close();

  checked('a WebNN that takes no reversed sums is found');
  const { page: bad } = await open(browser, variant('webnn-reversed', standIn('reversed')));
  await bad.check('#device-webnn-gpu');
  await sweepUntil(bad, /[1-9]\d* failed/);
  await bad.context().close();

  checked('a lost context costs one case; one that stays away ends the run with a sentence');
  const { page: lost } = await open(browser, variant('webnn-lost', standIn('lost')));
  await lost.check('#device-webnn-gpu');
  await lost.click('#sweep');
  await waitText(lost, '#gpu-status', /^[1-9]\d* passed, 2 failed/, /passed/);
  assert.match(await text(lost, '#answers'), /the stand-in was told to lose its context/);
  assert.match(await text(lost, '#problem'), /the stand-in was told to stay away.*\nWhat was done/);
  await lost.context().close();
}

async function check() {
  checked('the page is below 1.5 MB');
  assert.ok(statSync(pageFile).size < 1.5e6, `${statSync(pageFile).size} bytes`);
  const browser = await launch(['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']);
  const tab = await open(browser, mainPage, { viewport: { width: 1000, height: 900 } });
  await checkJudge(tab);
  await checkBadFiles(tab);
  await checkCancel(tab);
  await checkKeyboard(tab);
  await checkShapes(browser);
  await checkGpu(tab);
  await checkResults(tab);
  await checkWebNN(browser);
  await checkWithoutGpu();
  checked('the page loaded nothing, and nothing went wrong in it');
  assert.deepEqual(tab.seen.requests.filter((url) => url !== tab.url), []);
  assert.deepEqual(tab.seen.errors, []);
  await browser.close();
  checked('');
}

let status = 0;
try {
  await check();
} catch (error) {
  status = 1;
  showFailure(error);
}
rmSync(work, { recursive: true, force: true });
process.exit(status);
