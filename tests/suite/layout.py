#!/usr/bin/env python3
"""layout.py ROOT [--fix]: sources look as .clang-format says. Exit status 77: there is no clang-format of the right version.

Not so laid out: templates and tables, whose columns mean something (interp_templates/, abi/, *.def), headers of the C library,
programs that tests run, whose lines are counted, and what checks of the documents have to find wrong.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VERSION = 14    # others break lines elsewhere
FOLDERS = {"assembler": "cpp hpp", "translator": "cpp hpp", "runtime_host": "cpp hpp h c", "runtime_cuda": "cpp hpp h", "mogcc": "cpp hpp", "support": "cpp hpp",
           "tests": "cpp hpp", "bench": "cpp hpp", "runtime_pe": "c h"}
OUTSIDE = ("runtime_pe/include/", "runtime_pe/additions/", "runtime_host/include/", "tests/docs/bad/")

root = Path(sys.argv[1]).resolve()
tool = shutil.which("clang-format")
told = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout if tool else ""
if not re.search(rf"version {VERSION}\.", told):
    print(f"skipped: this wants clang-format {VERSION}; on Debian 12: apt-get install clang-format")
    sys.exit(77)

files = [path for folder, kinds in FOLDERS.items() for path in sorted((root / folder).rglob("*"))
         if path.suffix[1:] in kinds.split() and not path.relative_to(root).as_posix().startswith(OUTSIDE)]
if "--fix" in sys.argv:
    sys.exit(subprocess.run([tool, "-i", *files]).returncode)

checked = subprocess.run([tool, "--dry-run", "--Werror", "--ferror-limit=1", *files], capture_output=True, text=True)
print(f"{len(files)} files", checked.stderr[-4000:], sep="\n")
if checked.returncode:
    print("tests/suite/layout.py . --fix lays them out")

# What the check would not notice, it could not forbid.
with tempfile.TemporaryDirectory() as folder:
    shutil.copy(root / ".clang-format", folder)
    bad = Path(folder) / "bad.cpp"
    bad.write_text("int  f( ){return 1 ;}\n")
    if subprocess.run([tool, "--dry-run", "--Werror", bad], capture_output=True).returncode == 0:
        sys.exit("clang-format finds nothing wrong with a line that is")
sys.exit(1 if checked.returncode or len(files) < 100 else 0)
