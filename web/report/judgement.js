// SPDX-License-Identifier: MIT
// The report of cumsum judge: the verdict on each dispatch.
import { listOf } from './cases.js';
import { element, leadOf, scrolling, section, soft } from './elements.js';

const classes = { PASS: 'pass', FAIL: 'fail', SKIP: 'nothing', SUSPECT: 'fail' };

export function judgementArticle(record) {
  const { name, file, status, message, legend, detail } = record;
  const parts = [element('h2', { textContent: name }),
    leadOf(classes[status], status, message), soft(file)];
  if (legend) parts.push(soft(legend));
  if (detail) parts.push(scrolling(element('pre', { textContent: detail })));
  return element('article', { className: classes[status] }, ...parts);
}

export function judgementReport(records) {
  const dispatches = records.filter(({ event }) => event === 'dispatch');
  const of = (status) => dispatches.filter((record) => record.status === status).length;
  const suspect = of('SUSPECT');
  const title = `${of('PASS')} passed, ${of('FAIL') + suspect} failed, ${of('SKIP')} skipped${
    suspect ? `; ${suspect} of these suspect` : ''}`;
  if (dispatches.length < 6)
    return { title, command: 'judge', parts: dispatches.map(judgementArticle) };
  const order = ['FAIL', 'SUSPECT', 'SKIP', 'PASS'];
  const { list } = listOf(dispatches, {
    view: judgementArticle,
    textOf: ({ name, file, message }) => `${name} ${file} ${message}`.toLowerCase(),
    filters: { status: { label: 'Show', options: [['', 'all'], ...order.filter(of)
      .map((status) => [status, `${status} (${of(status)})`])],
    keep: (record, status) => record.status === status } },
    sorts: {
      'failures first': (a, b) => order.indexOf(a.status) - order.indexOf(b.status),
      'as judged': () => 0,
    },
  });
  return { title, command: 'judge', parts: [section('cases', 'Verdicts', list)] };
}
