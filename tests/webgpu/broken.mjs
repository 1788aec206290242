// SPDX-License-Identifier: MIT
// node broken.mjs DEFECT [ARGUMENT]...: web/webgpu/serve.mjs, or subgroups.mjs for the defects of
// subgroups, with a defect planted in its WGSL.

import { createRequire } from 'node:module';

// What is replaced, and by what, in every shader that has it.
const DEFECTS = {
  // Begins each chunk of a line with +0 instead of its carry-in.
  'chunk': ['sum = load_work(line);', 'sum = zero();'],
  // Stores each output one element further on.
  'place': ['store_cell(stage_line[at.x].y + ', 'store_cell(1 + stage_line[at.x].y + '],
  // Also stores each output one element further on, even into a gap.
  'gap': ['{ output[place] = value; }', '{ output[place] = value; output[place + 1] = value; }'],
  // Rounds ties of binary16 sums up instead of to even.
  'ties': ['magnitude + 0xFFF + ((magnitude >> 13) & 1)', 'magnitude + 0x1000'],
  // Begins with -0, so a line of -0 stays -0.
  'zero': ['fn zero() -> running_sum { return hidden_zero(); }',
           'fn zero() -> running_sum { return 0x80000000; }'],
  // Exchanges the halves of a word that one thread stores.
  'halves': ['narrow(value) | (narrow(other) << 16)', 'narrow(other) | (narrow(value) << 16)'],
  // Stores a half as a whole word, so the other half is lost.
  'word': [/atomicXor\((&.*?), .*;/, 'atomicStore($1, narrow(value) << ((place & 1) * 16));'],
  // Adds the elements of a block in sequential order instead of by Sklansky's network.
  'tree': [/( {2}v\d+ = add.*\n)+/,
           Array.from({ length: 15 }, (_, i) => `v${i + 1} = add(v${i}, v${i + 1});\n`).join('')],
  // Begins a tile of an exclusive scan with the sum of the tiles before it, not the running sum
  // after the last of them, which can differ in its bits.
  'tile': ['before = sum_before(line, tile);', 'before = tiles_before(line, tile);'],
  // Drops the carry from the low to the high word of a 64-bit sum.
  'carry': ['u32(low < a.x)', '0'],
  // Flushes subnormal elements, but not subnormal sums.
  'flush': [/(fn round_sum\(bits: u32\) -> u32 \{\n) {2}return .*;/, '$1 return bits;'],
};
const SUBGROUPS = {
  // Loses the element of a lane.
  'dropped': ['let value = x[at];', 'let value = select(x[at], element(0), lane == 1);'],
  // Also adds the values of inactive lanes.
  'inactive': ['if (is_active) { y[at] = scan(value); }',
               'let sum = scan(value); if (is_active) { y[at] = sum; }'],
  'inactive-add': ['if (is_active && lane <= last)', 'if (lane <= last)'],
  // Leaves the last lane out.
  'last': ['is_active && lane <= last', 'is_active && (lane < last || lane == 0)'],
  // Never scans exclusively.
  'inclusive': ['work.exclusive == 1', 'false'],
  // Stores sums of FLOAT32 as BFLOAT16.
  'narrow': ['y[at] = scan(value);',
             'y[at] = bitcast<f32>(bitcast<u32>(scan(value)) & 0xFFFF0000u);'],
  // Forgets the subgroup before, in a workgroup.
  'before': ['other < part;', 'other + 1 < part;'],
};

const [name] = process.argv.splice(2, 1);
const [from, to] = DEFECTS[name] ?? SUBGROUPS[name];
const { globals } = createRequire(import.meta.url)('webgpu');
const { prototype } = globals.GPUDevice;
const create = prototype.createShaderModule;
prototype.createShaderModule = function (descriptor) {
  return create.call(this, { ...descriptor, code: descriptor.code.replace(from, to) });
};
await import(`../../web/webgpu/${name in DEFECTS ? 'serve' : 'subgroups'}.mjs`);
