#!/usr/bin/env python3
"""check.py MOGCC MOGRUN [sweep | threads] [OPTION...]: what --stats says of memory that PEs have used is what the program has asked for, and
with the memory that is said to be enough it runs, as with much less it does not.

Exit status: 0 all right, 77 the device is not there.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

mogcc, mogrun, *options = sys.argv[1:]
part = options.pop(0) if options and not options[0].startswith("-") else "ranks"
SKIPPED, NO_DEVICE = 77, 3
PES = 5
KIB = 1024

# What each rank asks for: the heap of rank 3, the stack of rank 1 and what rank 2 maps are largest. All of it is given back before the end.
PROGRAM = r"""
#include <mog.h>
#include <unistd.h>
static volatile char variables[3000];
__attribute__((noinline, noclone)) static int down(int n)
{
    volatile char frame[1000];
    for (unsigned i = 0; i < sizeof frame; i++) frame[i] = n;
    return n <= 1 ? frame[5] : down(n - 1) + frame[7];
}
#ifdef THREADS
#include <pthread.h>
static void *other(void *count) { down(*(int *)count); return 0; }
#endif
int main(int argc, char **argv)
{
    int rank = argc > 1 ? argv[1][0] - '0' : IPROC, kib = rank == 3 ? 300 : 100, calls = rank == 1 ? 40 : 10;
    char *heap = sbrk(kib * 1024);
    if (heap == (char *)-1) return 9;
    for (int i = 0; i < kib * 1024; i++) heap[i] = 1;
    sbrk(-kib * 1024);
    variables[rank + argc] = (char)down(calls);
#ifdef THREADS
    if (rank == 2) {
        pthread_t thread;
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, 200 * 1024u);
        if (pthread_create(&thread, &attributes, other, &calls) || pthread_join(thread, 0)) return 8;
    }
#endif
    return variables[rank + argc] == 0;
}
"""


def fail(text):
    sys.exit(f"FAIL {' '.join(options)}: {text}")


def within(what, value, least, most):
    if not least <= value <= most:
        fail(f"{what} is {value}, and not from {least} to {most}")


def run(program, *more, form="json"):
    command = [mogrun, *options, f"--stats={form}" if form else "--timeout=60", *more, program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    if done.returncode == NO_DEVICE:
        print(done.stderr, end="")
        sys.exit(SKIPPED)
    return done


with tempfile.TemporaryDirectory() as folder:
    source, program = Path(folder, "use.c"), Path(folder, "use")
    source.write_text(PROGRAM)
    code = ["--simd=avx2"] if "--engine=lanes" in options else ["--build-time=0"]
    subprocess.run([mogcc, "-O1", "--order-time=0.001", *code, *(["-DTHREADS", "-pthread"] if part == "threads" else []), source, "-o", program],
                   check=True)
    who = ["-n", str(PES)]
    if part == "sweep":
        runs = Path(folder, "runs")
        runs.write_text("".join(f"{rank}\n" for rank in range(PES)))
        who = ["-n", "2", f"--args-file={runs}"]
    if part == "threads": who += ["--threads=2"]
    room = "--mem=2M"
    done = run(program, *who, room)
    if done.returncode: fail(f"status {done.returncode}: {done.stderr}")
    used = json.loads(done.stderr.splitlines()[-1])["memory_used"]
    if used["pes"] != PES: fail(f"{used['pes']} PEs were looked at")
    heap, stack, mapped, everything = (used[name] for name in ("heap", "stack", "mapped", "all"))
    # The library's own pieces, buffers of stdio and the like, are a few KiB.
    within("variables", used["variables"], 3000, 64 * KIB)
    within("the largest heap", heap["most"], 300 * KIB, 320 * KIB)
    within("the usual heap", heap["median"], 100 * KIB, 120 * KIB)
    within("the deepest stack", stack["most"], 40 * 1000, 40 * 1100 + 8 * KIB)
    within("the usual stack", stack["median"], 10 * 1000, 10 * 1100 + 8 * KIB)
    largest = 2 if part == "threads" else 3
    for name, rank in (("heap", 3), ("stack", 1), ("all", largest)):
        if used[name]["rank"] != rank: fail(f"the most {name} is said to be rank {used[name]['rank']}'s, and not rank {rank}'s")
    if part == "threads":
        within("what is mapped", mapped["most"], 200 * KIB, 300 * KIB)
        if mapped["rank"] != 2 or mapped["median"] != 0: fail(f"mapped: {mapped}")
    elif mapped["most"] != 0:
        fail(f"{mapped['most']} bytes are said to be mapped")
    enough = used.get("enough") or fail("nothing is said about what is enough")
    within("what is enough", enough, everything["most"], 2 * everything["most"] + 128 * KIB)
    # With that the program does run, and with less than the heap needs it does not.
    done = run(program, *who, f"--mem={enough}", form="")
    if done.returncode: fail(f"--mem={enough} is not enough: status {done.returncode}, {done.stderr}")
    done = run(program, *who, f"--mem={heap['most']}", form="")
    refused = (8, 9) if part == "threads" else (9,)
    if done.returncode not in refused: fail(f"with --mem={heap['most']} the status is {done.returncode}, and not one of {refused}")
    text = run(program, *who, room, form="text").stderr
    wanted = f"KiB at most (PE {largest}), "
    line = next((one for one in text.splitlines() if one.startswith("  memory used ")), "")
    if wanted not in line or "would do" not in line: fail(f"--stats says: {text}")
