// SPDX-License-Identifier: MIT
// The features of cases, which their names tell, and how well each tells whether a case fails.

// Ranges end where implementations change their method: vectors, blocks, tiles, thread groups.
const lengths = [[1, '1'], [16, '2 to 16'], [64, '17 to 64'], [256, '65 to 256'],
  [1024, '257 to 1024'], [65536, '1025 to 65536'], [Infinity, 'above 65536']];
const rangeOf = (number, ranges) => ranges.find(([last]) => number <= last)[1];

// A tensor in a name: "in-packed", "in-72x1+32", "out-place".
function layoutOf(text) {
  const [layout, offset] = text.slice(text.indexOf('-') + 1).split('+');
  return { layout, strides: layout.split('x').map(Number), offset: Number(offset ?? 0) };
}

function featuresOf(name) {
  const [type, numerics, direction, sum, sizeText, axisText, inText, outText, data] =
    name.split('.');
  const sizes = sizeText.split('x').map(Number);
  const axis = Number(axisText.slice(4));
  const [input, output] = [layoutOf(inText), layoutOf(outText)];
  const lines = sizes.reduce((product, size) => product * size, 1) / sizes[axis];
  const place = output.layout === 'place';
  const offsets = [input.offset && 'input', !place && output.offset && 'output'].filter(Boolean);
  return {
    'data type': type, numerics, direction, sum,
    axis: `along the ${sizes.length === 1 ? 'only' : axis + 1 === sizes.length ? 'last'
      : axis === 0 ? 'first' : 'middle'} dimension`,
    input: input.layout === 'packed' ? 'input packed' : 'input with strides',
    'strides of 0': `the input repeats ${
      sizes.some((size, d) => size > 1 && input.strides[d] === 0) ? 'elements' : 'nothing'}`,
    output: place ? 'output in place'
      : output.layout === 'packed' ? 'output packed' : 'output with strides',
    'offset in the buffer': ['no offset', `offset of the ${offsets[0]}`,
      'offsets of both tensors'][offsets.length],
    data, 'length of the lines': rangeOf(sizes[axis], lengths),
    lines: rangeOf(lines, [[1, '1'], [64, '2 to 64'], [Infinity, 'above 64']]),
    dimensions: `${sizes.length}`,
  };
}

// The entropy, in nats, of the outcomes of these cases.
function entropy({ failed, all }) {
  const part = (share) => share ? -share * Math.log(share / all) : 0;
  return part(failed) + part(all - failed);
}

// Theil's uncertainty coefficient ("On the Estimation of Relationships Involving Qualitative
// Variables", 1970): the mutual information of value and outcome, divided by the outcome's entropy.
function coefficientOf(values, whole) {
  const within = values.reduce((sum, [, counts]) => sum + entropy(counts), 0);
  return entropy(whole) ? 1 - within / entropy(whole) : 0;
}

// Up to six features that separate failing from other cases best, each with its values:
// [title, [[text, { failed, all }], ...]].
export function tellingFeatures(cases) {
  const tables = new Map();
  const whole = { failed: 0, all: cases.length };
  for (const one of cases) {
    whole.failed += one.failed;
    for (const [title, text] of Object.entries(featuresOf(one.name))) {
      if (!tables.has(title)) tables.set(title, new Map());
      const counts = tables.get(title).get(text) ?? { failed: 0, all: 0 };
      tables.get(title).set(text,
        { failed: counts.failed + one.failed, all: counts.all + 1 });
    }
  }
  const share = ([, { failed, all }]) => failed / all;
  return [...tables].map(([title, values]) =>
    [title, [...values].sort((a, b) => share(b) - share(a) || (a[0] < b[0] ? -1 : 1))])
    .map((table) => [coefficientOf(table[1], whole), table])
    .filter(([coefficient]) => coefficient > 0.03)
    .sort(([a], [b]) => b - a).slice(0, 6).map(([, table]) => table);
}
