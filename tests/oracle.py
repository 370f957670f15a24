#!/usr/bin/env python3
"""oracle.py: does a program do on MOG's devices what it does on a MIPS machine?

Each program is run

  glibc   compiled by the MIPS cross compiler against glibc, under qemu-mipsel; without optimising, whatever the level: what a
          program means does not depend on that, and so one answer is enough for all levels (--kept)
  elf     as the very ELF that mogcc links, under qemu-mipsel
  DEVICE  by mogrun with one PE, on each device (but see many_are_enough()), and
  DEVICE -n N   by mogrun with N PEs in short slices, every PE's output being compared

and all must agree on standard output, standard error, exit status and the files they leave. The first that is there says
what is expected. What a tool's absence keeps from being compared is said, and the status is 77 (skipped).

Beside NAME.c may stand
  NAME.args     one argument a line            NAME.stdin   standard input
  NAME.env      NAME=VALUE lines               NAME.oracle  "elf": glibc's library differs by design, do not ask it
  NAME.options  options for both compilers     NAME.mogrun  options for mogrun
  NAME.data/    files to find when it runs     expected.txt standard output with one PE (examples)

Programs that ask for their rank include <mog.h>; tests/programs/native/mog.h answers where there is no MOG.

Status: 0 all agree, 1 they do not, 2 usage, 77 something could not be compared.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import kept     # noqa: E402

SKIPPED = 77
SHORT_SLICE = 20011     # passes
NO_DEVICE = 3           # mogrun's status for trouble with the device
LIBRARIES = ["-lm", "-latomic"]
READ_BY_MOGCC = ("MOG_COMPILER_SPEED", "MOG_CROSS", "MOG_CXX", "MOG_NVCC", "MOG_SYSROOT", "MOG_LAUNCHER", "MOG_SIMD")
NATIVE_HEADERS = Path(__file__).resolve().parent / "programs" / "native"

Outcome = namedtuple("Outcome", "stdout stderr status files")


class Case:
    """A program and what stands beside it."""

    def __init__(self, source, beside):
        self.source = Path(source).resolve()
        self.name = self.source.stem
        self.beside = Path(beside).resolve() if beside else self.source.parent
        self.args = self.lines(".args")
        self.env = dict(line.split("=", 1) for line in self.lines(".env"))
        self.options = self.lines(".options")
        self.mogrun = self.lines(".mogrun")
        self.uses_rank = "<mog.h>" in self.source.read_text()
        self.ask_glibc = self.lines(".oracle") != ["elf"]
        stdin = self.beside / (self.name + ".stdin")
        self.stdin = stdin if stdin.exists() else None
        expected = self.source.parent / "expected.txt"
        self.expected = expected.read_bytes() if expected.exists() else None
        self.data = self.beside / (self.name + ".data")

    def lines(self, suffix):
        path = self.beside / (self.name + suffix)
        return path.read_text().splitlines() if path.exists() else []


class Unknown(Exception):
    """Why what a program should do is not known."""


class Runner:
    def __init__(self, options):
        self.options = options
        self.qemu = shutil.which(options.qemu)
        self.cross = shutil.which(options.cross)
        self.opencl = None

    def lacks(self, device):
        """The OpenCL device among these that is not there, or None. Asked when a run has failed: it takes longer than most runs."""
        if self.opencl is None:
            self.opencl = opencl_devices(self.options.mogrun)
        return next((one for one in re.findall(r"opencl(?::\d+)?", device) if one not in self.opencl), None)

    def compile(self, command):
        """Runs a compiler; its complaint, or None."""
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return None if done.returncode == 0 else " ".join(map(str, command)) + "\n" + done.stdout + done.stderr

    def run(self, case, folder, command, env=None, keep=False):
        """Runs a command in an empty folder (or, with keep, in what the last run left there)."""
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
            if case.data.is_dir():
                shutil.copytree(case.data, folder)
        folder.mkdir(parents=True, exist_ok=True)
        # The environment is what the case says and no more, but for what MOG itself reads.
        variables = {name: value for name, value in os.environ.items()
                     if name in ("PATH", "HOME", "LD_LIBRARY_PATH", "TMPDIR") or name.startswith(("OCL_", "POCL_", "MOG_CACHE", "MOG_COMPILER", "MOG_CUDA", "MOG_CXX", "MOG_NVRTC", "XDG_"))}
        variables.update(case.env)
        variables.update(env or {})
        stdin = open(case.stdin, "rb") if case.stdin else subprocess.DEVNULL
        process = subprocess.Popen([str(word) for word in command], cwd=folder, env=variables, stdin=stdin,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            stdout, stderr = process.communicate(timeout=self.options.timeout)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            stdout, stderr = process.communicate()
            status = f"no end within {self.options.timeout} s"
        if case.stdin:
            stdin.close()
        if isinstance(status, int) and status < 0:
            status = 128 - status       # as a shell says it
        # What mogrun tells about full heaps is not the program's.
        stderr = re.sub(rb"^mogrun: (PEs? [^:]*: )?no memory for .*\n", b"", stderr, flags=re.MULTILINE)
        return Outcome(stdout, stderr, status, snapshot(folder))


def snapshot(folder):
    """The files in a folder, as name: checksum."""
    return {str(path.relative_to(folder)): kept.checksum(path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()}


def untag(text, count):
    """Splits the output of --tag-output by rank; None stands for lines without a rank of their own."""
    by_rank = {rank: [] for rank in range(count)}
    for line in re.findall(rb"[^\n]*\n|[^\n]+", text):       # output may be binary: splitlines() would split at \r too
        tag, space, rest = line.partition(b"] ")
        rank = int(tag[1:]) if space and tag[:1] == b"[" and tag[1:].isdigit() else None
        by_rank.setdefault(rank if rank in by_rank else None, []).append(rest if rank in by_rank else line)
    return {rank: b"".join(lines) for rank, lines in by_rank.items()}


def ended(text):
    """A tagged line always ends in a newline, also where the program's last one does not."""
    return text if text.endswith(b"\n") or not text else text + b"\n"


def difference(expected, got, names):
    """The first lines in which two outputs differ, or an empty string."""
    if expected == got:
        return ""
    if b"\0" in expected:       # no text
        same = len(os.path.commonprefix([expected, got]))
        return f"{len(expected)} bytes by {names[0]}, {len(got)} by {names[1]}, the first {same} of them alike"
    import difflib
    a, b = (text.decode("utf-8", "backslashreplace").splitlines() for text in (expected, got))
    lines = list(difflib.unified_diff(a, b, *names, lineterm="", n=1))
    if not lines:
        lines = ["they differ in line ends only", repr(expected[-40:]), repr(got[-40:])]
    return "\n".join(lines[:24] + (["..."] if len(lines) > 24 else []))


def compare(expected, got, names):
    """What differs between two outcomes, as a list of texts."""
    found = []
    if expected.status != got.status:
        found.append(f"status {expected.status} by {names[0]}, {got.status} by {names[1]}")
    for stream in ("stdout", "stderr"):
        text = difference(getattr(expected, stream), getattr(got, stream), names)
        if text:
            found.append(f"{stream}:\n{text}")
    if expected.files != got.files:
        found.append(f"files {expected.files} by {names[0]}, {got.files} by {names[1]}")
    return found


def check(case, level, runner):
    """Runs one program everywhere; returns (what differs, what was compared, what could not be)."""
    options = runner.options
    work = Path(options.work).resolve() / f"{case.name}{level}"
    work.mkdir(parents=True, exist_ok=True)
    problems, compared, missing = [], [], []
    program = work / case.name
    elf = work / f"{case.name}.mog.elf"
    words = [*build_options(options.way), *words_for(case, level), *options.option, *LIBRARIES]
    # Several tests run the same program on different devices, by different engines.
    complaint = kept.programs_once(
        options.kept, options.kept and kept.mog(options.mogcc, options.mogrun),
        options.kept and (words, kept.libraries(options.mogcc, language_of(case)[0] == "gfortran"), kept.tool(runner.cross or ""),
                          kept.files(case.source, *case.source.parent.glob("*.h")), [os.environ.get(name) for name in READ_BY_MOGCC]),
        (program, elf), lambda: runner.compile([options.mogcc, "-save-temps", *words, "-o", program]))
    if complaint:
        return [f"mogcc fails:\n{complaint}"], compared, missing

    outcomes = {}   # who says so: what
    ranks = None    # what each of many PEs should do, where a program asks for its rank

    if case.ask_glibc:
        try:
            outcomes["glibc"], ranks = by_glibc(case, runner, work)
        except Unknown as why:
            missing.append(f"glibc: {why}")
    if runner.qemu:
        # Under its own name, because programs see argv[0].
        named = work / "elf" / case.name

        def by_elf():
            named.parent.mkdir(exist_ok=True)
            shutil.copy(elf, named)
            named.chmod(0o755)
            return tuple(runner.run(case, work / "run-elf", [runner.qemu, named, *case.args]))

        outcomes["elf"] = Outcome(*kept.once(options.kept, options.kept and (surroundings(case, runner), kept.checksum(elf.read_bytes())), by_elf,
                                             lambda outcome: isinstance(Outcome(*outcome).status, int)))
    else:
        missing.append(f"elf: no {options.qemu}")

    count = options.pes if case.uses_rank and ranks or not case.uses_rank else 0      # of many PEs, what is expected has to be known
    for device in devices_of(options):
        if outcomes and count > 1 and many_are_enough(options, device):
            continue
        outcome = runner.run(case, work / f"run-{device}", mogrun(options, case, 1, device, program))
        if outcome.status == NO_DEVICE and (absent := runner.lacks(device)):
            missing.append(f"{device}: no {absent} device")
            continue
        outcomes[device] = outcome

    reference_name, reference = next(iter(outcomes.items()))
    compared += outcomes
    others = {}     # those who say the same other thing are reported together
    for name, outcome in outcomes.items():
        if outcome != reference:
            others.setdefault(repr(outcome), []).append(name)
    for names in others.values():
        together = ", ".join(names)
        problems += [f"{reference_name} and {together}: {text}" for text in compare(reference, outcomes[names[0]], (reference_name, together))]
    if case.expected is not None:
        text = difference(case.expected, reference.stdout, ("expected.txt", reference_name))
        problems += [f"expected.txt: {text}"] if text else []
    if problems:
        kept.forget()
        return problems, compared, missing      # with one PE wrong, many need not be asked

    expected = ranks if case.uses_rank else [reference] * count
    if not count:
        missing.append(f"-n {options.pes}: only glibc knows what a program does that asks for its rank")
    for device in devices_of(options) if count > 1 else []:
        if device not in outcomes and not many_are_enough(options, device):
            continue
        name = f"{device} -n {count}"
        got = runner.run(case, work / f"run-{device}-{count}", mogrun(options, case, count, device, program))
        if got.status == NO_DEVICE and (absent := runner.lacks(device)):
            missing.append(f"{device}: no {absent} device")
            continue
        compared.append(name)
        problems += compare_many(expected, got, name, count)
    return problems, compared, missing


def mogrun(options, case, count, device, program):
    # With many, also in slices so short that PEs are stopped and taken up again in the middle of everything.
    many = ["--tag-output", f"--slice={SHORT_SLICE}"] if count > 1 else []
    if case.stdin and count > 1:
        many += ["--stdin=all"]
    if device == "opencl":
        many += opencl_options(options.way)
    return [options.mogrun, "-n", count, f"--device={device.replace('+', ',')}", *many, *case.mogrun, *options.run_option, program, *case.args]


def many_are_enough(options, device):
    """Whether a run with many PEs, each of which has to do the same, is all that is asked of a device: of OpenCL where one interpreter serves all
    programs, which is the same kernel for one PE. A start of it takes longer than all runs of most programs on the other devices."""
    return device == "opencl" and options.way == "usual" and not options.run_option


def devices_of(options):
    return [] if options.devices == "none" else options.devices.split(",")


def words_for(case, level):
    """What every compiler is told."""
    return [level, language_of(case)[1], "-w", *case.options, case.source]


def language_of(case):
    """What the compiler is called, beside gcc, and the language as MOG's and others' shall take it."""
    return {".cc": ("g++", "-std=gnu++20"), ".f90": ("gfortran", "-std=gnu"), ".f": ("gfortran", "-std=legacy")}.get(
        Path(case.source).suffix, ("gcc", "-std=gnu17"))


def by_glibc(case, runner, work):
    """What a program does with glibc: its Outcome, and [Outcome] by rank if it asks for that."""
    options = runner.options
    if not runner.qemu or not runner.cross:
        raise Unknown("no " + (options.qemu if runner.cross else options.cross))
    program = work / "glibc" / case.name

    def make():
        program.parent.mkdir(exist_ok=True)
        compiler = re.sub("gcc$", language_of(case)[0], runner.cross)
        if complaint := runner.compile([compiler, "-I", NATIVE_HEADERS, "-static", *words_for(case, "-O0"), *options.option, *LIBRARIES, "-o", program]):
            raise Unknown(complaint.strip().splitlines()[-1])
        command = [runner.qemu, program, *case.args]
        alone = runner.run(case, work / "run-glibc", command)
        ranks = []
        for rank in range(options.pes) if case.uses_rank else []:
            env = {"MOG_NATIVE_NPROC": str(options.pes), "MOG_NATIVE_IPROC": str(rank)}
            ranks.append(runner.run(case, work / f"run-glibc-{options.pes}", command, env, keep=rank > 0))
        return tuple(alone), [tuple(outcome) for outcome in ranks]

    def facts():
        return (kept.cross_compiler(runner.cross), options.pes if case.uses_rank else 1, options.option, surroundings(case, runner),
                kept.files(case.source, *case.source.parent.glob("*.h"), NATIVE_HEADERS))

    def in_time(made):  # within the time, which says more of the machine than of the program
        alone, ranks = made
        return all(isinstance(Outcome(*outcome).status, int) for outcome in [alone, *ranks])

    alone, ranks = kept.once(options.kept, facts() if options.kept else None, make, in_time)
    return Outcome(*alone), [Outcome(*outcome) for outcome in ranks]


def surroundings(case, runner):
    """All but a program itself that its outcome under qemu-mipsel follows from."""
    beside = [case.beside / (case.name + suffix) for suffix in (".args", ".env", ".options", ".stdin", ".data")]
    return kept.tool(runner.qemu), runner.options.timeout, os.environ.get("HOME"), case.name, kept.files(__file__, *beside)


def compare_many(expected, got, name, count):
    problems = []
    statuses = {outcome.status for outcome in expected}
    if got.status not in (statuses - {0} or {0}):
        problems.append(f"{name}: status {got.status}, but that of a PE is {sorted(statuses, key=str)}")
    for stream in ("stdout", "stderr"):
        by_rank = untag(getattr(got, stream), count)
        for rank in range(count):
            text = difference(ended(getattr(expected[rank], stream)), ended(by_rank[rank]), ("expected", f"PE {rank}"))
            if text:
                problems.append(f"{name}: {stream} of PE {rank}:\n{text}")
                break       # one PE is enough to see what is wrong
        if None in by_rank:
            problems.append(f"{name}: {stream} has lines of no PE: {by_rank[None][:300]!r}")
    if expected[-1].files != got.files:
        problems.append(f"{name}: files {got.files}, expected {expected[-1].files}")
    return problems


# How programs are compiled and run, by --way: options of mogcc, and of mogrun on OpenCL. A short search for the order of subinterpreters is
# always enough, for hundreds of programs are to be built; but for a sequence the shortest will do, which finds one that nobody runs.
#   usual     as users do: nothing is compiled by g++, and kernels begin as interpreters of any program
#   compiled  the program's own code and little of the library is compiled by g++ into blocks, for lanes too; a kernel has its blocks
#   sequence  as a GPU does: a kernel of its own that is a sequence with superinstructions, memory interleaved
WAYS = {
    "usual": (["--order-time=0.001"], []),
    "compiled": (["--order-time=0.001", "--build-time=0.25"], []),
    "sequence": (["--order-time=0.02"], ["--engine=sequence", "--warp=32"]),
}


def build_options(way):
    return list(WAYS[way][0])


def opencl_options(way):
    return WAYS[way][1]


def opencl_devices(mogrun_path):
    """The OpenCL devices by their names: opencl for any, opencl:0 ..."""
    listed = subprocess.run([mogrun_path, "--list-devices"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    numbered = re.findall(r"^opencl:\d+", listed.stdout, re.MULTILINE)
    return {"opencl", *numbered} if numbered else set()


def has_opencl(mogrun_path):
    return bool(opencl_devices(mogrun_path))


def main():
    parser = argparse.ArgumentParser(description="Compares programs on MOG's devices with the same on a MIPS machine (qemu).")
    parser.add_argument("--mogcc", default="mogcc")
    parser.add_argument("--mogrun", default="mogrun")
    parser.add_argument("--qemu", default="qemu-mipsel")
    parser.add_argument("--cross", default="mipsel-linux-gnu-gcc")
    parser.add_argument("--work", default="/tmp/mog-oracle", help="folder for what is compiled and run")
    parser.add_argument("--kept", help="folder for what glibc's programs do, which need not run again for other levels")
    parser.add_argument("--beside", help="folder of NAME.args and so on, if not that of the program")
    parser.add_argument("--level", action="append", help="an optimisation level such as -O2 (write --level=-O2); may be repeated")
    parser.add_argument("--option", action="append", default=[], help="an option for both compilers (write --option=-pthread); may be repeated")
    parser.add_argument("--run-option", action="append", default=[], help="an option for mogrun (write --run-option=--engine=switch); may be repeated")
    parser.add_argument("--devices", default="reference,host,opencl", help="host,opencl,...; several in one run: host=1+opencl=1; none: qemu alone")
    parser.add_argument("--way", default="usual", choices=WAYS, help="how programs are compiled and run (see WAYS in the source)")
    parser.add_argument("--pes", type=int, default=8, help="how many PEs the second run has; 1: there is none")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for each run: a busy machine takes its time")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    runner = Runner(options)
    status = 0
    for source in options.programs:
        for level in options.level or ["-O0", "-O2"]:
            case = Case(source, options.beside)
            problems, compared, missing = check(case, level, runner)
            print(f"{case.name} {level}: {'FAILS' if problems else 'agree'}: {', '.join(compared)}", flush=True)
            for problem in problems:
                print("  " + problem.replace("\n", "\n  "))
            for reason in missing:
                print(f"  skipped, {reason}")
            status = 1 if problems else status or (SKIPPED if missing else 0)
    return status


if __name__ == "__main__":
    sys.exit(main())
