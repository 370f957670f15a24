#!/usr/bin/env python3
"""check.py WAY: does --profile-report say of programs whose work is known what they did?

Where instructions are counted, the shares of known.c's functions are exact to a thousandth or so; samples of a run that has n looks are right
to within some times 1/sqrt(n), which is what is asked here: nothing depends on how fast anything runs.

Ways: counted, samples (on a device and an engine), ranks, waits, joins, forms, page, wrong.
"""
import argparse
import gzip
import json
import math
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
import kept     # noqa: E402

SKIPPED = 77


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=240, **options)


def line_of(source, mark):
    """Number of the line that has this comment."""
    lines = (HERE / source).read_text().split("\n")
    return 1 + next(i for i, line in enumerate(lines) if mark in line)


def fields_of(data):
    """Numbers and values of a protobuf message's fields: varints, and bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        else:
            assert tag & 7 == 2, f"wire type {tag & 7}"
            size = varint()
            assert at + size <= len(data)
            yield tag >> 3, data[at:at + size]
            at += size


def packed(data):
    """Varints one after the other."""
    values, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            values.append(value)
            value = shift = 0
    assert shift == 0
    return values


class Tables(HTMLParser):
    """Cells of a page's tables, each as its data-v or its text; ids, links, and anything that would be fetched."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.cell, self.ids, self.links, self.fetched, self.open = [], None, set(), [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.add(attributes["id"])
        if tag == "a":
            self.links.append(attributes["href"])
        self.fetched += [value for name, value in attributes.items() if name in ("src", "srcset", "data") or tag == "link" and name == "href"]
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.cell = [attributes.get("data-v"), ""]

    def handle_data(self, data):
        if self.cell:
            self.cell[1] += data

    def handle_endtag(self, tag):
        if tag in ("td", "th") and self.cell:
            self.tables[-1][-1].append(self.cell[1] if self.cell[0] is None else float(self.cell[0]))
            self.cell = None


class Checks:
    def __init__(self, options):
        self.options = options
        self.work = Path(options.work)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.problems = []

    def expect(self, what, holds, told=""):
        if not holds:
            self.problems.append(f"{what}: {told!r:.1500}")

    def near(self, what, wanted, got, within):
        self.expect(f"{what}: {wanted} expected", abs(got - wanted) <= within, got)

    def build(self, source, name, *words):
        """Most ways have the same one."""
        def make():
            done = run([self.options.mogcc, "-O2", "-g", "--order-time=0.001", HERE / source, "-o", self.work / name, *words])
            return done.stderr if done.returncode else None

        tools = kept.mog(self.options.mogcc, self.options.mogrun)
        facts = words, kept.libraries(self.options.mogcc), kept.files(__file__, HERE / source)
        if complaint := kept.programs_once(self.work.parent / "kept", tools, facts, (self.work / name,), make):
            sys.exit(complaint)

    def profile(self, ending, *words, device="host", status=0):
        """The file that a run writes, and what it prints."""
        name = self.work / f"report{ending}"
        done = run([self.options.mogrun, f"--device={device}", f"--profile-report={name}", *words], cwd=self.work)
        if done.returncode != status:
            sys.exit(f"status {done.returncode}: {done.stderr}")
        return name, done.stderr

    def report(self, *words, **options):
        return json.loads(self.profile(".json", *words, **options)[0].read_text())

    @staticmethod
    def share(report, name, of="self", what="instructions"):
        functions = [function for function in report["functions"] if function["name"] == name]
        return sum(function[of][what] for function in functions) / report["all"][what]

    def sums(self, report):
        """All parts are what the whole is."""
        whole = report["all"]["instructions"]
        for part in ("functions", "instructions", "stacks"):  # libraries have no lines
            costs = [entry["self"] if part == "functions" else entry for entry in report[part]]
            self.expect(f"{part} are all there", report.get(f"{part}_left_out", 0) == 0)
            self.near(f"sum over {part}", 1, sum(cost["instructions"] for cost in costs) / whole, 1e-6)
        self.near("sum over engines", 1, sum(report["engines"].values()) / whole, 1e-6)
        self.expect("what a function takes is not more with what it calls",
                    all(f["self"]["instructions"] <= f["total"]["instructions"] * (1 + 1e-9) for f in report["functions"]))

    # ---- ways

    def counted(self):
        """The reference machine counts. Beside the loops there are some thousand instructions of start and end."""
        self.build("known.c", "known")
        report = self.report("-n", 2, "./known", 20000, device="reference")
        self.expect("it is counted", report["counted"] and report["unit"] == "instructions")
        light, heavy = (self.share(report, name) for name in ("light", "heavy"))
        self.near("heavy does 3 times what light does", 3, heavy / light, 0.02)
        self.near("both, with what it calls", 1, self.share(report, "both", "total"), 0.05)
        self.sums(report)
        stats = run([self.options.mogrun, "-n", 2, "--device=reference", "--stats=json", "./known", 20000], cwd=self.work).stderr
        self.expect("as many instructions as --stats counts", json.loads(stats.split("\n")[-2])["mog_instructions"] == report["all"]["instructions"],
                    report["all"])
        hottest = report["lines"][0]
        self.expect("the hottest line is heavy's", hottest["function"] == "heavy" and Path(hottest["file"]).name == "known.c" and
                    hottest["line"] in (line_of("known.c", "heavy's line") - 1, line_of("known.c", "heavy's line")), hottest)

    def samples(self):
        """The same by samples, on a device and by an engine."""
        self.build("known.c", "known")
        engine = [f"--engine={self.options.engine}"] if self.options.engine else []
        units = self.options.work_units
        while True:     # a machine is as fast as it is: a run that ends before enough looks does twice as much next time
            report = self.report("-n", self.options.n, *engine, "./known", units, device=self.options.device)
            looks = report["looks"]
            if looks >= self.options.looks or units >= 64 * self.options.work_units:
                break
            units *= 2
        self.expect("there are looks", looks >= self.options.looks, looks)
        within = 6 * math.sqrt(0.25 * 0.75 * 4 / 3 / looks)
        self.near("heavy", 0.75, self.share(report, "heavy"), within)
        self.near("light", 0.25, self.share(report, "light"), within)
        self.near("both, with what it calls", 1, self.share(report, "both", "total"), 0.1)
        self.expect("its line is hot", any(line["function"] == "heavy" and line["instructions"] > 0.2 * report["all"]["instructions"]
                                           for line in report["lines"]), report["lines"][:5])
        wanted = self.options.by
        self.expect(f"executed by {wanted}", report["engines"].get(wanted, 0) > 0.9 * report["all"]["instructions"], report["engines"])
        self.sums(report)

    def ranks(self):
        """The r-th of the PEs does r + 1 units of work, which are counted, whatever is sampled."""
        self.build("known.c", "known")
        report = self.report("-n", 20, "--engine=native", "./known", 20000, "more")
        ranks = report["ranks"]
        self.expect("a bin for each", [(b["first"], b["count"]) for b in ranks["bins"]] == [(i, 1) for i in range(20)])
        unit = ranks["bins"][19]["instructions"] / 20
        for bin in ranks["bins"]:
            self.near(f"rank {bin['first']}", bin["first"] + 1, bin["instructions"] / unit, 0.1)
        self.near("imbalance", 20 / 10.5, ranks["imbalance"], 0.05)
        self.expect("who does most and least", (ranks["most_rank"], ranks["least_rank"]) == (19, 0), ranks)
        self.expect("sorted", ranks["sorted"] == sorted(ranks["sorted"]))
        many = self.report("-n", 3000, "./known", 100, "more")["ranks"]
        self.expect("many ranks share bins", len(many["bins"]) == 256 and sum(b["count"] for b in many["bins"]) == 3000 and
                    many["bins"][-1]["first"] + many["bins"][-1]["count"] == 3000, [(b["first"], b["count"]) for b in many["bins"]])

    def waits(self):
        """Three ranks wait as long as rank 0 computes."""
        self.build("waits.c", "waits", "-lmpi")
        report = self.report("-n", 4, "--engine=switch", "./waits", 2000000)
        waiting = report["all"]["waiting_for"]
        bins = [bin["waiting"]["mpi"] for bin in report["ranks"]["bins"]]
        self.expect("they wait for messages", waiting["mpi"] > 0.9 * report["all"]["waiting"] > 0, waiting)
        self.expect("the three do, rank 0 does not", min(bins[1:]) > 10 * bins[0] and min(bins[1:]) > 0.5 * max(bins), bins)
        self.expect("not longer than the run", max(bins) <= report["seconds"] * 1.01, (bins, report["seconds"]))
        self.near("in the function that receives", 1, self.share(report, "wait_for_it", "total", "waiting"), 0.1)
        self.near("rank 0 computes", 1, self.share(report, "compute"), 0.1)
        receive = [function for function in report["mpi"] if function["name"] == "MPI_Recv"]
        self.expect("MPI_Recv", len(receive) == 1 and receive[0]["calls"] == 3, report["mpi"])
        self.near("the time in it is what ranks wait", 1, receive[0]["seconds"] / waiting["mpi"], 0.1)
        page = Tables(self.profile(".html", "-n", 4, "--engine=switch", "./waits", 200000)[0].read_text())
        self.expect("the page has MPI_Recv", any(row[0] == "MPI_Recv" and row[1] == 3 for table in page.tables for row in table))

    def joins(self):
        """A thread waits as long as another one computes; then a call sleeps for 0.3 s."""
        self.build("joins.c", "joins", "-pthread")
        for device, units in (("host", 20000000), ("reference", 1000000)):
            report = self.report("-n", 1, "--threads=2", "./joins", units, device=device)
            waiting = report["all"]["waiting_for"]
            self.expect(f"{device}: it waits for the thread, and sleeps", waiting["threads"] > 0 and 0.29 <= waiting["calls"] <= report["seconds"], waiting)
            self.near(f"{device}: the other one computes", 1, self.share(report, "compute"), 0.1)
            waits = [(f["name"], f["total"]["waiting"]) for f in report["functions"] if f["total"]["waiting"] > 0]
            self.expect(f"{device}: where it sleeps", any(name == "usleep" and seconds > 0.25 for name, seconds in waits), waits)

    def forms(self):
        """The same counts in each form: the reference machine counts, so that runs are alike."""
        self.build("known.c", "known")
        words = ["-n", 2, "./known", 20000]
        report = self.report(*words, device="reference")
        whole = report["all"]["instructions"]
        folded = self.profile(".folded", *words, device="reference")[0].read_text()
        stacks = {}
        for line in folded.rstrip("\n").split("\n"):
            match = re.fullmatch(r"([^;]+(?:;[^;]+)*) ([1-9][0-9]*)", line)
            self.expect("a folded line", match, line)
            stacks[match[1]] = int(match[2])
        self.near("folded stacks, all", 1, sum(stacks.values()) / whole, 1e-3)
        self.expect("main calls both calls heavy", any(re.search("(^|;)main;both;heavy$", stack) for stack in stacks), folded)
        # pprof
        raw = gzip.decompress(self.profile(".pb.gz", *words, device="reference")[0].read_bytes())
        profile = {}
        for field, value in fields_of(raw):
            profile.setdefault(field, []).append(value)
        strings = [value.decode() for value in profile[6]]
        self.expect("the first string is empty", strings[0] == "")
        types = [tuple(strings[value] for _, value in fields_of(one)) for one in profile[1]]
        self.expect("types of values", types == [("instructions", "count"), ("time", "nanoseconds"), ("waiting", "nanoseconds")], types)
        functions = {dict(fields_of(one))[1]: strings[dict(fields_of(one))[2]] for one in profile[5]}
        locations = {dict(fields_of(one))[1]: functions[dict(fields_of(dict(fields_of(one))[4]))[1]] for one in profile[4]}
        own, total = {}, 0
        for one in profile[2]:
            sample = dict(fields_of(one))
            names, values = [locations[id] for id in packed(sample[1])], packed(sample[2])
            own[names[0]] = own.get(names[0], 0) + values[0]
            total += values[0]
            self.expect("outermost frame", names[-1] == "_start" or len(names) < 4, names)
        self.near("pprof, all", 1, total / whole, 1e-3)
        self.expect("pprof: work is in heavy or light", set(own) & {"heavy", "light"}, own)
        # callgrind
        name, _ = self.profile(".callgrind", *words, device="reference")
        text = name.read_text()
        self.expect("callgrind's events", "events: Ir Wait\n" in text)
        if not shutil.which("callgrind_annotate"):
            print("there is no callgrind_annotate (package valgrind)")
            return SKIPPED
        done = run(["callgrind_annotate", "--threshold=100", "--show-percs=no", name])
        self.expect("callgrind_annotate reads it", done.returncode == 0 and not done.stderr, done.stderr)
        costs = {}
        for ir, place in re.findall(r"^ *([0-9,]+) +[0-9,.]+ +(\S+)", done.stdout, re.M):
            costs[place] = int(ir.replace(",", ""))
        self.near("its total", 1, costs.get("PROGRAM", 0) / whole, 1e-6)
        for function in ("heavy", "light"):
            of_function = [cost for place, cost in costs.items() if place.split("[")[0].endswith(f"known.c:{function}")]
            self.near(f"callgrind's {function}", self.share(report, function), sum(of_function) / whole, 1e-3)
        return 0

    def page(self):
        """The page has the numbers that the JSON has, everything in one file, and links that lead somewhere; and a browser agrees."""
        self.build("known.c", "known")
        words = ["-n", 32, "./known", 2000, "more"]
        report = self.report(*words, device="reference")
        name, _ = self.profile(".html", *words, device="reference")
        text = name.read_text()
        page = Tables(text)
        self.expect("nothing is fetched", not page.fetched and not re.search(r"url\(|@import|https?://(?!www\.w3\.org)", text), page.fetched)
        lost = [link for link in page.links if not link.startswith("#") or link[1:] not in page.ids]
        self.expect("links lead somewhere", page.links and not lost, lost)
        self.compare(page, report)
        self.expect("holes are filled", not re.search(r"@[A-Z]+@", text))
        browser = shutil.which("chromium")
        if not browser:
            print("there is no chromium, which would load the page")
            return SKIPPED
        home = self.work / "home"
        home.mkdir()
        # A click on the head of the functions' first column sorts by names; what is in the page after that is dumped.
        script = ("<script>document.querySelectorAll('table.sorts')[0].tHead.rows[0].cells[0].click();"
                  "const s=document.querySelector('.graph input');s.value='heavy';s.dispatchEvent(new Event('input'));"
                  "document.body.dataset.found=document.querySelector('.graph .tools span').textContent;"
                  "const f=[...document.querySelectorAll('.f.found')];f[0].dispatchEvent(new Event('click',{bubbles:true}));"
                  "document.body.dataset.width=f[0].getAttribute('width');</script>")
        (self.work / "clicked.html").write_text(text.replace("</html>", script + "</html>"))
        done = run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={home}", "--virtual-time-budget=1000",
                    "--dump-dom", f"file://{self.work}/clicked.html"], env={"HOME": str(home), "PATH": "/usr/bin:/bin"})
        self.expect("the browser loads it", done.returncode == 0 and "</html>" in done.stdout, done.stderr[-1000:])
        dumped = Tables(done.stdout)
        self.compare(dumped, report)
        names = [row[0] for row in dumped.tables[0][1:]]
        self.expect("a click sorts functions by name", len(names) > 2 and names == sorted(names, key=str.lower, reverse=True), names)
        found = re.search(r'data-found="([0-9.]+) % found"', done.stdout)
        heavy = [stack for stack in report["stacks"] if any(frame.split(":")[0] == "heavy" for frame in stack["frames"])]
        share = sum(stack["instructions"] for stack in heavy) / report["all"]["instructions"]
        self.expect("the search adds up", found, done.stdout[-3000:])
        if found:
            self.near("what the search finds", 100 * share, float(found[1]), 100 * 0.25)
        self.expect("a click makes a frame as wide as the graph", 'data-width="100%"' in done.stdout)
        return 0

    def compare(self, page, report):
        functions = {row[0]: row for row in page.tables[0][1:]}
        for function in report["functions"][:10]:
            row = functions.get(function["name"])
            self.expect(f"{function['name']} is in the page", row)
            if row:
                self.near(f"{function['name']} in the page", function["self"]["instructions"], row[3], 1)

    def wrong(self):
        """What cannot be is told, with what can."""
        self.build("known.c", "known")
        done = run([self.options.mogrun, "--profile-report=report.txt", "./known"], cwd=self.work)
        self.expect("a name that says no form", done.returncode == 2 and all(end in done.stderr for end in (".html", ".json", ".pb.gz")), done.stderr)
        done = run([self.options.mogrun, "-n", 1, "--profile-report=none/report.html", "./known"], cwd=self.work)
        self.expect("a folder that is not there", done.returncode == 1 and "none" in done.stderr and "done" not in done.stdout, done.stderr)
        done = run([self.options.mogrun, "--runs=4", "--profile-report=report.html", "./known"], cwd=self.work)
        self.expect("a sweep", done.returncode == 1 and "--profile-report" in done.stderr, done.stderr)
        report = self.report("-n", 1, "--engine=switch", "--timeout=1", "./known", 2000000000, status=124)
        self.expect("of a run that a limit ends there is a report", report["samples"] > 0 and self.share(report, "both", "total") > 0.9, report["all"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("way")
    parser.add_argument("--mogcc", required=True)
    parser.add_argument("--mogrun", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--device", default="host")
    parser.add_argument("--engine", default="")
    parser.add_argument("--by", default="")
    parser.add_argument("-n", type=int, default=1)
    parser.add_argument("--work-units", type=int, default=0)
    parser.add_argument("--looks", type=int, default=20)
    options = parser.parse_args()
    checks = Checks(options)
    status = getattr(checks, options.way)() or 0
    for problem in checks.problems:
        print(problem)
    return 1 if checks.problems else status


if __name__ == "__main__":
    sys.exit(main())
