#!/usr/bin/python3 -ISB
# SPDX-License-Identifier: GPL-2.0
"""Files of scenarios, experiments and sets with mistakes: `toml.py DICTIONARY [SEED [RUNS]]`.

Each file of the project is changed at random places, with the words of a dictionary of
libFuzzer's, too; what reads it may refuse it by a LabError and by nothing else.
"""

import os
import random
import sys
import tempfile
import traceback
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../userspace/wlab"))

from wlablib.experiment import experiment, sets
from wlablib.lib import toml
from wlablib.lib.paths import WLAB, LabError
from wlablib.scenario import scenario

SIGNS = (
    *'" [ ] { } = , . # \\ \n \0 \x7f \ud800'.split(" "),
    *"-1 0 1e999 nan inf true 99999999999999999999 0x10 1979-05-27 '' [[]] {} [[at]]".split(),
    *"\u0130 ../ /dev/null $HOME %s 384Kbit 5".split(),
)


def words(dictionary: str) -> list[str]:
    """Those that can be typed."""
    lines = Path(dictionary).read_text().splitlines()
    return [line.strip('"') for line in lines if "\\" not in line]


def change(text: str, said: list[str], draw: random.Random) -> str:
    """One to four mistakes."""
    for _ in range(draw.randint(1, 4)):
        at, to = sorted(draw.randrange(len(text) + 1) for _ in range(2))
        lines = text.split("\n")
        one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
        kind = draw.randrange(5)
        new = draw.choice(draw.choice((SIGNS, said)))
        if kind == 0:
            text = text[:at] + new + text[at:]
        elif kind == 1:
            text = text[:at] + text[min(to, at + 9) :]
        elif kind == 2:
            text = text[:at] + new + text[min(to, at + 9) :]
        elif kind == 3:
            lines[one] = lines[other]
            text = "\n".join(lines)
        else:
            head, equal, _ = lines[one].partition("= ")
            lines[one] = head + equal + new
            text = "\n".join(lines)
    return text


def main(dictionary: str, seed: int = 1, runs: int = 3000) -> int:
    draw = random.Random(seed)
    said = words(dictionary)
    scenarios = [p.read_text() for p in sorted(WLAB.glob("**/scenarios/*.toml"))]
    ours = sets.load()
    experiments = [p.read_text() for p in (ours.path, *(one.path for one in ours.experiments))]
    refused = failed = 0
    with tempfile.TemporaryDirectory() as at:
        path = Path(at) / "changed.toml"
        for _ in range(runs):
            whole = draw.random() < 0.2
            text = change(draw.choice(experiments if whole else scenarios), said, draw)
            path.write_bytes(text.encode(errors="surrogatepass"))
            try:
                if whole and "[page." in text:
                    sets.read(toml.load(path), ours.path, ours.experiments)
                elif whole:
                    experiment.load(path)
                else:
                    scenario.load(path, [])
            except LabError:
                refused += 1
            except Exception:
                failed += 1
                if failed < 6:
                    print(f"--- {text!r}\n{traceback.format_exc()}", flush=True)
    # All but a few mistakes matter, and some do not.
    bad = failed or not runs // 4 < refused < runs
    print(f"{'not ok' if bad else 'ok'} - toml, {runs} files, {refused} refused, {failed} failed")
    return 1 if bad else 0


sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
