#!/usr/bin/env python3
"""undefined.py: -fsanitize=undefined says of a program what gcc's own library says of it on this machine.

    undefined.py --mogcc MOGCC --mogrun MOGRUN --gcc GCC --work FOLDER SOURCE [CASE ...]

SOURCE is compiled by both, and run without arguments and once with each CASE. What both write to standard error must be alike
but for addresses, offsets in objects, bytes of memory, and what is told of faults: PEs stop where this machine goes on, and the
other way round. Status: 0 alike, 1 not, 77 there is no such library here.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

SKIPPED = 77
FLAGS = ["-fsanitize=undefined,float-cast-overflow", "-O0", "-w"]


def told(text):
    """The sentences, and where the marks below shown memory are."""
    lines = [line for line in text.splitlines() if re.search(r": (runtime error|note): |^end| {4}.*vptr|\\^", line)]
    lines = [re.sub(r"0x[0-9a-f]+", "ADDRESS", line) for line in lines]
    return [re.sub(r"at offset \d+", "at offset N", re.sub(r"^ +vptr", "vptr", line)) for line in lines if "vptr for" in line or "^" not in line]


def main():
    parser = argparse.ArgumentParser()
    for option in ("--mogcc", "--mogrun", "--gcc", "--work"):
        parser.add_argument(option, required=True)
    parser.add_argument("source")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    source, work = Path(options.source).resolve(), Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    native = subprocess.run([options.gcc, *FLAGS, source.name, "-o", work.resolve() / "native"], cwd=source.parent, capture_output=True, text=True)
    if native.returncode != 0:
        print(f"{options.gcc} has no library for -fsanitize=undefined: {native.stderr.strip().splitlines()[-1]}")
        return SKIPPED
    subprocess.run([options.mogcc, *FLAGS, "--order-time=0.001", source.name, "-o", work.resolve() / "pe"], cwd=source.parent, check=True)

    sentences = 0
    for case in [[], *([case] for case in options.cases)]:
        expected = told(subprocess.run([work.resolve() / "native", *case], capture_output=True, text=True).stderr)
        got = told(subprocess.run([options.mogrun, "-n", "1", "--device=reference", work / "pe", *case], capture_output=True, text=True).stderr)
        sentences += len(expected)
        if not expected or expected != got:
            import difflib
            print(f"{' '.join(case) or 'without arguments'}:")
            print("\n".join(difflib.unified_diff(expected, got, options.gcc, "mogcc", lineterm="", n=1)) or "nothing is told")
            return 1
    print(f"{sentences} sentences alike")
    return 0


if __name__ == "__main__":
    sys.exit(main())
