"""others.py: measures the programs of others_table.py: natively, under qemu, as WebAssembly, and as many equal PEs on MOG's devices.

A figure is the processor time of one instance, start-up included: of qemu and native code that of a process, of MOG and wasmtime that of
the process that runs all of them, divided by their number. On a GPU, where processor time says nothing, it is wall time.
"""
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

import others_table
from backends import compile_for_mog, is_gpu, with_lanes
from catalogue import ROOT
from processes import json_of, run
from throughput import Wrong

sys.path[:0] = [str(ROOT / "tests" / "real"), str(ROOT / "tests")]
import oracle  # noqa: E402
import sources  # noqa: E402

CACHE = ROOT / ".cache" / "real"        # that of tests/real: nothing is brought twice
NATIVE_RUNS = 5                         # in a sample: they are short
WASI = Path("/usr/include/wasm32-wasi")
WASI_HERE = ROOT / "bench" / "wasi"
# Without the folders of this machine's own C library, where clang would look too.
WASI_COMPILER = ["clang", "--target=wasm32-wasi", "-nostdlibinc", "-isystem", WASI, "-isystem", WASI_HERE, "-D_GNU_SOURCE",
                 "-D_WASI_EMULATED_SIGNAL", "-D_WASI_EMULATED_PROCESS_CLOCKS", "-D_WASI_EMULATED_MMAN", "-D_WASI_EMULATED_GETPID"]
WASI_LIBRARIES = [WASI_HERE / "missing.c", *(f"-lwasi-emulated-{what}" for what in ("signal", "process-clocks", "mman", "getpid"))]
INSTANCES = Path(__file__).resolve().parent / "wasm_instances.py"


class Unbuilt(Exception):
    """A way cannot have a program, and why."""


def choose(names):
    table = others_table.PROGRAMS
    unknown = set(names or []) - {p.name for p in table}
    if unknown:
        raise SystemExit(f"bench: no program {', '.join(sorted(unknown))}; there are {', '.join(p.name for p in table)}")
    return [p for p in table if not names or p.name in names]


class Project:
    """A program laid out for compilers, and the folder that its runs find themselves in."""

    def __init__(self, program, work):
        self.program = program
        source = sources.fetch(program.source.package, CACHE)
        self.version = source.name
        self.work = work / program.name
        self.build, self.data = self.work / "build", self.work / "data"
        for folder in (self.build, self.data):
            folder.mkdir(parents=True)
        self.files = sources.lay_out(program.source, source, self.build)
        self.options = sources.words(program.source, source)
        digest = hashlib.sha256(repr(program.source).encode() + program.arguments.encode())
        for name, content in program.inputs.items():
            content = content if isinstance(content, bytes) else content(source)
            (self.data / name).write_bytes(content)
            digest.update(content)
        self.identity = f"{self.version}, {digest.hexdigest()[:12]}"
        words, _, stdin = program.arguments.partition("< ")
        self.arguments, self.stdin = words.split(), self.data / stdin.strip() if stdin else None

    def compile(self, compiler, name, *libraries):
        """Seconds of processor time; the program is WORK/NAME. Raises Unbuilt."""
        done = run([*compiler, "-O2", "-w", "-I.", *self.options, *self.files, "-o", self.work / name, *libraries, "-lm"], check=False,
                   folder=self.build)
        if done.status != 0:
            complaints = [line for line in done.stderr.splitlines() if re.search("error|undefined|cannot", line)]
            raise Unbuilt((complaints or done.stderr.splitlines() or [f"status {done.status}"])[0].replace(str(CACHE), "")[:200])
        return done.processor

    def run(self, command):
        """A Done whose stdout is bytes: standard output, and the file that the program leaves."""
        left = self.data / self.program.leaves if self.program.leaves else None
        if left:
            left.unlink(missing_ok=True)
        printed = self.work / "stdout"
        with open(printed, "wb") as out, open(self.stdin or os.devnull, "rb") as stdin:
            done = run(command, check=False, folder=self.data, stdin=stdin, stdout=out, text=False)
        file = left.read_bytes() if left and left.exists() else b""
        return done._replace(stdout=printed.read_bytes(), stderr=done.stderr.decode(errors="replace")), file


class Way:
    """How programs are compiled and run; `name` is the column's."""
    on_gpu = False

    def __init__(self, name):
        self.name = name

    def why_not(self):
        """Why this machine cannot do it, in a line; None if it can."""

    def build(self, project):
        """Seconds of the compiler. Raises Unbuilt."""

    def check(self, project, expected):
        """Runs and compares every instance's output; raises Wrong."""

    def sample(self, project, expected):
        """Processor and wall time of an instance, in seconds. Raises Wrong."""


class Process(Way):
    """One instance at a time, each a process."""

    def __init__(self, name, compiler, before=(), often=1):
        super().__init__(name)
        self.compiler, self.before, self.often = compiler, before, often

    def why_not(self):
        missing = [tool for tool in (self.compiler[0], *self.before) if not shutil.which(tool)]
        return f"no {' and no '.join(missing)}" if missing else None

    def build(self, project):
        return project.compile(self.compiler, self.name)

    def run(self, project):
        return project.run([*self.before, project.work / self.name, *project.arguments])

    def check(self, project, expected):
        compare(project, self.name, expected, *self.run(project))

    def sample(self, project, expected):
        runs = [self.run(project) for _ in range(self.often)]
        for done in runs:
            compare(project, self.name, expected, *done)
        return sum(d.processor for d, _ in runs) / self.often, sum(d.wall for d, _ in runs) / self.often


class Wasm(Way):
    """Instances in one process, by wasmtime's Python package; compiled by clang with wasi-libc, and to machine code beforehand."""

    def __init__(self, count):
        super().__init__("wasmtime")
        self.count = count

    def why_not(self):
        if not all(shutil.which(tool) for tool in ("clang", "wasm-ld")):
            return "no clang and wasm-ld; Debian has them in clang and lld"
        if not WASI.is_dir():
            return "no C library; Debian has it in wasi-libc and libclang-rt-dev-wasm32"
        if run([sys.executable, "-c", "import wasmtime"], check=False).status != 0:
            return f"{sys.executable} has no package wasmtime (PyPI has it; a virtual environment will do)"
        return None

    def build(self, project):
        seconds = project.compile(WASI_COMPILER, "program.wasm", *WASI_LIBRARIES)
        done = run([sys.executable, INSTANCES, "--compile", project.work / "program.wasm", project.work / "program.cwasm"], check=False)
        if done.status != 0:
            raise Unbuilt((done.stderr.strip().splitlines() or ["wasmtime does not compile it"])[-1])
        return seconds + done.processor

    def run(self, project):
        outputs = project.work / "outputs"
        shutil.rmtree(outputs, ignore_errors=True)
        outputs.mkdir()
        done, file = project.run([sys.executable, INSTANCES, project.work / "program.cwasm", self.count, project.data, outputs,
                                  project.stdin or "", *project.arguments])
        return done, [(outputs / str(n)).read_bytes() if (outputs / str(n)).exists() else b"" for n in range(self.count)], file

    def check(self, project, expected):
        self.sample(project, expected)

    def sample(self, project, expected):
        done, outputs, file = self.run(project)
        for number, output in enumerate(outputs):
            compare(project, f"{self.name}, instance {number}", expected, done._replace(stdout=output), file)
        return done.processor / self.count, done.wall / self.count


class Mog(Way):
    """Equal PEs of a device."""

    def __init__(self, tools, device, engine, of_mogcc, caches, pes):
        super().__init__("/".join([device, engine]) + "".join(f" {word}" for word in of_mogcc))
        self.tools, self.device, self.engine, self.of_mogcc, self.caches, self.pes = tools, device, engine, of_mogcc, caches, pes
        self.about = {}

    def suffix(self):
        return "mog" + re.sub(r"\W+", "-", "".join(self.of_mogcc + ((with_lanes(),) if self.engine == "lanes" else ())))

    def why_not(self):
        for line in run([self.tools / "mogrun", "--list-devices"], check=False).stdout.splitlines():
            name, _, description = line.partition(" ")
            if self.device in (name, name.partition(":")[0]):
                self.on_gpu = is_gpu(self.device, description)
                return None
        return f"no {self.device} here"

    def build(self, project):
        """Other devices and engines have the same executable."""
        if (project.work / self.suffix()).exists():
            return None
        lanes = [with_lanes()] if self.engine == "lanes" else []
        return project.compile([self.tools / "mogcc", *self.of_mogcc, *lanes], self.suffix())

    def run(self, project, *options):
        stdin = ["--stdin=all"] if project.stdin else []
        return project.run(["env", *(f"{k}={v}" for k, v in self.caches.items()), self.tools / "mogrun", "-n", self.pes,
                            f"--device={self.device}", f"--engine={self.engine}", "--stats=json", *stdin, *options,
                            project.work / self.suffix(), *project.arguments])

    def check(self, project, expected):
        done, file = self.run(project, "--tag-output")
        native, _ = expected
        outputs = oracle.untag(done.stdout, self.pes)
        for rank in range(self.pes):
            compare(project, f"{self.name}, PE {rank}", (native._replace(stdout=oracle.ended(native.stdout)), expected[1]),
                    done._replace(stdout=oracle.ended(outputs[rank])), file)
        self.about[project.program.name] = json_of(done.stderr).get("engine")

    def sample(self, project, expected):
        """Without tags lines are mixed: compared as a bag, which is as good once check() was right."""
        done, file = self.run(project)
        native, left = expected
        bags = Counter(native.stdout.split(b"\n")), Counter(done.stdout.split(b"\n"))
        if native.stdout.endswith(b"\n") and b"\0" not in native.stdout:
            same = all(bags[1][line] == count * self.pes for line, count in bags[0].items() if line)
        else:       # bytes that are no lines meet those of others anywhere
            same = len(done.stdout) in (len(native.stdout) * self.pes, len(oracle.ended(native.stdout)) * self.pes)
        if not same or done.status != native.status or file != left:
            raise Wrong(f"{project.program.name} on {self.name}: not {self.pes} times what native code does; status {done.status}\n{done.stderr[-600:]}")
        wall = json_of(done.stderr).get("run_seconds", done.wall) if self.on_gpu else done.wall
        return (wall if self.on_gpu else done.processor) / self.pes, wall / self.pes


class FirstRun(Mog):
    """A program that nobody ran before, where others have been run: each run finds in the caches what a program leaves there that does
    nothing."""

    def __init__(self, *about):
        super().__init__(*about)
        self.name += " first"
        self.of_others = None

    def run(self, project, *options):
        if not self.of_others:
            self.of_others = project.work.parent / re.sub(r"\W+", "-", self.name)
            compile_for_mog(self.tools, project.work.parent, "small")
            run([self.tools / "mogrun", "-n", 2, f"--device={self.device}", f"--engine={self.engine}", project.work.parent / "small"],
                env=self.fresh(self.of_others))
        with tempfile.TemporaryDirectory(dir=project.work) as folder:
            shutil.copytree(self.of_others, folder, dirs_exist_ok=True)
            self.caches = self.fresh(folder)
            return super().run(project, *options)

    def fresh(self, folder):
        """The caches, in a folder of their own."""
        caches = {name: os.path.join(folder, Path(of_all).name) for name, of_all in self.caches.items()}
        for cache in caches.values():
            os.makedirs(cache, exist_ok=True)
        return caches


def compare(project, where, expected, done, file):
    native, left = expected
    if done.status != native.status:
        raise Wrong(f"{project.program.name} on {where}: status {done.status}, natively {native.status}\n{done.stderr[-600:]}")
    for what, a, b in (("output", native.stdout, done.stdout), ("file", left, file)):
        if a != b:
            raise Wrong(f"{project.program.name} on {where}: another {what}:\n{oracle.difference(a, b, ('native', where))[:2000]}")


def ways(tools, devices, engines, of_mogcc, caches, pes, first_runs, say):
    """Those that this machine has; the others are told to `say`. `of_mogcc`: tuples of options, a column each, or two with `first_runs`."""
    kinds = [Mog, FirstRun] if first_runs else [Mog]
    found = [Process("native", ["gcc"], often=NATIVE_RUNS), Process("qemu", ["mipsel-linux-gnu-gcc", "-static"], ["qemu-mipsel"]), Wasm(pes)]
    found += [kind(tools, device, engine, words, caches, pes)
              for device in devices for engine in engines for words in of_mogcc for kind in kinds]
    reasons = {way.name: way.why_not() for way in found}
    for name, reason in reasons.items():
        if reason:
            say(f"skipped: {name}: {reason}")
    return [way for way in found if not reasons[way.name]]


class Measurement:
    """One program on all ways. Not every way has every program: what is left out is told, and counts nowhere."""

    def __init__(self, program, all_ways, work):
        self.program, self.project = program, Project(program, work)
        self.ways, self.left_out, self.compilers = [], {}, {}
        for way in all_ways:
            try:
                seconds = way.build(self.project)
            except Unbuilt as reason:
                # Native code and MOG are what it is about.
                if not isinstance(way, Wasm):
                    raise Wrong(f"{program.name} on {way.name} does not compile: {reason}") from None
                self.left_out[way.name] = str(reason)
                continue
            self.ways.append(way)
            if seconds is not None:
                self.compilers[way.name] = seconds
        self.expected = self.ways[0].run(self.project)
        native, left = self.expected
        if native.status != program.status or not native.stdout + left:
            raise Wrong(f"{program.name} natively: status {native.status}, {len(native.stdout)} bytes of output\n{native.stderr[-600:]}")

    def check(self):
        for way in self.ways[1:]:
            way.check(self.project, self.expected)

    def measure(self, samples):
        """As bench/run writes it. Samples are taken in turns, so that a busy machine is unfair to nobody."""
        self.check()
        rows = {way.name: {"on_gpu": way.on_gpu, "processor_seconds": [], "wall_seconds": []} for way in self.ways}
        for _ in range(samples):
            for way in self.ways:
                processor, wall = way.sample(self.project, self.expected)
                rows[way.name]["processor_seconds"].append(processor)
                rows[way.name]["wall_seconds"].append(wall)
        for way in self.ways:
            if isinstance(way, Mog):
                rows[way.name]["engine"] = way.about.get(self.program.name)
        return {"kind": self.program.kind, "about": self.program.about, "version": self.project.identity, "backends": rows,
                "left_out": self.left_out, "compiler_seconds": self.compilers}
