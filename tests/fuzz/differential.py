"""differential.py: one program on a MIPS machine (qemu-mipsel) and on MOG's devices; what differs.

mogcc compiles it once. The linked MIPS program that it keeps runs under qemu; the executable made of it runs under
mogrun. Both must print the same and end with the same status."""
import os
import signal
import subprocess
from collections import namedtuple
from pathlib import Path

Outcome = namedtuple("Outcome", "stdout stderr status")
LATE = "no end in time"
KILLED = 128        # a status above says by which signal
# qemu dies of this machine's signal, whose number is not always that of MIPS, which mogrun gives.
SIGNALS_OF_MIPS = {signal.SIGBUS: 10}


class Tools:
    """The programs to run, and how long qemu gets (seconds)."""

    def __init__(self, mogcc, mogrun, qemu, timeout):
        self.mogcc, self.mogrun, self.qemu, self.timeout = mogcc, mogrun, qemu, timeout


# What code for lanes can be compiled for here.
CPU = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
LANE_SETS = ["portable"] + ["avx2"] * (" avx2 " in CPU) + ["avx512"] * (" avx512bw " in CPU)


def run(command, timeout, cwd=None, variables=None):
    """Outcome of a command, with `variables` in its environment, too; status LATE if it did not end."""
    process = subprocess.Popen([str(word) for word in command], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True, env={**os.environ, **(variables or {})})
    try:
        stdout, stderr = process.communicate(timeout=timeout)
        status = process.returncode if process.returncode >= 0 else KILLED + SIGNALS_OF_MIPS.get(-process.returncode, -process.returncode)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        stdout, stderr = process.communicate()
        status = LATE
    return Outcome(stdout, stderr, status)


class Program:
    """A source in a folder of its own, with the options that it is compiled with; with `host`, for that device, too."""

    def __init__(self, tools, folder, source, options, host):
        self.tools, self.folder, self.options, self.host = tools, Path(folder), options, host
        self.folder.mkdir(parents=True, exist_ok=True)
        self.source = self.folder / "program.c"
        self.source.write_text(source)

    def compile(self, check=None):
        """mogcc's complaint, or None. With `check`, options, only the source is looked at."""
        output = ["-save-temps", "-w", "--order-time=0.001", *self.options, "-lm", "-o", "program"]
        if check is not None:
            output = [*self.options, *check, "-o", "/dev/null"]
        command = [self.tools.mogcc, "program.c", *output]
        # Without a C++ compiler there is no device host, and mogcc takes a fraction of the time.
        done = run(command, 120, self.folder, None if self.host else {"MOG_CXX": ""})
        return None if done.status == 0 else f"{' '.join(map(str, command))}: status {done.status}\n{done.stderr.decode(errors='replace')}"

    def expected(self):
        elf = self.folder / "program.mog.elf"
        elf.chmod(0o755)
        return run([self.tools.qemu, elf.absolute()], self.tools.timeout, self.folder)

    def got(self, way):
        """Outcome of mogrun with options `way`. Interpreters are slower than qemu, which ended in time."""
        return run([self.tools.mogrun, "-n", "1", *way, self.folder.absolute() / "program"], 60 + 30 * self.tools.timeout, self.folder)


def same(a, b):
    """True if two outcomes, of qemu and of mogrun, agree. What killed a program, each says in words of its own."""
    killed = isinstance(a.status, int) and a.status > KILLED
    # qemu 7 loses the code of conditional traps, so that a division by zero is a SIGTRAP; Linux sends SIGFPE.
    divided = a.status == KILLED + signal.SIGTRAP and b.status == KILLED + signal.SIGFPE and b"divides by zero" in b.stderr
    return (a.status == b.status or divided) and a.stdout == b.stdout and (killed or a.stderr == b.stderr)


def host_engine(rng):
    """An engine for the device host, and what mogcc shall compile for it: as much as that engine needs, for it takes most of the time."""
    engine = rng.choice(["auto"] * 5 + ["blocks"] * 2 + ["switch", "more blocks", "sequence", "lanes"])
    if engine == "auto":
        return engine, []
    simd = f"--simd={rng.choice(LANE_SETS)}" if engine == "lanes" else "--simd=none"
    build_time = {"blocks": 0.25, "more blocks": 2, "lanes": 0.1}.get(engine, 0)
    return engine.removeprefix("more "), [f"--build-time={build_time}", simd]


def ways(rng, host, opencl):
    """The runs that each program is compared in: options of mogrun. `host`: the engine there, or nothing."""
    result = [["--device=reference"], ["--device=reference", f"--slice={rng.choice([1, 2, 7, 100, 5003]) + rng.randrange(5)}"]]
    result += [["--device=host", f"--engine={host}"]] if host else []
    if opencl:
        # Kernels take seconds to compile, so one of the three. With auto: blocks, if mogcc made some for the device host.
        engine = rng.choice([["--engine=auto"], ["--engine=switch"], ["--engine=sequence", f"--warp={rng.choice([1, 8, 32])}"]])
        result.append(["--device=opencl", *engine])
    return result
