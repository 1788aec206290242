# SPDX-License-Identifier: MIT
"""Writes a shader in HLSL as CUDA for clang, with a kernel of a name, or compiles it into PTX:

    convert.py SHADER.hlsl NAME [MACRO[=VALUE]...] > NAME.cu
    convert.py --compile CLANG SHADER.hlsl NAME [MACRO[=VALUE]...] > NAME.ptx

The shader becomes one struct: its constants and buffers are members, its functions are functions of
the struct, and the kernel makes such a struct of its parameters. hlsl.h has HLSL's types and
functions. Addresses of elements get 64 bits.

Only what the shaders of this project use is converted. What is not known stays as it is, and clang
rejects it.
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SHADERS = os.path.join(os.path.dirname(HERE), "shaders")
REPLACED = {
    "[branch] ": "",
    "[unroll]": '_Pragma("unroll")',
    "[loop]": '_Pragma("nounroll")',
    "precise ": "",
    "globallycoherent RW": "Coherent",
    ".wzyx": ".wzyx()",
    "const uint place = element": "const byte_address place = (byte_address)element",
}
SYSTEM_VALUES = {
    "SV_GroupID": "uint3{block_x(), block_y(), block_z()}",
    "SV_GroupIndex": "thread_x()",
}


def read(path, seen):
    """The text of a source with those that it includes, each of them once."""
    name = os.path.basename(path)
    if name in seen:
        return ""
    seen.add(name)
    with open(path if os.path.exists(path) else os.path.join(SHADERS, name)) as file:
        text = file.read()
    folder = os.path.dirname(path)
    return re.sub(
        r'^#include "(.*)"',
        lambda m: read(os.path.join(folder, m.group(1)), seen),
        text,
        flags=re.M,
    )


def shared_variable(match):
    """A variable in groupshared memory. No member can be there: a function returns it."""
    kind, name, length = match.groups()
    if length:
        kind = f"array<{kind}, {length}>"
    return (
        f"static DEVICE {kind} &{name}_() {{ static SHARED {kind} {name}; return {name}; }}\n"
        f"#define {name} {name}_()"
    )


def array(match):
    """A variable or a parameter that is an array, which HLSL copies as a value."""
    before, kind, name, length, more = match.groups()
    if kind == "return":
        return match.group(0)
    return f"{before}array<{kind}, {length}> {name}" + more.replace(f"[{length}]", "")


def function(match):
    """The head of a function: parameters that are written to are references."""
    kind, name, parameters = match.groups()
    parameters = re.sub(r"\b(?:in)?out (array<.*?>|\w+) ", r"\1 &", parameters)
    return f"DEVICE {kind} {name}({parameters}) {{"


def kernel(match):
    """The entry: how many threads a group has, and the parameters that the system gives."""
    threads, parameters = match.groups()
    values = (p.split(":")[1].strip() for p in parameters.split(","))
    return (
        f"static constexpr int threads = {threads};\n"
        f"DEVICE void run() {{ run({', '.join(SYSTEM_VALUES[v] for v in values)}); }}\n"
        f"DEVICE void run({re.sub(r' : SV_[A-Za-z]+', '', parameters)}) {{"
    )


def convert(text):
    text = re.sub(r"\[RootSignature\(\w+\)\]", "", text)
    for hlsl, cuda in REPLACED.items():
        text = text.replace(hlsl, cuda)
    text = re.sub(
        r"cbuffer \w+ : register\(b0\) \{(.*?)\};", r"union { words given; struct {\1}; };", text,
        flags=re.S,
    )
    text = re.sub(
        r"(RWByteAddressBuffer|WORK_BUFFER) (\w+) : register\(u(\d)\);", r"\1 \2{slot\3};", text
    )
    text = re.sub(r"(\w+\.)?Interlocked(Add|Or|Exchange)\((.*), ([\w.]+)\);",
                  r"\4 = \1Interlocked\2(\3);", text)
    text = re.sub(r"((?:Load|Store|Is)\w*\()(element|first)\b", r"\1(byte_address)\2", text)
    text = re.sub(r"groupshared (\w+) (\w+)(?:\[(.*)\])?;", shared_variable, text)
    text = re.sub(
        r"\[numthreads\((\w+), 1, 1\)\]\s*void main\((.*?)\) \{", kernel, text, flags=re.S
    )
    text = re.sub(r"([ (])(\w+) (\w+)\[([^]]+)\]((?:, \w+\[\4\])*)(?=[;,)]| = \{)", array, text)
    return re.sub(r"^(?!DEVICE)(\w+) (\w+)\(([^()]*)\) \{", function, text, flags=re.M)


def program(source, name, definitions):
    shader = convert(read(source, set()))
    return "\n".join(
        ["#define " + definition.replace("=", " ", 1) for definition in definitions]
        + [f'#include "hlsl.h"\nstruct {name}_struct {{\nuint *slot0, *slot1, *slot2;']
        + [shader if " given;" in shader else "words given;" + shader]
        + [f"}};\nKERNEL({name}_struct, {name})\n"]
    )


def compile_for_gpu(clang, text, definitions):
    """PTX for sm_70 and later, with PAIRS for sm_80 and later, of clang alone. An access that names no
    kind of memory is refused: clang 14 makes some from vectors, with wrong addresses."""
    options = (
        f"-x cuda --cuda-device-only --cuda-gpu-arch=sm_{80 if 'PAIRS' in definitions else 70} "
        "-nocudainc -nocudalib -std=c++17 -O3 "
        "-Wno-unknown-cuda-version -ffp-contract=off -S -o - -"
    ).split()
    if {"PAIRS", "RESTS", "SHUFFLES"} & set(definitions):
        options += "-Xclang -target-feature -Xclang +ptx70".split()
    done = subprocess.run(
        [clang, "-I" + HERE] + options, input=text, text=True, stdout=subprocess.PIPE, check=False
    )
    if done.returncode:
        sys.exit(done.returncode)
    if re.search(
        r"^[\s@%p0-9!]*(ld|st|atom)\.(volatile\.)?([usbfv][0-9]|add|or|exch|xor)", done.stdout, re.M
    ):
        sys.exit("an access without a kind of memory")
    return done.stdout


def main():
    compiles = sys.argv[1] == "--compile"
    source, name, *definitions = sys.argv[3 if compiles else 1 :]
    text = program(source, name, definitions)
    sys.stdout.write(compile_for_gpu(sys.argv[2], text, definitions) if compiles else text)


if __name__ == "__main__":
    main()
