// SPDX-License-Identifier: MIT
// A scan in WGSL, by Dawn in Node:
//
//     npm install webgpu
//     cumsum sweep quick --exec 'node webgpu.mjs 3>&1 1>&2' --accept conformant
//
// Dawn prints messages on standard output, so frames go to descriptor 3. Dawn takes Vulkan. That of
// Debian 12's lavapipe lacks a feature that Dawn wants; there this computes on the CPU too:
//
//     env EGL_PLATFORM=surfaceless node webgpu.mjs backend=opengles 3>&1 1>&2

import { create, globals } from 'webgpu';
import { serve, Unsupported } from './frames.mjs';

Object.assign(globalThis, globals);

const TYPES = { 1: 'f32', 3: 'u32', 6: 'i32' };

// A workgroup has a line. It scans 128 elements at a time, by Hillis and Steele, and carries their
// sum to the next 128.
const shader = type => `
struct Shape { lines: u32, length: u32, inner: u32, exclusive: u32, decreasing: u32 }
@group(0) @binding(0) var<storage, read> x: array<${type}>;
@group(0) @binding(1) var<storage, read_write> y: array<${type}>;
@group(0) @binding(2) var<uniform> shape: Shape;
var<workgroup> sums: array<${type}, 128>;
@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) t: u32) {
  let line = group.y * 65535 + group.x;
  if (line >= shape.lines) { return; }
  let start = line / shape.inner * shape.length * shape.inner + line % shape.inner;
  var carry = ${type}(0);
  for (var begin = 0u; begin < shape.length; begin += 128u) {
    let k = begin + t;
    let at = start + select(k, shape.length - 1 - k, shape.decreasing == 1) * shape.inner;
    sums[t] = ${type}(0);
    if (k < shape.length) { sums[t] = x[at]; }
    workgroupBarrier();
    for (var distance = 1u; distance < 128u; distance *= 2u) {
      var sum = sums[t];
      if (t >= distance) { sum = sums[t - distance] + sum; }
      workgroupBarrier();
      sums[t] = sum;
      workgroupBarrier();
    }
    if (k < shape.length) {
      if (shape.exclusive == 0) { y[at] = carry + sums[t]; }
      else if (t == 0) { y[at] = carry; }
      else { y[at] = carry + sums[t - 1]; }
    }
    carry += sums[127];
    workgroupBarrier();
  }
}`;

const pipelines = {};

async function scan({ type, sizes, axis, exclusive, decreasing, input }) {
  const inner = sizes.slice(axis + 1).reduce((a, b) => a * b, 1);
  const lines = sizes.reduce((a, b) => a * b, 1) / sizes[axis];
  const bytes = input.length;
  if (bytes > device.limits.maxStorageBufferBindingSize)
    throw new Unsupported('the tensor is longer than a binding of this device');

  device.pushErrorScope('validation');
  const buffer = (size, usage) => device.createBuffer({ size, usage });
  const { STORAGE, COPY_SRC, COPY_DST, UNIFORM, MAP_READ } = GPUBufferUsage;
  const x = buffer(bytes, STORAGE | COPY_DST);
  const y = buffer(bytes, STORAGE | COPY_SRC);
  const shape = buffer(32, UNIFORM | COPY_DST);
  const answer = buffer(bytes, MAP_READ | COPY_DST);
  device.queue.writeBuffer(x, 0, input);
  device.queue.writeBuffer(shape, 0, new Uint32Array(
    [lines, sizes[axis], inner, Number(exclusive), Number(decreasing)]));
  pipelines[type] ??= device.createComputePipeline({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code: shader(TYPES[type]) }) },
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipelines[type]);
  pass.setBindGroup(0, device.createBindGroup({
    layout: pipelines[type].getBindGroupLayout(0),
    entries: [x, y, shape].map((buffer, binding) => ({ binding, resource: { buffer } })),
  }));
  pass.dispatchWorkgroups(Math.min(lines, 65535), Math.ceil(lines / 65535));
  pass.end();
  encoder.copyBufferToBuffer(y, 0, answer, 0, bytes);
  device.queue.submit([encoder.finish()]);
  const error = await device.popErrorScope();
  if (error) throw new Error(error.message);
  await answer.mapAsync(GPUMapMode.READ);
  const sums = new Uint8Array(answer.getMappedRange().slice(0));
  [x, y, shape, answer].forEach(buffer => buffer.destroy());
  return sums;
}

const gpu = create(process.argv.slice(2));
const adapter = await gpu.requestAdapter({ featureLevel: 'compatibility' });
if (!adapter) throw new Error('Dawn finds no adapter');
const device = await adapter.requestDevice();
const { vendor, description } = adapter.info;

await serve({
  name: 'WGSL scan', version: `${vendor} ${description}`.trim(),
  types: ['FLOAT32', 'UINT32', 'INT32'], deterministic: true,
}, scan, 3);
