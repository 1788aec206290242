// SPDX-License-Identifier: MIT
// Elements of a report. Texts from outside become text nodes, never markup.

export function element(name, members = {}, ...children) {
  const made = Object.assign(document.createElement(name), members);
  made.append(...children);
  return made;
}

// An element of SVG with these attributes.
export function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export const soft = (text) => element('p', { className: 'soft', textContent: text });

// 12345 as "12,345"
export const digits = (count) => Number(count).toLocaleString('en');

// "1 case", "3 cases"
export const several = (count, thing) => `${digits(count)} ${thing}${count === 1 ? '' : 's'}`;

// The name of a case, which may break after each dot and each x.
export function caseName(name) {
  const parts = name.split(/(?<=[.x])/);
  return element('code', { className: 'name' },
    ...parts.flatMap((part, i) => i ? [document.createElement('wbr'), part] : [part]));
}

// A part of a report. The first one has no title.
export function section(part, title, ...children) {
  const heads = title ? [element('h2', { textContent: title })] : [];
  const made = element('section', {}, ...heads, ...children);
  made.dataset.part = part;
  return made;
}

// "PASS 3 of 3 cases pass", of which the first word is in the color of its class.
export const leadOf = (className, verdict, text) => element('p', { className: 'lead' },
  element('span', { className: `verdict ${className}`, textContent: verdict }), ` ${text}`);

// What is wider than a narrow screen.
export const scrolling = (content) =>
  element('div', { className: 'scroll', tabIndex: 0 }, content);

// A cell that can be pressed.
export const buttonCell = (text, onclick) =>
  ({ value: text, content: element('button', { type: 'button', textContent: text, onclick }) });

// A cell of a number. Zeros are pale, so that the other numbers of a column stand out.
export function countCell(count) {
  return { value: count, className: count ? 'number' : 'number zero', content: digits(count) };
}

// A bar of the share part / whole, and the share in percent.
export function shareCell(part, whole) {
  if (!whole) return { value: -1, className: 'share zero', content: 'none ran' };
  const share = 100 * part / whole;
  const bar = drawn('svg',
    { viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    drawn('rect', { class: 'track', width: 100, height: 8 }),
    drawn('rect', { class: 'bad', width: part && share < 1 ? 1 : share, height: 8 }));
  return { value: share, className: 'share',
    content: element('span', {}, bar, `${share.toFixed(share > 0 && share < 10 ? 1 : 0)} %`) };
}

function tableCell(cell, name) {
  const { content, className = '' } = typeof cell === 'object' ? cell : { content: cell };
  return element(name, { className }, content);
}

const valueOf = (cell) => typeof cell === 'object' ? cell.value ?? cell.content : cell;

function compareCells(a, b) {
  const [x, y] = [valueOf(a), valueOf(b)];
  return typeof x === 'number' && typeof y === 'number' ? x - y
    : String(x).localeCompare(String(y));
}

// A table that scrolls sideways on a narrow screen. A cell is a text or {content, className,
// value}. With sorts, a click on a head sorts the rows by the values of its column, and another one
// reverses them.
export function tableOf(heads, rows, { sorts = false } = {}) {
  const body = element('tbody');
  const show = (shown) => body.replaceChildren(...shown.map((cells) =>
    element('tr', {}, ...cells.map((cell, i) => tableCell(cell, i ? 'td' : 'th')))));
  const headCells = heads.map((text, column) => {
    const className = /^number/.test(rows[0]?.[column]?.className) ? 'number' : '';
    if (!sorts || !text) return element('th', { className, scope: 'col', textContent: text });
    const head = element('th', { className, scope: 'col' });
    head.append(element('button', { type: 'button', textContent: text, onclick: () => {
      const before = head.getAttribute('aria-sort');
      const falls = before ? before === 'ascending' : className === 'number';
      for (const other of headCells) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', falls ? 'descending' : 'ascending');
      show([...rows].sort((a, b) => (falls ? -1 : 1) * compareCells(a[column], b[column])));
    } }));
    return head;
  });
  show(rows);
  const table = element('table', {}, body);
  if (heads.some((text) => text))
    table.prepend(element('thead', {}, element('tr', {}, ...headCells)));
  return scrolling(table);
}
