// SPDX-License-Identifier: MIT
// Records in words.

// A line of JSON. Integers that a number of JavaScript cannot hold stay texts.
export function parseRecord(line) {
  if (!/\d{16}/.test(line)) return JSON.parse(line);
  return JSON.parse(line, (key, value, context) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source ?? value : value);
}

// A value as the tool prints it.
export const valueText = (value) => Object.is(value, -0) ? '-0' : `${value}`;

// What was examined: the device, or "cpu, kernel auto".
export const subjectOf = (header) => header.device || `${header.backend}, kernel ${header.kernel}`;

// "lines of 513 elements or more and exclusive: 1307 of 1307 cases, elsewhere 0", or ''.
export const conditionsOf = (common) => common?.conditions?.length
  ? `${common.conditions.join(' and ')}: ${common.failed} of ${common.of} cases, elsewhere 0` : '';

// What happened to a case, in one line: "3 of 148 elements differ; ...", or ''.
export function headlineOf(record) {
  const { differing, outputs, reason, before, adapted, change, outcome } = record;
  return [outcome, change,
    differing && !record.unstable ? `${differing} of ${outputs} elements differ` : '',
    adapted?.length ? `adapted: ${adapted.join(', ')}` : '',
    reason, before ? `before: ${before}` : ''].filter(Boolean).join('; ');
}

// The unit of distances: "ulp", "" for integers.
export const unitOf = (type) => /^float|^bfloat/i.test(type) ? 'ulp' : '';

// The tensor of a case, from its name.
export function tensorOf(name) {
  const [type, , direction, , sizes, axis] = name.split('.');
  const numbers = sizes.split('x').map(Number);
  return { type, sizes: numbers, axis: Number(axis.slice(4)),
    decreasing: direction === 'decreasing',
    elements: numbers.reduce((product, size) => product * size, 1) };
}
