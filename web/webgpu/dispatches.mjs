// SPDX-License-Identifier: MIT
// Which dispatches a scan takes. A dispatch is {order, element, buffer, work, constants, groups}:
// `buffer` is what it writes, 'output' or the number of a level's records; `work` is the number of
// the records or carries that it uses.

import { ELEMENTS } from './elements.mjs';
import { inputIsInterleaved, layoutOf, outputIsInterleaved } from './layout.mjs';
import { BLOCK, CONSTANTS, DIMENSIONS, FLAGS, RECORD, THREADS, TILE } from './shaders.mjs';

// No dispatch takes long, so that none runs into a time limit of the device: it sums at most CHUNK
// elements of a line, and about MOST elements, in at most as many groups as every device takes.
const CHUNK = 8192;
const MOST = 2 ** 22;
const MOST_GROUPS = 65535;
// A GPU is busy with this many groups.
const ENOUGH_GROUPS = 256;
// Interleaved lines that a group takes at least, to use whole cache lines.
const INTERLEAVED_LINES = 16;
// With fewer lines than this, the blocked order sums long lines of integers, in any order the same.
const MANY_LINES = 16384;

const ELEMENT_OF = {
  INT32: 'INTEGER32', UINT32: 'INTEGER32', INT64: 'INTEGER64', UINT64: 'INTEGER64',
};

function elementOf({ type, halfAccumulator }) {
  if (type === 'FLOAT16' && halfAccumulator === 'float16') return 'FLOAT16_HALF';
  return ELEMENT_OF[type] ?? type;
}

function flagsOf(work) {
  return (work.exclusive ? FLAGS.EXCLUSIVE : 0) | (work.inPlace ? FLAGS.IN_PLACE : 0) |
    (work.denormals === 'flush' && work.type === 'FLOAT32' ? FLAGS.FLUSH : 0) |
    (work.halfStore === 'toward-zero' ? FLAGS.TRUNCATE : 0) |
    (work.halfStore === 'ieee' ? FLAGS.IEEE_OVERFLOW : 0);
}

function constantsOf(layout, values) {
  const words = new Uint32Array(CONSTANTS.length + 4 * DIMENSIONS); // takes numbers modulo 2^32
  const named = {
    input_base: layout.inputBase, output_base: layout.outputBase,
    input_step: layout.inputStep, output_step: layout.outputStep,
    line_count: layout.lines, line_length: layout.length, rank: layout.outer.length, ...values,
  };
  CONSTANTS.forEach((name, i) => { words[i] = named[name] ?? 0; });
  layout.outer.forEach(({ size, input, output }, d) =>
    words.set([size, input, output], CONSTANTS.length + 4 * d));
  return words;
}

// Cuts `groups` into dispatches; a group sums up to `elements`.
function* cut(dispatch, layout, values, groups, elements) {
  const most = Math.max(1, Math.min(MOST_GROUPS, Math.floor(MOST / elements)));
  for (let first = 0; first < groups; first += most)
    yield {
      ...dispatch,
      constants: constantsOf(layout, { ...values, first_group: first }),
      groups: Math.min(most, groups - first),
      elements: Math.min(most, groups - first) * elements,
    };
}

// log2 of the rows of the stage that a line takes. With few lines, fewer share a group: more groups
// then work at a time, and each stages more elements of a line at once.
function sequentialShift(layout, interleaved) {
  const least = interleaved ? Math.min(layout.lines, INTERLEAVED_LINES) : 1;
  let shift = 0;
  while (shift < 6 && THREADS >> (shift + 1) >= least &&
         THREADS >> shift > layout.lines / ENOUGH_GROUPS) shift++;
  return shift;
}

function* sequential(element, layout, flags) {
  const [load, store] = [inputIsInterleaved(layout), outputIsInterleaved(layout)];
  const shift = sequentialShift(layout, load || store);
  const lines = THREADS >> shift;
  for (let first = 0; first < layout.length; first += CHUNK) {
    const length = Math.min(CHUNK, layout.length - first);
    const chunk = {
      ...layout, length,
      inputBase: layout.inputBase + first * layout.inputStep,
      outputBase: layout.outputBase + first * layout.outputStep,
    };
    yield* cut({ order: 'sequential', element, buffer: 'output', work: 0 }, chunk, {
      line_shift: shift,
      flags: flags | (load ? FLAGS.LOAD_INTERLEAVED : 0) | (store ? FLAGS.STORE_INTERLEAVED : 0) |
        (first > 0 ? FLAGS.CONTINUES : 0) |
        (first + length < layout.length ? FLAGS.CONTINUED : 0),
    }, Math.ceil(layout.lines / lines), lines * length);
  }
}

// The tiles of one level: of the tensor's lines, or of the records of the level below.
function* tiles(dispatch, layout, flags) {
  let shift = 0;
  while (shift < 6 && BLOCK << shift < layout.length) shift++;
  const lines = THREADS >> shift;
  const count = Math.ceil(layout.length / TILE);
  yield* cut({ ...dispatch, order: 'blocked' }, layout, {
    flags: flags | (inputIsInterleaved(layout) ? FLAGS.LOAD_INTERLEAVED : 0) |
      (outputIsInterleaved(layout) ? FLAGS.STORE_INTERLEAVED : 0),
    tiles: count, line_shift: shift,
  }, Math.ceil(layout.lines / lines) * count, TILE);
}

// A reduce-then-scan: the totals of the tiles are the line of the next level, until a level has one
// tile; then each level is scanned, in place, from the top down, and at last the outputs. No group
// waits for another.
function* blocked(element, layout, flags) {
  const above = FLAGS.IN_PLACE | FLAGS.EXCLUSIVE | (flags & FLAGS.FLUSH);
  const levels = [{ dispatch: { element, buffer: 'output', work: 0 }, layout, flags }];
  for (let tileCount; (tileCount = Math.ceil(levels.at(-1).layout.length / TILE)) > 1;) {
    const below = levels.length - 1;
    const stride = RECORD * tileCount;
    levels.push({
      dispatch: { element: ELEMENTS[element].accumulator, buffer: below, work: below + 1 },
      layout: {
        lines: layout.lines, length: tileCount, inputBase: 0, outputBase: 0,
        inputStep: RECORD, outputStep: RECORD,
        outer: layout.lines > 1 ? [{ size: layout.lines, input: stride, output: stride }] : [],
      },
      flags: above,
    });
  }
  for (const level of levels.slice(0, -1))
    yield* tiles(level.dispatch, level.layout, level.flags | FLAGS.TOTALS);
  for (const level of levels.reverse())
    yield* tiles(level.dispatch, level.layout, level.flags);
}

// How many bytes the work buffers have, by number.
function workSizes(order, element, layout) {
  const { sumSize } = ELEMENTS[element];
  if (order === 'sequential') return layout.length > CHUNK ? [layout.lines * sumSize] : [];
  const sizes = [];
  for (let length = layout.length; length > TILE; length = Math.ceil(length / TILE))
    sizes.push(Math.ceil(length / TILE) * layout.lines * RECORD * sumSize);
  return sizes;
}

// {element, workSizes, dispatches: an iterable}
export function planOf(work) {
  const element = elementOf(work);
  const layout = layoutOf(work);
  const integers = element.startsWith('INTEGER');
  const order = work.order === 'blocked' ||
    (integers && layout.lines < MANY_LINES && layout.length > TILE) ? 'blocked' : 'sequential';
  const flags = flagsOf(work);
  return {
    workSizes: workSizes(order, element, layout),
    dispatches: (order === 'blocked' ? blocked : sequential)(element, layout, flags),
  };
}
