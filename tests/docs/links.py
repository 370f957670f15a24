#!/usr/bin/env python3
"""links.py ROOT: every relative link in the Markdown files under ROOT names a file that exists, and a heading that does."""
import sys
from pathlib import Path

import markdown

root = Path(sys.argv[1])
failures, checked = [], 0
for document in markdown.documents(root):
    _, prose = markdown.split(document.read_text())
    for number, target in markdown.links(prose):
        if "://" in target or target.startswith("mailto:"):
            continue
        checked += 1
        file, _, fragment = target.partition("#")
        place = f"{document.relative_to(root)}:{number}"
        there = document.parent / file if file else document
        if not there.exists():
            failures.append(f"{place}: {target}: there is no such file")
        elif fragment and there.suffix == ".md" and fragment not in markdown.anchors(there.read_text()):
            failures.append(f"{place}: {target}: there is no such heading")
print(f"{checked} links", *failures, sep="\n")
sys.exit(1 if failures or not checked else 0)
