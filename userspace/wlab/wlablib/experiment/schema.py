# SPDX-License-Identifier: GPL-2.0
"""`wlab schema`: the JSON Schema of a file, from the tables that parse it."""

from ..channel import plan
from ..lib.kinds import Schema
from ..lib.paths import LabError
from ..lib.units import near
from ..scenario import scenario
from . import experiment, sets

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILES = {"scenario": scenario.FILE, "experiment": experiment.FILE, "set": sets.FILE, "channel": plan.FILE}


def schema(kind: str) -> Schema:
    """The JSON Schema of a file of this kind, "scenario", "experiment", "set" or "channel".

    >>> wlab.schema("scenario")["properties"]["seed"]["default"]
    1
    """
    if kind not in FILES:
        raise LabError(f"no schema '{kind}'; {near(kind, list(FILES))}")
    return {"$schema": DIALECT, "title": f"{kind} of wlab", **FILES[kind].schema}
