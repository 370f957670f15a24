#!/usr/bin/env python3
"""run.py BUILD: kernels of kernels.cu compiled, interpreted and without what is known of lanes, beside the same as loops over threads by g++
and in OpenMP by gcc. Each on one core, seconds of the processor, medians of nine runs; a table for docs/benchmarks.md on standard output.
It ends with status 1 if two versions made different things."""
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
build = Path(sys.argv[1]).resolve()


def run(command, **variables):
    environment = dict(os.environ, BENCH_CPU="1", OMP_NUM_THREADS="1", MOGCUDA_THREADS="1", **variables)
    text = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    result = {}
    for line in text.splitlines():
        name, seconds, number = line.rsplit(" ", 2)
        result[name] = (float(seconds), number)
    return result


with tempfile.TemporaryDirectory() as folder:
    cuda, omp, loops = (f"{folder}/{name}" for name in ("cuda", "omp", "loops"))
    native = ["g++", "-O3", "-march=native", "-fopenmp", "-w", str(here / "openmp.cpp")]
    subprocess.run([*native, "-o", omp], check=True)
    subprocess.run([*native, "-DTHREAD_LOOPS", "-o", loops], check=True)
    subprocess.run([str(build / "bin/mogcuda"), "-O2", str(here / "kernels.cu"), "-o", cuda], check=True)
    columns = {
        "compiled": run([cuda], MOGCUDA_ENGINE="compiled"),
        "nothing known": run([cuda], MOGCUDA_ENGINE="compiled", MOG_PTX_FACTS="0"),
        "interpreted": run([cuda], MOGCUDA_ENGINE="interpreter"),
        "thread loops": run([loops]),
        "OpenMP": run([omp]),
    }
compiled = columns["compiled"]
print("| kernel | " + " | ".join(columns) + " | of loops | of OpenMP |")
print("|---|" + "---|" * (len(columns) + 2))
differs = False
for name in compiled:
    times = [column[name][0] for column in columns.values()]
    ours, loop, omp_time = times[0], columns["thread loops"][name][0], columns["OpenMP"][name][0]
    print(f"| {name} | " + " | ".join(f"{1e3 * time:.2f}" for time in times) + f" | {ours / loop:.2f} | {ours / omp_time:.2f} |")
    made = {column[name][1] for column in columns.values()}
    if len(made) != 1:
        differs = True
        print(f"{name}: versions made different things: {made}", file=sys.stderr)


def mean(column):
    return math.exp(sum(math.log(compiled[name][0] / columns[column][name][0]) for name in compiled) / len(compiled))


print("\nGeometric means: " + ", ".join(f"{mean(column):.2f} of {column}" for column in list(columns)[1:]))
sys.exit(differs)
