// SPDX-License-Identifier: MIT
// A stand-in for WebNN, put before the worker's script: no browser of the tests has a backend. It
// checks each call against the specification (https://www.w3.org/TR/webnn/), and adds from the first
// element to the last. FAULT is a defect that the page must find.
{
  const fault = '@FAULT@';
  const arrays = { float32: Float32Array, int32: Int32Array, uint32: Uint32Array,
    int64: BigInt64Array, uint64: BigUint64Array };
  const need = (condition, rule) => {
    if (!condition) throw new TypeError(`stand-in of WebNN: ${rule}`);
  };
  const sameKeys = (object, keys) => JSON.stringify(Object.keys(object).sort()) ===
    JSON.stringify(keys);
  const count = (shape) => shape.reduce((product, size) => product * size, 1);

  function checkOperand({ dataType, shape }) {
    need(dataType in arrays, `the type ${dataType} is none of opSupportLimits`);
    need(Array.isArray(shape) && shape.length >= 1 && shape.length <= 5, `the rank of ${shape}`);
    need(shape.every((size) => Number.isInteger(size) && size > 0), `the shape ${shape}`);
  }

  function sum(graph, from, to) {
    const { shape, axis, exclusive, reversed } = graph;
    const lines = count(shape.slice(axis + 1));
    const length = shape[axis];
    const zero = from instanceof BigInt64Array || from instanceof BigUint64Array ? 0n : 0;
    const add = from instanceof Float32Array ? (a, b) => Math.fround(a + b) : (a, b) => a + b;
    const one = new from.constructor(1); // wraps integers
    for (let line = 0; line < count(shape) / length; line++) {
      const first = Math.floor(line / lines) * length * lines + line % lines;
      let begun = false;
      one[0] = zero;
      for (let i = 0; i < length; i++) {
        const at = first + (reversed && fault !== 'reversed' ? length - 1 - i : i) * lines;
        if (exclusive) to[at] = one[0];
        one[0] = begun || exclusive ? add(one[0], from[at]) : add(zero, from[at]);
        begun = true;
        if (!exclusive) to[at] = one[0];
      }
    }
  }

  class Tensor {
    constructor(descriptor) {
      checkOperand(descriptor);
      need(descriptor.readable || descriptor.writable, 'a tensor is readable or writable');
      Object.assign(this, descriptor);
      this.data = new arrays[descriptor.dataType](count(descriptor.shape));
    }

    destroy() { this.destroyed = true; }
  }

  self.MLGraphBuilder = class {
    constructor(context) { need(context instanceof Context, 'the builder needs a context'); }

    input(name, descriptor) {
      need(!this.built && name, 'an input has a name, and the builder is not built');
      checkOperand(descriptor);
      return { name, ...descriptor };
    }

    cumulativeSum(input, axis, options) {
      need(Number.isInteger(axis) && axis >= 0 && axis < input.shape.length, `the axis ${axis}`);
      need(sameKeys(options, ['exclusive', 'reversed']), `the options ${Object.keys(options)}`);
      need(Object.values(options).every((value) => typeof value === 'boolean'), 'options are flags');
      return { ...input, axis, ...options };
    }

    async build(outputs) {
      need(!this.built && sameKeys(outputs, ['output']), 'a builder builds once');
      this.built = true;
      return { ...outputs.output, destroy() {} };
    }
  };

  let dispatches = 0;
  class Context {
    accelerated = true;
    lost = new Promise((resolve) => { this.lose = resolve; });

    opSupportLimits() {
      const dataTypes = Object.keys(arrays);
      const limits = { dataTypes, rankRange: { min: 0, max: 5 } };
      return { maxTensorByteLength: 2 ** 20, input: limits, constant: limits, output: limits,
        cumulativeSum: { input: limits, output: limits } };
    }

    async createTensor(descriptor) { return new Tensor(descriptor); }

    writeTensor(tensor, bytes) {
      need(tensor.writable && !tensor.destroyed, 'writeTensor needs a writable tensor');
      need(bytes.byteLength === tensor.data.byteLength, 'writeTensor needs all bytes');
      new Uint8Array(tensor.data.buffer).set(new Uint8Array(bytes.buffer ?? bytes,
        bytes.byteOffset ?? 0, bytes.byteLength));
    }

    dispatch(graph, inputs, outputs) {
      need(sameKeys(inputs, [graph.name]) && sameKeys(outputs, ['output']), 'names of dispatch');
      const tensors = [inputs[graph.name], outputs.output];
      for (const tensor of tensors) {
        need(tensor.dataType === graph.dataType && `${tensor.shape}` === `${graph.shape}`,
          'tensors of a dispatch have the shape and the type of the graph');
      }
      if (fault === 'lost' && ++dispatches % 100 === 0) {
        this.lose({ message: 'the stand-in was told to lose its context' });
        throw new DOMException('the context is lost', 'InvalidStateError');
      }
      sum(graph, tensors[0].data, tensors[1].data);
    }

    async readTensor(tensor) {
      need(tensor.readable && !tensor.destroyed, 'readTensor needs a readable tensor');
      return tensor.data.buffer.slice(0);
    }
  }

  Object.defineProperty(self.navigator, 'ml', { value: {
    async createContext({ deviceType, powerPreference }) {
      need(['default', 'high-performance', 'low-power'].includes(powerPreference), 'the power');
      if (dispatches > 150) throw new Error('the stand-in was told to stay away');
      if (deviceType !== 'gpu') throw new DOMException('there is only a GPU', 'NotSupportedError');
      return new Context();
    },
  } });
}
