#!/usr/bin/env python3
"""run_ctest.py [ctest option ...]: runs ctest, and says what its tests left out and why, before ctest's own closing lines.

A test that cannot do all of its work ends with status 77 and a line `skipped: WHY`. Some reasons lie outside of what
scripts/packages.list can bring (REASONS below): a GPU, NVIDIA's toolkit, an instruction set. Any other reason is one that
set-up should have removed, and so is none at all: with CI=true in the environment each such test is a failure.

Status: ctest's; 1 if ctest's is 0 and something was left out that must not be.
"""
import os
import re
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


def main():
    with tempfile.TemporaryDirectory(prefix="mog-ctest-") as folder:
        report = Path(folder) / "report.xml"
        ctest = subprocess.Popen(["ctest", "--output-junit", report, *sys.argv[1:]], stdout=subprocess.PIPE, text=True, errors="backslashreplace")
        closing = []
        try:
            for line in ctest.stdout:
                if closing or CLOSING.match(line):
                    closing.append(line)
                else:
                    print(line, end="", flush=True)
            status = ctest.wait()
        except KeyboardInterrupt:
            return ctest.wait() or 130
        if "MOG_TEST_BEGAN" in os.environ:
            print(f"scripts/test took {time.time() - int(os.environ['MOG_TEST_BEGAN']):.0f} s")
        bad = report.exists() and tell(left_out(report), os.environ.get("CI") == "true")
        print("".join(closing), end="", flush=True)
        return status or (1 if bad else 0)


if __name__ == "__main__":
    sys.exit(main())
