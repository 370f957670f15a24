#!/usr/bin/env python3
"""unchanged.py MOGCC PROGRAM.c ...: the translation of Cilk leaves alone what is not Cilk. To each program an empty function is added; with a sync in it
the file is translated, and has to become the same assembly as without.

Status: 0 it does, 1 it does not, 2 usage.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def assembly(mogcc, folder, source, options):
    path = folder / "program.c"
    path.write_text(source)
    done = subprocess.run([mogcc, "-O1", "-w", "-std=gnu17", *options, "-S", path, "-o", folder / "program.s"], capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr
    # But for the names that stand for functions of Cilk's runtime.
    lines = (folder / "program.s").read_text().splitlines()
    return [line for line in lines if not re.match(r"#|\s*\.file|\s*\.set GOMP", line)], ""


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    mogcc, *programs = sys.argv[1:]
    status = 0
    with tempfile.TemporaryDirectory() as name:
        for program in map(Path, programs):
            options = ["-I", program.resolve().parent]
            with_sync, without = (program.read_text() + "\nvoid for_cilk(void) {" + body + "}\n" for body in (" _Cilk_sync; ", ""))
            expected, complaint = assembly(mogcc, Path(name), without, options)
            got, complaint_of_cilk = assembly(mogcc, Path(name), with_sync, [*options, "-fcilk"])
            if expected is None or got != expected:
                print(f"{program}: FAILS\n{complaint or complaint_of_cilk or 'it becomes other assembly'}")
                status = 1
            else:
                print(f"{program.stem}: the same, {len(got)} lines")
    return status


if __name__ == "__main__":
    sys.exit(main())
