// SPDX-License-Identifier: MIT
// plant_faults.mjs MODULE VECTORS FOLDER: plants faults in anyorder.mjs, one at a time, which the
// checks of this folder must find. Exit status 1: one was not found, its place is no longer in the
// module, or the module fails without any. The vectors are tried in this process, up to the first
// difference; what they do not find, check_numbers.mjs must find.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Check, readLines } from './check_vectors.mjs';

const [module, vectors, folder] = process.argv.slice(2);
const numberCheck = new URL('check_numbers.mjs', import.meta.url).pathname;
const source = readFileSync(module, 'utf8');
const lines = readLines(vectors);

// A name, a place, and what stands there instead.
const FAULTS = [
  ['one rounding too few', 'BigInt(this.nonzero) + 1n - most', 'BigInt(this.nonzero) - most'],
  ['the heaviest node has one term too many',
    'exact / this.largest + 1n',
    'exact / this.largest + 2n'],
  ['NaN by a false comparison',
    'return this.nan;\n    return this.values',
    'return true;\n    return this.values'],
  ['a truncation errs by u',
    "profile.rounding === 'nearest' ? 1n : 2n",
    "profile.rounding === 'either' ? 2n : 1n"],
  ['neighbours do not grow',
    "rounding === 'either' ? this.grown(k, all)",
    "rounding === 'none' ? this.grown(k, all)"],
  ['growth stays in one power of two', 'const steps = least(left, k)', 'const steps = k'],
  ['what is flushed rounds no more often', 'return this.lost() ? BigInt', 'return false ? BigInt'],
  ['ties away from zero',
    'rest > half || (rest === half && (quotient & 1n) === 1n)',
    'rest >= half'],
  ['overflow at the greatest number', 'size >= limit + half', 'size > limit'],
  ['a truncated sum overflows',
    "return this.profile.rounding !== 'toward-zero' && this",
    'return this'],
  ['contiguous orders permute', 'return isRun(part) && isRun(rest) && isRun(part | rest)',
    'return true'],
  ['a contiguous order adds the first and the last', ' && isRun(part | rest)', ''],
  ['contiguous bounds are those of any order',
    "order === 'contiguous' ? this.compound(k) : null",
    'null'],
  ['a contiguous bound without its curvature',
    'growth += power + product(growth, power);',
    'growth += power;'],
  ['leaves keep their bits',
    'if (!this.t.isSubnormal(x) || !this.mayFlush)\n      return [x];',
    'return [x];'],
  ['stores keep their bits',
    "if (subnormal && this.mayFlush)\n        outputs",
    'if (false)\n        outputs'],
  ['only terms lose something', '2n * BigInt(this.nonzero) - 1n << normal', '1n << normal'],
  ['a subnormal output passes',
    "this.nonzero > 1 && this.t.isSubnormal(y))\n      return refused",
    "false)\n      return refused"],
  ['a wider sum fails', 'answer.accept(this.asFar(finite))', 'answer.accept([1n, 0n])'],
  ['a sum that stops is doubtful', 'return (sum << BigInt(this.scale)) + sum * compound >=', 'return 0n >'],
  ['a wider sum of many terms fails',
    'answer.accept(this.exact());\n    const up',
    ';\n    const up'],
  ['specials that are absent are judged',
    "answer.absent = own.special && this",
    'answer.absent = false && this'],
  ['no overflow explains a NaN', 'return up && down', 'return false'],
  ['any overflow explains a NaN', 'return up && down', 'return up || down'],
  ['no truncated sum stops',
    "if (profile.rounding !== 'nearest' && (this",
    'if (false && (this'],
  ['overflow without the errors', '(side << BigInt(scale)) + error', 'side << BigInt(scale)'],
  ['sequences round outward', 'leastOf(format.roundings(low', 'mostOf(format.roundings(low'],
  ['infinities of both signs', 'only.size > 1 || only.has(NaN)', 'only.has(NaN)'],
  ['no doubt', "return 'DOUBTFUL';", "return verdict;"],
  ['neighbours are not asked', 'if (scan && !this.ofNeighbours(known, r))', 'if (false)'],
  ['no error jumps', 'reason ??=', 'null ??'],
  ['a sequential output is doubtful', 'this.nonzero <= FEW || known)', 'this.nonzero <= FEW)'],
  ['integers do not wrap',
    'this.sum = BigInt.asUintN(this.width, this.sum + field(value, this.width))',
    'this.sum += field(value, this.width)'],
  ['short prefixes have five terms', 'const FEW = 4;', 'const FEW = 5;'],
  ['a narrow accumulator is accepted', 'f.precision < t.precision ||', 'false ||'],
  ['hlsl keeps subnormals', "flushing('must') : {}", '{} : {}'],
];

mkdirSync(folder, { recursive: true });
let missed = 0;

// Do the vectors find a difference? An exception that the module throws is one.
async function isFoundByVectors(planted) {
  const check = new Check(await import(resolve(planted)), (difference) => {
    throw new Error(difference);
  });
  try {
    lines.forEach((line) => check.line(line));
    return false;
  } catch {
    return true;
  }
}

// Does a check of this module fail, as a check fails?
async function isFound(planted) {
  if (await isFoundByVectors(planted))
    return true;
  const { status, signal } = spawnSync(process.execPath, [numberCheck, planted]);
  return status === 1 && signal === null;
}

for (const [number, [name, from, to]] of FAULTS.entries()) {
  const planted = join(folder, `planted-${number}.mjs`); // a name that Node has not imported
  if (source.split(from).length !== 2) {
    console.log(`${name}: its place is not once in ${module}: ${from}`);
    missed++;
    continue;
  }
  writeFileSync(planted, source.replace(from, () => to));
  if (!await isFound(planted)) {
    console.log(`${name}: not found`);
    missed++;
  }
}
console.log(`${FAULTS.length} faults planted, ${missed} not found`);
process.exit(missed || await isFound(module) ? 1 : 0);
