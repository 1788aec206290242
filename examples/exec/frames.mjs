// SPDX-License-Identifier: MIT
// The protocol of docs/exec.md for Node. serve(ready, scan) answers the frames on standard input
// until it ends; the answers go to the descriptor `output`. scan gets a request and returns the sums
// or throws an Error; an Unsupported is a case that is skipped.

import { readSync, writeSync } from 'node:fs';

const [HELLO, READY, SCAN, SUMS, UNSUPPORTED, ERROR] = [1, 2, 3, 4, 5, 6];
const [EXCLUSIVE, DECREASING] = [1, 2];

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

// A packed input; its elements begin at the start of their ArrayBuffer.
function requestOf(payload) {
  const word = n => payload.readUInt32LE(4 * n);
  const [type, rank, axis, flags] = [0, 1, 2, 3].map(word);
  return {
    type, axis,
    sizes: Array.from({ length: rank }, (_, d) => word(4 + d)),
    exclusive: (flags & EXCLUSIVE) !== 0,
    decreasing: (flags & DECREASING) !== 0,
    input: new Uint8Array(payload.subarray(144)),
  };
}

export async function serve(ready, scan, output = 1) {
  for (let header; (header = read(16));) {
    const payload = read(Number(header.readBigUInt64LE(8)));
    const kind = header.readUInt32LE(4);
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
