#!/usr/bin/env python3
"""apart.py MOGCC MOGRUN APART.C: constants that all PEs have once, and those who come to them from outside: MPI, the checker of memory, gdb,
cores, checkpoints that go on elsewhere, replays; and a program of several sources, each of which is compiled once.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

mogcc, mogrun, source = (Path(word).resolve() for word in sys.argv[1:])
INTERRUPTED, FAULT, ABORTED, SKIPPED = 75, 139, 134, 77


def fail(text):
    sys.exit(f"FAIL: {text}")


def run(*words, status=0):
    done = subprocess.run([mogrun, *map(str, words)], capture_output=True, text=True, timeout=100, check=False)
    if done.returncode != status: fail(f"{words}: status {done.returncode}, and not {status}: {done.stdout} {done.stderr}")
    return done


def table():
    """As the program's macros make it."""
    steps = [(11, 23, 37), (101, 211, 307), (1009, 2003, 3001), (10007, 20011, 30011), (1000003, 2000003, 3000017)]
    words = []
    for start in (1, 77777, 99991, 5, 12345):
        bases = [start]
        for step in reversed(steps): bases = [base + more for base in bases for more in (0, *step)]
        for x in bases: words += [x, x * 3 + 1, x * 5 + 2, x * 7 + 3]
    return words


def sum_of(words):
    sum_ = 0
    for word in words: sum_ = (sum_ * 31 + word) & 0xffffffff
    return sum_


def of_rank(rank, more=0):
    return sum_of(TABLE[rank * 37 % 20000 + more:][:64])


TABLE = table()


def messages(program):
    done = run("-n", 4096, "--stats=json", program, "ring")
    wanted = sum(map(of_rank, range(4096))) & 0xffffffff
    if done.stdout != f"{wanted:08x} of 4096\n": fail(f"4,096 ranks say {done.stdout}, and not {wanted:08x}")
    used = json.loads(done.stderr.splitlines()[-1])["memory_used"]
    if used["constants"] < 4 * len(TABLE) or used["variables"] >= 8192: fail(f"memory that PEs have is {used}")
    for options in (["-n", 3], ["-n", 3, "--device=reference"]):
        done = run(*options, program, "into")
        if done.stdout != 3 * "7 found, 3 worked\n": fail(f"{options}: into the table: {done.stdout} {done.stderr}")


def checked(program):
    done = run("-n", 2, "--check=memory", program, "ring")
    if done.stderr: fail(f"--check=memory has something against reading: {done.stderr}")
    done = run("-n", 2, "--check=memory", program, "store", status=FAULT)
    if "read only: table+80000, in main at" not in done.stderr: fail(f"--check=memory says of a store: {done.stderr}")


def checkpoint(program, folder):
    file = folder / "checkpoint"
    with subprocess.Popen([mogrun, "-n", "3", f"--checkpoint={file}", "--every=0", program, "wait"], stdout=subprocess.PIPE, text=True) as first:
        said = [first.stdout.readline() for _ in range(3)]
        first.send_signal(signal.SIGTERM)
        if first.wait(60) != INTERRUPTED: fail(f"a run that has written a checkpoint ends with {first.returncode}")
    if sorted(said) != sorted(f"{of_rank(rank):08x} waits\n" for rank in range(3)): fail(f"before the checkpoint: {said}")
    kept = file.read_bytes()
    for device in ("host", "reference"):
        file.write_bytes(kept)
        done = run(f"--resume={file}", f"--device={device}")
        wanted = sorted(f"{of_rank(rank, 1):08x} went on" for rank in range(3))
        if sorted(line for line in done.stdout.splitlines() if "went" in line) != wanted: fail(f"resumed on {device}: {done.stdout} {done.stderr}")


def recorded(program, folder):
    run("-n", 3, f"--record={folder / 'recording'}", program, "wait")
    done = run(f"--replay={folder / 'recording'}:2")
    if done.stdout != f"{of_rank(2):08x} waits\n{of_rank(2, 1):08x} went on\n": fail(f"replayed: {done.stdout} {done.stderr}")


def by_gdb(program, folder):
    if not shutil.which("gdb-multiarch"): return False
    ask = ["-ex", "print table[20479]", "-ex", "print sum_of(table + 37, 64)"]
    socket = folder / "socket"
    with subprocess.Popen([mogrun, "-n", "2", f"--gdb={socket}", program, "ring"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as asked:
        words = ["-ex", f"target remote {socket}", "-ex", "break sum_of", "-ex", "continue", "-ex", "delete", *ask,
                 "-ex", "set var *(unsigned *)table = 1", "-ex", "print table[0]", "-ex", "kill"]
        while not socket.exists() and asked.poll() is None: time.sleep(0.01)
        done = subprocess.run(["gdb-multiarch", "-nx", "-batch", *words], capture_output=True, text=True, timeout=60, check=False)
        asked.wait(60)
    got = re.findall(r"^\$\d+ = (\d+)", done.stdout, re.M)
    if got != [str(TABLE[20479] & 0xffffffff), str(of_rank(1)), "1"]: fail(f"gdb sees {got}: {done.stdout} {done.stderr}")
    if "Cannot access memory at address" not in done.stderr: fail(f"gdb writes a constant of all PEs: {done.stdout} {done.stderr}")
    os.chdir(folder)
    subprocess.run([mogcc, "-g", "-O1", "-w", "--emit=elf", source, "-o", "apart.elf"], check=True)
    run("-n", 2, "--core=first", f"--core-dir={folder}", program, "abort", status=ABORTED)
    done = subprocess.run(["gdb-multiarch", "-nx", "-batch", "apart.elf", "core.0", *ask[:2]], capture_output=True, text=True, timeout=60, check=False)
    if f"$1 = {TABLE[20479] & 0xffffffff}\n" not in done.stdout: fail(f"gdb sees in a core: {done.stdout} {done.stderr}")
    return True


def compiled_once(folder):
    """-save-temps would hide it: a compiler that counts."""
    (folder / "use.c").write_text("extern const int many[]; int main(void) { return many[9] - 63; }\n")
    (folder / "many.c").write_text(f"const int many[20000] = {{{', '.join(str(7 * i) for i in range(20000))}}};\n")
    counting, count = folder / "count", folder / "counted"
    counting.write_text(f'#!/bin/sh\ncase "$1" in *cc1) echo "$1" >>"{count}" ;; esac\nexec "$@"\n')
    counting.chmod(0o755)
    program = folder / "several"
    subprocess.run([mogcc, "-wrapper", counting, folder / "use.c", folder / "many.c", "-o", program], check=True)
    used = json.loads(run("--stats=json", program).stderr.splitlines()[-1])["memory_used"]
    if used["constants"] < 80000: fail(f"of two sources, memory is {used}")
    if (compiled := len(count.read_text().splitlines())) != 2: fail(f"two sources are compiled by {compiled} runs of the compiler")
    # What cannot be read a second time.
    subprocess.run([mogcc, "-x", "c", "-", "-o", program], input=(folder / "many.c").read_text() + "int main(int argc, char **argv) { return many[argc + 8] - 63; }\n",
                   text=True, check=True)
    if json.loads(run("--stats=json", program).stderr.splitlines()[-1])["memory_used"]["constants"] < 80000: fail("from a pipe, constants are not apart")


with tempfile.TemporaryDirectory() as place:
    program = Path(place, "apart")
    subprocess.run([mogcc, "-g", "-O1", "-w", "--order-time=0.001", source, "-o", program], check=True)
    messages(program)
    checked(program)
    checkpoint(program, Path(place))
    recorded(program, Path(place))
    compiled_once(Path(place))
    if not by_gdb(program, Path(place)):
        print("gdb-multiarch is not there: what it would see was not looked at")
        sys.exit(SKIPPED)
