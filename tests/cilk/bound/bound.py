#!/usr/bin/env python3
"""bound.py MOGCC MOGRUN WORK: no worker's stack becomes deeper than that of a program that is run by one worker whose spawns are all tasks (S1),
and so P workers need P S1 at most; and the heap does not grow. Trees of bound.c are run by 1 worker, and by 2, 4 and 9, whose spawns are all tasks,
or calls where there are enough.

Status: 0 it is so, 1 it is not, 2 usage.
"""
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SEEDS, SIZE, MOST = range(1, 6), 6000, 1024


def run(command, workers, enough=MOST):
    done = subprocess.run([str(word) for word in command], env=os.environ | {"CILK_NWORKERS": str(workers), "CILK_ENOUGH": str(enough)}, capture_output=True, text=True, timeout=120)
    if done.returncode or done.stderr:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr}")
    total, heap, *stacks = done.stdout.split()
    return total, int(heap), [int(stack) for stack in stacks]


def main():
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    mogcc, mogrun, work = (Path(word).resolve() for word in sys.argv[1:])
    work.mkdir(parents=True, exist_ok=True)
    program = work / "bound"
    subprocess.run([mogcc, "-O2", "--order-time=0.001", "-fcilk", HERE / "bound.c", "-o", program], check=True)
    status, shared = 0, 0
    for seed in SEEDS:
        command = [mogrun, "-n", 1, program, seed, SIZE]
        total, _, (serial,) = run(command, 1)
        for workers, enough in (2, MOST), (4, MOST), (9, MOST), (2, 4), (9, 4), (9, 0):
            # In turns of a thousand instructions or so, all of them get something to do.
            got, heap, stacks = run([*command[:3], f"--schedule={seed}", *command[3:]], workers, enough)
            shared += sum(stack > 0 for stack in stacks[1:])
            print(f"seed {seed}, {workers} workers, enough are {enough}: S1 is {serial}; {' '.join(map(str, stacks))}; heap +{heap}")
            if got != total:
                print(f"  FAILS: the sum is {got}, by one worker {total}")
                status = 1
            if max(stacks) > serial or len(stacks) != workers:
                print("  FAILS: a stack is deeper than that of one worker")
                status = 1
            if heap > 0:
                print("  FAILS: the heap has grown")
                status = 1
    if not shared:
        print("FAILS: no worker but the first has done anything")
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
