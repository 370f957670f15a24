#!/usr/bin/env python3
"""warps.py BUILD [NAME ...]: what the programs of bench/programs cost a card that has none: instructions that warps issue, and how many of 32
lanes take part in one, counted by MOG's PTX engine with lanes that meet at post-dominators, as a card's compiler has them meet. MOG's kernel
(mogcc, and clang in NVRTC's place) beside the same C as a CUDA kernel (bench_cuda.h, by clang). 64 PEs, that is two warps; the work alone: of
MOG's a run without work is taken away, of the other the two launches are halved. A table for docs/benchmarks.md on standard output.

Outputs are compared; it ends with status 1 if one is wrong."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PES = 64
SLICE = 1 << 27  # passes: so that all is one launch, and a PE is not stopped in between
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "library"))
import catalogue  # noqa: E402
from processes import geometric_mean  # noqa: E402


def execute(command, folder, **variables):
    environment = dict(os.environ, MOGCUDA_ENGINE="interpreter", MOGCUDA_MEETING="postdominators", MOGCUDA_STATS="json", **variables)
    done = subprocess.run(command, env=environment, cwd=folder, check=True, capture_output=True, text=True)
    counts = {}
    for line in done.stderr.splitlines():
        if line.startswith("{") and "warp_instructions" in line:
            one = json.loads(line)
            counts[one["kernel"]] = (one["warp_instructions"], one["thread_instructions"])
    return counts, sorted(line for line in done.stdout.splitlines() if not line.startswith("{"))


def of_mog(build, source, folder):
    name = source.stem
    subprocess.run([str(build / "bin/mogcc"), "-O2", "--build-time=3", str(source), "-o", name], cwd=folder, check=True)
    library = str(build / "lib/libmogcuda.so")
    each = []
    for repeats in ("0", "1"):
        counts, lines = execute([str(build / "bin/mogrun"), "-n", str(PES), "--device=cuda", f"--slice={SLICE}", f"./{name}"], folder, BENCH_REPEATS=repeats,
                                MOG_TIERS="none", MOG_CUDA_DRIVER=library, MOG_NVRTC=library, XDG_CACHE_HOME=folder)
        each.append(counts["mog_run"])
    return (each[1][0] - each[0][0], each[1][1] - each[0][1]), lines


def of_cuda(build, source, folder):
    name = source.stem
    subprocess.run([str(build / "bin/mogcuda"), "-O2", "--fmad=false", "-x", "cu", str(source), "-o", f"{name}.cuda"], cwd=folder, check=True,
                   capture_output=True)
    counts, lines = execute([f"./{name}.cuda"], folder, BENCH_RANKS=str(PES), BENCH_REPEATS="1")
    (warps, threads), = counts.values()
    return (warps / 2, threads / 2), lines


def main():
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    build, wrong, rows = Path(sys.argv[1]).resolve(), False, []
    print("| | | instructions of warps, million | lanes of 32 | as a CUDA kernel, million | lanes | times |\n|---|---|---|---|---|---|---|")
    for name, kind, _, source in catalogue.choose(sys.argv[2:]):
        with tempfile.TemporaryDirectory() as folder:
            mog, lines = of_mog(build, source, folder)
            cuda, others = of_cuda(build, source, folder)
        if lines != others:
            wrong = True
            print(f"{name}: MOG and CUDA print different things", file=sys.stderr)
        rows.append((kind, mog[0] / cuda[0], mog[1] / mog[0]))
        print(f"| {kind} | `{name}` | {1e-6 * mog[0]:.2f} | {mog[1] / mog[0]:.1f} | {1e-6 * cuda[0]:.2f} | {cuda[1] / cuda[0]:.1f} | {mog[0] / cuda[0]:.1f} |",
              flush=True)
    for kind in dict.fromkeys(row[0] for row in rows):
        of_kind = [row for row in rows if row[0] == kind]
        print(f"| {kind} | mean | | {geometric_mean([row[2] for row in of_kind]):.1f} | | | {geometric_mean([row[1] for row in of_kind]):.1f} |")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
