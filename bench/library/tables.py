"""tables.py: the figures of bench/run as text."""
from catalogue import KINDS
from processes import geometric_mean, median

NAME, CELL = 15, 17


def means(result):
    """{kind: {backend: {"rate_per_core", "rate_all_cores", and as many times slower than native and qemu per core and on all}}}:
    geometric means over the kind's programs."""
    found = {}
    for kind in KINDS:
        rows = [p["backends"] for p in result["programs"].values() if p["kind"] == kind]
        for name in result["backends"] if rows else []:
            row = found.setdefault(kind, {})[name] = {}
            for what in ("rate_per_core", "rate_all_cores"):
                row[what] = geometric_mean(r[name][what] for r in rows)
                for other in ("native", "qemu"):
                    if other in rows[0]:
                        row[f"{what}_against_{other}"] = geometric_mean(r[other][what] / r[name][what] for r in rows)
    return found


def cell(rate, slower):
    return f"{rate:>{CELL - 9}.0f} ({slower:{5}.{1 if slower < 100 else 0}f})" + " "


def rate_head(result, what):
    per = "core" if what == "rate_per_core" else f"second of wall time, {result['cores']} cores together"
    title = f"Millions of MIPS instructions per {'second and ' if what == 'rate_per_core' else ''}{per}; in brackets: times slower than gcc -O2\n"
    names = [name + ("*" if name in result["gpus"] else "") for name in result["backends"]]
    return title + "\n" + f"{'':<{NAME}}" + "".join(f"{name:>{CELL}}" for name in names)


def rate_line(result, name, what):
    rows = result["programs"][name]["backends"]
    native = rows["native"][what]
    return f"{name:<{NAME}}" + "".join(cell(rows[b][what], native / rows[b][what]) for b in result["backends"])


def mean_lines(result, what):
    lines = []
    for kind, row in result["means"].items():
        lines.append(f"{kind:<{NAME}}" + "".join(cell(row[b][what], row[b][f"{what}_against_native"]) for b in result["backends"]))
    for kind, row in result["means"].items():
        if "qemu" in result["backends"]:
            cells = "".join(f"{row[b][f'{what}_against_qemu']:>{CELL - 1}.2f} " for b in result["backends"])
            lines.append(f"{'  against qemu' if kind == 'convergent' else '':<{NAME}}{cells} {kind}")
    return "\n".join(lines)


def table_of_rates(result, what):
    lines = [rate_head(result, what), *(rate_line(result, name, what) for name in result["programs"])]
    return "\n".join([*lines, "geometric means, and how many times slower than native:", mean_lines(result, what)])


def markdown(result, what="rate_per_core"):
    """The means as Markdown, as README.md has them."""
    lines = ["| programs | " + " | ".join(result["backends"]) + " |", "|---" * (1 + len(result["backends"])) + "|"]
    for kind, row in result["means"].items():
        count = sum(p["kind"] == kind for p in result["programs"].values())
        cells = (f"{row[b][what]:.0f}" + ("" if b == "native" else f" ({row[b][f'{what}_against_native']:.1f})") for b in result["backends"])
        lines.append(f"| {count} {kind} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def table_of_programs(result):
    """What is not speed: instructions, times of compilers, occupancy, memory."""
    built = [b for b in result["backends"] if b.startswith("opencl")]
    lines = ["Thousands of MIPS instructions per PE, bytes per PE; seconds of mogcc; seconds for a kernel, cold / warm; lanes occupied, %", "",
             f"{'':<{NAME}}{'instr.':>9}{'KiB':>9}{'mogcc':>8}" + "".join(f"{b:>{CELL}}{'lanes':>7}" for b in built)]
    for name, program in result["programs"].items():
        rows = program["backends"]
        bytes_per_pe = [row["bytes_per_pe"] for row in rows.values() if "bytes_per_pe" in row]
        memory = f"{max(bytes_per_pe) / 1024:.0f}" if bytes_per_pe else "-"
        cells = ""
        for b in built:
            occupied = rows[b]["lane_occupancy"]
            cells += f"{rows[b]['build_cold_seconds']:>{CELL - 8}.2f} / {rows[b]['build_warm_seconds']:.3f}"
            cells += f"{'-' if occupied is None else format(100 * occupied, '.0f'):>7}"
        lines.append(f"{name:<{NAME}}{program['mips_instructions'] / result['pes'] / 1e3:>9.0f}{memory:>9}{program['mogcc_seconds']:>8.2f}{cells}")
    return "\n".join(lines)


def auto_against_best(result):
    """{device/auto: {program: how many times slower it is than the best engine that can be chosen by hand}}"""
    found = {}
    for auto in (b for b in result["backends"] if b.endswith("/auto")):
        others = [b for b in result["backends"] if b.split("/")[0] == auto.split("/")[0] and b != auto]
        if others:
            found[auto] = {name: max(p["backends"][b]["rate_per_core"] for b in others) / p["backends"][auto]["rate_per_core"]
                           for name, p in result["programs"].items()}
    return found


def table_of_auto(result):
    lines = []
    for auto, rows in auto_against_best(result).items():
        name, worst = max(rows.items(), key=lambda row: row[1])
        within = sum(slower <= 1.1 for slower in rows.values())
        lines.append(f"{auto}: within 10 % of the best engine on {within} of {len(rows)} programs; worst: {name}, {worst:.2f} times slower")
    return "\n".join(lines)


def table_of_service(result):
    lines = ["Start-up and service, medians of wall time, milliseconds", "",
             f"{'':<{NAME}}{'1 PE':>12}{'65,536 PEs':>12}{'their GiB':>12}{'a call, us':>12}"]
    for name, row in result["service"].items():
        lines.append(f"{name:<{NAME}}{1e3 * median(row['start_seconds']):>12.1f}{1e3 * median(row['start_65536_seconds']):>12.0f}"
                     f"{row['gib_65536']:>12.1f}{1e6 * median(row['null_call_seconds']):>12.3f}")
    return "\n".join(lines)


def table_of_scaling(result):
    counts = [int(count) for count in next(iter(result["scaling"].values()))]      # strings, if they were in a file
    lines = ["Time per PE by number of PEs, microseconds; last: that of the most over that of 1024", "",
             f"{'':<{NAME}}" + "".join(f"{count:>10}" for count in counts) + f"{'':>10}"]
    for name, row in result["scaling"].items():
        times = {int(count): median(times) for count, times in row.items() if isinstance(times, list)}
        cells = "".join(f"{1e6 * times[c]:>10.1f}" if c in times else f"{'-':>10}" for c in counts)
        most = max(times, default=0)
        lines.append(f"{name:<{NAME}}{cells}" + (f"{times[most] / times[1024]:>10.2f}" if most > 1024 and 1024 in times else ""))
        lines += [f"  {name}, {count} PEs: {why}" for count, why in row.items() if not isinstance(why, list)]
    return "\n".join(lines)
