"""service.py: what is no work: start-up, system calls, and how time grows with the number of PEs; and the price of checks."""
from backends import Mog, compile_for_mog
from processes import json_of, median, run

SCALES = (1, 32, 1024, 4096, 16384, 65536)
CALLERS = 16384


def start_and_calls(backend, repeats):
    """Seconds from start to end for one PE and for 65,536, with the memory of those, and seconds for a call by 16,384 at once."""
    for name, count in (("small", 1), ("null_call", CALLERS)):
        backend.run(name, count)    # fills the kernel cache
    start = [backend.run("small", 1).wall for _ in range(repeats)]
    many = [json_of(backend.run("small", SCALES[-1]).stderr) for _ in range(3)]
    calls = [json_of(backend.run("null_call", CALLERS).stderr) for _ in range(repeats)]
    return {"start_seconds": start, "start_65536_seconds": [s["startup_seconds"] + s["run_seconds"] for s in many],
            "gib_65536": many[0]["device_bytes_per_pe"] * SCALES[-1] / 2**30,
            "null_call_seconds": [s["run_seconds"] / s["system_calls"] for s in calls]}


def scaling(backend, native, repeats):
    """{PEs: seconds per PE}, a list for each; a number of PEs that does not run has the reason instead."""
    found = {}
    backend.run("scale", 1)     # fills the kernel cache
    for count in SCALES:
        expected = sorted(native.run("scale", count).stdout.splitlines())
        found[count] = []
        for _ in range(repeats if count <= 4096 else max(1, repeats // 3)):     # many take long, and vary little
            done = backend.run("scale", count, check=False)
            if done.status != 0:
                found[count] = (done.stderr.strip().splitlines() or [f"status {done.status}"])[0]
                break
            if sorted(done.stdout.splitlines()) != expected:
                raise SystemExit(f"bench: scale on {backend.name} with {count} PEs: output differs from native")
            found[count].append(json_of(done.stderr)["run_seconds"] / count)
    return found


def price_of_checks(program, tools, work, device, pes, repeats):
    """What part longer a program takes with checks of its addresses than without."""
    compile_for_mog(tools, work, program.name)
    compile_for_mog(tools, work, program.name, "--unchecked", suffix=".unchecked")
    backend = Mog(tools, work, device, "auto", {})
    times, outputs = {program.name: [], f"{program.name}.unchecked": []}, set()
    for turn in range(repeats + 1):
        for name, seconds in times.items():
            done = run(backend.command(name, pes), {"BENCH_REPEATS": "1"})
            outputs.add("\n".join(sorted(done.stdout.splitlines())))
            if turn != 0:   # the first fills the kernel cache
                seconds.append(done.processor)
    if len(outputs) != 1:
        raise SystemExit(f"bench: {program.name}: outputs differ without checks")
    checked, unchecked = (median(seconds) for seconds in times.values())
    return checked / unchecked - 1
