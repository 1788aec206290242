// SPDX-License-Identifier: MIT
// ONNX Runtime's CumSum, on the CPU, through its binding for Node:
//
//     npm install onnxruntime-node
//     cumsum sweep quick --exec 'node onnxruntime.mjs' --accept conformant
//
// Node finds the package in a folder node_modules above this file, or in a folder of NODE_PATH. The
// script makes the ONNX model itself: one node, and the axis as a constant.

import { createRequire } from 'node:module';
import { serve } from './frames.mjs';

const ort = createRequire(import.meta.url)('onnxruntime-node');

// For each type: ONNX Runtime's name, the number in ONNX's TensorProto.DataType, and the class of
// JavaScript's array.
const TYPES = {
  1: ['float32', 1, Float32Array],
  2: ['float16', 10, Uint16Array],
  6: ['int32', 6, Int32Array],
  9: ['float64', 11, Float64Array],
  11: ['int64', 7, BigInt64Array],
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

function value(name, type, rank) {
  const shape = block(2, ...Array.from({ length: rank }, (_, d) => block(1, block(2, `size${d}`))));
  return Buffer.concat([block(1, name), block(2, block(1, number(1, type), shape))]);
}

function attribute(name, flag) {
  return block(5, block(1, name), number(3, flag ? 1 : 0), number(20, 2));
}

function model(type, rank, axis, exclusive, reverse) {
  const node = block(1, block(1, 'x'), block(1, 'axis'), block(2, 'y'), block(4, 'CumSum'),
                     attribute('exclusive', exclusive), attribute('reverse', reverse));
  const constant = block(5, number(2, 6), block(8, 'axis'), block(9, [axis, 0, 0, 0]));
  const graph = block(7, node, block(2, 'graph'), constant, block(11, value('x', type, rank)),
                      block(12, value('y', type, rank)));
  return Buffer.concat([number(1, 7), graph, block(8, number(2, 14))]);
}

const sessions = {};

async function scan({ type, sizes, axis, exclusive, decreasing, input }) {
  const [name, number, Elements] = TYPES[type];
  const key = [type, sizes.length, axis, exclusive, decreasing].join();
  sessions[key] ??= await ort.InferenceSession.create(
    model(number, sizes.length, axis, exclusive, decreasing), { executionProviders: ['cpu'] });
  const x = new ort.Tensor(name, new Elements(input.buffer), sizes);
  return (await sessions[key].run({ x })).y.data;
}

await serve({
  name: 'ONNX Runtime', version: ort.env.versions.node,
  types: ['FLOAT32', 'FLOAT16', 'FLOAT64', 'INT32', 'INT64'],
}, scan);
