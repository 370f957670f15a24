#!/usr/bin/env python3
"""conversions.py: are numbers printed and read as by the C library of the host, byte for byte?

conversions.c makes some 200,000 conversions and tells a checksum of each block of them. The host's compiler and library say what is right.
The program of mogcc runs under qemu-mipsel, which is quick, and a tenth of it on PEs; where there is no qemu-mipsel, all of it on PEs.
Of the first block that is different the first line that is different is told.
Status: 0 all is the same, 1 something is not.
"""
import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PES = 24


def run(*command):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed with status {done.returncode}:\n{done.stdout}{done.stderr}"[:4000])
    return done.stdout.splitlines()


def difference(where, native, other, *which):
    """What is wrong with the blocks that `which` names, or None."""
    wanted, found = sorted(run(native, *which)), sorted(run(*other, *which))
    if wanted == found:
        return None
    wrong = [line.split()[1] for line in wanted if line not in found]
    if len(wanted) != len(found) or not wrong:
        return f"{where}: {len(found)} blocks, not {len(wanted)}"
    texts = zip(run(native, "block", wrong[0]), run(*other, "block", wrong[0]))
    number, (right, left) = next((number, pair) for number, pair in enumerate(texts, 1) if pair[0] != pair[1])
    return f"{where}: {len(wrong)} of {len(wanted)} blocks differ; block {wrong[0]}, line {number}:\n  host {right}\n  PE   {left}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mogcc", default="mogcc")
    parser.add_argument("--mogrun", default="mogrun")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--qemu", default="qemu-mipsel")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        native, program, elf = (Path(folder) / name for name in ("native", "program", "program.elf"))
        source = HERE / "conversions.c"
        run(options.cc, "-O2", source, "-lm", "-o", native)
        run(options.mogcc, "-O2", "--build-time=0", "--order-time=0", source, "-lm", "-o", program)
        problems = []
        which = ()
        if shutil.which(options.qemu):
            run(options.mogcc, "-O2", "--emit=elf", source, "-lm", "-o", elf)
            problems.append(difference("the ELF under qemu-mipsel", native, [options.qemu, elf]))
            which = ("every", "10")
        problems.append(difference(f"{PES} PEs", native, [options.mogrun, "-n", PES, "--device=reference", program], *which))
    problems = [problem for problem in problems if problem]
    print("\n".join(problems) or "all conversions are the same")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
