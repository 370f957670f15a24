#!/usr/bin/env python3
"""real.py MOGRUN MOGMPICC WORK CACHE: MPI programs of others, unmodified, do under mogrun what they do under the system's mpirun.

Sources are those of Debian's packages (tests/real/sources.py). Both compile the same files, run with the same number of ranks, and must
leave the same files, but for lines that have to differ.

Status: 0 all agree, 1 they do not, 77 something could not be compared (skipped).
"""
import os
import re
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent / "real"))
import sources  # noqa: E402

SKIPPED = 77

Program = namedtuple("Program", [
    "name",
    "package",      # Debian's source package
    "files",        # what to compile, and headers, as a pattern in the source
    "options",      # for both compilers
    "writes",       # what configure would have written: name: text
    "inputs",       # files that a run finds: name: text, or a path in the source
    "ranks",
    "args",
    "mogrun",       # options
    "results",      # the files to compare, as a pattern
    "differs",      # what may differ in their lines
    "prints",       # what must be in one of them, so that nobody agrees on nothing
])

MRBAYES = """\
begin mrbayes;
set autoclose=yes nowarn=yes seed=7 swapseed=9;
execute primates.nex;
lset nst=2 rates=gamma;
mcmc ngen=60 nruns=2 nchains=4 samplefreq=20 printfreq=20 diagnfreq=20;
sump burnin=1;
end;
"""

PROGRAMS = [
    # Bayesian phylogenetics, 100,000 lines: eight Markov chains, a rank each, which swap their states.
    Program("mrbayes", "mrbayes", "src/*.[ch]", ["-DHAVE_CONFIG_H"],
            {"config.h": '#define PACKAGE_NAME "MrBayes"\n#define PACKAGE_VERSION "3.2"\n#define HOST_TYPE "any"\n#define HOST_CPU "any"\n'
                         "#define UNIX_VERSION 1\n#define MPI_ENABLED 1\n#define HAVE_STRTOK_R 1\n"},
            {"primates.nex": Path("examples/primates.nex"), "commands.nex": MRBAYES}, 8, ["commands.nex"], ["--mem=16M"],
            "primates.nex.*", r"\[ID: \d+\]|-(?=nan)", "kappa"),      # a number made of the time; the sign of 0/0 on x86
]


def build(program, source, compiler, folder):
    """The program, compiled by `compiler` (a command, with the level) in a folder of its own; exits where that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in source.glob(program.files):
        shutil.copy(path, folder)
    for name, text in program.writes.items():
        (folder / name).write_text(text)
    files = sorted(path.name for path in folder.glob("*.c"))
    command = [*compiler, "-w", "-I.", *program.options, *files, "-o", program.name, "-lm"]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program.name}: {compiler[0]} fails:\n{done.stderr[-3000:]}")
    return folder / program.name


def results(program, source, command, folder):
    """{file: its lines} of what a run leaves."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, what in program.inputs.items():
        (folder / name).write_text((source / what).read_text() if isinstance(what, Path) else what)
    done = subprocess.run([*map(str, command), *program.args], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    if done.returncode != 0:
        sys.exit(f"{program.name}: {command[0]}: status {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return {path.name: re.sub(program.differs, "", path.read_text()) for path in sorted(folder.glob(program.results))
            if path.name not in program.inputs}


def check(program, mogrun, mogmpicc, work, cache):
    """Whether both do the same."""
    source = sources.fetch(program.package, cache)
    # What is expected does not depend on the level, and takes gcc a third of the time without; nor does what is asked here, what MPI does.
    # Programs of others at other levels are in tests/real.
    native = build(program, source, ["mpicc", "-O0", "-ffp-contract=off"], work / "native")
    ours = build(program, source, [mogmpicc, "-O0", "--order-time=0.001"], work / "mog")
    version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout
    mpirun = ["mpirun", *(["--oversubscribe"] if "Open MPI" in version else []), "-np", program.ranks, native]
    expected = results(program, source, mpirun, work / "run-native")
    got = results(program, source, [mogrun, "-n", program.ranks, "--device=host", *program.mogrun, ours], work / "run-mog")
    wrong = [name for name in sorted({*expected, *got}) if expected.get(name) != got.get(name)]
    if not any(program.prints in text for text in expected.values()):
        wrong.append(f"nothing has {program.prints!r} in it")
    print(f"{program.name}, {program.ranks} ranks: {len(expected)} files " + (f"DIFFER: {', '.join(wrong)}" if wrong else "agree"))
    return not wrong


def main():
    mogrun, mogmpicc, work, cache = (Path(word).resolve() for word in sys.argv[1:])
    if not shutil.which("mpicc") or not shutil.which("mpirun"):
        print("skipped: no mpicc, no mpirun")
        return SKIPPED
    try:
        return 0 if all([check(program, mogrun, mogmpicc, work / program.name, cache) for program in PROGRAMS]) else 1
    except sources.Unavailable as reason:
        print(f"skipped: {reason}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
