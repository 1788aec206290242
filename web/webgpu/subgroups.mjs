// SPDX-License-Identifier: MIT
// WGSL's own scans as an implementation for --exec, through Dawn in Node:
//
//     npm install webgpu
//     cumsum sweep subgroups --accept conformant \
//         --exec 'node web/webgpu/subgroups.mjs scan 3>&1 1>&2'
//
// The first argument is what computes a line:
//
//     scan        subgroupInclusiveAdd or subgroupExclusiveAdd, in a subgroup
//     add         subgroupAdd of the lanes up to each one
//     workgroup   a scan of 128 invocations, of the subgroups' scans and sums
//
// Further ones are Dawn's, such as backend=vulkan. In a subgroup each line has other active lanes
// (activeLanes). frames.mjs has the protocol; Dawn prints on standard output, so frames go to
// descriptor 3. Node finds the package above this file, or in a folder of NODE_PATH.

import { createRequire } from 'node:module';
import { serve, Unsupported } from '../../examples/exec/frames.mjs';

const INVOCATIONS = 128; // of a workgroup; no WebGPU device has larger subgroups
const MOST_LINES = 65535; // workgroups of a dispatch

// By the protocol's numbers. `idle` are the bits of 12345 or so, which an inactive lane has: any sum
// with one of them is wrong.
const TYPES = {
  1: { name: 'FLOAT32', wgsl: 'f32', Words: Uint32Array, idle: 0x4640e400 },
  2: { name: 'FLOAT16', wgsl: 'f16', Words: Uint16Array, idle: 0x7207, feature: 'shader-f16' },
  3: { name: 'UINT32', wgsl: 'u32', Words: Uint32Array, idle: 12345 },
  6: { name: 'INT32', wgsl: 'i32', Words: Uint32Array, idle: 12345 },
};

const beginning = wgsl => `
diagnostic(off, subgroup_uniformity);
enable subgroups;
${wgsl === 'f16' ? 'enable f16;' : ''}
alias element = ${wgsl};
struct Work { lines: u32, lanes: u32, exclusive: u32 }
struct Found { next_line: atomic<u32>, lanes: atomic<u32> }
@group(0) @binding(0) var<storage, read> x: array<element>;
@group(0) @binding(1) var<storage, read_write> y: array<element>;
@group(0) @binding(2) var<uniform> work: Work;
@group(0) @binding(3) var<storage, read> masks: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> found: Found;
var<workgroup> subgroups: atomic<u32>;
var<workgroup> totals: array<element, ${INVOCATIONS}>;
fn scan(value: element) -> element {
  if (work.exclusive == 1) { return subgroupExclusiveAdd(value); }
  return subgroupInclusiveAdd(value);
}
@compute @workgroup_size(${INVOCATIONS})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
  let present = countOneBits(subgroupBallot(true));
  let lanes = present.x + present.y + present.z + present.w;
  if (subgroupElect()) { atomicMin(&found.lanes, lanes); }
`;

// No text says which invocations of a workgroup are a subgroup, so each subgroup takes the next
// line, and in a workgroup the next part of the line.
const SHADERS = {
  scan: wgsl => `${beginning(wgsl)}
  var line = 0u;
  if (subgroupElect()) { line = atomicAdd(&found.next_line, 1u); }
  line = subgroupBroadcastFirst(line);
  if (line >= work.lines) { return; }
  let at = line * work.lanes + min(lane, work.lanes - 1);
  let value = x[at];
  let is_active = ((masks[line][lane / 32] >> (lane % 32)) & 1) == 1;
  if (is_active) { y[at] = scan(value); }
}`,
  add: wgsl => `${beginning(wgsl)}
  var line = 0u;
  if (subgroupElect()) { line = atomicAdd(&found.next_line, 1u); }
  line = subgroupBroadcastFirst(line);
  if (line >= work.lines) { return; }
  let at = line * work.lanes + min(lane, work.lanes - 1);
  let value = x[at];
  let is_active = ((masks[line][lane / 32] >> (lane % 32)) & 1) == 1;
  for (var last = 0u; last < work.lanes; last++) {
    if (is_active && lane <= last) {
      let sum = subgroupAdd(value);
      if (lane == last) { y[at] = sum; }
    }
  }
}`,
  workgroup: wgsl => `${beginning(wgsl)}
  var part = 0u;
  if (subgroupElect()) { part = atomicAdd(&subgroups, 1u); }
  part = subgroupBroadcastFirst(part);
  let k = part * lanes + lane;
  let at = group.x * work.lanes + min(k, max(work.lanes, 1) - 1);
  let value = x[at];
  let is_active = k < work.lanes;
  var sum = element(0);
  if (is_active) {
    sum = scan(value);
    let total = subgroupAdd(value);
    if (lane == 0) { totals[part] = total; }
  }
  workgroupBarrier();
  var before = element(0);
  for (var other = 0u; other < part; other++) { before += totals[other]; }
  if (is_active && group.x < work.lines) { y[at] = before + sum; }
}`,
};

// The lanes of a line: the first ones, the last ones, some far apart, and then any.
function activeLanes(line, length, lanes) {
  const numbers = Array.from({ length }, (_, k) => k);
  if (line === 0) return numbers;
  if (line === 1) return numbers.map(k => lanes - length + k);
  if (line === 2) return numbers.map(k => Math.floor(k * lanes / length));
  const chosen = [];
  let random = line * 2654435761 % 2 ** 32;
  for (let lane = 0; chosen.length < length; lane++) {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    if (random * (lanes - lane) < (length - chosen.length) * 2 ** 32) chosen.push(lane);
  }
  return chosen;
}

const [mode, ...options] = process.argv.slice(2);
if (!(mode in SHADERS)) {
  console.error('usage: node subgroups.mjs scan|add|workgroup [DAWN\'S ARGUMENT]...');
  process.exit(2);
}

// Returns a device, or throws Unsupported.
async function open() {
  const { create, globals } = createRequire(import.meta.url)('webgpu');
  Object.assign(globalThis, globals);
  globalThis.gpu = create(options); // Dawn crashes if this is collected as garbage
  const adapter = await gpu.requestAdapter() ??
    await gpu.requestAdapter({ featureLevel: 'compatibility' });
  if (!adapter) throw new Unsupported('WebGPU finds no GPU');
  if (!adapter.features.has('subgroups'))
    throw new Unsupported(`${adapter.info.description}: WebGPU offers no subgroups there`);
  return adapter.requestDevice({
    requiredFeatures: ['subgroups', 'shader-f16'].filter(name => adapter.features.has(name)),
  });
}

let device;
const pipelines = new Map();

// Runs the shader: words[line][lane], and a mask for each line. Returns the sums, in the same
// places, and the number of lanes of the smallest subgroup.
async function run(type, lines, lanes, exclusive, words, masks) {
  const { STORAGE, COPY_SRC, COPY_DST, UNIFORM, MAP_READ } = GPUBufferUsage;
  const buffers = [];
  const buffer = (data, usage) => {
    const size = Math.max(16, Math.ceil(data.byteLength / 4) * 4);
    const bytes = new Uint8Array(size);
    bytes.set(new Uint8Array(data.buffer));
    const made = device.createBuffer({ size, usage: usage | COPY_DST });
    device.queue.writeBuffer(made, 0, bytes);
    buffers.push(made);
    return made;
  };
  device.pushErrorScope('validation');
  if (!pipelines.has(type)) {
    pipelines.set(type, device.createComputePipeline({
      layout, compute: { module: device.createShaderModule({ code: SHADERS[mode](type.wgsl) }) },
    }));
  }
  const y = buffer(words, STORAGE | COPY_SRC);
  const found = buffer(new Uint32Array([0, INVOCATIONS]), STORAGE | COPY_SRC);
  const bound = [
    buffer(words, STORAGE), y, buffer(new Uint32Array([lines, lanes, Number(exclusive)]), UNIFORM),
    buffer(masks, STORAGE), found,
  ];
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipelines.get(type));
  pass.setBindGroup(0, device.createBindGroup({
    layout: bindings,
    entries: bound.map((buffer, binding) => ({ binding, resource: { buffer } })),
  }));
  pass.dispatchWorkgroups(Math.max(lines, 1));
  pass.end();
  const answer = device.createBuffer({ size: y.size + found.size, usage: MAP_READ | COPY_DST });
  encoder.copyBufferToBuffer(y, 0, answer, 0, y.size);
  encoder.copyBufferToBuffer(found, 0, answer, y.size, found.size);
  device.queue.submit([encoder.finish()]);
  const error = await device.popErrorScope();
  if (error) throw new Error(error.message);
  await answer.mapAsync(GPUMapMode.READ);
  const result = answer.getMappedRange().slice(0);
  [...buffers, answer].forEach(one => one.destroy());
  return {
    sums: new type.Words(result.slice(0, words.byteLength)),
    smallest: new Uint32Array(result, y.size)[1],
  };
}

// A total is the last sum of a line: in the mode add, subgroupAdd of all its lanes.
async function scan({ type: number, sizes, axis: asked, total, exclusive, input }) {
  const axis = total ? Math.log2(asked) : asked;
  if (!Number.isInteger(axis)) throw new Unsupported('a total over several axes');
  const type = TYPES[number];
  const length = sizes[axis];
  const inner = sizes.slice(axis + 1).reduce((a, b) => a * b, 1);
  const lines = sizes.reduce((a, b) => a * b, 1) / length;
  const elements = new type.Words(input.buffer);
  if (lines > MOST_LINES) throw new Unsupported(`more than ${MOST_LINES} lines`);

  let lanes = length;
  if (mode === 'workgroup') {
    if (length > INVOCATIONS)
      throw new Unsupported(`a line of ${length}; a workgroup has ${INVOCATIONS} invocations`);
  } else {
    type.lanes ??= (await run(type, 0, 0, false, new type.Words(1), new Uint32Array(4))).smallest;
    lanes = type.lanes;
    if (length > lanes) throw new Unsupported(`a line of ${length}; a subgroup has ${lanes} lanes`);
  }

  const places = []; // of each element in `words`
  const masks = new Uint32Array(4 * lines);
  for (let line = 0; line < lines; line++) {
    const active = activeLanes(mode === 'workgroup' ? 0 : line, length, lanes);
    active.forEach((lane, k) => {
      const at = (Math.floor(line / inner) * length + k) * inner + line % inner;
      places[at] = line * lanes + lane;
      masks[4 * line + (lane >> 5)] |= 1 << (lane & 31);
    });
  }
  const words = new type.Words(lines * lanes).fill(type.idle);
  places.forEach((place, at) => { words[place] = elements[at]; });
  const { sums, smallest } = await run(type, lines, lanes, exclusive, words, masks);
  if (mode !== 'workgroup' && smallest < lanes)
    throw new Unsupported(`a subgroup has ${smallest} lanes, and had ${lanes}`);
  const wanted = !total ? places
    : places.filter((_, at) => Math.floor(at / inner) % length === length - 1);
  return type.Words.from(wanted, place => sums[place]);
}

device = await open().catch((error) => {
  if (error instanceof Unsupported) return serve(error, null, 3);
  console.error(`subgroups.mjs: ${error.code === 'MODULE_NOT_FOUND'
    ? 'Node finds no package webgpu: npm install webgpu' : error.message}`);
  process.exit(1);
});
const entry = (binding, type) => ({ binding, visibility: 4, buffer: { type } }); // COMPUTE
const bindings = device.createBindGroupLayout({ entries: [
  entry(0, 'read-only-storage'), entry(1, 'storage'), entry(2, 'uniform'),
  entry(3, 'read-only-storage'), entry(4, 'storage'),
] });
const layout = device.createPipelineLayout({ bindGroupLayouts: [bindings] });

const { vendor, description } = device.adapterInfo;
await serve({
  name: `WGSL ${mode}`, version: `${vendor} ${description}`.trim().slice(0, 63),
  types: Object.values(TYPES).filter(({ feature }) => !feature || device.features.has(feature))
    .map(({ name }) => name),
  directions: ['INCREASING'], sums: { scan: ['INCLUSIVE', 'EXCLUSIVE'], add: ['INCLUSIVE', 'TOTAL'],
          workgroup: ['INCLUSIVE', 'EXCLUSIVE', 'TOTAL'] }[mode],
  profile: 'wgsl',
}, scan, 3);
