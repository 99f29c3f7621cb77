# SPDX-License-Identifier: GPL-2.0
"""A cell's file: how it is written, and what verify says of one that is not as it was."""

import copy
import json
import os
import resource
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from kit import TINY, equals, expect, folder, near, refused
from wlablib.experiment import cells, experiment
from wlablib.experiment.cellrun import Measured, record
from wlablib.experiment.results import addresses, every, keep, read, signature, write_json
from wlablib.experiment.verify import Verdict, verify
from wlablib.run import run

GOT = Measured(
    [1, 2],
    {"goodput_kbit": [290.0, 292.0], "delay_s": [0.5, 0.7], "drops_overflow": [3.0, 3.0]},
    {"1": "a" * 64, "2": "b" * 64},
    {"kernel": "6.1", "module_sha256": "c" * 64, "tc": "tc utility", "wlink": "123abc"},
    {"name": "linux", "set": {"net.ipv4.tcp_sack": "1"}},
    10.0,
)


def made() -> dict[str, Any]:
    """The result of the example's first cell, had its runs given GOT."""
    return record(cells.expand(experiment.load(TINY))[0], copy.deepcopy(GOT))


def check_contents() -> str:
    one = made()
    equals("id", one["id"], "buffer=10,flows=2")
    equals("values", one["values"], GOT.values)
    near("mean", one["metrics"]["goodput_kbit"]["value"], 291, 1e-9)
    # Two seeds that differ by 2: their half width is t itself.
    near("half width", one["metrics"]["goodput_kbit"]["half_width"], 6.314, 0.001)
    equals("no spread", one["metrics"]["drops_overflow"], {"value": 3.0, "half_width": 0.0})
    equals("virtual", one["cost"]["virtual_s"], 10.0)
    equals("digest", one["sha256"], signature(one))
    again = made()
    again["cost"]["wall_s"] = 99.0
    again["versions"]["wlink"] = "another"
    equals("digest for another cost and commit", signature(again), one["sha256"])
    again["versions"]["kernel"] = "6.12"
    expect(signature(again) != one["sha256"], "the digest does not depend on the kernel")
    equals("digest after JSON", signature(json.loads(json.dumps(one))), one["sha256"])
    return "values, intervals, digest"


def check_written_as_a_whole(where: Path) -> str:
    path = where / "new" / "one.json"
    mask = os.umask(0o027)
    write_json(path, {"a": [1, 2]})
    os.umask(mask)
    equals("contents", json.loads(path.read_text()), {"a": [1, 2]})
    equals("mode", oct(path.stat().st_mode & 0o777), "0o640")
    refused("new/one.json/x.json: cannot be written: ", lambda: write_json(path / "x.json", {}))
    # A value that is no JSON must leave what was there.
    try:
        write_json(path, {"a": object()})
        expect(False, "written")
    except TypeError:
        pass
    equals("contents after a failure", json.loads(path.read_text()), {"a": [1, 2]})
    equals("nothing else there", [p.name for p in path.parent.iterdir()], ["one.json"])
    refused("is no regular file", lambda: write_json(where, {}))
    return "the whole file or the one before"


def check_a_full_disk(where: Path) -> str:
    """A bound on the size of files fails in the same calls as a full disk does."""
    bounds = resource.getrlimit(resource.RLIMIT_FSIZE)
    path = where / "one.json"
    write_json(path, {"a": 1})
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, bounds[1]))
        refused("one.json: cannot be written: File too large", lambda: write_json(path, ["x" * 9999]))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, bounds)
    equals("contents", json.loads(path.read_text()), {"a": 1})
    equals("nothing else there", [p.name for p in where.iterdir()], ["one.json"])
    return "told, and the file that was there stays"


Change = Callable[[dict[str, Any]], object]


def judged(
    change: Change, got: Measured = GOT, sign: bool = False, seeds: list[int] | None = None
) -> Verdict:
    """What verify says of a changed file; sign: the digest is made right again."""
    one = made()
    change(one)
    if sign:
        one["sha256"] = signature(one)

    def again(runs: list[run.Run], names: list[str]) -> Measured:
        which = [seed for _, seed in runs]
        at = [GOT.seeds.index(s) for s in which]
        return replace(
            got,
            seeds=which,
            values={n: [got.values[n][i] for i in at] for n in names},
            event_sha256={str(s): got.event_sha256[str(s)] for s in which},
        )

    with folder() as where:
        (where / "one.json").write_text(json.dumps(one))
        return verify(where / "one.json", seeds or [], again)


def nothing(one: dict[str, Any]) -> None:
    """No change."""


def check_verified() -> str:
    verdict = judged(nothing)
    equals("wrong", verdict.wrong, [])
    expect("2 seeds run again: the same events and values" in verdict.notes, f"notes: {verdict.notes}")
    # The example is none of the lab's own.
    expect("there is no experiment 'tiny' any more" in verdict.notes, f"notes: {verdict.notes}")
    one = judged(nothing, seeds=[2])
    expect("1 seeds run again: the same events and values" in one.notes, f"notes: {one.notes}")
    refused("it has no seed 7; there are [1, 2]", lambda: judged(nothing, seeds=[7]))
    # Two versions of scipy have other last digits of a quantile, and no more.
    for share, wrong in ((1e-9, 0), (1e-6, 1)):
        half = 6.313751514675 * (1 + share)
        found = judged(put(half, "metrics", "goodput_kbit", "half_width"), sign=True).wrong
        expect(len(found) == wrong, f"half width {share} larger: {found}")
    return "nothing wrong, one seed or all"


def put(value: object, *keys: str | int) -> Change:
    """Sets one value of a file."""

    def change(one: Any) -> None:
        for key in keys[:-1]:
            one = one[key]
        one[keys[-1]] = value

    return change


HAND = "edited by hand: sha256 is not that of the rest"
# What is changed, and what is told of it; runs find what no other value contradicts.
EDITS: list[tuple[Change, str]] = [
    (put(295.0, "metrics", "goodput_kbit", "value"), "metrics.goodput_kbit.value: 295.0 in the file, 291.0 "),
    (put(0.1, "metrics", "delay_s", "half_width"), "metrics.delay_s.half_width: 0.1 in the file, "),
    (put(295.0, "values", "goodput_kbit", 1), "metrics.goodput_kbit.value: 291.0 in the file, 292.5 from"),
    (put({"value": 1.0}, "metrics", "file_s"), "metrics.file_s: it has no values"),
    (put("buffer=20,flows=2", "id"), "id: 'buffer=20,flows=2' in the file, 'buffer=10,"),
    (put(20, "cell", "buffer"), "id: 'buffer=10,flows=2' in the file, 'buffer=20,"),
    (put("9s", "scenario", "duration"), "scenario: its digest is "),
    (put([1, 3], "seeds"), "event_sha256: not of the seeds in the file"),
    (put("d" * 64, "event_sha256", "2"), "seed 2: event_sha256: dddddddddddddddd in the file, bbbb"),
    (put("0", "stack", "set", "net.ipv4.tcp_sack"), 'stack.set.net.ipv4.tcp_sack: "0" in the file, "1" '),
    (put("f" * 64, "sha256"), HAND),
]


def check_edited_by_hand() -> str:
    for change, words in EDITS:
        wrong = judged(change).wrong
        equals("first", wrong[:1], [HAND])
        expect(any(line.startswith(words) for line in wrong), f"told: {wrong}, wanted: {words}")
    return f"{len(EDITS)} edits, each with the value that cannot be"


def check_forged() -> str:
    """Values, means and the digest are all made to fit: the runs tell."""

    def change(one: dict[str, Any]) -> None:
        one["values"]["goodput_kbit"] = [390.0, 392.0]
        one["metrics"]["goodput_kbit"]["value"] = 391.0

    wrong = judged(change, sign=True).wrong
    text = "goodput_kbit: 390.0 in the file, 290.0 in the run"
    equals("wrong", wrong, [f"seed 1: {text}", f"seed 2: {text.replace('0.0', '2.0')}"])
    return "the runs tell both values"


def check_another_module_other_events() -> str:
    other = {**GOT.versions, "module_sha256": "e" * 64, "kernel": "6.12", "wlink": "456def"}
    verdict = judged(nothing, replace(GOT, versions=other))
    equals("wrong", verdict.wrong, [])
    text = "\n".join(verdict.notes)
    expect("another kernel: 6.1 made the file, 6.12 runs now" in text, text)
    expect(f"another module: {'c' * 24} made the file, {'e' * 24} runs now" in text, text)
    events = {"1": "a" * 64, "2": "f" * 64}
    verdict = judged(nothing, replace(GOT, versions=other, event_sha256=events))
    kernel, module, events_ = verdict.wrong
    expect(kernel == "another kernel: 6.1 made the file, 6.12 runs now", kernel)
    expect(module.startswith("another module: "), module)
    expect(events_ == f"seed 2: event_sha256: {'b' * 16} in the file, {'f' * 16} in the run", events_)
    return "told before what differs"


def check_another_program_other_events() -> str:
    """One that the file names; what else runs now is in the file's scenario or none of its."""

    def change(one: dict[str, Any]) -> None:
        one["versions"]["programs"] = {"python3": "a" * 16, "sh": "b" * 16, "curl": "c" * 16}

    other = {**GOT.versions, "programs": {"python3": "d" * 16, "sh": "b" * 16, "x": "e" * 16}}
    events = {"1": "a" * 64, "2": "f" * 64}
    python, curl, digest = judged(change, replace(GOT, versions=other, event_sha256=events), sign=True).wrong
    equals("python3", python, f"another python3: {'a' * 16} made the file, {'d' * 16} runs now")
    equals("curl", curl, f"another curl: {'c' * 16} made the file, None runs now")
    expect(digest.startswith("seed 2: event_sha256: "), digest)
    equals("not named", judged(nothing, replace(GOT, versions=other)).wrong, [])
    return "told before what differs"


def check_no_results() -> str:
    def file(text: str, words: str) -> None:
        with folder() as where:
            (where / "one.json").write_text(text)
            refused(words, lambda: verify(where / "one.json", []))

    file("{", "one.json: not JSON: ")
    file("[]", "one.json: not a result of wlab cell")
    file("{}", "one.json: 'experiment' is missing; this is not a result of wlab cell")

    def slip(words: str, value: object, *keys: str | int) -> None:
        one = made()
        put(value, *keys)(one)
        file(json.dumps(one), words)

    slip("quick: 'no' has the wrong type", "no", "quick")
    slip("seeds: [] is not a list of integers", [], "seeds")
    slip("cost.cpu_s: '1 s' is not a number", "1 s", "cost", "cpu_s")
    slip("values.delay_s: not one number for each of 2 seeds", [0.5], "values", "delay_s")
    slip("values.delay_s: 'x' is not a number", ["x", 1.0], "values", "delay_s")
    slip("values.delay: there is no such metric", [1.0, 1.0], "values", "delay")
    refused("none.json: No such file or directory", lambda: verify(Path("/none.json"), []))
    return "ten files that are none"


def check_several_in_a_file(where: Path) -> str:
    """Several results in a file."""
    ones = [record(cell, copy.deepcopy(GOT)) for cell in cells.expand(experiment.load(TINY))]
    ids = sorted(one["id"] for one in ones)
    keep(where, "tiny", list(reversed(ones)))
    file = where / "cells" / "tiny.jsonl"
    lines = file.read_text().splitlines()
    equals("by name", [json.loads(line)["id"] for line in lines], ids)
    equals("addresses", addresses(file), [Path(f"{file}#{name}") for name in ids])
    one = addresses(file)[1]
    equals("one of them", read(one), next(r for r in ones if r["id"] == ids[1]))
    # A result of a sweep in the same place is the newer one.
    path = where / "cells" / "tiny" / f"{ids[0]}.json"
    write_json(path, ones[0])
    equals("all", {name: at for name, (at, _) in every(where, "tiny").items()}[ids[0]], path)
    refused("tiny.jsonl: no cell 'bufer'; ", lambda: read(Path(f"{file}#bufer")))
    refused("none.jsonl: No such file", lambda: read(where / "none.jsonl#all"))
    for text, words in (
        (f"{lines[0]}\n{lines[1][:50]}\n", "tiny.jsonl: line 2: not JSON: "),
        (f"{lines[0]}\n[]\n", "tiny.jsonl: line 2: not a result of wlab cell"),
        (f"{lines[0]}\n" * 2, f"tiny.jsonl: line 2: a second result of {ids[0]}"),
    ):
        file.write_text(text)
        refused(words, lambda: every(where, "tiny"))
        refused(words, lambda: read(one))
    edited = lines[1].replace(ids[1], ids[0])
    file.write_text(edited + "\n")
    equals("edited", verify(addresses(file)[0], [], lambda *_: GOT).wrong[0], HAND)
    keep(where, "tiny", [])
    expect(not file.exists(), "an empty file is kept")
    return f"{len(ids)} cells, each by its address; a line that is none is named"
