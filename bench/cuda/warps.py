#!/usr/bin/env python3
"""warps.py [--sectors | --slices] BUILD [NAME ...]: what the programs of bench/programs cost a card that has none: instructions that warps issue, and how many of 32
lanes take part in one, counted by MOG's PTX engine with lanes that meet at post-dominators, as a card's compiler has them meet. MOG's kernel
(mogcc, and clang in NVRTC's place) beside the same C as a CUDA kernel (bench_cuda.h, by clang). 64 PEs, that is two warps; the work alone: of
MOG's a run without work is taken away, of the other the two launches are halved. A table for docs/benchmarks.md on standard output.

--sectors: MOG's kernel with its memory laid by words and by sectors instead: instructions, sectors of 32 bytes in an access, and what the kernel
itself counts of accesses to DATA (--memory-layout=count), and which layout a run chooses by that.

--slices: MOG's kernel with 256 PEs, in one launch, and in slices of 100,000 instructions: as these end if somebody looks where PEs stand
(--profile-report), as they end else, and with PEs regrouped (--regroup=always); and how often one had another warp than before.

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
            counts[one["kernel"]] = one
        elif line.startswith("{") and "by_sectors" in line:
            counts["sectors"] = json.loads(line)["sectors"]
        elif line.startswith("{") and "regrouping" in line:
            counts["regrouping"] = json.loads(line)["regrouping"]
    return counts, sorted(line for line in done.stdout.splitlines() if not line.startswith("{"))


def compile_for_mog(build, source, folder):
    subprocess.run([str(build / "bin/mogcc"), "-O2", "--build-time=3", str(source), "-o", source.stem], cwd=folder, check=True)


def run_on_mog(build, source, folder, repeats, *options, pes=PES, passes=SLICE):
    library = str(build / "lib/libmogcuda.so")
    return execute([str(build / "bin/mogrun"), "-n", str(pes), "--device=cuda", f"--slice={passes}", *options, f"./{source.stem}"], folder,
                   BENCH_REPEATS=repeats, MOG_TIERS="none", MOG_CUDA_DRIVER=library, MOG_NVRTC=library, XDG_CACHE_HOME=folder)


def of_mog(build, source, folder):
    compile_for_mog(build, source, folder)
    without, with_work = (run_on_mog(build, source, folder, repeats) for repeats in ("0", "1"))
    each = [counts["mog_run"] for counts in (without[0], with_work[0])]
    return tuple(each[1][what] - each[0][what] for what in ("warp_instructions", "thread_instructions")), with_work[1]


def of_cuda(build, source, folder):
    name = source.stem
    subprocess.run([str(build / "bin/mogcuda"), "-O2", "--fmad=false", "-x", "cu", str(source), "-o", f"{name}.cuda"], cwd=folder, check=True,
                   capture_output=True)
    counts, lines = execute([f"./{name}.cuda"], folder, BENCH_RANKS=str(PES), BENCH_REPEATS="1")
    one, = counts.values()
    return (one["warp_instructions"] / 2, one["thread_instructions"] / 2), lines


def layouts(build, names):
    """What either layout of DATA takes."""
    wrong = False
    print("| | | instructions, million, by words | by sectors | sectors in an access, by words | by sectors | of DATA touched, by words | by sectors | "
          "fetched, by words | by sectors | chosen |\n|---|---|---|---|---|---|---|---|---|---|---|")
    for name, kind, _, source in catalogue.choose(names):
        with tempfile.TemporaryDirectory() as folder:
            compile_for_mog(build, source, folder)
            of = {}
            for layout in ("words", "sectors"):
                (without, _), (with_work, lines) = (run_on_mog(build, source, folder, repeats, f"--memory-layout={layout}") for repeats in ("0", "1"))
                of[layout] = {what: with_work["mog_run"][what] - without["mog_run"][what]
                              for what in ("warp_instructions", "global_accesses", "global_sectors")}, lines
            counted = run_on_mog(build, source, folder, "1", "--memory-layout=count", "--stats=json")
            chosen = subprocess.run([str(build / "bin/mogrun"), "-n", "1", "--device=cuda", "--stats=json", f"./{name}"], cwd=folder, check=True, text=True,
                                    capture_output=True, env=dict(os.environ, BENCH_REPEATS="0", MOG_TIERS="none", XDG_CACHE_HOME=folder,
                                                                  MOG_CUDA_DRIVER=str(build / "lib/libmogcuda.so"),
                                                                  MOG_NVRTC=str(build / "lib/libmogcuda.so"))).stderr
        if not of["words"][1] == of["sectors"][1] == counted[1]:
            wrong = True
            print(f"{name}: layouts print different things", file=sys.stderr)
        words, sectors = of["words"][0], of["sectors"][0]
        by_words, by_sectors = counted[0]["sectors"]["by_words"], counted[0]["sectors"]["by_sectors"]
        cells = [f"{1e-6 * each['warp_instructions']:.2f}" for each in (words, sectors)]
        cells += [f"{each['global_sectors'] / each['global_accesses']:.1f}" for each in (words, sectors)]
        cells += [f"{1e-6 * each[what]:.2f}" for what in ("touched", "fetched") for each in (by_words, by_sectors)]
        print(f"| {kind} | `{name}` | " + " | ".join(cells) + f" | {'sectors' if 'memory by sectors' in chosen else 'words'} |", flush=True)
    return int(wrong)


def slices(build, names):
    """What slices cost, and what regrouping makes of that."""
    wrong = False
    ways = {"whole": (SLICE, "--regroup=off"), "exact": (100_000, "--regroup=off", "--profile-report=profile.html"),
            "at blocks": (100_000, "--regroup=off"), "regrouped": (100_000, "--regroup=always", "--stats=json")}
    print("| | | in one launch, million | lanes of 32 | in exact slices | lanes | slices that end at blocks | lanes | regrouped | lanes | sectors, million | "
          "regrouped | PEs moved |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name, kind, _, source in catalogue.choose(names):
        cells, outputs, sectors = [], [], {}
        with tempfile.TemporaryDirectory() as folder:
            compile_for_mog(build, source, folder)
            for way, (passes, *options) in ways.items():
                (without, _), (with_work, lines) = (run_on_mog(build, source, folder, repeats, *options, pes=256, passes=passes)
                                                    for repeats in ("0", "1"))
                warps, threads, sectors[way] = (with_work["mog_run"][what] - without["mog_run"][what]
                                                for what in ("warp_instructions", "thread_instructions", "global_sectors"))
                cells += [f"{1e-6 * warps:.2f}", f"{threads / warps:.1f}"]
                outputs.append(lines)
        if any(output != outputs[0] for output in outputs):
            wrong = True
            print(f"{name}: slices print different things", file=sys.stderr)
        cells += [f"{1e-6 * sectors[way]:.2f}" for way in ("at blocks", "regrouped")] + [str(with_work["regrouping"]["moves"])]
        print(f"| {kind} | `{name}` | " + " | ".join(cells) + " |", flush=True)
    return int(wrong)


def main():
    for option, table in ("--sectors", layouts), ("--slices", slices):
        if len(sys.argv) > 2 and sys.argv[1] == option:
            return table(Path(sys.argv[2]).resolve(), sys.argv[3:])
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
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
