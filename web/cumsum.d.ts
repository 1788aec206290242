// SPDX-License-Identifier: MIT
// The types of cumsum.js. docs/browser.md says more.

export type Type = 'FLOAT32' | 'FLOAT16' | 'INT32' | 'UINT32' | 'INT64' | 'UINT64';

/** A typed array of one of the types. FLOAT16 may be a Uint16Array of encodings. */
export type Numbers =
  | Float32Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array | Uint16Array;

/** What judge also takes. */
export type JudgedNumbers = Numbers | Float64Array | Int16Array | Uint8Array | Int8Array;

export interface Layout {
  /** The sizes of 1 to 8 dimensions, in C order; default: one dimension. */
  shape?: number[];
  /** The dimension to sum along; a negative one counts from the end. Default: -1. */
  axis?: number;
  /** Leave each element out of its own sum. */
  exclusive?: boolean;
  /** Sum from the last index to the first. */
  reverse?: boolean;
}

export interface SumOptions extends Layout {
  /** 'FLOAT16' for a Uint16Array of encodings; else the array's own type. */
  type?: Type;
  order?: 'sequential' | 'blocked' | 'exact';
  halfAccumulator?: 'float32' | 'float16';
  halfStore?: 'nearest-even' | 'toward-zero' | 'ieee';
  denormals?: 'preserve' | 'flush';
  /** All kernels give the same bits. */
  kernel?: 'auto' | 'reference' | 'portable';
}

export interface JudgeOptions extends Layout {
  /** What a Uint16Array holds: 'FLOAT16', 'BFLOAT16', or integers, the default. */
  type?: string;
  /** What FLOAT16 promises. */
  halfAccumulator?: 'float32' | 'float16';
  halfStore?: 'nearest-even' | 'toward-zero' | 'ieee';
  /** The only arithmetic that conforms: 'wgsl', 'ieee,rounding=either', ... (docs/oracle.md). With
   *  'zero=signed', alone or among them, +0 and -0 are different values. */
  rules?: string;
  /** What passes: 'decided', not an output that may overflow; 'conformant', the default, this, too;
   *  'suspect', also what some order of additions may give, but no scan that is known. */
  accept?: 'decided' | 'conformant' | 'suspect';
  /** Name the first order of addition that fits, or all. */
  orders?: 'first' | 'all';
}

/** The record of a dispatch that `cumsum judge --json` prints (docs/formats.md). */
export interface Verdict {
  event: 'dispatch';
  status: 'PASS' | 'FAIL' | 'SKIP' | 'SUSPECT';
  message: string;
  type: string;
  sizes: number[];
  axis: number;
  direction: 'increasing' | 'decreasing';
  exclusive: boolean;
  [member: string]: unknown;
}

/** One execution: sizes and strides in elements, arrays in bytes, little-endian. */
export interface Work {
  type: Type;
  sizes: number[];
  inputStrides: number[];
  outputStrides: number[];
  axis: number;
  direction: 'INCREASING' | 'DECREASING';
  exclusive: boolean;
  order: 'sequential' | 'blocked';
  halfAccumulator: 'float32' | 'float16';
  halfStore: 'nearest-even' | 'toward-zero' | 'ieee';
  denormals: 'preserve' | 'flush';
  inPlace: boolean;
  input: Uint8Array;
  /** What was there before: bytes between elements must come back unchanged. */
  output: Uint8Array;
}

/**
 * What `--exec NAME` examines; NAME is for reports. Executions come one at a time.
 */
export interface Device {
  backend: string;
  name: string;
  adapter?: string;
  driver?: string;
  /** It flushes FLOAT32 subnormals, also where they are to be kept. */
  flushesSubnormals?: boolean;
  /**
   * Members of READY (docs/exec.md) in the place of the defaults: all types, ranks 1 to 8, strides,
   * inPlace, and numerics, which means that it computes what `order`, `halfAccumulator`,
   * `halfStore` and `denormals` of the work say.
   */
  ready?: Record<string, unknown>;
  /** Called before the first execution, and before the next one after the device was lost. */
  reopen?(): Promise<void>;
  /**
   * The output's bytes. Throws Unsupported (the case is a SKIP with the reason), DeviceLost (a
   * crash, and reopen is called), or any other Error (a failure with its message). Classes of
   * these names are as good as those of this module.
   */
  execute(work: Work): Promise<Uint8Array>;
}

export class Unsupported extends Error {}
export class DeviceLost extends Error {}

export interface Run {
  /** The exit status: 0, 1 something failed, 2 wrong usage or input, 3 the environment,
   * 77 nothing ran. */
  status: number;
  output: string;
  errors: string;
  /** The files that the program wrote in its folder. */
  files: Record<string, Uint8Array>;
}

export interface Cumsum {
  /**
   * Runs `cumsum ARGS` in a folder with these files. onLine gets each line of standard output when
   * it is written; its exception is that of the run, when that has ended.
   */
  run(args: string[], files?: Record<string, Uint8Array>,
      onLine?: (line: string) => void): Promise<Run>;
  /** The sums of an array, in an array of its type. */
  cumsum<T extends Numbers>(x: T, options?: SumOptions): T;
  /** Judges y as the sums of x. */
  judge(x: JudgedNumbers, y: JudgedNumbers, options?: JudgeOptions): Promise<Verdict>;
  /** What --exec examines, from the next run on. */
  device: Device | null;
  /** Ends the runs that use a device, with status 3, when its execution has ended. */
  cancel(): void;
}

/** wasm: the bytes of cumsum_core.wasm, or its module, where they are at hand. */
export function load(options?: {
  wasm?: WebAssembly.Module | BufferSource;
}): Promise<Cumsum>;
