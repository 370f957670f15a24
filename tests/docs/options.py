#!/usr/bin/env python3
"""options.py ROOT MOGCC MOGTR MOGAS MOGRUN: the documents and --help agree about options.

Every long option that a command in the Markdown files under ROOT gives to one of the tools, or to a command in bench/, is in that
one's --help; every long option named alone, as `--option`, is in the --help of one of them; and README.md names every option of mogrun
and its variable.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

import markdown

root = Path(sys.argv[1])
OPTION = re.compile(r"--[a-z][a-z0-9-]*")
# Of other programs.
FOREIGN = {"--emit-relocs": "ld", "--expt-relaxed-constexpr": "nvcc", "--fmad": "nvcc", "--gc-sections": "ld"}

# The tools, and the commands in bench/, which documents call by that name.
commands = {Path(tool).name: tool for tool in sys.argv[2:]}
commands |= {str(script.relative_to(root)): script for script in [*(root / "bench").glob("*"), root / "scripts/test-gpu"]
             if script.is_file() and os.access(script, os.X_OK)}
helps = {name: subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout for name, tool in commands.items()}
known = {tool: set(OPTION.findall(text)) for tool, text in helps.items()}
anywhere = set().union(*known.values())


def check_command(segment):
    """Options in one command that its tool does not have, or None if the command is none of the tools."""
    words = segment.split()
    while words and (words[0] == "$" or re.fullmatch(r"[A-Z_]+=\S*", words[0])):
        words.pop(0)
    tool = (words[0] if words[0] in known else Path(words[0]).name) if words else ""
    if tool not in known:
        return None
    return [option for word in words[1:] if word.startswith("--") for option in OPTION.findall(word)[:1] if option not in known[tool]]


failures, checked = [], 0
for document in markdown.documents(root):
    blocks, prose = markdown.split(document.read_text())
    code = [(block.line + i, line) for block in blocks if block.language in ("console", "sh", "")
            for i, line in enumerate(block.lines)]
    for number, text in code + list(markdown.code_spans(prose)):
        place = f"{document.relative_to(root)}:{number}"
        for segment in re.split(r"&&|\|\|?|;", text):
            wrong = check_command(segment)
            if wrong is not None:
                checked += 1
                failures += [f"{place}: {segment.strip()}: {option} is not in its --help" for option in wrong]
        alone = re.fullmatch(r"(--[a-z][a-z0-9-]*)(=\S*| .*)?", text)
        if alone:
            checked += 1
            if alone[1] not in anywhere and alone[1] not in FOREIGN:
                failures.append(f"{place}: `{text}`: no tool has this option")

readme = root / "README.md"
text = readme.read_text() if readme.exists() else ""
for option in sorted(known["mogrun"] | set(re.findall(r"\bMOG_[A-Z_]+", helps["mogrun"]))):
    checked += 1
    if option not in text:
        failures.append(f"README.md: does not name {option}, which mogrun --help does")
print(f"{checked} checks", *failures, sep="\n")
sys.exit(1 if failures or not checked else 0)
