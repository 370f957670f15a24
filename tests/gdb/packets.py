#!/usr/bin/env python3
"""packets.py MOGCC MOGRUN: what mogrun --gdb answers packets that gdb would not send: damaged ones, unknown ones, nonsense;
and interrupts of a PE that runs and of one that waits."""
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

SPIN = "volatile int go; int main(void) { while (!go) { } return 5; }\n"
WAIT = "#include <unistd.h>\nint main(void) { char c; return read(0, &c, 1) == 1 ? c : 6; }\n"
SOURCE = "int x; int main(void) { for (int i = 0; i < 10; i++) x += i; return x == 45 ? 3 : 4; }\n"
# packet, and what is answered; None: anything that is an error
WRONG = [("m", "E01"), ("m10", "E01"), ("mzz,4", "E01"), ("m0,4", "E01"), ("mffffffff,ffffffff", "E01"), ("M10000000,4:00", "E01"),
         ("M400000,4:00000000", "E01"), ("X10000000,5:ab", "E01"), ("P25", "E01"), ("P25=zz", "E01"), ("P25=01000000", "E01"),
         ("Pff=00000000", "E01"), ("pff", "xxxxxxxx"), ("p", "E01"), ("Hg9", "E01"), ("Hx1", "E01"), ("T7", "E01"), ("T1", "OK"), ("Z0", "E01"),
         ("Z0,8,4", "E01"), ("Z0,400001,4", "E01"), ("Z9,400000,4", "E01"), ("Z0,400000,4;Xff,00", "E01"), ("Z0,400000,4;X1,zz", "E01"),
         ("z0,400000,4", "OK"), ("vCont", "E01"), ("vCont;x", "E01"), ("vCont;c:9", "E01"), ("vCont;r1", "E01"), ("vCont;Czz", "E01"),
         ("qNonsense", ""), ("vNonsense", ""), ("QNonsense", ""), ("", ""), ("Y", ""), ("qXfer:features:read:target.xml:zz", "E01"),
         ("qXfer:features:read:other.xml:0,10", ""), ("vFile:open:2f,0,0", "F-1,2"), ("vFile:pread:9,10,0", "F-1,2"),
         ("qThreadExtraInfo,9", "E01"), ("G", "OK"), ("Gzz", "E01"), ("?", None)]


class Gdb:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(path))
        self.bytes = b""

    def byte(self):
        while not self.bytes:
            self.bytes = self.socket.recv(4096)
            if not self.bytes:
                raise EOFError
        first, self.bytes = self.bytes[:1], self.bytes[1:]
        return first

    def answer(self):
        while self.byte() != b"$":
            pass
        content = b""
        while (byte := self.byte()) != b"#":
            content += byte
        self.byte(), self.byte()
        return content.decode(errors="replace")

    def ask(self, packet):
        self.socket.sendall(f"${packet}#{sum(packet.encode()) % 256:02x}".encode())
        return self.answer()


def interrupt(tools, folder, name, source, failures, end):
    """Ctrl-C stops a PE whatever it does; then `end` is asked, and the status given."""
    mogcc, mogrun = tools
    Path(folder, f"{name}.c").write_text(source)
    subprocess.run([mogcc, "--order-time=0.001", "-g", "-O0", f"{name}.c", "-o", name], cwd=folder, check=True)
    run = subprocess.Popen([mogrun, "-n", "1", "--gdb=./socket", f"./{name}"], cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    run.stderr.readline()
    gdb = Gdb(Path(folder, "socket"))
    for _ in range(2):
        gdb.socket.sendall(b"$vCont;c#a8\x03")
        stop = gdb.answer()
        stop.startswith("T02thread:1;") or failures.append(f"{name}: {stop}")
    end(gdb, run)
    return run.wait(60)


def kill(gdb, run):
    gdb.socket.sendall(b"$k#6b")


def give_input(gdb, run):
    gdb.ask("D") == "OK" or sys.exit("D")
    run.stdin.write("A")
    run.stdin.flush()


def main():
    mogcc, mogrun = sys.argv[1:3]
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "p.c").write_text(SOURCE)
        subprocess.run([mogcc, "--order-time=0.001", "-g", "-O0", "p.c", "-o", "p"], cwd=folder, check=True)
        run = subprocess.Popen([mogrun, "-n", "1", "--gdb=./socket", "./p"], cwd=folder, stderr=subprocess.PIPE, text=True)
        run.stderr.readline()  # it waits
        gdb = Gdb(Path(folder, "socket"))
        gdb.socket.sendall(b"noise\x03+-$m0,4#00")
        while (byte := gdb.byte()) != b"-":  # damaged, so it is wanted again
            if byte == b"$":
                failures.append("a damaged packet was answered")
                break
        for packet, expected in WRONG:
            got = gdb.ask(packet)
            if expected is not None and got != expected:
                failures.append(f"{packet!r}: {got!r}, not {expected!r}")
        gdb.ask("!") == "OK" or failures.append("!")
        step = gdb.ask("s")
        step.startswith("T05") or failures.append(f"s: {step}")
        end = gdb.ask("c")
        end == "W03" or failures.append(f"c: {end}")
        gdb.socket.close()
        if run.wait(60) != 3:
            failures.append(f"status {run.returncode}")
        for name, source, end, expected in (("spin", SPIN, kill, 137), ("wait", WAIT, give_input, ord("A"))):
            status = interrupt((mogcc, mogrun), folder, name, source, failures, end)
            status == expected or failures.append(f"{name}: status {status}")
    print("\n".join(failures) or f"{len(WRONG)} packets")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
