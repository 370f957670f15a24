#!/usr/bin/env python3
"""all_sources_run.py ROOT BUILD: every source in tests/ is run by a test. A source counts as run if

  - a target of the build is made of it (what ninja knows of as inputs), or a compiler read it on the way (headers),
  - the command of a test names it, or its environment, or the folder that it is in, where the program of that test takes all that is in a folder,
  - or a source that is run names it: a script that compiles a program, a module of Python that another one imports.

A file that only a CMakeLists.txt mentions, or none at all, is told, and the test fails. Before the tree it looks at planted files, which it has
to find.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

root, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
tests = root / "tests"
SUFFIXES = {".c", ".cc", ".cpp", ".cu", ".h", ".hpp", ".inc", ".py", ".sh", ".test", ".s", ".S", ".cl"}
# Programs that take all the sources of a folder.
FOLDER_RUNNERS = {"torture.py"}
# Sources that go through the files of a pattern beside them.
READERS = {"tests/assembler/text_test.cpp": "bad_*.test", "tests/gpu/kit.py": "*.c"}
# Those of builds that are not this one, and of files that are kept instead of what is made of them.
ELSEWHERE = {
    "tests/fuzz/targets/image_mutator.cpp": "fuzz targets of libFuzzer (-DMOG_FUZZERS=ON)",
    "tests/fuzz/targets/seeds/lines.c": "source of a seed; make_seeds.sh makes them anew",
}


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def is_source(path):
    if path.suffix in SUFFIXES:
        return True
    return not path.suffix and path.is_file() and path.open("rb").read(2) == b"#!"


def of_targets():
    """Files that targets are made of, with the headers that were read for them, and files that they are told of by a definition."""
    used = {Path(name).resolve() for name in re.findall(re.escape(str(tests)) + r"/[\w./+-]+", (build / "build.ninja").read_text())}
    used = {path for path in used if path.is_file() and path.name != "CMakeLists.txt" and path.suffix == ".test"}
    lines = output_of("ninja", "-C", build, "-t", "inputs", "all").splitlines() + output_of("ninja", "-C", build, "-t", "deps").splitlines()
    for line in lines:
        path = (build / line.strip()).resolve()
        if path.is_relative_to(tests):
            used.add(path)
    return used


def of_commands():
    """Files that the commands of tests name, or their environment, and the folders that they name."""
    files, folders = set(), set()
    for test in json.loads(output_of("ctest", "--test-dir", build, "--show-only=json-v1"))["tests"]:
        properties = {p["name"]: p["value"] for p in test["properties"]}
        words = test.get("command", []) + properties.get("ENVIRONMENT", [])
        inside = properties.get("WORKING_DIRECTORY", build)
        for word in words:
            for name in [word, *re.findall(re.escape(str(tests)) + r"/[\w./+-]+", word)]:
                path = Path(inside, name).resolve() if name else build
                if path.is_relative_to(root) and not path.is_relative_to(build) and path.is_file():
                    files.add(path)
                elif path.is_relative_to(tests) and path.is_dir() and any(Path(w).name in FOLDER_RUNNERS for w in words):
                    folders.add(path)
    return files, folders


def names_in(text):
    """Words of a source that could be names of files, and modules that it imports."""
    words = set(re.findall(r"[\w+-]+(?:\.[\w+-]+)+", text)) | set(re.findall(r"[\w+-]+", text))
    for modules in re.findall(r"^\s*(?:from|import) ([\w, ]+)", text, re.M):
        words |= {f"{module.strip()}.py" for module in modules.replace(" import ", ",").split(",")}
    return words


def not_run(sources, used):
    """Of `sources` those that neither `used` files nor, in steps, the files that these name come to."""
    waiting = list(used)
    left = {path for path in sources if path not in used}
    while waiting:
        path = waiting.pop()
        words = names_in(path.read_text(errors="replace"))
        if path.is_relative_to(root) and str(path.relative_to(root)) in READERS:
            words |= {other.name for other in path.parent.glob(READERS[str(path.relative_to(root))])}
        # A file that is named must not be somewhere else altogether: in the same folder, below it, or said with its folder.
        for other in list(left):
            if other.name in words and (other.is_relative_to(path.parent) or other.parent.name in words):
                left.discard(other)
                waiting.append(other)
    return sorted(left)


def self_test():
    """Planted files: what is reached is not told, and what is not reached is."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {"run.sh": "mogcc $here/program.c; python3 check.py", "program.c": "int main(void);", "check.py": "import helper\n", "helper.py": "",
                 "forgotten_test.cpp": "TEST_CASE", "forgotten.sh": "echo lonely.c", "lonely.c": "", "elsewhere/program.c": ""}
        for file, text in files.items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text(text)
        sources = [folder / file for file in files]
        found = [path.relative_to(folder).as_posix() for path in not_run(sources, {folder / "run.sh"})]
        wanted = ["forgotten.sh", "forgotten_test.cpp", "lonely.c"]
        return [] if found == wanted else [f"planted, and found otherwise: {found}, not {wanted}"]


def main():
    used, (named, folders) = of_targets(), of_commands()
    if len(used) < 20 or len(named) < 100:
        sys.exit(f"{len(used)} sources of targets and {len(named)} of commands: that cannot be all of them")
    used |= named
    sources = [path for path in sorted(tests.rglob("*")) if path.is_file() and "__pycache__" not in path.parts and is_source(path)]
    used |= {path for path in sources if any(path.is_relative_to(folder) for folder in folders)}
    # Tests come to some of them by a script of ours.
    scripts = [path for path in (root / "scripts").iterdir() if path.is_file()]
    left = [path for path in not_run(sources + scripts, used) if path.is_relative_to(tests)]
    failures = [f"{path.relative_to(root)}: no test runs it" for path in left]
    failures = [line for line in failures if line.partition(":")[0] not in ELSEWHERE]
    failures += [f"{name} is not there any more: all_sources_run.py" for name in ELSEWHERE if not (root / name).exists()]
    failures += self_test()
    print(f"{len(sources)} sources, {len(used & set(sources))} of them named by a target or a test", *failures, sep="\n")
    return 1 if failures else 0


sys.exit(main())
