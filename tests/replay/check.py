#!/usr/bin/env python3
"""check.py WAY --bin=FOLDER --program=FILE --alter=FILE --work=FOLDER [--device=NAME]: does a PE of a recording do again what it did?

The oracle is the recorded run: what each rank printed there, by --tag-output, and how it ended. Replays run where there are no files.

Ways:
  devices   ranks of a run on --device
  ends      ranks that end by a fault, a signal, a limit
  gdb       a rank under gdb: what it prints, and what gdb shows
  turns     ranks with threads, and such as share memory with others
  wrong     recordings that are damaged, cut short, altered; runs that cannot be recorded
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PATIENCE = 200
problems = []


def expect(what, wanted, got):
    if wanted != got:
        problems.append(f"{what}: expected {wanted!r:.1500}, got {got!r:.1500}")


def run(*words, cwd, **options):
    return subprocess.run(list(map(str, words)), cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=PATIENCE, **options)


def of_rank(text, rank):
    """Of what was printed with tags, a rank's own."""
    return "".join(line.partition("] ")[2] for line in text.splitlines(True) if line.startswith(f"[{rank}] "))


def own(text):
    """Without sentences of mogrun, and the lines of faults, which are told once for all ranks."""
    return "".join(line for line in text.splitlines(True) if line.startswith("in two"))


class Checks:
    def __init__(self, options):
        self.options = options
        self.mogrun = Path(options.bin, "mogrun").resolve()
        self.mogcc = Path(options.bin, "mogcc").resolve()
        self.program = Path(options.program).resolve()
        self.alter = Path(options.alter).resolve()
        work = Path(options.work).resolve()
        shutil.rmtree(work, ignore_errors=True)
        self.folder, self.empty = work / "recorded", work / "replayed"
        self.folder.mkdir(parents=True)
        self.empty.mkdir()
        (self.folder / "input.txt").write_text("a line\nand another one\n")
        self.recording = work / "recording"

    def record(self, *arguments, options=(), ranks=8):
        return run(self.mogrun, "-n", ranks, "--tag-output", f"--device={self.options.device}", f"--record={self.recording}", *options,
                   self.program, *arguments, cwd=self.folder)

    def replay(self, rank, *options, recording=None):
        return run(self.mogrun, f"--replay={recording or self.recording}:{rank}", *options, cwd=self.empty)

    def compare(self, recorded, rank, replayed):
        expect(f"standard output of rank {rank}", of_rank(recorded.stdout, rank), replayed.stdout)
        expect(f"standard error of rank {rank}", of_rank(recorded.stderr, rank), own(replayed.stderr))

    def devices(self):
        recorded = self.record()
        expect("status of the run", 3, recorded.returncode)
        for rank in (0, 3, 6):
            replayed = self.replay(rank)
            self.compare(recorded, rank, replayed)
            expect(f"status of rank {rank}", 3 if rank == 3 else 0, replayed.returncode)
            expect(f"rank {rank} printed", True, f"PE {rank} of 8" in replayed.stdout)
        # Each run is another one, so that nothing but the recording can have told.
        expect("another run prints the same", False, self.record().stdout == recorded.stdout)

    def ends(self):
        recorded = self.record("faults")
        for rank, status, sentence in ((1, 134, "PE 1: calls abort()"), (2, 139, "PE 2: null pointer"), (4, 0, "")):
            replayed = self.replay(rank)
            self.compare(recorded, rank, replayed)
            expect(f"status of rank {rank}", status, replayed.returncode)
            told = [line for line in replayed.stderr.splitlines() if line.startswith("mogrun:")]
            expect(f"rank {rank} tells", True, sentence in "".join(told) and bool(told) == bool(sentence))
        recorded = self.record("spins", options=["--fuel=3000000"])
        replayed = self.replay(1)
        self.compare(recorded, 1, replayed)
        expect("a rank that was ended while it computed", (124, True),
               (replayed.returncode, "PE 1 was ended here by --fuel, while it computed" in replayed.stderr))
        # The others cannot go on without it: MPI ends them, in a call.
        (self.folder / "late.c").write_text("#include <mpi.h>\nint main(int c, char **v) { int r; MPI_Init(&c, &v); MPI_Comm_rank(MPI_COMM_WORLD, &r);\n"
                                            "if (r == 1) MPI_Recv(&r, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\nreturn 0; }\n")
        run(self.mogcc.with_name("mogmpicc"), "-g", "--order-time=0.001", "late.c", "-o", "late", cwd=self.folder, check=True)
        recorded = run(self.mogrun, "-n", 2, f"--record={self.recording}", "./late", cwd=self.folder)
        replayed = self.replay(1)
        expect("a rank that was ended in a call", (recorded.returncode, True), (replayed.returncode, bool(re.search(
            r"PE 1 was ended here by a deadlock, in mog_mpi\(.*\) in \w+", replayed.stderr)) or replayed.stderr))

    def pipes(self):
        """Nothing is there that was there: files, pipes, the reader whose leaving ended it."""
        shutil.copy(self.options.program, self.folder / "p.c")
        run(self.mogcc, "-g", "--order-time=0.001", "-w", "p.c", "-o", "p", cwd=self.folder, check=True)
        recorded = run(self.mogrun, "-n", 4, "--tag-output", f"--device={self.options.device}", f"--record={self.recording}", "./p", cwd=self.folder)
        expect("status of the run", 141, recorded.returncode)
        for rank in (1, 3):
            replayed = self.replay(rank)
            expect(f"standard output of rank {rank}", of_rank(recorded.stdout, rank), replayed.stdout)
            expect(f"status of rank {rank}", 141, replayed.returncode)

    def processes(self):
        if not shutil.which("mpirun"):
            sys.exit(77)
        # Open MPI wants to be asked for more processes than processors, and by root.
        version = run("mpirun", "--version", cwd=self.folder).stdout
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        recorded = run("mpirun", *(["--oversubscribe"] if "Open MPI" in version else []), "-np", 2, self.mogrun, "-n", 3, "--tag-output", f"--device={self.options.device}", f"--record={self.recording}",
                       self.program, cwd=self.folder, env=environment)
        for rank in (0, 2, 5):
            replayed = self.replay(rank)
            self.compare(recorded, rank, replayed)
            expect(f"rank {rank} printed", True, f"PE {rank} of 6" in replayed.stdout or replayed.stderr)
        got = self.replay(6)
        expect("a rank that there is not", (2, True), (got.returncode, "PEs 0 to 5" in got.stderr))

    def gdb(self):
        if not shutil.which("gdb-multiarch"):
            sys.exit(77)
        recorded = self.record()
        socket = self.empty / "socket"
        with subprocess.Popen([self.mogrun, f"--replay={self.recording}:0", f"--gdb={socket}"], cwd=self.empty, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            told = process.stderr.readline()
            gdb = run("gdb-multiarch", "-nx", "-batch", "-ex", "set confirm off", "-ex", f"target remote {socket}", "-ex", "break tell", "-ex",
                      "continue", "-ex", "printf \"hash %lx\\n\", hash", "-ex", "info threads", "-ex", "watch hash", "-ex", "reverse-continue", "-ex", "backtrace",
                      "-ex", "delete", "-ex", "continue", "-ex", "printf \"again %lx\\n\", hash", "-ex", "continue", cwd=self.empty)
            output, errors = process.communicate(timeout=PATIENCE)
        expect("standard output under gdb", of_rank(recorded.stdout, 0), output)
        expect("standard error under gdb", of_rank(recorded.stderr, 0), own(told + errors))
        shown = re.search(r"hash (\w+)", gdb.stdout)
        expect("what gdb shows", re.findall(r"PE 0 of 8: (\w+)", recorded.stdout), [shown.group(1)] if shown else gdb.stdout)
        expect("gdb goes back", True, bool(re.search(r"New value = \d+\n.*in mix .*\n(.*\n)*#1 .* in main .*\n(.*\n)*No more reverse-execution history", gdb.stdout)) or gdb.stdout)
        expect("and is there again", [shown.group(1)] if shown else "", re.findall(r"again (\w+)", gdb.stdout))
        expect("the name of the thread", True, '"PE 0"' in gdb.stdout)

    def wrong(self):
        recorded = self.record()
        whole = self.recording.read_bytes()
        other = self.recording.with_name("other")

        def refuses(what, bytes_, words, rank=1, status=None):
            other.write_bytes(bytes_)
            got = self.replay(rank, recording=other)
            expect(f"{what}: told", True, words in got.stderr or got.stderr)
            expect(f"{what}: status", True, got.returncode == status if status else got.returncode != 0)

        def altered(how, rank):
            done = run(self.alter, self.recording, other, rank, how, cwd=self.empty)
            expect(f"alter {how}", "", done.stderr)
            return self.replay(rank, recording=other)

        self.compare(recorded, 1, altered("nothing", 1))
        got = altered("time", 1)
        expect("another time", (3, True), (got.returncode, bool(re.search(
            r"the replay of PE 1 is not the run that was recorded: it comes to \w+\(.*\) in \w+.*, and the recording has (the same call, which printed something else|.* in \w+)", got.stderr))))
        got = altered("call", 4)
        expect("another call", (3, True), (got.returncode, bool(re.search(
            r"the replay of PE 4 is not the run that was recorded: it comes to \w+.* in \w+.*, and the recording has .* in \w+", got.stderr))))
        got = altered("end", 4)
        expect("no end", (1, True), (got.returncode, "the recording of PE 4 ends here" in got.stderr))
        refuses("an empty file", b"", "is not a recording of mogrun --record")
        refuses("another file", b"x" * 1000, "is not a recording of mogrun --record")
        refuses("another version", whole[:8] + b"\xff" + whole[9:], "has version 255, and this mogrun reads version 2")
        refuses("nothing but a name", whole[:12], "it does not say of which run it is")
        refuses("a bit of the head", whole[:60] + bytes([whole[60] ^ 4]) + whole[61:], "is not what was written")
        refuses("more behind the end", whole + b"more", "4 bytes stand behind its end")
        # Each byte of the file counts: where it is another one, no replay of all ranks is as before.
        for at in range(12, len(whole), len(whole) // 12):
            other.write_bytes(whole[:at] + bytes([whole[at] ^ 0x20]) + whole[at + 1:])
            results = [self.replay(rank, recording=other) for rank in range(8)]
            expect(f"byte {at}", True, any("is damaged" in got.stderr for got in results))
            expect(f"byte {at}: status", True, all(got.returncode in (0, 1, 3) for got in results))
        # Cut short, as by a kill: what is there is replayed, and then it is told.
        other.write_bytes(whole[:len(whole) // 2])
        results = [self.replay(rank, recording=other) for rank in range(8)]
        expect("cut short", True, any("its run was killed" in got.stderr for got in results))
        got = run(self.mogrun, f"--replay={self.recording}", cwd=self.empty)
        expect("no rank", (2, True), (got.returncode, "which PE? The recording has PEs 0 to 7" in got.stderr))
        expect("a rank that there is not", 2, self.replay(8).returncode)
        (self.folder / "p.c").write_text("int main(void) { return 0; }\n")
        run(self.mogcc, "--order-time=0.001", "p.c", "-o", "p", cwd=self.folder, check=True)
        got = run(self.mogrun, f"--replay={self.recording}:0", self.folder / "p", cwd=self.empty)
        expect("another program", (1, True), (got.returncode, "is not the program that was recorded" in got.stderr))
        for options, words in ((["--gdb"], "--gdb, which is for the replay"), (["--runs=2"], "a sweep"), (["--checkpoint=c"], "--checkpoint and --resume")):
            got = run(self.mogrun, "-n", 1, f"--record={other}", *options, "./p", cwd=self.folder)
            expect(f"record with {options}", (1, True), (got.returncode, f"--record works without {words}" in got.stderr))
        for options, words in ((["--device=host"], "--device"), (["--strace"], "--strace"), (["--record=r"], "--record")):
            got = self.replay(0, *options)
            expect(f"replay with {options}", (1, True), (got.returncode, f"--replay works without {words}" in got.stderr))
        got = run(self.mogrun, "-n", 4, "--device=opencl", f"--record={other}", self.team("-pthread"), cwd=self.folder)
        expect("threads where they have no turns", (1, True), (got.returncode, "--record: the program has threads" in got.stderr or got.stderr))

    def team(self, *options):
        """The program of team.c."""
        run(self.mogcc, "-g", "-O1", "--order-time=0.001", *options, Path(__file__).with_name("team.c"), "-o", "team", cwd=self.folder, check=True)
        return self.folder / "team"

    def turns(self):
        """PEs that see each other's memory: what they did follows from their turns, which are the same in no two runs, for random numbers say
        how long they run."""
        self.program = self.team("-pthread")
        for device, arguments in (("host", ()), ("reference", ()), ("host", ("faults",))):
            self.options.device = device
            recorded = self.record(*arguments, ranks=4)
            for rank in (1, 2):
                what = f"rank {rank} of {device} {arguments}"
                replayed = self.replay(rank)
                expect(what, of_rank(recorded.stdout, rank), replayed.stdout)
                status = 3 if rank == 2 else 139 if arguments else 0
                expect(f"{what}: status", status, replayed.returncode)
                told = re.findall("PE .*: null pointer.*", replayed.stderr)
                expect(f"{what}: its fault", re.findall("PE .*: null pointer.*", recorded.stderr.replace(" (--schedule=0)", "")) if status == 139 else [], told)
            expect("another run prints the same", False, self.record(*arguments, ranks=4).stdout == recorded.stdout)
        self.turns_under_gdb()
        self.program = self.team("-DWINDOW")
        recorded = self.record("window", ranks=5)
        for rank in (0, 2):
            replayed = self.replay(rank)
            expect(f"rank {rank} with a window", of_rank(recorded.stdout, rank), replayed.stdout)
            expect(f"rank {rank} with a window: status", 3 if rank == 2 else 0, replayed.returncode)
        expect("another run with a window prints the same", False, self.record("window", ranks=5).stdout == recorded.stdout)

    def turns_under_gdb(self):
        """Stops and steps do not change who sees what."""
        if not shutil.which("gdb-multiarch"):
            return
        recorded = self.record(ranks=2)
        shown = self.under_gdb(recorded, ["break tell", "continue", "info threads", "finish", *["continue"] * 2, "next", "next", "stepi", "delete", "continue"])
        expect("gdb's threads", True, bool(re.search(r'"PE 1".*\n(.*\n)*.*"PE 1 thread 3"', shown)) or shown)
        # Nobody passes a breakpoint while another one steps over it, though turns may be over in the midst of such a step.
        self.program = self.team("-pthread", "-DROUNDS=100")
        recorded = self.record(ranks=2)
        rounds = int(re.search(r"after (\d+) rounds", of_rank(recorded.stdout, 1)).group(1))
        source = Path(__file__).with_name("team.c").read_text().splitlines()
        line = 1 + next(i for i, text in enumerate(source) if "/* a round */" in text)
        shown = self.under_gdb(recorded, [f"break {line}", "ignore 1 1000000", "tbreak printf", "continue", "info breakpoints", "delete", "continue"])
        hits = re.search(r"already hit (\d+) times", shown)
        expect("all stop in all rounds", True, bool(hits and int(hits.group(1)) >= rounds) or f"{rounds} rounds: {shown}")

    def under_gdb(self, recorded, commands):
        """What gdb prints that is given these."""
        socket = self.empty / "socket"
        with subprocess.Popen([self.mogrun, f"--replay={self.recording}:1", f"--gdb={socket}"], cwd=self.empty, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            process.stderr.readline()
            try:
                gdb = run("gdb-multiarch", "-nx", "-batch", *[word for command in ["set confirm off", f"target remote {socket}", *commands]
                                                              for word in ("-ex", command)], cwd=self.empty)
                output, errors = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired as expired:
                process.kill()
                expect("a team under gdb", "ends", f"does not end: {expired.stdout}")
                return ""
        expect("a team under gdb", (of_rank(recorded.stdout, 1), 0), (output, process.returncode))
        return gdb.stdout + errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("way")
    for name in ("bin", "program", "alter", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--device", default="host")
    options = parser.parse_args()
    for name in ("MOG_NPROC", "MOG_DEVICE", "MOG_RECORD"):
        os.environ.pop(name, None)
    getattr(Checks(options), options.way)()
    for problem in problems:
        print("FAILED:", problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
