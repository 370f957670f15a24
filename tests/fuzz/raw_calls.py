"""raw_calls.py: runs of raw_calls.c, a program that makes system calls or calls of the MPI engine at random: whatever it does, mogrun has to end
in time, by itself, with a status that is a program's, within its memory, and nothing outside of --root may have changed."""
import os
import random
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import oracle

KINDS = ("syscalls", "mpi")
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
MEBI = 1 << 20
ENDS = range(64, 96)            # what PEs exit with, and pass to MPI_Abort
LIMIT, DEADLOCK = 124, 1        # --timeout and --fuel; PEs that wait for each other, or output that could not be written
SIGNALS = range(129, 256)       # of PEs; MIPS has 127
ENGINES = {"reference": [None], "host": ["switch", "sequence", "blocks", "lanes"], "opencl": [None], "cuda": [None]}
WEIGHTS = {"reference": 8, "host": 8, "opencl": 1, "cuda": 1}
# How many MiB beside the PEs' memory are still right. Sanitizers want more.
MEMORY = {"reference": 300, "host": 300, "opencl": 1200, "cuda": 600}
WORLD = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


def tree(folder, without=()):
    """What is there: name, and all that a program could have changed."""
    seen = {}
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if Path(parent, name) not in without]
        for name in [".", *folders, *files]:
            path = Path(parent, name)
            status = path.lstat()
            what = [status.st_mode, status.st_uid, status.st_gid, status.st_nlink, status.st_mtime_ns, status.st_ino]
            if path.is_symlink():
                what.append(os.readlink(path))
            elif path.is_file():
                with open(path, "rb") as file:
                    what += [status.st_size, file.read(1 << 16)]
            seen[str(path)] = what
    return seen


def make_room(work):
    """A folder for the PEs, and beside it what they must not reach."""
    if work.exists():
        subprocess.run(["chmod", "-R", "u+rwx", work], stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(work)
    root, outside = work / "root", work / "outside"
    for folder in (root / "d/e", outside / "folder", work / "products"):
        folder.mkdir(parents=True)
    (outside / "secret").write_text("secret\n" * 20)
    (root / "a").write_text("text\n" * 2000)
    (root / "f").write_bytes(bytes(range(256)))
    for name, target in (("link", "a"), ("out", "../outside/secret"), ("abs", str(outside)), ("loop", "loop"), ("self", ".")):
        (root / name).symlink_to(target)
    os.mkfifo(root / "fifo")
    try:
        os.mknod(root / "zero", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        pass      # only a system's administrator makes devices


class Case:
    """One run, made of its kind and seed alone."""

    def __init__(self, kind, seed, options):
        rng = random.Random(f"raw:{kind}:{seed}")
        self.kind, self.seed = kind, seed
        weights = [WEIGHTS[device] for device in options.devices]
        self.device = rng.choices(options.devices, weights)[0]
        heavy = self.device in ("opencl", "cuda")
        self.processes = 2 if kind == "mpi" and options.mpirun and rng.random() < 0.1 else 1
        self.pes = rng.choice([1, 2, 4, 8, 32] if heavy else [1, 2, 3, 4, 5, 8, 8, 16, 64, 64, 300, 1024])
        self.calls = rng.choice([50, 400, 2000, 6000])
        if kind == "mpi":
            self.pes = max(self.pes, 2)
        if self.processes > 1:
            self.pes = min(self.pes, 8)
        # All of a run has an amount of work that is bounded.
        self.calls = max(20, min(self.calls, (10_000 if heavy else 100_000) // self.pes))
        memory = rng.choice(["192K", "256K", "1M"] + ["16M"] * (self.pes <= 8))
        self.memory = self.pes * int(memory[:-1]) * (1024 if memory[-1] == "K" else MEBI)
        self.timeout = rng.choice([0.3, 0.5, 1, 2])
        # Where PEs begin, and what may have changed afterwards.
        self.policy = rng.choice(["root"] * 8 + ["root, read-only", "root, walked", "root, walked", "read-only", "no-files"])
        words = [f"--device={self.device}", f"-n{self.pes}", f"--mem={memory}", f"--timeout={self.timeout}"]
        words += {"root": ["--root=root"], "root, walked": ["--root=root"], "root, read-only": ["--root=root", "--read-only"],
                  "read-only": ["--read-only"], "no-files": ["--no-files"]}[self.policy]
        self.environment = {"MOG_ROOT_WALK": "1"} if self.policy == "root, walked" else {}
        engine = rng.choice(ENGINES[self.device])
        words += [f"--engine={engine}"] if engine else []
        for chance, extra in ((0.1, "--strace"), (0.05, f"--strace=0,{rng.randrange(self.pes)}"), (0.1, "--deterministic"), (0.1, "--tag-output"), (0.2, "--max-files=8"),
                              (0.1, "--on-fault=abort"), (0.1, "--stdin=all"), (0.1, "--stdin=none"), (0.1, "--slice=5000"), (0.1, "--fuel=3M"),
                              (0.1, "--service=concurrent"), (0.05, "--core=first")):
            if rng.random() < chance and not (extra.startswith("--service") and (self.device != "cuda" or "--fuel=3M" in words)):
                words.append(extra)
        if kind == "mpi":
            for chance, extra in ((0.2, "--mpi-check"), (0.2, "--mpi-stats"), (0.1, "--mpi-trace=../products/trace"), (0.1, "--mpi-matrix=../products/matrix"),
                                  (0.3, f"--mpi-eager={rng.choice([0, 64, '1M'])}"), (0.2, f"--mpi-buffer={rng.choice(['4K', '64K'])}")):
                if rng.random() < chance:
                    words.append(extra)
        if "--core=first" in words:
            words.append("--core-dir=../products")
        if self.policy.startswith("root"):
            words = [word.replace("../products", "products") for word in words]
        self.words = words
        self.input = rng.choice(["/dev/null", "outside", "pipe", "closed"])
        self.output = rng.choice(["/dev/null"] * 3 + ["pipe", "/dev/full", "closed"])
        # What files may grow to (ulimit -f): PEs write where they like. mpirun, compilers of kernels and code of lanes want files for themselves:
        # unoptimised and without AVX-512, such code is more than 1 MiB.
        alone = self.processes == 1 and not heavy
        self.file_size = rng.choice([256 * MEBI] * 9 + [MEBI] * alone)
        if engine == "lanes":
            self.file_size = max(self.file_size, 8 * MEBI)
        self.arguments = [kind, str(seed), str(self.calls)] + ["tame"] * (not self.policy.startswith("root"))
        self.has_root = self.policy.startswith("root")

    def command(self, mogrun, program):
        world = ["mpirun", "--oversubscribe", "-np", str(self.processes)] if self.processes > 1 else []
        return [*world, str(mogrun), *self.words, str(program), *self.arguments]


class RawFuzzer:
    """`options` are those of scripts/fuzz, with `devices` and `mpirun`."""

    def __init__(self, options, counts, note):
        self.options, self.counts, self.note = options, counts, note
        self.sanitizer = "thread" if "tsan" in Path(options.mogrun).name else "address" if "asan" in Path(options.mogrun).name else None
        self.slack = 4 if self.sanitizer else 1
        self.folder = tempfile.TemporaryDirectory(prefix="mog-raw-")
        self.work = Path(self.folder.name).resolve()
        self.program = self.work / "raw_calls"
        self.variables = {"MOG_CACHE_DIR": str(self.work / "cache"), "MPLCONFIGDIR": str(self.work)}
        if "cuda" in options.devices:
            self.variables |= {"MOG_CUDA_DRIVER": options.cuda, "MOG_NVRTC": options.cuda}
        if self.sanitizer:
            name = {"address": "ASAN_OPTIONS", "thread": "TSAN_OPTIONS"}[self.sanitizer]
            common = f"exitcode=99:log_path={self.work}/sanitizer:handle_abort=1"
            self.variables |= {name: common + (":quarantine_size_mb=16:detect_leaks=0:detect_stack_use_after_return=0:allocator_may_return_null=1"
                                               if self.sanitizer == "address" else ":history_size=4"),
                               "UBSAN_OPTIONS": f"print_stacktrace=1:{common}"}

    def compile(self):
        """mogcc's complaint, or None."""
        done = subprocess.run([self.options.mogcc, "-O1", "-w", f"-I{ROOT}", "--order-time=0.001", str(HERE / "raw_calls.c"), "-o", str(self.program)],
                              capture_output=True, text=True)
        return None if done.returncode == 0 else done.stderr

    def start(self, case, room):
        folder = room if case.has_root else room / "root"
        command = case.command(Path(self.options.mogrun).resolve(), self.program)
        closed = "".join(f" {stream}" for stream, how in (("<&-", case.input), (">&-", case.output)) if how == "closed")
        if closed and case.processes == 1:
            command = ["sh", "-c", f'exec "$@"{closed}', "sh", *command]
        files = []

        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (case.file_size, case.file_size))

        def opened(path, mode):
            files.append(open(path, mode))
            return files[-1]

        given = {"outside": lambda: opened(room / "outside/secret", "r+"), "pipe": lambda: subprocess.PIPE}
        stdin = given[case.input]() if case.input in given else opened("/dev/null", "r")
        stdout = opened(case.output if case.output.startswith("/") else "/dev/null", "w") if case.output != "pipe" else subprocess.PIPE
        error = opened(self.work / "stderr", "wb")
        process = subprocess.Popen(command, cwd=folder, stdin=stdin, stdout=stdout, stderr=error, bufsize=0, start_new_session=True,
                                   env={**os.environ, **WORLD, **self.variables, **case.environment},
                                   preexec_fn=limit)
        if process.stdin:
            try:
                process.stdin.write(b"a line\n" * 500)
            except BrokenPipeError:
                pass
            if case.seed % 2:
                process.stdin.close()
                process.stdin = None
        if process.stdout:
            process.stdout.close()       # its reader leaves
        for file in files:
            file.close()
        return process

    def run_once(self, case):
        """What is wrong, or None; and the seconds it took."""
        room = self.work / "room"
        make_room(room)
        spared = (room / "products", *((room / "root",) if case.has_root else ()))
        before = tree(room, spared)
        for left in self.work.glob("sanitizer*"):
            left.unlink()
        start = time.monotonic()
        process = self.start(case, room)
        latest = start + case.timeout + self.options.lateness * self.slack + 10 * (case.processes > 1) + 30 * (case.device in ("opencl", "cuda"))
        most = case.memory * (3 if self.sanitizer else 1.3) + MEMORY[case.device] * MEBI * self.slack
        wrong, status, pause, peak = None, None, 0.001, 0
        while status is None:
            pid, ended, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                status, peak = os.waitstatus_to_exitcode(ended), max(peak, usage.ru_maxrss * 1024)
                process.returncode = status
                break
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)
            peak = max(peak, resident(process.pid))
            if time.monotonic() > latest or peak > most + 1024 * MEBI:
                wrong = f"{'uses memory without bound' if peak > most else 'does not end'}: {peak // MEBI} MiB after {time.monotonic() - start:.1f} s"
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                break
        try:
            os.killpg(process.pid, signal.SIGKILL)     # processes of mpirun that stay
        except ProcessLookupError:
            pass
        if process.stdin:
            process.stdin.close()
        reports = [path.read_text(errors="replace") for path in sorted(self.work.glob("sanitizer*"))]
        said = (self.work / "stderr").read_bytes().decode(errors="replace")[-200_000:]
        if reports:
            wrong = summary_of(reports[0])
        elif wrong is None:
            wrong = self.judge(case, status, said, peak, most)
        if wrong is None:
            after = tree(room, spared)
            changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
            if changed:
                wrong = f"changed, under {case.policy}: {changed[0]}"
        return wrong, "\n".join([*reports, said])

    def judge(self, case, status, said, peak, most):
        if status < 0:
            return f"ended by signal {-status}"
        if case.processes > 1 and (found := re.search(r".*exited on signal.*", said)):
            return "mpirun says " + found[0][:200]
        if re.search(r"terminate called|Assertion|\*\*\* stack smashing|free\(\): |malloc\(\): |corrupted ", said):
            return "says " + re.search(r".*(?:terminate called|Assertion|stack smashing|free\(\): |malloc\(\): |corrupted ).*", said)[0][:200]
        if status != 0 and not any(status in allowed for allowed in (ENDS, (DEADLOCK, LIMIT), SIGNALS)):
            last = [line for line in said.splitlines() if "mogrun" in line]
            return f"status {status}" + (f": {last[-1][:200]}" if last else "")
        if status == DEADLOCK and len(said) < case.file_size // 2 and not re.search(r"deadlock|standard output|finalize", said):
            return "status 1, and nothing is said of a deadlock, or of output that could not be written"
        if peak > most:
            return f"uses {peak // MEBI} MiB of memory; {int(most) // MEBI} are right"
        return None

    def check(self, kind, seed):
        case = Case(kind, seed, self.options)
        self.counts["runs"] += 1
        self.counts[f"on {case.device}"] += 1
        wrong, said = self.run_once(case)
        if wrong and "does not end" in wrong:
            wrong, said = self.run_once(case)     # a busy machine is no finding
        if not wrong:
            return
        self.counts["MISMATCHES"] += 1
        folder = Path(self.options.keep) / f"{kind}-{seed}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "said.txt").write_text(said, errors="replace")
        again = f"scripts/fuzz --kind {kind} --seed {seed} --count 1 --mogrun {self.options.mogrun}" + "".join(f" --device {d}" for d in self.options.devices)
        environment = "".join(f"{name}={value} " for name, value in case.environment.items())
        what = f"{environment}{' '.join(case.command('mogrun', 'raw_calls'))} (standard input: {case.input}, output: {case.output}, ulimit -f: {case.file_size} bytes)"
        (folder / "README").write_text(f"{wrong}\n{what}\nagain: {again}\n")
        self.note(f"FOUND {kind} {seed}: {wrong}\n  {what}\n  again: {again}")

    def close(self):
        subprocess.run(["chmod", "-R", "u+rwx", self.work], stderr=subprocess.DEVNULL, check=False)
        self.folder.cleanup()


def resident(pid):
    """Bytes of memory that a process has now."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0


def summary_of(report):
    found = re.search(r"^SUMMARY: .*|.*runtime error: .*|^WARNING: ThreadSanitizer.*|^==\d+==ERROR.*", report, re.M)
    frame = re.search(r"^\s+#\d+ .*(runtime_host/\S+)", report, re.M)
    return (found[0] if found else report.strip().splitlines()[0] if report.strip() else "an empty report")[:300] + (f" at {frame[1]}" if frame else "")


def prepare(options):
    """Fills in `devices` and `mpirun`; returns what is not there, for people."""
    notes, devices = [], []
    emulation = Path(options.mogcc).resolve().parent.parent / "tests/cuda/libmog_cuda_emulation.so"
    options.cuda = str(emulation)
    for device in options.device or ["reference", "host", "opencl", "cuda"]:
        if device == "opencl" and not oracle.has_opencl(options.mogrun):
            notes.append("skipped device opencl: there is none")
        elif device == "cuda" and not emulation.exists():
            notes.append("skipped device cuda: the emulation of tests/cuda is not built")
        else:
            devices.append(device)
    options.devices = devices
    options.mpirun = bool(shutil.which("mpirun")) and not options.no_mpirun
    if "mpi" in (options.kind or ()) and not shutil.which("mpirun"):
        notes.append("skipped worlds of several processes: there is no mpirun")
    return notes


def build_sanitized(options):
    """mogrun with --sanitizer, built beside mogcc."""
    target = {"address": "mogrun_asan", "thread": "mogrun_tsan"}[options.sanitizer]
    build = Path(options.mogcc).resolve().parent.parent
    done = subprocess.run(["cmake", "--build", str(build), "--target", target], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(done.stdout[-3000:], file=sys.stderr)
    options.mogrun = str(build / "bin" / target)
    return done.returncode == 0
