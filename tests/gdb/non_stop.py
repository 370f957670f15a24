#!/usr/bin/env python3
"""non_stop.py MOGCC MOGRUN: non-stop mode, packet by packet: a PE stops at a breakpoint, by a step, or because it is asked to, while
the other one runs, or stands, as asked; and gdb is told of each stop by itself."""
import subprocess
import sys
import tempfile
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
        gdb.expect("vStopped", "T00thread:2;")
        gdb.expect("vStopped", "OK")
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
    print("as asked")


if __name__ == "__main__":
    main()
