# SPDX-License-Identifier: GPL-2.0
"""What the cases share."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from brief import brief
from wlablib.experiment import experiment
from wlablib.experiment.parts import Experiment
from wlablib.lib.paths import LabError

HERE = Path(__file__).resolve().parent
TINY = HERE / "experiments" / "tiny.toml"
# What experiments change; they are about files, and nothing of it is run.
SCENARIO = brief("""name = "base"
duration = "20s"
[radio] wlink = "rate 384kbit tti 10ms limit 40"
[[flow]] name = "file"; kind = "tcp"
""")


class Failed(Exception):
    """A case that is not as it must be."""


# A case that cannot be tried here.
Skipped = pytest.skip.Exception


def expect(true: bool, text: str) -> None:
    if not true:
        raise Failed(text)


def equals(what: str, got: object, wanted: object) -> None:
    expect(got == wanted, f"{what}: {got!r}, wanted {wanted!r}")


def near(what: str, got: float | None, wanted: float, within: float) -> None:
    expect(got is not None and abs(got - wanted) <= within, f"{what}: {got}, wanted {wanted} +- {within}")


def refused(words: str, call: Callable[[], object]) -> None:
    """The call must end in a LabError that has these words."""
    try:
        call()
    except LabError as e:
        expect(words in str(e), f"the error is '{e}', wanted '{words}'")
        return
    raise Failed(f"not refused: {words}")


@contextmanager
def folder() -> Iterator[Path]:
    """One that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="wlab-papers.") as name:
        yield Path(name)


def write(where: Path, text: str, scenario: str = SCENARIO) -> Experiment:
    """An experiment called `some`, from its text and that of its scenario."""
    (where / "scenarios").mkdir(exist_ok=True)
    (where / "scenarios" / "base.toml").write_text(scenario)
    (where / "some.toml").write_text(text)
    return experiment.load(where / "some.toml")
