# SPDX-License-Identifier: GPL-2.0
"""Metrics of one's own: functions of Python in a file beside the experiment's.

NAME(result, folder) gets what result.json says and the folder with events.tsv and series/, and
returns a number. A copy of the file, called after its digest, goes with the results.
"""

import ast
import math
import sys
import traceback
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from ..lib.paths import LabError
from ..scenario.files import Input, digest_of

Functions = Mapping[str, Input]


def named(folder: Path, file: str) -> tuple[Input, list[str]]:
    """A file and the names of its functions; nothing of it is run."""
    path = folder / file
    if Path(file).name != file:
        raise LabError(f"file: '{file}' is not the name of a file beside the experiment's")
    try:
        have = [n.name for n in ast.parse(path.read_text()).body if isinstance(n, ast.FunctionDef)]
    except OSError as e:
        raise LabError(f"file: {path}: {e.strerror}") from None
    except (SyntaxError, ValueError) as e:
        raise LabError(f"file: {path}: {e}") from None
    return Input(file, path, digest_of(path)), have


def find(folder: Path, file: str, name: str) -> Input:
    """The file that has this function."""
    found, have = named(folder, file)
    if name not in have:
        raise LabError(f"name: {found.path} has no function '{name}'")
    return found


@cache
def load(one: Input) -> ModuleType:
    """As it was when the cell was planned."""
    if digest_of(one.path) != one.digest:
        raise LabError(f"{one.path}: changed since the experiment was read")
    module = ModuleType(f"wlab.{one.digest[:16]}")
    module.__file__ = str(one.path)
    # dataclasses look for their module by its name.
    sys.modules[module.__name__] = module
    exec(compile(one.path.read_text(), str(one.path), "exec"), module.__dict__)
    return module


def call(name: str, one: Input, *args: object, **given: object) -> object:
    """What it returns; an exception is reported with the line of the file where it came from."""
    try:
        return getattr(load(one), name)(*args, **given)
    except OSError as e:
        raise LabError(f"{e.filename or 'a file'}: {e.strerror}") from None
    except LabError:
        raise
    except Exception as e:
        frames = traceback.extract_tb(e.__traceback__)
        lines = [f"line {at.lineno}: " for at in frames if at.filename == str(one.path)]
        raise LabError(f"{''.join(lines[-1:])}{type(e).__name__}: {e}") from None


def measure(functions: Functions, result: dict[str, Any], folder: Path) -> dict[str, float]:
    """Of one run."""
    out = {}
    for name, one in functions.items():
        try:
            value = call(name, one, result, folder)
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise LabError(f"it returned {value!r}, which is no number")
        except LabError as e:
            raise LabError(f"{name}: seed {result['seed']}: {e}") from None
        out[name] = value
    return out
