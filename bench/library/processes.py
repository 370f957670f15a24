"""processes.py: running commands and timing them, and what machine and compilers they ran on."""
import json
import math
import os
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections import namedtuple
from datetime import datetime, timezone

Done = namedtuple("Done", "stdout stderr status wall processor")
median = statistics.median


def run(command, env=None, check=True, folder=None, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True):
    """Runs a command to its end; `processor` is the time of all its processes and threads, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run([str(c) for c in command], env={**os.environ, **(env or {})}, cwd=folder, stdin=stdin,
                          stdout=stdout, stderr=subprocess.PIPE, text=text)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if check and done.returncode != 0:
        sys.exit(f"bench: {' '.join(map(str, command))}: status {done.returncode}\n{done.stderr}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Done(done.stdout, done.stderr, done.returncode, wall, used)


def json_of(stderr):
    """The line of JSON that `mogrun --stats=json` writes, or a CUDA bench program; {} if there is none."""
    return json.loads(next((line for line in stderr.splitlines() if line.startswith("{")), "{}"))


def cores():
    return len(os.sched_getaffinity(0))


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def first_line(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError:
        return None
    return done.stdout.strip().splitlines()[0] if done.returncode == 0 and done.stdout.strip() else None


def circumstances(tools, root):
    """What a reader of figures wants to know about how they came to be."""
    model = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), platform.machine())
    nvcc = shutil.which("nvcc") and subprocess.run(["nvcc", "--version"], capture_output=True, text=True).stdout.strip()
    return {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "commit": first_line("git", "-C", str(root), "describe", "--always", "--dirty"),
        "machine": model, "cores": cores(), "load_before": os.getloadavg()[0],
        "mogrun": first_line(str(tools / "mogrun"), "--version"),
        "gcc": first_line("gcc", "--version"), "mips_gcc": first_line("mipsel-linux-gnu-gcc", "--version"),
        "qemu": first_line("qemu-mipsel", "--version"), "nvcc": nvcc.splitlines()[-1] if nvcc else None}
