# SPDX-License-Identifier: GPL-2.0
"""One verdict for each hundred stories that the engine has been played."""

import sys
from collections.abc import Callable, Iterator
from itertools import islice

GROUP = 100
# The words of each line.
Story = list[list[str]]


def stories(path: str) -> Iterator[Story]:
    """The first line of each has its seed."""
    story: Story = []
    with open(path, encoding="ascii") as file:
        for line in file:
            if line.startswith("seed") and story:
                yield story
                story = []
            story.append(line.split())
    if story:
        yield story


def main(what: str, judge: Callable[[Story], str]) -> int:
    """What differs between the engine's lines of a story and the oracle is said by judge()."""
    number = wrong = 0
    played = stories(sys.argv[1])
    while group := list(islice(played, GROUP)):
        number += 1
        problems = [(story[0][1], judge(story[1:])) for story in group]
        problems = [one for one in problems if one[1]]
        for seed, problem in problems:
            print(f"# seed {seed}: {problem}")
        wrong += bool(problems)
        name = f"oracle: {len(group)} {what} from seed {group[0][0][1]}"
        print(f"{'not ' if problems else ''}ok {number} - {name}", flush=True)
    print(f"{number - wrong} passed, {wrong} failed, 0 skipped")
    return int(wrong > 0 or not number)
