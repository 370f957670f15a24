#!/usr/bin/env python3
"""as_qemu.py MOGCC MOGRUN SOURCE: a program stepped through under mogrun --gdb and under qemu-mipsel: the same lines, calls,
variables and addresses.

Status: 0 they agree, 1 they do not, 77 a tool is missing."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
HERE = Path(__file__).resolve().parent
WALK = (["tbreak main", "continue"] + ["step", "info locals", "backtrace"] * 40 + ["tbreak twice", "continue"] + ["next", "info locals"] * 3 +
        ["finish", "kill"])
LINES = ["break fill", "continue", "finish", "continue", "up", "info locals", "delete", "tbreak 21 if i == 2", "continue", "print sum", "print squares",
         "until", "until", "until", "until", "kill"]

# Each instruction, into the library, whose delay slots are filled. In decimal digits, for session.py hides addresses.
INSTRUCTIONS = """tbreak main
continue
set $n = 0
while $n < 300
stepi
printf "%d\\n", $pc
set $n = $n + 1
end
kill
"""


def lines_of(arguments, folder, environment):
    """What gdb says from the first stop on."""
    done = subprocess.run([sys.executable, HERE / "session.py", *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    lines = done.stdout.split("\n== program")[0].splitlines()[1:]
    if "source instructions" in arguments:  # stacks begin at other addresses
        return [line for line in lines if line.isdigit()]
    # What they call what they run differs.
    return [line for line in lines if not line.startswith(("[Inferior", "[Current"))]


def main():
    mogcc, mogrun, source = sys.argv[1:4]
    for tool in ("gdb-multiarch", "qemu-mipsel"):
        if not shutil.which(tool):
            print(f"skipped: no {tool}")
            sys.exit(SKIPPED)
    environment = dict(os.environ, PATH=f"{Path(mogrun).parent}:{os.environ['PATH']}")
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "instructions").write_text(INSTRUCTIONS)
        for level in ("-O0", "-O2"):
            shutil.copy(source, folder)
            for form in ([], ["--emit=elf"]):
                output = "program.elf" if form else "program"
                subprocess.run([mogcc, "--order-time=0.001", "-g", level, "-w", *form, Path(source).name, "-o", output], cwd=folder, check=True)
            for commands in (WALK, LINES, ["source instructions"]) if level == "-O0" else (["source instructions"],):
                mine, theirs = (lines_of(which + ["./program", *commands], folder, environment) for which in ([], ["--qemu"]))
                if mine == theirs and len(mine) > 10:
                    print(f"{level}: {len(mine)} lines agree")
                    continue
                different = 1
                at = next((i for i, (a, b) in enumerate(zip(mine, theirs)) if a != b), min(len(mine), len(theirs)))
                print(f"{level}: line {at + 1} of {len(mine)} and {len(theirs)}\nmogrun: {mine[at - 3:at + 3]}\nqemu:   {theirs[at - 3:at + 3]}")
    sys.exit(different)


if __name__ == "__main__":
    main()
