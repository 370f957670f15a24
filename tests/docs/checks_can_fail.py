#!/usr/bin/env python3
"""checks_can_fail.py BUILD TOOL...: links.py, options.py, promises.py, rooms.py and sessions.py each find what is wrong with tests/docs/bad/."""
import subprocess
import sys
import tempfile
import shutil
from pathlib import Path

here = Path(__file__).parent
build, tools = sys.argv[1], sys.argv[2:]
WANTED = {
    "links.py": ([], ["no such file", "no such heading"]),
    "options.py": (tools, ["--no-such-option is not in its --help", "no tool has this option", "does not name --device"]),
    "promises.py": ([build], ["safety.md:6: a promise without a test", "ctest has no test docs.no_such_test", "a second promise good", "a promise without a name",
                              "4,096 of them, but limits.hpp has other = 4097", "gone = None"]),
    "rooms.py": ([], ["mogcc/ is not in docs/map.md", "no sources in gone/", "support/down.hpp:1: support may not include mogcc", "a circle among assembler/ir, support"]),
    "sessions.py": ([build, "README.md"], ["shown:\n    two\n  printed:\n    one"]),
}

status = 0
with tempfile.TemporaryDirectory() as root:
    shutil.copytree(here / "bad", root, dirs_exist_ok=True)
    for check, (arguments, messages) in WANTED.items():
        done = subprocess.run([sys.executable, "-B", here / check, root, *arguments], capture_output=True, text=True)
        for message in messages:
            if done.returncode != 1 or message not in done.stdout or "64 KiB" in done.stdout:
                print(f"{check}: status {done.returncode}, no \"{message}\" in\n{done.stdout}{done.stderr}")
                status = 1
sys.exit(status)
