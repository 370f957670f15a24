#!/usr/bin/env python3
"""limits.py MOGRUN PROGRAM: each bound in docs/safety.md is reached by `limits`, and holds: what a PE is told, and what mogrun takes meanwhile."""
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

mogrun, program = (Path(word).resolve() for word in sys.argv[1:3])
MEBI = 1 << 20
failures = 0


def check(what, is_right, *details):
    global failures
    if not is_right:
        failures += 1
        print(f"{what}: not so", *details, sep="\n  ")


def run(options, arguments, descriptors=0):
    """(status, what was printed, most bytes of memory, most threads, seconds)"""
    start, peak, threads, status = time.monotonic(), 0, 0, None
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([mogrun, "--device=host", "--root=.", *options, program, *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                   preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))) if descriptors else None)
        while status is None:
            pid, ended, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                status, peak = os.waitstatus_to_exitcode(ended), usage.ru_maxrss * 1024
                process.returncode = status
                break
            try:
                threads = max(threads, len(os.listdir(f"/proc/{process.pid}/task")))
            except OSError:
                pass
            if time.monotonic() - start > 60:
                process.kill()
            time.sleep(0.02)
        out.seek(0)
        return status, out.read().decode(errors="replace"), peak, threads, time.monotonic() - start


def says(what, options, arguments, *lines):
    status, out, *_ = run(options, arguments)
    check(what, status == 0 and all(line in out.splitlines() for line in lines), status, out[-1500:])


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    says("descriptors", ["-n1"], ["files"], "files 1024: Too many open files", "polled 1024: ok", "polled 1025: Invalid argument")
    says("--max-files", ["-n1", "--max-files=20"], ["files"], "files 20: Too many open files", "polled 20: ok", "polled 21: Invalid argument")
    # Files of its own for each: what the host allows mogrun, less what that has open itself. A PE that closes one can open another one.
    status, out, *_ = run(["-n1"], ["distinct"], descriptors=100)
    got = re.fullmatch(r"distinct (\d+): Too many open files\nafter close \d+: ok\n", out)
    check("descriptors of the host", status == 0 and got and 60 < int(got[1]) < 100, status, out[-500:])
    # 2,048 tables up to 1,023 beside tables up to 3: 24 bytes for each number.
    few, many = (run(["-n2048", "--mem=64K"], ["highest", str(highest)]) for highest in (3, 1023))
    more, wanted = many[2] - few[2], 2048 * 1020 * 24
    check("tables of descriptors", few[0] == many[0] == 0 and wanted / 2 < more < wanted + 16 * MEBI, few[0], many[0], f"{more / MEBI:.1f} MiB more, {wanted / MEBI:.1f} wanted")
    says("names", ["-n1"], ["names"], "path 4095: ok", "path 4096: File name too long", "links 40: ok", "links 41: Too many levels of symbolic links",
         "parts 1024: ok", "parts 1025: Invalid argument")
    says("locks", ["-n1"], ["locks"], "locks 4096: No locks available")
    status, out, peak, _, _ = run(["-n1", "--mem=4M"], ["memory"])
    got = int(out.split()[1][:-1]) if out.startswith("memory") else -1
    check("memory of a PE", status == 0 and 3 * MEBI < got < 4 * MEBI, status, out)
    base = peak
    status, out, peak, _, _ = run(["-n300", "--mem=1M"], ["round"])
    # What PEs write, and what they read, while room for it grows: three copies of 64 MiB. One more is allowed for: 455 MiB are usual, but 508
    # were seen once on a busy machine, and why is not known.
    check("memory of a round", status == 0 and peak < base + 300 * MEBI + 4 * 64 * MEBI, status, f"{peak // MEBI} MiB", out[-500:])
    for bound, most in ((["--mpi-buffer=1M"], MEBI), ([], 64 * MEBI)):
        status, out, peak, _, _ = run(["-n64", "--mem=1M", *bound], ["messages", "1000"])
        check(f"messages {bound}", out.count("sent") == 64 and peak < base + 64 * MEBI + most + 64 * MEBI, status, f"{peak // MEBI} MiB, {base // MEBI} without", out[-500:])
    status, out, peak, threads, seconds = run(["-n1024", "--mem=64K", "--timeout=1"], ["endless"])
    check("time", status == 124 and seconds < 8,     # the machine may be busy
          status, seconds, out[-500:])
    check("threads", 0 < threads <= os.cpu_count() + 4, threads)
sys.exit(failures != 0)
