# SPDX-License-Identifier: GPL-2.0
"""What the checks of words and command lines are given: see harness.py."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from harness import Checks, WordTool

BUILD = Path(os.environ.get("BUILD") or Path(__file__).resolve().parents[2] / "build")


@pytest.fixture
def build() -> Path:
    return BUILD


@pytest.fixture
def checks() -> Checks:
    return Checks()


@pytest.fixture(scope="session")
def tool() -> Iterator[WordTool]:
    one = WordTool(BUILD / "tests/plugin/wordtool")
    yield one
    assert one.close() == 0, "wordtool ended with a sanitizer's complaint"


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, None]:
    outcome = yield
    checks = pyfuncitem.funcargs.get("checks")
    if outcome.excinfo is None and isinstance(checks, Checks):
        checks.finish()
        pyfuncitem.user_properties.append(("note", f"{checks.same} equal"))
