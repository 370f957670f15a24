#!/usr/bin/env python3
"""interrupt.py MOGCC MOGRUN: the first SIGINT has mogrun tell where PEs are, the second ends the run as a limit does: it is told where PEs were, and
what --stats asked for; the third one ends it at once; one that was ignored stays ignored. A program that is run by itself ends by the first.
It is sent when PEs have said that they run. What the first one tells is for tests/watch."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

mogcc, mogrun = sys.argv[1:]
PROGRAM = r"""
#include <stdio.h>
#include <unistd.h>
#include <mog.h>

static void spin(void)
{
    for (volatile int i = 0;; i++)
        ;
}

int main(int argc, char **argv)
{
    printf("%d runs\n", IPROC);
    fflush(stdout);
    if (argc > 1) {
        char c;
        return read(0, &c, 1) == 1 ? c - '0' : 9;   /* whoever runs us holds the other end */
    }
    spin();
}
"""


def begin(arguments, ignored=False):
    """A run whose PEs have begun."""
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.SIG_DFL))
    line = process.stdout.readline()
    assert "runs" in line, line
    return process


def end(process, text=None):
    """(status, standard error)"""
    try:
        _, error = process.communicate(text, timeout=100)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return process.returncode, error


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("spin.c", "w") as file:
        file.write(PROGRAM)
    subprocess.run([mogcc, "-g", "--order-time=0.001", "spin.c", "-o", "spin"], check=True)

    for device in "host", "reference":
        run = begin([mogrun, "-n", "3", "--device=" + device, "--stats=json", "./spin"])
        run.send_signal(signal.SIGINT)
        told = ""
        while "another SIGINT (Ctrl-C) ends the run" not in told:
            told = run.stderr.readline()
            assert told, "the run is over"
        run.send_signal(signal.SIGINT)
        status, error = end(run)
        told, brace, stats = error.partition("{")
        assert status == -signal.SIGINT, status
        # Not all need stand in the same function.
        pieces = [piece.split("-") for ranks in re.findall(r"^mogrun: PEs? ([\d, -]+): interrupted \(SIGINT\), in ", told, re.M) for piece in ranks.split(", ")]
        assert sorted(rank for piece in pieces for rank in range(int(piece[0]), int(piece[-1]) + 1)) == [0, 1, 2], error
        assert "in main (" in told, error
        assert json.loads(brace + stats)["pes"] == 3, error

    # PEs that wait are told of too, and a program that is started by itself does the same.
    run = begin(["./spin", "wait"])
    run.send_signal(signal.SIGINT)
    status, error = end(run)
    assert status == -signal.SIGINT, status
    # It may be on its way there still.
    assert error.startswith("spin: interrupted (SIGINT), in ") and "in main (" in error, error

    # Standard error takes no more: the run cannot end its report, and the third signal does not wait for it.
    full, other = os.pipe()
    os.set_blocking(other, False)
    try:
        while os.write(other, b"x" * 4096):
            pass
    except BlockingIOError:
        os.set_blocking(other, True)
    run = subprocess.Popen([mogrun, "-n", "1", "--device=host", "./spin"], stdout=subprocess.PIPE, stderr=other, text=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    assert "runs" in run.stdout.readline()
    run.send_signal(signal.SIGINT)
    try:
        run.wait(1)
        raise AssertionError("the report did not wait for its reader")
    except subprocess.TimeoutExpired:
        pass
    for _ in range(100):    # some that come before either is noticed are one
        run.send_signal(signal.SIGINT)
        try:
            run.wait(1)
            break
        except subprocess.TimeoutExpired:
            pass
    assert run.returncode == -signal.SIGINT, run.returncode
    os.close(full)

    run = begin([mogrun, "-n", "1", "./spin", "wait"], ignored=True)
    run.send_signal(signal.SIGINT)
    status, error = end(run, "7")
    assert (status, error) == (7, ""), (status, error)
