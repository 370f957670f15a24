"""bench/compare, on small files made here: what is slower, faster, noise, gone, another program; and files it must refuse.

Usage: compare.py BENCH/COMPARE
"""
import copy
import json
import subprocess
import sys
import tempfile
from pathlib import Path

COMPARE = sys.argv[1]
problems = []


def row(*seconds, **more):
    return {"wall_seconds": list(seconds), "processor_seconds": list(seconds), "on_gpu": False, **more}


def program(kind, instructions, **backends):
    return {"kind": kind, "mips_instructions": instructions, "backends": {name.replace("_", "/"): r for name, r in backends.items()}}


OLD = {
    "format": "mog bench 2", "date": "2026-01-01", "commit": "a", "machine": "M", "cores": 2, "pes": 64,
    "programs": {
        "steady": program("convergent", 1000, native=row(1.0, 1.01, 0.99), host_switch=row(10.0, 10.2, 9.9)),
        "noisy": program("convergent", 1000, native=row(1.0, 1.01, 0.99), host_switch=row(8.0, 10.0, 12.0)),
        "slow": program("divergent", 1000, native=row(1.0, 1.0, 1.0), host_switch=row(10.0, 10.1, 9.9)),
        "quick": program("divergent", 1000, native=row(1.0, 1.0, 1.0), opencl_switch=row(10.0, 10.1, 9.9, build_processor_seconds=1.0)),
        "gone": program("divergent", 1000, native=row(1.0, 1.0, 1.0)),
        "changed": program("divergent", 1000, native=row(1.0, 1.0, 1.0))},
    "service": {"host/switch": {"start_seconds": [0.01, 0.01], "start_65536_seconds": [1.0, 1.0], "null_call_seconds": [1e-6, 1e-6]}},
    "scaling": {"host/switch": {"1": [0.1, 0.1], "65536": "not enough memory"}}}


def times(result, name, backend, factor):
    rows = result["programs"][name]["backends"][backend]
    for kind in ("wall_seconds", "processor_seconds"):
        rows[kind] = [factor * t for t in rows[kind]]


def compare(old, new, *options):
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, content in (("old.json", old), ("new.json", new)):
            file = Path(folder) / name
            file.write_text(content if isinstance(content, str) else json.dumps(content))
            files.append(file)
        return subprocess.run([sys.executable, COMPARE, *options, *files], capture_output=True, text=True)


def expect(title, done, status, *texts, absent=()):
    """Lines are compared with runs of spaces as one."""
    said = " ".join((done.stdout + done.stderr).split())
    missing = [t for t in texts if t not in said]
    extra = [t for t in absent if t in said]
    if done.returncode != status or missing or extra:
        problems.append(f"{title}: status {done.returncode}, not {status}; missing {missing}; extra {extra}\n{done.stdout}{done.stderr}")


new = copy.deepcopy(OLD)
times(new, "steady", "host/switch", 1.02)       # less than 5 %
times(new, "noisy", "host/switch", 1.3)         # less than its noise of 20 % + 20 %
times(new, "slow", "host/switch", 1.2)
times(new, "quick", "opencl/switch", 0.5)
new["programs"]["quick"]["backends"]["opencl/switch"]["build_processor_seconds"] = 1.2
del new["programs"]["gone"]
new["programs"]["changed"]["mips_instructions"] = 2000
new["service"]["host/switch"]["null_call_seconds"] = [2e-6, 2e-6]
expect("changes", compare(OLD, new), 1, "slower slow, host/switch +20.0 % time (noise 5 %)", "faster quick, opencl/switch -50.0 %",
       "slower null_call, host/switch +100.0 %", "only in OLD: gone", "changed is another program now", "mean convergent, host/switch +15.2 %",
       "2 slower, 1 faster", absent=["steady,", "noisy,", "build"])
expect("the other way", compare(new, OLD), 1, "slower quick, opencl/switch +100.0 %", "faster slow, host/switch -16.7 %", "1 slower, 2 faster")
expect("all", compare(OLD, new, "--all"), 1, "same steady, host/switch +2.0 %", "same noisy, host/switch +30.0 % time (noise 40 %)",
       "same quick, opencl/switch, build +20.0 % time (noise 30 %)")
expect("--least", compare(OLD, new, "--least=1"), 1, "slower slow, host/switch", "slower null_call")
expect("the same twice", compare(OLD, OLD), 0, "0 slower, 0 faster")

# A machine of half the speed: slower in seconds, the same beside native code.
half = copy.deepcopy(OLD)
for name, p in half["programs"].items():
    for backend in p["backends"]:
        times(half, name, backend, 2)
expect("absolute", compare(OLD, half), 1, "slower steady, host/switch +100.0 %", "slower steady, native +100.0 % time (noise 5 %) not MOG",
       "4 slower, 0 faster")
expect("relative", compare(OLD, half, "--relative"), 0, "0 slower", absent=["native +"])
half["machine"] = "another"
expect("another machine", compare(OLD, half), 0, "these are different machines", "0 slower")

# On a GPU wall time counts, whatever processor time says.
gpu = copy.deepcopy(OLD)
gpu["programs"]["slow"]["backends"]["host/switch"].update({"on_gpu": True, "processor_seconds": [99, 99, 99]})
expect("GPU", compare(gpu, OLD), 0, "0 slower, 0 faster")
wall = copy.deepcopy(OLD)
wall["programs"]["slow"]["backends"]["host/switch"]["wall_seconds"] = [20, 20, 20]
expect("processor time", compare(OLD, wall), 0, "0 slower")
expect("--wall", compare(OLD, wall, "--wall"), 1, "slower slow, host/switch +100.0 %")

other = copy.deepcopy(OLD)
other["pes"] = 32
expect("other PEs", compare(OLD, other), 2, "measure both with the same --pes")
expect("no JSON", compare(OLD, "{"), 2, "new.json")
expect("another JSON", compare("[]", OLD), 2, "no file of `bench/run --json`")
expect("an older version", compare({**OLD, "format": "mog bench 1"}, OLD), 2, "of this version")
missing = subprocess.run([sys.executable, COMPARE, "nowhere.json", "nowhere.json"], capture_output=True, text=True)
expect("no file", missing, 2, "nowhere.json")

print("\n".join(problems) or "bench/compare: all as expected")
sys.exit(bool(problems))
