#!/usr/bin/env python3
"""torture.py: many small programs, each on its own PE, against the same programs on a MIPS machine.

A group is a folder of programs: each NAME.c or NAME.cc with a main of its own, or a folder NAME/ of files that are linked
together. The group becomes one executable, in which PE i runs program i; that is quick, and it is what MOG is for. Against it
stands the group compiled by the cross compiler with glibc: qemu-mipsel runs that once per program. It is not optimised, whatever the
level: what a program means does not depend on that, and so one answer is enough for all levels (--kept). Standard output and exit
status must agree, program by program, on every device, with every PE stopped and taken up again in the middle of everything.

Programs of a group are independent: all symbols but main are made local to each (C) or are in an unnamed namespace (C++).
Functions with __attribute__((constructor)) or ((destructor)) run on every PE, so they print nothing before main has run.

Beside the programs may stand
  options     options for both compilers       stdin     standard input, the same for each program
  by_level    (empty) programs ask whether they are optimised: glibc's side is compiled at the level, too

Status: 0 all agree, 1 they do not, 2 usage, 77 something could not be compared.
"""
import argparse
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.dont_write_bytecode = True
import kept     # noqa: E402
import oracle   # noqa: E402

MEMORY = "2M"           # of a PE: enough for every program, and little enough to use up
CXX = (".cc", ".cpp")

DISPATCHER = """/* Made by torture.py: runs the program whose number is the rank. */
{declarations}
static int (*const programs[])(int, char **) = {{{names}}};
{rank}
int main(void) {{
    static char name[] = "torture";
    char *arguments[] = {{name, 0}};
    return programs[rank()](1, arguments);
}}
"""
RANK_OF_PE = "#include <mog.h>\nstatic int rank(void) { return IPROC; }"
RANK_OF_PROCESS = """#include <stdlib.h>
static int rank(void) {
    int value = atoi(getenv("TORTURE_RANK"));
    unsetenv("TORTURE_RANK");
    return value;
}"""


class Failure(Exception):
    """What is wrong, in words for whoever reads the test's output."""


class Program:
    def __init__(self, path):
        self.name = path.stem
        self.sources = sorted(path.glob("*.c")) if path.is_dir() else [path]
        self.main = "torture_main_" + re.sub(r"\W", "_", self.name)
        self.is_cxx = path.suffix in CXX


def programs_of(group, only):
    paths = [path for path in sorted(group.iterdir())
             if path.suffix in (".c", *CXX) or path.is_dir() and any(path.glob("*.c"))]
    found = [Program(path) for path in paths]
    return [program for program in found if not only or program.name in only]


def run(command, **more):
    """Runs a tool that has to succeed; its standard output."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise Failure(" ".join(map(str, command))[:2000] + "\n" + (done.stdout + done.stderr)[:6000])
    return done.stdout


class Build:
    """One way to make an executable of a group: a compiler and its options."""

    def __init__(self, compiler, cross, options, folder, rank):
        self.compiler, self.cross, self.options, self.folder, self.rank = compiler, cross, options, folder, rank

    def link(self, programs, link_options):
        """Compiles all programs, and links them with the dispatcher. Returns the executable's path."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.compile_sources(programs)
        objects = [self.object_of(program) for program in programs]
        dispatcher = self.folder / "dispatcher.c"
        dispatcher.write_text(DISPATCHER.format(
            declarations="".join(f"extern int {program.main}(int, char **);\n" for program in programs),
            names=", ".join(program.main for program in programs), rank=self.rank))
        executable = self.folder / "group"
        run([*self.compiler(False), *self.options, "-c", dispatcher], cwd=self.folder)
        run([*self.compiler(any(program.is_cxx for program in programs)), *self.options, self.folder / "dispatcher.o", *objects,
             *link_options, "-lm", "-o", executable])
        return executable

    def compile_sources(self, programs):
        """One call of the compiler for all single files of a language; it puts the objects where it runs."""
        for is_cxx in (False, True):
            single = [program.sources[0] for program in programs if program.is_cxx == is_cxx and len(program.sources) == 1]
            if single:
                run([*self.compiler(is_cxx), *self.options, *self.standard(is_cxx), "-c", *single], cwd=self.folder)
        for program in programs:
            if len(program.sources) > 1:
                folder = self.folder / program.name
                folder.mkdir()
                run([*self.compiler(False), *self.options, *self.standard(False), "-c", *program.sources], cwd=folder)
                run([self.cross + "ld", "-r", *sorted(folder.glob("*.o")), "-o", self.folder / (program.name + ".o")])

    @staticmethod
    def standard(is_cxx):
        return ["-std=gnu++20" if is_cxx else "-std=gnu17", "-w", "-fno-common"]

    def object_of(self, program):
        path = self.folder / (program.name + ".o")
        keep = [] if program.is_cxx else [f"--keep-global-symbol={program.main}"]
        run([self.cross + "objcopy", f"--redefine-sym=main={program.main}", *keep, path])
        return path


def expected_outcomes(options, programs, executable, folder, stdin):
    """What qemu makes of each program: [(standard output, status)]."""
    def outcome(rank):
        where = folder / f"qemu-{rank}"
        shutil.rmtree(where, ignore_errors=True)
        where.mkdir(parents=True)
        with open(stdin, "rb") as input_file:
            try:
                done = subprocess.run([options.qemu, executable], cwd=where, stdin=input_file, capture_output=True,
                                      timeout=options.timeout, env={"TORTURE_RANK": str(rank), "PATH": os.environ["PATH"]})
            except subprocess.TimeoutExpired:
                raise Failure(f"{programs[rank].name}: no end under qemu within {options.timeout} s")
        # A shell's way to tell of a signal.
        return done.stdout, done.returncode if done.returncode >= 0 else 128 - done.returncode
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(outcome, range(len(programs))))


def device_outcomes(options, programs, executable, device, folder, stdin, engine):
    """What a device makes of all programs at once: [(standard output, status)], and what MOG said."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    count = len(programs)
    environment = {name: value for name, value in os.environ.items()
                   if name in ("PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR") or name.startswith(("OCL_", "POCL_", "MOG_CACHE", "XDG_"))}
    command = [options.mogrun, "-n", count, "--device", device, "--tag-output", f"--slice={oracle.SHORT_SLICE}", f"--mem={MEMORY}",
               "--stdin=all", f"--timeout={options.timeout}", "--stats=json", *(engine if device == "opencl" else []), executable]
    with open(stdin, "rb") as input_file:
        try:
            done = subprocess.run([str(word) for word in command], cwd=folder, stdin=input_file, capture_output=True,
                                  timeout=3 * options.timeout, env=environment)
        except subprocess.TimeoutExpired:
            raise Failure(f"{device}: no end within {3 * options.timeout} s")
    said, brace, statistics = done.stderr.decode("utf-8", "backslashreplace").rpartition('\n{"device"')
    if not brace and not done.stderr.startswith(b'{"device"'):
        raise Failure(f"{device}: status {done.returncode}, no statistics:\n{done.stderr.decode('utf-8', 'backslashreplace')[-3000:]}")
    outputs = {rank: [] for rank in range(count)}
    for line in re.findall(rb"[^\n]*\n|[^\n]+$", done.stdout):
        tag, _, rest = line.partition(b"] ")
        outputs[int(tag[1:])].append(rest)
    statuses = {}
    for status, ranks in json.loads('{"device"' + statistics.removeprefix('{"device"'))["ranks_by_status"].items():
        for piece in ranks.split(", "):
            first, _, last = piece.partition("-")
            statuses.update({rank: int(status) for rank in range(int(first), int(last or first) + 1)})
    return [(b"".join(outputs[rank]), statuses[rank]) for rank in range(count)], said


def ended(text):
    """A tagged line always ends in a newline, also where the program's last one does not."""
    return text if text.endswith(b"\n") or not text else text + b"\n"


def compare(programs, expected, got, device, said):
    """Prints what differs; the number of programs in which something does."""
    failed = 0
    for program, (stdout, status), (got_stdout, got_status) in zip(programs, expected, got):
        if ended(stdout) == ended(got_stdout) and status == got_status:
            continue
        failed += 1
        print(f"--- {program.name} on {device}" + (f": status {got_status}, qemu has {status}" if status != got_status else ""))
        a, b = (text.decode("utf-8", "backslashreplace").splitlines() for text in (stdout, got_stdout))
        lines = list(difflib.unified_diff(a, b, "qemu", device, lineterm="", n=1))
        print("\n".join(lines[:16] + (["..."] if len(lines) > 16 else [])))
    if failed and said.strip():
        print("said:", said.strip()[:1500])
    return failed


def check(options, group):
    """Compares one group everywhere; (programs, how many differ, what was left out)."""
    programs = programs_of(group, options.only)
    if not programs:
        raise Failure(f"{group} has no programs")
    extra = (group / "options").read_text().split() if (group / "options").exists() else []
    stdin = group / "stdin" if (group / "stdin").exists() else Path("/dev/null")
    work = Path(options.work).resolve() / (group.name + options.level + options.variant)
    # C++ is here the language without exceptions and run-time types, whose programs are those of tests/cxx.
    # No position-independent code, whose calls would not find what objcopy has made local.
    native_level = options.level if (group / "by_level").exists() else "-O0"
    native = Build(lambda is_cxx: [options.cross + "g++", "-fno-exceptions", "-fno-rtti"] if is_cxx else [options.cross + "gcc"],
                   options.cross, [native_level, *extra, "-mno-abicalls", "-fno-pic"], work / "glibc", RANK_OF_PROCESS)
    mogcxx = re.sub("mogcc$", "mogc++", str(options.mogcc))
    mog = Build(lambda is_cxx: [mogcxx if is_cxx else options.mogcc, *oracle.build_options(options.way)], options.cross,
                [options.level, *extra, *options.option], work / "mog", RANK_OF_PE)
    facts = (kept.cross_compiler(options.cross + "gcc"), kept.tool(options.cross + "g++"), kept.tool(options.qemu), native_level, options.timeout,
             [program.name for program in programs], kept.files(__file__, group))
    expected = kept.once(options.kept, facts if options.kept else None, lambda: expected_outcomes(
        options, programs, native.link(programs, ["-static", "-no-pie", "-latomic", "-Wl,--no-warn-mismatch"]), work, stdin))
    executable = mog.link(programs, [])
    engine = oracle.opencl_options(options.way)
    differing, left_out = 0, []
    for device in options.devices.split(","):
        if device == "opencl" and not oracle.has_opencl(options.mogrun):
            left_out.append("opencl: no OpenCL device")
            continue
        got, said = device_outcomes(options, programs, executable, device, work / device, stdin, engine)
        differing += compare(programs, expected, got, device, said)
    return len(programs), differing, left_out


def main():
    parser = argparse.ArgumentParser(description="Runs groups of small programs, one per PE, and compares them with qemu.")
    parser.add_argument("--mogcc", default="mogcc")
    parser.add_argument("--mogrun", default="mogrun")
    parser.add_argument("--qemu", default="qemu-mipsel")
    parser.add_argument("--cross", default="mipsel-linux-gnu-", help="prefix of the cross compiler")
    parser.add_argument("--work", default="/tmp/mog-torture", help="folder for what is compiled and run")
    parser.add_argument("--kept", help="folder for what glibc's programs do, which need not run again for other levels")
    parser.add_argument("--level", default="-O2", help="an optimisation level (write --level=-O2)")
    parser.add_argument("--option", action="append", default=[], help="a further option for mogcc alone; may be repeated")
    parser.add_argument("--variant", default="", help="a name for these options, for the folder")
    parser.add_argument("--devices", default="reference,host,opencl")
    parser.add_argument("--way", default="usual", choices=oracle.WAYS, help="how the programs are compiled and run (tests/oracle.py)")
    parser.add_argument("--only", action="append", help="run this program alone; may be repeated")
    parser.add_argument("--timeout", type=int, default=60, help="seconds for a run")
    parser.add_argument("groups", nargs="+", type=Path)
    options = parser.parse_args()
    if not shutil.which(options.qemu) or not shutil.which(options.cross + "gcc"):
        print(f"skipped: {options.qemu} or {options.cross}gcc is not here")
        return oracle.SKIPPED
    status = 0
    for group in options.groups:
        try:
            count, differing, left_out = check(options, group.resolve())
        except Failure as failure:
            print(f"{group.name}: {failure}")
            status = 1
            continue
        print(f"{group.name} {options.level}: {count} programs, {differing} differences" + "".join(f"; {why}" for why in left_out))
        if differing:
            status = 1
        elif left_out and status == 0:
            status = oracle.SKIPPED
    return status


if __name__ == "__main__":
    sys.exit(main())
