#!/usr/bin/env python3
"""check.py: does a program with Cilk do what the C program does that it is without?

Each program is run

  gcc      its serial elision, compiled by this machine's gcc (g++ for NAME.cc) without -fcilk; it says what is expected
  elf      as the ELF that mogcc -fcilk links, under qemu-mipsel, with 4 workers
  DEVICE   by mogrun, with 1 worker, with 4, and with 3 that share channels (CILK_SCHEDULER); on host also with 1 and 4 whose spawns are all tasks
  cut      with --cut, the same cut at its syncs (mogcc -fcilk=channels): the ELF, and on host with 1 worker, and with 4 and channels of two elements

and all must agree on standard output and exit status, and with expected.txt where it is (examples). NAME.args beside NAME.c: one argument a line.

Status: 0 all agree, 1 they do not, 2 usage, 77 something could not be compared.
"""
import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.dont_write_bytecode = True
import oracle   # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
HEADERS = ROOT / "runtime_pe" / "include" / "cilk"
SKIPPED = 77
CUT = [{"CILK_NWORKERS": "1"}, {"CILK_NWORKERS": "4", "CILK_CHANNEL_LENGTH": "2"}]
WORKERS = [{"CILK_NWORKERS": "1"}, {"CILK_NWORKERS": "4"}, {"CILK_NWORKERS": "3", "CILK_SCHEDULER": "channels"}]
ALL_TASKS = [{"CILK_NWORKERS": workers, "CILK_ENOUGH": "1024"} for workers in ("1", "4")]   # no spawn is a call


class Failed(Exception):
    """What went wrong, for people."""


def run(command, env=None, timeout=250):
    """(standard output, exit status) of a command."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("CILK_")} | (env or {})
    try:
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=variables, timeout=timeout)
    except subprocess.TimeoutExpired:
        return f"no end within {timeout} s", None
    return done.stdout + done.stderr, done.returncode


def build(command):
    text, status = run(command, timeout=250)
    if status or text:      # warnings, too
        raise Failed(" ".join(map(str, command)) + "\n" + text)


def check(source, options):
    work = Path(options.work).resolve() / source.stem
    include = work / "include"
    include.mkdir(parents=True, exist_ok=True)
    if not (include / "cilk").exists():
        (include / "cilk").symlink_to(HEADERS)
    beside = source.with_suffix(".args")
    arguments = beside.read_text().splitlines() if beside.exists() else []
    cxx = source.suffix == ".cc"
    warnings = ["-O1" if cxx else "-O2", "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Wno-unused-function", "-pthread"]
    build(["g++" if cxx else "gcc", *warnings, *(["-std=c++17"] if cxx else []), "-I", include, source, "-lm", "-o", work / "serial"])
    build([options.mogcc, "-save-temps", "--order-time=0.001", *warnings, "-fcilk", source, "-lm", "-o", work / "program"])
    expected = run([work / "serial", *arguments])
    written = source.parent / "expected.txt"
    if written.exists() and written.read_text() != expected[0]:
        raise Failed("expected.txt:\n" + oracle.difference(written.read_bytes(), expected[0].encode(), ("expected.txt", "gcc")))
    missing = []
    ways = {}
    if qemu := shutil.which(options.qemu):
        ways["elf"] = ([qemu, work / "program.mog.elf"], WORKERS[1])
    else:
        missing.append(f"elf: no {options.qemu}")
    for device in options.devices.split(","):
        for env in WORKERS + ALL_TASKS if device == "host" else WORKERS[1:]:
            words = [options.mogrun, "-n", 1, f"--device={device}", *options.run_option, work / "program"]
            ways[f"{device} {' '.join(env.values())}"] = (words, env)
    if options.cut:
        build([options.mogcc, "-save-temps", "--order-time=0.001", *warnings, "-fcilk=channels", source, "-lm", "-o", work / "cut"])
        if qemu:
            ways["cut elf"] = ([qemu, work / "cut.mog.elf"], WORKERS[1])
        for env in CUT:
            ways[f"cut {' '.join(env.values())}"] = ([options.mogrun, "-n", 1, "--device=host", *options.run_option, work / "cut"], env)
    for name, (command, env) in ways.items():
        got = run([*command, *arguments], env)
        if got[1] == oracle.NO_DEVICE and "opencl" in name and not oracle.has_opencl(options.mogrun):
            missing.append(f"{name}: no such device")
        elif got != expected:
            raise Failed(f"{name}: status {got[1]}, by gcc {expected[1]}:\n" + oracle.difference(expected[0].encode(), got[0].encode(), ("gcc", name)))
    return list(ways), missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mogcc", required=True)
    parser.add_argument("--mogrun", required=True)
    parser.add_argument("--qemu", default="qemu-mipsel")
    parser.add_argument("--work", required=True)
    parser.add_argument("--devices", default="host")
    parser.add_argument("--cut", action="store_true")
    parser.add_argument("--run-option", action="append", default=[])
    parser.add_argument("programs", nargs="+", type=Path)
    options = parser.parse_args()
    status = 0
    for source in options.programs:
        try:
            compared, missing = check(source.resolve(), options)
        except Failed as failed:
            print(f"{source.stem}: FAILS: {failed}", flush=True)
            status = 1
            continue
        print(f"{source.stem}: agree: gcc, {', '.join(compared)}", flush=True)
        for reason in missing:
            print(f"  skipped, {reason}")
            status = status or SKIPPED
    return status


if __name__ == "__main__":
    sys.exit(main())
