"""run_targets.py: builds the libFuzzer targets of tests/fuzz/targets/ with clang and runs them, one after the other."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

TARGETS = ["elf", "assembly", "image", "profile", "mogcc", "mogrun", "ptx"]
# An input may take 20 seconds and 1.5 GB, sanitizers included; then it counts as a finding.
LIMITS = ["-timeout=20", "-rss_limit_mb=1500", "-max_len=6000"]
SANITIZERS = "quarantine_size_mb=32:max_allocation_size_mb=1024"


def missing():
    """What is not installed, or None."""
    return None if shutil.which("clang++") else "clang++ is not installed (Debian: clang)"


def build(root, folder, targets):
    """Configures and builds the targets and their seeds. Raises CalledProcessError with what cmake said."""
    def step(*command):
        subprocess.run(["cmake", *command], check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    step("-S", root, "-B", folder, "-G", "Ninja", "-DMOG_FUZZERS=ON", "-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++",
         "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -gline-tables-only")
    step("--build", folder, "--target", *(f"fuzz_{target}" for target in targets), "fuzz_seeds")


def run(folder, target, seconds, keep):
    """Runs one target on its corpus, which grows. Returns (executions, coverage, what was found or None)."""
    corpus = folder / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    found = Path(keep) / f"target-{target}"
    found.mkdir(parents=True, exist_ok=True)
    seeds = folder / "tests/fuzz/targets/seeds" / target
    command = [folder.absolute() / "bin" / f"fuzz_{target}", corpus.absolute(), seeds.absolute(), f"-max_total_time={seconds}",
               f"-artifact_prefix={found.absolute()}/", "-close_fd_mask=1", "-print_final_stats=1", *LIMITS]
    with open(found / "log", "w") as log:
        status = subprocess.run(["nice", *map(str, command)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, cwd=found,
                                env={**os.environ, "ASAN_OPTIONS": SANITIZERS}).returncode
    text = (found / "log").read_text(errors="replace")
    executions = re.findall(r"stat::number_of_executed_units: (\d+)", text)
    coverage = re.findall(r"cov: (\d+)", text)
    reason = re.findall(r"^(?:SUMMARY: .*|fuzz target: .*|.*runtime error: .*)$", text, re.M)
    return (int(executions[-1]) if executions else 0, int(coverage[-1]) if coverage else 0,
            None if status == 0 else reason[0] if reason else f"status {status}")


def main(root, options):
    """What scripts/fuzz --targets does. Returns its exit status."""
    folder = Path(options.fuzz_build)
    try:
        build(root, folder, options.target or TARGETS)
    except subprocess.CalledProcessError as error:
        print(error.stdout, file=sys.stderr)
        return 1
    failed = 0
    for target in options.target or TARGETS:
        executions, coverage, reason = run(folder, target, round(60 * options.minutes), options.keep)
        print(f"{target:9}{executions:>10} executions, {coverage} edges, " +
              (f"FOUND: {reason}; see {options.keep}/target-{target}" if reason else "nothing found"), flush=True)
        failed += reason is not None
    return 1 if failed else 0
