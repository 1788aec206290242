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
const QUERY_RESOLVE = 512;
const STORAGE = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;
const COMPUTE = 4; // GPUShaderStage
const READ = 1; // GPUMapMode

const roundUp = (value, unit) => Math.ceil(value / unit) * unit;
const milliseconds = () => globalThis.performance.now();

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

  // {nanoseconds, copyNanoseconds, method}: of one scan, and of one copy of as many bytes as the
  // output has, by the device itself. The best of five rounds of at least `repetitions` each.
  async measure(work, repetitions) {
    return this.#alone(async () => {
      const plan = this.#begin(work);
      const bytes = roundUp(work.output.byteLength, 4);
      const copy = this.#buffer('copy', bytes, STORAGE);
      const nanoseconds = await this.#best(repetitions, (count, stamps) =>
        this.#submit(Array.from({ length: count }, () => plan).flat(), stamps));
      const copyNanoseconds = await this.#best(repetitions, (count, stamps) => {
        this.#stamp(stamps, 'beginningOfPassWriteIndex', 0);
        const encoder = this.#device.createCommandEncoder();
        for (let i = 0; i < count; i++)
          encoder.copyBufferToBuffer(this.#buffers.get('output'), 0, copy, 0, bytes);
        this.#device.queue.submit([encoder.finish()]);
        this.#stamp(stamps, 'endOfPassWriteIndex', 1);
      });
      const method = this.#device.features.has('timestamp-query') ? 'timestamp-query'
        : 'submit-and-wait';
      return { nanoseconds, copyNanoseconds, method };
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

  // stamps: null, or a query set, of which the first pass writes the first time when it begins, and
  // the last one the second time when it ends.
  #submit(dispatches, stamps = null) {
    const device = this.#device;
    const step = roundUp(CONSTANT_BYTES, device.limits.minUniformBufferOffsetAlignment);
    const most = Math.floor(65536 / step); // dispatches whose constants are uploaded at once
    const constants = this.#buffer('constants', most * step, USAGE.UNIFORM | USAGE.COPY_DST);
    const bindings = new Map();
    for (let first = 0; first < dispatches.length;) {
      const words = new Uint32Array(most * step / 4);
      const encoder = device.createCommandEncoder();
      const begins = first === 0 && { beginningOfPassWriteIndex: 0 };
      const pass = encoder.beginComputePass(stamps ? {
        timestampWrites: { querySet: stamps, ...begins, endOfPassWriteIndex: 1 },
      } : {});
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

  // The time of one repetition. Browsers round timestamps to 0.1 ms, so a round takes 10 ms or
  // more. A clock that stood still or went back, as some do when the device changes its speed, has
  // measured nothing.
  async #best(repetitions, submits) {
    let count = repetitions;
    while (await this.#time(submits, count) < 1e7 && count < 4096) count *= 2;
    const times = [];
    for (let round = 0; round < 5; round++) times.push(await this.#time(submits, count));
    const best = Math.min(...times.filter(time => time > 0));
    if (best === Infinity) throw new Error("WebGPU: the device's clock does not advance");
    return best / count;
  }

  // A pass that does nothing but write a time, for copies, which are in no pass.
  #stamp(stamps, when, index) {
    if (!stamps) return;
    const encoder = this.#device.createCommandEncoder();
    encoder.beginComputePass({ timestampWrites: { querySet: stamps, [when]: index } }).end();
    this.#device.queue.submit([encoder.finish()]);
  }

  // Nanoseconds that the device takes for what `submits` submits.
  async #time(submits, count) {
    const device = this.#device;
    if (!device.features.has('timestamp-query')) {
      await device.queue.onSubmittedWorkDone();
      const begin = milliseconds();
      submits(count, null);
      await device.queue.onSubmittedWorkDone();
      return 1e6 * (milliseconds() - begin);
    }
    const stamps = device.createQuerySet({ type: 'timestamp', count: 2 });
    const times = this.#buffer('times', 16, QUERY_RESOLVE | USAGE.COPY_SRC);
    submits(count, stamps);
    const encoder = device.createCommandEncoder();
    encoder.resolveQuerySet(stamps, 0, 2, times, 0);
    device.queue.submit([encoder.finish()]);
    const [begin, end] = new BigUint64Array((await this.#download('times', 16)).buffer);
    stamps.destroy();
    return Number(end - begin);
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
    requiredFeatures: ['timestamp-query'].filter(name => adapter.features.has(name)),
    requiredLimits: { maxStorageBufferBindingSize, maxBufferSize },
  });
  const opened = new WebGpuDevice(device, adapter.info ?? {});
  opened.flushesSubnormals = await flushesSubnormals(opened);
  return opened;
}
