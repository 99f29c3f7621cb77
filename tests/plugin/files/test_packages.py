# SPDX-License-Identifier: GPL-2.0
"""A package that a command needs: missing, or there and not to be imported."""

from pathlib import Path

import pytest
from harness import Checks
from wlablib.lib.packages import package
from wlablib.lib.paths import LabError

# As numpy does where the C++ library is missing: the loader's sentence, and a page around it.
BROKEN = """try:
    raise ImportError("libstdc++.so.6: cannot open shared object file\\nno more")
except ImportError as error:
    raise ImportError("IMPORTANT: PLEASE READ THIS") from error
"""


SENTENCES = {
    "wlink_none is missing; type: userspace/need frames": None,
    "wlink_broken cannot be imported: libstdc++.so.6: cannot open shared object file": BROKEN,
    "wlink_needs cannot be imported: No module named 'wlink_none'": "import wlink_none",
}


def check_packages(checks: Checks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    for said, text in SENTENCES.items():
        name = said.split()[0]
        if text is not None:
            (tmp_path / f"{name}.py").write_text(text)
        with pytest.raises(LabError) as refused:
            package(name, "frames")
        checks.equal(name, str(refused.value), said)
