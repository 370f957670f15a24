"""pictures.py: lines, bars and stacks as SVG, for the figures of bench/channels."""
from html import escape

COLOURS = ("#1f6fb2", "#c2452d", "#3c8a3f", "#8750a8", "#a07a10", "#555555")
LEFT, TOP, WIDE, HIGH = 60, 40, 440, 210


def frame(title, below, labels, names, most, digits):
    """The picture's beginning: title, axes, what stands below them, the names of colours."""
    step = WIDE / max(1, len(labels))
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDE + 20}" height="{TOP + HIGH + 70}" font-family="sans-serif" font-size="12">',
            f'<text x="20" y="20" font-size="14">{escape(title)}</text>',
            f'<path d="M{LEFT},{TOP} V{TOP + HIGH} H{LEFT + WIDE}" fill="none" stroke="#000"/>']
    for part in range(5):
        y = TOP + HIGH - HIGH * part / 4
        text.append(f'<text x="{LEFT - 6}" y="{y + 4:.0f}" text-anchor="end">{most * part / 4:.{digits}f}</text>')
    for i, label in enumerate(labels):
        text.append(f'<text x="{LEFT + step * (i + 0.5):.0f}" y="{TOP + HIGH + 16}" text-anchor="middle">{escape(str(label))}</text>')
    text.append(f'<text x="{LEFT + WIDE / 2:.0f}" y="{TOP + HIGH + 34}" text-anchor="middle">{escape(below)}</text>')
    for i, name in enumerate(names):
        text.append(f'<text x="{LEFT + i * WIDE / len(names):.0f}" y="{TOP + HIGH + 58}" fill="{COLOURS[i]}">{escape(name)}</text>')
    return text, step


def top_of(series):
    return max((value for values in series.values() for value in values), default=1) or 1


def lines(path, title, below, labels, series, digits=1):
    """A line for each of `series`, {name: values}, over `labels`."""
    most = top_of(series)
    text, step = frame(title, below, labels, list(series), most, digits)
    for values, colour in zip(series.values(), COLOURS):
        points = " ".join(f"{LEFT + step * (i + 0.5):.1f},{TOP + HIGH - HIGH * value / most:.1f}" for i, value in enumerate(values))
        text.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    path.write_text("\n".join([*text, "</svg>\n"]))


def bars(path, title, below, labels, series, digits=1):
    """For each label a bar of each of `series`."""
    most = top_of(series)
    text, step = frame(title, below, labels, list(series), most, digits)
    width = step * 0.8 / max(1, len(series))
    for which, (values, colour) in enumerate(zip(series.values(), COLOURS)):
        for i, value in enumerate(values):
            high = HIGH * value / most
            text.append(f'<rect x="{LEFT + step * (i + 0.1) + which * width:.1f}" y="{TOP + HIGH - high:.1f}" width="{width:.1f}" height="{high:.1f}" fill="{colour}"/>')
    path.write_text("\n".join([*text, "</svg>\n"]))


def stacks(path, title, below, labels, series, most):
    """For each label one bar, of the parts that each of `series` has of it."""
    text, step = frame(title, below, labels, list(series), most, 0)
    under = [0] * len(labels)
    for values, colour in zip(series.values(), COLOURS):
        for i, value in enumerate(values):
            under[i] += value
            text.append(f'<rect x="{LEFT + step * (i + 0.2):.1f}" y="{TOP + HIGH - HIGH * under[i] / most:.1f}" width="{step * 0.6:.1f}" '
                        f'height="{HIGH * value / most:.1f}" fill="{colour}"/>')
    path.write_text("\n".join([*text, "</svg>\n"]))
