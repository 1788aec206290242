// SPDX-License-Identifier: MIT
// The reporter: turns the JSON records of sweep, compare and judge into a report. In a page that
// `--report` wrote, the records are in the element #records, and it shows them.
import { element } from './elements.js';
import { sweepReport } from './sweep.js';
import { comparisonReport } from './comparison.js';
import { judgementReport } from './judgement.js';
import { parseRecord } from './words.js';

// The records of a page that the tool wrote.
export function readPage(page) {
  return page.getElementById('records').textContent.split('\n')
    .filter((line) => line.trim()).map(parseRecord);
}

// A report: {title, command, parts}, of which `parts` are elements. A sweep's and a comparison's
// have a name in data-part.
export function reportOf(records) {
  const first = records[0]?.event;
  return first === 'sweep' ? sweepReport(records)
    : first === 'comparison' ? comparisonReport(records) : judgementReport(records);
}

const parts = { common: 'Common features', types: 'Data types', cases: 'Cases',
  groups: 'What changed', changes: 'Cases', states: 'States', run: 'Runs', words: 'Terms' };

function showPage() {
  const { title, command, parts: sections } = reportOf(readPage(document));
  const links = [];
  for (const part of sections) {
    const { part: id } = part.dataset;
    if (id) part.id = id;
    if (parts[id]) links.push(element('a', { href: `#${id}`, textContent: parts[id] }));
  }
  document.title = `cumsum ${command}: ${title}`;
  document.body.append(element('header', {}, element('h1', { textContent: title }),
    ...links.length ? [element('nav', { ariaLabel: 'Parts of the page' }, ...links)] : []),
  element('main', {}, ...sections));
}

if (document.getElementById('records')) showPage();
