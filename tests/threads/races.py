#!/usr/bin/env python3
"""races.py MOGCC MOGRUN SOURCES WORK: what --check-races says of programs that have one race of a kind, whose places their sources mark, and that it is
silent about the same without it and about the other programs with threads that are tested here, but for those in LOUD."""
import re
import subprocess
import sys
from pathlib import Path

mogcc, mogrun, sources, work = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
RACES = 66
failures = []
work.mkdir(parents=True, exist_ok=True)


def expect(is_so, what):
    if not is_so:
        failures.append(what)


def compile(source, *options):
    program = work / (source.stem + "".join(options).replace("/", "_"))
    way = "-fopenmp" if "#pragma omp" in source.read_text() else "-pthread"
    subprocess.run([mogcc, "--order-time=0.001", "-g", way, *(options or ["-O2"]), str(source), "-o", str(program)], check=True, capture_output=True)
    return program


def run(program, *words, options=("-n", "1")):
    done = subprocess.run([mogrun, *options, "--check-races", str(program), *words], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    return done.returncode, [line for line in done.stderr.splitlines() if "data race" in line]


def lines_of(source):
    """By its remark at the end: the number of a line."""
    marked = {}
    for number, line in enumerate(source.read_text().splitlines(), 1):
        if found := re.search(r"/\* (\w+) \*/$", line):
            marked[found[1]] = number
    return marked


REPORT = re.compile(r"data race on (\S+|address 0x\w+): thread (\d+) (.+?) \d+ bytes?(?: in \S+?)?(?:,? .*?)? at (\S+):(\d+); before, thread (\d+) (.+?) there .*? at (\S+):(\d+); and")


def check(program, source, way, races):
    """`races`: the variable, and the marks of the two places, in any order."""
    marked = lines_of(source)
    status, said = run(program, way)
    expect(status == (RACES if races else 0), f"{program.name} {way}: status {status}, {said}")
    found = set()
    for line in said:
        report = REPORT.search(line)
        if not report:
            failures.append(f"{program.name} {way}: {line}")
            continue
        variable, thread, _, file, place, other, _, other_file, other_place = report.groups()
        expect(thread != other and {file, other_file} == {str(source)}, f"{program.name} {way}: {line}")
        found.add((variable if not variable.startswith("address") else "", *sorted((int(place), int(other_place)))))
    wanted = {(variable, *sorted((marked[first], marked[second]))) for variable, first, second in races}
    expect(found == wanted, f"{program.name} {way}: {sorted(found)} instead of {sorted(wanted)}: {said}")
    expect(len(said) == len(found), f"{program.name} {way}: something is said twice: {said}")


PTHREADS = {
    "unlocked": [("counter", "unlocked", "unlocked")],
    "locked": [],
    "one_side": [("counter", "unlocked", "locked")],
    "atomic": [],
    "plain_and_atomic": [("counter", "plain", "swapped")],
    "flag": [("flag", "told", "waited"), ("other", "set", "used")],
    "atomic_flag": [],
    "relaxed_flag": [("other", "sent", "relaxed")],
    "bytes": [],
    "byte_and_word": [("bytes", "byte", "word")],
    "library": [("text", "filled", "measured")],
    "element": [("table+8", "element", "element")],
    "no_join": [("counter", "unlocked", "result")],
    "join": [],
    "heap": [("", "heap", "heap")],
}
OPENMP = {
    "no_reduction": [("", "lost", "lost")],
    "reduction": [],
    "atomic": [],
    "critical": [],
    "nowait": [("doubled", "made", "used")],
    "barrier": [],
}
racy, openmp = sources / "races/racy.c", sources / "races/openmp.c"
for options in (["-O2"], ["-O0"]):
    program = compile(racy, *options)
    for way, races in PTHREADS.items():
        check(program, racy, way, races)
program = compile(openmp)
for way, races in OPENMP.items():
    status, said = run(program, way)
    marked = lines_of(openmp)
    expect((status == RACES and len(said) == 1 and all(f"openmp.c:{marked[mark]}" in said[0] for mark in races[0][1:])) if races else (status == 0 and not said),
           f"openmp {way}: status {status}, {said}")

program = compile(racy)
status, said = run(program, "unlocked", options=("-n", "2"))
expect(status == RACES and len(said) == 1 and re.search("PE [01]: data race on counter", said[0]), f"two PEs: {status}, {said}")
status, said = run(program, "locked", options=("-n", "2"))
expect(status == 0 and not said, f"two PEs: {status}, {said}")
refused = subprocess.run([mogrun, "--device=host", "--check-races", str(program), "locked"], capture_output=True, text=True)
expect(refused.returncode == 1 and "--check-races works on --device=reference" in refused.stderr, f"on host: {refused}")

# Programs that have races, as C has it, or relaxed atomic stores, which nothing tells from plain ones.
LOUD = {
    "litmus.c": "relaxed atomic stores",
    "neighbours.c": "halves of words are stored to and read without locks",
    "waiting.c": "a sum of zeros by all threads, and phases that others read while their owners go on",
    "settings.c": "two threads set a variable to the same value",
    "tasks.c": "a variable is stored to plainly and by omp atomic",
}
for source in sorted([*sources.glob("*.c"), *sources.glob("openmp/*.c"), *sources.glob("robust/*.c")]):
    if source.name in LOUD:
        continue
    status, said = run(compile(source))
    expect(not said, f"{source.name}: status {status}, {said}")

for failure in failures:
    print(failure, file=sys.stderr)
sys.exit(1 if failures else 0)
