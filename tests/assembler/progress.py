#!/usr/bin/env python3
"""progress.py MOGCC MOGAS SOURCE WORK: a long search for an order shows a bar on a terminal and takes it away again, writes nothing into a
pipe, and needs less than 200 MB of memory.
"""
import os
import pty
import subprocess
import sys

mogcc, mogas, source, work = sys.argv[1:]
os.makedirs(work, exist_ok=True)
program = os.path.join(work, "program.image")
subprocess.run([mogcc, "-O2", "--emit=image", source, "-o", program], env={**os.environ, "MOG_CXX": ""}, check=True)
LONG, SHORT = "--order-time=3", "--order-time=0.2"


def stderr_of(*options):
    done = subprocess.run([mogas, program, "--print-order", *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    return done.stderr


def on_terminal(*options):
    ours, its = pty.openpty()
    process = subprocess.Popen([mogas, program, "--print-order", *options], stdout=subprocess.DEVNULL, stderr=its)
    os.close(its)
    said = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:     # the other end is closed
            break
        if not piece:
            break
        said += piece
    assert process.wait() == 0
    return said


def check(what, good, said=b""):
    if not good:
        sys.exit(f"FAILED: {what}: {said!r}")


said = on_terminal(LONG)
check("shows how far it is", b"searching an order" in said and b" %" in said and b"#" in said, said)
check("takes the bar away", said.endswith(b"\r\x1b[K"), said)
check("is quiet in a pipe", stderr_of(LONG) == b"")
check("is quiet when it is quick", on_terminal(SHORT) == b"")
process = subprocess.Popen([mogas, program, "--print-order", LONG], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
check("searches", status == 0)
megabytes = usage.ru_maxrss / 1000
check(f"needs {megabytes} MB", megabytes < 200)
print(f"{megabytes:.0f} MB at most")
