#!/usr/bin/env python3
"""checks_can_fail.py BUILD TOOL...: links.py, options.py and sessions.py each find what is wrong with tests/docs/bad/."""
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
    "sessions.py": ([build, "README.md"], ["shown:\n    two\n  printed:\n    one"]),
}

status = 0
with tempfile.TemporaryDirectory() as root:
    shutil.copy(here / "bad/README.md", root)
    for check, (arguments, messages) in WANTED.items():
        done = subprocess.run([sys.executable, "-B", here / check, root, *arguments], capture_output=True, text=True)
        for message in messages:
            if done.returncode != 1 or message not in done.stdout:
                print(f"{check}: status {done.returncode}, no \"{message}\" in\n{done.stdout}{done.stderr}")
                status = 1
sys.exit(status)
