// SPDX-License-Identifier: MIT
// DirectML's cumulative summation and its oracle, as WebAssembly: the library's sums, the program
// `cumsum` on files in memory, and devices of JavaScript that the program examines. cumsum.d.ts has
// the types, docs/browser.md the rest. It runs in browsers, their workers, and Node.
import cumsumCore from './cumsum_core.mjs';

/** A device throws this for what it does not compute: the case is a SKIP. */
export class Unsupported extends Error {}

/** A device throws this when it is lost: the case is a crash. */
export class DeviceLost extends Error {}

// A device's module may have classes of its own, of the same names.
const isA = (error, Kind) => error instanceof Kind || error?.constructor?.name === Kind.name;

// ---- types, and the values of include/cumsum/cumsum.h ----

const typeNumbers = { FLOAT32: 1, FLOAT16: 2, UINT32: 3, INT32: 6, UINT64: 10, INT64: 11 };
const typeOfNumber = Object.fromEntries(Object.entries(typeNumbers).map(([k, v]) => [v, k]));
const orders = ['sequential', 'blocked', 'exact'];
const accumulators = ['float32', 'float16'];
const stores = ['nearest-even', 'toward-zero', 'ieee'];
const denormals = ['preserve', 'flush'];
const namedOrders = ['first', 'all'];
const kernels = ['auto', 'reference', 'portable'];

const arrayTypes = {
  Float32Array: 'FLOAT32', Float16Array: 'FLOAT16', Uint32Array: 'UINT32', Int32Array: 'INT32',
  BigUint64Array: 'UINT64', BigInt64Array: 'INT64', Float64Array: 'FLOAT64',
  Uint16Array: 'UINT16', Int16Array: 'INT16', Uint8Array: 'UINT8', Int8Array: 'INT8',
};

// The type of an array: its own, or of 16-bit numbers what `type` says.
function typeOf(x, type, name) {
  const own = arrayTypes[ArrayBuffer.isView(x) && x[Symbol.toStringTag]];
  if (!own)
    throw new TypeError(
      `${name}: ${describe(x)}; the rule: one of ${Object.keys(arrayTypes).join(', ')}`);
  if (x.length === 0)
    throw new RangeError(`${name}: no elements, or a detached buffer; the rule: 1 or more`);
  if (type === undefined || type === own)
    return own;
  if (own === 'UINT16' && (type === 'FLOAT16' || type === 'BFLOAT16'))
    return type;
  throw new TypeError(`type: ${describe(type)} of a ${x.constructor.name}; the rule: ${own}` +
                      (own === 'UINT16' ? ', FLOAT16 or BFLOAT16' : ''));
}

function describe(value) {
  if (value === null || typeof value !== 'object')
    return typeof value === 'string' ? `'${value}'` : String(value);
  const kind = value.constructor?.name ?? 'object';
  return `${/^[AEIO]/i.test(kind) ? 'an' : 'a'} ${kind}`;
}

// Options that had other names, and what to give.
const successors = {
  decreasing: 'reverse', doubtful: "accept: 'suspect'", profile: 'rules', reversed: 'reverse',
  strict: "accept: 'decided'", strictZero: "rules: 'zero=signed'", suspect: "accept: 'suspect'",
};

function checkOptions(options, known) {
  if (options === null || typeof options !== 'object')
    throw new TypeError(`options: ${describe(options)}; the rule: an object`);
  for (const name of Object.keys(options))
    if (!known.includes(name))
      throw new TypeError(`option '${name}' is not one of ${known.join(', ')}` +
                          (successors[name] ? `; give ${successors[name]}` : ''));
}

function word(options, name, words) {
  const value = options[name] ?? words[0];
  const number = words.indexOf(value);
  if (number < 0 || value === undefined)
    throw new TypeError(
      `${name}: ${describe(value)} is not one of ${words.filter((w) => w).join(', ')}`);
  return number;
}

function flag(options, name) {
  const value = options[name] ?? false;
  if (typeof value !== 'boolean')
    throw new TypeError(`${name}: ${describe(value)}; the rule: true or false`);
  return value;
}

function shapeOf(x, options) {
  const shape = options.shape ?? [x.length];
  if (!Array.isArray(shape) || shape.length < 1 || shape.length > 8)
    throw new RangeError(
      `shape: ${Array.isArray(shape) ? `${shape.length} dimensions` : describe(shape)}; ` +
      'the rule: an array of 1 to 8 sizes');
  for (const [i, size] of shape.entries())
    if (!Number.isInteger(size) || size < 1 || size > 0xffffffff)
      throw new RangeError(
        `shape[${i}]: ${describe(size)}; the rule: an integer from 1 to 2^32 - 1`);
  const elements = shape.reduce((product, size) => product * size, 1);
  if (elements !== x.length)
    throw new RangeError(`shape: [${shape}] has ${elements} elements, and the array ${x.length}`);
  return shape;
}

function axisOf(options, rank) {
  const axis = options.axis ?? -1;
  if (!Number.isInteger(axis) || axis < -rank || axis >= rank)
    throw new RangeError(
      `axis: ${describe(axis)}; the rule: an integer from ${-rank} to ${rank - 1}`);
  return axis < 0 ? axis + rank : axis;
}

function bytesOf(x) {
  return new Uint8Array(x.buffer, x.byteOffset, x.byteLength);
}

// ---- a device behind the exec protocol (docs/exec.md) ----

const SCAN_BYTES = 144;
const [HELLO, READY, SCAN, SUMS, UNSUPPORTED, ERROR] = [1, 2, 3, 4, 5, 6];
const [EXCLUSIVE, DECREASING, IN_PLACE, PREFILLED] = [1, 2, 4, 8];
const [BLOCKED, HALF_SUMS, TOWARD_ZERO, IEEE, FLUSH] = [32, 64, 128, 256, 512];
// The values of child_event in tools/util/child_process.h.
const [CAME, CLOSED, LATE, BROKEN] = [0, 1, 3, 4];

class DeviceLink {
  #device;
  #isCancelled;
  #pieces = [];
  #answer = new Uint8Array(0);
  #end = 'with its device';

  constructor(device, isCancelled) {
    this.#device = device;
    this.#isCancelled = isCancelled;
  }

  add(bytes) {
    this.#pieces.push(bytes.slice());
  }

  take(most) {
    const bytes = this.#answer.subarray(0, most);
    this.#answer = this.#answer.subarray(bytes.length);
    return bytes;
  }

  end() {
    return this.#end;
  }

  async exchange(milliseconds) {
    const pieces = this.#pieces;
    let timer;
    this.#pieces = [];
    if (this.#isCancelled())
      return BROKEN;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, Math.min(milliseconds, 0x7fffffff), LATE);
    });
    const event = await Promise.race([this.#respond(pieces), late]);
    clearTimeout(timer);
    return this.#isCancelled() ? BROKEN : event;
  }

  // Pieces: the header, HELLO or the request, the input, the output's first contents.
  async #respond(pieces) {
    const kind = new DataView(pieces[0].buffer).getUint32(4, true);
    try {
      if (kind === HELLO) {
        await this.#device.reopen?.();
        this.#put(READY, new TextEncoder().encode(JSON.stringify(readyOf(this.#device))));
      } else {
        const work = workOf(pieces);
        const output = await this.#device.execute(work);
        if (!(output instanceof Uint8Array))
          throw new TypeError(`execute gave ${describe(output)}; the rule: a Uint8Array`);
        this.#put(SUMS, output);
      }
      return CAME;
    } catch (error) {
      const text = error?.message || String(error);
      if (isA(error, DeviceLost)) {
        this.#end = `with its device: ${text}`;
        return CLOSED;
      }
      this.#put(isA(error, Unsupported) && kind === SCAN ? UNSUPPORTED : ERROR,
                new TextEncoder().encode(text.slice(0, 2000)));
      return CAME;
    }
  }

  #put(kind, payload) {
    const frame = new Uint8Array(16 + payload.length);
    const view = new DataView(frame.buffer);
    frame.set([0x43, 0x53, 0x55, 0x4d]);
    view.setUint32(4, kind, true);
    view.setBigUint64(8, BigInt(payload.length), true);
    frame.set(payload, 16);
    this.#answer = frame;
  }
}

function readyOf(device) {
  return {
    protocol: 1,
    name: [device.backend, device.name].filter((text) => text).join(' ').slice(0, 100),
    version: String(device.driver ?? '').slice(0, 60),
    strides: true,
    inPlace: true,
    numerics: true,
    types: Object.keys(typeNumbers),
    ...(device.flushesSubnormals ? { denormals: 'FLUSH' } : {}),
    ...device.ready,
  };
}

function workOf(pieces) {
  const view = new DataView(pieces[1].buffer);
  const u32 = (at) => view.getUint32(at, true);
  const rank = u32(4);
  const flags = u32(12);
  const list = (at) => Array.from({ length: rank }, (_, i) => u32(at + 4 * i));
  const inputBytes = Number(view.getBigUint64(112, true));
  const outputBytes = Number(view.getBigUint64(120, true));
  const payload = pieces.slice(2);
  const input = payload[0] ?? new Uint8Array(inputBytes);
  const inPlace = (flags & IN_PLACE) !== 0;
  const output = inPlace ? input.slice()
                         : flags & PREFILLED ? payload[1] : new Uint8Array(outputBytes);
  return {
    type: typeOfNumber[u32(0)],
    sizes: list(16),
    inputStrides: list(48),
    outputStrides: list(80),
    axis: u32(8),
    direction: flags & DECREASING ? 'DECREASING' : 'INCREASING',
    exclusive: (flags & EXCLUSIVE) !== 0,
    order: flags & BLOCKED ? 'blocked' : 'sequential',
    halfAccumulator: flags & HALF_SUMS ? 'float16' : 'float32',
    halfStore: flags & TOWARD_ZERO ? 'toward-zero' : flags & IEEE ? 'ieee' : 'nearest-even',
    denormals: flags & FLUSH ? 'flush' : 'preserve',
    inPlace,
    input,
    output,
  };
}

// ---- instances ----

// What an instance writes to a stream, as text, and line by line.
class TextStream {
  #bytes = new Uint8Array(1024);
  #length = 0;
  #lineAt = 0;
  #onLine;
  failure = null; // onLine's exception, and no further call of it

  constructor(onLine) {
    this.#onLine = onLine;
  }

  put(byte) {
    if (byte === null)
      return;
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length++] = byte;
    if (byte === 10 && this.#onLine && !this.failure) {
      const line = this.#bytes.subarray(this.#lineAt, this.#length - 1);
      this.#lineAt = this.#length;
      try {
        this.#onLine(new TextDecoder().decode(line));
      } catch (error) {
        this.failure = { error };
      }
    }
  }

  text() {
    return new TextDecoder().decode(this.#bytes.subarray(0, this.#length));
  }
}

const FOLDER = '/files';

function pathOf(name) {
  const parts = name.split('/');
  if (name.includes('\0') || parts.some((part) => !part || part === '.' || part === '..'))
    throw new TypeError(`file '${name}'; the rule: a relative path without . and ..`);
  return `${FOLDER}/${name}`;
}

function putFiles(FS, files) {
  if (files === null || typeof files !== 'object')
    throw new TypeError(`files: ${describe(files)}; the rule: an object of Uint8Arrays by name`);
  FS.mkdir(FOLDER);
  for (const [name, content] of Object.entries(files)) {
    if (!(content instanceof Uint8Array))
      throw new TypeError(`file '${name}': ${describe(content)}; the rule: a Uint8Array`);
    const path = pathOf(name);
    try {
      FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
      FS.writeFile(path, content);
      FS.utime(path, 0, 0);
    } catch (error) {
      if (error instanceof FS.ErrnoError)
        throw new TypeError(`file '${name}'; the rule: a path through no other file`);
      throw error;
    }
  }
  FS.chdir(FOLDER);
}

// The files that the program wrote: those that were not there, or whose time is no longer 0.
function takeFiles(FS, before) {
  const files = {};
  const visit = (path) => {
    for (const name of FS.readdir(path)) {
      if (name === '.' || name === '..')
        continue;
      const at = `${path}/${name}`;
      const { mode, mtime } = FS.stat(at);
      const relative = at.slice(FOLDER.length + 1);
      if (FS.isDir(mode))
        visit(at);
      else if (mtime.getTime() !== 0 || !(relative in before))
        files[relative] = FS.readFile(at);
    }
  };
  FS.ignorePermissions = true;
  visit(FOLDER);
  return files;
}

// The failures that are not the program's own: a sentence in place of an engine's.
function failureOf(error) {
  if (error instanceof WebAssembly.RuntimeError)
    return new Error(`the WebAssembly program failed: ${error.message}`);
  if (error instanceof RangeError && /memory|allocation/i.test(error.message))
    return new Error('there is not enough memory: use smaller arrays, or close other pages');
  return error instanceof Error ? error : new Error(String(error));
}

class Instance {
  constructor(core) {
    this.core = core;
  }

  // Makes an instance of the compiled module. hooks: members of Emscripten's Module.
  static async make(module, hooks = {}) {
    let failed;
    const failure = new Promise((resolve, reject) => { failed = reject; });
    const core = cumsumCore({
      thisProgram: 'cumsum',
      instantiateWasm: (imports, receive) => {
        WebAssembly.instantiate(module, imports).then(receive, failed);
        return {};
      },
      ...hooks,
    });
    return new Instance(await Promise.race([core, failure]));
  }

  // Copies bytes into the instance's memory; they are freed with it or by free().
  put(bytes) {
    const at = this.allocate(bytes.length);
    this.core.HEAPU8.set(bytes, at);
    return at;
  }

  allocate(size) {
    const at = this.core._malloc(size || 1);
    if (!at)
      throw new Error(`there is no memory for ${size} bytes: use smaller arrays`);
    return at;
  }
}

// The arguments in memory, as main() takes them.
function putArguments(instance, args) {
  const words = ['cumsum', ...args].map((argument) => {
    if (typeof argument !== 'string' || argument.includes('\0'))
      throw new TypeError(`argument ${describe(argument)}; the rule: a string without a zero byte`);
    return instance.put(new TextEncoder().encode(`${argument}\0`));
  });
  const list = instance.put(new Uint8Array(new Uint32Array([...words, 0]).buffer));
  return [words.length, list];
}

class Cumsum {
  device = null;
  #module;
  #library;
  #cancelled = 0;

  constructor(module, library) {
    this.#module = module;
    this.#library = library;
  }

  async run(args, files = {}, onLine = undefined) {
    if (!Array.isArray(args))
      throw new TypeError(`args: ${describe(args)}; the rule: an array of strings`);
    if (onLine !== undefined && typeof onLine !== 'function')
      throw new TypeError(`onLine: ${describe(onLine)}; the rule: a function`);
    const output = new TextStream(onLine);
    const errors = new TextStream();
    const cancelled = this.#cancelled;
    const device = this.device &&
                   new DeviceLink(this.device, () => this.#cancelled !== cancelled);
    let status;
    try {
      const instance = await Instance.make(this.#module, {
        stdin: () => null,
        stdout: (byte) => output.put(byte),
        stderr: (byte) => errors.put(byte),
        quit: (code, exit) => {
          status = code;
          throw exit;
        },
        device,
      });
      putFiles(instance.core.FS, files);
      const [count, list] = putArguments(instance, args);
      try {
        status = await instance.core.ccall('main', 'number', ['number', 'number'], [count, list],
                                           { async: true });
      } catch (error) {
        if (status === undefined)
          throw error;
      }
      if (output.failure)
        throw output.failure.error;
      return { status, output: output.text(), errors: errors.text(),
               files: takeFiles(instance.core.FS, files) };
    } catch (error) {
      throw failureOf(error);
    }
  }

  cumsum(x, options = {}) {
    checkOptions(options, ['shape', 'axis', 'exclusive', 'reverse', 'type', 'order',
                           'halfAccumulator', 'halfStore', 'denormals', 'kernel']);
    const type = typeOf(x, options.type, 'x');
    if (!typeNumbers[type])
      throw new TypeError(`x: ${type}; the rule: one of ${Object.keys(typeNumbers).join(', ')}`);
    const shape = shapeOf(x, options);
    const request = new Uint32Array(18);
    request[0] = typeNumbers[type];
    request[1] = shape.length;
    request.set(shape, 2);
    request.set([axisOf(options, shape.length), flag(options, 'reverse') ? 1 : 0,
                 flag(options, 'exclusive') ? 1 : 0, word(options, 'order', orders),
                 word(options, 'halfAccumulator', accumulators),
                 word(options, 'halfStore', stores), word(options, 'denormals', denormals),
                 word(options, 'kernel', kernels)], 10);
    return this.#sum(x, new Uint8Array(request.buffer));
  }

  #sum(x, request) {
    const library = this.#library;
    const core = library.core;
    const taken = [];
    const keep = (at) => {
      taken.push(at);
      return at;
    };
    try {
      const room = 400;
      // A tensor's size is a multiple of 4.
      const size = Math.ceil(x.byteLength / 4) * 4;
      const ask = keep(library.put(request));
      const message = keep(library.allocate(room));
      const values = keep(library.allocate(size));
      core.HEAPU8.set(bytesOf(x), values);
      const status = core._cumsum_web_sum(ask, values, values, size, message, room);
      if (status !== 0) {
        const text = core.HEAPU8.slice(message, message + room);
        throw new Error(new TextDecoder().decode(text.subarray(0, text.indexOf(0))));
      }
      const sums = new x.constructor(x.length);
      bytesOf(sums).set(core.HEAPU8.subarray(values, values + x.byteLength));
      return sums;
    } catch (error) {
      throw failureOf(error);
    } finally {
      taken.forEach((at) => core._free(at));
    }
  }

  async judge(x, y, options = {}) {
    checkOptions(options, ['shape', 'axis', 'exclusive', 'reverse', 'type', 'halfAccumulator',
                           'halfStore', 'rules', 'accept', 'orders']);
    const type = typeOf(x, options.type, 'x');
    if (typeOf(y, options.type, 'y') !== type || y.length !== x.length)
      throw new TypeError(`y: ${y.length} of ${typeOf(y, options.type, 'y')}; ` +
                          `the rule: as x, ${x.length} of ${type}`);
    const shape = shapeOf(x, options);
    const args = ['judge', '--json', 'x', 'y', '--raw', `${type.toLowerCase()}:${shape.join('x')}`,
                  '--axis', String(axisOf(options, shape.length))];
    const add = (given, ...words) => given && args.push(...words);
    add(flag(options, 'reverse'), '--reverse');
    add(flag(options, 'exclusive'), '--exclusive');
    add(word(options, 'orders', namedOrders) === 1, '-v');
    add(options.accept !== undefined, '--accept', String(options.accept));
    const store = stores[word(options, 'halfStore', stores)];
    const half = word(options, 'halfAccumulator', accumulators) === 1;
    add(options.halfAccumulator !== undefined || options.halfStore !== undefined, '--numerics',
        `sequential${half ? '-half' : store === 'nearest-even' ? '' : `-${store}`}`);
    add(options.rules !== undefined, '--rules', String(options.rules));
    const run = await this.run(args, { x: bytesOf(x), y: bytesOf(y) });
    if (run.status > 1)
      throw new Error(run.errors.trim() || run.output.trim());
    return JSON.parse(run.output.split('\n')[0]);
  }

  /** Ends what runs on the device, before its next execution. */
  cancel() {
    this.#cancelled++;
  }
}

/** The compiled WebAssembly: of given bytes, or of the file beside this one. */
async function loadModule(bytes) {
  if (bytes)
    return WebAssembly.compile(bytes);
  const place = new URL('./cumsum_core.wasm', import.meta.url);
  if (place.protocol === 'file:' && globalThis.process?.versions?.node) {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(place));
  }
  const response = await fetch(place);
  if (!response.ok)
    throw new Error(`${place}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Loads the WebAssembly. options.wasm: its bytes, or the compiled module, where they are known. */
export async function load(options = {}) {
  checkOptions(options, ['wasm']);
  try {
    const module = options.wasm instanceof WebAssembly.Module
      ? options.wasm : await loadModule(options.wasm);
    return new Cumsum(module, await Instance.make(module));
  } catch (error) {
    throw failureOf(error);
  }
}
