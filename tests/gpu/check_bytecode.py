#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_bytecode.py ROOT: the committed bytecode of the source tree ROOT is that of its list, and has
the properties that the bits depend on.

The list src/gpu/shaders/bytecode.txt has all shaders and all bytecode, with the hashes of the files,
and each shader has bytecode.

The scans are compute shaders of model 5.0 with groups of 64 threads. Their only floating-point
operations are conversions from and to integers, and additions, each marked `precise`, so that no
driver contracts, rearranges or folds them. A driver that forgets the mark finds no chain of additions
either: each sum passes an exclusive-or with a zero that it cannot know. What groups publish for each
other is exchanged, and then counted.

DXBC is documented in d3d12TokenizedProgramFormat.hpp: a container of chunks, and in the chunk SHEX
32-bit tokens."""

import dataclasses
import hashlib
import pathlib
import re
import struct
import sys

ADD, IF, EXCLUSIVE_OR = 0, 31, 87
CUSTOM_DATA, THREAD_GROUP, STORE_RAW, ADD_TO_COUNTER, EXCHANGE = 53, 155, 166, 180, 184
WITHOUT_RESULT = 3, 8, IF, 63, 76  # breakc, continuec, if, retc, switch
WITH_TWO_RESULTS = 38, 78, 81, 142  # imul, udiv, umul, swapc
DECLARATIONS = {*range(88, 107), *range(143, 163), CUSTOM_DATA}
PRECISE = 0x00780000
# Operations of binary32 other than additions, conversions from integers, and ftou: div dp2 dp3 dp4 eq
# exp frc ftoi ge, log lt mad min max mul ne, round rsq sqrt sincos, rcp f32tof16 f16tof32.
FORBIDDEN = {14, 15, 16, 17, 24, 25, 26, 27, 29, 47, 49, 50, 51, 52, 56, 57,
             64, 65, 66, 67, 68, 75, 77, 129, 130, 131}  # fmt: skip
TEMPORARY, IMMEDIATE32, IMMEDIATE64, ACCESS_VIEW = 0, 4, 5, 30  # operands


def program_of(file):
    """The program's tokens, from its version token on."""
    data = file.read_bytes()
    words = struct.unpack(f"<{len(data) // 4}I", data)
    for at in words[8 : 8 + words[7]]:
        chunk = words[at // 4 :]
        if chunk[0] == 0x58454853:  # SHEX
            assert chunk[2] == 0x00050050, "no compute shader of model 5.0"
            return list(chunk[2 : 2 + chunk[3]])
    raise AssertionError("no program")


@dataclasses.dataclass
class Operand:
    type: int
    number: int  # of a register
    components: list[int]  # of x, y, z, w; of a source, one for each component of the result
    tokens: int
    indices: list["Operand"]


def components_of(token):
    if token & 3 == 1:
        return [0]
    mode = token >> 2 & 3
    if mode == 0:  # a mask
        return [c for c in range(4) if token >> (4 + c) & 1]
    return [token >> 4 & 3] if mode == 2 else [token >> (4 + 2 * c) & 3 for c in range(4)]


def read_operand(tokens, at):
    token, size = tokens[at], 1
    extended = token
    while extended >> 31:
        extended, size = tokens[at + size], size + 1
    operand = Operand(token >> 12 & 255, 0, components_of(token), size, [])
    if operand.type in (IMMEDIATE32, IMMEDIATE64):
        words = 4 if token & 3 == 2 else 1
        operand.tokens += words * (2 if operand.type == IMMEDIATE64 else 1)
    for i in range(token >> 20 & 3):
        representation = token >> (22 + 3 * i) & 7  # a number of 32 or 64 bits, a register, or both
        if representation != 2:
            if i == 0:
                operand.number = tokens[at + operand.tokens]
            operand.tokens += 2 if representation in (1, 4) else 1
        if representation >= 2:
            index = read_operand(tokens, at + operand.tokens)
            operand.indices.append(index)
            operand.tokens += index.tokens
    return operand


@dataclasses.dataclass
class Instruction:
    opcode: int
    at: int
    tokens: list[int]

    def operands(self):
        """The results, and the sources."""
        at, extended = 1, self.tokens[0]
        while extended >> 31:
            extended, at = self.tokens[at], at + 1
        found = []
        while at < len(self.tokens) and self.opcode not in DECLARATIONS:
            found.append(read_operand(self.tokens, at))
            at += found[-1].tokens
        results = 0 if self.opcode in WITHOUT_RESULT else 2 if self.opcode in WITH_TWO_RESULTS else 1
        return found[:results], found[results:]


def instructions(program):
    at = 2
    while at < len(program):
        opcode = program[at] & 0x7FF
        size = program[at + 1] if opcode == CUSTOM_DATA else program[at] >> 24 & 0x7F
        assert 0 < size <= len(program) - at
        yield Instruction(opcode, at, program[at : at + size])
        at += size


def places(operand, written=None):
    """The components of registers that an operand reads or writes. Of a swizzled source an instruction
    that writes the components `written` uses those alone."""
    if operand.type != TEMPORARY:
        return set()
    used = operand.components
    if written and len(used) == 4:
        used = [used[c] for c in written]
    return {(operand.number, c) for c in used}


def bare_sums(program):
    """The number of operands that take a sum otherwise than for an exclusive-or with a value that is no
    literal. The program is read twice, so that what a round of a loop leaves meets the next round."""
    bare, found = set(), 0
    for _ in range(2):
        found = 0
        for instruction in instructions(program):
            results, sources = instruction.operands()
            for operand in results + sources:
                found += sum(bool(places(index) & bare) for index in operand.indices)
            written = sorted({c for result in results for c in result.components})
            sums = sum(bool(places(source, written) & bare) for source in sources)
            guards = instruction.opcode == EXCLUSIVE_OR
            guards = guards and all(source.type != IMMEDIATE32 for source in sources)
            found += sums > 1 if guards else sums
            for result in results:
                adds = instruction.opcode == ADD
                found += adds and result.type != TEMPORARY
                bare = bare | places(result) if adds else bare - places(result)
    return found


def published_words(program):
    """Whether groups see a value that a shader publishes in u2 before they see its counter grow: every
    word of it is written by an exchange, and what the counter adds is computed from the results of all
    exchanges before it. Plain stores to u2 store literals, and so do other additions.

    Returns the number of those exchanges, the words of a value; 0 if there is a defect."""
    origins, exchanges, words = {}, set(), []  # the exchanges that a place is computed from
    for instruction in instructions(program):
        opcode = instruction.opcode
        results, sources = instruction.operands()
        operands = results + sources
        view = 0 if opcode == STORE_RAW else 1
        if len(operands) > view and (operands[view].type, operands[view].number) == (ACCESS_VIEW, 2):
            value = operands[-1]
            if value.type != IMMEDIATE32 and opcode == STORE_RAW:
                return 0
            if value.type != IMMEDIATE32 and opcode == ADD_TO_COUNTER:
                words.append(len(exchanges))
                waited = [origins.get(place, set()) for place in places(value)]
                if set().union(*waited) != exchanges:
                    return 0
        found = {c: set() for c in range(4)}  # what a component of a result is computed from
        for source in sources:
            for c in range(4) if source.type == TEMPORARY else ():
                of = source.components[c if len(source.components) == 4 else 0]
                found[c] |= origins.get((source.number, of), set())
        for result in results:
            for place in places(result):
                origins[place] = {instruction.at} if opcode == EXCHANGE else found[place[1]]
        exchanges |= {instruction.at} if opcode == EXCHANGE else set()
    return words[0] if len(words) == 1 else 0


def wrong_operations(program, adds_floats):
    """What is wrong about single instructions, in words."""
    wrong, adds = [], 0
    for instruction in instructions(program):
        if instruction.opcode in FORBIDDEN:
            wrong.append(f"operation {instruction.opcode}")
        if instruction.opcode == ADD:
            adds += 1
            if not instruction.tokens[0] & PRECISE:
                wrong.append("an addition that is not precise")
        if instruction.opcode == THREAD_GROUP and instruction.tokens[1:4] != [64, 1, 1]:
            wrong.append(f"groups of {instruction.tokens[1:4]} threads")
    if (adds > 0) != adds_floats:
        wrong.append(f"{adds} additions")
    return wrong


def check_scan(name, program):
    """What is wrong about a scan's bytecode, in words."""
    wrong = wrong_operations(program, "_integer" not in name)
    sums = bare_sums(program)
    if sums:
        wrong.append(f"{sums} sums without the exclusive-or")
    if name.startswith("blocked_single"):
        words = 4 if name.endswith("integer64") else 2 if name.endswith("integer32") else 1
        if published_words(program) != words:
            wrong.append("what is published is counted before it is there")
    return wrong


def check_list(root, listed):
    """What is wrong about the list, in words. `listed` has the hash of each file."""
    folders = root / "src/gpu/shaders", root / "tests/gpu"
    files = {str(path.relative_to(root)): path for folder in folders for path in folder.rglob("*")
             if path.suffix in (".dxbc", ".hlsl", ".hlsli")}  # fmt: skip
    wrong = [f"{name} is in the list and missing" for name in listed.keys() - files.keys()]
    wrong += [f"{name} is not in the list" for name in files.keys() - listed.keys()]
    for name in listed.keys() & files.keys():
        if hashlib.sha256(files[name].read_bytes()).hexdigest() != listed[name]:
            wrong.append(f"{name} is another one than that of the list")
    # NAME.dxbc, or with a line "// elements: FLOAT32 ..." NAME_float32.dxbc and so on.
    for name, path in files.items():
        if path.suffix == ".hlsl":
            elements = re.search("^// elements: (.*)", path.read_text(), re.MULTILINE)
            for kind in elements[1].lower().split() if elements else [""]:
                bytecode = f"{name.removesuffix('.hlsl')}{'_' * bool(kind)}{kind}.dxbc"
                if bytecode not in files:
                    wrong.append(f"{bytecode} is missing")
    return wrong


def main():
    root = pathlib.Path(sys.argv[1])
    lines = (root / "src/gpu/shaders/bytecode.txt").read_text().splitlines()
    hashes = [line.split("  ", 1) for line in lines if re.match("[0-9a-f]+  ", line)]
    listed = {name: found for found, name in hashes}
    wrong = check_list(root, listed)
    scans = {file.stem: program_of(file) for file in (root / "src/gpu/shaders").glob("*.dxbc")
             if not file.stem.startswith("device_")}  # fmt: skip
    for name, program in scans.items():
        wrong += [f"{name}: {what}" for what in check_scan(name, program)]
    chain = bare_sums(program_of(root / "tests/gpu/regrouped_sums.dxbc"))
    if chain != 2:  # planted: one is added, the others are stored
        wrong.append(f"regrouped_sums has {chain} sums without the exclusive-or, not 2")
    print("\n".join(wrong or [f"{len(listed)} files agree with the list, {len(scans)} are scans"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
