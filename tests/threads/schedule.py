#!/usr/bin/env python3
"""schedule.py MOGCC MOGRUN SOURCES WORK: --schedule=SEED gives the same turns in each run and on each engine that has it; others' seeds give others,
so that a race shows in some and not in others; and reports name the seed."""
import subprocess
import sys
from pathlib import Path

mogcc, mogrun, sources, work = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
SEEDS, FEW = range(1, 51), range(1, 9)
OTHERS = [["--device=host", "--engine=switch"], ["--device=host", "--engine=native"], ["--device=host", "--engine=sequence"]]
failures = []


def expect(is_so, what):
    if not is_so:
        failures.append(what)


def run(program, seed, *options):
    done = subprocess.run([mogrun, "-n", "1", f"--schedule={seed}", *options, str(work / program)], capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


work.mkdir(parents=True, exist_ok=True)
for source in ("lost_update.c", "order.c", "late_thread.c"):
    subprocess.run([mogcc, "--order-time=0.001", "-g", "-O2", "-pthread", str(sources / source), "-o", str(work / source[:-2])], check=True)

lost = {seed: run("lost_update", seed) for seed in SEEDS}
losing = [seed for seed in SEEDS if lost[seed][0] == 1]
expect(0 < len(losing) < len(SEEDS), f"updates are lost with seeds {losing} of 50")
expect(all(status in (0, 1) and not said for status, _, said in lost.values()), f"lost_update: {lost}")
for seed in SEEDS:
    expect(run("lost_update", seed, "--device=reference") == lost[seed], f"lost_update on the reference machine with seed {seed}")
for seed in FEW:
    expect(run("lost_update", seed) == lost[seed], f"lost_update again with seed {seed}")

orders = {seed: run("order", seed, "--device=reference") for seed in FEW}
expect(len({order for _, order, _ in orders.values()}) == len(FEW), f"orders are the same: {orders}")
for seed in FEW:
    for options in OTHERS:
        expect(run("order", seed, *options) == orders[seed], f"order with {options} and seed {seed}")

faults = {seed: run("late_thread", seed) for seed in SEEDS}
reports = [said for status, _, said in faults.values() if status == 139]
expect(0 < len(reports) < len(SEEDS), f"a null pointer with {len(reports)} of 50 seeds")
for seed, (status, _, said) in faults.items():
    expect((f"(--schedule={seed})" in said and "null pointer" in said) == (status == 139), f"late_thread with seed {seed}: {status}, {said}")

refused = run("order", 1, "--device=opencl")
expect(refused[0] != 0 and "--schedule works on host and reference" in refused[2], f"another device: {refused}")

for failure in failures:
    print(failure, file=sys.stderr)
sys.exit(1 if failures else 0)
