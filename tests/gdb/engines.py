#!/usr/bin/env python3
"""engines.py MOGCC MOGRUN SOURCE DEVICE ENGINE...: what gdb says of a program is the same on these engines of a device as on the reference
machine: breakpoints, one for one rank, watchpoints, steps, registers and variables that are written, and what the program then does.

A device that is not here is left out. Status: 0 they agree, 1 they do not, 77 gdb-multiarch or the device is missing."""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
HERE = Path(__file__).resolve().parent
SESSION = ["break twice if $rank == 2", "continue", "print value", "info threads", "stepi", "stepi", "step", "step", "backtrace", "info locals",
           "delete", "watch counter if $rank == 2", "continue", "print counter", "delete", "finish", "print $v0 = 1000", "next", "next",
           "set variable result = 30", "continue"]
# Blocks for this machine, too, for one PE and for lanes, in which the breakpoints are.
BLOCKS = ["--build-time=1", "--order-time=0.02"]


def session(options, folder, environment):
    done = subprocess.run([sys.executable, HERE / "session.py", *options, "./program", *SESSION], cwd=folder, env=environment,
                          capture_output=True, text=True)
    return done.stdout + done.stderr


def main():
    mogcc, mogrun, source, device, *engines = sys.argv[1:]
    if not shutil.which("gdb-multiarch"):
        print("skipped: no gdb-multiarch")
        sys.exit(SKIPPED)
    environment = dict(os.environ, PATH=f"{Path(mogrun).parent}:{os.environ['PATH']}")
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([mogcc, "-g", "-O0", *BLOCKS, source, "-o", "program"], cwd=folder, check=True)
        plain = subprocess.run([mogrun, f"--device={device}", "-n", "3", "./program"], cwd=folder, capture_output=True, text=True)
        if plain.returncode != 0:
            print(f"skipped: {plain.stderr}")
            sys.exit(SKIPPED)
        pes = ["--mogrun", "-n3"]
        expected = session([*pes, "--mogrun", "--device=reference"], folder, environment)
        if len(expected.splitlines()) < 20 or "hit Breakpoint 1" not in expected or "30" not in expected:
            print(f"the reference machine: {expected}")
            sys.exit(1)
        for engine in engines:
            got = session([*pes, "--mogrun", f"--device={device}", "--mogrun", f"--engine={engine}"], folder, environment)
            if got == expected:
                print(f"{device} {engine}: as the reference machine")
                continue
            different = 1
            print(f"{device} {engine}: not as the reference machine\n{got}\nbut\n{expected}")
    sys.exit(different)


if __name__ == "__main__":
    main()
