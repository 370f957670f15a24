#!/usr/bin/env python3
"""made_up.py DRIVER PROGRAM FOLDER COUNT SEED [ENVIRONMENT=...]: states that somebody has made up do no harm.

The program is stopped and written down at several places. Bytes of what the host keeps (HEAD, PES, THRD, MPI) are changed, and the checksums set
right, COUNT times. Each such state is either refused, or the run goes on with it in whatever way: but nothing crashes, and nothing hangs
beyond the limit of time.
"""
import os
import random
import shutil
import struct
import subprocess
import sys

PLACES = (40, 150, 320, 480, 700)


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def sections(state):
    at = 8
    while at < len(state):
        name, size = struct.unpack_from("<4sQ", state, at)
        yield name, at, size
        at += 12 + size + 8


def change(state, rng):
    """A few bytes of one section; small numbers and all ones are the likeliest to be believed."""
    state = bytearray(state)
    name, at, size = rng.choice([section for section in sections(state) if section[0] in (b"HEAD", b"PES ", b"THRD", b"MPI ") and section[2]])
    for _ in range(rng.randint(1, 4)):
        place = at + 12 + rng.randrange(size)
        state[place] = rng.choice((rng.randrange(256), 0xFF, 0, (state[place] + 1) & 0xFF, (state[place] - 1) & 0xFF))
    struct.pack_into("<Q", state, at + 12 + size, fnv1a(state[at:at + 12 + size]))
    return name.decode().strip(), bytes(state)


def main():
    driver, program, folder, count, seed = *sys.argv[1:4], int(sys.argv[4]), int(sys.argv[5])
    settings = dict(setting.split("=", 1) for setting in sys.argv[6:])
    folder = os.path.join(os.path.abspath(folder), "made_up." + os.path.basename(program))
    environment = {**os.environ, "MOG_DEVICE": "reference", "MOG_DETERMINISTIC": "1", "MOG_SLICE": "2000", "MOG_NPROC": "6", "MOG_MEM": "256K", **settings}
    states = []
    for place in PLACES:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        path = os.path.join(folder, "state")
        stopped = subprocess.run([driver, "-", str(place), path, program], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        if stopped.returncode != 99:
            sys.exit(f"FAILED: it did not stop after {place} launches: {stopped.returncode}\n{stopped.stderr.decode()[-2000:]}")
        with open(path, "rb") as file:
            states.append(file.read())
    rng = random.Random(seed)
    environment |= {"MOG_TIMEOUT": "2", "MOG_SLICE": "1000000"}
    refused = 0
    for i in range(count):
        name, state = change(rng.choice(states), rng)
        with open(path, "wb") as file:
            file.write(state)
        try:
            run = subprocess.run([driver, path, "0", "-", program], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            sys.exit(f"FAILED: number {i} of seed {seed}, {name} changed, hangs; {path}")
        if run.returncode < 0 or b"Sanitizer" in run.stderr or b"runtime error" in run.stderr or b"terminate called" in run.stderr:
            sys.exit(f"FAILED: number {i} of seed {seed}, {name} changed, ends with {run.returncode}; {path}\n{run.stderr.decode(errors='replace')[-4000:]}")
        refused += run.returncode == 3
    print(f"{count} states: {refused} refused, the others went on")
    if refused < count // 4:
        sys.exit("FAILED: so few are refused that nothing seems to be checked")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
