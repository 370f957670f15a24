#!/usr/bin/env python3
"""session.py [--qemu] [--mogrun OPTION...] PROGRAM [GDB COMMAND...] [--again GDB COMMAND...]: a program under gdb, and what gdb says.

mogrun waits for gdb at a socket of a folder of its own (with --qemu qemu-mipsel does, for PROGRAM.elf); gdb-multiarch connects and does the
commands, then those of another gdb that comes when it has left. gdb's output comes first, then that of the program and the sentences of mogrun, then its status. Addresses are ADDRESS.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PATIENCE = 240
NOISE = re.compile(r"^(warning: File transfers|Reading |.*\(No debugging symbols found|\[New Thread|\[Switching to|Continuing|Remote debugging using|"
                   r"This GDB|determining|warning: (No executable|Could not load|Unable to find)|.*vsyscall|\s*$)")


def plain(text):
    """What does not differ from run to run."""
    lines = [line for line in text.splitlines() if not NOISE.match(line)]
    return re.sub(r"0x[0-9a-f]{3,}", "ADDRESS", "\n".join(lines))


def main():
    arguments = sys.argv[1:]
    qemu = bool(arguments) and arguments[0] == "--qemu"
    if qemu:
        arguments.pop(0)
    options = ["-n", "1"]
    while arguments and arguments[0] == "--mogrun":
        options, arguments = options + [arguments[1]], arguments[2:]
    program, commands = arguments[0], arguments[1:]
    later = "--gdb-later" in options   # where PEs are when gdb comes is another place each time
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder, "socket")
        server = ["qemu-mipsel", "-g", str(socket), program + ".elf"] if qemu else ["mogrun", *options, f"--gdb={socket}", program]
        run = subprocess.Popen(server, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        told = ""
        while not qemu and "gdb-multiarch" not in told:  # a socket that is there may not be listened at yet
            line = run.stderr.readline()
            if not line:
                sys.exit(f"session.py: {server} ended before gdb came: {told}")
            told += line
        said = []
        for visit in " \0 ".join(commands).split(" \0 --again \0 "):
            gdb = ["gdb-multiarch", "-nx", "-batch"]
            for command in ["set confirm off", "set width 0", "set pagination off", "set debuginfod enabled off",
                            *(["set tcp auto-retry on"] if qemu else []), f"target remote {socket}", *(["echo \\n== there\\n"] if later else []), *filter(None, visit.split(" \0 "))]:
                gdb += ["-ex", command]
            if qemu:
                gdb.append(program + ".elf")
                while not socket.exists() and run.poll() is None:
                    pass
            done = subprocess.run(gdb, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  timeout=PATIENCE)
            said.append(plain(done.stdout.partition("== there\n")[2] if later else done.stdout))
        output, errors = run.communicate(timeout=PATIENCE)
    print("\n== again\n".join(said))
    print("== program")
    print(output, end="")
    for line in (told + errors).splitlines():
        if line.startswith("mogrun:") and "gdb-multiarch" not in line:
            print(re.sub(r"/\S*/", "", line))
    print(f"== status {run.returncode}")


if __name__ == "__main__":
    main()
