#!/usr/bin/env python3
"""check.py WAY: are the runs of a sweep what the same program does natively, each by itself?

The oracle is gcc's program, started once for each run with that run's arguments, environment, standard input and folder. More runs than
PEs are made at a time, so that memory, registers and files of a PE that has ended are another run's.

Ways: runs (on one device), results, retries, deadlocks, faults, limits, files, wrong.
"""
import argparse
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True
import kept     # noqa: E402

ENDS = ["", "long", "fails", "status", "plain", "status", "long", "plain"]


def run(command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, timeout=120, **options)


class Checks:
    def __init__(self, options):
        self.options = options
        self.work = Path(options.work)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.problems = []

    def expect(self, what, wanted, got):
        if wanted != got:
            self.problems.append(f"{what}: expected {wanted!r:.600}, got {got!r:.600}")

    def build(self, *words):
        """The program, by mogcc and by gcc: most ways have the same one."""
        flags, programs = ["-O2", "-w", "-pthread", *words, HERE / "sweep.c"], (self.work / "prog", self.work / "native")

        def make():
            for compiler, program in zip(([self.options.mogcc, "--order-time=0.001"], ["gcc"]), programs):
                done = run([*compiler, *flags, "-o", program])
                if done.returncode:
                    return done.stderr.decode()
            return None

        tools = kept.mog(self.options.mogcc, self.options.mogrun), kept.tool("gcc")
        facts = flags, kept.libraries(self.options.mogcc), kept.files(__file__, HERE / "sweep.c")
        if complaint := kept.programs_once(self.work.parent / "kept", tools, facts, programs, make):
            sys.exit(complaint)

    def mogrun(self, *words, device=None, **options):
        device = device or self.options.device
        return run([self.options.mogrun, f"--device={device}", *words], cwd=self.work, **options)

    def native(self, words, environment=(), stdin=b"", folder=None):
        """Standard output, error, and status, of the program by itself."""
        done = run([self.work / "native", *words], input=stdin, cwd=folder or self.work, env={**os.environ, **dict(environment)})
        return done.stdout, done.stderr, done.returncode

    # ---- ways

    def runs(self):
        """A sweep of 40 through 6 slots (in lanes: 32 of them), everything by itself, beside native processes."""
        count, slots = (80, 32) if self.options.engine == "lanes" else (40, 6)
        lines, environments = [], []
        (self.work / "in").mkdir()
        for i in range(count):
            lines.append(f"'{ENDS[i % len(ENDS)]}' {i} \"two words {i}\"" if i % 9 else f"plain {i} a\\ b")
            environments.append(f"SWEEP_VALUE='value {i}' OTHER={i}")
            (self.work / f"in/{i:03}.txt").write_text("".join(f"line {k} of {i}\n" for k in range(i % 5)))
        (self.work / "args.txt").write_text("# words for each run\n" + "\n".join(lines) + "\n\n")
        (self.work / "env.txt").write_text("\n".join(environments) + "\n")
        engine = [f"--engine={self.options.engine}"] if self.options.engine else []
        done = self.mogrun(*engine, *self.options.run_option, "-n", slots, "--args-file=args.txt", "--env-file=env.txt", "--stdin-file=in/%3r.txt",
                           "--stdout=out/%r.txt", "--stderr=err/%r.txt", "--chdir=mog/run-%r", "--results=runs.csv", "./prog")
        self.expect("what mogrun prints", b"", done.stdout)
        rows = list(csv.DictReader(io.StringIO((self.work / "runs.csv").read_text())))
        self.expect("rows", [str(i) for i in range(count)], [row["run"] for row in rows])
        first_failure = 0
        for i in range(count):
            words = [ENDS[i % len(ENDS)], str(i), f"two words {i}"] if i % 9 else ["plain", str(i), "a b"]
            folder = self.work / f"native-{i}" / f"run-{i}"
            folder.mkdir(parents=True)
            stdin = (self.work / f"in/{i:03}.txt").read_bytes()
            stdout, stderr, status = self.native(words, {"SWEEP_VALUE": f"value {i}"}.items(), stdin, folder)
            first_failure = first_failure or status
            self.expect(f"output of run {i}", stdout, (self.work / f"out/{i}.txt").read_bytes())
            self.expect(f"errors of run {i}", stderr, (self.work / f"err/{i}.txt").read_bytes())
            self.expect(f"file of run {i}", (folder / "result.txt").read_bytes(), (self.work / f"mog/run-{i}/result.txt").read_bytes())
            self.expect(f"row of run {i}", (str(status), "exit", "1", " ".join(words)),
                        tuple(rows[i][name] for name in ("status", "end", "attempts", "arguments")))
        self.expect("status", first_failure, done.returncode)
        self.expect("sentence", True, f"of {count} runs failed: status" in done.stderr.decode())

    def results(self):
        (self.work / "args.txt").write_text("plain 1\nstatus 7\nplain 'a,\"b'\n")
        for words, key in ((["--count", "--device=reference"], True), (["--fuel=100M"], True), ([], False)):
            done = self.mogrun(*words, "-n", 2, "--args-file", "args.txt", "--results=runs.json", "./prog")
            rows = json.loads((self.work / "runs.json").read_text())
            self.expect("status", 7, done.returncode)
            self.expect("statuses", [0, 7, 0], [row["status"] for row in rows])
            self.expect("arguments", ["plain", 'a,"b'], rows[2]["arguments"])
            self.expect(f"instructions with {words}", [key] * 3, [row.get("instructions", 0) > 1000 for row in rows])
            self.expect("times", True, all(0 <= row["begin"] and 0 < row["seconds"] < 100 for row in rows))
        done = self.mogrun("--args-file=-", "--results=-", "--stdout=/dev/null", "./prog", input=b"plain\nplain 'a,\"b'\n")
        self.expect("csv", ["plain", 'plain a,"b'], [row["arguments"] for row in csv.DictReader(io.StringIO(done.stdout.decode()))])
        # Lines of runs are whole, and those that have no end are ended by their tags.
        done = self.mogrun("-n", 3, "--runs=9", "--tag-output", "./prog", "plain")
        text = done.stdout.decode()
        for i in range(9):
            self.expect(f"tagged run {i}", ["1 words: <plain>", "value none", "computed 1507974206 deep 0".split()[0], "the end"],
                        [line.split()[0] if line.startswith("computed") else line for line in re.findall(rf"^\[{i}\] (.*)$", text, re.M)])

    def retries(self):
        (self.work / "args.txt").write_text("plain 1\nfails 2\ncrashes 3\nplain 4\nfails 5\n")
        done = self.mogrun("-n", 2, "--args-file=args.txt", "--retries=2", "--stdout=out/%r", "--chdir=run-%r", "--results=runs.csv", "./prog")
        rows = list(csv.DictReader(io.StringIO((self.work / "runs.csv").read_text())))
        self.expect("attempts", ["1", "3", "3", "1", "3"], [row["attempts"] for row in rows])
        self.expect("ends", ["exit", "exit", "SIGSEGV", "exit", "exit"], [row["end"] for row in rows])
        self.expect("status", 3, done.returncode)
        self.expect("failures", 6, done.stderr.count(b"this one fails"))
        for i in range(5):      # of the last attempt only; files of its folder are the program's own
            self.expect(f"output {i}", 0 if i == 2 else 1, (self.work / f"out/{i}").read_text().count("words"))
            self.expect(f"folder {i}", 3 if i in (1, 2, 4) else 1, (self.work / f"run-{i}/result.txt").read_text().count("\n"))
        self.expect("sentence", True, "3 of 5 runs failed: status 3: 1, 4; status 139: 2" in done.stderr.decode())

    def deadlocks(self):
        """Runs that wait for themselves make room for others."""
        (self.work / "args.txt").write_text("plain 0\n" + "deadlocks 1\n" * 3 + "plain 4\nplain 5\n")
        done = self.mogrun("-n", 2, *self.options.run_option, "--args-file=args.txt", "--stdout=/dev/null", "--results=-", "./prog")
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.expect("ends", ["exit", "deadlock", "deadlock", "deadlock", "exit", "exit"], [row["end"] for row in rows])

    def faults(self):
        (self.work / "args.txt").write_text("plain 0\n" * 5 + "crashes 5\n" + "plain 6\n" * 3 + "aborts 9\n" + "plain 10\n" * 3)
        done = self.mogrun("-n", 3, "--args-file=args.txt", "--stdout=/dev/null", "./prog")
        text = done.stderr.decode()
        self.expect("crash", True, re.search(r"PE 5: null pointer: writes to address 0x0.* in main", text) is not None)
        self.expect("abort", True, "PE 9: " in text)
        self.expect("sentence", True, "2 of 13 runs failed: status 134: 9; status 139: 5" in text)
        done = self.mogrun("-n", 3, "--args-file=args.txt", "--on-fault=abort", "--results=-", "--stdout=/dev/null", "./prog")
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.expect("others", True, rows[5]["end"] == "SIGSEGV" and rows[12]["end"] == "not begun" and done.returncode == 139)

    def limits(self):
        (self.work / "args.txt").write_text("plain 0\nloops 1\nwaits 2\nplain 3\nplain 4\n")
        done = self.mogrun("-n", 3, "--args-file=args.txt", "--timeout=2", "--retries=1", "--stdout=/dev/null", "--results=-", "./prog")
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.expect("ends", ["exit", "timeout", "timeout", "exit", "exit"], [row["end"] for row in rows])
        self.expect("status", 124, done.returncode)
        done = self.mogrun("-n", 1, "--args-file=args.txt", "--timeout=1", "--stdout=/dev/null", "--results=-", "./prog")
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.expect("begun", ["exit", "timeout", "not begun", "not begun", "not begun"], [row["end"] for row in rows])
        self.expect("sentence", True, "PEs 2-4: had not begun when the time was over" in done.stderr.decode())
        (self.work / "args.txt").write_text("plain 0\nloops 1\nplain 2\n")
        done = self.mogrun("-n", 1, "--args-file=args.txt", "--fuel=1M", "--stdout=/dev/null", "--results=-", "./prog")
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.expect("fuel", ["exit", "fuel", "exit"], [row["end"] for row in rows])
        self.expect("burnt", str(1 << 20), rows[1]["instructions"])

    def files(self):
        """What is wrong with one run's files is that run's end only."""
        (self.work / "out").mkdir()
        (self.work / "out/2.txt").mkdir()
        (self.work / "target").write_text("precious")
        (self.work / "out/3.txt").symlink_to(self.work / "target")
        done = self.mogrun("--runs=5", "-n", 2, "--stdout=out/%r.txt", "--results=-", "./prog", "plain")
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.expect("status", ["0", "0", "126", "126", "0"], [row["status"] for row in rows])
        self.expect("ends", ["exit", "exit", "not started", "not started", "exit"], [row["end"] for row in rows])
        self.expect("message", True, "run 2 cannot start: --stdout out/2.txt: Is a directory" in done.stderr.decode())
        self.expect("link", "precious", (self.work / "target").read_text())

    def wrong(self):
        (self.work / "one.txt").write_text("one\n")
        (self.work / "two.txt").write_text("A=1\nB=2\n")
        (self.work / "bad.txt").write_text("A=1 =2\n")
        (self.work / "none.txt").write_text("# nothing\n\n")
        (self.work / "mpi.c").write_text("#include <mpi.h>\nint main(void) { MPI_Init(0, 0); return MPI_Finalize(); }\n")
        run([self.options.mogcc, "--order-time=0.001", self.work / "mpi.c", "-o", self.work / "mpi"])
        cases = [(["--args-file=nothing", "./prog"], 1, "--args-file cannot open nothing: No such file or directory"),
                 (["--args-file=none.txt", "./prog"], 1, "--args-file none.txt: there is no line for a run in it"),
                 (["--args-file=one.txt", "--env-file=two.txt", "./prog"], 1, "--env-file has 2 runs, but --args-file 1"),
                 (["--args-file=one.txt", "--runs=3", "./prog"], 1, "--runs has 3 runs, but --args-file 1"),
                 (["--env-file=bad.txt", "./prog"], 1, '--env-file bad.txt: "=2", for run 0, is not NAME=VALUE'),
                 (["--retries=1", "./prog"], 1, "how many runs?"),
                 (["--runs=2", "--stdin-file=in/%r", "./prog"], 1, "--stdin-file in/0, of run 0: No such file or directory"),
                 (["--runs=2", "--stdout=all.txt", "./prog"], 2, '--stdout: "all.txt" is the same for all runs; %r in it is a run\'s number'),
                 (["--runs=2", "--stdout=a%d", "./prog"], 1, '--stdout "a%d": a % is followed by r'),
                 (["--runs=0", "./prog"], 2, "--runs:"),
                 (["--runs=2", "--chdir=a%r", "--root=.", "./prog"], 1, "--root with --chdir is not for the runs of a sweep"),
                 (["--runs=2", "--results=nowhere/runs.csv", "./prog"], 1, "--results: "),
                 (["--runs=2", "./mpi"], 3, "the program calls MPI, whose ranks run at the same time")]
        for words, status, message in cases:
            done = self.mogrun(*words)
            self.expect(f"status of {words}", status, done.returncode)
            self.expect(f"message of {words}", True, message in done.stderr.decode() or done.stderr.decode())
        self.expect("--trace", True, b"--trace is not for the runs of a sweep" in self.mogrun("--runs=2", "--trace", "./prog", device="reference").stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("way")
    parser.add_argument("--mogcc", required=True)
    parser.add_argument("--mogrun", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--device", default="host")
    parser.add_argument("--engine", default="")
    parser.add_argument("--define", action="append", default=[])
    parser.add_argument("--build-option", action="append", default=[])
    parser.add_argument("--run-option", action="append", default=[])
    options = parser.parse_args()
    checks = Checks(options)
    if options.device.startswith("opencl") and "opencl" not in run([options.mogrun, "--list-devices"]).stdout.decode():
        print("no OpenCL device")
        return 77
    checks.build(*(f"-D{name}" for name in options.define))
    getattr(checks, options.way)()
    print("\n".join(checks.problems) or "all is as it should be")
    return 1 if checks.problems else 0


if __name__ == "__main__":
    sys.exit(main())
