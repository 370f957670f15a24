#!/usr/bin/env python3
"""bench/run --others without a network: rows are well-formed, means are right, a program is measured, and a wrong one found.

Usage: others.py BENCH BUILD
"""
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
BENCH, BUILD = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
sys.path.insert(0, str(BENCH / "library"))
import other_tables  # noqa: E402
import others  # noqa: E402
import others_table  # noqa: E402

problems = []


def expect(right, text):
    if not right:
        problems.append(text)


def row_is_well_formed(program):
    words, _, stdin = program.arguments.partition("< ")
    named = words.split()
    expect(program.kind in others_table.KINDS, f"{program.name}: no kind {program.kind}")
    expect(program.about and program.source.package and program.source.files.split(), f"{program.name}: says too little")
    expect(not re.search(r"(^|[\s=\"'])/", " ".join([program.arguments, *program.inputs, program.leaves or ""])),
           f"{program.name}: names what is outside its folder")
    expect(not stdin or stdin in program.inputs, f"{program.name}: reads {stdin}, which is no input")
    expect(not program.leaves or program.leaves in named and program.leaves not in program.inputs, f"{program.name}: leaves {program.leaves}?")
    expect(all(name in named or name == stdin or not stdin for name in program.inputs) or len(program.inputs) > 1,
           f"{program.name}: has inputs that it does not read")
    # Files that arguments name, but for what runs leave, are there.
    files = {word for word in named if re.fullmatch(r"\w+\.\w+", word) and not word.startswith("-")} - {program.leaves}
    expect(files <= program.inputs.keys(), f"{program.name}: no input {files - program.inputs.keys()}")


def check_table():
    table = others_table.PROGRAMS
    names = [p.name for p in table]
    expect(len(table) >= 20, f"only {len(table)} programs")
    expect(len(set(names)) == len(names), "two programs have one name")
    for kind in others_table.KINDS:
        expect(sum(p.kind == kind for p in table) >= 2, f"one {kind} makes no mean")
    for program in table:
        row_is_well_formed(program)
    small = [lambda: others_table.picture(40, 30), lambda: others_table.bitmap(64, 20, 9), lambda: others_table.wav(300, 8000),
             lambda: others_table.points(9, 3), lambda: others_table.graph(20, 50), lambda: others_table.clauses(10, 30),
             lambda: others_table.alignment(4, 30)]
    for make in small:
        expect(make() == make() != b"", "an input is another one each time")
    expect(len(others_table.bitmap(64, 20)) == len(b"P4\n64 20\n") + 8 * 20, "a bitmap has another size than it says")
    expect(len(others_table.picture(40, 30)) == len(b"P6\n40 30\n255\n") + 40 * 30 * 3, "a picture has another size than it says")


def figures(kind, **milliseconds):
    rows = {name: {"on_gpu": name == "gpu", "processor_seconds": [9e-3 if name == "gpu" else ms / 1e3], "wall_seconds": [ms / 1e3]}
            for name, ms in milliseconds.items()}
    left_out = {} if "wasm" in rows else {"wasm": "it jumps"}
    return {"kind": kind, "version": "1", "backends": rows, "left_out": left_out, "compiler_seconds": {"host/auto": 7.0}}


def check_means():
    result = {"others": True, "pes": 128, "backends": ["native", "wasm", "host", "gpu"], "gpus": ["gpu"], "programs": {
        "a": figures("codec", native=10, wasm=30, host=20, gpu=1), "b": figures("codec", native=1, host=8, gpu=4),
        "c": figures("parser", native=2, wasm=24, host=2, gpu=1)}}
    means = other_tables.means(result)
    for kind, backend, ratio, count in (("codec", "host", 4, 2), ("codec", "wasm", 3, 1), ("codec", "gpu", math.sqrt(0.4), 2), ("parser", "host", 1, 1),
                                        ("all", "host", 16 ** (1 / 3), 3), ("all", "wasm", 6, 2), ("all", "native", 1, 3)):
        got = means[kind][backend]
        expect(math.isclose(got["against_native"], ratio) and got["programs"] == count, f"{kind}, {backend}: {got}, not {ratio} over {count}")
    expect("search" not in means, "a mean of nothing")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(json.dumps(result))
        file.flush()
        shown = subprocess.run([BENCH / "run", "--show", file.name], capture_output=True, text=True).stdout
    expect("| 3 together | 6.00 (of 2) | 2.52 | 0.58 |" in shown, f"--show gives\n{shown}")
    expect("left out: wasm: it jumps" in shown, "what is left out is not told")


PROGRAM = """
#include <stdio.h>
int main(int argc, char **argv)
{
    char line[80];
    FILE *out = fopen(argv[1], "w");
    while (fgets(line, sizeof line, stdin))
        printf(FORMAT, line);
    fprintf(out, "%d words of %d bytes\\n", argc, SIZE);
    return 3;
}
"""


def check_measurement():
    """A program in a cache of sources made here, which is as good as one that apt has brought."""
    with tempfile.TemporaryDirectory(prefix="mog-others-") as folder:
        others.CACHE = Path(folder) / "cache"
        source = others.CACHE / "echo" / "echo-1.0"
        source.mkdir(parents=True)
        (source / "echo.c").write_text(PROGRAM)

        def measurement(name, size, form="%s", status=3):
            program = others_table.Other(name, "parser", "says it again", others_table.Source("echo", "echo.c", [f"-DSIZE={size}",
                                         f'-DFORMAT="{form}"']), "out.txt < in.txt", {"in.txt": b"one\ntwo\n"}, status, "out.txt")
            ways = [others.Process("native", ["gcc"], often=2), others.Mog(BUILD / "bin", "reference", "auto", ("--build-time=0", "--simd=none"), {}, 3)]
            return others.Measurement(program, ways, Path(folder))

        figures = measurement("echo", "4").measure(2)
        expect(figures["version"].startswith("echo-1.0, "), f"version {figures['version']}")
        expect(all(len(row["processor_seconds"]) == 2 and min(row["processor_seconds"]) > 0 for row in figures["backends"].values()), f"{figures}")
        expect(len(figures["backends"]) == 2 and len(figures["compiler_seconds"]) == 2, f"{figures}")
        for name, words, sentence in (("longs", ["sizeof(long)"], "another file"), ("status", ["4", "%s", 0], "natively: status 3"),
                                      ("unknown", ["nothing"], "does not compile")):
            try:
                measurement(name, *words).check()
                problems.append(f"{name}: nobody noticed")
            except others.Wrong as wrong:
                expect(sentence in str(wrong), f"{name}: {wrong}")


def check_command_line():
    for words in (["--others", "--only", "nobody"], ["--others", "--unchecked"], ["--with=-O1"]):
        done = subprocess.run([BENCH / "run", *words], capture_output=True, text=True)
        expect(done.returncode != 0 and ("no program nobody" in done.stderr or "goes with none of" in done.stderr), f"{words}: {done}")


check_table()
check_means()
check_command_line()
check_measurement()
print("\n".join(problems))
sys.exit(1 if problems else 0)
