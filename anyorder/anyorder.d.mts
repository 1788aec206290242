// SPDX-License-Identifier: MIT
// The types of anyorder.mjs.

/** Of the project that the file comes from. */
export const version: string;

export type FloatType = 'FLOAT64' | 'FLOAT32' | 'FLOAT16' | 'BFLOAT16';
export type IntegerType =
  | 'INT8' | 'UINT8' | 'INT16' | 'UINT16' | 'INT32' | 'UINT32' | 'INT64' | 'UINT64';
export type Type = FloatType | IntegerType;
export type Flush = 'never' | 'may' | 'must';

/** What one addition may return, and in which order terms may be added. */
export interface Profile {
  /** Of terms and outputs. */
  type: Type;
  /** Of partial sums: as precise as the type, and with its range, at least. Default: the type. */
  accumulator?: Type;
  /** Of additions, and of the store of a sum to a narrower type. Default: 'nearest'. */
  rounding?: 'nearest' | 'toward-zero' | 'either';
  /** Are subnormal operands and results replaced by zeros? Default: 'never'. */
  'flush-inputs'?: Flush;
  'flush-results'?: Flush;
  /** 'absent': a program may assume that there are no infinities and NaNs. Default: 'ieee'. */
  specials?: 'ieee' | 'absent';
  /** 'contiguous': each partial sum has consecutive terms. Default: 'any'. */
  order?: 'any' | 'contiguous' | 'sequential';
  /** 'allowed': partial sums may be more precise than the accumulator. Default: 'forbidden'. */
  wider?: 'forbidden' | 'allowed';
  /** No output may be -0; otherwise both zeros are equal. Default: false. */
  'strict-zero'?: boolean;
  /** Up to this number of terms, 4 to 8, all orders are tried. Default: 4. */
  'orders-of'?: number;
}

/** SUSPECT: some order may give it, but no scan that is known. MAY_OVERFLOW: an overflow on the
 *  way, or a special value, may explain it. */
export type Verdict = 'PASS' | 'FAIL' | 'SUSPECT' | 'MAY_OVERFLOW';
export const verdicts: readonly Verdict[];

/** Bits of an element; those above the type's width are ignored. */
export type Bits = number | bigint;

export interface Line {
  readonly profile: Readonly<Profile>;
  /** Why the last verdict is what it is. */
  readonly reason: string;
  /** Adds the next term. */
  add(bits: Bits): void;
  /** Judges an output of a scan: the sum of the terms so far. Outputs are judged in order. */
  judge(output: Bits): Verdict;
  /** Judges the sum of a line, whose terms may be permuted. Many outputs may be judged. */
  judgeSum(output: Bits): Verdict;
  /** The bits of the least and the greatest output that passes, suspect or not: a NaN's if no
   *  other does. null: nothing is known. */
  range(): { low: bigint; high: bigint } | null;
}

/** Starts a line. Throws a RangeError for a profile that contradicts itself. */
export function begin(profile: Profile): Line;

/** Does a test fail for this verdict? The profile promises nothing of what may overflow. */
export function isWrong(verdict: Verdict): boolean;

/** The bits of a number, rounded to the type; of an integer, modulo its width. */
export function bits(type: FloatType, value: number): bigint;
export function bits(type: IntegerType, value: number | bigint): bigint;

/** The number that bits are; a bigint for integers. */
export function valueOf(type: FloatType, bits: Bits): number;
export function valueOf(type: IntegerType, bits: Bits): bigint;

/** The profiles of specifications. */
export const profiles: Readonly<
  Record<'ieee' | 'cuda' | 'hlsl' | 'sycl' | 'opencl' | 'vulkan' | 'wgsl', (type: Type) => Profile>
>;
