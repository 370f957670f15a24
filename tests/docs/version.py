#!/usr/bin/env python3
"""version.py ROOT VERSION TOOL...: the version of the project is what each tool tells, a semantic one, and CHANGELOG.md knows it."""
import re
import subprocess
import sys
from pathlib import Path

root, version, tools = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
failures = []
if not re.fullmatch(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", version):
    failures.append(f"{version} is no semantic version")
for tool in tools:
    done = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False)
    name = Path(tool).name
    if done.returncode != 0 or not re.match(rf"{re.escape(name)} (\(MOG\) )?{re.escape(version)}\b", done.stdout):
        failures.append(f"{name} --version: status {done.returncode}, {done.stdout!r}{done.stderr!r}, not {name} {version}")
changes = (root / "CHANGELOG.md").read_text()
sections = re.findall(r"^## (.+)$", changes, re.M)
if sections[:1] != ["Unreleased"]:
    failures.append("CHANGELOG.md: the first section is not Unreleased")
if not any(re.match(rf"\[?{re.escape(version)}\b", section) for section in sections) and f"This will be {version}," not in changes:
    failures.append(f"CHANGELOG.md does not know {version}")
print(f"{len(tools)} tools", *failures, sep="\n")
sys.exit(1 if failures or not tools else 0)
