#!/usr/bin/env python3
"""functions.py SOURCE LIBMPI NM: what mpi.h declares is in the library under both names, and once; what is not built is in the list of
mpi_missing.def; docs/mpi.md names each function, those that work by the headings of the headers, the others with the reason. With --write
the page's tables are made."""
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

writes = "--write" in sys.argv
source, library, nm = [a for a in sys.argv[1:] if a != "--write"]
include = Path(source) / "runtime_pe/include"
page = Path(source) / "docs/mpi.md"

definitions = (include / "mog/mpi_missing.def").read_text()
reasons = dict(re.findall(r'#define (\w+) "(.*)"', definitions))
missing = {name: reasons.get(why, why.strip('"')) for name, why in re.findall(r"^MOG_MPI_MISSING\((\w+), (.*)\)$", definitions, re.M)}
headers = [include / "mpi.h", *include.glob("mog/mpi_*.h")]
# Not where the macros themselves are defined: their parameter is called name.
declared = {name for header in headers for name in re.findall(r"MOG_MPI_FUNCTION\((\w+),", header.read_text())} - {"name"}
failures = []

def works():
    """Rows: a heading of a header, or its first line's title, and the functions under it."""
    rows = []
    for header in [include / "mpi.h", *sorted(include.glob("mog/mpi_*.h"))]:
        title = re.match(r"/\* \S+: ([^.,:;]*)", header.read_text())
        heading = title.group(1).removesuffix(" */") if title else header.name
        for line in header.read_text().splitlines():
            if found := re.match(r"/\* -{4} (.*?) -+ \*/", line):
                heading = found.group(1)
            for name in re.findall(r"MOG_MPI_FUNCTION\((\w+),|(?:int|double|MPI_Aint) MPI_(\w+)\(", line):
                name = next(filter(None, name))
                if name == "name" or line.startswith("typedef"):
                    continue
                if not rows or rows[-1][0] != heading:
                    rows.append((heading, []))
                rows[-1][1].append(f"`MPI_{name}`")
    return "".join(f"| {heading} | {', '.join(names)} |\n" for heading, names in rows)


def fill(text, name, table):
    """`text` with the table between the marks of this name; says so if it was another one."""
    begin, end = f"<!-- {name}: made by tests/mpi/functions.py --write -->\n", "<!-- end -->"
    head, _, rest = text.partition(begin)
    old, _, tail = rest.partition(end)
    if not writes and old != table:
        failures.append(f"docs/mpi.md: the table \"{name}\" is another one: run this with --write")
    return head + begin + table + end + tail


by_reason = {}
for name, why in missing.items():
    by_reason.setdefault(why, []).append(f"`MPI_{name}`")
text = fill(page.read_text(), "missing",
            "| why | functions |\n|---|---|\n" + "".join(f"| {why} | {', '.join(names)} |\n" for why, names in by_reason.items()))
text = fill(text, "works", "| for | functions |\n|---|---|\n" + works())
if writes:
    page.write_text(text)

symbols = Counter(line.split()[-1] for line in subprocess.run([nm, "--defined-only", library], capture_output=True, text=True, check=True).stdout.splitlines()
                  if re.search(r" [TW] ", line))
for name in declared | set(missing):
    for symbol in (f"MPI_{name}", f"PMPI_{name}"):
        if symbols[symbol] != 1:
            failures.append(f"{symbol}: {symbols[symbol]} times in the library")
for name in declared & set(missing):
    failures.append(f"MPI_{name}: built, and in mpi_missing.def")
for symbol in symbols:
    if symbol.startswith("PMPI_") and symbol[5:] not in declared | set(missing) | {"Wtime", "Wtick", "Aint_add", "Aint_diff"}:
        failures.append(f"{symbol}: in no header")
print("\n".join(failures))
sys.exit(bool(failures))
