// SPDX-License-Identifier: MIT
// node check_report.mjs CUMSUM [--shots FOLDER]: the pages of --report in headless Chromium, opened
// from a folder. CUMSUM writes them from the results in tests/cli/data, whose texts are markup, and
// from a sweep. --shots writes pictures to look at.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { checked, data, launch, shots, showFailure } from '../browser.mjs';

const program = process.argv[2];
const work = mkdtempSync(join(tmpdir(), 'cumsum-report-'));

// `cumsum ARGS`, whatever its exit status is: many of these cases fail.
function run(...args) {
  try {
    return execFileSync(resolve(program), args, { cwd: work, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    if (error.status !== 1) throw error;
    return error.stdout;
  }
}

const browser = await launch();

// A tab with a page of the folder. What it fetches, says or breaks is remembered.
async function open(name, settings = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, ...settings });
  const page = await context.newPage();
  const url = pathToFileURL(join(work, name)).href;
  page.setDefaultTimeout(20000);
  page.seen = [];
  page.on('request', (request) => {
    if (request.url() !== url) page.seen.push(`a request of ${request.url()}`);
  });
  page.on('pageerror', (error) => page.seen.push(error.message));
  page.on('console', (message) => page.seen.push(message.text()));
  page.on('dialog', (dialog) => page.seen.push(`a dialog: ${dialog.message()}`));
  await page.goto(url);
  await page.waitForSelector('main', { state: 'attached' });
  return page;
}

// Nothing was loaded or run, and no text became an element.
async function close(page) {
  const foreign = page.locator('main :is(script, img, iframe, object, link, style)');
  assert.equal(await foreign.count(), 0, 'a text is markup');
  assert.deepEqual(page.seen, []);
  await page.context().close();
}

const text = async (page, selector) => (await page.locator(selector).first().textContent()).trim();
const texts = (page, selector) => page.locator(selector).allInnerTexts();
const rows = async (page, part) => (await texts(page, `#${part} tbody tr`))
  .map((row) => row.replace(/\s+/g, ' ').trim());
const shown = (page) => texts(page, '.items summary');

async function checkSweep() {
  checked('a sweep with every state: verdict, counts, what ran');
  const page = await open('every.html');
  const device = '"Ge" <script>alert(\'1\')</script> & Co, driver 1.2';
  assert.equal(await page.title(), `cumsum sweep: ${device}`);
  assert.equal(await text(page, 'h1'), device);
  assert.equal(await text(page, '.lead'),
    'FAIL 8 cases of 15 fail the sweep. 1 of these is suspect.');
  assert.equal(await page.locator('.states rect').count(), 9);
  assert.deepEqual(await rows(page, 'types'), ['float16 0 1 0 0 0 0 0 0 0 100 %',
    'float32 3 2 1 1 1 1 1 1 1 64 %', 'int32 0 0 0 0 0 0 0 1 0 100 %',
    'uint64 0 0 0 0 0 0 0 1 0 100 %']);
  const ran = await text(page, '#run');
  for (const fact of ['a<b>"c"', 'Some & <Processor>', '*<b>*', 'known.jsonl', 'T03:14:05Z'])
    assert.ok(ran.includes(fact), fact);
  assert.match(await text(page, '#unsupported'), /1.*the device has no 16-bit <integers>/);
  assert.match(await text(page, '#common pre'), /^cumsum minimize --backend 'd3d12:.*' .*seed1$/);

  checked('filters, search and order');
  const show = page.getByLabel('Show'), search = page.getByLabel('Search');
  const type = page.getByLabel('Type'), order = page.getByLabel('Order');
  assert.equal((await shown(page)).length, 8); // the failing ones
  assert.equal(await text(page, '.list [role=status]'), '8 of 15');
  for (const [kind, count] of Object.entries({ better: 2, worse: 1, known: 3, pass: 3,
    'not-supported': 1, suspect: 1, '': 15 })) {
    await show.selectOption(kind);
    assert.equal((await shown(page)).length, count, kind);
  }
  await type.selectOption('float16');
  assert.equal((await shown(page)).length, 1);
  await type.selectOption('');
  for (const [words, count] of [['sigsegv CRASH.', 0], ['sigsegv inclusive.4', 1]]) {
    await search.fill(words);
    assert.equal((await shown(page)).length, count, words);
  }
  await search.fill('');
  for (const [by, first] of [['largest first', /2x4096\.axis1/], ['worst distance', /nan-poison/]]) {
    await order.selectOption(by);
    assert.match((await shown(page))[0], first);
  }
  await page.locator('#types').getByRole('button', { name: 'float16' }).click();
  assert.equal((await shown(page)).length, 1);

  checked('a click on a head sorts a table, another one reverses it');
  const head = page.locator('#types').getByRole('button', { name: 'fail', exact: true });
  for (const [first, last] of [['float32', /^(int32|uint64)/], ['int32', /^float32/]]) {
    await head.click();
    const sorted = await rows(page, 'types');
    assert.match(sorted[0], new RegExp(`^${first}`));
    assert.match(sorted[3], last);
  }

  checked('a case: its elements and commands');
  const one = page.locator('.items article');
  const openCase = async (words) => {
    await search.fill(words);
    await page.locator('.items summary').click();
    return one.textContent();
  };
  await show.selectOption('');
  await type.selectOption('');
  const said = await openCase('3x6.');
  assert.match(said, /fail: 1 of 18 elements differ/);
  assert.match(said, /The oracle: FAIL: 1 of 18 outputs fail, the worst with/);
  assert.match(await one.locator('tbody').innerText(),
    /\[2,4\].*-0\.74058473 0xbf3d96f6.*1061000950 ulp/s);
  assert.match(await one.locator('pre').textContent(),
    /^cumsum sweep .*\ncumsum minimize .*seed5$/);
  assert.match(await openCase('uint64'), /18446744073709551609 0xfffffffffffffff9.*4294967289/s);
  const runs = await openCase('unstable runs');
  assert.match(await one.locator('pre').first().textContent(),
    /^the first output: the expected bits\nthe other one: PASS: /);
  assert.ok(!runs.includes('minimize'));
  await close(page);
}

async function checkLarge() {
  checked('a sweep of many cases: few of them are elements, all can be found');
  const page = await open('quick.html');
  assert.match(await text(page, '.lead'), /^PASS [\d,]+ of [\d,]+ cases pass/);
  const [all] = (await text(page, '.list [role=status]')).match(/[\d,]+$/);
  assert.ok(Number(all.replace(',', '')) > 8000);
  assert.equal((await shown(page)).length, 50);
  await page.getByRole('button', { name: /^Show 200 more$/ }).click();
  assert.equal((await shown(page)).length, 250);
  const names = readFileSync(join(work, 'quick.jsonl'), 'utf8').split('\n')
    .filter((line) => line.includes('"event":"case"')).map((line) => JSON.parse(line).name);
  for (const name of [names[0], names[4321], names.at(-1)]) {
    await page.getByLabel('Search').fill(name);
    assert.ok((await page.locator('.items summary code').allTextContents()).includes(name), name);
  }
  await close(page);

  checked('what failing cases share is what the sweep said');
  const failed = await open('failed.html');
  assert.equal(await text(failed, '#common p'),
    'exclusive and lines of 9 elements or more: 12 of 12 cases, elsewhere 0.');
  assert.match(run('compare', '--json', 'failed.jsonl'),
    /"conditions":\["exclusive","lines of 9 elements or more"\]/);
  await close(failed);
}

async function checkComparison() {
  checked('two sweeps: what changed, in groups and case by case');
  const page = await open('compare.html');
  assert.equal(await text(page, 'h1'),
    'B: Ge & Co <1>, driver 1.1, beside A: Ge & Co <1>, driver 1.0');
  assert.equal(await text(page, '.lead'),
    'WORSE B is worse in 7 of 19 cases, better in 4, otherwise changed in 5.');
  assert.match(await text(page, '#result'),
    /Not compared: 2 cases that only A has, and 1 that only B has/);
  const groups = await rows(page, 'groups');
  assert.equal(groups.length, 15);
  assert.ok(groups.includes('worse in B class h<=1 -> h<=log2(m) 2 ' +
    'float32; lines of 25 to 39 elements'), groups.join('\n'));
  assert.equal((await shown(page)).length, 19);
  await page.getByRole('button', { name: 'class h<=1 -> h<=log2(m)' }).click();
  assert.deepEqual((await shown(page)).map((one) => one.match(/inclusive\.(\d+)/)[1]),
    ['25', '39']);
  assert.match((await shown(page))[1],
    /A {1,2}pass: 2 of 39 elements differ; other bits, but conformant, h<=1.*\nB {1,2}pass$/);
  await page.getByLabel('What changed').selectOption('');
  await page.getByLabel('Show').selectOption('only-b');
  assert.equal((await shown(page)).length, 1);
  assert.deepEqual(await rows(page, 'states'), ['pass 14 12', 'fail 4 5', 'not-supported 1 1',
    'crash 1 0', 'timeout 0 1', 'unstable 0 1', 'known 1 0']);
  assert.ok((await rows(page, 'run')).includes('accept conformant conformant'));
  await close(page);
}

// The tool wraps long lines.
const oneLine = (words) => words.trim().replace(/\s+/g, ' ');

async function checkJudgement() {
  checked('verdicts have the words of the tool');
  const page = await open('judge.html');
  const arrays = [join(data, 'scan-x.npy'), join(data, 'scan-dropped.npy'), '--axis', '-1'];
  const said = run('judge', '-v', ...arrays);
  const lead = await text(page, '.lead');
  assert.match(lead, /^FAIL 1 of 36 outputs fail: it is the sum without the term at \[1,3\]/);
  assert.ok(said.includes(lead.replace('FAIL ', '')));
  for (const line of (await text(page, 'pre')).split('\n'))
    assert.ok(oneLine(said).includes(oneLine(line)), line);
  await close(page);

  const many = await open('many.html');
  assert.match(await text(many, 'h1'), /^\d+ passed, \d+ failed, \d+ skipped$/);
  await many.getByLabel('Show').selectOption('SKIP');
  assert.ok(await many.locator('article.nothing').count() > 0);
  assert.equal(await many.locator('article:not(.nothing)').count(), 0);
  await close(many);
}

// Every page: nothing runs over on a narrow screen, in light and dark; controls have names.
async function checkShapes() {
  for (const name of ['every', 'failed', 'compare', 'judge', 'many']) {
    checked(`${name}: narrow, dark, print, and the keyboard`);
    for (const [shape, settings] of Object.entries({ narrow: { width: 390, height: 800 },
      wide: { width: 1000, height: 900 } })) {
      const page = await open(`${name}.html`, { viewport: settings,
        colorScheme: shape === 'narrow' ? 'dark' : 'light' });
      for (const summary of (await page.locator('.items summary').all()).slice(0, 3))
        if (await summary.evaluate((element) => !element.parentElement.open)) await summary.click();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= settings.width, `${width} pixels of ${settings.width}`);
      const cdp = await page.context().newCDPSession(page);
      const { nodes } = await cdp.send('Accessibility.getFullAXTree');
      for (const { ignored, role, name: label } of nodes) {
        if (!ignored && /^(button|combobox|searchbox|link|image)$/.test(role?.value))
          assert.ok(label?.value, `a ${role.value} has no name`);
      }
      if (shots) {
        mkdirSync(shots, { recursive: true });
        await page.screenshot({ path: join(shots, `${name}-${shape}.png`), fullPage: true });
        if (shape === 'wide') await page.pdf({ path: join(shots, `${name}.pdf`), format: 'A4' });
      }
      await page.emulateMedia({ media: 'print', colorScheme: null });
      assert.equal(await page.locator('.controls:visible, nav:visible, .more:visible').count(), 0);
      assert.equal(await page.evaluate(() =>
        getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
      await close(page);
    }
  }
}

async function checkPolicy() {
  checked('the policy lets nothing else run or load');
  const page = await open('every.html');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "run"';
    document.body.append(script);
    const image = document.createElement('img');
    image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
    document.body.append(image);
    const style = document.createElement('style');
    style.textContent = 'body { color: red }';
    document.head.append(style);
  });
  assert.notEqual(await page.title(), 'run');
  await page.waitForFunction(() => document.images[0].complete);
  assert.equal(await page.evaluate(() => document.images[0].naturalWidth), 0);
  assert.equal(page.seen.filter((line) => /Content Security Policy/.test(line)).length, 3);
  await page.context().close();
}

function writePages() {
  const page = (name) => join(work, `${name}.html`);
  run('compare', join(data, 'every-state.jsonl'), '--report', page('every'));
  run('compare', join(data, 'compare-a.jsonl'), join(data, 'compare-b.jsonl'), '--report',
    page('compare'));
  run('judge', join(data, 'scan-x.npy'), join(data, 'scan-dropped.npy'),
    '--axis', '-1', '--report', page('judge'));
  run('judge', ...['small', 'no-expected', 'chain', 'dropped-term', 'orders', 'mismatch']
    .map((name) => join(data, `${name}.json`)), '--report', page('many'));
  run('sweep', '-q', 'quick', '--output', join(work, 'quick.jsonl'), '--report', page('quick'));
  // Results in which the exclusive sums of 9 elements or more fail.
  run('sweep', '-q', 'int32.wrap.increasing.{inclusive,exclusive}.{1..20}.axis0.in-packed.' +
    'out-packed.ones.seed0', '--output', join(work, 'passed.jsonl'));
  const fails = (line) => /exclusive\.(9|1\d|20)\./.test(line);
  writeFileSync(join(work, 'failed.jsonl'), readFileSync(join(work, 'passed.jsonl'), 'utf8')
    .replace(/^.*"event":"case".*$/gm, (line) =>
      fails(line) ? line.replace('"state":"pass"', '"state":"fail"') : line)
    .replace('"pass":40,"fail":0', '"pass":28,"fail":12'));
  run('compare', join(work, 'failed.jsonl'), '--report', page('failed'));
}

let status = 0;
try {
  writePages();
  await checkSweep();
  await checkLarge();
  await checkComparison();
  await checkJudgement();
  await checkShapes();
  await checkPolicy();
  checked('');
} catch (error) {
  status = 1;
  showFailure(error);
}
await browser.close();
rmSync(work, { recursive: true, force: true });
process.exit(status);
