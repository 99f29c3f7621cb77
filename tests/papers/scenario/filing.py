# SPDX-License-Identifier: GPL-2.0
"""The files that a scenario reads: names, digests, copies."""

import hashlib
import os
import shutil
from functools import partial
from pathlib import Path

from kit import equals, expect, refused
from wlablib.scenario import files, scenario
from wlablib.scenario.files import Input, Origin

BASE = {"name": "some", "duration": "1s", "radio": {"wlink": "rate 1mbit"}}


def with_files(*said: str) -> dict[str, object]:
    """A scenario with a program that reads them."""
    return {**BASE, "program": [{"name": "p", "in": "ue", "run": "true", "files": list(said)}]}


def check_files_names(where: Path) -> str:
    """As the scenario says, or the last one where that leads out of its folder."""
    for said, name in (("a", "a"), ("./a/b", "a/b"), ("a/../b", "b"), ("../a/b", "b"), ("/x/y", "y")):
        equals(said, files.name_of(said), name)
    for said in (".", "..", "/", "a/..", "../.."):
        call = partial(scenario.read, with_files(said), Origin(Path("/")))
        refused(f"'{said}' is not the name of a file", call)
    origin = Origin(where / "in")
    (where / "in" / "sub" / "empty").mkdir(parents=True)
    for name in ("in/sub/b", "in/sub/a", "in/c", "c"):
        (where / name).write_text(name)
    sc = scenario.read(with_files("sub", "c", "../in/c"), origin)
    equals("names", sc.programs[0].files, ["sub/a", "sub/b", "c", "c"])
    equals("inputs", [one.name for one in sc.inputs], ["sub/a", "sub/b", "c"])
    for some, words in (
        (("c", "../c"), "program.p.files.1: two files of the scenario would be 'c'"),
        (("../in/sub",), "is a folder and not below that of the scenario"),
        (("sub/empty",), "there is no file"),
        (("d",), "there is no file"),
        (("c/d",), "there is no file"),
    ):
        refused(words, partial(scenario.read, with_files(*some), origin))
    refused("a scenario without a file cannot", lambda: scenario.read(with_files("c")))
    os.mkfifo(where / "in" / "pipe")
    refused("pipe is not a file", lambda: scenario.read(with_files("pipe"), origin))
    # A line of its own in the guest's plan.
    (where / "in" / "sub" / "x\nat router 0 true").touch()
    refused("a name that cannot be printed", lambda: scenario.read(with_files("sub"), origin))
    return "kept, shortened, refused"


def check_files_digests(where: Path) -> str:
    """The digest is of what is in a file, and of whether it can be run; none of no files."""
    origin = Origin(where)
    one = where / "one"
    one.write_text("1")
    sha = hashlib.sha256(b"1").hexdigest()
    before = scenario.read(with_files("one"), origin)
    equals("digest", before.inputs, [Input("one", one, sha)])
    one.chmod(0o755)
    runs = scenario.read(with_files("one"), origin)
    equals("digest of what can be run", runs.inputs[0].digest, f"{sha}+x")
    expect(before.digest() != runs.digest(), "another mode, the same scenario")
    text = b'{"duration": "1s", "name": "some", "radio": {"wlink": "rate 1mbit"}}'
    equals("without files", scenario.read(dict(BASE)).digest(), hashlib.sha256(text).hexdigest())
    files.copy(runs.inputs, where / "run")
    expect(os.access(where / "run" / "one", os.X_OK), "the copy cannot be run")
    one.write_text("2")
    refused("one: changed since", lambda: files.copy(runs.inputs, where / "again"))
    refused("one: changed since", lambda: files.keep(runs.inputs, where / "files"))
    equals("left", [p.name for p in (*(where / "again").iterdir(), *(where / "files").iterdir())], [])
    return "content and mode"


def check_files_copies(where: Path) -> str:
    """Of a result; a name in it that leads elsewhere is none."""
    (where / "one").write_text("1")
    sc = scenario.read(with_files("one"), Origin(where))
    have = files.digests(sc.inputs)
    store = where / "out" / "files"
    files.keep(sc.inputs, store)
    for result in ("out/cell.json", "out/cells/some/all.json"):
        again = scenario.read(with_files("one"), files.kept(where / result, have))
        equals(result, (again.digest(), again.inputs[0].path), (sc.digest(), store / have["one"]))
    for name in ("sub/../../x", "sub//x", "sub/./x"):
        origin = files.kept(where / "out" / "cell.json", {name: have["one"]})
        refused("is not the name of a copy", partial(scenario.read, with_files("sub"), origin))
    shutil.rmtree(store)
    origin = files.kept(where / "out" / "cell.json", have)
    refused(f"the copy of 'one' is not there: {store}", lambda: scenario.read(with_files("one"), origin))
    return "found beside and above, and only below where they belong"
