#!/usr/bin/env python3
"""check_facts.py --tools DIR: what is said to be the same in all lanes, checked while programs run, until enough has held.

    --quick            a few of each, as a test
    --facts N          go on until so many have held (default: 1,000,000,000)
    --seconds S        start nothing after this time
    --seed N           of what is random (default: 1)
    --thesis NAME      instead: one program, of which the thesis' rules are wrong where lanes stand as MOG has them, and ours are not

There are three kinds of facts. The scalars of code for lanes, in a build that compares each with what all lanes compute: the bench programs,
tests/programs with their system calls, signals and faults, and random programs of scripts/fuzz, in slices of 1 to 100 instructions and without,
for each set of instructions that the processor has, and the output that of the reference machine. What mogas --analyze=divergence says of MOG
programs, against traces of the reference machine (mog_facts). And what the analyses say of random programs for the u-SIMD machine, with and without
registers (usimd_facts).

Status: 0, 1 if a fact was false, 77 if there are no lanes for this processor.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/fuzz")]
import asm_program      # noqa: E402
import csmith_program   # noqa: E402
import mixed_program    # noqa: E402
from differential import LANE_SETS  # noqa: E402

SKIPPED = 77
EXAMPLES = {"nqueens": (ROOT / "examples/nqueens/nqueens.c", ["5"]), "collatz": (ROOT / "examples/collatz/collatz.c", ["60"])}
BENCH = sorted(path for path in (ROOT / "bench/programs").glob("*.c") if path.stem not in ("null_call", "small", "scale", "coremix", "doubles"))
PROGRAMS = sorted((ROOT / "tests/programs").glob("*.c"))
FUEL = 20000


class Wrong(Exception):
    """A fact that is false, or a run that is not as it should be."""


class Check:
    def __init__(self, options, work):
        self.options, self.work = options, Path(work)
        self.rng = random.Random(options.seed)
        self.facts = {"scalars in lanes": 0, "reports of MOG programs": 0, "u-SIMD machine": 0}
        self.start = time.monotonic()
        self.environment = {**os.environ, "MOG_CACHE_DIR": str(self.work / "cache"), "BENCH_REPEATS": "1"}
        for name in ("MOG_ENGINE", "MOG_STATS", "MOG_SLICE", "MOG_DIVERGENCE", "MOG_SIMD", "MOG_CXX"):
            self.environment.pop(name, None)

    def tool(self, name):
        return str(self.options.tools / name)

    def enough(self):
        late = self.options.seconds and time.monotonic() - self.start > self.options.seconds
        return late or sum(self.facts.values()) >= self.options.facts

    def run(self, command, variables=None, **more):
        return subprocess.run([str(word) for word in command], env={**self.environment, **(variables or {})}, cwd=self.work, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=600, **more)

    def compile(self, source, name, *options):
        done = self.run([self.tool("mogcc"), "-w", "--order-time=0", "-ffp-contract=off", *options, source, "-o", name, "-lm"])
        return done.returncode == 0

    # --- code for lanes
    def lanes(self, name, arguments, pes, simd, slice_, repeats=1):
        """One program in lanes that compare their scalars, and on the reference machine."""
        command = [self.tool("mogrun"), "-n", pes, "--timeout=60", *([f"--slice={slice_}"] if slice_ else []), "--device=host", "--engine=lanes", f"./{name}", *arguments]
        variables = {"MOG_CXX": f"{self.options.compiler} -O1 -DMOG_CHECK_SCALARS", "MOG_SIMD": simd, "BENCH_REPEATS": str(repeats)}
        got = self.run(command, variables)
        told = re.findall(rb"(\d+) scalars compared", got.stderr)
        if b"mogrun: --engine=lanes: " in got.stderr:    # no code for lanes, or none for this arithmetic
            return
        if b"is not the same in all lanes" in got.stderr:
            raise Wrong(f"{name}: {got.stderr.decode(errors='replace').strip()}; {simd}, slices of {slice_ or 'any length'}, {pes} PEs")
        if got.returncode != 124:   # else it was ended, as no fault of its own
            # How often the work is done does not show.
            wanted = self.run([self.tool("mogrun"), "-n", pes, "--device=reference", f"./{name}", *arguments])
            if (wanted.returncode, sorted(wanted.stdout.split(b"\n"))) != (got.returncode, sorted(got.stdout.split(b"\n"))):
                raise Wrong(f"{name}: in lanes ({simd}, slices of {slice_ or 'any length'}, {pes} PEs) another outcome than on the reference machine: "
                            f"status {got.returncode}, not {wanted.returncode}; {got.stderr.decode(errors='replace')[-300:]}")
        self.facts["scalars in lanes"] += sum(int(number) for number in told)

    def random_lanes(self, name, arguments=(), most_repeats=1):
        slice_ = self.rng.choice([None, None, self.rng.randint(1, 100)])
        # What is executed instruction by instruction takes its time.
        repeats = self.rng.randint(1, most_repeats) if slice_ is None else 1
        self.lanes(name, arguments, self.rng.choice([16, 20, 32, 40]), self.rng.choice(LANE_SETS), slice_, repeats)

    def bench_in_lanes(self):
        path = self.rng.choice(BENCH)
        if self.compile(path, path.stem, self.rng.choice(["-O2", "-O2", "-O1", "-O3"])):
            for _ in range(3):
                self.random_lanes(path.stem, most_repeats=400)

    def programs_in_lanes(self):
        path = self.rng.choice(PROGRAMS)
        if self.deterministic(path) and self.compile(path, "program", "-O2"):
            self.random_lanes("program")

    def deterministic(self, path):
        """Whether all PEs may run it at once, in one folder, and print the same each time: on the reference machine it does."""
        if path.with_suffix(".options").exists() or path.with_suffix(".args").exists() or not self.compile(path, "program", "-O2"):
            return False
        command = [self.tool("mogrun"), "-n", "16", "--timeout=20", "--device=reference", "./program"]
        first, second = self.run(command), self.run(command)
        return first.returncode != 124 and (first.returncode, sorted(first.stdout.split(b"\n"))) == (second.returncode, sorted(second.stdout.split(b"\n")))

    def fuzz_in_lanes(self):
        kind = self.rng.choice([mixed_program, asm_program] + [csmith_program] * (csmith_program.missing() is None))
        source = kind.generate(random.Random(self.rng.random()))
        if source is None:
            return
        path = self.work / "random.c"
        path.write_text(source)
        folders = [f"-I{folder}" for folder in csmith_program.HEADERS] if kind is csmith_program else []
        if self.compile(path, "random", self.rng.choice(["-O1", "-O2", "-O3"]), *folders) and self.deterministic(path):
            self.random_lanes("random")

    # --- reports of MOG programs
    def report(self, name, arguments=(), pes=16, *fault):
        """What mog_facts says: facts and violations by rounds, and plainly."""
        trace = self.run([self.tool("mogrun"), "-n", pes, "--device=reference", "--trace", f"--fuel={FUEL}", f"./{name}", *arguments])
        done = subprocess.run([self.tool("mog_facts"), f"./{name}", *fault], input=trace.stderr, cwd=self.work, capture_output=True)
        numbers = [int(number) for pair in re.findall(rb"(\d+) facts, (\d+) violated", done.stdout) for number in pair]
        if len(numbers) != 4:
            raise Wrong(f"{name}: mog_facts says {done.stdout + done.stderr}")
        if numbers[1] != 0 and not fault:
            raise Wrong(f"{name}: {done.stdout.decode()}")
        return numbers

    def reports(self, path):
        if self.compile(path, path.stem, "-O2", "-g"):
            self.facts["reports of MOG programs"] += self.report(path.stem)[0]

    # --- the u-SIMD machine
    def usimd(self, count):
        seed = self.rng.randrange(1 << 40)
        done = self.run([self.tool("usimd_facts"), seed, count])
        if done.returncode != 0:
            raise Wrong(done.stderr.decode().strip())
        self.facts["u-SIMD machine"] += int(done.stdout.split()[0])

    # --- all of it
    def thesis(self, name):
        path, arguments = EXAMPLES.get(name, (ROOT / f"bench/programs/{name}.c", []))
        if not self.compile(path, name, "-O2", "-g"):
            raise Wrong(f"{name} does not compile")
        facts, violated, plain, plainly_violated = self.report(name, arguments)
        print(f"{name}: by rounds {facts} facts held; the thesis' rules, of lanes that stand together as MOG has them, were wrong {plainly_violated} times of {plain}")
        if facts < 10000 or plainly_violated < 1000:
            raise Wrong(f"{name}: too few facts, or the rules were hardly wrong")
        return violated

    def quick(self):
        self.usimd(1500)
        self.reports(ROOT / "bench/programs/bytecode.c")
        if self.report("bytecode", [], 16, "no_gammas")[1] == 0:
            raise Wrong("a rule that was left out of the analysis was not missed")
        self.compile(ROOT / "tests/runtime/guarded_lanes.c", "guarded", "-O2")
        self.lanes("guarded", ["5"], 32, self.rng.choice(LANE_SETS), self.rng.randint(1, 100))
        if not all(self.facts.values()):
            raise Wrong(f"nothing was checked of some: {self.facts}")

    def long(self):
        turns = 0
        while not self.enough():
            for step in (lambda: self.usimd(20000), lambda: self.reports(self.rng.choice(BENCH + PROGRAMS)), self.bench_in_lanes, self.programs_in_lanes,
                         self.bench_in_lanes, self.fuzz_in_lanes):
                if not self.enough():
                    step()
            turns += 1
            self.tell()

    def tell(self):
        print(f"{time.monotonic() - self.start:6.0f} s: " + ", ".join(f"{count:,} {what}" for what, count in self.facts.items())
              + f"; {sum(self.facts.values()):,} facts, none false", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, default=ROOT / "build/bin")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--facts", type=int, default=1_000_000_000)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--thesis", metavar="NAME")
    options = parser.parse_args()
    options.tools = options.tools.resolve()
    options.compiler = os.environ.get("MOG_CXX") or "c++"
    with tempfile.TemporaryDirectory(prefix="mog-facts-") as work:
        check = Check(options, work)
        try:
            if options.thesis:
                check.thesis(options.thesis)
            elif options.quick:
                if os.uname().machine != "x86_64":
                    return SKIPPED
                check.quick()
                check.tell()
            else:
                check.long()
        except Wrong as wrong:
            print(f"check_facts: seed {options.seed}: {wrong}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
