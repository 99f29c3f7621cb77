# SPDX-License-Identifier: GPL-2.0
"""One job of a sweep, called by the Snakefile: runs a cell from its plan, writes its result or error.

It builds nothing, so that parallel jobs do not collide, and reads only its plan and
engine.json, so that edits of experiments during a sweep have no effect.
"""

import contextlib
import io
import traceback
from pathlib import Path

from ...lab.build import Kernel
from ...lib.files import write_file
from ...lib.paths import LAB, LABS, LabError
from ..cellrun import run_cell
from ..inputs import engine
from .plan import ENGINE, differing, from_plan, read_json


def kernel_of(out: Path) -> Kernel:
    """The lab kernel that the sweep was planned with; cells of different builds cannot be compared."""
    planned = read_json(out / ENGINE)
    if planned is None:
        raise LabError(f"{out / ENGINE} is missing; only wlab sweep writes it")
    name = str(planned.get("folder"))
    folder = next((lab / name for lab in LABS if (lab / name).is_dir()), LAB / name)
    kernel = Kernel(folder, str(planned.get("kernel")))
    try:
        changed = differing(planned, engine(kernel))
    except OSError as e:
        raise LabError(f"{e.filename}: {e.strerror}; start the sweep again, which builds the lab") from None
    if changed:
        raise LabError(f"{', '.join(changed)}: changed while the sweep ran; start it again")
    return kernel


def work(out: Path, name: str, stall_s: float) -> None:
    """Run the cell, without progress lines, which are for a cell that a user runs alone."""
    plan = out / "plan" / f"{name}.json"
    parsed = read_json(plan)
    if parsed is None:
        raise LabError(f"{plan} is missing or incomplete; only wlab sweep writes it")
    with contextlib.redirect_stderr(io.StringIO()):
        run_cell(from_plan(parsed, plan), out / "cells" / f"{name}.json", stall_s, kernel_of(out))


def job(out: Path, name: str, stall_s: float) -> None:
    """Run a cell; write cells/EXP/ID.json, or cells/EXP/ID.error with the reason."""
    error = out / "cells" / f"{name}.error"
    error.unlink(missing_ok=True)
    try:
        work(out, name, stall_s)
    except Exception as e:
        text = str(e) if isinstance(e, LabError) else traceback.format_exc()
        # With a full disk the reason is in the log only.
        with contextlib.suppress(LabError):
            write_file(error, text.rstrip() + "\n")
        raise
