# SPDX-License-Identifier: GPL-2.0
"""Own metrics and claims: Python functions in a file beside the experiment's.

NAME(result, folder) gets the contents of result.json and the folder with events.tsv and series/, and
returns a number. A copy of the file, named by its digest, is kept with the results.
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

from ..lib.faults import within
from ..lib.files import read_text
from ..lib.paths import LabError
from ..scenario.files import Input, digest_of

Functions = Mapping[str, Input]


def named(folder: Path, file: str) -> tuple[Input, list[str]]:
    """Parse a file, without executing it: itself, and the names of its functions."""
    path = folder / file
    if Path(file).name != file:
        raise LabError(f"file: '{file}' is not the name of a file beside the experiment's")
    try:
        functions = [n.name for n in ast.parse(read_text(path)).body if isinstance(n, ast.FunctionDef)]
    except LabError as e:
        raise LabError(f"file: {e}") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
        raise LabError(f"file: {path}: {e or 'nested too deep'}") from None
    return Input(file, path, digest_of(path)), functions


def find(folder: Path, file: str, name: str) -> Input:
    """The file that defines a function."""
    found, functions = named(folder, file)
    if name not in functions:
        raise LabError(f"name: {found.path} has no function '{name}'")
    return found


@cache
def load(file: Input) -> ModuleType:
    """Import a file, provided that it has not changed since the cell was planned."""
    if digest_of(file.path) != file.digest:
        raise LabError(f"{file.path}: changed since the experiment was read")
    module = ModuleType(f"wlab.{file.digest[:16]}")
    module.__file__ = str(file.path)
    # dataclasses look for their module by its name.
    sys.modules[module.__name__] = module
    exec(compile(read_text(file.path), str(file.path), "exec"), module.__dict__)
    return module


def call(name: str, file: Input, *args: object, **keywords: object) -> object:
    """Call a function; an exception becomes a LabError with the line of the file."""
    try:
        return getattr(load(file), name)(*args, **keywords)
    except OSError as e:
        raise LabError(f"{e.filename or 'a file'}: {e.strerror}") from None
    except LabError:
        raise
    except Exception as e:
        frames = traceback.extract_tb(e.__traceback__)
        lines = [f"line {at.lineno}: " for at in frames if at.filename == str(file.path)]
        raise LabError(f"{''.join(lines[-1:])}{type(e).__name__}: {e}") from None


def measure(functions: Functions, result: dict[str, Any], folder: Path) -> dict[str, float]:
    """Compute own metrics of one run."""
    out = {}
    for name, file in functions.items():
        with within(f"{name}: seed {result['seed']}: "):
            value = call(name, file, result, folder)
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise LabError(f"it returned {value!r}, not a number")
        out[name] = value
    return out
