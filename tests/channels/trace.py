#!/usr/bin/env python3
"""trace.py MOGRUN GRAPH_FIB FILE: what `mogrun --graph-trace` writes of Fibonacci's numbers: every batch and element once, and threads do one batch at a time, or one of a
deeper level within another, which is what bounds their stacks."""
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

mogrun, program, file = sys.argv[1:]
Path(file).unlink(missing_ok=True)
done = subprocess.run([mogrun, "-n", "3", "--device=host", f"--graph-trace={file}", program, "15", "4", "4"], env=os.environ | {"STATISTICS": "1"}, capture_output=True, text=True)
assert done.stdout == "fib(15) = 610\n", done
words = done.stderr.split()
elements, batches, helps, levels = (int(words[words.index(name) - 1]) for name in ("elements", "batches", "helps", "levels"))
trace = json.loads(Path(file).read_text())
spans = [event for event in trace["traceEvents"] if event["ph"] == "X"]
counters = [event for event in trace["traceEvents"] if event["ph"] == "C"]
assert trace["batches"] == batches == len(spans) == len(counters) and trace["batches left out"] == 0, (batches, len(spans))
assert sum(span["args"]["elements"] for span in spans) == elements == 1219 + 609, elements
assert {span["name"] for span in spans} == {"fib", "add"} and {event["name"] for event in counters} == {"tasks", "joins"}
LEVELS = 16
assert levels < LEVELS, levels  # of functions that wait, above each other
assert all(0 <= event["args"]["ready"] <= 4 * LEVELS for event in counters) and any(event["args"]["ready"] for event in counters)
assert all(0 <= span["args"]["level"] < LEVELS and 1 <= span["args"]["elements"] <= 4 and 0 <= span["pid"] < 3 for span in spans)
threads = defaultdict(list)
for span in spans:
    threads[span["pid"], span["tid"]].append((span["ts"], span["ts"] + span["dur"], span["args"]["level"]))
within = 0
for of_thread in threads.values():
    around = []
    for begin, end, level in sorted(of_thread, key=lambda span: (span[0], -span[1])):
        while around and around[-1][1] < end and around[-1][1] <= begin:
            around.pop()
        assert not around or end <= around[-1][1], "batches of a thread overlap"
        # Of two that begin or end in the same microsecond, one may be behind the other.
        if around and around[-1][0] < begin and end < around[-1][1]:
            within += 1
            assert level > around[-1][2], "a batch within one that is as deep"
        around.append((begin, end, level))
assert helps == 0 or within > 0, (helps, within)
