#!/usr/bin/env python3
"""check.py WAY: is a run that was stopped, or killed, and goes on from its checkpoint the same run?

The oracle is the same program, run at once: what it prints, the files it leaves, its status. What several PEs write to the same place may
come in another order, so lines are compared sorted where they do.

Ways:
  stops    SIGTERM at gates that the program waits at; each part goes on with another device or engine (--then, more than once)
  kills    kill -9 at random moments, --kills times, with checkpoints often; then it runs to its end
  wrong    what is refused, and how

With --processes the run is one world of so many processes of mpirun, among which the PEs are shared out; SIGTERM and kill -9 meet one of
them or all. Exit status: 0 all right, 1 something differs, 77 there is no mpirun.
"""
import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

STOPPED = 75
PATIENCE = 200


def read(path):
    return path.read_bytes() if path.exists() else b""


class Checks:
    def __init__(self, options):
        self.options = options
        self.program = Path(options.program).resolve()
        self.work = Path(options.work).resolve()
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.problems = []
        # Where the parts of checkpoints are: the first one is there whenever there is a checkpoint.
        self.state = "state.0" if options.processes else "state"
        self.environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def expect(self, what, wanted, got):
        if wanted != got:
            self.problems.append(f"{what}: expected {wanted!r:.800}, got {got!r:.800}")

    def folder(self, name):
        path = self.work / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        if self.options.sweep:
            (path / "words").write_text("".join(f"0 {1 + i % 7 * 3}\n" for i in range(self.options.sweep)))
        return path

    def start(self, folder, words, alone=False):
        """mogrun, with output appended to files: of several processes each to its own, for launchers write what they get where they are."""
        command = [self.options.mogrun, *words]
        if self.options.processes and not alone:
            own = 'exec "$@" >>stdout.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}'
            command = [*launcher(self.environment), "-np", str(self.options.processes), "sh", "-c", own, "sh", *command]
        with open(folder / "stdout", "ab") as out, open(folder / "stderr", "ab") as err:
            return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=self.environment)

    def run(self, folder, words):
        process = self.start(folder, words, alone=True)
        return process.wait(PATIENCE)

    def printed(self, folder):
        return b"".join(read(path) for path in sorted(folder.glob("stdout*")))

    def pids(self, process):
        """Of mogrun: itself, or those that the launcher has started."""
        if not self.options.processes:
            return [process.pid]
        return [pid for pid in children(process.pid) if name_of(pid) == Path(self.options.mogrun).name]

    def kill(self, process):
        """-9: of several processes one, after which the launcher ends the others, or all."""
        pids = self.pids(process)
        for pid in random.sample(pids, random.choice([1, len(pids)])) if pids else [process.pid]:
            end(pid, signal.SIGKILL, process)
        process.wait(PATIENCE)

    def result(self, folder):
        """All that a run leaves, without what this test put there."""
        names = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("go.") and path.name not in ("stderr", "words")]
        result = {str(path.relative_to(folder)): sorted(read(path).splitlines()) if path.name == "log" else read(path)
                  for path in names if path.parent != folder or not path.name.startswith("stdout")}
        return {**result, "stdout": sorted(self.printed(folder).splitlines())}

    def compare(self, once, status, pieces, got):
        self.expect("the status", status, got)
        left, right = self.result(once), self.result(pieces)
        for name in sorted({*left, *right}):
            if left.get(name) == right.get(name):
                continue
            if isinstance(left.get(name), list) and isinstance(right.get(name), list):
                missing = [line for line in left[name] if line not in right[name]]
                more = [line for line in right[name] if line not in left[name]]
                self.problems.append(f"{name}: {len(left[name])} lines, then {len(right[name])}; lost {missing[:3]}, new {more[:3]}")
            else:
                self.problems.append(f"{name} differs: {left.get(name)!r:.200} and {right.get(name)!r:.200}")

    def common(self, alone=False):
        sweep = ["--args-file=words", "--stdout=out/%r", "--chdir=run-%r", "--retries=1"] if self.options.sweep else []
        pes = self.options.pes // (1 if alone or not self.options.processes else self.options.processes)
        return [f"-n{pes}", f"--mem={self.options.mem}", *sweep, *self.options.run_option]

    def once(self, *arguments):
        folder = self.folder("once")
        for gate in range(100):
            (folder / f"go.{gate}").touch()
        return folder, self.run(folder, [*self.common(alone=True), f"--device={self.options.first}", self.program, *arguments])

    # ---- ways

    def stops(self):
        """At each gate all PEs have told that they are there before SIGTERM comes; the gate opens when the run has stopped."""
        gates = self.options.gates
        arguments = [str(gates), *self.options.argument]
        once, status = self.once(*arguments)
        folder = self.folder("pieces")
        begin = [*self.common(), "--checkpoint=state", "--every=0", f"--device={self.options.first}", self.program, *arguments]
        gate, turn, got = gates - 1, 0, None
        while got is None:
            then = self.options.then[turn % len(self.options.then)].split() if turn else []
            process = self.start(folder, [*then, "--resume=state"] if turn else begin)
            begun = time.monotonic()
            while process.poll() is None and self.printed(folder).count(b"gate of round %d\n" % gate) < (self.options.at_gate or self.options.pes):
                if time.monotonic() - begun > PATIENCE:
                    process.kill()
                    sys.exit(f"FAILED: PEs do not come to gate {gate}:\n" + read(folder / "stderr").decode()[-2000:])
                time.sleep(0.005)
            # Of several processes one, or the launcher, which tells all.
            end(([process.pid] + self.pids(process))[-1 if turn % 2 == 0 else 0], signal.SIGTERM, process)
            status_of_part = process.wait(PATIENCE)
            (folder / f"go.{gate}").touch()
            gate += gates
            turn += 1
            # Launchers that are ended have a status of their own.
            says_so = read(folder / "stderr").count(b"stopped by SIGTERM") == turn
            if status_of_part != STOPPED and not (self.options.processes and says_so):
                got = status_of_part
            elif not (folder / self.state).exists():
                sys.exit("FAILED: it has stopped, and there is no checkpoint")
        self.expect("the number of stops", self.options.stops, turn - 1)
        self.compare(once, status, folder, got)
        self.expect("a checkpoint is left after the end", False, (folder / self.state).exists())

    def stamp(self, folder):
        try:
            status = os.stat(folder / self.state)
        except FileNotFoundError:
            return None
        return status.st_ino, status.st_size, status.st_mtime_ns

    def kills(self):
        arguments = ["0", *self.options.argument] if not self.options.sweep else []
        once, status = self.once(*arguments)
        random.seed(self.options.seed)
        folder = self.folder("pieces")
        kills = fresh = 0
        begin = [*self.common(), "--checkpoint=state", f"--every={self.options.every}", f"--device={self.options.first}", self.program, *arguments]
        while True:
            resumes = any(folder.glob("state*"))
            then = self.options.then[kills % len(self.options.then)].split() if self.options.then else []
            if not resumes:
                # Nothing was kept, so that nothing of it counts.
                folder = self.folder("pieces")
                fresh += 1
            process = self.start(folder, [*then, "--resume=state", f"--every={self.options.every}"] if resumes else begin)
            def had_nothing():
                """It was killed before the first one was whole, or when it had ended and had begun to remove it."""
                return resumes and process.returncode == 1 and b"there is no checkpoint" in read(folder / "stderr")
            if kills == self.options.kills:
                got = process.wait(PATIENCE)
                if not had_nothing():
                    break
                folder = self.folder("pieces")
                fresh += 1
                continue
            # Most are killed some time after a new checkpoint, so that runs get on however busy the machine is.
            mark, waits = self.stamp(folder), random.random() < 0.75
            begun = time.monotonic()
            while waits and process.poll() is None and self.stamp(folder) == mark and time.monotonic() - begun < PATIENCE:
                time.sleep(0.002)
            try:
                process.wait(random.uniform(0, self.options.longest))
            except subprocess.TimeoutExpired:
                self.kill(process)
                kills += 1
                continue
            if had_nothing():
                folder = self.folder("pieces")
                fresh += 1
                continue
            # It had ended before; once more, until it was killed as often as it shall be.
            got = process.returncode
            self.compare(once, status, folder, got)
            if self.problems:
                break
            folder = self.folder("pieces")
            fresh += 1
        print(f"{kills} kills, {fresh} beginnings")
        self.compare(once, status, folder, got)
        self.expect("a checkpoint is left after the end", False, (folder / self.state).exists())
        if self.problems:
            print(read(folder / "stderr").decode()[-2000:])

    def wrong(self):
        """What is refused, with the sentence that says it, and that the run goes on where it can."""
        folder = self.folder("wrong")

        def says(what, status, text, words):
            done = subprocess.run([self.options.mogrun, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
            self.expect(what + ": status", status, done.returncode)
            if text not in done.stderr.decode():
                self.problems.append(f"{what}: no {text!r} in {done.stderr.decode()[-400:]!r}")

        if self.options.processes:
            return self.wrong_in_world(folder, says)
        says("no file", 1, "there is no checkpoint", ["--resume=none"])
        (folder / "text").write_text("this is no checkpoint\n")
        says("another file", 1, "text is no checkpoint of MOG", ["--resume=text"])
        says("a time", 2, "is not a time such as", ["--every=soon", self.program])
        says("a folder", 0, "no checkpoint: the checkpoint", ["-n1", "--mem=1M", "--device=host", "--checkpoint=nowhere/state", "--every=0.001", self.program, "0"])
        says("statistics", 3, "--mpi-stats", ["-n1", "--device=host", "--mpi-stats", "--checkpoint=state", self.program, "0"])
        says("profile", 3, "--profile-report", ["-n1", "--device=host", "--profile-report=p.json", "--checkpoint=state", self.program, "0"])
        says("memory", 3, "--check=memory", ["-n1", "--check=memory", "--checkpoint=state", self.program, "0"])
        # A checkpoint to damage.
        process = self.start(folder, ["-n2", "--mem=1M", "--device=host", "--checkpoint=state", "--every=0", self.program, "1"])
        while process.poll() is None and read(folder / "stdout").count(b"gate") < 2:
            time.sleep(0.005)
        says_in_use = ["--resume=state"]
        process.send_signal(signal.SIGTERM)
        self.expect("stopped", STOPPED, process.wait(PATIENCE))
        whole = read(folder / "state")
        (folder / "go.0").touch()
        log = read(folder / "log")
        (folder / "log").write_bytes(log + b"written later\n")
        random.seed(len(whole))
        for at in sorted(random.sample(range(4096, len(whole)), 12)):
            (folder / "bad").write_bytes(whole[:at] + bytes([whole[at] ^ 1 << random.randrange(8)]) + whole[at + 1:])
            says(f"damage at {at}", 1, "bad is damaged", ["--resume=bad"])
        (folder / "bad").write_bytes(whole[:-1])
        says("a byte too few", 1, "it ends too early", ["--resume=bad"])
        (folder / "bad").write_bytes(whole[:8] + b"\x09" + whole[9:])
        says("a version", 1, "is of version 9", ["--resume=bad"])
        self.expect("files after what was refused", log + b"written later\n", read(folder / "log"))
        says("another program", 1, "the state is that of another program", ["--resume=state", self.options.other])
        says("arguments", 2, "takes no others", ["--resume=state", self.program, "5"])
        says("a number of PEs", 1, "the state is that of 2 PEs, and here are 3", ["--resume=state", "-n3"])
        (folder / "log").rename(folder / "log.away")
        says("a file that is not there", 1, "cannot be opened again", ["--resume=state"])
        (folder / "log.away").rename(folder / "log")

    def wrong_in_world(self, folder, says):
        """Parts that do not make a whole."""
        n = self.options.processes
        process = self.start(folder, [*self.common(), "--checkpoint=state", "--every=0", "--device=host", self.program, "1"])
        while process.poll() is None and self.printed(folder).count(b"gate") < 1:
            time.sleep(0.005)
        end(self.pids(process)[0], signal.SIGTERM, process)
        self.expect("stopped", STOPPED, process.wait(PATIENCE))
        says("alone", 1, f"is one of several processes", ["--resume=state"])
        says("a part", 1, f"is a part of the checkpoint of {n} processes", ["--resume=state.0"])

        def together(what, text, processes, words=("--resume=state",)):
            done = subprocess.run([*launcher(self.environment), "-np", str(processes), self.options.mogrun, *words], cwd=folder,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, env=self.environment)
            self.expect(what + ": status", 1, done.returncode)
            said = [line for line in done.stderr.decode().splitlines() if line.startswith("mogrun: ")]
            if len(said) != 1 or text not in said[0]:
                self.problems.append(f"{what}: no {text!r} once in {said!r}")

        together("another number", f"is of {n} processes, and here are {n - 1}: mpirun -n {n} goes on", n - 1)
        together("no file", "there is no checkpoint", n, ["--resume=none"])
        # A part of another checkpoint of the same run, or none.
        (folder / f"state.{n - 1}").rename(folder / "away")
        together("no part", f"process {n - 1} has no part of it", n)
        part = bytearray(read(folder / "away"))
        (folder / f"state.{n - 1}").write_bytes(part[:-1])
        together("damage", "it ends too early", n)
        (folder / f"state.{n - 1}").write_bytes(read(folder / "state.0"))
        together("exchanged", "is a part that process 0 has written", n)
        (folder / "away").rename(folder / f"state.{n - 1}")
        for gate in range(100):
            (folder / f"go.{gate}").touch()
        self.expect("it goes on after all", 0, self.start(folder, ["--resume=state"]).wait(PATIENCE))

    def finish(self):
        for problem in self.problems:
            print("FAILED:", problem)
        if not self.problems:
            shutil.rmtree(self.work)
        return bool(self.problems)


def end(pid, signal_number, process):
    """A process that was started, or one that it has started."""
    try:
        if process.poll() is None:
            os.kill(pid, signal_number)
    except ProcessLookupError:
        pass


def children(pid):
    try:
        return [int(child) for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text().split()]
    except OSError:
        return []


def name_of(pid):
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def launcher(environment):
    """Open MPI wants to be asked for more processes than processors."""
    if not shutil.which("mpirun"):
        print("skipped: there is no mpirun")
        sys.exit(77)
    version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, env=environment).stdout
    return ["mpirun", *(["--oversubscribe"] if "Open MPI" in version else [])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("way")
    parser.add_argument("--mogrun", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--other", help="another program, for wrong")
    parser.add_argument("--work", required=True)
    parser.add_argument("--pes", type=int, default=3)
    parser.add_argument("--processes", type=int, default=0, help="of one world, by mpirun")
    parser.add_argument("--mem", default="1M")
    parser.add_argument("--first", default="host", help="the device it begins on")
    parser.add_argument("--then", action="append", default=[], help="options of the runs that go on, in turns")
    parser.add_argument("--gates", type=int, default=4, help="a gate in so many rounds")
    parser.add_argument("--sweep", type=int, default=0, help="so many runs of the program, with -n at a time")
    parser.add_argument("--at-gate", type=int, help="how many PEs come to a gate; by default all")
    parser.add_argument("--stops", type=int, default=6)
    parser.add_argument("--argument", action="append", default=[])
    parser.add_argument("--run-option", action="append", default=[])
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--every", default="0.03")
    parser.add_argument("--longest", type=float, default=0.2, help="seconds before a kill")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    checks = Checks(options)
    getattr(checks, options.way)()
    sys.exit(checks.finish())


if __name__ == "__main__":
    main()
