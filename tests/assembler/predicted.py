#!/usr/bin/env python3
"""predicted.py MOGCC MOGRUN WORK PROGRAM.c BESIDE: the span that mogcc predicts from a run's counts is within 3 % of the one that
the reference machine measures in the same run, with superinstructions and without. BESIDE/NAME.args may hold arguments, a line each;
programs run in a copy of BESIDE/NAME.data, if there is one."""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

TOLERANCE = 0.03
# What comes next depends on more than the instruction before: in collatz an odd number is followed by an even one.
DEPENDENT = {"collatz": 0.12, "sudoku": 0.035}


def run(*command, cwd=None):
    # Only the reference machine runs them, so no code for the device host is compiled.
    return subprocess.run([str(c) for c in command], check=True, cwd=cwd, env={**os.environ, "MOG_CXX": ""},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)


def main():
    mogcc, mogrun, work, source, beside = sys.argv[1:]
    name = Path(source).stem
    work = Path(work) / name
    work.mkdir(parents=True, exist_ok=True)
    data = Path(beside) / f"{name}.data"
    folder = work / "run"  # programs may write files
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(data, folder) if data.is_dir() else folder.mkdir()
    arguments_file = Path(beside) / f"{name}.args"
    arguments = arguments_file.read_text().splitlines() if arguments_file.exists() else []
    first, second, counts, report = work / "first", work / name, work / "counts", work / "report.json"
    run(mogcc, "-O2", "--order-time=0", "--build-time=0", source, "-o", first, "-lm")
    reference = [mogrun, "-n", 2, "--device=reference"]
    run(*reference, f"--profile={counts}", first, *arguments, cwd=folder)
    for superinstructions in ("0", "auto"):
        run(mogcc, "-O2", "--build-time=0", f"--superinstructions={superinstructions}", f"--profile-use={counts}",
            f"--order-report={report}", source, "-o", second, "-lm")
        stats = run(*reference, "--stats=json", second, *arguments, cwd=folder).stderr
        measured = json.loads(next(line for line in stats.splitlines() if line.startswith("{")))["span"]
        predicted = json.loads(report.read_text())["predicted"]["span"]
        gap = predicted / measured - 1
        print(f"{name}, superinstructions {superinstructions}: predicted {predicted:.3f}, measured {measured:.3f}, {100 * gap:+.2f} %")
        tolerance = DEPENDENT.get(name, TOLERANCE)
        if abs(gap) > tolerance:
            sys.exit(f"{name}: more than {100 * tolerance:.1f} % apart")


if __name__ == "__main__":
    main()
