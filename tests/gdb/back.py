#!/usr/bin/env python3
"""back.py MOGCC MOGRUN SOURCE: does a PE that goes back come to where it was? With packets, step by step.

The oracle is the way there: registers and memory before each MIPS instruction from `begin` on, as gdb saw them when they were executed first.
Then random steps, breakpoints and watchpoints, back and forward, are compared with it; and what the program prints comes once.
"""
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import packets

STEPS = 700
MEMORY = 0x10000000
problems = []


def expect(what, wanted, got):
    if wanted != got:
        problems.append(f"{what}: expected {wanted!r:.300}, got {got!r:.300}")


class Gdb(packets.Gdb):
    """Many packets, some of them long."""

    def answer(self):
        while (end := self.bytes.find(b"#")) < 0 or len(self.bytes) < end + 3:
            more = self.socket.recv(1 << 16)
            if not more:
                raise EOFError
            self.bytes += more
        content, self.bytes = self.bytes[:end], self.bytes[end + 3:]
        return content[content.index(b"$") + 1:].decode(errors="replace")


class Session:
    def __init__(self, mogrun, folder, *options):
        self.socket = Path(folder, "socket")
        self.socket.unlink(missing_ok=True)
        self.run = subprocess.Popen([mogrun, "-n", "1", "--device=reference", "--mem=256K", f"--gdb={self.socket}", *options, "./there"], cwd=folder,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.run.stderr.readline()
        self.gdb = Gdb(self.socket)
        self.supported = self.gdb.ask("qSupported")

    def go(self, packet):
        """The reason of the stop."""
        stop = self.gdb.ask(packet)
        found = re.match(r"T05thread:1;(.*?)25:", stop)
        return found.group(1) if found else stop

    def state(self):
        return self.gdb.ask("g"), self.gdb.ask(f"m{MEMORY:x},2000")

    def breakpoint(self, address, inserts=True):
        expect("breakpoint", "OK", self.gdb.ask(f"{'Z' if inserts else 'z'}0,{address:x},4"))

    def end(self):
        self.gdb.socket.sendall(b"$vCont;c#a8")
        stop = self.gdb.answer()
        output, errors = self.run.communicate(timeout=60)
        return stop, output


def pc(state):
    return struct.unpack("<I", bytes.fromhex(state[0][37 * 8:38 * 8]))[0]


def word(state, address):
    at = 2 * (address - MEMORY)
    return state[1][at:at + 8]


def main():
    mogcc, mogrun, source = sys.argv[1:4]
    if not shutil.which("gdb-multiarch"):
        sys.exit(77)
    random.seed(7)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "there.txt").write_text("what is there\n")
        for options in (["-o", "there"], ["--emit=elf", "-o", "there.elf"]):
            subprocess.run([mogcc, "-g", "-O2", "--order-time=0.001", source, *options], cwd=folder, check=True)
        names = ["begin", "middle", "end", "words", "turns"]
        told = subprocess.run(["gdb-multiarch", "-nx", "-batch", *[word for name in names for word in ("-ex", f"print/x (long)&{name}")],
                               "there.elf"], cwd=folder, stdout=subprocess.PIPE, text=True, check=True).stdout
        at = dict(zip(names, [int(value, 16) for value in re.findall(r"= (0x\w+)", told)]))
        session = Session(mogrun, folder)
        expect("gdb is told", True, "ReverseStep+;ReverseContinue+" in session.supported)

        # There.
        session.breakpoint(at["begin"])
        expect("begin", "swbreak:;", session.go("vCont;c"))
        session.breakpoint(at["begin"], False)
        way = [session.state()]
        for _ in range(STEPS):
            expect("a step", "", session.go("vCont;s:1"))
            way.append(session.state())
        expect("the way is one", True, len({pc(state) for state in way}) > 200)

        # And back, and anywhere.
        here = STEPS
        for _ in range(STEPS):
            expect("a step back", "", session.go("bs"))
            here -= 1
            if session.state() != way[here]:
                expect(f"step {here} at {pc(way[here]):#x}", way[here], session.state())
                break
        for _ in range(250):
            back = here > 0 and (here == STEPS or random.random() < 0.5)
            for _ in range(random.choice((1, 1, 2, 5))):
                if not 0 < here < STEPS:
                    break
                session.go("bs" if back else "vCont;s:1")
                here += -1 if back else 1
            else:
                expect(f"somewhere at {here}", way[here], session.state())
                continue
            if here == 0:
                session.go("vCont;s:1")
                here += 1
            else:
                session.go("bs")
                here -= 1
            expect(f"turned at {here}", way[here], session.state())
        expect("the past is as it was", ("E01", "E01"), (session.gdb.ask("P2=00000000"), session.gdb.ask(f"M{at['words']:x},4:00000000")))

        # Breakpoints: the last time before, the first time after.
        for _ in range(40):
            address = pc(random.choice(way[1:-1]))
            session.breakpoint(address)
            before = [i for i in range(here) if pc(way[i]) == address]
            if before:
                expect(f"back to {address:#x}", "swbreak:;", session.go("bc"))
                here = before[-1]
                expect(f"at {address:#x}", way[here], session.state())
            after = [i for i in range(here + 1, STEPS) if pc(way[i]) == address]
            if after:
                # As gdb does it: off the breakpoint first.
                session.breakpoint(address, False)
                session.go("vCont;s:1")
                session.breakpoint(address)
                here += 1
                if after[0] != here:
                    expect(f"on to {address:#x}", "swbreak:;", session.go("vCont;c"))
                    here = after[0]
                expect(f"on at {address:#x}", way[here], session.state())
            session.breakpoint(address, False)

        # Watchpoints: behind the last store.
        for name, i in (("words", 1), ("words", 4), ("words", 6), ("words", 7)):
            while here < STEPS:
                session.go("vCont;s:1")
                here += 1
            address = at[name] + 4 * i
            changes = [k for k in range(1, STEPS + 1) if word(way[k], address) != word(way[k - 1], address)]
            session.gdb.ask(f"Z2,{address:x},4")
            for change in reversed(changes):
                # A store of the same value is passed over by gdb.
                for _ in range(10):
                    expect(f"word {i}", f"watch:{address:x};", session.go("bc"))
                    expect(f"word {i} behind its store", word(way[change], address), word(session.state(), address))
                    session.gdb.ask(f"z2,{address:x},4")
                    expect("before the store", "", session.go("bs"))
                    session.gdb.ask(f"Z2,{address:x},4")
                    if word(session.state(), address) != word(way[change], address):
                        break
                expect(f"word {i} before its store", way[change - 1], session.state())
                here = change - 1
            session.gdb.ask(f"z2,{address:x},4")

        # To the beginning and to the end of what is kept.
        expect("the beginning", "replaylog:begin;", session.go("bc"))
        expect("no more", "replaylog:begin;", session.go("bs"))
        expect("_start", 0x400000, pc(session.state()))
        expect("the present", "replaylog:end;", session.go("vCont;c"))
        expect("is what it was", way[STEPS], session.state())

        # Far: over several snapshots.
        session.breakpoint(at["middle"])
        states = []
        for _ in range(8):
            expect("middle", "swbreak:;", session.go("vCont;c"))
            states.append(session.state())
            session.breakpoint(at["middle"], False)
            session.go("vCont;s:1")
            session.breakpoint(at["middle"])
        for state in reversed(states):
            expect("middle again", "swbreak:;", session.go("bc"))
            expect("as it was", state, session.state())
        session.breakpoint(at["middle"], False)
        session.breakpoint(at["begin"])
        expect("begin again", "swbreak:;", session.go("bc"))
        expect("as it was", way[0], session.state())
        session.breakpoint(at["begin"], False)
        expect("the present", "replaylog:end;", session.go("vCont;c"))
        expect("what it printed", ("W00", "asked\nasked\n2 1\n"), session.end())

        # What is kept is bounded: the oldest goes.
        session = Session(mogrun, folder, "--gdb-history=200K")
        session.breakpoint(at["end"])
        expect("end", "swbreak:;", session.go("vCont;c"))
        state = session.state()
        told = bytes.fromhex(session.gdb.ask("qRcmd," + b"history".hex())).decode()
        sizes = re.search(r"(\d+) instructions of MOG back .* take (\d+) of (\d+) bytes", told)
        expect("monitor history", True, bool(sizes) and int(sizes.group(2)) <= 204800 == int(sizes.group(3)) and int(sizes.group(1)) > 1000 or told)
        session.breakpoint(at["end"], False)
        expect("the oldest is gone", "replaylog:begin;", session.go("bc"))
        expect("it did not begin at the start", True, pc(session.state()) != 0x400000)
        expect("the present", "replaylog:end;", session.go("vCont;c"))
        expect("as it was", state, session.state())
        expect("what it printed", ("W00", "asked\nasked\n2 1\n"), session.end())

        session = Session(mogrun, folder, "--gdb-history=0")
        expect("no history", (False, "E01"), ("Reverse" in session.supported, session.go("bs")))
        session.end()
    for problem in problems[:20]:
        print("FAILED:", problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
