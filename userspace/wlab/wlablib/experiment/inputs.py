# SPDX-License-Identifier: GPL-2.0
"""Digests of what decides a cell's values besides its experiment: engine, guest's plan, code of metrics."""

import ast
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from ..analysis import compare, metrics, networks, packets, traffic
from ..lab import build
from ..lib.paths import BIN, RENO, TC
from ..lib.scratch import scratch
from ..plan import plan
from ..run import needs
from ..run.place import lab, sha256
from ..run.run import versions
from .cells import Cell

# The programs that run in the guest or read its log; wlab-keep only ends it.
PROGRAMS = ("wlab-guest", "wlab-init", "wlab-each.so", "wlab-chance.so", "wlab-log", "wlinkctl")


def engine(kernel: build.Kernel) -> dict[str, Any]:
    """What all cells run on: kernel, module, programs; not the commit of the sources."""
    found = versions(lab(kernel))
    return {
        "kernel": found["kernel"],
        "folder": kernel.folder.name,
        "kernel_sha256": sha256(kernel.binary),
        "module_sha256": found["module_sha256"],
        "tc": found["tc"],
        "plugin_sha256": sha256(TC / "q_wlink.so"),
        **{f"{name}_sha256": sha256(BIN / name) for name in PROGRAMS},
    }


def guest_sha256(cell: Cell) -> str:
    """The digest of the files that the lab generates for the guest, with the first seed."""
    digest = hashlib.sha256()
    with scratch() as own:
        (folder := own / "plan").mkdir()
        plan.write_texts([(cell.scenario, cell.seeds[0])], folder)
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            digest.update(f"{path.relative_to(folder)}\0{path.read_text()}\0".encode())
    if needs.reno_1990([cell.scenario]):
        digest.update((RENO / "tcp_reno_1990.c").read_bytes())
    return digest.hexdigest()


def names_used(node: ast.AST) -> set[str]:
    """All names and attributes in a piece of code."""
    out = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return out | {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}


def code_only(node: ast.stmt) -> str:
    """A definition without comments, docstrings and line numbers."""
    for part in ast.walk(node):
        if isinstance(part, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(part) is not None:
            part.body = part.body[1:]
    return ast.dump(node)


@cache
def code() -> dict[str, tuple[str, set[str]]]:
    """(code, names in it) of each definition in the modules that compute metrics, by name."""
    out = {}
    for module in (metrics, traffic, packets, compare, networks):
        assert module.__file__
        for node in ast.parse(Path(module.__file__).read_text()).body:
            named = getattr(node, "name", None)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                named = node.targets[0].id
            if named:
                out[named] = (code_only(node), names_used(node))
    return out


@cache
def measures() -> dict[str, ast.expr]:
    """The expression of each metric's function in METRICS."""
    assert metrics.__file__
    for node in ast.parse(Path(metrics.__file__).read_text()).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
            return {
                str(k.value): v.args[2]
                for k, v in zip(node.value.keys, node.value.values)
                if isinstance(k, ast.Constant) and isinstance(v, ast.Call)
            }
    raise AssertionError("metrics.py has no METRICS")


@cache
def metric_text(name: str) -> str:
    """The code of one metric with all definitions that it uses, so that a new metric does not change it."""
    expression = measures()[metrics.split_flow(name)[0]]
    todo, seen = names_used(expression), set[str]()
    while todo:
        seen |= todo
        todo = {n for known in todo & code().keys() for n in code()[known][1]} - seen
    return "\n".join([ast.dump(expression), *(code()[n][0] for n in sorted(seen & code().keys()))])


def metrics_sha256(names: list[str]) -> str:
    """The digest of the code that computes these metrics."""
    return hashlib.sha256("\n".join(map(metric_text, names)).encode()).hexdigest()
