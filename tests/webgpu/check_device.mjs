// SPDX-License-Identifier: MIT
// node check_device.mjs [DAWN'S ARGUMENT]...: what a device says where it cannot compute, and what
// it refuses. The bits are check_webgpu.sh's.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { DeviceLost, open, Unsupported } from '../../web/webgpu/device.mjs';

const { create, globals } = createRequire(import.meta.url)('webgpu');
Object.assign(globalThis, globals);
globalThis.gpu = create(process.argv.slice(2));

function ones(type, count, members) {
  const input = new Uint8Array(new Uint32Array(count).fill(1).buffer);
  return {
    type, sizes: [count], inputStrides: [1], outputStrides: [1], axis: 0, direction: 'INCREASING',
    exclusive: false, order: 'sequential', halfAccumulator: 'float32', halfStore: 'nearest-even',
    denormals: 'preserve', inPlace: false, input, output: new Uint8Array(4 * count), ...members,
  };
}
async function checkOnes(device) {
  const sums = new Uint32Array((await device.execute(ones('UINT32', 3000))).buffer);
  assert.deepEqual([sums[0], sums[1024], sums[2999]], [1, 1025, 3000]);
}

const device = await open(globalThis.gpu);
assert.ok(device.adapter.length > 3 && typeof device.flushesSubnormals === 'boolean');
await checkOnes(device);
await assert.rejects(device.execute(ones('FLOAT32', 4, { order: 'exact' })), Unsupported);
await assert.rejects(device.execute(ones('FLOAT64', 4)), Unsupported);

// A tensor that no buffer of the device holds is refused before a buffer is made.
const huge = { byteLength: 2 ** 40 };
await assert.rejects(device.execute(ones('UINT32', 4, { output: huge })), {
  constructor: Unsupported, message: /a buffer of 1099511627776 bytes; the device takes up to \d+$/,
});

// What the device itself refuses: here a write to a buffer that another part of the program broke.
const write = globals.GPUQueue.prototype.writeBuffer;
globals.GPUQueue.prototype.writeBuffer = function (buffer, offset, ...rest) {
  write.call(this, buffer, offset + 2, ...rest);
};
await assert.rejects(device.execute(ones('UINT32', 4)), /^Error: WebGPU: ./);
globals.GPUQueue.prototype.writeBuffer = write;
await checkOnes(device);

// Without memory on the device a case is skipped, and the next one is computed.
const pop = globals.GPUDevice.prototype.popErrorScope;
const answers = [null, { message: 'too much' }, null]; // validation, out-of-memory, internal
globals.GPUDevice.prototype.popErrorScope = async function () {
  await pop.call(this);
  return answers.shift();
};
await assert.rejects(device.execute(ones('UINT32', 4)), {
  constructor: Unsupported, message: 'the GPU has not enough memory: too much',
});
globals.GPUDevice.prototype.popErrorScope = pop;
await checkOnes(device);

const refused = Promise.allSettled([checkOnes(device), checkOnes(device)]);
device.destroy();
for (const { reason } of await refused) assert.ok(!reason || reason instanceof DeviceLost, reason);
await assert.rejects(checkOnes(device), {
  constructor: DeviceLost, message: /^the GPU device was lost \(destroyed/,
});
await assert.rejects(open(undefined), Unsupported);
await assert.rejects(open({ requestAdapter: async () => null }), Unsupported);
process.exit(0);
