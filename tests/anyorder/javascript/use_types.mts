// SPDX-License-Identifier: MIT
// A typed use of anyorder.mjs, which the compiler checks. A line behind @ts-expect-error is wrong.
import { begin, bits, isWrong, profiles, valueOf, verdicts, version } from '../../../anyorder/anyorder.mjs';
import type { Line, Profile, Verdict } from '../../../anyorder/anyorder.mjs';

export function judgeScan(input: Float32Array, output: Float32Array): Verdict[] {
  const profile: Profile = { ...profiles.wgsl('FLOAT32'), 'orders-of': 8 };
  const line: Line = begin(profile);
  const verdicts: Verdict[] = [];
  input.forEach((x, i) => {
    line.add(bits('FLOAT32', x));
    verdicts.push(line.judge(bits('FLOAT32', output[i]!)));
  });
  return verdicts;
}

export const wrong: (verdicts: Verdict[]) => boolean = (verdicts) => verdicts.some(isWrong);

export function describe(line: Line): string {
  const range = line.range();
  if (!range)
    return line.reason;
  return `${valueOf('FLOAT32', range.low)} to ${valueOf('FLOAT32', range.high)}`;
}

export const about: string = `${version}: ${verdicts.length}`;
export const total: bigint = valueOf('INT64', bits('INT64', -1n));
begin({ type: 'FLOAT16', accumulator: 'FLOAT32', order: 'contiguous', 'flush-inputs': 'may' });
// @ts-expect-error there is no such rounding
begin({ type: 'FLOAT32', rounding: 'upward' });
// @ts-expect-error a profile has a type
begin({ order: 'any' });
// @ts-expect-error a fraction is no integer
bits('INT64', 'one');
// @ts-expect-error verdicts have other names
export const verdict: Verdict = 'CONFORMANT';
