#!/usr/bin/env python3
"""promises.py ROOT BUILD: docs/safety.md promises nothing that no test holds, and its numbers are those of the code.

Each row of a table on that page is a promise: its first cell has an anchor (<a id="name"></a>) that no other row has, and its last one names
tests that ctest knows. Only the section "What is not protected" has other tables. In the section "Bounds" the cell before the tests says where the bound stands
in the code, as `file: constant`, with the value that the bound's cell begins with; `option` alone is one that the user gives.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

root, build = Path(sys.argv[1]), sys.argv[2]
page = root / "docs/safety.md"
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True)
known = {test["name"] for test in json.loads(listed.stdout)["tests"]}
failures, anchors, promises = [], set(), 0


def constant(file, name):
    """The value of a constant in a source; None: it has none there that is written as a number."""
    path = root / file
    if path.exists() and path.suffix == ".def":  # a row of a table
        row = re.search(rf"^\w+\({re.escape(name)}, (\w+)\)$", path.read_text(), re.M)
        return int(row[1], 0) if row else None
    found = re.search(rf"\b{re.escape(name)}\s*(?:=|\{{)\s*([^;,}}]*(?:\{{[^}}]*\}}[^;,}}]*)?)[;,}}]", path.read_text()) if path.exists() else None
    if not found:
        return None
    text = re.sub(r"(?:std::)?(?:u?int\d+_t|size_t|u32|u64)\{(\w+)\}", r"\1", found[1]).replace("'", "")
    text = re.sub(r"(?<=[0-9a-fA-F])[uUlL]+\b", "", text)
    return eval(text, {"__builtins__": {}}) if re.fullmatch(r"[\s0-9a-fA-FxX+\-*/<>().]+", text) else None  # pylint: disable=eval-used


def check_bound(place, bound, where):
    """The bound of a row is that in the code."""
    if where == "option":
        return
    source = re.fullmatch(r"`([\w/.]+): (\w+)`", where)
    value = re.match(r"([\d,]+)(?: (KiB|MiB|GiB)\b)?", bound)
    if not source or not value:
        failures.append(f"{place}: a bound is a number, and `file: constant` or option says where it stands")
        return
    wanted, got = int(value[1].replace(",", "")) * UNITS.get(value[2], 1), constant(*source.groups())
    if got != wanted:
        failures.append(f"{place}: {bound}, but {source[1]} has {source[2]} = {got}")


section = ""
for number, line in enumerate(page.read_text().splitlines(), 1):
    place = f"{page.relative_to(root)}:{number}"
    if line.startswith("## "):
        section = line[3:]
    if not line.startswith("|") or section == "What is not protected":
        continue
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if re.fullmatch(r"[\s|:-]+", line) or cells[-1] == "test":
        continue
    promises += 1
    anchor = re.match(r'<a id="([a-z0-9-]+)"></a>', cells[0])
    if not anchor:
        failures.append(f"{place}: a promise without a name: <a id=\"...\"></a>")
    elif anchor[1] in anchors:
        failures.append(f"{place}: a second promise {anchor[1]}")
    else:
        anchors.add(anchor[1])
    tests = re.findall(r"`([^`]+)`", cells[-1])
    if not tests:
        failures.append(f"{place}: a promise without a test")
    failures += [f"{place}: ctest has no test {test}" for test in tests if test not in known]
    if section == "Bounds":
        check_bound(place, cells[1], cells[-2])
print(f"{promises} promises", *failures, sep="\n")
sys.exit(1 if failures or not promises else 0)
