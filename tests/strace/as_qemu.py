#!/usr/bin/env python3
"""as_qemu.py MOGCC MOGRUN PROGRAM.c: does --strace show the calls, in order, and the results that qemu-mipsel -strace shows?

Compared are the call's name, those arguments that both show in the same form (numbers, names of flags, whole strings), and the
result. qemu shows addresses where mogrun shows what is there.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

mogcc, mogrun, source = map(str, map(Path.absolute, map(Path, sys.argv[1:4])))
qemu = shutil.which("qemu-mipsel")
if not qemu:
    print("skipped: no qemu-mipsel")
    sys.exit(77)

# qemu 7.2 prints a name of its own for these, or what belongs to another call.
SAME_CALL = {"fcntl64": "fcntl", "exit_group": "exit"}
# What the start-up code asks of Linux for, and has from MOG without a call: heap and thread pointer.
NOT_IN_BOTH = {"brk", "set_thread_area"}
# Calls whose arguments qemu prints as raw numbers.
RAW = {"pipe2", "poll", "dup3", "fcntl", "flock", "ioctl", "pread64", "pwrite64", "fchmod", "kill", "mknod", "umask", "utimensat",
       "ftruncate", "truncate", "nanosleep", "readv", "writev", "fsync", "lseek", "mkdir"}


def split(arguments):
    """Arguments, at commas that are not in a string or brackets."""
    parts, depth, quoted, part, previous = [], 0, False, "", ""
    for c in arguments:
        if c == '"' and previous != "\\":
            quoted = not quoted
        depth += 0 if quoted else (c in "{[(") - (c in "}])")
        if c == "," and not quoted and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
        previous = "" if previous == "\\" else c
    return parts + [part.strip()] if part.strip() else parts


def calls(text, pattern):
    found = []
    for line in text.splitlines():
        match = re.match(pattern, line)
        if not match:
            continue
        name, arguments, result = match.groups()
        name = SAME_CALL.get(name, name)
        if name in NOT_IN_BOTH:
            continue
        result = re.sub(r"-1 errno=\d+ \((.*)\)", r"\1", result or "")            # qemu
        result = re.sub(r"-1 E[A-Z0-9]+ \((.*)\)", r"\1", result)           # strace
        result = re.sub(r" \(.*", "", result).strip()
        if re.fullmatch(r"0x[0-9a-f]+|0[0-7]+", result):
            result = str(int(result, 0 if result.startswith("0x") else 8))
        found.append((name, split(arguments), result))
    return found


def same(a, b):
    """Arguments alike, as far as both say something that can be compared."""
    vague = re.compile(r'0x|\{|\[|NULL|.*\.\.\.|".*\\')
    return a == b or bool(vague.match(a)) or bool(vague.match(b))


with tempfile.TemporaryDirectory() as work:
    for output, options in (("program", []), ("program.elf", ["--emit=elf"])):
        subprocess.run([mogcc, "--order-time=0.001", *options, "-O1", "-std=gnu17", source, "-o", f"{work}/{output}"], check=True)
    texts = []
    for name, command in (("q", [qemu, "-strace", f"{work}/program.elf"]),
                          ("m", [mogrun, "-n", "1", "--device=reference", "--strace", f"{work}/program"])):
        Path(f"{work}/{name}").mkdir()
        texts.append(subprocess.run(command, cwd=f"{work}/{name}", stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                    errors="replace", timeout=60).stderr)
qemu_calls = calls(texts[0], r"\d+ (\w+)\((.*?)\)(?: = (.*))?$")
mog_calls = calls(texts[1], r"\[0\] (\w+)\((.*?)\) = (.*)$")
failures = []
for i, (q, m) in enumerate(zip(qemu_calls, mog_calls)):
    arguments_agree = q[0] in RAW or q[0] == m[0] and all(same(a, b) for a, b in zip(q[1], m[1]))
    if q[0] != m[0] or not arguments_agree or (q[2] != m[2] and q[0] != "exit"):
        failures.append(f"call {i}: qemu {q[0]}({', '.join(q[1])}) = {q[2]}; mogrun {m[0]}({', '.join(m[1])}) = {m[2]}")
if len(qemu_calls) != len(mog_calls):
    failures.append(f"qemu shows {len(qemu_calls)} calls, mogrun {len(mog_calls)}")
print(f"{len(mog_calls)} calls", *failures, sep="\n")
sys.exit(1 if failures or len(mog_calls) < 60 else 0)
