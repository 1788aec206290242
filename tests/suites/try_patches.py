#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""try_patches.py COMPILER NODE SOURCE FOLDER: runs the code of docs/for-suites.md. Each block is
in a function of a stub of its suite. It must accept a right scan, and refuse a lane that is
dropped, a NaN, and one output that is off by a thousandth; of terms whose sum overflows it accepts
infinities. Without Node (an empty argument) its blocks are left out."""

import pathlib
import re
import subprocess
import sys

compiler, node, source, folder = sys.argv[1:]
SOURCE, FOLDER = pathlib.Path(source), pathlib.Path(folder)

# Each program gets the block, and prints for each of the outputs below whether it passes.
CPP = r"""
#include "anyorder.h"
#include <algorithm>
#include <cstdio>
#include <type_traits>
typedef uint16_t cl_half;
enum { CL_HALF_RTE, CL_HALF_RTZ };
[[maybe_unused]] static int gHalfRoundingMode = CL_HALF_RTE;
static const char *const testName = "work_group_scan_inclusive", *const testOpName = "add";
#define log_info(...) std::fprintf(stderr, __VA_ARGS__)
static uint64_t bits(float x) { return ao_from_float(x); }
[[maybe_unused]] static bool isActive(uint64_t ballot, uint32_t lane) { return ballot >> lane & 1; }
template <typename Type>
static int verify(const Type *inptr, const Type *outptr, size_t n_elems, size_t max_wg_size)
{
    OPENCL
    return 0;
}
static bool check(const float *data, const float *result, uint32_t subgroupSize, uint64_t ballot)
{
    VULKAN
    return true;
}
static float bits_of(uint32_t b) { return ao_to_float(b); }
int main()
{
    float x[64], y[64], z[64];
    for (int fault = 0; fault < 4; fault++) {
        float sum = 0, kept = 0;
        for (int i = 0; i < 64; i++) {
            x[i] = (float)((i * 37) % 64) / 64 + 0.125f;
            sum += fault == 1 && i == 40 ? 0 : x[i];
            y[i] = sum;
            kept += i % 3 == 0 ? x[i] : 0; // lanes 1, 2, 4, 5, ... are not active
            z[i] = fault == 1 && i > 40 ? kept - x[39] : kept;
        }
        if (fault == 2)
            y[40] = z[39] = bits_of(0x7fc00000);
        if (fault == 3) {
            y[40] *= 1.001f;
            z[39] *= 1.001f;
        }
        uint64_t ballot = 0;
        for (int i = 0; i < 64; i += 3)
            ballot |= (uint64_t)1 << i;
        std::printf("%d %d\n", verify(x, y, 64, 64) == 0, check(x, z, 64, ballot));
    }
    for (int i = 0; i < 64; i++) {
        x[i] = bits_of(0x7f7fffff);
        y[i] = bits_of(i ? 0x7f800000 : 0x7f7fffff);
    }
    std::printf("%d %d\n", verify(x, y, 64, 64) == 0, check(x, y, 64, ~(uint64_t)0));
}
"""
JAVASCRIPT = r"""
import { begin, bits, isWrong, profiles } from 'MODULE';
import { strict as assert } from 'node:assert';
const input = Float32Array.from({ length: 64 }, (_, i) => ((i * 37) % 64) / 64 + 0.125);
// Two subgroups of 32: the even lanes, and the odd ones from the last to the first.
const even = [...input.keys()].filter((lane) => lane % 2 === 0);
const twoSubgroups = [even, even.map((lane) => 63 - lane)];
const metadata = new Uint32Array(128);
for (const lanes of twoSubgroups)
  lanes.forEach((lane, id) => {
    metadata[lane] = lanes[0];
    metadata[64 + lane] = id;
  });
const failure = (lane) => lane;
function webgpu(output, operation) {
  WEBGPU
  return null;
}
async function wpt(shape, axis, actual, options) {
  const assert_false = (wrong) => assert(!wrong), lines = () => [[...input.keys()]];
  WPT
}
async function passes(run) {
  try {
    return await run() === null;
  } catch {
    return false;
  }
}
// The outputs of all three functions, along these lanes.
function scans(lines, dropped) {
  const scan = {};
  for (const operation of ['subgroupInclusiveAdd', 'subgroupExclusiveAdd', 'subgroupAdd'])
    scan[operation] = new Float32Array(64);
  for (const lanes of lines) {
    let sum = 0;
    for (const lane of lanes) {
      scan.subgroupExclusiveAdd[lane] = sum;
      sum = Math.fround(sum + (lane === dropped ? 0 : input[lane]));
      scan.subgroupInclusiveAdd[lane] = sum;
    }
    for (const lane of lanes)
      scan.subgroupAdd[lane] = sum;
  }
  return scan;
}
for (let fault = 0; fault < 5; fault++) {
  if (fault === 4)
    input.fill(2 ** 127);
  const dropped = fault === 1 ? 40 : -1, results = [];
  const ours = scans(twoSubgroups, dropped), whole = scans([[...input.keys()]], dropped);
  for (const y of [...Object.values(ours), ...Object.values(whole)])
    if (fault === 2 || fault === 3)
      y[41] = fault === 2 ? NaN : y[41] * 1.001;
  for (const [operation, y] of Object.entries(ours))
    results.push(await passes(() => webgpu(y, operation)));
  for (const [name, exclusive] of [['subgroupInclusiveAdd', false], ['subgroupExclusiveAdd', true]])
    results.push(await passes(async () => {
      await wpt([64], 0, whole[name], { exclusive });
      return null;
    }));
  console.log(results.map(Number).join(' '));
}
"""


def blocks(language):
    text = (SOURCE / "docs/for-suites.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def expect(name, command):
    """A line for the right outputs, for each fault, and for what overflows: all pass, or none."""
    printed = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [set(line.split()) for line in printed.stdout.splitlines()]
    if printed.returncode == 0 and lines == [{"1"}, {"0"}, {"0"}, {"0"}, {"1"}]:
        return 0
    print(f"{name}: exit status {printed.returncode}\n{printed.stdout}{printed.stderr}")
    return 1


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    opencl, vulkan = blocks("cpp")
    program, path = FOLDER / "patches", FOLDER / "patches.cpp"
    path.write_text(CPP.replace("OPENCL", opencl).replace("VULKAN", vulkan))
    subprocess.run(
        [compiler, "-std=c++17", "-Wall", "-Werror", f"-I{SOURCE}/anyorder", path, "-o", program],
        check=True,
    )
    failures = expect("C++", [program])
    if node:
        (webgpu,), (wpt,) = blocks("ts"), blocks("js")
        webgpu = re.sub(r": number(\[\])*", "", webgpu)
        script = JAVASCRIPT.replace("WEBGPU", webgpu).replace("WPT", wpt)
        for place in "'MODULE'", "'/webnn/resources/anyorder.mjs'":
            script = script.replace(place, f"'{SOURCE}/anyorder/anyorder.mjs'")
        path = FOLDER / "patches.mjs"
        path.write_text(script)
        failures += expect("JavaScript", [node, path])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
