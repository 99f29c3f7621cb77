# SPDX-License-Identifier: GPL-2.0
"""What pytest has to know of the tests in Python.

A case is a function check_*, or one of CASES, a dict of those that are made, by name. Outside of
plugin a module with cases is collected whatever its name; what a case returns is told beside its
verdict. Cases of such a module run one after the other in one process, for they use each other's
results, unless it says `APART = True`. The last line has the counts.
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
    """A module with cases that use each other's results."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        made = getattr(self.obj, "CASES", {})
        cases = [*super().collect(), *(Case.from_parent(self, name=n, call=call) for n, call in made.items())]
        for number, case in enumerate(cases):
            group = f"{self.path.stem} {number}" if getattr(self.obj, "APART", False) else self.path.stem
            case.add_marker(pytest.mark.xdist_group(group))
        return cases


def has_cases(path: Path) -> bool:
    return re.search(r"^def check_\w+\(|^CASES\b", path.read_text(), re.M) is not None


@pytest.hookimpl(tryfirst=True)  # type: ignore[misc]
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> Cases | None:
    """Of a module whose name is that of a test."""
    if "plugin" in module_path.parts or not has_cases(module_path):
        return None
    cases: Cases = Cases.from_parent(parent, path=module_path)
    return cases


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Cases | None:
    """The same, of any other name; pytest itself does so with what the command line names."""
    named = file_path.name.startswith("test_") or parent.session.isinitpath(file_path)
    if file_path.suffix != ".py" or named:
        return None
    cases: Cases | None = pytest_pycollect_makemodule(file_path, parent)
    return cases


@pytest.hookimpl(tryfirst=True)  # type: ignore[misc]
def pytest_pyfunc_call(pyfuncitem: Any) -> bool | None:
    """What it returns is told beside its verdict."""
    if not isinstance(pyfuncitem.parent, Cases):
        return None
    wanted = pyfuncitem._fixtureinfo.argnames
    if note := pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted}):
        pyfuncitem.user_properties.append(("note", note))
    return True


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
