#!/usr/bin/env python3
"""trace.py MOGRUN GRAPH_FIB FILE: what `mogrun --graph-trace` writes of Fibonacci's numbers: every batch and element once, and threads do one batch at a time, or one within another."""
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
elements, batches, helps = (int(words[words.index(name) - 1]) for name in ("elements", "batches", "helps"))
trace = json.loads(Path(file).read_text())
spans = [event for event in trace["traceEvents"] if event["ph"] == "X"]
counters = [event for event in trace["traceEvents"] if event["ph"] == "C"]
assert trace["batches"] == batches == len(spans) == len(counters) and trace["batches left out"] == 0, (batches, len(spans))
assert sum(span["args"]["elements"] for span in spans) == elements == 1219 + 609, elements
assert {span["name"] for span in spans} == {"fib", "add"} and {event["name"] for event in counters} == {"tasks", "joins"}
assert all(0 <= event["args"]["ready"] <= 4 * 16 for event in counters) and any(event["args"]["ready"] for event in counters)
assert all(0 <= span["args"]["level"] <= 15 and 1 <= span["args"]["elements"] <= 4 and 0 <= span["pid"] < 3 for span in spans)
threads = defaultdict(list)
for span in spans:
    threads[span["pid"], span["tid"]].append((span["ts"], span["ts"] + span["dur"]))
within = 0
for of_thread in threads.values():
    ends = []
    for begin, end in sorted(of_thread, key=lambda span: (span[0], -span[1])):
        while ends and ends[-1] < end and ends[-1] <= begin:
            ends.pop()
        assert not ends or end <= ends[-1], "batches of a thread overlap"
        within += bool(ends)
        ends.append(end)
assert helps == 0 or within > 0, (helps, within)
