#!/usr/bin/env python3
"""wild.py MOGRUN PROGRAM DEVICE...: wild_calls with many seeds: mogrun may tell of faults of PEs and of deadlocks, but is never hurt itself."""
import subprocess
import sys

mogrun, program, *devices = sys.argv[1:]
failures = 0
for device in devices:
    for seed in range(1, 13):
        ranks = [1, 2, 3, 64][seed % 4]
        command = [mogrun, "-n", str(ranks), "--mem=256K", f"--device={device}", program, "2000", str(seed)]
        done = subprocess.run(command, capture_output=True, timeout=60)
        # A negative status is a signal that ended mogrun; a PE's fault is 128 + signal, or 1 for a deadlock.
        if done.returncode < 0:
            print(f"{' '.join(command)}: ended by signal {-done.returncode}: {done.stderr[-500:]!r}")
            failures += 1
sys.exit(failures != 0)
