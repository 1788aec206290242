// SPDX-License-Identifier: MIT
// check_vectors.mjs MODULE FILE: anyorder.mjs against test vectors. Each difference is printed, and
// how many of what was compared. Exit status 1: there are differences.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const SHOWN = 20;
const [module, file] = process.argv.slice(2);
const { begin, profiles } = await import(resolve(module));
const { lines } = JSON.parse(readFileSync(file, 'utf8'));

let compared = 0, differences = 0;

function expect(name, found, wanted) {
  compared++;
  if (found === wanted)
    return;
  differences++;
  if (differences <= SHOWN)
    console.log(`${name}: ${found}, expected ${wanted}`);
}

const number = (text) => BigInt(`0x${text}`);
const pair = (range) => (range ? `${range.low.toString(16)} ${range.high.toString(16)}` : 'none');

// Members in one order, those that are missing as their defaults.
function written(profile) {
  const line = begin(profile);
  return JSON.stringify(Object.entries(line.profile).sort());
}

for (const line of lines) {
  const options = line['orders-of'] ? { 'orders-of': line['orders-of'] } : {};
  const profile = { ...line.profile, ...options };
  if (line.error) {
    let found = 'no error';
    try {
      begin(profile);
    } catch (error) {
      const named = error instanceof RangeError && error.message.startsWith('profile: ');
      found = named ? 'error' : error;
    }
    expect(line.name, found, 'error');
    continue;
  }
  if (line.named)
    expect(line.name, written(profiles[line.named](profile.type)), written(profile));
  const judged = begin(profile);
  line.steps.forEach(([what, ...rest], i) => {
    const [bits, wanted] = rest, name = `${line.name}, step ${i}, ${what} ${bits ?? ''}`;
    if (what === 'add')
      rest.forEach((term) => judged.add(number(term)));
    else if (what === 'judge')
      expect(name, judged.judge(number(bits)), wanted);
    else if (what === 'judge-sum')
      expect(name, judged.judgeSum(number(bits)), wanted);
    else
      expect(name, pair(judged.range()),
        bits ? pair({ low: number(bits), high: number(wanted) }) : 'none');
  });
}
console.log(`${compared} verdicts, ranges and profiles compared, ${differences} differ`);
process.exit(differences || compared < 1000 ? 1 : 0);
