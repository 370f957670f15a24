"""damaged.py MOGCC MOGTR MOGAS MOGRUN: damaged files of every kind, given to the tools that read them.

A program is cut short at places all over it, has bits turned over and words replaced by absurd ones. A tool then either says in a
sentence what is wrong and ends with status 1, or, where the damage does not matter to it, does its work. It never crashes, hangs
or takes more than 1 GiB. (In-process and with much more damage: the tests fuzz.damage.*.)"""
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = r"""
#include <stdio.h>
static const char *const words[] = {"one", "two", "three"};
int main(int argc, char **argv)
{
    for (int i = 0; i < 3; i++) printf("%s %d\n", words[i], argc);
    return 0;
}
"""
ABSURD = [0xffffffff, 0x7fffffff, 0x80000000, 0x10000000, 0x00ffffff, 0xfffffff8]
MEMORY, SECONDS = 1 << 30, 20


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def damages(good, rng, count):
    """(what was done, bytes): `count` of each kind."""
    for i in range(count):
        at = len(good) * i // count
        yield f"cut to {at} bytes", good[:at]
    for size in range(1, 9):
        yield f"cut by {size} bytes", good[:-size]
    # The start of a file says the most about the rest.
    places = [rng.randrange(min(len(good), 1024) if i % 2 else len(good)) for i in range(2 * count)]
    for at in places[:count]:
        bad = bytearray(good)
        bad[at] ^= 1 << rng.randrange(8)
        yield f"bit of byte {at} turned over", bytes(bad)
    for at in places[count:]:
        word = rng.choice(ABSURD)
        yield f"{word:#x} at byte {at & ~3}", good[:at & ~3] + word.to_bytes(4, "little") + good[(at & ~3) + 4:]
    yield "empty", b""
    yield "twice", good + good
    yield "other bytes", bytes(rng.randrange(256) for _ in range(1000))


def complaint(command):
    """What is wrong with how a tool took damaged input, or None; and whether it refused the input."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, preexec_fn=limit_memory)
    except subprocess.TimeoutExpired:
        return f"no end in {SECONDS} s", False
    said = done.stderr.decode(errors="replace")
    if done.returncode == 0:
        return None, False
    if done.returncode == 1 and said.strip() and "terminate called" not in said and "internal error" not in said:
        return None, True
    # A program that still runs may do anything that a program may: mogrun tells of its faults.
    if Path(command[0]).name == "mogrun" and done.returncode > 1 and "PE 0: " in said:
        return None, False
    return f"status {done.returncode}: {said[:300]!r}", False


def main():
    mogcc, mogtr, mogas, mogrun = sys.argv[1:]
    rng = random.Random(1)
    failures = 0
    with tempfile.TemporaryDirectory(prefix="mog-damaged-") as folder:
        work = Path(folder)
        (work / "program.c").write_text(SOURCE)
        for kind in ("elf", "mog", "image"):
            subprocess.run([mogcc, "-g", f"--emit={kind}", "program.c", "-o", f"program.{kind}"], cwd=work, check=True)
        subprocess.run([mogcc, "-g", "--order-time=0.001", "program.c", "-o", "program.executable"], cwd=work, check=True)
        bad = work / "bad"
        readers = {
            "elf": [mogtr, bad, "-o", "/dev/null"],
            "mog": [mogas, bad, "--order-time", "0", "-o", "/dev/null"],
            "image": [mogas, "--disassemble", bad, "-o", "/dev/null"],
            "executable": [mogrun, "-n", "1", "--device=reference", "--timeout=5", bad],
        }
        for kind, command in readers.items():
            good = (work / f"program.{kind}").read_bytes()
            refused = total = 0
            for what, content in damages(good, rng, 40):
                bad.write_bytes(content)
                wrong, was_refused = complaint(list(map(str, command)))
                total += 1
                refused += was_refused
                if wrong:
                    failures += 1
                    print(f"{kind}, {what}: {wrong}")
            print(f"{kind}: {total} damaged files, {refused} refused")
            if refused < 10:
                failures += 1
                print(f"{kind}: too few are refused; is it read at all?")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
