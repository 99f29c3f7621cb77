# SPDX-License-Identifier: GPL-2.0
"""TOML of scenarios in few lines."""

import re


def brief(text: str) -> str:
    """The TOML of a text in which `[a] [b] x = 1; y = 2` may stand for tables a and b and the keys of b."""
    lines = []
    for line in text.split("\n"):
        of = []
        while head := re.match(r"(\[\S+\]) +", line):
            of.append(head[1])
            line = line[head.end() :]
        lines += [*of, *(re.split(r"; (?=[\w-]+ = )", line) if of else [line])]
    return "\n".join(lines)
