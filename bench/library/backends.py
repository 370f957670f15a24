"""backends.py: the ways to run a bench program: natively, under qemu, on each device with each engine, as a kernel by nvcc."""
import functools
import os
import shutil
from pathlib import Path

from catalogue import compiler_for, source_of
from processes import cores, json_of, run

# All that a mogrun may know; what a build or device does not have is said and left out.
ENGINES = ("sequence", "switch", "blocks", "lanes", "auto")
NO_CONTRACTION = "-ffp-contract=off"    # everywhere, or floats would not be the same


def with_lanes():
    """mogcc's option for code for lanes, also in a program that has no loop for them: for the best that the processor has, as mogrun
    would say, or $MOG_SIMD if that is less."""
    flags = Path("/proc/cpuinfo").read_text().split() if Path("/proc/cpuinfo").exists() else []
    sets = ["none", "portable"] + ["avx2"] * ("avx2" in flags) + ["avx512"] * ("avx512vl" in flags and "avx512bw" in flags)
    named = os.environ.get("MOG_SIMD", "")
    return f"--simd={named if named in sets else sets[-1]}"


def is_gpu(device, description):
    """Whether processor time says nothing about a device; the description is what mogrun tells of it."""
    return device.startswith("cuda") or device.startswith("opencl") and not ("pthread" in description or "cpu" in description.lower())


class Backend:
    """How to build and run programs one way. `name` is the column's: "native", "host/switch", ..."""

    def __init__(self, name, work):
        self.name, self.work = name, work
        self.on_gpu = False     # then processor time says nothing

    def ranks(self, pes):
        return pes

    def build(self, name):
        """Compiles a bench program; options of all compilers are alike."""

    def command(self, name, ranks):
        raise NotImplementedError

    def environment(self, ranks, repeats):
        return {"BENCH_RANKS": str(ranks), "BENCH_WORKERS": str(cores()), "BENCH_REPEATS": str(repeats)}

    def run(self, name, ranks, repeats=1, check=True):
        return run(self.command(name, ranks), self.environment(ranks, repeats), check)


class Native(Backend):
    def build(self, name):
        run([*compiler_for(name), "-O2", NO_CONTRACTION, source_of(name), "-o", self.work / f"{name}.native", "-lm"])

    def command(self, name, ranks):
        return [self.work / f"{name}.native"]


class Qemu(Backend):
    def build(self, name):
        run([*compiler_for(name, "mipsel-linux-gnu-"), "-O2", NO_CONTRACTION, "-static", source_of(name), "-o", self.work / f"{name}.mipsel", "-lm"])

    def command(self, name, ranks):
        return ["qemu-mipsel", self.work / f"{name}.mipsel"]


class Mog(Backend):
    """mogrun with an engine on a device. All run the same executable, which compile_for_mog() makes beforehand; one with a `suffix`
    compiles its own, with other options of mogcc."""

    def __init__(self, tools, work, device, engine, caches, options=(), suffix="", of_mogcc=()):
        super().__init__((device if device == "reference" else f"{device}/{engine}") + suffix, work)
        self.tools, self.device, self.engine, self.caches, self.options = tools, device, engine, caches, options
        self.suffix, self.of_mogcc = suffix, of_mogcc

    def build(self, name):
        if self.suffix:
            compile_for_mog(self.tools, self.work, name, *self.of_mogcc, suffix=self.suffix)

    def ranks(self, pes):
        """The reference machine is slow: fewer."""
        return min(1024, max(1, pes // 8)) if self.device == "reference" else pes

    def command(self, name, ranks):
        engine = [] if self.device == "reference" else [f"--engine={self.engine}"]
        return [self.tools / "mogrun", "-n", ranks, f"--device={self.device}", *engine, "--stats=json", *self.options, self.work / f"{name}{self.suffix}"]

    def environment(self, ranks, repeats):
        return {**super().environment(ranks, repeats), **self.caches}

    def why_not(self, probe):
        """Why this build or machine cannot run a program that has been compiled, in a line; None if it can."""
        done = self.run(probe, 1, check=False)
        if done.status == 0:
            about = json_of(done.stderr).get("device_description", "")
            self.on_gpu = is_gpu(self.device, about)
            return None
        return (done.stderr.strip().splitlines() or [f"status {done.status}"])[0]


# A folder with the compiled programs, for machines without MIPS compilers; None: they are compiled here.
prebuilt = None


@functools.cache
def compile_for_mog(tools, work, name, *options, suffix=""):
    """Compiles a bench program to WORK/NAME SUFFIX, or takes it from `prebuilt`, once; seconds."""
    if prebuilt:
        if not (prebuilt / f"{name}{suffix}").exists():
            raise SystemExit(f"bench: no {name}{suffix} in {prebuilt}; bench/run --prebuild FOLDER makes such a folder")
        shutil.copy(prebuilt / f"{name}{suffix}", work / f"{name}{suffix}")
        return 0.0
    return run([tools / "mogcc", *compiler_for(name)[1:], "-O2", NO_CONTRACTION, *options, source_of(name), "-o", work / f"{name}{suffix}", "-lm"]).wall


class Kernel(Backend):
    """The same source as a CUDA kernel by nvcc, one thread per rank."""

    def __init__(self, work):
        super().__init__("nvcc", work)
        self.on_gpu = True

    def build(self, name):
        run(["nvcc", "-x", "cu", "-O2", "-arch=native", "--fmad=false", source_of(name), "-o", self.work / f"{name}.cuda"])

    def command(self, name, ranks):
        return [self.work / f"{name}.cuda"]

    def why_not(self, _probe):
        if not shutil.which("nvcc"):
            return "no nvcc"
        if not shutil.which("nvidia-smi") and not os.path.exists("/dev/nvidia0"):
            return "no NVIDIA device"
        try:
            self.build("scale")
        except SystemExit as failed:
            return str(failed).splitlines()[-1]
        done = self.run("scale", 1, check=False)
        return None if done.status == 0 else done.stderr.strip()


def has_cuda(tools):
    """Whether mogrun finds a CUDA device."""
    return any(line.startswith("cuda:") for line in run([tools / "mogrun", "--list-devices"]).stdout.splitlines())


def find(tools, work, devices, engines, caches, say, probe, kernels=True):
    """All backends that can run `probe`, a program compiled for MOG; the others are told to `say`. `kernels`: also nvcc's, beside a card."""
    found = [Native("native", work)]
    if shutil.which("qemu-mipsel") and shutil.which("mipsel-linux-gnu-gcc"):
        found.append(Qemu("qemu", work))
    else:
        say("skipped: qemu: no qemu-mipsel or mipsel-linux-gnu-gcc")
    for device in devices:
        for engine in ["auto"] if device == "reference" else engines:
            backend = Mog(tools, work, device, engine, caches)
            reason = backend.why_not(probe)
            if reason:
                say(f"skipped: {backend.name}: {reason}")
            else:
                found.append(backend)
    if not kernels or not any(d.startswith(("cuda", "opencl")) for d in devices):
        return found
    kernel = Kernel(work)
    reason = kernel.why_not(probe)
    if reason:
        say(f"skipped: {kernel.name}: {reason}")
    else:
        found.append(kernel)
    return found
