#!/usr/bin/env python3
"""run_golden.py: runs one golden file: a command, its input, and what it must print.

    # Comment lines come first and say what is tested, and why.
    ? mogrun --list-devices | grep -q opencl      a condition: if it fails, the test is skipped (status 77)
    $ mogcc -g {here}/null.c -o null               set-up: must succeed
    > mogrun -n 4 ./null                           the command under test
    --- stdin
    what it reads
    --- file NAME
    a file that it finds
    --- stdout
    what it must print, line by line
    --- stderr
    ~ a line that begins with a tilde and a space is a regular expression for the whole line
    --- status 139

All run through sh in a fresh folder. What is not mentioned must be empty, the status 0. {here} is the golden file's folder.
A file may hold several `>` commands, each with its sections; a section `--- status N` ends a command's part.

--rebase rewrites stdout, stderr and status to what was got, where they do not match. --path DIR finds the tools.
--each NAME=A,B,C runs everything after the set-up once for each value of the environment variable NAME.

Status: 0 as expected, 1 not, 2 usage, 77 skipped.
"""
import argparse
import difflib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
# Of programs that are made for a test nobody asks in what order interpreters try their subinterpreters: the search for it, half of what mogcc does
# for a small program, is short.
SHORT_SEARCH = "".join(f'{tool}() {{ command {tool} --order-time=0.001 "$@"; }}; ' for tool in ("mogcc", "mogmpicc"))


class Step:
    """A command under test, its input and expectation. Texts are lists of lines."""

    def __init__(self, command):
        self.command = command
        self.stdin, self.files = [], {}
        self.expected = {"stdout": [], "stderr": []}
        self.status = 0


class Golden:
    def __init__(self, path):
        self.path = Path(path).resolve()
        self.comments, self.conditions, self.setup, self.steps = [], [], [], []
        section = None
        for number, line in enumerate(self.path.read_text().splitlines(), 1):
            if line.startswith("--- "):
                section = self.open_section(line[4:].split(), number)
            elif line.startswith("> ") and (section is None or section is self.comments):
                self.steps.append(Step(line[2:]))
                section = None
            elif section is not None:
                section.append(line)
            elif not self.steps and line.startswith("? "):
                self.conditions.append(line[2:])
            elif not self.steps and line.startswith("$ "):
                self.setup.append(line[2:])
            elif not self.steps and line.startswith("#") and not self.setup + self.conditions:
                self.comments.append(line)
            elif line:
                raise SyntaxError(f"{self.path}:{number}: what is this? {line}")

    def open_section(self, words, number):
        if not self.steps:
            raise SyntaxError(f"{self.path}:{number}: a section before any command")
        step = self.steps[-1]
        if words[0] == "status" and len(words) == 2:
            step.status = int(words[1])
            return None
        if words[0] == "file" and len(words) == 2:
            return step.files.setdefault(words[1], [])
        if words == ["stdin"]:
            return step.stdin
        if words in (["stdout"], ["stderr"]):
            return step.expected[words[0]]
        raise SyntaxError(f"{self.path}:{number}: no such section: {' '.join(words)}")

    def text(self):
        lines = list(self.comments)
        lines += ["? " + line for line in self.conditions] + ["$ " + line for line in self.setup]
        for step in self.steps:
            lines.append("> " + step.command)
            sections = [("stdin", step.stdin)] + [(f"file {name}", text) for name, text in step.files.items()] + list(step.expected.items())
            for name, text in sections:
                if text:
                    lines += ["--- " + name, *text]
            lines.append(f"--- status {step.status}")
        return "\n".join(lines) + "\n"


def matches(expected, got):
    return len(expected) == len(got) and all(
        re.fullmatch(want[2:], have) if want.startswith("~ ") else want == have for want, have in zip(expected, got))


def shell(command, folder, env, stdin, timeout):
    """(status, stdout, stderr); the status is text when it did not end."""
    process = subprocess.Popen(["sh", "-c", command], cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="backslashreplace", start_new_session=True)
    try:
        stdout, stderr = process.communicate(stdin, timeout=timeout)
        return process.returncode, stdout, stderr
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        stdout, stderr = process.communicate()
        return f"no end within {timeout} s", stdout, stderr


def check_step(step, folder, env, options, here):
    """What is wrong with a step, as text; with --rebase, nothing, but the step is changed."""
    for name, lines in step.files.items():
        (Path(folder) / name).write_text("".join(line + "\n" for line in lines))
    status, stdout, stderr = shell(step.command.replace("{here}", here), folder, env, "".join(line + "\n" for line in step.stdin), options.timeout)
    got = {"stdout": stdout.splitlines(), "stderr": stderr.splitlines()}
    problems = [] if status == step.status else [f"status {status}, expected {step.status}"]
    for name, expected in step.expected.items():
        if not matches(expected, got[name]):
            problems.append("\n".join(difflib.unified_diff(expected, got[name], f"{name} expected", f"{name} got", lineterm="", n=1)))
            if options.rebase:
                step.expected[name] = got[name]
    if options.rebase and isinstance(status, int):
        step.status = status
    return "\n".join(problems)


def run_golden(golden, options):
    here = str(golden.path.parent)
    variable, _, values = (options.each or "").partition("=")
    worst = 0
    with tempfile.TemporaryDirectory(prefix="golden-") as folder:
        env = dict(os.environ)
        env["PATH"] = os.pathsep.join([*options.path, env.get("PATH", "")])
        for command in golden.setup:
            status, stdout, stderr = shell(SHORT_SEARCH + command.replace("{here}", here), folder, env, "", options.timeout)
            if status != 0:
                print(f"{golden.path.name}: set-up fails: {command}\n{stdout}{stderr}status {status}")
                return 1
        for value in values.split(",") if values else [None]:
            name = golden.path.name + (f" with {variable}={value}" if value else "")
            if value:
                env[variable] = value
            failed = [c for c in golden.conditions if shell(c.replace("{here}", here), folder, env, "", options.timeout)[0] != 0]
            if failed:
                print(f"{name}: skipped: {failed[0]} fails")
                worst = worst or SKIPPED
                continue
            for step in golden.steps:
                problems = check_step(step, folder, env, options, here)
                if problems:
                    print(f"{name}: {step.command}\n{problems}")
                    worst = worst if options.rebase else 1
    if options.rebase:
        golden.path.write_text(golden.text())
    return worst


def main():
    parser = argparse.ArgumentParser(description="Runs golden files: commands and what they must print.")
    parser.add_argument("--rebase", action="store_true", help="rewrite what is expected to what was got")
    parser.add_argument("--path", action="append", default=[], type=os.path.abspath, help="folder of tools, before PATH; may be repeated")
    parser.add_argument("--each", help="NAME=A,B,C: run once for each value of an environment variable")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for each command")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    if shutil.which("sh") is None:
        print("skipped: no sh")
        return SKIPPED
    worst = 0
    for file in options.files:
        try:
            status = run_golden(Golden(file), options)
        except (SyntaxError, OSError) as problem:
            print(problem)
            return 2
        worst = 1 if 1 in (status, worst) else status or worst
    return worst


if __name__ == "__main__":
    sys.exit(main())
