// SPDX-License-Identifier: MIT
// The WGSL of both orders (docs/numerics.md). A workgroup of 64 threads moves elements of one or
// more lines through workgroup memory, the stage: 64 rows of 16 elements, of which a line takes 1
// << line_shift, so 64 >> line_shift lines share the stage. A row is one cell longer than its
// elements: that length is odd, so threads that go along their own rows access different banks.

import { ELEMENTS, elementWgsl } from './elements.mjs';

export const THREADS = 64;
export const BLOCK = 16;
export const TILE = 1024;
export const RECORD = 3; // running sums of a tile's record

export const FLAGS = {
  EXCLUSIVE: 1,
  IN_PLACE: 2,
  CONTINUES: 4, // sequential: the carry-ins are in `work`
  CONTINUED: 8, // sequential: leave the carry-outs there
  TOTALS: 16, // blocked: write the tiles' records, and no output
  LOAD_INTERLEAVED: 32, // adjacent threads load from adjacent lines
  STORE_INTERLEAVED: 64,
  FLUSH: 128, // FLOAT32: subnormals become zeros
  TRUNCATE: 256, // FLOAT16 stores round toward zero
  IEEE_OVERFLOW: 512, // FLOAT16 stores: infinity from 65520 on
};

// Places, steps and strides are in elements, modulo 2^32. The uniform buffer holds these words;
// each dimension of the lines, the innermost first, has its size, input stride and output stride.
export const CONSTANTS = [
  'input_base', 'output_base', // the element k = 0 of line 0, k in traversal order
  'input_step', 'output_step', // from an element to the next one in traversal order
  'line_count', 'line_length', 'flags', 'rank',
  'first_group', // of this dispatch
  'tiles', // of a line
  'line_shift', 'unused',
];
export const DIMENSIONS = 7;
export const CONSTANT_BYTES = 4 * (CONSTANTS.length + 4 * DIMENSIONS);

const constants = `
struct Constants {
  ${CONSTANTS.map(name => `${name}: u32,`).join(' ')}
  dimensions: array<vec4u, ${DIMENSIONS}>,
}
@group(0) @binding(0) var<uniform> c: Constants;
${Object.entries(FLAGS).map(([name, bit]) => `const ${name} = ${bit}u;`).join('\n')}
fn has(flag: u32) -> bool { return (c.flags & flag) != 0; }
// +0 that no compiler can recognize: the bit is never set. With a constant, +0 + x could be folded
// to x, which differs for x = -0.
fn hidden_zero() -> u32 { return c.flags & 0x80000000; }

const FLOAT_INFINITY = 0x7F800000u;
const FLOAT_65504 = 0x477FE000u; // the largest finite binary16
const FLOAT_65520 = 0x477FF000u; // halfway from there to 65536
const FLOAT_65536 = 0x47800000u;
const FLOAT_2_TO_M14 = 0x38800000u; // the smallest normal binary16
const EXPONENT_BIAS = 0x38000000u; // 127 - 15, in binary32's exponent field

// Input and output place of a line's element k = 0.
fn line_places(line_number: u32) -> vec2u {
  var rest = line_number;
  var place = vec2u(c.input_base, c.output_base);
  for (var d = 0u; d < c.rank; d++) {
    let dimension = c.dimensions[d];
    place += rest % dimension.x * dimension.yz;
    rest /= dimension.x;
  }
  return place;
}`;

const IN_FLIGHT = 4; // loads of a thread
const inFlight = Array.from({ length: IN_FLIGHT }, (_, i) => i);

const stage = `
const ROWS = ${THREADS}u; // 2^6
const ROW = ${BLOCK}u; // 2^4
const STRIDE = ROW + 1;
var<workgroup> stage: array<running_sum, ROWS * STRIDE>;
var<workgroup> stage_line: array<vec2u, ROWS>; // line_places of the group's lines

fn lines_per_group() -> u32 { return ROWS >> c.line_shift; }
fn elements_per_line() -> u32 { return ROW << c.line_shift; }
fn cell_of(nth: u32, i: u32) -> u32 { return ((nth << c.line_shift) + i / ROW) * STRIDE + i % ROW; }

// A barrier must follow.
fn enter_lines(thread: u32, first_line: u32) {
  if (thread < lines_per_group()) {
    stage_line[thread] = line_places(min(first_line + thread, c.line_count - 1));
  }
}

// The line of the group, and its staged element, that a thread moves in one of 16 rounds.
fn moved(round: u32, thread: u32, interleaved: bool) -> vec2u {
  let number = round * ROWS + thread;
  if (interleaved) { return vec2u(number & (lines_per_group() - 1), number >> (6 - c.line_shift)); }
  return vec2u(number >> (4 + c.line_shift), number & (elements_per_line() - 1));
}

// Loads the elements from \`start\` on of the group's lines. Cells beyond a line's end become +0.
// ${IN_FLIGHT} loads are in flight before the first of them is used.
fn fill_stage(thread: u32, start: u32) {
  let steps = vec2u(c.input_step, c.output_step);
  for (var round = 0u; round < ROW; round += ${IN_FLIGHT}) {
${inFlight.map(i => `
    let at${i} = moved(round + ${i}, thread, has(LOAD_INTERLEAVED));
    var x${i} = zero();
    if (start + at${i}.y < c.line_length) {
      x${i} = load(stage_line[at${i}.x] + (start + at${i}.y) * steps);
    }`).join('')}
${inFlight.map(i => `    stage[cell_of(at${i}.x, at${i}.y)] = x${i};`).join('\n')}
  }
}

fn empty_stage(thread: u32, first_line: u32, start: u32) {
  for (var round = 0u; round < ROW; round++) {
    let at = moved(round, thread, has(STORE_INTERLEAVED));
    if (first_line + at.x < c.line_count && start + at.y < c.line_length) {
      store_cell(stage_line[at.x].y + (start + at.y) * c.output_step, at, first_line, start);
    }
  }
}`;

// How a staged output is stored, the one at \`at\` as \`moved\` has it.
const storeWords = `
fn store_cell(place: u32, at: vec2u, first_line: u32, start: u32) {
  store(place, stage[cell_of(at.x, at.y)]);
}`;

// If the other half of the word is staged too, the thread of the lower half stores both.
const storeHalves = `
fn store_cell(place: u32, at: vec2u, first_line: u32, start: u32) {
  let value = stage[cell_of(at.x, at.y)];
  let is_upper = (place & 1) == 1;
  let ahead = select(1u, 0xFFFFFFFF, is_upper);
  var beside = at;
  if (has(STORE_INTERLEAVED)) { beside.x += ahead; } else { beside.y += ahead * c.output_step; }
  if (beside.x < lines_per_group() && first_line + beside.x < c.line_count &&
      beside.y < elements_per_line() && start + beside.y < c.line_length &&
      stage_line[beside.x].y + (start + beside.y) * c.output_step == (place ^ 1)) {
    let other = stage[cell_of(beside.x, beside.y)];
    if (!is_upper) { atomicStore(&output[place / 2], narrow(value) | (narrow(other) << 16)); }
  } else {
    store(place, value);
  }
}`;

// A thread sums a line. A dispatch scans line_length elements of each line, from the carry-ins on.
const sequential = `
// Sums the staged elements of the group's line \`nth\`, the first of which is element \`start\`.
// The cells become its outputs. Returns the line's sum so far.
fn sum_line(before: running_sum, nth: u32, start: u32) -> running_sum {
  var sum = before;
  let count = min(c.line_length - start, elements_per_line());
  for (var i = 0u; i < count; i++) {
    let cell = cell_of(nth, i);
    let after = add(sum, stage[cell]);
    stage[cell] = select(after, sum, has(EXCLUSIVE));
    sum = after;
  }
  return sum;
}

@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let first_line = (c.first_group + group.x) * lines_per_group();
  let line = first_line + thread;
  let is_line = thread < lines_per_group() && line < c.line_count;
  enter_lines(thread, first_line);
  var sum = zero();
  if (is_line && has(CONTINUES)) { sum = load_work(line); }
  workgroupBarrier();
  for (var start = 0u; start < c.line_length; start += elements_per_line()) {
    fill_stage(thread, start);
    workgroupBarrier();
    if (is_line) { sum = sum_line(sum, thread, start); }
    workgroupBarrier();
    empty_stage(thread, first_line, start);
    workgroupBarrier();
  }
  if (is_line && has(CONTINUED)) { store_work(line, sum); }
}`;

const elements = Array.from({ length: BLOCK }, (_, i) => i);

// Sklansky's network ("Conditional-Sum Addition Logic", 1960): in round s every element whose bit s
// is set adds the last element of the half before it.
function network() {
  const lines = [];
  for (let s = 1; s < BLOCK; s *= 2)
    for (let i = 0; i < BLOCK; i++)
      if (i & s) lines.push(`  v${i} = add(v${i}, v${(i | (s - 1)) ^ s});`);
  return lines.join('\n');
}

// A thread sums a block, and a workgroup a tile of 64 blocks, or the tiles of several lines of at
// most half a tile. If a line has more than one tile, each tile has a record of three running sums
// in \`work\`:
//
//     0   the tile's total; the next level's scan replaces it by C[t], the sum of the tiles before
//     1   the carry before the tile's last block
//     2   the last sum of that block
//
// C[t] + [1] + [2], in this order, is the running sum after the tile: an exclusive scan's first
// output of the next tile.
const blocked = `
var<workgroup> block_total: array<running_sum, ROWS>;
var<workgroup> block_carry: array<running_sum, ROWS>; // the line's blocks before this one

// Sums the block totals of each line in sequential order, one thread for each line.
fn run_carries(thread: u32) {
  if (thread >= lines_per_group()) { return; }
  var carry = zero();
  for (var row = thread << c.line_shift; row < (thread + 1) << c.line_shift; row++) {
    block_carry[row] = carry;
    carry = add(carry, block_total[row]);
  }
}

fn record_place(line: u32, tile: u32) -> u32 { return (line * c.tiles + tile) * ${RECORD}; }

// C[t]: the sum of the line's tiles before this one.
fn tiles_before(line: u32, tile: u32) -> running_sum {
  if (c.tiles == 1) { return zero(); }
  return load_work(record_place(line, tile));
}

// The running sum before the tile: the last inclusive sum of the tile before it, with the same
// bits.
fn sum_before(line: u32, tile: u32) -> running_sum {
  if (tile == 0) { return zero(); }
  let place = record_place(line, tile - 1);
  return add(add(load_work(place), load_work(place + 1)), load_work(place + 2));
}

@compute @workgroup_size(${THREADS})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let number = c.first_group + group.x;
  let first_line = number / c.tiles * lines_per_group();
  let tile = number % c.tiles;
  let line = min(first_line + (thread >> c.line_shift), c.line_count - 1);
  enter_lines(thread, first_line);
  workgroupBarrier();
  fill_stage(thread, tile * ${TILE});
  workgroupBarrier();
  let row = thread * STRIDE;
${elements.map(i => `  var v${i} = stage[row + ${i}];`).join('\n')}
${network()}
  block_total[thread] = v${BLOCK - 1};
  workgroupBarrier();
  run_carries(thread);
  workgroupBarrier();
  if (has(TOTALS)) {
    if (thread == ROWS - 1) {
      let place = record_place(line, tile);
      store_work(place, add(block_carry[thread], block_total[thread]));
      store_work(place + 1, block_carry[thread]);
      store_work(place + 2, block_total[thread]);
    }
    return;
  }
  let above = tiles_before(line, tile);
  let base = add(above, block_carry[thread]);
  var before = zero();
  if ((thread & ((1u << c.line_shift) - 1)) == 0) {
    before = sum_before(line, tile);
  } else {
    before = add(add(above, block_carry[thread - 1]), block_total[thread - 1]);
  }
${elements.map(i => `  v${i} = add(base, v${i});`).join('\n')}
  if (has(EXCLUSIVE)) {
    stage[row] = before;
${elements.slice(1).map(i => `    stage[row + ${i}] = v${i - 1};`).join('\n')}
  } else {
${elements.map(i => `    stage[row + ${i}] = v${i};`).join('\n')}
  }
  workgroupBarrier();
  empty_stage(thread, first_line, tile * ${TILE});
}`;

// order: 'sequential' or 'blocked'; element: a name of ELEMENTS.
export function shaderOf(order, element) {
  const store = ELEMENTS[element].size === 2 ? storeHalves : storeWords;
  return [constants, elementWgsl(element), stage, store, { sequential, blocked }[order]].join('\n');
}
