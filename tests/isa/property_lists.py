#!/usr/bin/env python3
"""Looks for lists of opcodes outside of isa.def: what instructions have in common is a property, and stands in their rows.

    property_lists.py ROOT

Four different opcodes within three lines are taken for a list. Files that rewrite or evaluate code name opcodes for what each of them
does; they are named here with the reason.
"""
import pathlib
import re
import sys

# What names opcodes by their meaning, one by one.
meanings = {
    "accumulate.cpp": "which instruction stands for another when an operand is zero",
    "forward_accumulator.cpp": "how facts change, constants fold and stores turn round",
    "check_coalescing.cpp": "a symbolic evaluation of addresses",
    "counted_loops.cpp": "a symbolic evaluation of a round of a loop",
    "mog_kernels.cpp": "which operation of a kernel an instruction is",
    "calibration_code.cpp": "writes loops in which each instruction gets what it needs",
}
folders = ["abi", "assembler", "mogcc", "runtime_host", "support", "translator"]
opcode = re.compile(r"\bOp::(\w+_)\b")


def lists_in(text):
    """Line numbers, from 1, where a list begins; one for each stretch."""
    lines = [set(opcode.findall(line)) for line in text.splitlines()]
    found = [i + 1 for i in range(len(lines)) if len(set().union(*lines[i:i + 3])) >= 4]
    return [line for line in found if line - 1 not in found]


def main():
    root = pathlib.Path(sys.argv[1])
    sample = "case Op::lw_: case Op::lh_:\ncase Op::lb_: case Op::lwx_: return true;\n"
    assert lists_in(sample) == [1] and not lists_in("Op::sr_ Op::lr_ Op::sr_\n\n\nOp::li_ Op::j_\n"), "the check itself is broken"
    files = [path for folder in folders for pattern in ("*.cpp", "*.hpp") for path in sorted((root / folder).rglob(pattern))]
    assert any("Op::" in path.read_text() for path in files), "there is nothing to look at"
    failures = 0
    for path in files:
        if path.name in meanings:
            continue
        for line in lists_in(path.read_text()):
            print(f"{path}:{line}: a list of opcodes; give what they share a name in isa.def")
            failures += 1
    for name in meanings:
        if not any(path.name == name for path in files):
            print(f"property_lists.py: {name} is gone; take it off the list")
            failures += 1
    return failures != 0


sys.exit(main())
