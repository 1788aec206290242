// SPDX-License-Identifier: MIT
// The worker of the page: the tool, and the devices of this browser. The first message has the
// compiled `module`. Each other one asks for one of
//
//     {devices: true}          what could compute here
//     {run, files, device}     `cumsum ARGS` on these files; device: an id, or null
//
// and is answered by any number of {line}, and then {result} or {failed}, a sentence.

import { DeviceLost, load, Unsupported } from 'cumsum';
import * as webgpu from '../webgpu/device.mjs';
import { openWebNN } from '../webnn.mjs';

let ready;
const opened = new Map();

// What could compute: its id, and how it is opened.
const devices = [
  { id: 'webgpu', backend: 'webgpu', title: 'WebGPU', open: openWebGPU },
  ...['gpu', 'npu', 'cpu'].map((type) => ({ id: `webnn-${type}`, backend: 'webnn',
    title: `WebNN ${type}`, open: () => openWebNN(type) })),
];

async function openWebGPU() {
  if (!self.navigator.gpu) {
    throw new Error('This browser has no WebGPU. Chrome and Edge 113, Firefox 141, Safari 26 and ' +
      'later have it; on Linux chrome://flags, "Unsafe WebGPU Support", enables it.');
  }
  try {
    return await webgpu.open(self.navigator.gpu);
  } catch (error) {
    throw new Error(`${error.message}. The page chrome://gpu or about:support says what the ` +
      'browser uses; a newer driver or browser may help.');
  }
}

// A device that is opened anew after it was lost, as the tool starts a process anew. Its errors
// become those that the tool knows.
class Reopening {
  constructor(device, open) {
    const { backend, flushesSubnormals, ready } = device;
    // Results name the device, and as its driver the browser.
    const name = [backend === 'webnn' ? device.name : '', device.adapter].filter(Boolean).join(' ');
    const driver = [browser(), device.driver].filter(Boolean).join(', ');
    Object.assign(this, { backend, name, driver, flushesSubnormals, ready });
    this.device = device;
    this.open = open;
  }

  async execute(work) {
    try {
      return await this.device.execute(work);
    } catch (error) {
      if (error instanceof webgpu.Unsupported) throw new Unsupported(error.message);
      if (!(error instanceof webgpu.DeviceLost)) throw error;
      this.lost = true;
      throw new DeviceLost(error.message);
    }
  }

  async reopen() {
    if (this.lost) this.device = await this.open();
    this.lost = false;
  }
}

async function deviceOf(id) {
  if (!opened.has(id)) {
    const { open } = devices.find((device) => device.id === id);
    opened.set(id, new Reopening(await open(), open));
  }
  await opened.get(id).reopen();
  return opened.get(id);
}

// "Chrome 156", as the browser names itself.
function browser() {
  const brands = self.navigator.userAgentData?.brands ?? [];
  const brand = brands.find(({ brand }) => !/not.?a.?brand|^chromium$/i.test(brand)) ??
    brands.find(({ brand }) => brand === 'Chromium');
  return brand ? `${brand.brand} ${brand.version}`
    : self.navigator.userAgent.match(/(Firefox|Version)\/[\d.]+/)?.[0].replace('/', ' ') ?? '';
}

async function describe({ id, backend, title }) {
  try {
    const device = await deviceOf(id);
    const text = [device.name, device.driver,
      device.ready?.types && `types ${device.ready.types.join(', ')}`].filter(Boolean).join('; ');
    return { id, backend, title, text: `${text}.`, available: true };
  } catch (error) {
    return { id, backend, title, text: error.message, available: false };
  }
}

async function describeAll() {
  const found = await Promise.all(devices.map(describe));
  const none = found.filter(({ backend, available }) => backend === 'webnn' && !available);
  const same = none.length === 3 && none.every(({ text }) => text === none[0].text);
  const shown = same ? [...found.filter(({ backend }) => backend !== 'webnn'),
    { ...none[0], id: 'webnn', title: 'WebNN' }] : found;
  return [...shown, { id: 'wasm', backend: 'wasm', title: 'WebAssembly',
    text: "this project's own library, on the processor.", available: true }];
}

async function run({ run: args, files, device }, line) {
  const tool = await ready;
  tool.device = device && device !== 'wasm' ? await deviceOf(device) : null;
  return tool.run(args, files, line);
}

self.onmessage = async ({ data }) => {
  const line = (text) => self.postMessage({ line: text });
  if (data.module) {
    ready = load({ wasm: data.module });
    return;
  }
  try {
    self.postMessage({ result: data.devices ? await describeAll() : await run(data, line) });
  } catch (error) {
    self.postMessage({ failed: error.message || String(error) });
  }
};
