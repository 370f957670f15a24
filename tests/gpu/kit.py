"""kit.py: makes a folder with everything that scripts/test-gpu runs, for machines with a card but without MIPS compilers.

    bin/ lib/           mogrun, the library's test, libmog
    images/             programs without code for the processor; gpu/: what only exists with nvcc's code in it
    prebuilt/           the bench's programs; mpi/: those of bench/mpi
    tests/ examples/ bench/   sources, inputs and expectations
    kit.json            what the reference machine makes of each program
"""
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import oracle

MANY = 40       # more than a warp
GOLDENS = {"faults": ("faults_O0_g", "faults_O0", "faults_O2_g", "faults_O2", "calls_O0_g", "calls_O0", "calls_O2_g", "calls_O2", "faults"),
           "mpi": ("endings", "own_endings", "file_rules")}


def cases(root, only=()):
    """All programs of the tests and the examples that any number of PEs may run."""
    found = []
    for source in sorted((root / "tests/programs").glob("*.c")) + sorted((root / "examples").glob("*/*.c")):
        beside = root / "tests/programs/examples" if "examples" in source.parts[-3] else None
        if not only or any(word in source.stem for word in only):
            found.append(oracle.Case(source, beside))
    return found


def mpi_cases(root, only=()):
    """(source, expected output, numbers of ranks) of programs of MPI, which print the same whatever runs them."""
    found = [(source, source.with_suffix(".out"), (1, 4, 64)) for source in sorted((root / "tests/mpi").glob("*.c"))]
    found += [(source, source.parent / "expected.txt", (4, 64, 1024)) for source in sorted((root / "examples/mpi").glob("*/*.c"))]
    return [row for row in found if row[1].exists() and (not only or any(word in row[0].stem for word in only))]


def golden_tests(root, folder, only=()):
    """What goes wrong, and what is said then. Those that compile programs of their own want mogcc, which is not in the kit."""
    return [golden for golden in sorted((root / "tests" / folder).glob("*.test"))
            if golden.stem != "watched" and not re.search(r"^\$ mogcc", golden.read_text(), re.MULTILINE)
            and (not only or any(word in golden.stem for word in only))]


def golden_programs(root, folder, only=()):
    """Those of GOLDENS that the tests name."""
    words = {word for golden in golden_tests(root, folder, only) for word in re.findall(r"\w+", golden.read_text())}
    return [name for name in GOLDENS[folder] if name in words]


def as_json(outcome):
    return {**outcome._asdict(), "stdout": base64.b64encode(outcome.stdout).decode(), "stderr": base64.b64encode(outcome.stderr).decode()}


def from_json(row):
    return oracle.Outcome(**{**row, "stdout": base64.b64decode(row["stdout"]), "stderr": base64.b64decode(row["stderr"])})


class Maker:
    """Makes a kit of a build. `chosen`: the command line; only the sections that it names get what they want."""

    def __init__(self, chosen, root, folder):
        self.chosen, self.root, self.folder = chosen, root, folder.resolve()
        self.build = chosen.build.resolve()
        self.tools = self.build / "bin"

    def make(self):
        for name in ("bin", "lib", "images/gpu", "prebuilt", "isa", "tests"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        shutil.copy(self.tools / "mogrun", self.folder / "bin")
        shutil.copy(self.root / "scripts/test-gpu", self.folder / "test-gpu")
        for name in ("tests/oracle.py", "tests/kept.py", "tests/run_golden.py"):
            shutil.copy(self.root / name, self.folder / name)
        for name in ("tests/gpu", "tests/programs", "tests/mpi", "tests/faults", "examples", "bench"):
            shutil.copytree(self.root / name, self.folder / name, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("__pycache__", "results"))
        facts = {"commit": self.commit(), "expected": {}}
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            if "programs" in self.chosen.section:
                facts["expected"] = dict(pool.map(self.program, cases(self.root, self.chosen.only)))
            if "mpi" in self.chosen.section:
                sources = [source for source, _, _ in mpi_cases(self.root, self.chosen.only)]
                list(pool.map(lambda source: self.image(source, source.stem, folder="images/mpi"), sources))
            for folder in GOLDENS if "goldens" in self.chosen.section else ():
                list(pool.map(lambda name, folder=folder: self.golden_program(folder, name), golden_programs(self.root, folder, self.chosen.only)))
        for section, work in (("instructions", self.instructions), ("library", self.library), ("sources", self.sources),
                              ("bench", self.bench)):
            if section in self.chosen.section:
                work()
        if {"sanitizer", "service"} & set(self.chosen.section):
            self.service()
        (self.folder / "kit.json").write_text(json.dumps(facts))

    def commit(self):
        done = subprocess.run(["git", "-C", self.root, "describe", "--always", "--dirty"], capture_output=True, text=True)
        return done.stdout.strip() or "unknown"

    def run(self, command, **more):
        """Runs a compiler or its like; what it says if it fails, None if not."""
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
        return done.stdout + done.stderr if done.returncode != 0 else None

    def must(self, command, **more):
        if (complaint := self.run(command, **more)) is not None:
            sys.exit(f"test-gpu: {' '.join(map(str, command))} fails:\n{complaint}")

    def image(self, source, name, *options, folder="images", kind=("--emit=image",)):
        """Without code for the CPU: the reference machine says what is right."""
        image = self.folder / folder / name
        image.parent.mkdir(parents=True, exist_ok=True)
        self.must([self.tools / "mogcc", "-O2", "-std=gnu17", "-w", "--order-time=0.1", *kind, *options, source.name, "-lm", "-o", image],
                  env={**os.environ, "MOG_CXX": ""}, cwd=source.parent)
        print(f"{name}: made", flush=True)
        return image

    def program(self, case):
        image = self.image(case.source, case.name, *case.options)
        return case.name, {str(count): as_json(outcome_of(self.chosen, case, self.folder / "bin/mogrun", image, "reference", count))
                           for count in (1, MANY)}

    def golden_program(self, folder, name):
        """NAME is PROGRAM_O2_g: what mogcc is told; or PROGRAM alone."""
        program, given, level = name.partition("_O")
        options = [f"-{word}" for word in f"O{level}".split("_")] if given else ["-O0" if folder == "faults" else "-O1", "-g"]
        source = self.root / "tests" / folder / f"{program}.c"
        self.image(source, name, *options, f"-fdebug-prefix-map={source.parent}=.", folder=f"images/{folder}", kind=())

    def instructions(self):
        for name in ("isa_effects", "isa_random"):
            shutil.copy(self.tools / name, self.folder / "isa")
        shutil.copy(self.root / "tests/isa/ops.txt", self.folder / "isa")

    def library(self):
        shutil.copy(self.tools / "embed_test", self.folder / "bin")
        for library in (self.build / "lib").glob("libmog.so*"):
            shutil.copy(library, self.folder / "lib")
        self.image(self.root / "tests/embed/subject.c", "subject", "-g", folder="images/library", kind=())

    def sources(self):
        """Machine code that nvcc makes beforehand: in an executable, and in a host of its own."""
        hello, host = self.root / "examples/hello/hello.c", self.root / "examples/embedding/cuda"
        no_nvcc = self.run([self.tools / "mogcc", "-O2", "--device=cuda", hello, "-o", self.folder / "images/gpu/hello"])
        if no_nvcc is not None:
            print(f"machine code by nvcc is left out: {no_nvcc.strip()}")
            return
        with tempfile.TemporaryDirectory(prefix="mog-kit-") as work:
            work = Path(work)
            self.must(["cmake", "--install", self.build, "--prefix", work / "mog"])
            shutil.copytree(host.parent, work / "embedding")
            nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
            self.must(["make", "-C", work / "embedding/cuda", "host", f"NVCC={nvcc}", "NVCCFLAGS=-O2 -std=c++17 -arch=all-major"],
                      env={**os.environ, "PKG_CONFIG_PATH": str(work / "mog/lib/pkgconfig")})
            shutil.copy(work / "embedding/cuda/host", self.folder / "images/gpu/host")

    def service(self):
        """Programs of this folder, and one that does nothing."""
        self.image(self.root / "bench/programs/small.c", "small", folder="images/service")
        for source in sorted((self.root / "tests/gpu").glob("*.c")):
            self.image(source, source.stem, folder="images/service")

    def bench(self):
        self.must([self.root / "bench/run", "--build", self.build, "--prebuild", self.folder / "prebuilt"])
        self.must([self.root / "bench/mpi/run", "--build", self.build, "--prebuild", self.folder / "prebuilt/mpi"],
                  env={**os.environ, "MOG_CXX": ""})


def outcome_of(chosen, case, mogrun, image, device, count, *options):
    """What a program does; with many PEs by rank, and in slices so short that PEs are stopped in the middle of everything."""
    chosen.opencl, chosen.run_option, chosen.mogrun = [], [], mogrun
    command = oracle.mogrun(chosen, case, count, device, image)
    command[1:1] = options
    with tempfile.TemporaryDirectory(prefix="mog-gpu-") as folder:
        return oracle.Runner(chosen).run(case, Path(folder) / "run", command)
