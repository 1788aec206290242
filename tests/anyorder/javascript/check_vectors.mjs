// SPDX-License-Identifier: MIT
// check_vectors.mjs MODULE FILE: anyorder.mjs against test vectors. Each difference is printed, and
// how many of what was compared. Exit status 1: there are differences.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const SHOWN = 20;

class Check {
  constructor({ begin, profiles }) {
    Object.assign(this, { begin, profiles, compared: 0, differences: 0 });
  }

  expect(name, found, wanted) {
    this.compared++;
    if (found === wanted)
      return;
    if (++this.differences <= SHOWN)
      console.log(`${name}: ${found}, expected ${wanted}`);
  }

  // Members in one order, those that are missing as their defaults.
  written(profile) {
    const line = this.begin(profile);
    return JSON.stringify(Object.entries(line.profile).sort());
  }

  line(line) {
    const options = line['orders-of'] ? { 'orders-of': line['orders-of'] } : {};
    const profile = { ...line.profile, ...options };
    if (line.error) {
      let found = 'no error';
      try {
        this.begin(profile);
      } catch (error) {
        const named = error instanceof RangeError && error.message.startsWith('profile: ');
        found = named ? 'error' : error;
      }
      this.expect(line.name, found, 'error');
      return;
    }
    if (line.named)
      this.expect(line.name, this.written(this.profiles[line.named](profile.type)),
        this.written(profile));
    const judged = this.begin(profile);
    line.steps.forEach(([what, ...rest], i) => {
      const [bits, wanted] = rest, name = `${line.name}, step ${i}, ${what} ${bits ?? ''}`;
      if (what === 'add')
        rest.forEach((term) => judged.add(number(term)));
      else if (what === 'judge')
        this.expect(name, judged.judge(number(bits)), wanted);
      else if (what === 'judge-sum')
        for (const time of ['', ' again'])
          this.expect(name + time, judged.judgeSum(number(bits)), wanted);
      else
        this.expect(name, pair(judged.range()),
          bits ? pair({ low: number(bits), high: number(wanted) }) : 'none');
    });
  }
}

const number = (text) => BigInt(`0x${text}`);
const pair = (range) => (range ? `${range.low.toString(16)} ${range.high.toString(16)}` : 'none');

async function main(module, file) {
  const check = new Check(await import(resolve(module)));
  JSON.parse(readFileSync(file, 'utf8')).lines.forEach((line) => check.line(line));
  console.log(`${check.compared} verdicts, ranges and profiles compared, ${check.differences} differ`);
  process.exit(check.differences || check.compared < 1000 ? 1 : 0);
}

await main(...process.argv.slice(2));
