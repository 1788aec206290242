// SPDX-License-Identifier: MIT
// wpt.mjs OUT FILE: runs web-platform-tests' webnn/conformance_tests/cumulative_sum.https.any.js
// without changes, and judges its expected values. Then it looks for sums that the file's tolerance
// in ULP accepts although no order of additions gives them, and for sums that it rejects although
// one does. Exit status 1: an expected value is wrong.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';

const [out, file] = process.argv.slice(2);
const { load } = await import(`${resolve(out)}/package/cumsum.js`);
const c = await load();

// What the file needs of its harness, in its older and its newer form: it hands over its tests and
// its tolerance.
const tests = [];
const only = (object) => Object.values(object)[0];
runInContext(readFileSync(file, 'utf8'), createContext({
  navigator: { ml: {} },
  buildGraphAndCompute: null,
  buildAndExecuteGraph: null,
  isTargetTest: () => true,
  getExpectedDataTypeOfSingleOutput: (outputs) => only(outputs).descriptor.dataType,
  webnn_conformance_test: (build, tolerance, test) => tests.push({ tolerance, ...test }),
}));

const arrays = { float32: Float32Array, int32: Int32Array, uint32: Uint32Array };

// The integers whose differences are distances in ULP.
function place(value) {
  const bits = new Int32Array(Float32Array.of(value).buffer)[0];
  return bits < 0 ? -(bits & 0x7fffffff) : bits;
}

function atPlace(number) {
  const bits = number < 0 ? (-number | 0x80000000) : number;
  return new Float32Array(Int32Array.of(bits).buffer)[0];
}

const judge = async (x, y, options) => (await c.judge(x, y, options)).status;

// The sum of some elements in every order: of all pairs of parts, each in every order.
function sumsOf(elements) {
  if (elements.length === 1)
    return new Set(elements);
  const sums = new Set();
  for (let part = 1; part < 2 ** (elements.length - 1); part++) {
    const one = elements.filter((_, i) => part >> i & 1);
    const other = elements.filter((_, i) => !(part >> i & 1));
    for (const a of sumsOf(one))
      for (const b of sumsOf(other))
        sums.add(Math.fround(a + b));
  }
  return sums;
}

let wrong = 0;
for (const { name, graph, tolerance } of tests) {
  const { data, descriptor } = only(graph.inputs);
  const values = (list) => arrays[descriptor.dataType].from(list);
  const [x, y] = [values(data), values(only(graph.expectedOutputs).data)];
  const words = Object.assign({}, ...graph.operators[0].arguments);
  const options = { shape: [...descriptor.shape], axis: words.axis, ...words.options };
  const limit = tolerance(graph).value;
  const status = await judge(x, y, options);
  wrong += status === 'PASS' ? 0 : 1;
  console.log(`${name}: expected values: ${status}; tolerance ${limit} ULP`);
  if (descriptor.dataType !== 'float32' || status !== 'PASS')
    continue;
  for (let i = 0; i < y.length; i++) {
    const accepted = y.slice();
    accepted[i] = atPlace(place(y[i]) + limit);
    if (await judge(x, accepted, options) === 'FAIL') {
      console.log(`  accepted, and no order gives it: ${accepted[i]} for ${y[i]} at ${i}`);
      break;
    }
  }
}

// Lines of the length of those above that cancel: what an order gives, and what the tolerance says.
const line = Float32Array.of(1e8, 1, -1e8, 3);
const expected = c.cumsum(line)[3];
for (const sum of sumsOf([...line])) {
  const y = c.cumsum(line);
  y[3] = sum;
  const distance = Math.abs(place(sum) - place(expected));
  if (distance > 3)
    console.log(`rejected, and an order gives it: ${sum} for ${expected}, the sum of ${line}: ` +
                `${distance} ULP, ${await judge(line, y, {})}`);
}
process.exitCode = wrong ? 1 : 0;
