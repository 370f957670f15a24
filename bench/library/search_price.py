"""search_price.py: what the search for an order costs itself: its memory, and the time to merge many counts of runs."""
import os
import subprocess
import time

from backends import compile_for_mog
from processes import run

PROGRAM = "coremix"     # of the bench programs the one with most code of its own
DIGRAMS = 10_000_000


def resources(command, folder):
    """(wall seconds, processor seconds, peak memory in MB) of one command."""
    start = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"bench/order: {command[0]} fails with status {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(tools, work):
    work.mkdir()
    compile_for_mog(tools, work, PROGRAM, "--order-time=0")
    counts = work / "c"     # a short name, since it will be given often
    run([tools / "mogrun", "-n", 2, "--device=reference", f"--profile={counts}", work / PROGRAM])
    # Each line but for the head and functions is a block's executions and where it went on, or a jump: one digram at least.
    digrams = sum(line[0].isdigit() or line.startswith("jump") for line in counts.read_text().splitlines())
    often = -(-DIGRAMS // digrams)
    assemble = [tools / "mogas", PROGRAM, "-o", "out.mogi"]
    wall, _, memory = resources([*assemble, "--order-time=1", "--profile-use=c"], work)
    one = resources([*assemble, "--order-time=0", "--profile-use=c"], work)
    many = resources([*assemble, "--order-time=0", f"--profile-use={','.join(['c'] * often)}"], work)
    return {"search_1s_wall_seconds": wall, "search_memory_mb": memory, "merged_digrams": often * digrams, "merged_files": often,
            "merge_wall_seconds": many[0] - one[0], "merge_processor_seconds": many[1] - one[1], "merge_memory_mb": many[2]}


def text(found):
    return (f"A search of 1 s took {found['search_1s_wall_seconds']:.1f} s and {found['search_memory_mb']:.0f} MB. Merging "
            f"{found['merged_digrams'] / 1e6:.1f} million digrams from {found['merged_files']} profiles took "
            f"{found['merge_processor_seconds']:.2f} s of processor time ({found['merge_wall_seconds']:.2f} s) and "
            f"{found['merge_memory_mb']:.0f} MB.")
