# SPDX-License-Identifier: GPL-2.0
"""What pytest has to know of the tests in Python.

A module with CASES, a dict of functions by name, is collected whatever its name; what a
case returns is told beside its verdict. Cases of a module run one after the other in one
process, for they use each other's results, unless it says `APART = True`. The last line
has the counts.
"""

import re
import resource
import signal
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

Note = str | None
# Of the process that prints.
terminal: Any = None


def pytest_sessionstart(session: pytest.Session) -> None:
    global terminal
    # What nohup or a shell's & has ignored is ignored here, but not by programs that are tested.
    for number in (signal.SIGHUP, signal.SIGINT):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, lambda *_: None)
    if not hasattr(session.config, "workerinput") and session.config.option.verbose < 1:
        terminal = session.config.pluginmanager.get_plugin("terminalreporter")


class Case(pytest.Item):
    """One of CASES."""

    def __init__(self, call: Callable[[], Note], **rest: Any) -> None:
        super().__init__(**rest)
        self.call = call

    def runtest(self) -> None:
        if note := self.call():
            self.user_properties.append(("note", note))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        excinfo.traceback = excinfo.traceback.cut(path=self.path)
        return super().repr_failure(excinfo, style=style or "short")

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name


class Cases(pytest.Module):
    """A module that has CASES."""

    def collect(self) -> Iterable[Case]:
        for number, (name, call) in enumerate(self.obj.CASES.items()):
            case: Case = Case.from_parent(self, name=name, call=call)
            group = f"{self.path.stem} {number}" if getattr(self.obj, "APART", False) else self.path.stem
            case.add_marker(pytest.mark.xdist_group(group))
            yield case


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Cases | None:
    if file_path.suffix == ".py" and re.search(r"^CASES\b", file_path.read_text(), re.M):
        cases: Cases = Cases.from_parent(parent, path=file_path)
        return cases
    return None


def used_s() -> float:
    """Processor time of this process and of all that it has waited for."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """What a case costs, told beside its verdict, does not depend on other work."""
    began = used_s()
    yield
    item.user_properties.append(("used_s", used_s() - began))


def pytest_report_teststatus(report: Any, config: pytest.Config) -> tuple[str, str, str] | None:
    """No letters; a line a case instead."""
    return (report.outcome, "", "") if report.when == "call" and config.option.verbose < 1 else None


def pytest_runtest_logreport(report: Any) -> None:
    if terminal is None or not (report.when == "call" or report.skipped or report.failed):
        return
    told = dict(report.user_properties)
    note = told.get("note", "")
    if report.skipped:
        note = report.longrepr[2].removeprefix("Skipped: ")
    name = report.nodeid.partition("@")[0]
    used = f"({told.get('used_s', 0):.1f} s)"
    terminal.write_line(f"{report.outcome:8}{name}{': ' if note else ''}{note} {used}")


def pytest_unconfigure(config: pytest.Config) -> None:
    """After all that pytest itself says."""
    told: Any = config.pluginmanager.get_plugin("terminalreporter")
    if told is None or hasattr(config, "workerinput") or config.option.collectonly:
        return
    counts = {one: len(told.stats.get(one, ())) for one in ("passed", "failed", "error", "skipped")}
    failed = counts["failed"] + counts["error"]
    print(f"{counts['passed']} passed, {failed} failed, {counts['skipped']} skipped", flush=True)
