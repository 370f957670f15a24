#!/usr/bin/env python3
"""functions.py SOURCE LIBMPI NM: what mpi.h declares is in the library under both names, and once; what is not built is in the list of
mog_mpi_missing.def, and docs/mpi.md has just these, each with the reason. With --write the page's table is made."""
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

writes = "--write" in sys.argv
source, library, nm = [a for a in sys.argv[1:] if a != "--write"]
include = Path(source) / "runtime_pe/include"
page = Path(source) / "docs/mpi.md"

definitions = (include / "mog_mpi_missing.def").read_text()
reasons = dict(re.findall(r'#define (\w+) "(.*)"', definitions))
missing = {name: reasons.get(why, why.strip('"')) for name, why in re.findall(r"^X\((\w+), (.*)\)$", definitions, re.M)}
headers = [include / "mpi.h", *include.glob("mog_mpi_*.h")]
# Not where the macros themselves are defined: their parameter is called name.
declared = {name for header in headers for name in re.findall(r"MOG_MPI_FUNCTION\((\w+),", header.read_text())} - {"name"}
failures = []

by_reason = {}
for name, why in missing.items():
    by_reason.setdefault(why, []).append(f"`MPI_{name}`")
rows = "".join(f"| {why} | {', '.join(names)} |\n" for why, names in by_reason.items())
table = f"| why | functions |\n|---|---|\n{rows}"
text = page.read_text()
begin, end = "<!-- missing: made by tests/mpi/functions.py --write -->\n", "<!-- end -->"
head, _, rest = text.partition(begin)
old, _, tail = rest.partition(end)
if writes:
    page.write_text(head + begin + table + end + tail)
elif old != table:
    failures.append("docs/mpi.md: the table of functions that are not built is another one: run this with --write")

symbols = Counter(line.split()[-1] for line in subprocess.run([nm, "--defined-only", library], capture_output=True, text=True, check=True).stdout.splitlines()
                  if re.search(r" [TW] ", line))
for name in declared | set(missing):
    for symbol in (f"MPI_{name}", f"PMPI_{name}"):
        if symbols[symbol] != 1:
            failures.append(f"{symbol}: {symbols[symbol]} times in the library")
for name in declared & set(missing):
    failures.append(f"MPI_{name}: built, and in mog_mpi_missing.def")
for symbol in symbols:
    if symbol.startswith("PMPI_") and symbol[5:] not in declared | set(missing) | {"Wtime", "Wtick", "Aint_add", "Aint_diff"}:
        failures.append(f"{symbol}: in no header")
print("\n".join(failures))
sys.exit(bool(failures))
