# SPDX-License-Identifier: GPL-2.0
"""Jitter's words and tables: what is taken, and which line of which file is refused for what."""

import struct
from pathlib import Path

from harness import Checks, WordTool

# A name of a distribution, and what is wrong with its words.
REFUSED = {
    "jitter_dev 5ms": "jitter_dev needs jitter",
    "jitter_dist uniform": "jitter_dist needs jitter",
    "jitter off jitter_dev 5ms": "jitter_dev does not belong to jitter off",
    "jitter 20ms jitter_dist normal": "jitter_dist normal needs jitter_dev",
    "jitter 20ms jitter_dist constant jitter_dev 5ms": "jitter_dev does not belong to jitter_dist constant",
    "jitter 20ms jitter_dist uniform jitter_dev 12ms": (
        "jitter_dev of jitter_dist uniform is above the mean / sqrt(3): delays would be below 0"
    ),
    "jitter 20ms jitter_dist table": "jitter_dist table needs jitter_table",
    "jitter 61s": "jitter 61s is outside 1ns..60s, or off",
    "jitter 10s": "jitter would be up to 124746777690ns, above 60s",
    "jitter_correlation 1.1": "jitter_correlation 1.1 is outside 0..1",
    "jitter_correlation -1": "jitter_correlation -1 is outside 0..1",
    "corrupt nan": 'corrupt "nan" is not a number',
    "corrupt_unit word": 'corrupt_unit "word" is unknown; it is bit or byte',
}

# A file, and what is wrong with it.
FILES = {
    "": "it is empty",
    "# nothing\n": "it is empty",
    "1\n2\nx\n": ":3: no number: x",
    "1 2 nan\n": ":1: no number: nan",
    "1 2 inf\n": ":1: no number: inf",
    "5\n4\n": ":2: below the number before: 4",
    "1ms,2ms,3,4\n": ":1: not TIME,WEIGHT or TIME,TIME,WEIGHT",
    "1,2\n": ":1: no time: 1",
    "1ms,-2\n": ":1: no weight, 0 or more: -2",
    "1ms,nan\n": ":1: no weight, 0 or more: nan",
    "2ms,1ms,1\n": ":1: a bin ends before it begins: 1ms",
    "1ms,3ms,1\n2ms,4ms,1\n": ":2: begins before the one before ends: 2ms",
    "1ms,1\n7\n": ":2: numbers and a histogram do not mix",
    "1ms,0\n2ms,0\n": "the weights come to 0",
    "0s,1\n": "its mean is below 1ns",
    "1 " * 400 + "1" * 400 + "\n": ":1: longer than 1000 bytes",
    "1\n" * 4097: ":4097: more than 4096 numbers: a table has at most 32 KiB",
    # Beyond all units of a table, which the fuzzer has found.
    "1 1e300\n": "jitter would be up to 9223372034707292160ns, above 60s",
    "5s,1e308\n": "the weights come to 1e+308",
    "61s,1\n": "jitter would be up to 61000000005ns, above 60s",
}


def check_refused(checks: Checks, tool: WordTool) -> None:
    for words, wrong in REFUSED.items():
        checks.equal(words, tool.words(words), wrong)


def check_files(checks: Checks, tool: WordTool, tmp_path: Path) -> None:
    for number, (text, wrong) in enumerate(FILES.items()):
        path = tmp_path / str(number)
        path.write_text(text)
        words = "" if "," in text else "jitter 20ms jitter_dev 5ms "
        answer = tool.words(f"{words}jitter_table {path}")
        checks.true(f"{text[:30]!r}", isinstance(answer, str) and wrong in answer, answer)
    answer = tool.words("jitter_table /no/such")
    checks.equal("no file", answer, "jitter_table /no/such: No such file or directory")
    path = tmp_path / "needs"
    path.write_text("1\n2\n")
    answer = tool.words(f"jitter_table {path}")
    checks.equal("numbers need both", answer, f"jitter_table {path} needs both jitter and jitter_dev")
    path.write_text("1ms,1\n")
    answer = tool.words(f"jitter 1ms jitter_dev 1ms jitter_table {path}")
    refused = f"jitter_dev does not belong to a histogram, which {path} is"
    checks.equal("a histogram needs none", answer, refused)


def check_taken(checks: Checks, tool: WordTool, tmp_path: Path) -> None:
    """Points by hand: 8 bytes each, behind the unit."""
    path = tmp_path / "bins"
    path.write_text("# low,high,weight\n1us,2us,1\n4us,2  # an atom\n5us,5us,0\n6us,8us,1\n")
    answer = tool.words(f"jitter_table {path}")
    quarter = 2**30
    points = ((0, 1000), (quarter, 2000), (quarter, 4000), (3 * quarter, 4000), (3 * quarter, 6000))
    assert isinstance(answer, bytes), answer
    for at, value in (*points, (2**32 - 1, 8000)):
        # A sum of weights is rounded.
        near = [struct.pack("<II", at + off, value) for off in (-1, 0, 1) if 0 <= at + off < 2**32]
        checks.true(f"point {at} {value}", any(one in answer for one in near), answer.hex())
    checks.equal("no more of them", answer.count(struct.pack("<I", 8000)), 1)
    # The mean, 4125 ns, is what a shown link is typed with: the same points.
    checks.equal("again", tool.words(f"jitter 4125ns jitter_table {path}"), answer)
    # Two points say all of these.
    constant = tool.words("jitter 5ms jitter_dist constant")
    checks.equal("constant", len(constant), 4 + 12 + 8 + 12 + 12 + 4 + 16)
