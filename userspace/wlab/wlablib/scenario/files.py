# SPDX-License-Identifier: GPL-2.0
"""The files that a scenario reads: where they are, what identifies them, and copies of them."""

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from ..lib.paths import LabError
from ..lib.units import BadValue

# Of a job, of a result and of a sweep.
FOLDER = "files"
# After the digest of one that can be run.
RUNS = "+x"

Digests = dict[str, str]


@dataclass(frozen=True)
class Input:
    """A file under the name that it has in a run, where it is and what is in it."""

    name: str
    path: Path
    digest: str


@lru_cache(maxsize=4096)
def _sha256(path: Path, _: tuple[int, ...]) -> str:
    with path.open("rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def digest_of(path: Path) -> str:
    """Of what is in a file and whether it can be run; read again only where it has changed."""
    st = path.stat()
    if not stat.S_ISREG(st.st_mode):
        raise BadValue(f"{path} is no file")
    seen = (st.st_ino, st.st_size, st.st_mtime_ns, st.st_ctime_ns)
    return _sha256(path, seen) + (RUNS if st.st_mode & 0o100 else "")


def name_of(said: str) -> str:
    """In a run: as the scenario says, but what leads out of its folder has its last name only."""
    path = PurePosixPath(os.path.normpath(said))
    name = path.name if path.is_absolute() or ".." in path.parts else str(path)
    if name in ("", ".", ".."):
        raise BadValue(f"'{said}' is not the name of a file")
    return name


@dataclass(frozen=True)
class Origin:
    """Where the names of files lead: to a scenario's folder, or to copies called after their digests."""

    folder: Path
    digests: Digests | None = None

    def find(self, said: str) -> list[Input]:
        """A file, or all that are in a folder."""
        name = name_of(said)
        if self.digests is not None:
            found = [Input(n, self.folder / d, d) for n, d in self.digests.items() if within(n, name)]
            for one in found:
                if name_of(one.name) != one.name:
                    raise BadValue(f"'{one.name}' is not the name of a copy")
                if not one.path.is_file():
                    raise BadValue(f"the copy of '{one.name}' is not there: {one.path}")
        elif (self.folder / said).is_dir() and name != os.path.normpath(said):
            raise BadValue(f"{self.folder / said} is a folder and not below that of the scenario")
        else:
            found = [Input(n, path, digest_of(path)) for n, path in walk(self.folder / said, name)]
        for one in found:
            if not one.name.isprintable():
                raise BadValue(f"{one.path} has a name that cannot be printed")
        if not found:
            raise BadValue(f"there is no file {self.folder / said}")
        return found


def within(name: str, above: str) -> bool:
    return name == above or name.startswith(f"{above}/")


def walk(path: Path, name: str) -> Iterable[tuple[str, Path]]:
    """Names and places of a file or of all below a folder, in order."""
    if not path.is_dir():
        return [(name, path)] if path.exists() else []
    below = sorted(p for p in path.rglob("*") if not p.is_dir())
    return [(f"{name}/{p.relative_to(path)}", p) for p in below]


def find_all(asked: list[tuple[str, str]], origin: Origin | None) -> tuple[dict[str, Input], list[list[str]]]:
    """All files by name, and of each (key, what it says) the names."""
    found: dict[str, Input] = {}
    names = []
    for where, said in asked:
        if origin is None:
            raise LabError(f"{where}: a scenario that is in no file has no files")
        try:
            some = origin.find(said)
        except BadValue as e:
            raise LabError(f"{where}: {e}") from None
        except OSError as e:
            raise LabError(f"{where}: {e.filename or said}: {e.strerror}") from None
        for one in some:
            if found.setdefault(one.name, one).digest != one.digest:
                raise LabError(f"{where}: two files of the scenario would be '{one.name}' in a run")
        names.append([one.name for one in some])
    return found, names


def digests(inputs: Iterable[Input]) -> Digests:
    return {one.name: one.digest for one in sorted(inputs, key=lambda one: one.name)}


def _copy(one: Input, source: Path, to: Path) -> None:
    """All of it or nothing, and only what the digest is of."""
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=to.parent, prefix=".wlab.", delete=False) as f:
        fresh = Path(f.name)
    try:
        shutil.copyfile(source, fresh)
        fresh.chmod(0o755 if one.digest.endswith(RUNS) else 0o644)
        if digest_of(fresh) != one.digest:
            raise LabError(f"{source}: changed since the scenario was read")
        fresh.replace(to)
    finally:
        fresh.unlink(missing_ok=True)


def copy(inputs: Iterable[Input], to: Path, source: Path | None = None) -> None:
    """By name; from a folder where they have their names, else from where they are."""
    for one in inputs:
        _copy(one, source / one.name if source else one.path, to / one.name)


def keep(inputs: Iterable[Input], store: Path) -> None:
    """By digest, for results that have no folder of their own."""
    for one in inputs:
        if not (store / one.digest).exists():
            _copy(one, one.path, store / one.digest)


def kept(result: Path, have: Digests) -> Origin:
    """Copies that belong to a result: beside it, or beside the cells/ that it is in."""
    stores = [folder / FOLDER for folder in result.absolute().parents[:3]]
    full = [s for s in stores if all((s / d).exists() for d in have.values())]
    return Origin((full or stores)[0], have)
