// SPDX-License-Identifier: MIT
// plant_faults.mjs MODULE VECTORS FOLDER: plants faults in anyorder.mjs, one at a time, which the
// checks of this folder must find. Exit status 1: one was not found, its place is no longer in the
// module, or the module fails without any.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [module, vectors, folder] = process.argv.slice(2);
const vectorCheck = new URL('check_vectors.mjs', import.meta.url).pathname;
const numberCheck = new URL('check_numbers.mjs', import.meta.url).pathname;
const source = readFileSync(module, 'utf8');

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
    "answer.accept(this.exact());\n    const up", 'const up'],
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

// Does a check of this module fail, as a check fails?
function isFound(planted) {
  return [[vectorCheck, planted, vectors], [numberCheck, planted]].some((command) => {
    const { status, signal } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    return status === 1 && signal === null;
  });
}

for (const [name, from, to] of FAULTS) {
  const planted = join(folder, 'planted.mjs');
  if (source.split(from).length !== 2) {
    console.log(`${name}: its place is not once in ${module}: ${from}`);
    missed++;
    continue;
  }
  writeFileSync(planted, source.replace(from, () => to));
  if (!isFound(planted)) {
    console.log(`${name}: not found`);
    missed++;
  }
}
console.log(`${FAULTS.length} faults planted, ${missed} not found`);
process.exit(missed || isFound(module) ? 1 : 0);
