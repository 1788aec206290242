// SPDX-License-Identifier: MIT
// The report of a sweep: whether it passed, what failing cases have in common, all cases, what ran.
import { caseItem, listOf } from './cases.js';
import { buttonCell, caseName, countCell, digits, drawn, element, leadOf } from './elements.js';
import { section, several, shareCell, tableOf } from './elements.js';
import { conditionsOf, headlineOf, subjectOf, tensorOf } from './words.js';

const meanings = {
  pass: 'the expected output, and no other byte changed',
  fail: 'another output, or a byte outside the elements was written',
  'not-supported': 'the backend does not support such cases; not run',
  crash: 'the process or the device was lost',
  timeout: 'no answer in time',
  unstable: 'the same input gave other bits in another run',
  suspect: 'another output, which no known scan gives',
  known: 'fails, and no worse than before',
  worse: 'no failure, but worse than before',
};
const states = Object.keys(meanings);
export const isFailure = (state) => ['fail', 'crash', 'timeout', 'unstable', 'suspect'].includes(state);

// The names of all cases: each is how many letters at its beginning and its end are those of the
// name before, and the letters between.
function namesOf(coded) {
  const names = [];
  let before = '';
  for (let i = 0; i < coded.length; i += 3) {
    const [begin, end, middle] = coded.slice(i, i + 3);
    before = before.slice(0, begin) + middle + before.slice(before.length - end);
    names.push(before);
  }
  return names;
}

// The cases with their states. A case without a record passed.
function casesOf(records) {
  const byName = new Map(records.filter(({ event }) => event === 'case')
    .map((record) => [record.name, record]));
  const { names } = records.find(({ event }) => event === 'names') ?? { names: [] };
  return namesOf(names).map((name) => {
    const record = byName.get(name);
    const state = record?.state ?? 'pass';
    const outcome = record?.outcome ?? state;
    return { name, record, state, outcome, type: name.slice(0, name.indexOf('.')),
      ran: outcome !== 'not-supported', failed: isFailure(outcome),
      failsSweep: isFailure(state) || state === 'worse' };
  });
}

// A sweep that is not complete does not pass.
function overviewOf(header, end, cases) {
  const counts = end.states;
  const failed = cases.filter(({ failsSweep }) => failsSweep).length;
  const [className, verdict] = failed ? ['fail', 'FAIL']
    : !counts.pass ? ['nothing', 'NOTHING RAN']
      : header.incomplete ? ['nothing', 'NOT COMPLETE'] : ['pass', 'PASS'];
  const suspect = counts.suspect ? ` ${digits(counts.suspect)} of these ` +
    `${counts.suspect === 1 ? 'is' : 'are'} suspect.` : '';
  const lead = failed
    ? `${several(failed, 'case')} of ${digits(cases.length)} ` +
      `fail${failed === 1 ? 's' : ''} the sweep.${suspect}`
    : `${digits(counts.pass)} of ${digits(cases.length)} cases pass, none fails the sweep.`;
  const parts = [leadOf(className, verdict, lead)];
  if (header.incomplete) {
    parts.push(element('div', { className: 'notice' },
      element('p', {}, element('strong', { textContent: 'The results are not complete.' })),
      element('ul', {}, ...header.incomplete.map((text) => element('li', { textContent: text })))));
  }
  if (cases.length) parts.push(barOf(counts, cases.length), stateTable(counts));
  return section('result', '', ...parts);
}

// One bar, divided in proportion to the number of cases in each state.
function barOf(counts, all) {
  const bar = drawn('svg', { viewBox: '0 0 1000 10', preserveAspectRatio: 'none', role: 'img',
    'aria-label': 'Cases by state' });
  let x = 0;
  for (const state of states.filter((name) => counts[name])) {
    const width = 1000 * counts[state] / all;
    bar.append(drawn('rect', { class: state, x, width: Math.max(width, 2), height: 10 }));
    x += width;
  }
  return element('div', { className: 'states' }, bar);
}

export const stateCell = (state) => ({ content: element('span', {},
  element('span', { className: `swatch ${state}` }), state), value: state });

function stateTable(counts) {
  const rows = states.filter((state) => counts[state]).map((state) =>
    [stateCell(state), countCell(counts[state]), meanings[state]]);
  return tableOf(['', '', ''], rows);
}

function commonOf(common, cases, commands) {
  if (!common) return '';
  const parts = [];
  const conditions = conditionsOf(common);
  if (conditions)
    parts.push(element('p', {}, element('strong', { textContent: conditions }), '.'));
  if (common.shared.length) {
    parts.push(element('p', {}, 'All of them have: ',
      element('strong', { textContent: common.shared.join('; ') }), '.'));
  }
  const failing = cases.filter(({ failsSweep }) => failsSweep).map((one) =>
    [tensorOf(one.name).elements, one.name]);
  if (failing.length && commands) {
    const [elements, name] = failing.reduce((least, one) => one[0] < least[0] ? one : least);
    parts.push(element('p', {}, `The smallest of them, with ${several(elements, 'element')}, is `,
      caseName(name), '. This command reduces it to a minimal failing case:'),
    element('pre', { textContent: commands.minimize.replace(/NAME$/, name) }));
  }
  return section('common', 'Common features of the failing cases', ...parts);
}

// How many cases are in each state, by a key: a row for each key. A state without cases has no
// column.
function breakdown(title, groups, counts, onClick) {
  const columns = states.filter((state) => counts[state]);
  return tableOf([title, ...columns, 'failed'],
    groups.map(([key, members]) => {
      const failed = members.filter((one) => one.failed).length;
      const ran = members.filter((one) => one.ran).length;
      return [buttonCell(key, () => onClick(key)),
      ...columns.map((state) => countCell(members.filter((one) => one.state === state).length)),
      shareCell(failed, ran)];
    }), { sorts: true });
}

function grouped(cases, keysOf) {
  const groups = new Map();
  for (const one of cases) {
    for (const key of keysOf(one)) {
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(one);
    }
  }
  return [...groups];
}

// What the list of cases can show.
const kinds = {
  failing: ['failing', (one) => one.failsSweep],
  better: ['better than before', (one) => /^better/.test(one.record?.change ?? '')],
  ...Object.fromEntries(states.map((state) => [state, [state, (one) => one.state === state]])),
};

function caseList(cases, byType, commands) {
  const options = Object.entries(kinds).flatMap(([kind, [text, keep]]) => {
    const count = cases.filter(keep).length;
    return count ? [[kind, `${text} (${digits(count)})`]] : [];
  });
  const types = byType.map(([type, members]) => [type, `${type} (${digits(members.length)})`]);
  const worst = ({ record }) => record?.worst ? Number(record.worst.ulps ?? Infinity) : -1;
  const size = (one) => one.elements ??= tensorOf(one.name).elements;
  const open = new Set(); // the smallest failing case of a data type shows a cause best
  return listOf(cases, {
    view: (one) => {
      const first = one.failsSweep && open.size < 4 && !open.has(one.type);
      if (first) open.add(one.type);
      // minimize runs a case once, so that it cannot see that one is unstable.
      const { sweep, minimize } = commands ?? {};
      const lines = one.failed && !one.record?.unstable ? { sweep, minimize } : { sweep };
      return caseItem(one, commands ? lines : {}, first);
    },
    textOf: ({ name, state, record }) => [name, state, ...record
      ? [headlineOf(record), record.verdict ?? ''] : []].join(' ').toLowerCase(),
    filters: {
      kind: { label: 'Show', options: [['', `all (${digits(cases.length)})`], ...options],
        chosen: options[0]?.[0], keep: (one, kind) => kinds[kind][1](one) },
      type: { label: 'Type', options: [['', 'all'], ...types],
        keep: (one, type) => one.type === type },
    },
    sorts: {
      'smallest first': (a, b) => size(a) - size(b),
      'largest first': (a, b) => size(b) - size(a),
      'worst distance': (a, b) => worst(b) - worst(a),
      'by name': () => 0,
    },
  });
}

function unsupportedOf(cases) {
  const reasons = grouped(cases.filter(({ state }) => state === 'not-supported'),
    ({ record }) => [record.reason ?? '']);
  return reasons.length ? section('unsupported', 'Not supported', tableOf(['cases', 'reason'],
    reasons.map(([reason, members]) => [countCell(members.length), reason]), { sorts: true })) : '';
}

export const factTable = (heads, rows) => tableOf(heads, rows.filter(([, ...values]) =>
  values.some((value) => value !== undefined && `${value}`)).map((row) => row.map((value) =>
  Array.isArray(value) ? value.join('\n') : value ?? '')));

function runsOf(header, end) {
  const facts = factTable(['', ''], [['device', header.adapter], ['driver', header.driver],
    ['backend', header.backend], ['kernel', header.kernel], ['cumsum', header.version],
    ['cases', header.cases], ['exclude', header.exclude],
    ['accepted', header.accept], ['against', header.against],
    ['ended (UTC)', end.ended]]);
  return section('run', 'Runs', facts, ...header.machines.length ? [tableOf(
    ['shard', 'cases', 'machine', 'processor', 'started (UTC)', 'command line'],
    header.machines.map((run) => [`${run.shard ?? ''}`, countCell(run.cases ?? 0), run.host ?? '',
      run.processor ?? '', run.started ?? '',
      { content: element('code', { textContent: run.command ?? '' }) }]))] : []);
}

const term = (text) => element('em', { textContent: text });

const terms = () => section('words', 'Terms',
  element('p', {}, 'A ', term('case'), ' is one cumulative summation. Its name gives the data ' +
    'type, numerics, direction, inclusive or exclusive sum, sizes, axis, the strides and offsets ' +
    'of the tensors, the data and their seed: every machine makes the same bytes from it. A case ' +
    'passes if every element has the expected bits (any NaN equals any NaN) and no other byte was ' +
    'written.'),
  element('p', {}, 'An ', term('ulp'), ' is the step from one value of a floating-point type to ' +
    'the next. Distances between integers are plain differences. If the ', term('oracle'),
  ' fails an output, no order of additions gives it. Of longer sums it passes what lies within a ' +
    'bound.'));

export function sweepReport(records) {
  const header = records[0];
  const end = records.find(({ event }) => event === 'end');
  const commands = header.again;
  const cases = casesOf(records);
  const byType = grouped(cases, ({ type }) => [type]);
  const parts = [overviewOf(header, end, cases), commonOf(end.common, cases, commands)];
  if (cases.length) {
    const { list, choose } = caseList(cases, byType, commands);
    parts.push(section('types', 'Results by data type', breakdown('data type', byType, end.states,
      (type) => choose('type', type))),
    section('cases', 'Cases', list));
  }
  parts.push(unsupportedOf(cases), runsOf(header, end), terms());
  return { title: subjectOf(header), command: 'sweep', parts: parts.filter(Boolean) };
}
