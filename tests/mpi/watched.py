#!/usr/bin/env python3
"""watched.py MOGRUN WORK DEVICE [PROCESSES LAUNCHER...]: what --mpi-trace, --mpi-stats=json and --mpi-matrix write about WORK/watched holds together, and
--deterministic gives the same each time. LAUNCHER starts so many PROCESSES, which are one world. Which sentences are said stands in
watched.test."""
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from collections import Counter
from pathlib import Path

RANKS, LAPS = 70, 3
mogrun, work, device = sys.argv[1:4]
processes, launcher = int(sys.argv[4]) if len(sys.argv) > 4 else 1, sys.argv[5:]
failures = []


def expect(is_so, what):
    if not is_so:
        failures.append(what)


def run(*options, way="ring", ranks=RANKS):
    done = subprocess.run([*launcher, mogrun, "-n", str(ranks // processes), f"--device={device}", *options, f"{work}/watched", way], capture_output=True, text=True,
                          timeout=100, stdin=subprocess.DEVNULL)
    return done


def check_trace(path):
    events = json.loads(path.read_text())["traceEvents"]
    calls = [e for e in events if e["ph"] == "X"]
    by_name = Counter(e["name"] for e in calls)
    expect(by_name["MPI_Isend"] == by_name["MPI_Irecv"] == RANKS * LAPS, f"calls in the trace: {by_name}")
    expect(by_name["MPI_Allreduce"] == by_name["MPI_Init"] == by_name["MPI_Finalize"] == RANKS, f"calls in the trace: {by_name}")
    expect({e["tid"] for e in calls} == set(range(RANKS)), "every rank is in the trace")
    # Calls of a rank lie one after the other, and no message arrives before it was sent.
    last = {}
    for e in sorted(calls, key=lambda e: e["ts"]):
        expect(e["dur"] > 0 and e["ts"] >= last.get(e["tid"], 0) - 0.02, f"calls of rank {e['tid']} overlap at {e['ts']}")
        last[e["tid"]] = e["ts"] + e["dur"]
    begins = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    expect(len(begins) == RANKS * LAPS and begins.keys() == ends.keys(), f"{len(begins)} messages begin, {len(ends)} end")
    for number, end in ends.items():
        expect(end["tid"] == (begins[number]["tid"] + 1) % RANKS, f"message {number} goes from {begins[number]['tid']} to {end['tid']}")
        expect(end["ts"] >= begins[number]["ts"], f"message {number} comes before it goes")
        inside = any(c["ts"] <= end["ts"] <= c["ts"] + c["dur"] for c in calls if c["tid"] == end["tid"])
        expect(inside, f"message {number} ends in no call")


def check_statistics(text):
    mpi = json.loads(text)["mpi"]
    functions = {f["name"]: f for f in mpi["functions"]}
    expect(mpi["ranks"] == RANKS and functions["MPI_Isend"]["bytes"] == 8 * RANKS * LAPS, f"functions: {functions.get('MPI_Isend')}")
    expect(functions["MPI_Allreduce"]["calls"] == RANKS and functions["MPI_Allreduce"]["bytes"] == 8 * RANKS, "MPI_Allreduce in the statistics")
    for name in ("messages_sent", "messages_received"):
        expect(mpi["by_rank"][name] == [LAPS] * RANKS, f"{name}: {mpi['by_rank'][name]}")
    for f in functions.values():
        expect(0 < f["longest_seconds"] <= f["seconds"] <= RANKS * mpi["seconds"], f"seconds of {f}")


def check_matrix(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    expect(any(f"{RANKS * LAPS} messages" in t for t in texts), f"texts of the picture: {texts}")
    edge = f"{768 / RANKS:.2f}"
    cells = [r for r in root.iter("{http://www.w3.org/2000/svg}rect") if r.get("width") == edge]
    expect(len(cells) == RANKS, f"{len(cells)} cells for {RANKS} pairs")


with tempfile.TemporaryDirectory() as folder:
    trace, picture = Path(folder, "trace.json"), Path(folder, "matrix.svg")
    done = run(f"--mpi-trace={trace}", "--mpi-stats=json", f"--mpi-matrix={picture}")
    expect(done.returncode == 0, f"status {done.returncode}")
    check_trace(trace)
    expect({e["pid"] for e in json.loads(trace.read_text())["traceEvents"]} == set(range(processes)), "each process is in the trace")
    check_statistics(done.stderr)
    check_matrix(picture)
    run(f"--mpi-trace={trace}", "--mpi-trace-ranks=0,2-3")
    ranks = {e["tid"] for e in json.loads(trace.read_text())["traceEvents"] if e["ph"] == "X"}
    expect(ranks == {0, 2, 3}, f"ranks in the trace: {ranks}")
    run(f"--mpi-trace={trace}", way="stuck")
    never = [e["name"] for e in json.loads(trace.read_text())["traceEvents"] if e.get("args", {}).get("returned") == "never"]
    expect(sorted(never) == ["MPI_Finalize"] * (RANKS - 1) + ["MPI_Recv"], f"calls that never returned: {Counter(never)}")

if processes == 1:
    orders = {run("--deterministic", way="race", ranks=40).stdout for _ in range(3)}
    expect(len(orders) == 1 and "" not in orders, f"--deterministic: orders {orders}")
for what in failures[:20]:
    print(what)
sys.exit(bool(failures))
