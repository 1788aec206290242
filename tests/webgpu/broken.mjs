// SPDX-License-Identifier: MIT
// node broken.mjs [ARGUMENT]...: web/webgpu/serve.mjs, with a defect planted in its WGSL: each chunk
// of a line begins with +0 instead of its carry-in.

import { createRequire } from 'node:module';

const { globals } = createRequire(import.meta.url)('webgpu');
const { prototype } = globals.GPUDevice;
const create = prototype.createShaderModule;
prototype.createShaderModule = function (descriptor) {
  const code = descriptor.code.replace('sum = load_work(line);', 'sum = zero();');
  return create.call(this, { ...descriptor, code });
};
await import('../../web/webgpu/serve.mjs');
