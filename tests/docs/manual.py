#!/usr/bin/env python3
"""manual.py FOLDER TOOL...: the pages for man and the completions in FOLDER have all that the tools' --help has, and programs take them.

groff finds no fault with a page, and shows every option and variable; bash and zsh can read the completions; bash completes each option from its
beginning, names of files after options that take them, and words where --help lists them.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

folder, tools = Path(sys.argv[1]), [Path(tool) for tool in sys.argv[2:]]
OPTION = re.compile(r"(?<![\w-])--?[a-zA-Z#][\w#-]*=?")
failures, checked = [], 0
for program in "groff", "zsh":
    if not shutil.which(program):
        print(f"skipped: there is no {program}")
        sys.exit(77)


def output(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    return done.stdout, done.stderr


def completed(tool, words):
    """What bash offers for the last word."""
    script = 'source "$1"; tool=$2; shift 2; COMP_WORDS=("$tool" "$@"); COMP_CWORD=$#; "_$tool"; printf "%s\\n" "${COMPREPLY[@]}"'
    text, error = output(["bash", "-c", script, "bash", folder / "bash" / tool, tool, *words], cwd=here)
    if error:
        failures.append(f"bash, {tool} {words}: {error}")
    return text.split()


def own_options(text):
    """The options that --help has rows of."""
    found = set()
    for line in text.splitlines():
        row = re.match(r"  (-[^ ]+)", line)
        if row:
            found |= set(OPTION.findall(row[1].split("[")[0]))
    return found


with tempfile.TemporaryDirectory() as here:
    Path(here, "profile.txt").touch()
    Path(here, "folder").mkdir()
    for tool in tools:
        name = tool.name
        help_text, _ = output([tool, "--help"])
        page, warnings = output(["groff", "-man", "-Tutf8", "-ww", "-P-c", "-P-b", "-P-u", "-rLL=200n", "-rHY=0", folder / "man1" / f"{name}.1"])
        page = re.sub(r"\s+", " ", page)
        if warnings:
            failures.append(f"{name}.1: {warnings}")
        options = own_options(help_text)
        for word in sorted(options | set(re.findall(r"\bMOG(?:CUDA)?_[A-Z_]+", help_text))):
            checked += 1
            if not re.search(re.escape(word) + r"(?![\w-])" if word[-1] != "=" else re.escape(word), page):
                failures.append(f"{name}.1 does not have {word}")
        for section in "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO":
            checked += 1
            if not re.search(rf" SYNOPSIS {name} .+ DESCRIPTION " if section == "SYNOPSIS" else rf" {section} ", page):
                failures.append(f"{name}.1 has no section {section}")
        for option in sorted(options):
            checked += 1
            if option not in completed(name, [option[:-1]]):
                failures.append(f"bash does not complete {name} {option[:-1]} to {option}")
        # As zsh's _arguments would get them.
        specs, error = output(["zsh", "-fc", '_arguments() { print -rl -- "$@" }; source "$1"', "zsh", folder / "zsh" / f"_{name}"])
        if error:
            failures.append(f"zsh: _{name}: {error}")
        given = {spec[1:].split("[")[0].rstrip("+") for spec in specs.splitlines() if spec.startswith("*-")}
        given |= {spec.rstrip("=-") + "=" for spec in given} | {spec.rstrip("=") for spec in given}
        failures += [f"zsh does not complete {name} {option}" for option in sorted(options - given)]
        checked += len(options)
    for tool, words, wanted in (("mogrun", ["--tim"], ["--timeout"]), ("mogrun", ["--profile", "pro"], ["profile.txt"]),
                                ("mogrun", ["--core-dir", "=", "f"], ["folder"]), ("mogrun", ["--core-dir", "p"], []),
                                ("mogrun", ["--timeout", ""], []), ("mogrun", ["pro"], ["profile.txt"]),
                                ("mogptx", ["--engine", "comp"], ["compiled"]), ("mogcc", ["--profile-use", "=", "pro"], ["profile.txt"]),
                                ("mogcc", ["--emi"], ["--emit="])):
        checked += 1
        if completed(tool, words) != wanted:
            failures.append(f"bash completes {tool} {words} to {completed(tool, words)}, not {wanted}")
    # A zsh at a terminal, whose user presses the key of tabulators. Each answer is waited for.
    for typed, wanted in (("mogrun --tim", "--timeout"), ("mogptx --engine comp", "compiled"), ("mogrun --profile pro", "profile.txt")):
        checked += 1
        script = r"""zmodload zsh/zpty; zpty z zsh -f -i
            zpty -w z "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; print REA''DY"
            zpty -r z out '*READY*' && zpty -w -n z "$2"$'\t' && zpty -r z out "*$3*" && print found; zpty -d z"""
        try:
            text, error = output(["zsh", "-fc", script, "zsh", folder / "zsh", typed, wanted], cwd=here, timeout=100)
        except subprocess.TimeoutExpired:
            text, error = "", "no answer"
        if text != "found\n":
            failures.append(f"zsh does not complete '{typed}' to {wanted}: {error}")
print(f"{checked} checks", *failures, sep="\n")
sys.exit(1 if failures or not checked else 0)
