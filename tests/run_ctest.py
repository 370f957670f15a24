#!/usr/bin/env python3
"""run_ctest.py [ctest option ...]: runs ctest, and says what its tests left out and why and which cost most, before ctest's own closing
lines.

A test that cannot do all of its work ends with status 77 and a line `skipped: WHY`. Some reasons lie outside of what
scripts/packages.list can bring (REASONS below): a GPU, NVIDIA's toolkit, an instruction set. Any other reason is one that
set-up should have removed, and so is none at all: with CI=true in the environment each such test is a failure.

What a test costs is its processor time, with that of all programs that it calls and waits for: wall time says more of what else a machine
does. It is what the children that ctest has waited for have used so far, as Linux counts it, each time that ctest tells of an end; of two
tests that end at the same time the second may seem to cost nothing.

With CI=true a test that fails is run once more: of more than a thousand, some of which ask how long something took, one failed now and then on
a machine that was busy with other things, and all the others had to be run again. Which passed only then is said, and is a failure where there
are more than TWICE of them: that is no accident.

Tests that call python3 get the interpreter that runs this: where a manager of versions stands before it in PATH, that is a shell script,
which for most of our tests takes longer than Python. Our own scripts want Python's own modules alone, so theirs does without the packages that
are installed beside them (-S), to look for which can take longer than all else that it begins with.

OpenCL is PoCL without the functions that MOG does not call (small_pocl.py), unless OCL_ICD_VENDORS says what it is.

Status: ctest's; 1 if ctest's is 0 and something was left out that must not be.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
from pathlib import Path

# What no Debian package of the list brings: what the test says, and what would have to be there.
REASONS = [
    (r"\bnvcc\b|NVRTC", "the CUDA Toolkit"),
    (r"this processor has no", "a processor with more instructions"),
    (r"knows the FPU of x86-64 only", "an x86-64 processor"),
    (r"has no ThreadSanitizer|ThreadSanitizer does not run", "a compiler with ThreadSanitizer"),
    (r"no two OpenCL devices", "two OpenCL devices"),
    (r"\bclang\b", "clang"),
    (r"apt-get", "sources of Debian's packages, from its archive"),
]
CLOSING = re.compile(r"\d+% tests passed|No tests were found")
ENDED = re.compile(r" *\d+/\d+ +Test +#\d+: (\S+) ")
FAILED = re.compile(r".*Test +#\d+: (\S+) .*\*\*\*(?!Skipped|Not Run)")
PASSED = re.compile(r".*Test +#\d+: (\S+) \.* +Passed")
DEAREST = 10
TWICE = 5


def why(case):
    """The lines in which a test that was left out says why."""
    text = (case.findtext("system-out") or "").splitlines()
    return "; ".join(dict.fromkeys(line.strip() for line in text if "skipped" in line))


def left_out(report):
    """[(test, why, what would have to be there or None)] of the tests that ctest counts as not run."""
    tests = []
    for case in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
        if case.get("status") == "notrun" and case.find("skipped") is not None:
            reason = why(case)
            wanted = next((what for pattern, what in REASONS if re.search(pattern, reason)), None)
            tests.append((case.get("name"), reason or "it does not say why", wanted))
    return tests


def tell(tests, strict):
    """Says what was left out; True if some of it must not be."""
    wrong = [test for test in tests if not test[2]]
    for wanted in dict.fromkeys(test[2] for test in tests if test[2]):
        names = [name for name, _, what in tests if what == wanted]
        print(f"left out for want of {wanted}: {len(names)} ({', '.join(names[:5])}{', ...' if len(names) > 5 else ''})")
    for name, reason, _ in wrong:
        print(f"{'FAILED: ' if strict else ''}left out, though scripts/setup --test brings what it needs: {name}: {reason}")
    return bool(wrong) and strict


class Costs:
    """Seconds of processor time, by test."""

    def __init__(self, pid):
        self.stat = Path(f"/proc/{pid}/stat")
        self.told = 0.0
        self.by_test = {}

    def count(self, line):
        """What is new when ctest says `line` is the cost of the test that this tells the end of."""
        ended = ENDED.match(line)
        if not ended:
            return
        try:
            # Behind the name, which may have blanks and parentheses: the 14th and 15th are the times of children, in ticks.
            fields = self.stat.read_text().rpartition(")")[2].split()
        except OSError:     # no Linux, or ctest is gone
            return
        used = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
        self.by_test[ended[1]] = used - self.told
        self.told = used

    def tell(self, seconds):
        if not self.told:
            return
        cores = len(os.sched_getaffinity(0))
        dearest = sorted(self.by_test.items(), key=lambda item: -item[1])[:DEAREST]
        print(f"tests took {self.told:.0f} s of processor time, {100 * self.told / max(seconds * cores, 0.01):.0f}% of {cores} cores; those that took most:")
        for name, cost in dearest:
            print(f"{cost:8.1f} s  {name}")


class Repeats:
    """Tests that passed when they were run again, in this order."""

    def __init__(self):
        self.failed, self.passed = set(), []

    def count(self, line):
        if failed := FAILED.match(line):
            self.failed.add(failed[1])
        elif (passed := PASSED.match(line)) and passed[1] in self.failed:
            self.passed.append(passed[1])

    def tell(self):
        """True if there are too many."""
        if self.passed:
            print(f"passed only when run again: {', '.join(self.passed)}")
        if len(self.passed) <= TWICE:
            return False
        print(f"FAILED: {len(self.passed)} tests passed only when run again; {TWICE} may be accidents")
        return True


def python_itself(folder):
    """An environment in which `python3` is this interpreter; what it needs for that stands in `folder`."""
    program = folder / "python3"
    interpreter, tests = shlex.quote(sys.executable), shlex.quote(str(Path(__file__).resolve().parent))
    program.write_text(f"#!/bin/sh\ncase \"$1 $2\" in {tests}/* | -B\\ {tests}/*) exec {interpreter} -S \"$@\" ;; esac\n"
                       f"exec {interpreter} \"$@\"\n")
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ.get('PATH', os.defpath)}"}


def with_small_pocl(environment):
    """The same, with fewer functions for PoCL to read; where that cannot be made, PoCL is taken as it is installed."""
    if "OCL_ICD_VENDORS" in environment:
        return environment
    here = Path(__file__).resolve().parent
    command = [sys.executable, "-S", "-B", here / "small_pocl.py", here.parent / ".cache/pocl"]
    made = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if made.returncode != 0:
        print(f"PoCL as it is installed: {made.stderr.strip()[-500:]}")
        return environment
    return {**environment, "OCL_ICD_VENDORS": made.stdout.strip()}


def with_known_compiler(environment):
    """The same, in which what is compiled for a given time does not depend on how fast this machine is, and is not measured by each test."""
    return {"MOG_COMPILER_SPEED": "1", **environment}


def main():
    with tempfile.TemporaryDirectory(prefix="mog-ctest-") as folder:
        report = Path(folder) / "report.xml"
        (Path(folder) / "bin").mkdir()
        strict = os.environ.get("CI") == "true"
        again = ["--repeat", "until-pass:2"] if strict and "--repeat" not in sys.argv else []
        ctest = subprocess.Popen(["ctest", "--output-junit", report, *again, *sys.argv[1:]], stdout=subprocess.PIPE, text=True, errors="backslashreplace",
                                 env=with_known_compiler(with_small_pocl(python_itself(Path(folder) / "bin"))))
        closing = []
        began, costs, repeats = time.monotonic(), Costs(ctest.pid), Repeats()
        try:
            for line in ctest.stdout:
                costs.count(line)
                repeats.count(line)
                if closing or CLOSING.match(line):
                    closing.append(line)
                else:
                    print(line, end="", flush=True)
            status = ctest.wait()
        except KeyboardInterrupt:
            return ctest.wait() or 130
        costs.tell(time.monotonic() - began)
        if "MOG_TEST_BEGAN" in os.environ:
            print(f"scripts/test took {time.time() - int(os.environ['MOG_TEST_BEGAN']):.0f} s")
        bad = report.exists() and tell(left_out(report), strict)
        bad = repeats.tell() or bad
        print("".join(closing), end="", flush=True)
        return status or (1 if bad else 0)


if __name__ == "__main__":
    sys.exit(main())
