#!/usr/bin/env python3
"""names.py: a program may define every name that is not C's own, and the library neither clashes with it nor calls it.

The names are those that the libraries define and that do not begin with an underscore. Each must be weak, and no part of the
libraries may need one of them. Then a program that defines them all (functions that end it; data) uses C's library.
Status: 0 all is so, 1 something is not.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARIES = ("libmog.a", "libm.a", "libc.a", "libmpi.a")
# A program that has one of these has all of them, in place of ours.
REPLACED_TOGETHER = {"malloc", "calloc", "realloc", "free", "aligned_alloc"}
# What is for the program: MPI's, and the start.
NOT_OURS = re.compile(r"_|P?MPI_|main$")


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))[:200]} ... failed with status {done.returncode}:\n{done.stdout}{done.stderr}"[:4000])
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--mogcc", default="mogcc")
    parser.add_argument("--cross", default="mipsel-linux-gnu-")
    options = parser.parse_args()
    folder = Path(run(options.mogcc, "--showme:libdirs").stdout.strip())
    symbols = [line.split()[-2:] for line in run(options.cross + "nm", "-g", *(folder / library for library in LIBRARIES)).stdout.splitlines()
               if len(line.split()) >= 2 and not line.endswith(":")]
    problems = []
    for kind, name in sorted({(kind, name) for kind, name in symbols if not NOT_OURS.match(name) and name not in REPLACED_TOGETHER}):
        if kind in "Uwv":
            problems.append(f"a part of the libraries needs {name}, which a program may define")
        elif kind not in "WV":
            problems.append(f"{name} is not weak ({kind}): a program that defines it defines it twice")
    ours = {name for kind, name in symbols if kind in "WV" and not NOT_OURS.match(name)}
    of_c = {name for line in (HERE / "c11.txt").read_text().splitlines() if line.startswith("fn ") for name in line.split()[1:]}
    names = sorted(ours - of_c)
    if len(names) < 500 or not {"read", "write", "open", "index", "y0", "environ"} <= set(names):
        problems.append(f"the names are not all there: {len(names)} of them")
    if problems:
        print("\n".join(problems))
        return 1

    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        text = ["        .macro own_function name", "        .text", "        .globl \\name", "        .type \\name, @function", "\\name:",
                "        la $4, 1f", "        j hijacked", "        .section .rodata", "1:      .asciz \"\\name\\n\"", "        .endm",
                "        .macro own_data name", "        .data", "        .globl \\name", "        .type \\name, @object", "\\name:",
                "        .word 0x12345678", "        .endm", "        .text",
                # write(2, name, 40); exit(99)
                "hijacked: move $5, $4", "        li $4, 2", "        li $6, 40", "        li $2, 4004", "        syscall",
                "        li $4, 99", "        li $2, 4001", "        syscall", "        break"]
        text += [f"        own_{'data' if number % 3 == 0 else 'function'} {name}" for number, name in enumerate(names)]
        (place / "own.s").write_text("\n".join(text) + "\n")
        run(options.mogcc, "-c", place / "own.s", "-o", place / "own.o")
        # All of the libraries at once, beside all of the names.
        (place / "all").write_text("".join(f"-Wl,-u,__mog_{name}\n" for name in sorted(ours)))
        (place / "empty.c").write_text("int main(void) { return 0; }\n")
        run(options.mogcc, "--emit=elf", place / "empty.c", place / "own.o", f"@{place / 'all'}", "-o", place / "all.elf")
        for flags in (["-O2"], ["-O2", "-flto"]):
            program = place / "program"
            run(options.mogcc, "-std=c11", "-w", "--order-time=0.001", *flags, HERE / "own_names.c", place / "own.o", "-o", program, env=os.environ | {"MOG_CXX": ""})
            done = subprocess.run([program], cwd=place, stdin=subprocess.DEVNULL, capture_output=True, text=True, env={"MOG_DEVICE": "reference"})
            wanted = "to standard output\n...\n0 wrong\nat exit\n"
            if done.returncode or done.stdout != wanted or not done.stderr.startswith("perror: "):
                problems.append(f"{' '.join(flags)}: status {done.returncode}, and it printed\n{done.stdout}{done.stderr}")
    print("\n".join(problems) or f"{len(names)} names are free")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
