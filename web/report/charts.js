// SPDX-License-Identifier: MIT
// The charts of an output that is wrong, from the members of its record that
// tools/sweep/profile.h describes. A chart whose data are missing, or do not fit the tensor, is
// left out.
import { drawn, element } from './elements.js';

// An area of a chart that values are drawn into, in pixels. Labels are around it.
const plot = (top, height, left = 58, width = 252) => ({ left, top, width, height });

function figure(width, height, what, caption, ...shapes) {
  return element('figure', {},
    drawn('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
      'aria-label': what }, ...shapes.flat()),
    element('figcaption', { textContent: caption }));
}

function textAt(x, y, anchor, text, more = {}) {
  return drawn('text', { x, y, 'text-anchor': anchor, ...more }, text);
}

const rectangle = (name, x, y, width, height, title) => drawn('rect',
  { class: name, x, y, width, height }, ...title ? [drawn('title', {}, title)] : []);

// The edge of a plot, with a line at half its height.
function frame({ left, top, width, height }) {
  const middle = top + height / 2;
  return [rectangle('frame', left, top, width, height),
    drawn('line', { class: 'grid', x1: left, y1: middle, x2: left + width, y2: middle })];
}

// A column `index` of `count`, up to `share` of the height, and at least a hairline. The text is
// shown when a pointer is on it.
function column({ left, top, width, height }, index, count, share, name, title) {
  const step = width / count;
  const gap = step > 4 ? 1 : 0;
  const full = Math.max(1.5, height * Math.min(share, 1));
  const x = left + step * index + gap / 2;
  return rectangle(name, x, top + height - full, step - gap, full, title);
}

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

// "16" or "16 to 31"
function indices({ size, width }, bin) {
  const first = bin * width;
  const last = Math.min(first + width, size) - 1;
  return last > first ? `${first} to ${last}` : `${first}`;
}

// Which elements along the axis differ, and below it the largest distance on a logarithmic scale.
function axisChart(along, tensor, unit) {
  const size = tensor.sizes[tensor.axis];
  const bins = binsOf(tensor.axis, size);
  const { differing, worst } = along ?? {};
  if (differing?.length !== bins.count || worst?.length !== bins.count ||
    along.binSize !== bins.width)
    return null;
  const [upper, lower] = [plot(8, 52), plot(74, 54)];
  const distances = worst.map(Number);
  const most = Math.max(...distances);
  const share = (distance) => most ? Math.log2(distance + 1) / Math.log2(most + 1) : 0;
  const shapes = [];
  for (let bin = 0; bin < bins.count; bin++) {
    if (!differing[bin]) continue;
    const where = indices(bins, bin);
    const span = Math.min(bins.width, size - bin * bins.width);
    const there = tensor.elements / size * span;
    shapes.push(column(upper, bin, bins.count, differing[bin] / there, 'column',
      `${where}: ${differing[bin]} of ${there} differ`));
    shapes.push(worst[bin] === null
      ? column(lower, bin, bins.count, 1, 'special', `${where}: a NaN against a number`)
      : column(lower, bin, bins.count, share(distances[bin]), 'worst',
        `${where}: ${worst[bin]} ${unit}`.trim()));
  }
  const step = Math.ceil(bins.count / 6); // at most six labels have room
  for (let bin = 0; bin < bins.count; bin += step)
    shapes.push(labelBelow(lower, (bin + 0.5) / bins.count, `${bin * bins.width}`));
  return figure(320, 162, 'Which elements along the axis differ, and by how much',
    'Along the axis: how many elements differ, and the largest distance', frame(upper),
    frame(lower), shapes, labelLeft(upper, 0, '0'), labelLeft(upper, 1, 'all'),
    titleLeft(upper, 'differ'), labelLeft(lower, 0, '0'),
    labelLeft(lower, 1, most < 1e5 ? `${most}` : most.toExponential(1)),
    titleLeft(lower, unit || 'distance'),
    titleBelow(lower, `index along dimension ${along.dimension}, summed ` +
      `${tensor.decreasing ? '\u2190 downwards' : 'upwards \u2192'}`));
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

// Where elements differ in two dimensions of the tensor. first: coordinates of the first
// difference.
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
  const area = plot(8, cell.height * rows.count, 58, cell.width * columns.count);
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

// How many elements have which distance. Columns would be too wide with fewer powers of two than 8.
function histogramChart(histogram, unit) {
  const powers = [...histogram?.log2 ?? []];
  while (powers.length < 8) powers.push(0);
  const columns = powers.map((count, power) => {
    const least = BigInt(1) << BigInt(power);
    return { count, label: power < 14 ? `${least}` : `2^${power}`,
      range: `${least} to ${least + least - BigInt(1)} ${unit}`.trim() };
  });
  const special = (count, label, range) => count ? [{ count, label, range, special: true }] : [];
  columns.unshift(...special(histogram?.signOfZero, '\u00b10', '+0 and -0'));
  columns.push(...special(histogram?.nan, 'NaN', 'a NaN against a number'));
  const most = Math.max(...columns.map(({ count }) => count));
  if (!most) return null;
  const area = plot(8, 120);
  const step = Math.ceil(columns.length / (columns.length < 15 ? 9 : 7)); // labels have room
  const shapes = columns.flatMap(({ count, label, range, special: named }, i) => [
    count ? column(area, i, columns.length, count / most, named ? 'special' : 'column',
      `${range}: ${count}`) : '',
    named || i % step === 0 ? labelBelow(area, (i + 0.5) / columns.length, label) : '']);
  return figure(320, 162, 'How far apart expected and actual elements are',
    'Distances: each column is a power of two', frame(area), shapes, labelLeft(area, 0, '0'),
    labelLeft(area, 1, `${most}`), titleLeft(area, 'elements'),
    titleBelow(area, unit ? `distance in ${unit}` : 'distance'));
}

// The charts of a record. tensor: {sizes, axis, elements, decreasing}. unit: of distances, or "".
export function chartsOf(record, tensor, unit, first) {
  const charts = [heatChart(record.heatMap, tensor, first),
    axisChart(record.alongAxis, tensor, unit),
    histogramChart(record.ulpHistogram, unit)].filter(Boolean);
  return charts.length ? element('div', { className: 'charts' }, ...charts) : '';
}
