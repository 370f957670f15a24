"""markdown.py: what the checks need to see of a Markdown file: fenced blocks, code spans, links, headings."""
import re
from pathlib import Path

SKIPPED = ("build", ".git", ".cache")


def documents(root):
    """The Markdown files of a source tree, builds and hidden folders and the checks' own bad examples apart."""
    for path in sorted(Path(root).rglob("*.md")):
        folders = path.relative_to(root).parts[:-1]
        if any(part.startswith(SKIPPED) for part in folders) or folders[:3] == ("tests", "docs", "bad"):
            continue
        yield path


class Block:
    """A fenced block: its language, the comment on the line before it (`<!-- ... -->`), its first line's number, its lines."""

    def __init__(self, language, note, line):
        self.language, self.note, self.line, self.lines = language, note, line, []


def split(text):
    """(blocks, prose): the fenced blocks, and the other lines as (number, line)."""
    blocks, prose, current, note = [], [], None, ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            if current is None:
                current = Block(line[3:].strip(), note, number + 1)
            else:
                blocks.append(current)
                current, note = None, ""
            continue
        if current is not None:
            current.lines.append(line)
            continue
        comment = re.fullmatch(r"<!--\s*(.*?)\s*-->", line.strip())
        if comment:
            note = comment[1]
        elif line.strip():
            note = ""
        prose.append((number, line))
    if current is not None:
        raise ValueError(f"line {current.line}: the fenced block is not closed")
    return blocks, prose


def code_spans(prose):
    """(number, text) of each `code span`, and of each line that is indented by four columns."""
    for number, line in prose:
        if line.startswith("    "):
            yield number, line.strip()
        else:
            for span in re.findall(r"`([^`]+)`", line):
                yield number, span


def links(prose):
    """(number, target) of each [text](target)."""
    for number, line in prose:
        without_code = re.sub(r"`[^`]*`", "", line)
        for target in re.findall(r"\]\(([^)\s]+)\)", without_code):
            yield number, target


def anchors(text):
    """What #fragments may name: the headings, as GitHub writes them, and <a id="..."></a>."""
    names = set(re.findall(r'<a id="([^"]+)"></a>', text))
    for _, line in split(text)[1]:
        heading = re.match(r"#+\s+(.*)", line)
        if heading:
            name = re.sub(r"[^\w\- ]", "", heading[1].strip().lower()).replace(" ", "-")
            names.add(name)
    return names
