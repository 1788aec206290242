// SPDX-License-Identifier: MIT
// WebNN's cumulativeSum as a device: https://www.w3.org/TR/webnn/#api-mlgraphbuilder-cumulativesum.
// On Windows the browser may run it on DirectML's own operator. WebNN says nothing of the order of
// its additions and has packed tensors only.
import { DeviceLost, Unsupported } from './webgpu/device.mjs';

const names = { float32: 'FLOAT32', float16: 'FLOAT16', int32: 'INT32', uint32: 'UINT32',
  int64: 'INT64', uint64: 'UINT64' };

// deviceType: 'gpu', 'npu' or 'cpu', which newer browsers take as a hint or ignore. Throws an Error
// whose message says why there is no such device.
export async function openWebNN(deviceType, ml = globalThis.navigator?.ml) {
  if (!ml)
    throw new Error('This browser has no WebNN. Chrome and Edge have it on some systems; a flag ' +
      'of chrome://flags, "WebNN API", may enable it.');
  const context = await ml.createContext({ deviceType, accelerated: deviceType !== 'cpu',
    powerPreference: 'default' });
  const limits = context.opSupportLimits();
  const sum = limits.cumulativeSum;
  if (!sum) throw new Error('The WebNN of this browser has no cumulativeSum.');
  const types = Object.keys(names).filter((name) => sum.input.dataTypes.includes(name) &&
    (limits.input?.dataTypes ?? [name]).includes(name) &&
    (limits.output?.dataTypes ?? [name]).includes(name));
  return new WebNN(context, deviceType, types, limits);
}

class WebNN {
  backend = 'webnn';
  driver = '';

  constructor(context, deviceType, types, limits) {
    const { min = 1, max = 8 } = limits.cumulativeSum.input.rankRange ?? {};
    this.context = context;
    // Of READY, docs/exec.md.
    this.ready = { types: types.map((name) => names[name]), strides: false, inPlace: false,
      numerics: false, ranks: [Math.max(min, 1), Math.min(max, 8)] };
    this.maxBytes = limits.maxTensorByteLength ?? Infinity;
    this.name = deviceType;
    this.adapter = context.accelerated === undefined ? ''
      : context.accelerated ? 'accelerated' : 'not accelerated';
    context.lost?.then(({ message }) => {
      this.lost = message || 'the context was lost';
    });
  }

  async execute(work) {
    const { context } = this;
    if (work.input.byteLength > this.maxBytes)
      throw new Unsupported(`WebNN takes tensors of ${this.maxBytes} bytes at most`);
    const dataType = Object.keys(names).find((name) => names[name] === work.type);
    const tensor = { dataType, shape: [...work.sizes] };
    let input;
    let output;
    let graph;
    try {
      const builder = new globalThis.MLGraphBuilder(context);
      const sums = builder.cumulativeSum(builder.input('input', tensor), work.axis,
        { exclusive: work.exclusive, reversed: work.direction === 'DECREASING' });
      graph = await builder.build({ output: sums });
      input = await context.createTensor({ ...tensor, writable: true });
      output = await context.createTensor({ ...tensor, readable: true });
      context.writeTensor(input, work.input);
      context.dispatch(graph, { input }, { output });
      return new Uint8Array(await context.readTensor(output));
    } catch (error) {
      // A context that is lost rejects all calls; its promise may be settled just after them.
      await Promise.race([context.lost, Promise.resolve()]);
      throw this.lost ? new DeviceLost(this.lost) : error;
    } finally {
      for (const made of [input, output, graph]) made?.destroy?.();
    }
  }
}
