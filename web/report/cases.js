// SPDX-License-Identifier: MIT
// Lists that can be filtered, searched and sorted, and what is known of one case.
import { caseName, digits, element, soft, tableOf } from './elements.js';
import { headlineOf, tensorOf, unitOf, valueText } from './words.js';

function selectOf(label, options, chosen, onchange) {
  const select = element('select', { ariaLabel: label, onchange }, ...options.map(([value, text]) =>
    element('option', { value, textContent: text, selected: value === chosen })));
  return [element('label', {}, `${label} `, select), select];
}

// A list of items, of which `page` are shown, and more on demand: only these are made.
//
//     view(item, index)  the element of an item
//     textOf(item)       what a search looks into, in lower case
//     filters            {name: {label, chosen, options: [[value, text]], keep(item, value)}}
//     sorts              {title: compare(a, b)}, the first is chosen
//
// Returns the element, and choose(name, value), which sets a filter.
export function listOf(items, { view, textOf, filters = {}, sorts = {}, page = 50 }) {
  const counted = element('p', { className: 'soft' });
  counted.setAttribute('role', 'status');
  const shownItems = element('div', { className: 'items' });
  const more = element('button', { type: 'button', className: 'more' });
  const search = element('input', { type: 'search', placeholder: 'words of a name or a message',
    ariaLabel: 'Search' });
  const selects = {};
  let kept = [];
  let shown = 0;

  const showMore = (count) => {
    shownItems.append(...kept.slice(shown, shown + count).map((item, i) => view(item, shown + i)));
    shown = Math.min(shown + count, kept.length);
    more.hidden = shown === kept.length;
    more.textContent = `Show ${digits(Math.min(4 * page, kept.length - shown))} more`;
  };
  const update = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const choices = Object.fromEntries(Object.entries(selects)
      .map(([name, { value }]) => [name, value]));
    kept = items.filter((item) =>
      Object.entries(filters).every(([name, { keep }]) =>
        !choices[name] || keep(item, choices[name])) &&
      wanted.every((word) => textOf(item).includes(word)));
    if (sorts[selects.sort?.value]) kept.sort(sorts[selects.sort.value]);
    counted.textContent = `${digits(kept.length)} of ${digits(items.length)}`;
    shownItems.replaceChildren();
    shown = 0;
    showMore(page);
  };

  const controls = element('div', { className: 'controls' },
    element('label', {}, 'Search ', search));
  const add = (name, label, options, chosen) => {
    const [control, select] = selectOf(label, options, chosen, update);
    selects[name] = select;
    controls.append(control);
  };
  for (const [name, { label, options, chosen }] of Object.entries(filters))
    add(name, label, options, chosen);
  if (Object.keys(sorts).length > 1)
    add('sort', 'Order', Object.keys(sorts).map((title) => [title, title]), Object.keys(sorts)[0]);
  search.oninput = update;
  more.onclick = () => showMore(4 * page);
  update();
  const choose = (name, value) => {
    for (const [other, select] of Object.entries(selects))
      if (other !== 'sort') select.value = other === name ? value : '';
    search.value = '';
    update();
    controls.scrollIntoView();
  };
  return { list: element('div', { className: 'list' }, controls, counted, shownItems, more),
    choose };
}

// One line for an item, which opens. body() makes what is inside at the first time.
export function opening(className, summary, body, open = false) {
  const made = element('details', { className }, element('summary', {}, ...summary));
  made.addEventListener('toggle', () => {
    if (made.open && made.children.length === 1) made.append(body());
  });
  made.open = open;
  return made;
}

export const badge = (state) =>
  element('span', { className: `badge ${state}`, textContent: state });

function differenceRow(title, difference, unit) {
  const value = (key) => element('span', {}, `${valueText(difference[key])} `,
    element('code', { className: 'soft', textContent: difference[`${key}Hex`] ?? '' }));
  return [title,
    { content: element('code', { textContent: `[${(difference.coordinates ?? []).join(',')}]` }) },
    { className: 'number', content: value('expected') },
    { className: 'number', content: value('actual') },
    { className: 'number', content: `${difference.ulps ?? 'NaN'} ${unit}` }];
}

// What is known of a result: what differs, the oracle's words, the first and the worst element.
// record: of a case, or a side of a change.
export function resultOf(name, record) {
  const tensor = tensorOf(name);
  const unit = unitOf(tensor.type);
  const { first, worst, verdict, unstable } = record;
  const parts = [element('p', {}, element('strong', { textContent: record.state }),
    headlineOf(record) ? `: ${headlineOf(record)}` : '')];
  if (verdict) parts.push(element('p', { textContent: `The oracle: ${verdict}` }));
  if (unstable?.verdicts) {
    parts.push(element('pre', { textContent: ['the first output', 'the other one'].map((which, i) =>
      `${which}: ${unstable.verdicts[i]}`).join('\n') }));
  }
  if (first?.expected !== undefined) {
    parts.push(tableOf(['', 'element', 'expected', 'actual', 'distance'],
      [['first', first], ['worst', worst]].filter(([, difference]) => difference)
        .map(([title, difference]) => differenceRow(title, difference, unit))));
  }
  return element('div', {}, ...parts);
}

// A case as an item of a list; without a record it passed. commands: to run it again.
export function caseItem({ name, state, record }, commands, open) {
  const headline = record ? headlineOf(record) : '';
  const body = () => {
    const lines = Object.values(commands).map((command) => command.replace(/NAME$/, name));
    return element('article', { className: state },
      record ? resultOf(name, record)
        : soft('It passed: the expected bits, and no other byte changed.'),
      element('pre', { textContent: lines.join('\n') }));
  };
  const said = headline ? [' ', element('span', { className: 'soft', textContent: headline })] : [];
  return opening(`case ${state}`, [badge(state), ' ', caseName(name), ...said], body, open);
}
