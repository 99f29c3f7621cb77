#!/usr/bin/python3 -EsB
# SPDX-License-Identifier: GPL-2.0
"""The manuals keep to the terms of architecture.md and glossary.md.

No excluded word, each term in use, and no more terms than a reader can learn.
"""

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
# The page with the terms of the kernel, then that with all others; how many there are with those before.
GLOSSARIES = {TOP / "Documentation/architecture.md": 30, TOP / "Documentation/glossary.md": 60}
ROW = re.compile(r"^\| (\*\*|`)(.+?)(?:\*\*|`) \|[^|\n]*\| ?([^|\n]*?) ?\|$", re.M)
# findings.md is of results: it quotes what was written then.
EXEMPT = {"findings.md"}
# Stands for literal text: no phrase goes across it.
LITERAL = "\0"


def prose_of_markdown(text: str) -> str:
    """Blanks code, addresses and tables' rules; keeps the number of lines."""
    text = re.sub(r"`[^`]*`", lambda m: LITERAL + "\n" * m[0].count("\n"), text)
    text = re.sub(r"^(    |\t).*", LITERAL, text, flags=re.M)
    return re.sub(r"\]\([^)]*\)", LITERAL, text)


def prose_of_manual(text: str) -> str:
    """Blanks examples, macros but for headings, and text in bold or italics; keeps the number of lines."""
    lines = []
    literal = False
    for line in text.splitlines():
        if re.match(r"\.(nf|Bd -literal)", line):
            literal = True
        elif re.match(r"\.(fi|Ed)", line):
            literal = False
        heading = re.match(r"\.(S[HSshs]|Nd) (.*)", line)
        if literal or (line.startswith((".", "'")) and not heading):
            lines.append(LITERAL)
        else:
            text = heading[2] if heading else line
            lines.append(re.sub(r"\\f[BI].*?(\\f[PR]|$)", LITERAL, text))
    return "\n".join(lines)


def read(path: Path) -> str:
    """All but the terms; keeps the number of lines."""
    text = path.read_text()
    return ROW.sub("", text) if path in GLOSSARIES else text


def prose(path: Path) -> str:
    text = read(path)
    return prose_of_markdown(text) if path.suffix == ".md" else prose_of_manual(text)


def pattern(words: str, ending: str = "") -> re.Pattern[str]:
    """Whole words in any case, also across the end of a line."""
    return re.compile(r"\b" + r"\s+".join(map(re.escape, words.split())) + ending + r"\b", re.I)


def main() -> int:
    rows: list[tuple[str, str, str]] = []
    pages = sorted((TOP / "Documentation/man").iterdir()) + sorted((TOP / "Documentation").glob("*.md"))
    pages = [TOP / "README.md"] + [page for page in pages if page.name not in EXEMPT]
    manuals = "\n".join(map(read, pages))
    core = "\n".join(path.read_text() for path in sorted((TOP / "kernel/core").rglob("*.h")))
    wrong = []
    excluded = set()
    for glossary, most in GLOSSARIES.items():
        found = ROW.findall(glossary.read_text())
        rows += found
        if not found or len(rows) > most:
            wrong.append(f"{glossary.name}: {len(rows)} terms with those before, at most {most}")
    terms = [term for _, term, _ in rows]
    wrong += [f"'{term}' is there twice" for term in set(terms) if terms.count(term) > 1]
    for mark, term, words in rows:
        if not pattern(term, "(?:e?s)?").search(manuals if mark == "**" else core):
            wrong.append(f"nothing uses '{term}'")
        excluded |= {word.strip() for word in words.split(",") if word.strip()}
    if not excluded:
        wrong.append("nothing is excluded")
    for page in pages:
        text = prose(page)
        for word in sorted(excluded):
            for use in pattern(word).finditer(text):
                line = text.count("\n", 0, use.start()) + 1
                wrong.append(f"{page.relative_to(TOP)}:{line}: '{word}', see glossary.md")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
