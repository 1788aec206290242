// SPDX-License-Identifier: MIT
// The map of an output that is wrong, from the member of its record that tools/sweep/profile.h
// describes. A map whose data are missing, or do not fit the tensor, is left out.
import { drawn, element } from './elements.js';

function figure(width, height, what, caption, ...shapes) {
  return element('figure', {},
    drawn('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
      'aria-label': what }, ...shapes.flat()),
    element('figcaption', { textContent: caption }));
}

function textAt(x, y, anchor, text, more = {}) {
  return drawn('text', { x, y, 'text-anchor': anchor, ...more }, text);
}

const rectangle = (name, x, y, width, height) =>
  drawn('rect', { class: name, x, y, width, height });

// A label beside a share of the height, counted from below.
const labelLeft = ({ left, top, height }, share, text) =>
  textAt(left - 4, top + height * (1 - share) + 4, 'end', text);

const labelBelow = ({ left, top, width, height }, share, text, anchor = 'middle') =>
  textAt(left + width * share, top + height + 13, anchor, text);

const titleBelow = ({ left, top, width, height }, text) =>
  textAt(left + width / 2, top + height + 28, 'middle', text);

// Upwards along the left edge of the picture.
function titleLeft({ top, height }, text) {
  const y = top + height / 2;
  return textAt(11, y, 'middle', text, { transform: `rotate(-90 11 ${y})` });
}

// The indices of a dimension in at most 64 bins of equal width; the last may be narrower.
function binsOf(dimension, size) {
  const width = Math.floor((size - 1) / 64) + 1;
  return { dimension, size, width, count: Math.floor((size - 1) / width) + 1 };
}

// The characters of a map, from few elements of a cell that differ to all.
const heatLevels = '0123456789#';

// All cells of a level are one path, and neighbours in a row are one rectangle.
function heatPath(area, rows, level, cell) {
  const runs = rows.flatMap((row, r) =>
    [...row.matchAll(new RegExp(`${level}+`, 'g'))].map((run) => {
      const width = cell.width * run[0].length;
      return `M${area.left + cell.width * run.index} ${area.top + cell.height * r}h${width}` +
        `v${cell.height}h-${width}z`;
    }));
  return runs.length ? drawn('path', { class: 'heat', d: runs.join(''),
    'fill-opacity': (0.2 + 0.08 * heatLevels.indexOf(level)).toFixed(2) }) : '';
}

// Where elements differ in two dimensions of the tensor.
function heatChart(map, tensor, first) {
  const lines = map?.differing;
  const { sizes } = tensor;
  if (!Array.isArray(lines) || !(map.columns < sizes.length)) return null;
  const oneRow = map.rows === null; // no dimension runs along the rows
  const columns = binsOf(map.columns, sizes[map.columns]);
  const rows = oneRow ? binsOf(0, 1) : binsOf(map.rows, sizes[map.rows] ?? 0);
  if (lines.length !== rows.count || lines.some((line) => line.length !== columns.count))
    return null;
  const cell = { width: Math.min(252 / columns.count, 18), height: Math.min(192 / rows.count, 18) };
  const area = { left: 58, top: 8, width: cell.width * columns.count,
    height: cell.height * rows.count };
  const shapes = [...heatLevels].map((level) => heatPath(area, lines, level, cell));
  shapes.push(rectangle('frame', area.left, area.top, area.width, area.height));
  const at = (bins) => Math.floor(first[bins.dimension] / bins.width);
  if (first) {
    shapes.push(rectangle('mark', area.left + cell.width * at(columns),
      area.top + cell.height * (oneRow ? 0 : at(rows)), cell.width, cell.height));
  }
  const title = ({ dimension }) =>
    `dimension ${dimension}${dimension === tensor.axis ? ' (axis)' : ''}`;
  shapes.push(labelBelow(area, 0.5 / columns.count, '0'), titleBelow(area, title(columns)));
  if (columns.size > 1) shapes.push(labelBelow(area, 1, `${columns.size - 1}`, 'end'));
  if (!oneRow) {
    shapes.push(labelLeft(area, 1 - 0.5 / rows.count, '0'),
      labelLeft(area, 0.5 / rows.count, `${rows.size - 1}`), titleLeft(area, title(rows)));
  }
  // The titles need room even if there are few cells.
  return figure(Math.max(area.width, 130) + 68, 42 + Math.max(area.height, oneRow ? 0 : 96),
    'Where in the tensor elements differ',
    'Where: the darker a cell, the more of it differs; the first difference is outlined', shapes);
}

// The map of a record, or nothing. tensor: {sizes, axis}. first: coordinates of the first
// difference.
export function chartsOf(record, tensor, first) {
  const chart = heatChart(record.heatMap, tensor, first);
  return chart ? element('div', { className: 'charts' }, chart) : '';
}
