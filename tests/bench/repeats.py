#!/usr/bin/env python3
"""How often bench/run does a program's work in a sample: as often as its time wants, also where once seems to take no time at all, which
on a busy machine it does now and then; and never so often that it takes long.

Usage: repeats.py BENCH
"""
import sys
from collections import namedtuple
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(sys.argv[1]).resolve() / "library"))
import throughput  # noqa: E402

Done = namedtuple("Done", "wall")
Backend = namedtuple("Backend", "on_gpu")
EMPTY = 0.004   # seconds of a run with nothing to do


class Runs(throughput.Throughput):
    """Runs of a work that takes `once`."""

    def __init__(self, once):
        self.once, self.spent = once, 0

    def run(self, backend, repeats):
        self.spent += EMPTY + repeats * self.once
        return Done(EMPTY + repeats * self.once)


# Seconds that the work takes, that it seems to, that a sample shall; how often it is to be done, and what finding that may take.
for once, seems, seconds, least, most, may_take in (
        (0.009, throughput.LEAST, 0.01, 1, 10, 0.2),      # seems to take nothing
        (0.009, 0.009, 0.01, 2, 2, 0.1),
        (0.009, 0.5, 0.01, 1, 2, 0.1),                    # compiled while it ran
        (0.001, 0.001, 0.5, 400, 600, 2),
        (0.001, throughput.LEAST, 0.5, 400, 600, 2),
        (1e-6, throughput.LEAST, 0.5, 1000, 1000, 0.1)):
    runs = Runs(once)
    often = runs.often_enough(Backend(False), seems, EMPTY, seconds)
    assert least <= often <= most and runs.spent < may_take, (once, seems, seconds, often, runs.spent)
