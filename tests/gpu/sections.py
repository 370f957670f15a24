"""sections.py: what scripts/test-gpu runs on a device, in the order in which it is worth most."""
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import oracle
from kit import GOLDENS, MANY, cases, from_json, golden_tests, mpi_cases, outcome_of
from session import say

TOOLS = ("memcheck", "racecheck", "initcheck")


def is_cuda(device):
    return device.startswith("cuda")


def services(device):
    """When calls may be served there."""
    return ("clean", "concurrent") if is_cuda(device) else ("clean",)


def ways(session, device, engines):
    """(engine, service) of those engines that were asked for."""
    return [way for way in itertools.product([e for e in engines if e in session.chosen.engine], services(device))]


# ---- whole programs ----

def by_rank(outcome, count):
    """Outputs by rank, since PEs print in any order."""
    if count == 1:
        return outcome
    return outcome._replace(stdout=oracle.untag(outcome.stdout, count), stderr=oracle.untag(outcome.stderr, count))


def differences(expected, got, count):
    if by_rank(expected, count) == by_rank(got, count):
        return ""
    return "\n".join(oracle.compare(expected, got, ("the reference machine", "this")) or ["outputs of PEs are mixed up"])


def run_programs(session, device, engines, counts):
    """All programs, each with one PE and with many, on some engines: what they do on the reference machine."""
    expected = session.facts["expected"]
    jobs = [(f"{case.name} by {engine}, {service}, {count} PEs", case, engine, service, count)
            for case in cases(session.kit, session.chosen.only) if case.name in expected
            for engine, service in ways(session, device, engines) for count in counts
            if count != 1 or service == "clean"]

    def one(job):
        _, case, engine, service, count = job
        got = outcome_of(session.chosen, case, session.mogrun, session.kit / "images" / case.name, device, count, f"--engine={engine}",
                         f"--service={service}")
        if b"--engine=blocks: the program has no compiled code" in got.stderr:
            return None
        return differences(from_json(expected[case.name][str(count)]), got, count)

    session.run_all(f"{device}: programs by {', '.join(engines)}", jobs, one)


def run_mpi(session, device):
    """Programs of MPI print the same at any number of ranks; also where the ranks of a world are shared out over devices."""
    jobs = [(f"{source.stem} by {engine}, {service}, {ranks} ranks of {where}", source, expected, engine, service, ranks, where)
            for source, expected, numbers in mpi_cases(session.kit, session.chosen.only)
            for ranks in numbers
            for where, engine, service in [(device, *way) for way in ways(session, device, ("blocks", "sequence"))] +
                                          [(f"{device}=2,reference=1", "auto", "clean")] * (ranks == 64)
            if (session.kit / "images/mpi" / source.stem).exists()]

    def one(job):
        _, source, expected, engine, service, ranks, where = job
        case = oracle.Case(source, session.kit / "none")
        command = [session.mogrun, "-n", ranks, f"--device={where}", f"--engine={engine}", f"--service={service}",
                   session.kit / "images/mpi" / source.stem]
        with tempfile.TemporaryDirectory(prefix="mog-gpu-") as folder:
            got = oracle.Runner(session.chosen).run(case, Path(folder) / "run", command)
        if got.status == 0 and got.stdout == expected.read_bytes():
            return ""
        said = got.stderr.decode(errors="replace")[-1500:]
        return f"status {got.status}\n{said}\n" + oracle.difference(expected.read_bytes(), got.stdout, ("expected", "this"))

    session.run_all(f"{device}: programs of MPI", jobs, one)


def run_goldens(session, device):
    """Faults, deadlocks and other ends: what is said, and where it says it was."""
    jobs = [(f"{folder}/{golden.stem}", golden, session.kit / "images" / folder)
            for folder in GOLDENS for golden in golden_tests(session.kit, folder, session.chosen.only)
            if any((session.kit / "images" / folder).glob("*"))]

    def one(job):
        _, golden, images = job
        command = ["python3", session.kit / "tests/run_golden.py", "--path", session.kit / "bin", "--path", images, golden]
        status, output = session.run(command, seconds=300, env={**os.environ, "MOG_DEVICE": device})
        return "" if status == 0 else None if status == 77 else f"status {status}\n{output}"

    session.run_all(f"{device}: faults and other ends", jobs, one)


# ---- parts ----

def run_instructions(session, device):
    """Every instruction, and random programs of them, beside the reference machine."""
    kind = device.split(":")[0]
    for command in ([["isa_effects", "ops.txt", kind, mode] for mode in ("native", "soft", "pair", "fcsr")] +
                    [["isa_random", kind, engine] for engine in session.chosen.engine]):
        if not (session.kit / "isa" / command[0]).exists():
            session.line(f"{command[0]} was not built: skipped")
            continue
        status, output = session.run([session.kit / "isa" / command[0], *command[1:]], seconds=300, cwd=session.kit / "isa")
        session.check(f"{device}: {' '.join(command)}", "" if status == 0 else f"status {status}\n{output}")


def run_library(session, device):
    """libmog's own test, with threads that each have runs of their own."""
    if not (session.kit / "bin/embed_test").exists():
        return
    for where in (device, f"{device}=2,reference=1"):
        status, output = session.run([session.kit / "bin/embed_test"], seconds=300, env={
            **os.environ, "MOG_TEST_DEVICE": where, "MOG_TEST_PROGRAM": str(session.kit / "images/library/subject"),
            "LD_LIBRARY_PATH": str(session.kit / "lib")})
        session.check(f"{where}: the library's test", "" if status == 0 else f"status {status}\n{output}")


def run_sources(session, device):
    """What nvcc compiled beforehand: the code in an executable, which no NVRTC is asked for; and a host that launches it itself."""
    programs = session.kit / "images/gpu"
    if not is_cuda(device) or not any(programs.glob("*")):
        return
    status, output = session.run([session.mogrun, "-n", 64, f"--device={device}", "--stats", programs / "hello"],
                                 env={**os.environ, "MOG_NVRTC": "none"})
    session.check(f"{device}: machine code in an executable, without NVRTC",
                  "" if status == 0 and "sm_" in output else f"status {status}\n{output}")
    status, output = session.run([programs / "host", 512])
    session.check(f"{device}: examples/embedding/cuda", "" if status == 0 and output else f"status {status}\n{output}")


def run_sanitizer(session, device):
    """Small runs under compute-sanitizer."""
    if not is_cuda(device):
        return
    if not shutil.which("compute-sanitizer"):
        session.line("compute-sanitizer is not here: skipped")
        return
    programs = [session.kit / "images" / name for name in ("service/calls", "service/talk", "mpi/collectives", "recursion", "printf_floats")]
    programs = [program for program in programs if program.exists()]
    jobs = [(f"{program.stem} by {engine}, {when}, under {tool}", program, engine, when, tool)
            for program in programs for engine, when in ways(session, device, ("sequence", "blocks")) for tool in TOOLS]

    def one(job):
        _, program, engine, when, tool = job
        status, output = session.run(["compute-sanitizer", "--tool", tool, "--error-exitcode", "99", session.mogrun, "-n", MANY,
                                      f"--device={device}", f"--engine={engine}", f"--service={when}", program], seconds=300)
        clean = status != 99 and ("ERROR SUMMARY: 0 errors" in output or "RACECHECK SUMMARY: 0 hazards" in output)
        return "" if clean else f"status {status}\n{output}"

    session.run_all(f"{device}: under {', '.join(TOOLS)}", jobs, one)


# ---- figures ----

def stats_of(session, *command):
    status, output = session.run([session.mogrun, "--stats=json", *command], seconds=120)
    found = [line for line in output.splitlines() if line.startswith("{")]
    if status != 0 or not found:
        raise RuntimeError(f"{' '.join(map(str, command))}: status {status}: {output[-500:]}")
    return json.loads(found[-1])


def run_service(session, device):
    """How soon many PEs stand ready, how many calls are served a second, and how long those wait who call while others compute."""
    images = session.kit / "images/service"
    if not (images / "small").exists():
        return
    rows, many_pes = [], session.chosen.pes
    try:
        # The first run fills the kernel cache.
        starts = [stats_of(session, "-n", many_pes, f"--device={device}", "--mem=64K", images / "small") for _ in range(4)][1:]
        rows.append(f"{many_pes} PEs of `small` stand ready after {min(s['startup_seconds'] for s in starts):.2f} to "
                    f"{max(s['startup_seconds'] for s in starts):.2f} s")
        for service, pes in itertools.product(services(device), (many_pes, 4 * many_pes)):
            least, median, most = calls_a_second(session, device, service, pes)
            rows.append(f"`getppid` by {pes} PEs, --service={service}: {median:.2f} million calls a second ({least:.2f} to {most:.2f})")
        for service in services(device):
            rows.append(f"every 4096th PE prints 100 lines, the others of {many_pes} compute, --service={service}: "
                        + last_line(session, device, service))
    except (RuntimeError, KeyError, ZeroDivisionError) as problem:
        session.wrong(f"{device}: service", str(problem))
    for row in rows:
        session.line(f"{device}: {row}")


def calls_a_second(session, device, service, pes):
    """Millions of calls served a second: the least, the median and the most of three runs.

    What a run takes beside its calls is what the quickest of three with hardly any takes. Where that hides what the calls take, as on a busy
    machine, each PE makes ten times as many.
    """
    def run(calls):
        stats = stats_of(session, "-n", pes, f"--device={device}", f"--service={service}", "--mem=64K", session.kit / "images/service/calls", calls)
        return stats["system_calls"], stats["run_seconds"]

    few = [run(20) for _ in range(3)]
    beside = min(seconds for _, seconds in few)
    for calls in (220, 2200, 22000):
        many = [run(calls) for _ in range(3)]
        if min(seconds for _, seconds in many) > 1.5 * beside:
            return sorted((served - few[0][0]) / (seconds - beside) / 1e6 for served, seconds in many)
    raise RuntimeError(f"{calls} calls by each of {pes} PEs with --service={service} take no time that can be measured beside {beside:.3f} s")


def last_line(session, device, service):
    """When those have printed all that had something to print."""
    command = [session.mogrun, "-n", str(session.chosen.pes), f"--device={device}", f"--service={service}", "--mem=64K",
               str(session.kit / "images/service/talk"), "2000"]
    begin = time.monotonic()
    seen, last = 0, begin
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as running:
        for _ in running.stdout:
            seen, last = seen + 1, time.monotonic()
    if running.returncode != 0 or seen != 100 * -(-session.chosen.pes // 4096):
        raise RuntimeError(f"talk: status {running.returncode}, {seen} lines")
    return f"the last line after {last - begin:.2f} s, the end after {time.monotonic() - begin:.2f} s"


def run_bench(session, devices):
    """The benches' own output."""
    kit, chosen = session.kit, session.chosen
    kinds = sorted({device.split(":")[0] for device in devices})
    narrowed = [f"--device={kind}" for kind in kinds] + [f"--engine={engine}" for engine in chosen.engine]
    narrowed += [f"--only={name}" for name in chosen.only or [] if (kit / "prebuilt" / name).exists()]
    show(session, "Speed", [kit / "bench/run", "--build", kit, "--prebuilt", kit / "prebuilt", "--pes", chosen.pes, "--repeats", 3,
                            "--seconds", 0.3, "--json", kit / "bench.json", *narrowed])
    for kind in kinds if (kit / "prebuilt/mpi").exists() else ():
        show(session, f"MPI on {kind}", [kit / "bench/mpi/run", "--build", kit, "--prebuilt", kit / "prebuilt/mpi", "--device", kind])


def show(session, title, command):
    """What a command prints, as it comes, and in the report."""
    lines = []
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        for line in running.stdout:
            say(line.rstrip("\n"))
            lines.append(line.rstrip("\n"))
    if running.returncode != 0:
        session.wrong(title, f"status {running.returncode}")
    explained = "By `scripts/test-gpu`; [what the columns are](../../docs/benchmarks.md)."
    session.report += ["", f"## {title}", "", explained, "", "```", *lines, "```"]
