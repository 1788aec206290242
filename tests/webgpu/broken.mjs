// SPDX-License-Identifier: MIT
// node broken.mjs DEFECT [ARGUMENT]...: web/webgpu/serve.mjs, with a defect planted in its WGSL.

import { createRequire } from 'node:module';

// What is replaced, and by what, in every shader that has it.
const DEFECTS = {
  // Begins each chunk of a line with +0 instead of its carry-in.
  'chunk': ['sum = load_work(line);', 'sum = zero();'],
  // Stores each output one element further on.
  'place': ['store_cell(stage_line[at.x].y + ', 'store_cell(1 + stage_line[at.x].y + '],
  // Rounds ties of binary16 sums up instead of to even.
  'ties': ['magnitude + 0xFFF + ((magnitude >> 13) & 1)', 'magnitude + 0x1000'],
  // Drops the carry from the low to the high word of a 64-bit sum.
  'carry': ['u32(low < a.x)', '0'],
};
const [name] = process.argv.splice(2, 1);
const [from, to] = DEFECTS[name];
const { globals } = createRequire(import.meta.url)('webgpu');
const { prototype } = globals.GPUDevice;
const create = prototype.createShaderModule;
prototype.createShaderModule = function (descriptor) {
  return create.call(this, { ...descriptor, code: descriptor.code.replace(from, to) });
};
await import('../../web/webgpu/serve.mjs');
