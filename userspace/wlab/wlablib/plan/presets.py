# SPDX-License-Identifier: GPL-2.0
"""A user's own presets for the guest."""

import re
from pathlib import Path

from ..lab import boot
from ..scenario.wlinkctl import listed, preset


def write_presets(folder: Path, text: str) -> None:
    """Write the user's own presets that a text names, where the guest looks for them."""
    for name in filter(listed().get, dict.fromkeys(re.findall(r"\bpreset (\S+)", text))):
        (folder / boot.PRESETS).mkdir(exist_ok=True)
        (folder / boot.PRESETS / name).write_text(preset("preset", "show", name))
