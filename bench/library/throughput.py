"""throughput.py: how fast each program is on each backend, checked against the output of the native program."""
import math

from backends import Kernel, Mog, compile_for_mog
from processes import json_of, median

COUNTED = 1024  # ranks whose instructions are counted, about
LEAST = 1e-5    # seconds: what a time is at least, when start and end were as long as the whole


class Wrong(Exception):
    """A program did something else than natively."""


def wall_of(backend, done):
    """Seconds of a run; on a GPU from when its PEs stand ready, for making a card's context takes long and not equally long."""
    return json_of(done.stderr)["run_seconds"] if backend.on_gpu and isinstance(backend, Mog) else done.wall


class Throughput:
    """Measures one program. Times are those of the work alone: of a run, less one that has nothing to do (BENCH_REPEATS=0)."""

    def __init__(self, program, backends, tools, work, pes):
        self.program, self.backends, self.tools, self.work, self.pes = program, backends, tools, work, pes
        self.lines, self.counts, self.told = [], {}, set()

    def build(self, *of_mogcc):
        """Seconds of mogcc."""
        for backend in self.backends:
            backend.build(self.program.name)
        return compile_for_mog(self.tools, self.work, self.program.name, *of_mogcc)

    def run(self, backend, repeats):
        """A run whose output is right."""
        ranks = backend.ranks(self.pes)
        done = backend.run(self.program.name, ranks, repeats)
        lines = sorted(done.stdout.splitlines(), key=lambda line: int(line.split()[0]))
        if not self.lines:
            self.lines = lines      # the first backend is native, and has all ranks
        if repeats and lines != self.lines[:ranks]:
            wrong = next((pair for pair in zip(self.lines, lines) if pair[0] != pair[1]), ("all lines", f"{len(lines)} of {ranks} lines"))
            sentence = f"{self.program.name} on {backend.name}: native gives {wrong[0]!r}, this {wrong[1]!r}"
            if not isinstance(backend, Kernel):
                raise Wrong(sentence)
            # What MOG is compared with may round otherwise; its time tells all the same.
            if sentence not in self.told:
                print(f"bench: {sentence}", flush=True)
            self.told.add(sentence)
        return done

    def check(self, *of_mogcc):
        """Only compares outputs, on all backends."""
        self.build(*of_mogcc)
        for backend in self.backends:
            self.run(backend, 1)

    def instructions(self, ranks):
        """MIPS instructions (no nops) of the work of so many ranks, once: counted by the reference machine. It is slow, so many
        ranks are counted by a sample: every second, third, ... of them."""
        if ranks not in self.counts:
            stride = max(1, ranks // COUNTED)
            counted = -(-ranks // stride)
            reference = Mog(self.tools, self.work, "reference", "auto", {"BENCH_STRIDE": str(stride)}, ["--count"])
            once, nothing = (json_of(reference.run(self.program.name, counted, repeats).stderr)["mips_instructions"] for repeats in (1, 0))
            self.counts[ranks] = (once - nothing) * ranks // counted
        return self.counts[ranks]

    def measure(self, samples, seconds):
        """The program's figures: {"mips_instructions", "mogcc_seconds", "backends": {name: {...}}}. Each backend does the work so
        often that a sample takes about `seconds`; samples are taken in turns, so that a busy machine is unfair to nobody."""
        compiled = self.build()
        rows, repeats = {}, {}
        for backend in self.backends:
            first, second, empty = self.run(backend, 1), self.run(backend, 1), backend.run(self.program.name, backend.ranks(self.pes), 0)
            once = max(wall_of(backend, second) - wall_of(backend, empty), LEAST)
            repeats[backend.name] = 1 if isinstance(backend, Kernel) else self.often_enough(backend, once, wall_of(backend, empty), seconds)
            row = rows[backend.name] = {"ranks": backend.ranks(self.pes), "repeats_of_work": repeats[backend.name],
                                        "wall_seconds": [], "processor_seconds": [], "on_gpu": backend.on_gpu}
            stats = [json_of(first.stderr), json_of(second.stderr)]
            if isinstance(backend, Mog) and backend.device != "reference":
                row.update({"engine": stats[1]["engine"], "bytes_per_pe": stats[1]["device_bytes_per_pe"],
                            "build_processor_seconds": max(first.processor - second.processor, LEAST),
                            "build_cold_seconds": stats[0]["build_seconds"], "build_warm_seconds": stats[1]["build_seconds"],
                            "lane_occupancy": stats[1].get("lane_occupancy")})
        for _ in range(samples):
            for backend in self.backends:
                self.sample(backend, rows[backend.name])
        for row in rows.values():
            work = self.instructions(row["ranks"])
            row["rate_all_cores"] = work / median(row["wall_seconds"]) / 1e6
            row["rate_per_core"] = row["rate_all_cores"] if row["on_gpu"] else work / median(row["processor_seconds"]) / 1e6
        return {"kind": self.program.kind, "about": self.program.about, "mips_instructions": self.instructions(self.pes),
                "mogcc_seconds": compiled, "backends": rows}

    def often_enough(self, backend, once, empty, seconds):
        """How often to do the work, to take about `seconds`. What is compiled while it runs makes the first time longer than others,
        so what it is guessed to take is measured. Once may seem to take no time at all, where a run with nothing to do happened to be
        slow: ten times as often at most each time, for 1000 times of something that is not short take long."""
        repeats = min(10, max(1, math.ceil(seconds / once)))
        for _ in range(5):
            took = max(wall_of(backend, self.run(backend, repeats)) - empty, LEAST)
            if repeats == 1000 or took > 0.7 * seconds:
                break
            repeats = min(1000, 10 * repeats, math.ceil(repeats * seconds / took))
        return repeats

    def sample(self, backend, row):
        often = row["repeats_of_work"]
        done = self.run(backend, often)
        if isinstance(backend, Kernel):
            row["wall_seconds"].append(json_of(done.stderr)["kernel_seconds"])
            row["processor_seconds"].append(row["wall_seconds"][-1])
            return
        empty = backend.run(self.program.name, row["ranks"], 0)
        row["wall_seconds"].append(max(wall_of(backend, done) - wall_of(backend, empty), LEAST) / often)
        row["processor_seconds"].append(max(done.processor - empty.processor, LEAST) / often)
