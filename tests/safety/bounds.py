#!/usr/bin/env python3
"""bounds.py: what programs ask of the host has bounds: its time, its memory, the files that mogrun writes itself.

    bounds.py MOGRUN HOSTILE

HOSTILE is hostile.c, compiled. Times are generous: what is bounded takes a second or two, what is not took 10 to 40, or for ever.
"""
import os
import subprocess
import sys
import tempfile
import threading
import time

MOGRUN, HOSTILE = (os.path.abspath(path) for path in sys.argv[1:3])
LONG = 8      # seconds, of a run with --timeout 1
failures = []


def check(good, what):
    if not good:
        failures.append(what)
        print("FAILED:", what)


def run(options, arguments, folder, limit=60, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE):
    """Status, seconds, KiB of memory at most, what was said. Status None: it did not end."""
    start = time.monotonic()
    process = subprocess.Popen([MOGRUN, *options, HOSTILE, *arguments], cwd=folder, stdout=stdout, stderr=stderr)
    said, usage = b"", None
    timer = threading.Timer(limit, process.kill)
    timer.start()
    if process.stderr:
        said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    timer.cancel()
    seconds = time.monotonic() - start
    return None if process.returncode == -9 else process.returncode, seconds, usage.ru_maxrss, said.decode(errors="replace")


def deadlines(folder):
    """--timeout holds inside a round of many calls."""
    for what, pes, options in [("device", 160, ["--mem", "5M"]), ("masks", 2000, [])]:
        status, seconds, _, said = run(["-n", str(pes), "--device=host", "--engine=blocks", "--timeout", "1", *options], [what], folder)
        check(status == 124 and seconds < LONG, f"{what}: status {status} after {seconds:.1f} s: {said[-300:]}")


def unread_output(folder):
    """Nobody reads standard output, or standard error either."""
    readers = []

    def one(pes, both, tag):
        reading, writing = os.pipe()
        readers.append(reading)
        status, seconds, _, said = run(["-n", str(pes), "--device=host", "--timeout", "1", *tag], ["print"], folder, 20, writing,
                                       writing if both else subprocess.PIPE)
        os.close(writing)
        check(status == 124 and seconds < LONG, f"nobody reads: -n {pes}, both {both}: status {status} after {seconds:.1f} s")
        if not both:
            check("was not read in time" in said, f"nobody reads: nothing was said of it: {said[-300:]}")

    threads = [threading.Thread(target=one, args=args) for args in [(1, False, []), (4, False, ["--tag-output"]), (3, True, [])]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for reader in readers:
        os.close(reader)


def memory(folder):
    """Lines without an end: 240 MB in all, no more of which is kept than of those that end."""
    for options in [], ["--tag-output"]:
        status, _, kib, said = run(["-n", "16", "--device=host", *options], ["endless-line"], folder)
        check(status == 0 and kib < 200_000, f"endless lines {options}: status {status}, {kib} KiB: {said[-300:]}")


def planted(folder):
    """Links and pipes that a PE puts in the places of what mogrun writes."""
    outside, root = os.path.join(folder, "outside"), os.path.join(folder, "root")
    os.mkdir(root)

    def tried(option, name, kind, what, status_wanted):
        with open(outside, "w") as file:
            file.write("mine")
        target = "fifo" if kind == "fifo" else outside
        status, _, _, said = run(["-n", "2", "--device=reference", "--root", root, "--timeout", "20", option], [what, target, "/" + name],
                                 folder, 15)
        path = os.path.join(root, name)
        check(status == status_wanted, f"{option}, {kind}: status {status}: {said[-400:]}")
        check(open(outside).read() == "mine", f"{option}, {kind}: wrote outside of the root")
        good = what == "plant-and-send" and "trace" in option or os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path)
        check(good, f"{option}, {kind}: not written")
        if os.path.lexists(path):
            os.remove(path)
        check(os.listdir(root) == [], f"{option}, {kind}: left {os.listdir(root)}")

    for kind in "fifo", "link":
        tried(f"--profile={root}/counts", "counts", kind, "plant", 0)
        tried(f"--mpi-trace={root}/trace", "trace", kind, "plant-and-send", 0)
        tried(f"--mpi-matrix={root}/matrix", "matrix", kind, "plant-and-send", 0)
        os.environ["MOG_CORE"] = "0"
        tried(f"--core-dir={root}", "core.0", kind, "plant-and-fall", 134)
        del os.environ["MOG_CORE"]
    # What stands there before is told.
    os.mkfifo(os.path.join(root, "pipe"))
    for option in "--profile", "--mpi-trace", "--mpi-matrix":
        status, seconds, _, said = run([f"{option}={root}/pipe", "-n", "1"], ["plant"], folder, 10)
        check(status == 1 and "named pipe" in said, f"{option}, a pipe before: status {status}: {said[-300:]}")
    program = subprocess.run([MOGRUN, os.path.join(root, "pipe")], capture_output=True, text=True, timeout=10)
    check(program.returncode == 1 and "not a program" in program.stderr, f"a pipe as program: {program.stderr}")


def limits(folder):
    """ulimit -f is an error of the call; ulimit -v never more than a sentence."""
    limited = subprocess.run(["sh", "-c", 'ulimit -f 20000; exec "$0" -n 2 --device=host "$1" grow', MOGRUN, HOSTILE], cwd=folder,
                             capture_output=True, text=True, timeout=60)
    check(limited.returncode == 0 and limited.stdout == "File too large\n" * 2, f"ulimit -f: {limited}")
    tiny = subprocess.run(["sh", "-c", 'ulimit -f 8; exec "$0" -n 2 --device=host "$1" end', MOGRUN, HOSTILE], cwd=folder,
                          capture_output=True, text=True, timeout=60)
    check(tiny.returncode in (0, 3), f"ulimit -f, too little for the interpreter: {tiny}")
    if "Asan" in subprocess.run(["nm", "-D", MOGRUN], capture_output=True, text=True).stdout.title():
        return
    refused = 0
    for kib in 60_000, 100_000, 150_000, 200_000, 300_000:
        for device in "reference", "host":
            run_in = subprocess.run(["sh", "-c", f'ulimit -v {kib}; exec "$0" -n 30000 --mem 4200K --device={device} "$1" end', MOGRUN, HOSTILE],
                                    cwd=folder, capture_output=True, text=True, timeout=60)
            refused += run_in.returncode == 3
            check(run_in.returncode in (0, 1, 3, 127), f"ulimit -v {kib}, {device}: status {run_in.returncode}: {run_in.stderr[-300:]}")
    check(refused > 2, "ulimit -v: never refused anything")


for test in deadlines, unread_output, memory, planted, limits:
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        test(folder)
        print(f"{test.__name__}: {time.monotonic() - start:.1f} s")
sys.exit(bool(failures))
