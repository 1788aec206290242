// SPDX-License-Identifier: MIT
// A file in the two forms that tests/web/wpt.mjs reads, with a right and a planted wrong expected
// value.
'use strict';

const tolerance = (graph) => {
  const type = getExpectedDataTypeOfSingleOutput(graph.expectedOutputs);
  return { metricType: 'ULP', value: { float32: 2, int32: 0 }[type] };
};

const graph = (dataType, data, expected, options) => ({
  inputs: { x: { data, descriptor: { shape: [1, 3], dataType } } },
  operators: [{
    name: 'cumulativeSum',
    arguments: [{ input: 'x' }, { axis: 1 }, { options }],
    outputs: 'y',
  }],
  expectedOutputs: { y: { data: expected, descriptor: { shape: [1, 3], dataType } } },
});

if (navigator.ml) {
  const right = graph('float32', [0.1, 0.2, 0.3], [0.6, 0.5, 0.3], { reversed: true });
  const wrong = graph('int32', [1, 2, 3], [0, 1, 4], { exclusive: true });
  webnn_conformance_test(buildGraphAndCompute, tolerance, { name: 'right', graph: right });
  [{ name: 'wrong', graph: wrong }].filter(isTargetTest).forEach((test) => {
    webnn_conformance_test(buildAndExecuteGraph, tolerance, test);
  });
}
