# SPDX-License-Identifier: GPL-2.0
"""One job of a sweep, as the Snakefile calls it: a cell from its plan to its result or error.

It builds nothing, so that jobs side by side do not meet, and reads nothing but its plan and
engine.json, so that nobody can change what a sweep does while it runs.
"""

import contextlib
import io
import traceback
from pathlib import Path

from ...lab.build import Kernel
from ...lib.paths import LAB, LABS, LabError
from ..cellrun import run_cell
from ..inputs import engine
from ..results import write_file
from .plan import ENGINE, differing, from_plan, read_engine, read_plan


def kernel_of(out: Path) -> Kernel:
    """The lab that the sweep was planned with; with another one cells could not be compared."""
    said = read_engine(out)
    if said is None:
        raise LabError(f"{out / ENGINE} is not there; only wlab sweep makes it")
    name = str(said.get("folder"))
    folder = next((lab / name for lab in LABS if (lab / name).is_dir()), LAB / name)
    kernel = Kernel(folder, str(said.get("kernel")))
    try:
        what = differing(said, engine(kernel))
    except OSError as e:
        raise LabError(f"{e.filename}: {e.strerror}; start the sweep again, which builds the lab") from None
    if what:
        raise LabError(f"{', '.join(what)}: changed while the sweep ran; start it again")
    return kernel


def work(out: Path, name: str, stall_s: float) -> None:
    """Run the cell. What it says of its progress is for a person who runs one alone."""
    plan = out / "plan" / f"{name}.toml"
    said = read_plan(plan)
    if said is None:
        raise LabError(f"{plan} is not there or not whole; only wlab sweep makes it")
    with contextlib.redirect_stderr(io.StringIO()):
        run_cell(from_plan(said, plan), out / "cells" / f"{name}.json", stall_s, kernel_of(out))


def job(out: Path, name: str, stall_s: float) -> None:
    """Leaves cells/EXP/ID.json, or cells/EXP/ID.error with the reason."""
    error = out / "cells" / f"{name}.error"
    error.unlink(missing_ok=True)
    try:
        work(out, name, stall_s)
    except Exception as e:
        text = str(e) if isinstance(e, LabError) else traceback.format_exc()
        # On a full disk it is at least in the log.
        with contextlib.suppress(LabError):
            write_file(error, text.rstrip() + "\n")
        raise
