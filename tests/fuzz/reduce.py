"""reduce.py: makes a program that shows a mismatch smaller, by leaving out lines and blocks in braces."""

BEGIN, END = "[body", "body]"


def blocks_of(lines):
    """(first, last) of every block in braces that begins and ends at ends of lines, the longest first."""
    found, open_at = [], []
    for number, line in enumerate(lines):
        for ch in line:
            if ch == "{":
                open_at.append(number)
            elif ch == "}" and open_at:
                first = open_at.pop()
                if first < number:
                    found.append((first, number))
    return sorted(found, key=lambda block: block[0] - block[1])


def reduce(source, still_fails, budget):
    """The smallest source found for which still_fails(source) holds; it is asked at most `budget` times.

    If lines say BEGIN and END, only what is between them becomes smaller."""
    lines, head, tail = source.split("\n"), [], []
    begin, end = (next((i for i, line in enumerate(lines) if mark in line), None) for mark in (BEGIN, END))
    if begin is not None and end is not None:
        head, lines, tail = lines[:begin + 1], lines[begin + 1:end], lines[end:]

    def attempt(candidate):
        nonlocal budget, lines
        if budget <= 0 or len(candidate) == len(lines):
            return False
        budget -= 1
        if still_fails("\n".join(head + candidate + tail)):
            lines = candidate
            return True
        return False

    progress = True
    while progress and budget > 0:
        progress = False
        tried = set()
        while True:
            block = next((b for b in blocks_of(lines) if "\n".join(lines[b[0]:b[1] + 1]) not in tried), None)
            if block is None or budget <= 0:
                break
            tried.add("\n".join(lines[block[0]:block[1] + 1]))
            progress |= attempt(lines[:block[0]] + lines[block[1] + 1:])
        size = max(1, len(lines) // 4)
        while size >= 1:
            at = 0
            while at < len(lines):
                if attempt(lines[:at] + lines[at + size:]):
                    progress = True
                else:
                    at += size
            size //= 2
    return "\n".join(head + lines + tail)
