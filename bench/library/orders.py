"""orders.py: how good the orders of subinterpreters are that mogcc finds: beside random ones, hill climbing and the bound; and what they
bring on a device."""
import json
import os
import shutil
from collections import namedtuple

import catalogue
from backends import ENGINES, Mog, Native, compile_for_mog, with_lanes
from processes import json_of, run
from throughput import Throughput

BESIDE = catalogue.ROOT / "tests" / "programs" / "examples"
SEARCHES = (0.2, 1)     # seconds: what mogcc does by itself, and what the claim is about
PES = 2                 # whose counts the searches go by

Source = namedtuple("Source", "name path")


def sources(only):
    """Examples and bench programs; an example has its folder's name before it where the bench has one of the same name."""
    bench = catalogue.programs()
    names = {p.name for p in bench}
    found = [Source(f"examples/{s.stem}" if s.stem in names else s.stem, s) for s in sorted(catalogue.ROOT.glob("examples/*/*.c"))]
    found += [Source(p.name, p.source) for p in bench]
    unknown = set(only or []) - {s.name for s in found}
    if unknown:
        raise SystemExit(f"bench/order: no program {', '.join(sorted(unknown))}; there are {', '.join(s.name for s in found)}")
    return [s for s in found if not only or s.name in only]


class Searched:
    """One program's orders, by the counts of a run on the reference machine."""

    def __init__(self, source, tools, work):
        self.source, self.tools, self.folder = source, tools, work / source.name.replace("/", "-")
        stem = source.path.stem
        example = source.path.parent != catalogue.BENCH / "programs"
        data = BESIDE / f"{stem}.data"
        self.run_in = self.folder / "run"       # programs may write files
        self.folder.mkdir()
        shutil.copytree(data, self.run_in) if example and data.is_dir() else self.run_in.mkdir()
        arguments = BESIDE / f"{stem}.args"
        self.arguments = arguments.read_text().splitlines() if example and arguments.exists() else []

    def compile(self, output, *options):
        # Without an interpreter for the host, which no order changes.
        run([self.tools / "mogcc", "-O2", *options, self.source.path, "-o", output, "-lm"], {"MOG_CXX": ""})

    def on_reference(self, program, *options):
        return run(["env", "-C", self.run_in, self.tools / "mogrun", "-n", PES, "--device=reference", *options, program, *self.arguments])

    def count(self):
        """Makes the profile that all searches go by."""
        program = self.folder / "counted"
        self.compile(program, "--order-time=0")
        self.on_reference(program, f"--profile={self.folder / 'counts'}")

    def search(self, objective, climb_seconds):
        """Spans and costs of all orders under an objective."""
        program, file, reports = self.folder / objective, self.folder / "report.json", {}
        for seconds in SEARCHES:
            climb = [f"--climb-time={climb_seconds}"] if seconds == SEARCHES[-1] else []
            self.compile(program, f"--profile-use={self.folder / 'counts'}", f"--objective={objective}", f"--order-time={seconds}",
                         *climb, f"--order-report={file}")
            reports[seconds] = json.loads(file.read_text())
        last = reports[SEARCHES[-1]]

        def price(report, start):
            row = next(r for r in report["orders"] if r["name"].startswith(start))
            return {"span": row["span"], "cost": row["cost"], "slots": row["slots"]}

        measured = json_of(self.on_reference(program, "--stats=json").stderr)["span"]
        return {"kinds": len(last["kinds"]), "random": price(last, "random orders, mean"), "best_of_1000": price(last, "random orders, best"),
                "by_frequency": price(last, "order by frequency"), "climb": price(last, "hill climbing"),
                **{f"search_{s}": price(reports[s], "this search") for s in SEARCHES}, "bound": price(last, "lower bound"),
                "predicted_span": last["predicted"]["span"], "measured_span": measured}


def table_head():
    return (f"{'':<20}{'kinds':>6}{'slots':>6}{'random':>9}{'of 1000':>9}{'by freq.':>9}{'climbing':>9}"
            + "".join(f"{f'in {s} s':>9}" for s in SEARCHES) + f"{'bound':>9}{'gap':>8}{'predicted':>11}{'measured':>9}")


def table_line(name, row, objective):
    prices = [row[what][objective] for what in ("random", "best_of_1000", "by_frequency", "climb", *(f"search_{s}" for s in SEARCHES), "bound")]
    ours, bound = prices[-2:]
    return (f"{name:<20}{row['kinds']:>6}{row[f'search_{SEARCHES[-1]}']['slots']:>6}" + "".join(f"{p:>9.2f}" for p in prices)
            + f"{ours / bound:>7.1f}x{row['predicted_span']:>11.2f}{row['measured_span']:>9.2f}")


def is_worse(row, objective):
    """Is the order of the longest search worse than that of hill climbing?"""
    return row[f"search_{SEARCHES[-1]}"][objective] > row["climb"][objective] * (1 + 1e-9)


class Speed:
    """What orders and superinstructions bring on a device: the first simple interpreter, a sequence in the instruction table's order,
    against what mogcc makes by itself, with each engine."""

    SIMPLE = ".simple"

    def __init__(self, tools, work, device, pes, samples, seconds, say):
        self.tools, self.work, self.pes, self.samples, self.seconds = tools, work, pes, samples, seconds
        work.mkdir()
        caches = {"MOG_CACHE_DIR": str(work / "cache"), "POCL_CACHE_DIR": str(work / "pocl")}
        for folder in caches.values():
            os.mkdir(folder)
        options = ["--order-time=0"]
        if "--superinstructions" in run([tools / "mogcc", "--help"]).stdout:
            options.append("--superinstructions=0")
        else:
            say("this mogcc has no --superinstructions")
        compile_for_mog(tools, work, "small", with_lanes())
        compile_for_mog(tools, work, "small", *options, suffix=self.SIMPLE)
        simple = Mog(tools, work, device, "sequence", caches, suffix=self.SIMPLE, of_mogcc=options)
        if reason := simple.why_not("small"):
            raise SystemExit(f"bench/order: {reason}")
        self.ways = [simple]
        for engine in ["sequence"] if device == "reference" else [e for e in ENGINES if e != "auto"]:
            way = Mog(tools, work, device, engine, caches)
            if not way.why_not("small"):
                self.ways.append(way)

    def measure(self, program):
        """{backend: millions of MIPS instructions per second and core}"""
        ways = [Native("native", self.work), *self.ways]
        rows = Throughput(program, ways, self.tools, self.work, self.pes).measure(self.samples, self.seconds)["backends"]
        return {way.name: rows[way.name]["rate_per_core"] for way in ways}

    def head(self):
        return f"{'':<20}" + "".join(f"{name:>18}" for name in ("first simple", *(w.name for w in self.ways[1:]), "best against it"))

    def line(self, name, rates):
        own = [rates[w.name] for w in self.ways]
        return f"{name:<20}" + "".join(f"{rate:>18.0f}" for rate in own) + f"{self.gain(rates):>18.2f}"

    def gain(self, rates):
        return max(rates[w.name] for w in self.ways[1:]) / rates[self.ways[0].name]

    def gain_of(self, rates, way):
        return rates[way.name] / rates[self.ways[0].name]
