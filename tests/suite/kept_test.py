#!/usr/bin/env python3
"""kept_test.py: what tests keep for each other (tests/kept.py) is made anew when anything that it follows from has changed, and when it is
damaged."""
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import kept     # noqa: E402

failures = 0


def check(got, expected, what):
    global failures
    if got != expected:
        failures += 1
        print(f"FAILED: {what}: {got!r}, expected {expected!r}")


with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    store, source, tool = folder / "store", folder / "source.c", folder / "tool"
    (folder / "data").mkdir()
    source.write_text("int main(void) { return 0; }\n")
    tool.write_text("#!/bin/sh\n")
    made = []

    def ask(store=store):
        facts = (kept.tool(str(tool)), kept.files(source, folder / "data", folder / "none"))
        return kept.once(store, facts, lambda: made.append(1) or (b"out\n\xff", len(made), {"file": "0"}))

    check(ask(), (b"out\n\xff", 1, {"file": "0"}), "the first time")
    check(ask()[1], 1, "again")
    check(ask(None)[1], 2, "without a folder")
    check(ask()[1], 1, "a folder is as it was")
    source.write_text("int main(void) { return 1; }\n")
    check(ask()[1], 3, "another source")
    (folder / "data" / "more").write_text("x")
    check(ask()[1], 4, "another file in a folder")
    (folder / "data" / "more").rename(folder / "data" / "other")
    check(ask()[1], 5, "another name of a file")
    (folder / "none").write_text("")
    check(ask()[1], 6, "a file that was not there")
    os.utime(tool, (time.time() + 9, time.time() + 9))
    check(ask()[1], 7, "a newer tool")
    check(ask()[1], 7, "again, after all this")
    tool.write_text("#!/bin/sh\n:\n")
    facts = kept.tool(str(tool))
    check([kept.once(store, facts, lambda: made.append(1) or len(made), lambda made: made > 9) for _ in range(4)], [8, 9, 10, 10], "what is not good")
    for damaged in (b"", b"(", b"no such thing"):
        for path in store.iterdir():
            path.write_bytes(damaged)
        count = len(made)
        check(ask()[1], count + 1, f"damaged: {damaged!r}")
    count = len(made)
    check(ask()[1], count, "before it is forgotten")
    kept.forget()
    check(ask()[1], count + 1, "after that")
    check([path.name for path in store.iterdir() if path.suffix], [], "files that were left")

# Programs: of the tools that are there, and no others.
with tempfile.TemporaryDirectory() as folder:
    folder = Path(folder)
    made, program, beside = [], folder / "program", folder / "program.elf"

    def make():
        made.append(1)
        program.write_text(f"made {len(made)}")
        beside.write_text("beside")
        return "a complaint" if len(made) == 4 else None

    def ask(tools, facts, store=folder / "store"):
        complaint = kept.programs_once(store, tools, facts, (program, beside), make)
        return complaint or program.read_text() + beside.read_text()[:1]

    check(ask("old", "one"), "made 1b", "a program")
    program.unlink()
    check(ask("old", "one"), "made 1b", "a program again")
    check(ask("old", "two"), "made 2b", "another program, in the same files")
    check(ask("old", "one"), "made 1b", "the first one is as it was")
    check(ask("old", "one", None), "made 3b", "a program without a folder")
    check(ask("old", "bad"), "a complaint", "a program that cannot be made")
    check(ask("old", "bad"), "made 5b", "nothing of it is kept")
    check(ask("new", "one"), "made 6b", "a newer tool makes it")
    check(ask("old", "one"), "made 7b", "what older tools have made is gone")

print(f"{failures} failures")
sys.exit(1 if failures else 0)
