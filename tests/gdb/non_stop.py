#!/usr/bin/env python3
"""non_stop.py MOGCC MOGRUN: non-stop mode, packet by packet: a PE stops at a breakpoint, by a step, or because it is asked to, while the
other one runs, or stands, as asked; and gdb is told of each stop by itself. Then the like by gdb-multiarch as it is, if there is one."""
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from packets import Gdb

SOURCE = """volatile int go, rounds;
__attribute__((noinline)) void tick(void) { rounds++; }
int main(void) { while (!go) tick(); return 0; }
"""
ENTRY = 0x400000


class NonStopGdb(Gdb):
    """Notifications come when they come, between answers."""

    def __init__(self, path):
        super().__init__(path)
        self.told = []

    def answer(self):
        while True:
            kind, content = self.frame()
            if kind == b"$":
                return content
            self.told.append(content)

    def frame(self):
        while (kind := self.byte()) not in (b"$", b"%"):
            pass
        content = b""
        while (byte := self.byte()) != b"#":
            content += byte
        self.byte(), self.byte()
        return kind, content.decode()

    def stop(self):
        """The next one, of which note is taken."""
        while not self.told:
            kind, content = self.frame()
            assert kind == b"%", content
            self.told.append(content)
        told = self.told.pop(0)
        if "W" not in told:
            self.expect("vStopped", "OK")
        return told

    def expect(self, packet, answer):
        got = self.ask(packet)
        assert got.startswith(answer), f"{packet}: {got}, not {answer}"


def number(value):
    return value.to_bytes(4, "little").hex()


class Session:
    """gdb with a pipe for its terminal: stops are told while it waits for commands."""

    def __init__(self, folder):
        self.process = subprocess.Popen(["gdb-multiarch", "-q", "-nx"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.text, self.seen, self.more = "", 0, threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while piece := self.process.stdout.read1(4096):
            with self.more:
                self.text += piece.decode(errors="replace")
                self.more.notify()

    def say(self, command, *patterns):
        """The command, after which gdb says all of this, in any order."""
        self.process.stdin.write(command.encode() + b"\n")
        self.process.stdin.flush()
        with self.more:
            there = self.more.wait_for(lambda: all(re.search(p, self.text[self.seen:], re.M) for p in patterns), timeout=100)
            assert there, f"{command}: not all of {patterns} in:\n{self.text}"
            self.seen = len(self.text)


def by_gdb(mogrun, folder):
    run = subprocess.Popen([mogrun, "-n", "3", "--gdb=./socket", "./p"], cwd=folder, stderr=subprocess.PIPE, text=True)
    run.stderr.readline()
    gdb = Session(folder)
    for command in "set pagination off", "set confirm off", "set non-stop on":
        gdb.say(command)
    gdb.say("target remote ./socket", *(rf'Thread {thread} "PE {thread - 1}" stopped' for thread in (1, 2, 3)))
    gdb.say("break tick if $rank == 1", "Breakpoint 1 at")
    gdb.say("continue -a &", r'Thread 2 "PE 1" hit Breakpoint 1, tick')
    gdb.say("info threads", r"1 .*\(running\)$", r"2 .* tick ", r"3 .*\(running\)$")
    gdb.say("thread 2", "Switching to thread 2")
    gdb.say("finish", "in main ")
    # Without breakpoints gdb stops nobody to step over one, so that the stop that `interrupt` asks for is for nothing else (docs/debugging.md).
    gdb.say("delete")
    gdb.say("info threads", r"1 .*\(running\)$", r"3 .*\(running\)$")
    gdb.say("thread 3", "Switching to thread 3")
    gdb.say("interrupt", r'Thread 3 "PE 2" stopped|^(main|tick) |in main ')
    gdb.say("info threads", r"1 .*\(running\)$", r"2 .* main ", r"3 .* (main|tick) ")
    gdb.say("set variable go = 1")
    gdb.say("continue &", r"Thread 3 .*exited|Continuing")
    gdb.say("thread 2", "Switching to thread 2")
    gdb.say("set variable go = 1")
    gdb.say("thread 1", "Switching to thread 1")
    gdb.say("interrupt", r'Thread 1 "PE 0" stopped|^(main|tick) |in main ')
    gdb.say("set variable go = 1")
    gdb.say("continue -a &", "exited normally")
    gdb.process.stdin.close()
    assert run.wait(60) == 0, run.returncode
    assert gdb.process.wait(60) == 0


def main():
    mogcc, mogrun = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "p.c").write_text(SOURCE)
        for form in (["-o", "p"], ["--emit=elf", "-o", "p.elf"]):
            subprocess.run([mogcc, "-g", "-O0", "p.c", *form], cwd=folder, check=True)
        names = subprocess.run(["mipsel-linux-gnu-nm", "p.elf"], cwd=folder, check=True, capture_output=True, text=True).stdout
        at = {line.split()[2]: int(line.split()[0], 16) for line in names.splitlines() if len(line.split()) == 3}
        tick, go = at["tick"], at["go"]
        run = subprocess.Popen([mogrun, "-n", "2", "--gdb=./socket", "./p"], cwd=folder, stderr=subprocess.PIPE, text=True)
        run.stderr.readline()
        gdb = NonStopGdb(Path(folder, "socket"))
        gdb.expect("QNonStop:1", "OK")
        gdb.expect("?", "T00thread:1;")
        gdb.expect("vStopped", "OK")
        assert gdb.stop().startswith("Stop:T00thread:2;")
        # One comes to a breakpoint, the other one stands as it did.
        gdb.expect(f"Z0,{tick:x},4", "OK")
        gdb.expect("vCont;c:1", "OK")
        stop = gdb.stop()
        assert stop.startswith("Stop:T05thread:1;swbreak:;") and f"25:{number(tick)};" in stop, stop
        gdb.expect("Hg2", "OK")
        gdb.expect("p25", number(ENTRY))
        gdb.expect(f"z0,{tick:x},4", "OK")
        # The other one runs on and on, while this one steps.
        gdb.expect("vCont;c:2", "OK")
        for i in range(1, 4):
            gdb.expect("vCont;s:1", "OK")
            stop = gdb.stop()
            assert stop.startswith("Stop:T05thread:1;") and f"25:{number(tick + 4 * i)};" in stop, stop
        # It stops when it is asked to; both have memory of their own, and go on.
        gdb.expect("vCont;t:2", "OK")
        stop = gdb.stop()
        assert stop.startswith("Stop:T00thread:2;"), stop
        for thread in (1, 2):
            gdb.expect(f"Hg{thread}", "OK")
            gdb.expect(f"m{go:x},4", "00000000")
            gdb.expect(f"M{go:x},4:01000000", "OK")
        gdb.expect("vCont;c", "OK")
        assert gdb.stop() == "Stop:W00"
        gdb.ask("vStopped")
        assert run.wait(60) == 0, run.returncode
        if shutil.which("gdb-multiarch"):
            by_gdb(mogrun, folder)
        else:
            print("there is no gdb-multiarch")
    print("as asked")


if __name__ == "__main__":
    main()
