#!/usr/bin/env python3
"""processes.py MOGRUN WORK SOURCE PART: one world of ranks over several processes of mpirun. PART is one of:

    programs    the programs of this folder print under mpirun what they do in one process
    watched     what --mpi-stats, --mpi-matrix, --mpi-trace and --mpi-check tell of all processes
    endings     runs that do not end well: what is told, by whom, and the exit status

Exit status: 0 all right, 1 something differs, 77 there is no mpirun.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

mogrun, work, source = (Path(a).resolve() for a in sys.argv[1:4])
# Open MPI wants to be asked for more processes than processors, and by root.
environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
failures = 0


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def launcher(np):
    return ["mpirun", *oversubscribe, "-np", str(np)]


def run(command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
                          env={**environment, **more})
    said = "".join(line + "\n" for line in done.stderr.splitlines() if line.startswith("mogrun: "))
    return done.returncode, done.stdout, re.sub(r" at \S*/", " at ", said)


def check(what, is_right, *details):
    global failures
    if not is_right:
        failures += 1
        print(f"{what}: not so", *details, sep="\n  ")


def programs():
    for device in ["reference", "host"]:
        for np, n in [(2, 2), (3, 5)]:
            for name in ["point_to_point", "collectives"]:
                status, out, said = run([*launcher(np), mogrun, "-n", n, f"--device={device}", work / name])
                expected = (source / f"{name}.out").read_text()
                check(f"{name}, {np} processes of {n} PEs, {device}", status == 0 and out == expected, status, out, said)
    for np, n, name in [(2, 3, "datatypes"), (2, 3, "operations"), (2, 3, "files"), (4, 2, "one_sided"), (3, 1, "one_sided")]:
        status, out, said = run([*launcher(np), mogrun, "-n", n, "--device=host", work / name])
        check(f"{name}, {np} processes of {n} PEs, host", status == 0 and out == (source / f"{name}.out").read_text(), status, out, said)
    for np, n, threads, name in [(2, 3, 1, "shared_windows"), (4, 4, 4, "threads"), (4, 4, 64, "hybrid")]:
        status, out, said = run([*launcher(np), mogrun, "-n", n, "--threads", threads, "--device=host", work / name])
        check(f"{name}, {np} processes of {n} PEs with threads", status == 0 and out == (source / f"{name}.out").read_text(), status, out, said)
    alone = run([mogrun, "-n", 12, "--device=host", work / "processes"])
    for np in [2, 3, 4]:
        status, out, said = run([*launcher(np), mogrun, "-n", 12 // np, "--device=host", work / "processes"])
        check(f"the same in {np} processes", status == 0 and "channels: 0 wrong, 0 lost, some came" in out and sorted(out.splitlines()) == sorted(alone[1].splitlines()), status, out, said)
    # The program itself may be what is started, and need not know of MPI.
    status, out, said = run([*launcher(2), work / "endings", "leave"], MOG_NPROC="3", MOG_DEVICE="reference")
    check("a program alone", status == 0 and not said, status, out, said)


def watched():
    test = [sys.executable, source / "watched.py", mogrun, work, "host", 2, *launcher(2)]
    done = subprocess.run([str(c) for c in test], capture_output=True, text=True, timeout=120, env=environment)
    check("watched.py in 2 processes", done.returncode == 0, done.stdout, done.stderr)
    # What is left is told once, with the numbers of all; places come from the process that was there.
    leave = [mogrun, "--device=reference", "--mpi-check"]
    alone, together = run([*leave, "-n", 3, work / "watched", "leave"]), run([*launcher(3), *leave, "-n", 1, work / "watched", "leave"])
    check("--mpi-check in 3 processes", alone == together and alone[2].count("mogrun: MPI: ") == 4, alone, together)
    own = [mogrun, "-n", 1, "--device=reference"]
    status, _, said = run([*launcher(1), *own, "--mpi-stats", work / "watched", "ring", ":", "-np", 1, *own, work / "watched", "ring"])
    check("other options", status == 1 and "process 1 has not the same of --mpi-stats, --mpi-matrix, --mpi-trace and --checkpoint as process 0" in said, said)


def endings():
    own = ["-n", 3, "--device=reference", work / "endings"]
    cases = {  # arguments: status, sentences in any order
        "ring": (1, ["PEs 0-2: deadlock: waits for a message from ranks 0-1, 5, tag 7", "PEs 3-5: deadlock: waits for a message from ranks 2-4"]),
        "barrier": (1, ["PEs 0-1: deadlock: is in MPI_Barrier of MPI_COMM_WORLD, to which rank 2 has not come", "PE 2: deadlock: is in MPI_Finalize",
                        "PEs 3-5: deadlock: is in MPI_Barrier of MPI_COMM_WORLD, to which not all ranks of process 0 have come"]),
        "abort": (42, ["PE 3: MPI_Abort with code 42"]),
        "fault": (None, ["PE 1: null pointer", "PEs 0, 2: deadlock", "PEs 3-5: deadlock"]),
        "counts": (35, ["MPI: members of a communicator do not agree: rank 2 calls MPI_Allreduce with count 3",
                        "PE "]),  # of both processes the one that aborts first, or both
    }
    for way, (expected, sentences) in cases.items():
        status, _, said = run([*launcher(2), mogrun, *own, way])
        lines = said.splitlines()
        is_told = all(any(line.startswith("mogrun: " + s) for line in lines) for s in sentences)
        is_all = all(any(line.startswith("mogrun: " + s) for s in sentences) for line in lines)
        check(way, status != 0 and expected in (None, status) and is_told and is_all, status, said)

    def told_once(what, sentence, command, **more):
        status, _, said = run(command, **more)
        check(what, status == 1 and len(said.splitlines()) == 1 and sentence in said, status, said)

    one = [mogrun, *own, "leave"]
    told_once("wrong launcher", "sees 1: use the mpirun that belongs to it", one, PMI_SIZE="4", PMI_RANK="0")
    told_once("different -n", "process 1 has 4 PEs, process 0 has 3; give all processes the same -n",
              [*launcher(1), *one, ":", "-np", 1, mogrun, "-n", 4, *own[2:], "leave"])
    told_once("different programs", "process 1 runs another program than process 0",
              [*launcher(1), *one, ":", "-np", 1, mogrun, *own[:-1], work / "processes"])
    told_once("standard input", "launchers give standard input to process 0", [*launcher(2), mogrun, "--stdin", 4, *own, "leave"])
    told_once("options for one process", "--profile is for one process so far",
              [*launcher(2), mogrun, f"--profile={work}/profile", *own, "leave"])
    killed()


def children(pid):
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def killed():
    """One process is killed while the others wait for its ranks: the launcher ends them, in a short time."""
    command = [*launcher(3), mogrun, "-n", 2, "--device=reference", work / "processes", "wait"]
    with subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment) as started:
        started.stdout.readline()
        victims = [pid for pid in children(started.pid) if Path(f"/proc/{pid}/comm").read_text().strip() == mogrun.name]
        check("processes are there", len(victims) == 3, victims)
        os.kill(victims[-1], signal.SIGKILL)
        begin = time.monotonic()
        try:
            status = started.wait(timeout=20)
        except subprocess.TimeoutExpired:
            started.kill()
            status = 0
        check("a killed process", status != 0, status, time.monotonic() - begin)


if not shutil.which("mpirun"):
    skip("no mpirun")
is_open_mpi = "Open MPI" in subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout
oversubscribe = ["--oversubscribe"] if is_open_mpi else []
{"programs": programs, "watched": watched, "endings": endings}[sys.argv[4]]()
sys.exit(failures != 0)
