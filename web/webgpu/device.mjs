// SPDX-License-Identifier: MIT
// A GPU as a device of this project, over WebGPU. open(gpu) takes navigator.gpu, or what a library
// for Node gives, and returns the Device that web/cumsum.d.ts describes.

import { planOf } from './dispatches.mjs';
import { CONSTANT_BYTES, shaderOf } from './shaders.mjs';

export class Unsupported extends Error {}
export class DeviceLost extends Error {}

const TYPES = { FLOAT32: 4, FLOAT16: 2, INT32: 4, UINT32: 4, INT64: 8, UINT64: 8 };
// Commands of this many elements are submitted at once, so that no submission runs into a time
// limit.
const SUBMIT = 2 ** 24;
// The standard's constants; the objects that hold them are not there in Node.
const USAGE = { MAP_READ: 1, COPY_SRC: 4, COPY_DST: 8, UNIFORM: 64, STORAGE: 128 };
const STORAGE = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;
const COMPUTE = 4; // GPUShaderStage
const READ = 1; // GPUMapMode

const roundUp = (value, unit) => Math.ceil(value / unit) * unit;

class WebGpuDevice {
  backend = 'webgpu';
  #device;
  #lost = null;
  #buffers = new Map(); // by name; they grow, and are kept for the next execution
  #pipelines = new Map();
  #layout;
  #busy = Promise.resolve();

  constructor(device, info) {
    this.#device = device;
    const words = [info.vendor, info.architecture, info.device, info.description];
    this.name = 'WebGPU';
    this.adapter = words.filter(Boolean).join(' ') || 'a GPU that is not named';
    this.driver = info.isFallbackAdapter ? 'a software device' : '';
    device.lost.then(({ reason, message }) => {
      this.#lost = `the GPU device was lost (${[reason, message].filter(Boolean).join(': ')})`;
    });
    const entry = (binding, buffer) => ({ binding, visibility: COMPUTE, buffer });
    this.#layout = device.createBindGroupLayout({ entries: [
      entry(0, { type: 'uniform', hasDynamicOffset: true, minBindingSize: CONSTANT_BYTES }),
      entry(1, { type: 'read-only-storage' }),
      entry(2, { type: 'storage' }),
      entry(3, { type: 'storage' }),
    ] });
  }

  async execute(work) {
    return this.#alone(async () => {
      const plan = this.#begin(work);
      this.#submit(plan);
      return this.#download('output', work.output.byteLength);
    });
  }

  destroy() { this.#device.destroy(); }

  // One execution at a time; what goes wrong on the device becomes an error with a sentence.
  #alone(action) {
    const done = this.#busy.then(() => this.#guarded(action));
    this.#busy = done.catch(() => {});
    return done;
  }

  async #guarded(action) {
    if (this.#lost) throw new DeviceLost(this.#lost);
    const device = this.#device;
    const scopes = ['internal', 'out-of-memory', 'validation'];
    scopes.forEach(scope => device.pushErrorScope(scope));
    let result;
    let thrown = null;
    try {
      result = await action();
    } catch (error) {
      thrown = error;
    }
    const errors = await Promise.all(scopes.map(() => device.popErrorScope().catch(() => null)));
    if (thrown instanceof Unsupported) throw thrown;
    await Promise.resolve(); // the promise of a loss comes first
    if (this.#lost) throw new DeviceLost(this.#lost);
    const [validation, memory, internal] = errors;
    if (memory || internal || validation) this.#forget();
    if (memory) throw new Unsupported(`the GPU has not enough memory: ${memory.message}`);
    if (validation ?? internal) throw new Error(`WebGPU: ${(validation ?? internal).message}`);
    if (thrown) throw thrown;
    return result;
  }

  // Buffers that could not be made are no buffers.
  #forget() {
    this.#buffers.forEach(buffer => buffer.destroy());
    this.#buffers.clear();
  }

  // Uploads, and returns the dispatches.
  #begin(work) {
    if (!(work.type in TYPES)) throw new Unsupported(`WebGPU: no ${work.type}`);
    if (work.order === 'exact')
      throw new Unsupported('WebGPU: the orders are sequential and blocked');
    const { workSizes, dispatches } = planOf(work);
    this.#upload('output', work.inPlace ? work.input : work.output);
    if (!work.inPlace) this.#upload('input', work.input);
    workSizes.forEach((size, i) => this.#buffer(i, size, STORAGE));
    // Bound where a shader uses nothing. Two bindings of a dispatch must not share a buffer.
    ['input', workSizes.length].forEach(name => {
      if (!this.#buffers.has(name)) this.#buffer(name, 16, STORAGE);
    });
    return [...dispatches];
  }

  #buffer(name, size, usage) {
    const { maxStorageBufferBindingSize, maxBufferSize } = this.#device.limits;
    const most = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    if (size > most)
      throw new Unsupported(`WebGPU: a buffer of ${size} bytes; the device takes up to ${most}`);
    const old = this.#buffers.get(name);
    if (old && old.size >= size) return old;
    old?.destroy();
    const made = this.#device.createBuffer({
      size: Math.min(most - most % 16, Math.max(4096, 2 ** Math.ceil(Math.log2(size)))), usage,
    });
    this.#buffers.set(name, made);
    return made;
  }

  #upload(name, bytes) {
    const size = roundUp(bytes.byteLength, 4);
    const buffer = this.#buffer(name, size, STORAGE);
    let words = bytes;
    if (size !== bytes.byteLength) {
      words = new Uint8Array(size);
      words.set(bytes);
    }
    this.#device.queue.writeBuffer(buffer, 0, words.buffer, words.byteOffset, size);
  }

  async #download(name, bytes) {
    const size = roundUp(bytes, 4);
    const answer = this.#buffer('answer', size, USAGE.MAP_READ | USAGE.COPY_DST);
    const encoder = this.#device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.#buffers.get(name), 0, answer, 0, size);
    this.#device.queue.submit([encoder.finish()]);
    await answer.mapAsync(READ, 0, size);
    const result = new Uint8Array(answer.getMappedRange(0, size).slice(0, bytes));
    answer.unmap();
    return result;
  }

  #pipeline(order, element) {
    const key = `${order} ${element}`;
    if (!this.#pipelines.has(key)) {
      const device = this.#device;
      this.#pipelines.set(key, device.createComputePipeline({
        layout: device.createPipelineLayout({ bindGroupLayouts: [this.#layout] }),
        compute: {
          module: device.createShaderModule({ code: shaderOf(order, element) }), entryPoint: 'main',
        },
      }));
    }
    return this.#pipelines.get(key);
  }

  #bindings(dispatch) {
    const entry = (binding, name, size) =>
      ({ binding, resource: { buffer: this.#buffers.get(name), ...(size && { size }) } });
    return this.#device.createBindGroup({ layout: this.#layout, entries: [
      entry(0, 'constants', CONSTANT_BYTES),
      entry(1, 'input'), entry(2, dispatch.buffer), entry(3, dispatch.work),
    ] });
  }

  #submit(dispatches) {
    const device = this.#device;
    const step = roundUp(CONSTANT_BYTES, device.limits.minUniformBufferOffsetAlignment);
    const most = Math.floor(65536 / step); // dispatches whose constants are uploaded at once
    const constants = this.#buffer('constants', most * step, USAGE.UNIFORM | USAGE.COPY_DST);
    const bindings = new Map();
    for (let first = 0; first < dispatches.length;) {
      const words = new Uint32Array(most * step / 4);
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      let count = 0;
      for (let elements = 0; count < most && elements < SUBMIT && first < dispatches.length;) {
        const dispatch = dispatches[first++];
        words.set(dispatch.constants, count * step / 4);
        pass.setPipeline(this.#pipeline(dispatch.order, dispatch.element));
        const key = `${dispatch.buffer} ${dispatch.work}`;
        if (!bindings.has(key)) bindings.set(key, this.#bindings(dispatch));
        pass.setBindGroup(0, bindings.get(key), [count++ * step]);
        pass.dispatchWorkgroups(dispatch.groups);
        elements += dispatch.elements;
      }
      pass.end();
      device.queue.writeBuffer(constants, 0, words, 0, count * step / 4);
      device.queue.submit([encoder.finish()]);
    }
  }

}

// Asks the device whether additions keep subnormals of FLOAT32.
async function flushesSubnormals(device) {
  const input = new Uint8Array(new Uint32Array([1, 1]).buffer);
  const sums = await device.execute({
    type: 'FLOAT32', sizes: [2], inputStrides: [1], outputStrides: [1], axis: 0,
    direction: 'INCREASING', exclusive: false, order: 'sequential', halfAccumulator: 'float32',
    halfStore: 'nearest-even', denormals: 'preserve', inPlace: true, input, output: input,
  });
  return new Uint32Array(sums.buffer)[1] !== 2;
}

export async function open(gpu) {
  if (!gpu) throw new Unsupported('there is no WebGPU here');
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' }) ??
    await gpu.requestAdapter({ featureLevel: 'compatibility' });
  if (!adapter) throw new Unsupported('WebGPU finds no GPU');
  const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
  const device = await adapter.requestDevice({
    requiredLimits: { maxStorageBufferBindingSize, maxBufferSize },
  });
  const opened = new WebGpuDevice(device, adapter.info ?? {});
  opened.flushesSubnormals = await flushesSubnormals(opened);
  return opened;
}
