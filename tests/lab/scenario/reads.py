# SPDX-License-Identifier: GPL-2.0
"""What a scenario reads: traces and programs' files, from a temporary folder, as copies."""

import json
import shutil
import tempfile
from pathlib import Path

from brief import brief
from lab import OUT, Called, events, expect, wlab

MS, S = 10**6, 10**9
# Of Mahimahi, looped: after 9 ms it begins anew.
STAMPS = (2, 5, 5, 9)
TEXT = brief("""name = "reads"
duration = "3s"
[radio.down] wlink = "rate 1mbit mode tm"
trace = { file = "../link.pdo", format = "mahimahi", end = "loop", start = "1s" }
[radio.up] wlink = "rate 1mbit"
[[program]] name = "one"; in = "ue"; run = "exec ./say.sh"; files = ["say.sh", "conf"]
[[program]] name = "two"; in = "server"; start = "1s"
run = "cat conf/deep/a; echo x >> conf/deep/a; test ! -x conf/deep/a"
files = ["conf/deep/a"]
""")
EXPERIMENT = """name = "some"
paper = "beyond"
title = "A cell that reads"
scenario = "reads"
seeds = 1
confidence = 90
metrics = ["goodput_kbit"]
quick = { seeds = 1 }
[[grid]]
items = ["table 1"]
cells = [{}]
"""
FLOW = '[[flow]]\nname = "f"\nkind = "tcp"\n'


def lay(folder: Path) -> Path:
    """The scenario and what it reads."""
    (folder / "scenarios" / "conf" / "deep").mkdir(parents=True)
    (folder / "link.pdo").write_text("".join(f"{ms}\n" for ms in STAMPS))
    (folder / "scenarios" / "conf" / "deep" / "a").write_text("deep\n")
    say = folder / "scenarios" / "say.sh"
    say.write_text("#!/bin/sh\ncat conf/deep/a\n")
    say.chmod(0o755)
    path = folder / "scenarios" / "reads.toml"
    path.write_text(TEXT)
    return path


def ran(path: Path, out: Path, *args: str) -> Called:
    shutil.rmtree(out, ignore_errors=True)
    return wlab("run", str(path), "--out", str(out), "--json", *args)


def check_copied_into_the_run() -> str:
    """A trace plays from its start on, programs find their files; a change is another digest."""
    with tempfile.TemporaryDirectory(prefix="reads.", dir="/tmp") as name:
        path, out = lay(Path(name)), OUT / "reads"
        called = ran(path, out, "--runs", "2")
        expect(called.status == 0, called.err)
        first, second = json.loads(called.out)
        times = [1 * S + (lap * 9 + ms) * MS for lap in range(3) for ms in dict.fromkeys(STAMPS)]
        for seed in ("seed-1", "seed-2"):
            seen = [int(e[0]) for e in events(out / seed, "grant")]
            expect(seen[: len(times)] == times, f"opportunities at {seen[:9]}, not at {times}")
            for program in ("one", "two"):
                said = (out / seed / "programs" / f"{program}.out").read_text()
                expect(said == "deep\n", f"{seed}: program {program} said '{said}'")
        names = ["conf/deep/a", "link.pdo", "say.sh"]
        expect(list(first["files"]) == names, f"files of the result: {first['files']}")
        for one, original in zip(names, ("conf/deep/a", "../link.pdo", "say.sh")):
            same = (out / "files" / one).read_bytes() == (path.parent / original).read_bytes()
            expect(same, f"the copy of {one} is another")
        expect(first["event_sha256"] == second["event_sha256"], "nothing is random, and the seeds differ")

        (path.parent / "conf" / "deep" / "a").write_text("deep\n\n")
        called = ran(path, out)
        expect(called.status == 0, called.err)
        other = json.loads(called.out)
        expect(other["scenario"] == first["scenario"], "the scenario itself has changed")
        expect(other["scenario_sha256"] != first["scenario_sha256"], "another file, the same digest")
    return "two runs and one with another file"


def check_a_file_of_the_hosts_tmp() -> str:
    """A program that names a file of the host's /tmp is told why it is not there."""
    with tempfile.TemporaryDirectory(prefix="reads.", dir="/tmp") as name:
        path = lay(Path(name))
        path.write_text(TEXT.replace("exec ./say.sh", f"cat {name}/scenarios/conf/deep/a"))
        called = ran(path, OUT / "reads")
        expect(called.status == 1, "a file of the host's /tmp was read")
        words = f"{name}/scenarios/conf/deep/a is on the host; the guest has a folder /tmp of its own"
        expect(words in called.err, f"'{words}' is not in:\n{called.err}")
    return "named"


KEEPER = brief("""name = "keeps"
duration = "1s"
[radio] wlink = "rate 1mbit"
[[program]] name = "one"; in = "ue"; keep = ["got", "./*.json", "none*", "link", "*/deep/x"]
run = "exec sh -c '. ./leave'"
files = ["leave"]
[[program]] name = "two"; in = "server"; run = "true"; keep = ["a.*"]
""")


LEAVE = """mkdir -p got/deep o/deep
for name in got/deep/y o/deep/x o/z a.json; do echo $name >$name; done
ln -s /etc/passwd link
ln -s /etc got/etc
mkfifo got/pipe
truncate -s 300M got/large
trap 'echo b.json >b.json; exit' TERM
sleep 10 & wait
"""


def check_what_programs_leave() -> str:
    """Files that match are in the result, from where programs have left them only; of others it says why."""
    path = OUT / "keeps.toml"
    path.write_text(KEEPER)
    (OUT / "leave").write_text(LEAVE)
    called = ran(path, OUT / "keeps")
    expect(called.status == 0, called.err)
    folder = OUT / "keeps" / "kept"
    have = {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if not p.is_dir()}
    want = {name: f"{name}\n" for name in ("got/deep/y", "o/deep/x", "a.json", "b.json")}
    expect(have == want, f"{have}")
    reasons = dict.fromkeys(("none*", "link"), "not there")
    reasons["got/large"] = "more than 256 MiB with those before it"
    told = json.loads(called.out)["not_kept"]
    expect(told == reasons, f"{told}")
    return f"{len(have)} of the wanted files"


def check_a_cell_verified() -> str:
    """A cell is run again from its copies; one that is edited or gone is named."""
    with tempfile.TemporaryDirectory(prefix="reads.") as name:
        folder = Path(name)
        path = lay(folder)
        path.write_text(TEXT + FLOW)
        (folder / "some.toml").write_text(EXPERIMENT)
        cell = folder / "out" / "cell.json"
        called = wlab("cell", str(folder / "some.toml"), "all", "--out", str(cell))
        expect(called.status == 0, called.err)
        for original in (folder / "link.pdo", path.parent / "say.sh"):
            original.unlink()
        called = wlab("verify", str(cell))
        expect("the same events and values" in called.out, f"without the originals:\n{called.err}")
        copy = cell.parent / "files" / json.loads(cell.read_text())["files"]["link.pdo"]
        copy.write_text("1\n")
        called = wlab("verify", str(cell))
        expect(f"{copy}: changed since" in called.err, f"an edited copy:\n{called.err}")
        copy.unlink()
        called = wlab("verify", str(cell))
        expect(f"the copy of 'link.pdo' is not there: {copy}" in called.err, f"no copy:\n{called.err}")
        expect("Traceback" not in called.err, called.err)
    return "from copies alone; an edited and a missing one are named"
