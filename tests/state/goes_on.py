#!/usr/bin/env python3
"""goes_on.py DRIVER PROGRAM FOLDER DEVICE STOPS [ENVIRONMENT=...]: a run that is stopped, written down and gone on with in fresh processes is
the same run.

The program runs once as it is. Then it runs again and stops after some launches, STOPS times at places spread over the run, each time in
a new process that begins with the state of the last one. All that is printed and the exit status have to be the same; and so have the
files that the program leaves. Launches are short and their length fixed, so that they stop at many different places.
"""
import difflib
import os
import random
import re
import shutil
import subprocess
import sys


def run(driver, origin, launches, to, program, folder, environment):
    with open(os.path.join(folder, "..", "input"), "rb") as source:
        # Each process has the same input; where a state says how far it was read, it goes on there.
        return subprocess.run([driver, origin, str(launches), to, program], cwd=folder, env=environment, stdin=source, capture_output=True, timeout=100)


def files_below(folder):
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(where, name), "rb") as file:
                found[os.path.relpath(os.path.join(where, name), folder)] = file.read()
    return found


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def main():
    driver, program, base, device, stops = sys.argv[1:6]
    base = os.path.join(os.path.abspath(base), os.path.basename(program) + "." + re.sub("[^a-z]+", "_", device))
    fresh(base)
    with open(os.path.join(base, "input"), "w") as file:
        file.writelines(f"line {i} of the input\n" for i in range(200))
    environment = {**os.environ, "MOG_DEVICE": device, "MOG_DETERMINISTIC": "1", "MOG_SLICE": "2000", "TZ": "UTC"}
    environment.update(setting.split("=", 1) for setting in sys.argv[6:])
    told = os.path.join(base, "launches")
    once = run(driver, "-", 0, "-", program, fresh(os.path.join(base, "once")), {**environment, "STATE_LAUNCHES": told})
    with open(told) as file:
        launches = int(file.read())
    print(f"{launches} launches, status {once.returncode}")
    if once.returncode in (3, 99) or launches < int(stops) + 1:
        sys.exit(f"FAILED: the program alone: {once.returncode}, {launches} launches\n{once.stderr.decode()[-2000:]}")
    random.seed(program + device)
    # Places spread over the run, and the very first ones. Where threads sleep, a run has some launches more or less than another.
    end = launches - launches // 8
    places = sorted({1, 2, 3, *random.sample(range(1, end), min(end - 1, int(stops)))} & set(range(1, end)))
    folder = fresh(os.path.join(base, "stopped"))
    out, err, at, origin = b"", b"", 0, "-"
    for i, place in enumerate([*places, None]):
        to = os.path.join(base, f"state.{i}")
        part = run(driver, origin, 0 if place is None else place - at, to, program, folder, environment)
        out, err, at, origin = out + part.stdout, err + part.stderr, place or 0, to
        if place is not None and part.returncode != 99:
            sys.exit(f"FAILED: it did not stop after launch {place}: {part.returncode}\n{part.stderr.decode()[-2000:]}")
    failures = []
    if part.returncode != once.returncode:
        failures.append(f"the status is {part.returncode}, not {once.returncode}")
    for name, whole, pieces in (("standard output", once.stdout, out), ("standard error", once.stderr, err)):
        if whole != pieces:
            lines = difflib.unified_diff(whole.decode().split("\n"), pieces.decode().split("\n"), "at once", "stopped", lineterm="", n=1)
            failures.append(f"{name} differs:\n" + "\n".join(list(lines)[:60]))
    left, right = files_below(os.path.join(base, "once")), files_below(folder)
    if left != right:
        failures.append(f"files differ: {sorted(name for name in {*left, *right} if left.get(name) != right.get(name))}")
    if failures:
        sys.exit("FAILED, stopped after launches " + " ".join(map(str, places)) + ": " + "\n".join(failures))
    print(f"the same, stopped after launches {' '.join(map(str, places))}")
    shutil.rmtree(base)


if __name__ == "__main__":
    main()
