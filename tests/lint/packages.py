#!/usr/bin/python3 -EsB
# SPDX-License-Identifier: GPL-2.0
"""No package of wlablib uses one that stands below it in Documentation/architecture.md."""

import ast
import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LIBRARY = TOP / "userspace/wlab/wlablib"


def imported(path: Path) -> set[str]:
    """Packages that a module imports, itself all of them by relative names."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.relative_to(LIBRARY).parts[: -node.level]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found |= {(base or tuple(name.split(".")))[0] for name in names}
    return found


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
    if checked < 100:
        wrong.append(f"only {checked} imports were found")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
