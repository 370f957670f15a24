#!/usr/bin/env python3
"""progress.py MOGCC MOGRUN: how far a run is, on a terminal and in a file. A small terminal of our own shows what a user would see: a line that is drawn over
itself, and nothing of it in what PEs print, nor at the end.
"""
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

mogcc, mogrun = sys.argv[1:]
PROGRAM = r"""
#include <mog.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char c;
    if (IPROC == 1) return 0;
    if (IPROC == 2)
        for (volatile int i = 0;; i++)
            ;
    while (IPROC == 0 && read(0, &c, 1) == 1) {
        if (c == 'q') return 0;
        if (c == 'p') printf("name? ");
        else printf("went on with %c\n", c);
        fflush(stdout);
    }
    return 7;
}
"""
LINE = re.compile(r"^\d+ s, \d+ s left: 1 of 3 PEs ended, \S.* calls/s, \d+ calls, ")


class Terminal:
    """What a user sees: rows of text, by the few controls that are used."""

    def __init__(self, *arguments, stdin=subprocess.PIPE):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(arguments, stdin=stdin, stdout=slave, stderr=slave, start_new_session=True,
                                        preexec_fn=lambda: self.own(slave))
        os.close(slave)
        self.rows, self.at, self.seen = [""], 0, []

    @staticmethod
    def own(slave):
        """The process has this terminal, as under a shell."""
        import fcntl
        import termios
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    def take(self, seconds):
        """False: there is nothing more."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            text = os.read(self.master, 65536).decode()
        except OSError:
            return False
        for piece in re.findall(r"\x1b\[K|[\r\n]|[^\r\n\x1b]+", text):
            if piece == "\r":
                self.at = 0
            elif piece == "\n":
                self.rows.append("")
                self.at = 0
            elif piece == "\x1b[K":
                self.rows[-1] = self.rows[-1][:self.at]
            else:
                self.rows[-1] = self.rows[-1][:self.at] + piece + self.rows[-1][self.at + len(piece):]
                self.at += len(piece)
            self.seen.append(self.rows[-1])
        return bool(text)

    def until(self, holds):
        while not holds():
            assert self.take(1), ("over", self.rows)

    def send(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()


def compiled():
    with open("program.c", "w") as file:
        file.write(PROGRAM)
    subprocess.run([mogcc, "--order-time=0.001", "-O1", "program.c", "-o", "program"], check=True)


def on_terminal():
    run = Terminal(mogrun, "-n", "3", "--device=host", "./program")
    run.until(lambda: LINE.match(run.rows[-1]))
    assert int(re.match(r"\d+", run.rows[-1])[0]) >= 2, run.rows        # what is over sooner has none
    run.send("a")
    run.until(lambda: "went on with a" in run.rows)
    run.until(lambda: LINE.match(run.rows[-1]))
    # A line that is not finished stays alone.
    run.send("p")
    run.until(lambda: run.rows[-1].startswith("name? "))
    begin = time.monotonic()
    while time.monotonic() - begin < 2.5:
        run.take(0.1)
    assert run.rows == ["went on with a", "name? "], run.rows
    run.send("b")
    run.until(lambda: "name? went on with b" in run.rows)
    run.until(lambda: LINE.match(run.rows[-1]))
    os.kill(run.process.pid, signal.SIGINT)
    run.until(lambda: any(row.startswith("another SIGINT") for row in run.rows))
    os.kill(run.process.pid, signal.SIGINT)
    while run.take(1):
        pass
    run.process.wait()
    assert run.rows[-1] == "" and not any(LINE.search(row) for row in run.rows), run.rows
    assert run.rows[:2] == ["went on with a", "name? went on with b"], run.rows


def off():
    run = Terminal(mogrun, "-n", "3", "--device=host", "--progress=off", "./program")
    begin = time.monotonic()
    while time.monotonic() - begin < 4:
        run.take(0.1)
    run.process.kill()
    assert run.rows == [""], run.rows


def in_files():
    reader, writer = os.pipe()
    run = subprocess.Popen([mogrun, "-n", "3", "--device=reference", f"--progress={writer}", "--timeout=3.5", "./program"], stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pass_fds=[writer])
    os.close(writer)
    with os.fdopen(reader) as file:
        lines = [json.loads(line) for line in file]
    _, error = run.communicate()
    assert run.returncode == 124 and "left" not in error and "--timeout" in error, (run.returncode, error)
    assert len(lines) >= 3 and [line["over"] for line in lines] == [False] * (len(lines) - 1) + [True], lines
    assert all(a["seconds"] < b["seconds"] for a, b in zip(lines, lines[1:])), lines
    assert all((line["pes"], line["ended"], line["waiting"]) == (3, 1, 1) for line in lines[:-1]), lines
    assert all(line["resident_bytes"] > 1 << 20 and line["seconds_left"] > 0 for line in lines[:-1]), lines
    assert lines[-1]["status"] == 124 and lines[-1]["ended"] == 3 and "seconds_left" not in lines[-1], lines
    # What is not a terminal has lines only if that is asked for; a short run has the last line of JSON.
    run = subprocess.run([mogrun, "-n", "3", "--device=host", "--progress=on", "--timeout=3.5", "./program"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert re.search(r"(?m)^\d+ s, \d+ s left: 2 of 3 PEs ended, .* [\d.]+ MB of memory$", run.stderr), run.stderr
    run = subprocess.run([mogrun, "-n", "2", "--device=host", "--progress=./progress.json", "./program"], input="q", stderr=subprocess.PIPE, text=True)
    with open("progress.json") as file:
        last = [json.loads(line) for line in file][-1]
    assert (run.returncode, run.stderr, last["over"], last["status"], last["ended"]) == (0, "", True, 0, 2), (run, last)
    for wrong, told in ("./none/progress.json", "cannot write"), ("987", "no descriptor 987"):
        run = subprocess.run([mogrun, "-n", "2", "--progress=" + wrong, "./program"], stderr=subprocess.PIPE, text=True)
        assert run.returncode == 1 and told in run.stderr, run


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    compiled()
    on_terminal()
    off()
    in_files()
