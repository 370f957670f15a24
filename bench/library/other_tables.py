"""other_tables.py: the figures of `bench/run --others` as text."""
from others_table import KINDS
from processes import geometric_mean, median

NAME, CELL, ALL = 13, 18, "all"


def seconds(program, backend):
    row = program["backends"][backend]
    return median(row["wall_seconds" if row["on_gpu"] else "processor_seconds"])


def slower(program, backend):
    """How many times as long as natively it takes; None where it was left out."""
    return seconds(program, backend) / seconds(program, "native") if backend in program["backends"] else None


def means(result):
    """{kind, or "all": {backend: {"against_native": geometric mean, "programs": over how many}}}"""
    found = {}
    for kind in [*KINDS, ALL]:
        programs = [p for p in result["programs"].values() if kind in (p["kind"], ALL)]
        for backend in result["backends"] if programs else []:
            ratios = [r for r in (slower(p, backend) for p in programs) if r is not None]
            found.setdefault(kind, {})[backend] = {"against_native": geometric_mean(ratios), "programs": len(ratios)}
    return found


def number(value):
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def head(result):
    names = [name + ("*" if name in result["gpus"] else "") for name in result["backends"]]
    width = max(CELL, *(len(b) + 3 for b in result["backends"]))
    return (f"Milliseconds of processor time for an instance, start-up included, {result['pes']} at once on MOG and wasmtime; in brackets: times "
            f"gcc -O2. Last: processor seconds of mogcc\n\n{'':<{NAME}}" + "".join(f"{name:>{width}}" for name in names) + f"{'mogcc':>10}")


def line(result, name):
    program = result["programs"][name]
    width = max(CELL, *(len(b) + 3 for b in result["backends"]))
    cells = ""
    for backend in result["backends"]:
        ratio = slower(program, backend)
        text = "-" if ratio is None else f"{number(1e3 * seconds(program, backend))} ({number(ratio)})"
        cells += f"{text:>{width}}"
    of_mogcc = [took for way, took in program["compiler_seconds"].items() if "/" in way]
    lines = [f"{name:<{NAME}}{cells}  {', '.join(format(took, '.0f') for took in of_mogcc):>8}"]
    return "\n".join(lines + [f"  left out: {way}: {why}" for way, why in program["left_out"].items()])


def foot(result):
    width = max(CELL, *(len(b) + 3 for b in result["backends"]))
    lines = ["geometric means of times native, and over how many programs:"]
    for kind, row in means(result).items():
        cells = "".join(f"{number(m['against_native']) + ' /' + format(m['programs'], '3') if m['programs'] else '-':>{width}}"
                        for m in row.values())
        lines.append(f"{kind:<{NAME}}{cells}")
    if result["gpus"]:
        lines.append("* a GPU: wall time")
    return "\n".join(lines)


def table(result):
    return "\n".join([head(result), *(line(result, name) for name in result["programs"]), foot(result)])


def markdown(result):
    """The means as README.md has them: times native, and in how many programs where that is not all."""
    others = [name for name in result["backends"] if name != "native"]
    lines = ["| programs of others | " + " | ".join(others) + " |", "|---" * (1 + len(others)) + "|"]
    for kind, row in means(result).items():
        count = row["native"]["programs"]
        cells = (f"{number(row[b]['against_native'])}" + (f" (of {row[b]['programs']})" if row[b]["programs"] < count else "")
                 if row[b]["programs"] else "-" for b in others)
        lines.append(f"| {count} {kind if kind != ALL else 'together'} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
