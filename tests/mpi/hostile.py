#!/usr/bin/env python3
"""hostile.py MOGRUN PROGRAM [MODE...]: calls that once hurt mogrun (hostile.c): what the engine answers, and what mogrun takes for it at most:
seconds, and MB beside the memory that PEs write themselves. Wall-clock bounds have room for a busy machine: what they are about took for ever."""
import mmap
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TIMEOUT, DEADLOCK, NO_MEM = 124, 1, -34
GUEST = {"overlap": 8 * 16, "gatherv": 128 * 128 * 4500 >> 20, "combine": 4 * 32, "large": 144}  # MB that PEs write
ROWS = [
    # mode, options, what it prints, status, seconds, MB
    ("twice", "-n 2", "the second: class 8\nthe first: class 0, rank 0 of 2\nits barrier: 0\n", 0, 20, 100),
    ("freed", "-n 2", "free: 0, -5\nthe other: 0\n", 0, 20, 100),
    ("join", "-n 2", "join: 0\njoin of an intercommunicator: -5\ncreate group of one: -5\njoin, nonblocking: -12\nmerge, nonblocking: -12\n", 0, 20, 100),
    ("pointer", "-n 2", "pointer: 0, 0, 0; 7fffffff80000000, 7fffffff80000000\nbefore the beginning: -12\n", 0, 20, 100),
    ("lists", "-n 16 --mem=16M", "1\n", 0, 30, 120),
    ("accumulate", "-n 2 --mem=100M", "accumulate: 0, 3\nswap of all of it: -2\n", 0, 30, 170),
    ("overlap", "-n 8 --mem=16M", "put: 0, 0 wrong\n", 0, 30, 60),
    ("combine", "-n 4 --mem=64M", "combine: 0, 42\n", 0, 30, 120),
    ("gatherv", "-n 128 --mem=1M", "gatherv: 0, 0 wrong\n", 0, 60, 40),
    ("groups", "-n 1024 --mem=256K", "groups: 0, 0, 0 wrong\n", 0, 60, 100),
    ("halves", "-n 4096 --mem=256K", "halves: 0 wrong\n", 0, 8, 200),
    ("large", "-n 1 --mem=160M", "large: 150000000, 149999992, 0 wrong\n", 0, 20, 120),
    ("requests", "-n 64 --mem=256K --mpi-buffer=256K", f"receives end with {NO_MEM}\nbarriers end with {NO_MEM}\n", 0, 60, 60),
    ("objects", "-n 64 --mem=256K --mpi-buffer=256K", f"communicators end with {NO_MEM}\n", 0, 60, 60),
    ("parts", "-n 64 --mem=256K --mpi-buffer=256K", f"parts end with {NO_MEM}\n", 0, 60, 60),
    # Empty messages fill the buffer as well; then their senders wait.
    ("empty", "-n 64 --mem=256K --mpi-buffer=1M --timeout=50", "", DEADLOCK, 50, 100),
    ("pieces", "-n 4 --mem=16M --timeout=1", "", TIMEOUT, 20, 250),
    ("runs", "-n 4 --mem=64M --timeout=1", "", TIMEOUT, 20, 250),
    ("reductions", "-n 64 --mem=64M --timeout=1", "", TIMEOUT, 20, 200),
    ("search", "-n 64 --mem=256K --timeout=1", "", TIMEOUT, 20, 100),
]


def is_sanitized(program):
    with open(program, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        return text.find(b"__asan_init") >= 0


def run(command, limit):
    """Status, standard output, the end of standard error, seconds, MB."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, stdout=out, stderr=err)
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - begin > limit:
                child.kill()
            time.sleep(0.01)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return child.returncode, out.read().decode(), err.read().decode()[-600:], time.monotonic() - begin, usage.ru_maxrss >> 10


def main():
    mogrun, program, *modes = sys.argv[1:]
    factor = 10 if is_sanitized(mogrun) else 1
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for mode, options, expected, status, seconds, megabytes in ROWS:
            if modes and mode not in modes:
                continue
            command = [mogrun, "--device=reference", *options.split(), program, mode, str(Path(folder) / "file")]
            got, out, err, took, used = run(command, seconds * factor)
            beside = used - GUEST.get(mode, 0)
            problems = []
            if got != status:
                problems.append(f"status {got}, not {status}")
            if out != expected:
                problems.append(f"printed {out!r}, not {expected!r}")
            if took > seconds * factor:
                problems.append(f"took more than {seconds * factor} s")
            if beside > megabytes * factor:
                problems.append(f"took {beside} MB beside that of PEs, more than {megabytes * factor}")
            print(f"{mode}: {took:.1f} s, {used} MB")
            for problem in problems:
                print(f"  {' '.join(command)}: {problem}\n{err if problem is problems[-1] else ''}")
            wrong += len(problems)
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
