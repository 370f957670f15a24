#!/usr/bin/env python3
"""slices.py MOGCC MOGRUN WORK PROGRAM.c ...: where a PE stands when its fuel is gone, on the reference machine and in compiled blocks;
that it goes on from the end of any slice as if there had been none; and that --stats makes no more slices of a run of many PEs.

Compiled blocks count instructions where it is cheap to (assembler/blocks/pass_counts.hpp). Whatever the fuel, a PE must stop before the
same instruction as one that is interpreted, with the same output so far, and tell the same of it."""
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

mogcc, mogrun, work, *programs = sys.argv[1:]
os.makedirs(work, exist_ok=True)
RNG = random.Random(8)
FUELS, SLICES = 50, 20


def run(program, *options):
    # A loop that PEs do not leave must not take the test along.
    done = subprocess.run([mogrun, "-n", "1", *options, program], capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    # Registers may hold times of the day, as after fstat.
    return done.returncode, done.stdout, done.stderr.split(b"registers:")[0]


def compare(program, fuel):
    expected = run(program, "--device=reference", f"--fuel={fuel}")
    found = run(program, "--device=host", "--engine=blocks", f"--fuel={fuel}")
    if expected == found:
        return b"out of fuel" in expected[2]
    sys.exit(f"{program} --fuel={fuel}: the reference machine says\n{expected}\nand compiled blocks\n{found}")


def compare_slices(program, passes):
    found = run(program, "--device=host", "--engine=blocks", f"--slice={passes}")
    if found != whole:
        sys.exit(f"{program} --slice={passes}: the reference machine says\n{whole}\nand compiled blocks\n{found}")


for source in programs:
    program = os.path.join(work, os.path.basename(source)[:-2])
    subprocess.run([mogcc, "-O2", "-g", "--order-time=0.001", "--simd=none", source, "-lm", "-o", program], check=True)
    # All fuels have as many digits, about: every loop and every way through a function gets its share.
    fuels = [int(10 ** RNG.uniform(1, 6)) for _ in range(FUELS)]
    with ThreadPoolExecutor(2) as pool:
        stopped = sum(pool.map(lambda fuel: compare(program, fuel), fuels))
    print(f"{os.path.basename(source)}: stopped by its fuel {stopped} of {FUELS} times, always at the same place")
    whole = run(program, "--device=reference")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda passes: compare_slices(program, passes), [RNG.randrange(20, 1000) for _ in range(SLICES)]))
    if stopped < FUELS / 2:
        sys.exit(f"{program}: it ends too soon for this test")

# Of 64 PEs each is done in its first turn, or in a few on a machine that is so busy that turns get shorter. Looking at them every so many
# instructions, as is done with few PEs, made 160 slices of it.
source, program = os.path.join(work, "long_loop.c"), os.path.join(work, "long_loop")
with open(source, "w") as file:
    file.write("int main(void) { unsigned x = 1; for (unsigned i = 0; i < 600000; i++) x = x * 69069u + i; return x == 1; }\n")
subprocess.run([mogcc, "-O2", "--simd=none", source, "-o", program], check=True)
stats = json.loads(subprocess.run([mogrun, "-n", "64", "--device=host", "--stats=json", program], capture_output=True, check=True).stderr)
if stats["slices"] > 100 or stats["interpreted"]["samples"] == 0:
    sys.exit(f"64 PEs with --stats: {stats['slices']} slices, {stats['interpreted']['samples']} samples")
