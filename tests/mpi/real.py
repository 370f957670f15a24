#!/usr/bin/env python3
"""real.py [--all] MOGRUN MOGMPICC WORK CACHE: MPI programs of others, unmodified, do under mogrun what they do under the system's mpirun.

Sources are those of Debian's packages (tests/real/sources.py). Both compile the same files, run with the same number of ranks, and must
leave the same files or print the same lines, but for what has to differ. With --all, those are among them that no run of the tests has.

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
    "files",        # what to compile, as patterns in the source
    "options",      # for both compilers ({src}: the source)
    "writes",       # what configure would have written: name: text
    "inputs",       # files that a run finds: name: text, or a path in the source
    "ranks",
    "args",
    "mogrun",       # options
    "results",      # the files to compare, as a pattern; without, what is printed, in any order of lines
    "differs",      # what may differ in their lines
    "prints",       # what must be in one of them, so that nobody agrees on nothing
    "always",       # whether it is a test of every run
], defaults=[(), "", "(?!)", "", True])

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
    Program("mrbayes", "mrbayes", "src/*.c", ["-DHAVE_CONFIG_H"],
            {"config.h": '#define PACKAGE_NAME "MrBayes"\n#define PACKAGE_VERSION "3.2"\n#define HOST_TYPE "any"\n#define HOST_CPU "any"\n'
                         "#define UNIX_VERSION 1\n#define MPI_ENABLED 1\n#define HAVE_STRTOK_R 1\n"},
            {"primates.nex": Path("examples/primates.nex"), "commands.nex": MRBAYES}, 8, ["commands.nex"], ["--mem=16M"],
            "primates.nex.*", r"\[ID: \d+\]|-(?=nan)", "kappa"),      # a number made of the time; the sign of 0/0 on x86
    # Open MPI's examples: a message in a ring, from C and by each of the ways that Fortran has to MPI.
    Program("ring", "openmpi", "examples/ring_c.c", [], {}, {}, 6, [], prints="exiting"),
    Program("ring-mpif.h", "openmpi", "examples/ring_mpifh.f", [], {}, {}, 4, [], prints="exiting"),
    Program("ring-mpi", "openmpi", "examples/ring_usempi.f90", [], {}, {}, 4, [], prints="exiting"),
    Program("ring-mpi_f08", "openmpi", "examples/ring_usempif08.f90", [], {}, {}, 4, [], prints="exiting"),
    # Messages of growing length between two ranks: which ones, not how long they take.
    Program("netpipe", "netpipe", "src/netpipe.c src/mpi.c", ["-DMPI", "-DFINAL", "-I{src}/src"], {}, {}, 2, ["-u", "200", "-n", "3", "-o", "np.out"],
            results="np.out", differs=r"(?m)(?<=\d) +.*", prints="96", always=False),
]


def is_fortran(program):
    return re.search(r"\.f(90)?\b", program.files)


def build(program, source, compilers, folder):
    """The program, compiled in a folder of its own by the one of `compilers` (commands, by language) that links it; exits where that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in program.writes.items():
        (folder / name).write_text(text)
    files = [path for pattern in program.files.split() for path in sorted(source.glob(pattern))]
    suffixes = {path.suffix for path in files}
    language = "fortran" if suffixes & {".f", ".f90"} else "c++" if suffixes & {".cc", ".cpp"} else "c"
    options = [word.replace("{src}", str(source)) for word in program.options]
    command = [*map(str, compilers[language]), "-w", "-I.", *options, *files, "-o", program.name, "-lm"]
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program.name}: {command[0]} fails:\n{done.stderr[-3000:]}")
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
    if not program.results:
        return {"standard output": re.sub(program.differs, "", "\n".join(sorted(done.stdout.splitlines())))}
    return {path.name: re.sub(program.differs, "", path.read_text()) for path in sorted(folder.glob(program.results))
            if path.name not in program.inputs}


def check(program, mogrun, mogmpicc, work, cache):
    """Whether both do the same."""
    source = sources.fetch(program.package, cache)
    # What is expected does not depend on the level, and takes gcc a third of the time without; nor does what is asked here, what MPI does.
    # Programs of others at other levels are in tests/real.
    native = build(program, source, {name: [tool, "-O0", "-ffp-contract=off"] for name, tool in
                                      (("c", "mpicc"), ("c++", "mpicxx"), ("fortran", "mpif90"))}, work / "native")
    ours = build(program, source, {name: [mogmpicc.with_name(tool), "-O0", "--order-time=0.001"] for name, tool in
                                    (("c", "mogmpicc"), ("c++", "mogmpicxx"), ("fortran", "mogmpifort"))}, work / "mog")
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
    everything = sys.argv[1:2] == ["--all"]
    mogrun, mogmpicc, work, cache = (Path(word).absolute() for word in sys.argv[1 + everything:])
    if not shutil.which("mpicc") or not shutil.which("mpirun"):
        print("skipped: no mpicc, no mpirun")
        return SKIPPED
    asked = [program for program in PROGRAMS if program.always or everything]
    fortran = shutil.which("mpif90") and shutil.which(os.environ.get("MOG_CROSS", "mipsel-linux-gnu-") + "gfortran")
    able = [program for program in asked if fortran or not is_fortran(program)]
    try:
        if not all([check(program, mogrun, mogmpicc, work / program.name, cache) for program in able]):
            return 1
        if len(able) < len(asked):
            print("skipped: no mpif90, or no gfortran for MIPS")
        return 0 if len(able) == len(asked) else SKIPPED
    except sources.Unavailable as reason:
        print(f"skipped: {reason}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
