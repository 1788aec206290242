// SPDX-License-Identifier: MIT
// The protocol of docs/exec.md for Node. serve(ready, scan) answers the frames on standard input
// until it ends; the answers go to the descriptor `output`. scan gets a request and returns the
// sums or throws an Error; an Unsupported is a case that is skipped. With an Unsupported in the
// place of ready, all cases are.

import { readSync, writeSync } from 'node:fs';

const [HELLO, READY, SCAN, SUMS, UNSUPPORTED, ERROR] = [1, 2, 3, 4, 5, 6];

export class Unsupported extends Error {}

function read(size) {
  const data = Buffer.alloc(size);
  for (let done = 0; done < size;) {
    const n = readSync(0, data, done, size - done);
    if (n === 0 && done === 0) return null; // the end of standard input
    if (n === 0) throw new Error('standard input ended in a frame');
    done += n;
  }
  return data;
}

function send(output, kind, payload) {
  const frame = Buffer.alloc(16 + payload.length);
  frame.write('CSUM');
  frame.writeUInt32LE(kind, 4);
  frame.writeBigUInt64LE(BigInt(payload.length), 8);
  payload.copy(frame, 16);
  for (let done = 0; done < frame.length;) done += writeSync(output, frame, done);
}

// The arrays' elements begin at the start of their ArrayBuffers. An implementation that does not
// say that it takes strides gets packed tensors. It needs only type, axis, sizes and input.
function requestOf(payload) {
  const word = n => payload.readUInt32LE(4 * n);
  const [type, rank, axis, flags] = [0, 1, 2, 3].map(word);
  const list = first => Array.from({ length: rank }, (_, d) => word(first + d));
  const has = flag => (flags & flag) !== 0;
  const end = 144 + Number(payload.readBigUInt64LE(112));
  const input = new Uint8Array(payload.subarray(144, end));
  const outputBytes = Number(payload.readBigUInt64LE(120));
  return {
    type, axis, input,
    total: has(2048), // over the axes d whose bits 1 << d are in `axis`
    sizes: list(4), inputStrides: list(12), outputStrides: list(20),
    exclusive: has(1), decreasing: has(2), inPlace: has(4),
    output: has(8) ? new Uint8Array(payload.subarray(end)) : new Uint8Array(outputBytes),
    numerics: {
      order: has(32) ? 'blocked' : 'sequential',
      halfAccumulator: has(64) ? 'float16' : 'float32',
      halfStore: has(128) ? 'toward-zero' : has(256) ? 'ieee' : 'nearest-even',
      denormals: has(512) ? 'flush' : 'preserve',
    },
  };
}

export async function serve(ready, scan, output = 1) {
  for (let header; (header = read(16));) {
    const payload = read(Number(header.readBigUInt64LE(8)));
    const kind = header.readUInt32LE(4);
    if (kind === HELLO && ready instanceof Unsupported) {
      send(output, UNSUPPORTED, Buffer.from(ready.message));
      continue;
    }
    if (kind === HELLO) {
      send(output, READY, Buffer.from(JSON.stringify({ protocol: 1, ...ready })));
      continue;
    }
    if (kind !== SCAN) throw new Error(`a frame of the kind ${kind}`);
    try {
      const sums = await scan(requestOf(payload));
      send(output, SUMS, Buffer.from(sums.buffer, sums.byteOffset, sums.byteLength));
    } catch (error) {
      send(output, error instanceof Unsupported ? UNSUPPORTED : ERROR, Buffer.from(error.message));
    }
  }
  process.exit(0);
}
