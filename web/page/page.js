// SPDX-License-Identifier: MIT
// The page: files, buttons and what they show. The work is done by the tool in the worker
// (worker.mjs), whose words and files are shown as they are, and whose records the reporter shows.
import { element, scrolling } from '../report/elements.js';
import { readPage, reportOf } from '../report/report.js';
import { isFailure } from '../report/sweep.js';

const $ = (id) => document.getElementById(id);
const texts = (bytes) => new TextDecoder().decode(bytes);

const bytesOfBase64 = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

// ---- The worker ----

// The tool. It is compiled once: each worker gets the same module.
async function compile() {
  try {
    const packed = new Blob([bytesOfBase64($('wasm').textContent)]);
    const stream = packed.stream().pipeThrough(new DecompressionStream('gzip'));
    return await WebAssembly.compile(await new Response(stream).arrayBuffer());
  } catch (error) {
    throw new Error(`The tool does not start in this browser: ${error.message}. Chrome and Edge ` +
      '103, Firefox 113, Safari 16.4 and later run it.');
  }
}

class Cancelled extends Error {}

const compiled = compile();
const workerUrl = URL.createObjectURL(
  new Blob([$('worker').textContent], { type: 'text/javascript' }));

// One worker with one job at a time. Cancelling ends the worker, which always works, and starts
// another: whatever the page holds stays.
class Tool {
  constructor() {
    this.queue = Promise.resolve();
    this.start();
  }

  start() {
    const worker = new Worker(workerUrl);
    this.worker = worker;
    compiled.then((module) => worker.postMessage({ module }), () => {});
    this.worker.onmessage = ({ data }) => {
      if (data.line !== undefined) this.job?.onLine?.(data.line);
      else if (data.failed !== undefined) this.end((job) => job.fail(new Error(data.failed)));
      else this.end((job) => job.finish(data.result));
    };
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.restart(new Error(`The tool ended: ${event.message || 'its worker did not start'}. ` +
        'It has been started again, and your files are still here. If memory was short, close ' +
        'other tabs or take smaller arrays.'));
    };
  }

  end(how) {
    const job = this.job;
    this.job = null;
    if (job) how(job);
  }

  restart(error) {
    this.worker.terminate();
    this.start();
    this.end((job) => job.fail(error));
  }

  cancel() {
    if (this.job) this.restart(new Cancelled('cancelled'));
  }

  // Jobs wait for each other. message: what worker.mjs takes.
  ask(message, onLine) {
    const answer = this.queue.then(() => compiled).then(() => new Promise((finish, fail) => {
      this.job = { finish, fail, onLine };
      this.worker.postMessage(message);
    }));
    this.queue = answer.catch(() => {});
    return answer;
  }

  // Runs `cumsum ARGS` on these files, a record of bytes by name.
  run(args, files, { device = null, onLine } = {}) {
    return this.ask({ run: args, files, device }, onLine);
  }
}

const tool = new Tool(); // reads and judges files
const gpu = new Tool(); // has the devices, which may work for hours

// ---- What several parts do ----

function complain(text) {
  $('problem').textContent = text;
  $('problem').hidden = !text;
  if (text) $('problem').scrollIntoView({ block: 'nearest' });
}

// The tool's messages, without its name before each.
const words = (errors) => errors.replace(/^cumsum: /gm, '').trim();

async function bytesOf(file) {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    throw new Error(`${file.name} cannot be read: ${error.message}. It may have been moved or ` +
      'changed, or be too large for the memory of this page: choose it again.');
  }
}

// The report of a page that the tool wrote.
const reportIn = (page) =>
  reportOf(readPage(new DOMParser().parseFromString(texts(page), 'text/html')));

function linkTo(name, bytes, type, text, opens) {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  return element('a', opens ? { href: url, target: '_blank', textContent: text }
    : { href: url, download: name, textContent: text });
}

// Shows what a job says, with the buttons as they are while it runs. Errors become a sentence.
async function job(status, cancel, buttons, action) {
  const enabled = buttons.filter((button) => !button.disabled);
  complain('');
  for (const button of enabled) button.disabled = true;
  cancel.disabled = false;
  cancel.jobs = (cancel.jobs ?? 0) + 1;
  try {
    await action();
  } catch (error) {
    if (error instanceof Cancelled) {
      status.textContent = 'Cancelled.';
    } else {
      status.textContent = '';
      complain(error.message);
    }
  } finally {
    const focused = document.activeElement === cancel;
    cancel.disabled = --cancel.jobs === 0;
    for (const button of enabled) button.disabled = false;
    if (focused && cancel.disabled) enabled[0]?.focus();
  }
}

// ---- Judge ----

const judgedFiles = new Map(); // the files to judge, by name
let exampleShown = false;
let turn = 0; // only the last of several judgements is shown

const isCase = (name) => /\.json$/i.test(name);
const caseFiles = () => [...judgedFiles.keys()].filter(isCase);

function guessInput(names) {
  return names.find((name) => /(^|[^a-z])(x|in|input)([^a-z]|$)/i.test(name)) ?? names[0];
}

function showFiles() {
  const arrays = [...judgedFiles.keys()].filter((name) => /\.npy$/i.test(name));
  const cases = caseFiles();
  const before = [$('input').value, $('sums').value];
  $('judged-files').replaceChildren(...[...judgedFiles.values()].map((file) =>
    element('li', {}, element('code', { textContent: file.name }),
      ` ${file.size.toLocaleString('en')} bytes`)));
  for (const select of [$('input'), $('sums')])
    select.replaceChildren(...arrays.map((name) => element('option', { textContent: name })));
  $('input').value = arrays.includes(before[0]) ? before[0] : guessInput(arrays) ?? '';
  $('sums').value = arrays.includes(before[1]) && before[1] !== $('input').value ? before[1]
    : arrays.find((name) => name !== $('input').value) ?? '';
  $('judging').hidden = judgedFiles.size === 0;
  $('forget').hidden = judgedFiles.size === 0;
  $('arrays').hidden = cases.length > 0;
  $('axis-note').hidden = cases.length > 0;
  $('judge-save').hidden = cases.length > 0;
  $('saved').replaceChildren();
}

function judgeArguments() {
  const cases = caseFiles();
  const profile = $('profile').value ? [`--rules=${$('profile').value}`] : [];
  if (cases.length) return [...profile, '--', ...cases];
  return [...profile, `--axis=${$('axis').value}`,
    ...($('direction').value === 'decreasing' ? ['--reverse'] : []),
    ...($('exclusive').checked ? ['--exclusive'] : []), '--', $('input').value, $('sums').value];
}

async function judgedBytes() {
  const files = {};
  for (const file of judgedFiles.values()) files[file.name] = await bytesOf(file);
  return files;
}

// What is still missing, or ''.
function missing() {
  if (caseFiles().length) return '';
  if (!$('input').value) return 'Raw arrays (.bin) belong to a case file (.json): drop it, too.';
  if (!$('sums').value) return `${$('input').value} is here. Now drop the sums, another .npy file.`;
  if ($('input').value === $('sums').value)
    return 'Input and sums are the same file: choose two.';
  return $('axis').value === '' ? 'The axis is missing: -1 is the last one.' : '';
}

function judge() {
  const lack = missing();
  const mine = ++turn;
  $('judge-status').classList.remove('heard');
  $('verdict').replaceChildren();
  $('saved').replaceChildren();
  $('judge-save').disabled = true;
  if (lack) {
    $('judge-status').textContent = lack;
    return Promise.resolve();
  }
  return job($('judge-status'), $('judge-cancel'), [$('judge-run'), $('example')], async () => {
    $('judge-status').textContent = 'Judging …';
    const files = await judgedBytes();
    if (mine !== turn) return;
    const run = await tool.run(['judge', '--report=verdict.html', ...judgeArguments()], files);
    if (mine !== turn) return;
    const page = run.files['verdict.html'];
    const articles = page ? reportIn(page).parts : [];
    $('verdict').replaceChildren(...articles);
    // The verdict is seen below; who listens to the page hears it here.
    $('judge-status').classList.toggle('heard', articles.length > 0);
    $('judge-status').textContent = $('verdict').querySelector('.lead')?.textContent ?? '';
    $('judge-save').disabled = !articles.length;
    if (words(run.errors)) {
      const what = run.status === 3 ? 'take smaller arrays' : 'change a choice above, or drop a ' +
        'corrected file of the same name';
      complain(`${words(run.errors)}\nThe files are still here: ${what}.`);
    }
  });
}

function saveCase() {
  return job($('judge-status'), $('judge-cancel'), [$('judge-run'), $('judge-save')], async () => {
    const run = await tool.run(['judge', '--output=sums.json', ...judgeArguments()],
      await judgedBytes());
    const made = Object.entries(run.files).filter(([name]) => /^sums\./.test(name));
    if (!made.length) throw new Error(words(run.errors));
    $('saved').replaceChildren(...made.map(([name, bytes]) => element('li', {},
      linkTo(name, bytes, 'application/octet-stream', `Download ${name}`))));
    $('judge-status').classList.remove('heard');
    $('judge-status').textContent = made.length === 1
      ? 'The case is one file.' : `The case is ${made.length} files, which belong together.`;
  });
}

function hold(files) {
  if (exampleShown) judgedFiles.clear();
  exampleShown = false;
  for (const file of files) judgedFiles.set(file.name, file);
  showFiles();
  return judge();
}

function loadExample() {
  const files = JSON.parse($('example-files').textContent);
  judgedFiles.clear();
  $('judging').reset();
  const done = hold(Object.entries(files).map(([name, base64]) =>
    new File([bytesOfBase64(base64)], name)));
  exampleShown = true;
  return done;
}

// ---- This machine's GPU ----

const gpuButtons = [$('sweep'), $('fingerprint')];
let devices = [];

const chosen = () => devices.find((device) => $(`device-${device.id}`)?.checked);

function choose(device) {
  for (const button of gpuButtons) button.disabled = false;
  $('conformant').checked = device.backend === 'webnn';
}

async function showDevices() {
  try {
    devices = await gpu.ask({ devices: true });
  } catch (error) {
    complain(error.message);
    return;
  }
  $('devices').replaceChildren(...devices.map((device) => element('label', {},
    element('input', { type: 'radio', name: 'device', id: `device-${device.id}`,
      disabled: !device.available, onchange: () => choose(device) }),
    element('span', { className: 'device' }, element('strong', { textContent: device.title }),
      ` ${device.text}`))));
  const first = devices.find((device) => device.available);
  if (first) {
    $(`device-${first.id}`).checked = true;
    choose(first);
  }
}

// The arguments that name the device.
const backendOf = ({ backend }) => backend === 'wasm' ? [] : ['--exec', backend];

function gpuJob(action) {
  return job($('gpu-status'), $('gpu-cancel'), gpuButtons, async () => {
    const device = chosen();
    $('gpu-status').textContent = `Starting ${device.title} …`;
    $('count').textContent = '';
    $('choices').disabled = true;
    try {
      await action(device);
    } finally {
      $('choices').disabled = false;
      $('progress').hidden = true;
    }
  });
}

// Counts the lines of a sweep as docs/command-line.md counts states.
class Counts {
  constructor() {
    this.lines = [];
    this.selected = 0;
    this.counts = { passed: 0, failed: 0, skipped: 0 };
    this.shown = 0;
  }

  add(line) {
    const record = JSON.parse(line);
    if (record.event === 'summary' || record.event === 'error') return;
    this.lines.push(line);
    if (record.event === 'sweep') this.selected = record.selected;
    if (record.event === 'case') {
      const { state } = record;
      this.counts[state === 'pass' ? 'passed' : isFailure(state) ? 'failed' : 'skipped']++;
    }
    const now = performance.now();
    if (now - this.shown > 100) {
      this.shown = now;
      this.show();
    }
  }

  show() {
    const { passed, failed, skipped } = this.counts;
    const done = passed + failed + skipped;
    $('progress').max = this.selected || 1;
    $('progress').value = done;
    $('progress').hidden = false;
    $('count').textContent = `${done.toLocaleString('en')} of ` +
      `${this.selected.toLocaleString('en')} cases: ${passed} passed, ${failed} failed, ` +
      `${skipped} skipped`;
  }
}

function sweep() {
  return gpuJob(async (device) => {
    const counts = new Counts();
    const list = $('list').value;
    let errors = '';
    $('answers').replaceChildren();
    $('gpu-status').textContent = `${device.title} sums the cases of ${list} …`;
    try {
      const run = await gpu.run(['sweep', list, '--json', ...backendOf(device), '--accept',
        $('conformant').checked ? 'conformant' : 'bits'], {},
      { device: device.id, onLine: (line) => counts.add(line) });
      errors = words(run.errors);
    } catch (error) {
      if (!counts.lines.length) throw error;
      errors = error instanceof Cancelled ? 'Cancelled.' : error.message;
    }
    counts.show();
    if (!counts.lines.length) throw new Error(errors);
    const name = nameOfRun(device, list);
    const run = await keep(name, new TextEncoder().encode(`${counts.lines.join('\n')}\n`));
    $('answers').replaceChildren(
      element('h3', { textContent: `${list} on ${device.title}` }),
      element('p', { className: 'soft', textContent: device.text }),
      ...reportIn(run.page).parts.filter(({ dataset }) =>
        ['result', 'common', 'cases', 'unsupported'].includes(dataset.part)));
    $('gpu-status').textContent = `${run.summary}. The results are ${name}, below.`;
    if (errors) complain(`${errors}\nWhat was done until then is in ${name}, below.`);
  });
}

// The tool's own words.
function fingerprint() {
  return gpuJob(async (device) => {
    const failures = [];
    $('answers').replaceChildren();
    for (const type of ['float32', 'float16']) {
      const args = ['fingerprint', '--type', type];
      $('gpu-status').textContent = `Fingerprint: ${device.title} …`;
      const run = await gpu.run([...args, ...backendOf(device)], {}, { device: device.id });
      if (run.output) {
        $('answers').append(element('article', { className: run.status === 0 ? 'pass' : 'fail' },
          element('h2', { textContent: `cumsum ${args.join(' ')}: ${device.title}` }),
          scrolling(element('pre', { textContent: run.output }))));
      }
      if (run.errors) failures.push(words(run.errors));
    }
    $('gpu-status').textContent = `Fingerprint of ${device.title}: done.`;
    if (failures.length) complain(failures.join('\n'));
  });
}

// ---- Results ----

const runs = new Map(); // name: {bytes, page, summary}

function nameOfRun(device, list) {
  const stem = `${device.id}-${list}`;
  for (let i = 1; ; i++) {
    const name = `${stem}${i > 1 ? `-${i}` : ''}.jsonl`;
    if (!runs.has(name)) return name;
  }
}

// Reads results by the tool, whose report is kept with them.
async function keep(name, bytes) {
  const run = await tool.run(['compare', '--allow-incomplete', '--report=report.html', '--', name],
    { [name]: bytes });
  const page = run.files['report.html'];
  if (!page)
    throw new Error(`${words(run.errors)}\nResults are what cumsum sweep --output writes.`);
  const summary = run.output.trim().split('\n').pop();
  const kept = { bytes, page, summary };
  runs.set(name, kept);
  showRuns();
  return kept;
}

const choice = (side) => $('runs').querySelector(`[name=${side}]:checked`)?.value;

function showRuns() {
  const before = { a: choice('a'), b: choice('b') };
  const names = [...runs.keys()];
  if (!runs.has(before.a)) before.a = names[0];
  if (!runs.has(before.b)) before.b = names.find((name) => name !== before.a);
  $('runs').replaceChildren(...[...runs].map(([name, run]) => element('tr', {},
    ...['a', 'b'].map((side) => element('td', {}, element('input', { type: 'radio', name: side,
      value: name, checked: before[side] === name, onchange: showRuns,
      ariaLabel: `${side.toUpperCase()}: ${name}` }))),
    element('th', {}, element('code', { textContent: name })),
    element('td', { textContent: run.summary }),
    element('td', {}, linkTo(name, run.bytes, 'application/jsonl', 'Download'), ' ',
      linkTo('report.html', run.page, 'text/html', 'Report', true)))));
  $('comparing').hidden = runs.size === 0;
  $('compare').disabled = !before.a || !before.b || before.a === before.b;
}

function readResults(files) {
  return job($('results-status'), element('button'), [], async () => {
    for (const file of files) {
      $('results-status').textContent = `Reading ${file.name} …`;
      await keep(file.name, await bytesOf(file));
    }
    $('results-status').textContent = `${files.map((file) => file.name).join(', ')}: read.`;
  });
}

function compare() {
  return job($('results-status'), element('button'), [$('compare')], async () => {
    const [a, b] = ['a', 'b'].map(choice);
    const run = await tool.run(['compare', '--allow-incomplete', '--report=changes.html', '--', a, b],
      { [a]: runs.get(a).bytes, [b]: runs.get(b).bytes });
    const page = run.files['changes.html'];
    if (!page) throw new Error(words(run.errors));
    $('comparison').replaceChildren(
      element('p', {}, linkTo('changes.html', page, 'text/html', 'Open as a page', true)),
      ...reportIn(page).parts);
    $('results-status').textContent = run.output.split('\n').find((line) => /^B is /.test(line)) ??
      'Compared.';
  });
}

// ---- Files, wherever they come from ----

// The kind is the name's ending.
function take(list) {
  const files = [...list];
  const judged = files.filter((file) => /\.(npy|json|bin)$/i.test(file.name));
  const results = files.filter((file) => /\.jsonl$/i.test(file.name));
  const others = files.filter((file) => !judged.includes(file) && !results.includes(file));
  const done = Promise.all([judged.length ? hold(judged) : null,
    results.length ? readResults(results) : null]);
  if (others.length) {
    complain(`${others.map((file) => file.name).join(', ')}: not taken. Drop arrays (.npy), case ` +
      'files (.json, and their .npy and .bin) or results (.jsonl).');
  }
  return done;
}

for (const id of ['files', 'result-files']) {
  $(id).addEventListener('change', () => {
    take($(id).files);
    $(id).value = '';
  });
}
// Who leaves the page while a device works is asked whether to.
addEventListener('beforeunload', (event) => {
  if (!$('gpu-cancel').disabled) event.preventDefault();
});
addEventListener('dragover', (event) => {
  event.preventDefault();
  document.body.classList.add('dragging');
});
addEventListener('dragleave', (event) => {
  if (!event.relatedTarget) document.body.classList.remove('dragging');
});
addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('dragging');
  take(event.dataTransfer.files);
});

$('example').addEventListener('click', loadExample);
$('forget').addEventListener('click', () => {
  judgedFiles.clear();
  $('judging').reset();
  exampleShown = false;
  complain('');
  $('verdict').replaceChildren();
  $('judge-status').textContent = '';
  showFiles();
  $('files').focus();
});
$('judging').addEventListener('submit', (event) => {
  event.preventDefault();
  judge();
});
for (const id of ['input', 'sums', 'axis', 'direction', 'exclusive', 'profile'])
  $(id).addEventListener('change', judge);
$('judge-save').addEventListener('click', saveCase);
$('judge-cancel').addEventListener('click', () => {
  turn++; // also while the files are read
  $('judge-status').textContent = 'Cancelled.';
  tool.cancel();
});
$('gpu-cancel').addEventListener('click', () => gpu.cancel());
$('sweep').addEventListener('click', sweep);
$('fingerprint').addEventListener('click', fingerprint);
$('comparing').addEventListener('submit', (event) => {
  event.preventDefault();
  compare();
});
showDevices();
