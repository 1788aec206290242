// SPDX-License-Identifier: MIT
//
// Sums an array with ONNX Runtime's CumSum, on the CPU:
//
//     node onnxruntime_cumsum.js [--exclusive] [--reverse] INPUT.npy OUTPUT.npy
//
// The input has two dimensions, and the last one is the axis, as `cumsum fingerprint --exec` passes
// it. Node finds the package onnxruntime-node in a folder node_modules above this file, or in a
// folder of NODE_PATH. The script makes the ONNX model itself: one node, and the axis as a
// constant.
'use strict';
const fs = require('fs');

function loadRuntime() {
  try {
    return require('onnxruntime-node');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error('Node finds no package onnxruntime-node: neither in a folder node_modules ' +
                    'above this file nor in those of NODE_PATH');
  }
}

// For each type of a .npy file: ONNX Runtime's name, the number in ONNX's TensorProto.DataType, and
// the class of JavaScript's array.
const TYPES = {
  '<f4': ['float32', 1, Float32Array],
  '<f2': ['float16', 10, Uint16Array],
  '<i4': ['int32', 6, Int32Array],
  '<i8': ['int64', 7, BigInt64Array],
  '<u4': ['uint32', 12, Uint32Array],
  '<u8': ['uint64', 13, BigUint64Array],
};

// Protobuf's encoding of a number: seven bits in each byte, the lowest bits first.
function varint(value) {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
const number = (field, value) => Buffer.from([...varint(field * 8), ...varint(value)]);
function block(field, ...parts) {
  const data = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(data.length)]), data]);
}

function value(name, type) {
  const shape = block(2, block(1, block(2, 'lines')), block(1, block(2, 'length')));
  return Buffer.concat([block(1, name), block(2, block(1, number(1, type), shape))]);
}

function attribute(name, flag) {
  return block(5, block(1, name), number(3, flag ? 1 : 0), number(20, 2));
}

function model(type, exclusive, reverse) {
  const node = block(1, block(1, 'x'), block(1, 'axis'), block(2, 'y'), block(4, 'CumSum'),
                     attribute('exclusive', exclusive), attribute('reverse', reverse));
  const axis = block(5, number(2, 6), block(8, 'axis'), block(9, [1, 0, 0, 0]));
  const graph = block(7, node, block(2, 'graph'), axis, block(11, value('x', type)),
                      block(12, value('y', type)));
  return Buffer.concat([number(1, 7), graph, block(8, number(2, 14))]);
}

function readArray(path) {
  const file = fs.readFileSync(path);
  const start = 10 + file.readUInt16LE(8);
  const header = file.toString('latin1', 10, start);
  const descr = /'descr': '([^']+)'/.exec(header)[1];
  const sizes = (/'shape': \(([^)]*)\)/.exec(header)[1].match(/\d+/g) || []).map(Number);
  if (!TYPES[descr]) {
    throw new Error(`${path}: the type is '${descr}', not one of ${Object.keys(TYPES).join(' ')}`);
  }
  if (sizes.length !== 2 || header.includes("'fortran_order': True")) {
    throw new Error(`${path}: must have two dimensions in row-major order`);
  }
  const [name, type, Elements] = TYPES[descr];
  const bytes = new Uint8Array(file.subarray(start)).buffer;
  return {head: file.subarray(0, start), name, type, sizes, data: new Elements(bytes)};
}

async function main(args) {
  const [input, output, ...more] = args.filter((arg) => !arg.startsWith('--'));
  if (!output || more.length) {
    throw new Error('usage: onnxruntime_cumsum.js [--exclusive] [--reverse] INPUT.npy OUTPUT.npy');
  }
  const ort = loadRuntime();
  const x = readArray(input);
  const bytes = model(x.type, args.includes('--exclusive'), args.includes('--reverse'));
  const session = await ort.InferenceSession.create(bytes, {executionProviders: ['cpu']});
  const {y} = await session.run({x: new ort.Tensor(x.name, x.data, x.sizes)});
  const sums = Buffer.from(y.data.buffer, y.data.byteOffset, y.data.byteLength);
  fs.writeFileSync(output, Buffer.concat([x.head, sums]));
}

main(process.argv.slice(2)).catch((error) => {
  console.error(`onnxruntime_cumsum.js: ${error.message}`);
  process.exit(1);
});
