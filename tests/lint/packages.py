#!/usr/bin/python3 -EsB
# SPDX-License-Identifier: GPL-2.0
"""No package of wlablib uses one that stands below it in Documentation/architecture.md; the papers use
wlab as anybody would."""

import ast
import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LIBRARY = TOP / "userspace/wlab/wlablib"
PAPERS = TOP / "userspace/papers"


def imported(path: Path) -> set[str]:
    """Packages that a module imports, itself all of them by relative names."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.relative_to(LIBRARY).parts[: -node.level]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found |= {(base or tuple(name.split(".")))[0] for name in names}
    return found


def of_wlablib(path: Path) -> list[str]:
    """What a file of the papers imports besides the module that is for everybody."""
    found = list(ast.walk(ast.parse(path.read_text())))
    names = [node.module or "." for node in found if isinstance(node, ast.ImportFrom)]
    names += [alias.name for node in found if isinstance(node, ast.Import) for alias in node.names]
    return [name for name in names if re.match(r"\.|wlablib\b", name)]


def main() -> int:
    page = (TOP / "Documentation/architecture.md").read_text()
    table = page.partition("## The people's side: wlab\n")[2].partition("\n## ")[0]
    order = re.findall(r"^\| `(\w+)`", table, re.M)
    packages = {path.name for path in LIBRARY.iterdir() if (path / "__init__.py").exists()}
    wrong = [f"{name} is not both in the table and in the tree" for name in set(order) ^ packages]
    checked = 0
    for path in sorted(LIBRARY.glob("*/**/*.py")):
        mine = path.relative_to(LIBRARY).parts[0]
        for other in sorted(imported(path) & packages):
            checked += 1
            if order.index(other) > order.index(mine):
                wrong.append(f"{path.relative_to(TOP)} uses {other}")
    papers = sorted(PAPERS.glob("*.py"))
    wrong += [f"{path.relative_to(TOP)} uses {name}" for path in papers for name in of_wlablib(path)]
    if not papers:
        wrong.append("there are no functions of the papers")
    if checked < 100:
        wrong.append(f"only {checked} imports were found")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
