# SPDX-License-Identifier: GPL-2.0
"""wlab as pip installs it: from sources of its own, with nothing of the tree, the same runs."""

import functools
import json
import os
import shutil
import tempfile
from pathlib import Path

from brief import brief
from lab import ROOT, Skipped, call, expect, run, write

SOURCES = ROOT / "userspace" / "wlab"
TEXT = brief("""duration = "2s"
[radio] wlink = "rate 384kbit tti 10ms delay 25ms limit 40"
[[flow]] name = "file"; kind = "tcp"
""")


@functools.cache
def folder() -> "tempfile.TemporaryDirectory[str]":
    """A virtual environment with wlab in it, and the lab's kernel, which takes minutes to make."""
    at = tempfile.TemporaryDirectory(prefix="wlab-install.")
    before = set(SOURCES.iterdir())
    python = Path(at.name, "venv", "bin", "python")
    venv = ["/usr/bin/python3", "-m", "venv", "--system-site-packages", "--without-pip", f"{at.name}/venv"]
    pip = [str(python), "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-index"]
    for words in venv, [*pip, "--disable-pip-version-check", str(SOURCES)]:
        done = call(words)
        expect(done.returncode == 0, f"{' '.join(words)}:\n{done.stdout}{done.stderr}")
    expect(set(SOURCES.iterdir()) == before, "pip has left something in the sources")
    Path(at.name, "build").mkdir()
    Path(at.name, "build", "lab").symlink_to(ROOT / "build" / "lab")
    return at


def installed(*args: str, program: str = "wlab", status: int = 0) -> str:
    """Call it; what it prints."""
    at = folder().name
    own = {"WLAB_BUILD": f"{at}/build", "XDG_DATA_HOME": f"{at}/data"}
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")} | own
    done = call([f"{at}/venv/bin/{program}", *args], cwd=at, env=env)
    expect(done.returncode == status, f"{program} {' '.join(args)}:\n{done.stderr}")
    return done.stdout


def check_version() -> str:
    said = installed("--version").split()
    expect(said[0] == "wlab" and f'"{said[1]}"' in (ROOT / "kernel/version.h").read_text(), f"it is {said}")
    return said[1]


def check_runs() -> str:
    ours, _ = run("installed", TEXT)
    theirs = json.loads(installed("run", str(write("installed", TEXT)), "--json"))
    at = folder().name
    for key in ("event_sha256", "scenario_sha256", "flows"):
        expect(ours[key] == theirs[key], f"{key} is not that of a run from the tree")
    there = Path(at, "data/wlink/results/installed/events.tsv")
    expect(there.exists(), "the result is not with the user's data")
    made = {path.name.partition("-")[0] for path in Path(at, "build").iterdir()}
    expect(made == {"lab", "copy"}, f"made in the build folder: {made}")
    return str(ours["event_sha256"])[:16]


def check_sweeps() -> str:
    """Its jobs are called by a program that knows neither the environment nor its Python."""
    if not shutil.which("snakemake"):
        raise Skipped("no snakemake; type: userspace/need papers")
    at = folder().name
    tiny = str(ROOT / "tests/papers/experiments/tiny.toml")
    installed("sweep", tiny, "--quick", "--out", "out", "--jobs", "1")
    found = sorted(Path(at, "out/cells/tiny").glob("*.json"))
    expect(len(found) == 2, f"cells: {found}")
    return f"{len(found)} cells"


def check_claims() -> str:
    """The papers are in the installation, and their functions find what they are written with."""
    kept = str(ROOT / "Documentation/results")
    ours = call([str(SOURCES / "wlab"), "claims", kept, "--json"])
    said = installed("claims", kept, "--json", status=ours.returncode)
    expect(said == ours.stdout, "they are judged in another way than in the tree")
    return f"{len(json.loads(said))} claims"


def check_imports() -> str:
    """The module is that of the installation and has the same runs; a checker of types knows it as typed."""
    code = "import sys, wlab; print(wlab.__file__, wlab.run(sys.argv[1], out='imported').hash)"
    file, digest = installed("-c", code, str(write("installed", TEXT)), program="python").split()
    expect(Path(file).is_relative_to(folder().name), f"it is {file}")
    expect(digest == run("installed", TEXT)[0]["event_sha256"], "the events are others")
    expect(Path(file).with_name("py.typed").exists(), "it is not typed")
    return digest[:16]


def check_pipx() -> str:
    """In an environment of its own, with a command of its own."""
    if not shutil.which("pipx"):
        raise Skipped("no pipx; type: userspace/need pip")
    with tempfile.TemporaryDirectory(prefix="wlab-pipx.") as at:
        env = os.environ | {"HOME": at, "PIPX_HOME": f"{at}/home", "PIPX_BIN_DIR": f"{at}/bin"}
        words = ["--system-site-packages", "--pip-args=--no-build-isolation --no-deps --no-index"]
        done = call(["pipx", "install", *words, str(SOURCES)], cwd=at, env=env)
        expect(done.returncode == 0, f"pipx:\n{done.stdout}{done.stderr}")
        done = call([f"{at}/bin/wlab", "--version"], cwd=at, env=env)
        expect(done.stdout.startswith("wlab "), f"wlab --version:\n{done.stdout}{done.stderr}")
    return str(done.stdout.strip())
