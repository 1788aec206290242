// SPDX-License-Identifier: MIT
// This machine's GPU through WebGPU without a browser, by Dawn in Node:
//
//     npm install webgpu
//     cumsum sweep quick --exec 'node web/webgpu/serve.mjs 3>&1 1>&2'
//
// Arguments are Dawn's, such as backend=vulkan. Dawn prints on standard output, so frames go to
// descriptor 3. Node finds the package above this file, or in a folder of NODE_PATH.

import { createRequire } from 'node:module';
import { serve, Unsupported } from '../../examples/exec/frames.mjs';
import * as webgpu from './device.mjs';

const TYPES = { 1: 'FLOAT32', 2: 'FLOAT16', 3: 'UINT32', 6: 'INT32', 10: 'UINT64', 11: 'INT64' };

async function open() {
  const { create, globals } = createRequire(import.meta.url)('webgpu');
  Object.assign(globalThis, globals);
  globalThis.gpu = create(process.argv.slice(2)); // Dawn crashes if this is collected as garbage
  return webgpu.open(globalThis.gpu);
}

const device = await open().catch((error) => {
  console.error(`serve.mjs: ${error.code === 'MODULE_NOT_FOUND'
    ? 'Node finds no package webgpu: npm install webgpu' : error.message}`);
  process.exit(1);
});

async function scan({ type, axis, decreasing, numerics, ...request }) {
  try {
    return await device.execute({
      ...request, axis, type: TYPES[type], direction: decreasing ? 'DECREASING' : 'INCREASING',
      ...numerics,
    });
  } catch (error) {
    throw error instanceof webgpu.Unsupported ? new Unsupported(error.message) : error;
  }
}

await serve({
  name: device.name, version: device.adapter.slice(0, 63), types: Object.values(TYPES),
  strides: true, inPlace: true, deterministic: true, numerics: true,
  denormals: device.flushesSubnormals ? 'FLUSH' : 'PRESERVE',
}, scan, 3);
