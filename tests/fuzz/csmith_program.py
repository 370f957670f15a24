"""csmith_program.py: programs of csmith, which hold no undefined behaviour and print a checksum of their variables."""
import shutil
import subprocess
from pathlib import Path

# Where Debian puts csmith.h; csmith itself cannot be asked.
HEADERS = [folder for folder in ("/usr/include/csmith", "/usr/local/include/csmith") if Path(folder, "csmith.h").exists()]


def missing():
    """What is not installed, or None."""
    if not shutil.which("csmith"):
        return "csmith is not installed (Debian: csmith)"
    return None if HEADERS else "csmith.h is not installed (Debian: libcsmith-dev)"


def generate(rng):
    """A program, smaller than csmith's own default in half of all cases so that more of them end in time."""
    options = ["--seed", str(rng.randrange(1, 1 << 31)), "--quiet", "--concise"]
    if rng.random() < 0.5:
        options += ["--max-funcs", str(rng.randrange(2, 8)), "--max-block-depth", "3", "--max-expr-complexity", str(rng.randrange(4, 14))]
    for option in ("--float", "--inline-function"):
        if rng.random() < 0.25:
            options.append(option)
    for option in ("--no-packed-struct", "--no-volatiles", "--no-safe-math", "--no-longlong"):
        if rng.random() < 0.1:
            options.append(option)
    try:
        done = subprocess.run(["csmith", *options], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, cwd="/tmp")
    except subprocess.TimeoutExpired:   # csmith sometimes does not come to an end
        return None
    return done.stdout if done.returncode == 0 and "main" in done.stdout else None
