// SPDX-License-Identifier: MIT
// From sizes and strides to lines. The dimensions of the lines are sorted by stride and merged
// where two step through memory like one: adjacent threads then get adjacent addresses, and a
// shader divides less often.

// {lines, length, inputBase, outputBase, inputStep, outputStep, outer: [{size, input, output}]}
export function layoutOf({ sizes, inputStrides, outputStrides, axis, direction }) {
  const length = sizes[axis];
  const layout = {
    length,
    lines: sizes.reduce((product, size) => product * size, 1) / length,
    inputBase: 0,
    outputBase: 0,
    inputStep: inputStrides[axis],
    outputStep: outputStrides[axis],
  };
  if (direction === 'DECREASING') { // begins at the line's last element and steps back
    layout.inputBase = (length - 1) * layout.inputStep;
    layout.outputBase = (length - 1) * layout.outputStep;
    layout.inputStep *= -1;
    layout.outputStep *= -1;
  }
  // Scattered stores cost more than scattered loads, so the output decides; but lines that are
  // contiguous there are stored along the line, and then their order matters to the loads alone.
  const key = Math.abs(layout.outputStep) === 1 ? 'input' : 'output';
  const outer = sizes
    .map((size, d) => ({ size, input: inputStrides[d], output: outputStrides[d], d }))
    .filter(({ size, d }) => d !== axis && size > 1)
    .sort((a, b) => a[key] - b[key] || b.d - a.d);
  layout.outer = [];
  for (const { size, input, output } of outer) {
    const inner = layout.outer.at(-1);
    if (inner && input === inner.input * inner.size && output === inner.output * inner.size)
      inner.size *= size;
    else
      layout.outer.push({ size, input, output });
  }
  return layout;
}

// Lines are interleaved if adjacent lines are nearer to each other than adjacent elements of a
// line. A contiguous input is loaded along its lines even if its lines are nearer (0, of a repeated
// line).
export function inputIsInterleaved({ outer, inputStep }) {
  return outer.length > 0 && outer[0].input < Math.abs(inputStep) && Math.abs(inputStep) > 1;
}

export function outputIsInterleaved({ outer, outputStep }) {
  return outer.length > 0 && outer[0].output < Math.abs(outputStep);
}
