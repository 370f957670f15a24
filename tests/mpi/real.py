#!/usr/bin/env python3
"""real.py [--all|--only=NAME,...] MOGRUN MOGMPICC WORK CACHE: MPI programs of others, unmodified, do under mogrun what they do under the system's mpirun.

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
import lammps  # noqa: E402
import sources  # noqa: E402

SKIPPED = 77

Program = namedtuple("Program", [
    "name",
    "package",      # Debian's source package
    "files",        # what to compile, as patterns in the source
    "options",      # for both compilers ({src}: the source; {name}: that of another package)
    "writes",       # what configure would have written: name: text, or a function of the source
    "inputs",       # files that a run finds: name: text, or a path in the source, or a function of the source
    "ranks",
    "args",
    "mogrun",       # options
    "results",      # the files to compare, as a pattern; without, what is printed, in any order of lines
    "differs",      # what may differ in their lines
    "prints",       # what must be in one of them, so that nobody agrees on nothing
    "always",       # whether it is a test of every run
    "beside",       # other packages that files are compiled of: name: patterns
    "configure",    # None, or what its own build makes in a copy of the source: Configured
], defaults=[(), "", "(?!)", "", True, {}, None])

Configured = namedtuple("Configured", [
    "folder",       # where ./configure is, with `options`
    "targets",      # [(folder, what make is told there)], one after the other
    "product",
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

def small_hpcc(source):
    """HPCC's own input, with a small matrix on as many processes as there are here."""
    text = (source / "_hpccinf.txt").read_text()
    for line, other in (("1000         Ns", "60           Ns"), ("80           NBs", "8            NBs")):
        text = text.replace(line, other)
    return text


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
    # The HPC Challenge: solves a system by LU, transposes, transforms, updates at random, measures messages. What it has found out, not how fast.
    Program("hpcc", "hpcc", "hpl/src/*/*.c hpl/testing/*/*.c RandomAccess/*.c STREAM/*.c PTRANS/*.c src/*.c DGEMM/*.c FFT/*.c",
            # As the BLAS is called; and functions of MPI-1, which Open MPI has to be asked for.
            ["-I{src}/include", "-I{src}/hpl/include", "-DAdd_", "-DF77_INTEGER=int", "-DStringSunStyle", "-DOMPI_OMIT_MPI1_COMPAT_DECLS=0"],
            {}, {"hpccinf.txt": small_hpcc}, 4, [], ["--mem=64M"], "hpccoutf.txt",
            r"(?m)^(?!.*(PASSED|passed|Success|Failure|errors|tests completed)).*\n|[\d.]+ +PASSED.*(?=\n)", "Success=1",
            beside={"lapack": " ".join(f"BLAS/SRC/{name}.f" for name in
                                       "dgemm dtrsm dgemv dger dtrsv dcopy daxpy dscal idamax dswap lsame xerbla".split())}, always=False),
    # Solvers of linear systems, a hundred thousand lines, and its own drivers: multigrid on a grid of processes, conjugate gradients.
    Program("hypre-struct", "hypre", "", ["--disable-fortran", "--enable-debug"], {}, {}, 4, "-P 2 2 1 -n 6 6 6 -solver 10".split(), ["--mem=16M"],
            differs=r"(?m)^.*(wall|cpu) clock time.*$", prints="Final Relative Residual Norm", always=False,
            configure=Configured("src", [(".", []), ("test", ["struct"])], "test/struct")),
    Program("hypre-ij", "hypre", "", ["--disable-fortran", "--enable-debug"], {}, {}, 4, "-P 2 2 1 -n 6 6 6 -solver 1".split(), ["--mem=16M"],
            differs=r"(?m)^.*(wall|cpu) clock time.*$", prints="Final Relative Residual Norm", always=False,
            configure=Configured("src", [(".", []), ("test", ["ij"])], "test/ij")),
    # Molecular dynamics, in C++.
    Program("lammps", "lammps", " ".join(f"src/{name}.cpp" for name in lammps.FILES), ["-I{src}/src"], lammps.WRITES, {"in.melt": lambda _: lammps.MELT}, 4,
            ["-in", "in.melt", "-log", "none"], ["--mem=32M"], "dump.melt", prints="NUMBER OF ATOMS\n256", always=False),
    # Messages of growing length between two ranks: which ones, not how long they take.
    Program("netpipe", "netpipe", "src/netpipe.c src/mpi.c", ["-DMPI", "-DFINAL", "-I{src}/src"], {}, {}, 2, ["-u", "200", "-n", "3", "-o", "np.out"],
            results="np.out", differs=r"(?m)(?<=\d) +.*", prints="96", always=False),
]


def is_fortran(program):
    return re.search(r"\.f(90)?\b", " ".join([program.files, *program.beside.values()]))


def build(program, source, compilers, folder, cache):
    """The program, compiled in a folder of its own by the one of `compilers` (commands, by language) that links it; exits where that fails."""
    if program.configure:
        return configure(program, source, compilers, folder)
    folder.mkdir(parents=True, exist_ok=True)
    beside = sources.bring_beside(program, cache)
    for name, text in program.writes.items():
        (folder / name).write_text(text(source) if callable(text) else text)
    files = [path for pattern in program.files.split() for path in sorted(source.glob(pattern))]
    files += sources.files_beside(program, beside)
    suffixes = {path.suffix for path in files}
    language = "fortran" if suffixes & {".f", ".f90"} else "c++" if suffixes & {".cc", ".cpp"} else "c"
    options = sources.words(program, source, beside)
    call(program, [*map(str, compilers[language]), "-w", "-I.", *options, *files, "-o", program.name, "-lm"], folder)
    return folder / program.name


def configure(program, source, compilers, folder):
    """As users do: CC=... ./configure && make, in a copy, for packages like these build among their sources."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder, symlinks=True)
    for script in folder.rglob("configure"):
        script.chmod(0o755)         # as the tarball has it
    said = {"CC": compilers["c"], "CXX": compilers["c++"], "FC": compilers["fortran"], "F77": compilers["fortran"]}
    words = [f"{name}={' '.join(map(str, command))}" for name, command in said.items()]
    top = folder / program.configure.folder
    call(program, ["./configure", "-q", *words, *program.options], top)
    for where, targets in program.configure.targets:
        call(program, ["make", "-s", "-j2", *targets], top / where)
    return top / program.configure.product


def call(program, command, folder):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        sys.exit(f"{program.name}: {command[0]} fails:\n{done.stdout[-1000:]}{done.stderr[-3000:]}")


def results(program, source, command, folder):
    """{file: its lines} of what a run leaves."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, what in program.inputs.items():
        (folder / name).write_text((source / what).read_text() if isinstance(what, Path) else what(source) if callable(what) else what)
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
                                      (("c", "mpicc"), ("c++", "mpicxx"), ("fortran", "mpif90"))}, work / "native", cache)
    ours = build(program, source, {name: [mogmpicc.with_name(tool), "-O0", "--order-time=0.001"] for name, tool in
                                    (("c", "mogmpicc"), ("c++", "mogmpicxx"), ("fortran", "mogmpifort"))}, work / "mog", cache)
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
    options = [word for word in sys.argv[1:] if word.startswith("--")]
    only = {name for word in options if word.startswith("--only=") for name in word.partition("=")[2].split(",")}
    mogrun, mogmpicc, work, cache = (Path(word).absolute() for word in sys.argv[1 + len(options):])
    if not shutil.which("mpicc") or not shutil.which("mpirun"):
        print("skipped: no mpicc, no mpirun")
        return SKIPPED
    asked = [program for program in PROGRAMS if (program.name in only if only else program.always or "--all" in options)]
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
