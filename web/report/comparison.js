// SPDX-License-Identifier: MIT
// The report of two sweeps side by side: what changed, in groups and case by case, and what ran.
import { badge, listOf, opening, resultOf } from './cases.js';
import { buttonCell, caseName, countCell, digits, element, leadOf } from './elements.js';
import { section, tableOf } from './elements.js';
import { factTable, stateCell } from './sweep.js';
import { conditionsOf, headlineOf, subjectOf, tensorOf } from './words.js';

const titles = { worse: 'worse in B', better: 'better in B', changed: 'changed',
  'only-a': 'only in A', 'only-b': 'only in B' };

function verdictOf(summary) {
  const compared = summary.worse + summary.better + summary.changed + summary.same;
  const [className, verdict] = summary.worse ? ['fail', 'WORSE']
    : compared ? ['pass', 'NOT WORSE'] : ['nothing', 'NOTHING IN COMMON'];
  const parts = [leadOf(className, verdict,
    `B is worse in ${digits(summary.worse)} of ${digits(compared)} cases, better in ` +
    `${digits(summary.better)}, otherwise changed in ${digits(summary.changed)}.`)];
  if (summary.onlyA || summary.onlyB) {
    parts.push(element('p', { textContent: `Not compared: ${digits(summary.onlyA)} cases that ` +
      `only A has, and ${digits(summary.onlyB)} that only B has.` }));
  }
  return section('result', '', ...parts);
}

function groupTable(groups, choose) {
  return tableOf(['', 'what changed', 'cases', 'all of them have'], groups.map((group) =>
    [titles[group.change], buttonCell(group.what, () => choose('what', group.what)),
      countCell(group.count), group.count > 1
      ? conditionsOf(group.common) || group.common.shared.join('; ') : '']), { sorts: true });
}

// "pass", "fail: 3 of 148 elements differ; FAIL: ..."
function outcomeOf(side) {
  const rest = [headlineOf(side), side.state === 'pass' ? '' : side.verdict].filter(Boolean);
  return [side.state, ...rest.length ? [rest.join('; ')] : []].join(': ');
}

function changeItem(change, index) {
  const sides = ['a', 'b'].filter((side) => change[side]);
  const body = () => element('article', {}, ...sides.map((side) =>
    element('div', {}, element('h4', { textContent: side.toUpperCase() }),
      resultOf(change.name, change[side]))));
  const lines = sides.map((side) =>
    element('div', {}, `${side.toUpperCase()}  ${outcomeOf(change[side])}`));
  const summary = [badge(titles[change.change]), ' ', caseName(change.name),
    element('div', { className: 'soft' }, ...lines)];
  return opening(`case ${change.change}`, summary, body, index === 0 && change.change === 'worse');
}

function changeList(changes) {
  const optionsOf = (key, titleOf) => [['', 'all'],
    ...[...new Set(changes.map((change) => change[key]).filter(Boolean))]
      .map((value) => [value, titleOf(value)])];
  const size = (change) => change.elements ??= tensorOf(change.name).elements;
  const order = Object.keys(titles);
  return listOf(changes, {
    view: changeItem,
    textOf: (change) => [change.name, change.what ?? '', ...['a', 'b'].map((side) =>
      change[side] ? outcomeOf(change[side]) : '')].join(' ').toLowerCase(),
    filters: {
      change: { label: 'Show', options: optionsOf('change', (value) => titles[value]),
        keep: ({ change }, value) => change === value },
      what: { label: 'What changed', options: optionsOf('what', (value) => value),
        keep: ({ what }, value) => what === value },
    },
    sorts: {
      'worse first': (a, b) =>
        order.indexOf(a.change) - order.indexOf(b.change) || size(a) - size(b),
      'smallest first': (a, b) => size(a) - size(b),
      'by name': () => 0,
    },
  });
}

export function comparisonReport(records) {
  const summary = records[0];
  const { a, b, endA, endB } = summary;
  const groups = records.filter(({ event }) => event === 'group');
  const changes = records.filter(({ event }) => event === 'change');
  const parts = [verdictOf(summary)];
  if (changes.length) {
    const { list, choose } = changeList(changes);
    parts.push(section('groups', 'What changed', groupTable(groups, choose)),
      section('changes', 'Cases', list));
  }
  const keys = ['device', 'backend', 'kernel', 'version', 'cases', 'exclude', 'accept',
    'against'];
  parts.push(section('states', 'Cases by state', tableOf(['', 'A', 'B'],
    Object.keys(endA.states).filter((state) => endA.states[state] || endB.states[state])
      .map((state) => [stateCell(state), countCell(endA.states[state] ?? 0),
        countCell(endB.states[state] ?? 0)]))),
  section('run', 'What ran', factTable(['', 'A', 'B'], [['results', summary.fileA, summary.fileB],
    ...keys.map((key) => [key, a[key], b[key]]), ['ended (UTC)', endA.ended, endB.ended]])));
  return { title: `B: ${subjectOf(b)}, beside A: ${subjectOf(a)}`, command: 'compare', parts };
}
