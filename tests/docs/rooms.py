#!/usr/bin/env python3
"""rooms.py ROOT: docs/map.md names every folder of sources, and files include only what its table allows, in which there are no circles."""
import os
import re
import sys
from pathlib import Path

root = Path(sys.argv[1]).resolve()
TOPS = ("abi", "assembler", "interp_templates", "mogcc", "runtime_cuda", "runtime_host", "runtime_pe", "support", "translator")
# Headers as C, POSIX and CUDA have them, whose folders are those of the system.
SYSTEM = re.compile(r"runtime_pe/(additions/.+|include/.+)|runtime_cuda/include/(std/.+|cooperative_groups)")
MOST_FILES = 26     # in a room; more is a hall in which nobody finds anything

failures = []
allowed = {}
for line in (root / "docs/map.md").read_text().splitlines():
    cells = line.split("|")
    if len(cells) == 5 and (room := re.fullmatch(r" `([\w/]+)` ", cells[1])):
        allowed[room[1]] = set(re.findall(r"`([\w/]+)`", cells[3]))

sources = [path for top in TOPS for path in sorted((root / top).rglob("*")) if path.is_file() and path.suffix in (".c", ".h", ".cpp", ".hpp", ".def", ".S")]
folders = {}
for path in sources:
    folders.setdefault(path.parent.relative_to(root).as_posix(), []).append(path)
for room in sorted(folders.keys() - allowed.keys()):
    if not SYSTEM.fullmatch(room):
        failures.append(f"{room}/ is not in docs/map.md")
for room in sorted(allowed.keys() - folders.keys()):
    failures.append(f"docs/map.md: there are no sources in {room}/")
for room, files in folders.items():
    if len(files) > MOST_FILES and not SYSTEM.fullmatch(room):
        failures.append(f"{room}/ has {len(files)} files: more than {MOST_FILES} are a hall, make rooms of it")

arrows = 0
for path in sources:
    room = path.parent.relative_to(root).as_posix()
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not (found := re.match(r'\s*#\s*include "([^"]+)"', line)):
            continue
        there = next((place for place in (root / found[1], path.parent / found[1]) if place.is_file()), None)
        if there is None:
            continue
        target = Path(os.path.normpath(there.parent)).relative_to(root).as_posix()
        arrows += 1
        if target != room and target not in allowed.get(room, set()):
            failures.append(f"{path.relative_to(root)}:{number}: {room} may not include {target}, says docs/map.md")

# What is allowed goes down: rooms that have all they may include below them are taken away until none is left.
left = {room: set(below) for room, below in allowed.items()}
while bottom := {room for room, below in left.items() if not below & left.keys()}:
    left = {room: below for room, below in left.items() if room not in bottom}
if left:
    failures.append(f"docs/map.md allows a circle among {', '.join(sorted(left))}")

print(f"{len(folders)} rooms, {arrows} includes", *failures, sep="\n")
sys.exit(1 if failures or not arrows else 0)
