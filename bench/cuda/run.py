#!/usr/bin/env python3
"""run.py BUILD: kernels of kernels.cu compiled, interpreted and without what is known of lanes, beside the same as loops over threads by g++,
in OpenMP by gcc and in OpenCL by PoCL: each on one core, seconds of the processor, medians of nine runs. Then what warps execute where lanes
meet in one way or another. Two tables for docs/benchmarks.md on standard output; it ends with status 1 if two versions made different things.
run.py BUILD --meetings: the second table alone."""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
build = Path(sys.argv[1]).resolve()
mogcuda = [str(build / "bin/mogcuda"), "-O2", str(here / "kernels.cu")]


def run(command, **variables):
    environment = dict(os.environ, BENCH_CPU="1", OMP_NUM_THREADS="1", MOGCUDA_THREADS="1", **variables)
    text = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    result = {}
    for line in text.splitlines():
        name, seconds, number = line.rsplit(" ", 2)
        result[name] = (float(seconds), number)
    return result


def instructions(command, meeting):
    """Of warps, by kernel, in one launch."""
    environment = dict(os.environ, MOGCUDA_MEETING=meeting, MOGCUDA_STATS="json")
    text = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stderr
    result = {}
    for counts in (json.loads(line) for line in text.splitlines() if line.startswith("{")):
        length, rest = re.match(r"_Z(\d+)(.*)", counts["kernel"]).groups()
        number = re.match(r"ILi(\d+)E", rest[int(length):])
        name = rest[:int(length)].replace("_", " ") + (" " + number[1] if number else "")
        result[name] = counts["warp_instructions"] / counts["launches"]
    return result


def meetings():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*mogcuda, "-DTRIES=1", "-o", f"{folder}/counted"], check=True)
        ways = {how: instructions([f"{folder}/counted"], how) for how in ("lowest", "postdominators", "barriers", "never")}
    print("| kernel | " + " | ".join(ways) + " |\n|---|" + "---|" * len(ways))
    for name in ways["lowest"]:
        print(f"| {name} | " + " | ".join(f"{1e-3 * way[name]:.1f}" for way in ways.values()) + " |")
    near = sum(ways["lowest"][name] <= 1.05 * min(way[name] for way in ways.values()) for name in ways["lowest"])
    print(f"\nLowest place first is within 5 % of the best way on {near} of {len(ways['lowest'])} kernels.")


if "--meetings" in sys.argv:
    meetings()
    sys.exit(0)

with tempfile.TemporaryDirectory() as folder:
    cuda, omp, loops, opencl = (f"{folder}/{name}" for name in ("cuda", "omp", "loops", "opencl"))
    native = ["g++", "-O3", "-march=native", "-fopenmp", "-w", str(here / "openmp.cpp")]
    subprocess.run([*native, "-o", omp], check=True)
    subprocess.run([*native, "-DTHREAD_LOOPS", "-o", loops], check=True)
    subprocess.run([*mogcuda, "-o", cuda], check=True)
    subprocess.run(["g++", "-O2", str(here / "opencl.cpp"), "-l:libOpenCL.so.1", "-o", opencl], check=True)
    columns = {
        "compiled": run([cuda], MOGCUDA_ENGINE="compiled"),
        "nothing known": run([cuda], MOGCUDA_ENGINE="compiled", MOG_PTX_FACTS="0"),
        "interpreted": run([cuda], MOGCUDA_ENGINE="interpreter"),
        "thread loops": run([loops]),
        "OpenMP": run([omp]),
        "PoCL": run([opencl, str(here / "kernels.cl")], POCL_MAX_PTHREAD_COUNT="1"),
    }
compiled = columns["compiled"]
print("| kernel | " + " | ".join(columns) + " | of loops | of OpenMP | of PoCL |")
print("|---|" + "---|" * (len(columns) + 3))
differs = False
for name in compiled:
    times = [column[name][0] for column in columns.values()]
    ratios = [times[0] / columns[other][name][0] for other in ("thread loops", "OpenMP", "PoCL")]
    print(f"| {name} | " + " | ".join(f"{time:.2f}" for time in [*(1e3 * time for time in times), *ratios]) + " |")
    made = {column[name][1] for what, column in columns.items() if what != "PoCL"}
    # PoCL contracts other products and sums than the rest, which points at the edge of a fractal show.
    close = math.isclose(float(columns["PoCL"][name][1]), float(columns["compiled"][name][1]), rel_tol=1e-4)
    if len(made) != 1 or not close:
        differs = True
        print(f"{name}: versions made different things: {made}", file=sys.stderr)


def mean(column):
    return math.exp(sum(math.log(compiled[name][0] / columns[column][name][0]) for name in compiled) / len(compiled))


print("\nGeometric means: " + ", ".join(f"{mean(column):.2f} of {column}" for column in list(columns)[1:]))
print()
meetings()
sys.exit(differs)
