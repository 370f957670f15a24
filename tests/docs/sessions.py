#!/usr/bin/env python3
"""sessions.py [--rebase] ROOT BUILD DOCUMENT: runs what DOCUMENT shows, and compares.

Each block ```console in DOCUMENT is a session: lines `$ command` and below each what it prints, standard error included. All
sessions of a document run in one folder, in order; there `build` is the build folder BUILD, `examples`, `scripts` and `docs` are ROOT's,
and the tools are in PATH. In the output shown, a line `...` stands for any lines, and `...` in a line for any text. Lines that mogrun prints may come in any order.

A comment on the line before a block changes this:
    <!-- file: NAME -->      a block that is no session: the content of a file that the sessions use
    <!-- numbers -->         numbers need not agree, only what stands around them: sizes, times, addresses
    <!-- not run: WHY -->    not run here

--rebase writes what commands printed into DOCUMENT where it differs from what is shown.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import markdown

MARK = "@@end of command "
NUMBER = re.compile(r"(?<![A-Za-z])(0x)?[0-9][0-9a-f]*(\.[0-9]+)?")


def commands_of(block):
    """[(line number, command, expected lines)]"""
    commands = []
    for i, line in enumerate(block.lines):
        if commands and commands[-1][1].endswith("\\") and not commands[-1][2]:
            number, command, _ = commands.pop()
            commands.append((number, command[:-1] + line.strip(), []))
        elif line.startswith("$ "):
            commands.append((block.line + i, line[2:].split("   # ")[0].rstrip(), []))
        elif commands:
            commands[-1][2].append(line)
    return commands


def run(commands, folder, environment):
    """The lines that each command prints, all run by one shell."""
    script = "".join(f"{command}\n_s=$?; printf '%s%s\\n' '\n{MARK}' $_s; (exit $_s)\n" for _, command, _ in commands)
    done = subprocess.run(["bash", "-c", "exec 2>&1\n" + script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace", timeout=300)
    outputs, lines = [], []
    for line in done.stdout.split("\n"):
        if line.startswith(MARK):
            while lines and not lines[-1]:
                lines.pop()
            outputs.append(lines)
            lines = []
        else:
            lines.append(line.rstrip())
    return outputs


def pattern_of(expected, numbers):
    """A regular expression for the lines shown."""
    def one(line):
        text = ".*".join(re.escape(re.sub(r"\s+", " ", part)) for part in line.rstrip().split("..."))
        return text

    parts = []
    for line in expected:
        parts.append(r"(?:.*\n)*" if line.strip() == "..." else one(generalise(line, numbers)) + r"\n")
    return re.compile("".join(parts))


def generalise(line, numbers):
    return re.sub(r"\s+", " ", NUMBER.sub("0", line) if numbers else line).rstrip()


def check_document(root, build, document):
    """(commands run, failures, {first line of the output shown: (number of lines shown, lines printed)})"""
    blocks, _ = markdown.split((root / document).read_text())
    failures, checked, corrections = [], 0, {}
    with tempfile.TemporaryDirectory() as folder:
        for name, target in (("build", build), ("examples", root / "examples"), ("scripts", root / "scripts"), ("docs", root / "docs")):
            os.symlink(target, Path(folder) / name)
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MOG_")}
        environment["PATH"] = f"{build}/bin:{environment['PATH']}"
        for block in blocks:
            if block.note.startswith("file: "):
                (Path(folder) / block.note[6:]).write_text("\n".join(block.lines) + "\n")
            if block.language != "console" or block.note.startswith("not run: "):
                continue
            commands = commands_of(block)
            numbers = block.note == "numbers"
            outputs = run(commands, folder, environment)
            for i, (line, command, expected) in enumerate(commands):
                checked += 1
                if i >= len(outputs):
                    failures.append(f"{document}:{line}: $ {command}\n  did not end")
                    break
                while expected and not expected[-1].strip():
                    expected.pop()
                # A command of several lines has its output behind the last of them.
                after = line + 1 + sum(text.endswith("\\") for text in block.lines[line - block.line:line - block.line + 1])
                printed = "".join(generalise(text, numbers) + "\n" for text in outputs[i])
                if not agrees(command, expected, printed, numbers):
                    shown = "\n    ".join(expected) or "(nothing)"
                    real = "\n    ".join(outputs[i][:60]) or "(nothing)"
                    corrections[after] = (len(expected), outputs[i])
                    failures.append(f"{document}:{line}: $ {command}\n  shown:\n    {shown}\n  printed:\n    {real}")
    return checked, failures, corrections


def agrees(command, expected, printed, numbers):
    """Whether that is what is shown. Lines of PEs may come in another order: a PE whose thread is not running while others end is later."""
    if pattern_of(expected, numbers).fullmatch(printed):
        return True
    lines = printed.splitlines(keepends=True)
    return "mogrun" in command and bool(pattern_of(sorted(expected), numbers).fullmatch("".join(sorted(lines))))


def rebase(path, corrections):
    lines = path.read_text().split("\n")
    for line, (shown, printed) in sorted(corrections.items(), reverse=True):
        lines[line - 1:line - 1 + shown] = printed
    path.write_text("\n".join(lines))


if __name__ == "__main__":
    arguments = [a for a in sys.argv[1:] if a != "--rebase"]
    root, build, document = Path(arguments[0]).resolve(), Path(arguments[1]).resolve(), arguments[2]
    checked, failures, corrections = check_document(root, build, document)
    print(f"{checked} commands", *failures, sep="\n")
    if failures:
        print(f"If the commands are right and {document} is out of date: {sys.argv[0]} --rebase {root} {build} {document}")
    if "--rebase" in sys.argv:
        rebase(root / document, corrections)
    sys.exit(1 if failures or not checked else 0)
