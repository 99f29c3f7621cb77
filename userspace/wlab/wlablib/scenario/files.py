# SPDX-License-Identifier: GPL-2.0
"""The files that a scenario reads: where they are, their digests, and copies of them."""

import hashlib
import os
import shutil
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from ..lib.files import replacing
from ..lib.paths import LabError
from ..lib.units import BadValue

# The folder with these files in a job, a result and a sweep.
FOLDER = "files"
SIZE_MAX = 4 << 30
# Appended to the digest of an executable file.
EXECUTABLE = "+x"

Digests = dict[str, str]


@dataclass(frozen=True)
class Input:
    """A file of a run: its name there, its path and its digest."""

    name: str
    path: Path
    digest: str


@lru_cache(maxsize=4096)
def _sha256(path: Path, _: tuple[int, ...]) -> str:
    with path.open("rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


def digest_of(path: Path) -> str:
    """The digest of a file's contents, marked if it is executable; computed again only after a change."""
    st = path.stat()
    if not stat.S_ISREG(st.st_mode):
        raise BadValue(f"{path} is not a file")
    if st.st_size > SIZE_MAX:
        raise BadValue(f"{path} is larger than {SIZE_MAX >> 30} GiB; a run has a copy of each of its files")
    version = (st.st_ino, st.st_size, st.st_mtime_ns, st.st_ctime_ns)
    return _sha256(path, version) + (EXECUTABLE if st.st_mode & 0o100 else "")


def name_of(path_text: str) -> str:
    """The name of a file in a run: its path in the scenario, or its last part if outside the folder."""
    path = PurePosixPath(os.path.normpath(path_text))
    name = path.name if path.is_absolute() or ".." in path.parts else str(path)
    if name in ("", ".", ".."):
        raise BadValue(f"'{path_text}' is not the name of a file")
    return name


@dataclass(frozen=True)
class Origin:
    """The folder to which names of files are relative; or a store of copies, named by their digests."""

    folder: Path
    digests: Digests | None = None

    def find(self, path_text: str) -> list[Input]:
        """Find a file, or all files below a folder."""
        name = name_of(path_text)
        if self.digests is not None:
            found = [Input(n, self.folder / d, d) for n, d in self.digests.items() if within(n, name)]
            for file in found:
                if name_of(file.name) != file.name:
                    raise BadValue(f"'{file.name}' is not the name of a copy")
                if not file.path.is_file():
                    raise BadValue(f"the copy of '{file.name}' is not there: {file.path}")
        elif (self.folder / path_text).is_dir() and name != os.path.normpath(path_text):
            raise BadValue(f"{self.folder / path_text} is a folder and not below that of the scenario")
        else:
            found = [Input(n, path, digest_of(path)) for n, path in walk(self.folder / path_text, name)]
        for file in found:
            if not file.name.isprintable():
                raise BadValue(f"{file.path} has a name that cannot be printed")
        if not found:
            raise BadValue(f"there is no file {self.folder / path_text}")
        return found


def within(name: str, above: str) -> bool:
    return name == above or name.startswith(f"{above}/")


def walk(path: Path, name: str) -> Iterable[tuple[str, Path]]:
    """(name, path) of a file, or of all files below a folder, in order."""
    if not path.is_dir():
        return [(name, path)] if path.exists() else []
    below = sorted(p for p in path.rglob("*") if not p.is_dir())
    return [(f"{name}/{p.relative_to(path)}", p) for p in below]


def find_all(
    wanted: list[tuple[str, str]], origin: Origin | None
) -> tuple[dict[str, Input], list[list[str]]]:
    """Find all (key, path) of a scenario: the files by name, and for each key the names of its files."""
    found: dict[str, Input] = {}
    names = []
    for where, path_text in wanted:
        if origin is None:
            raise LabError(f"{where}: a scenario without a file cannot name files")
        try:
            files = origin.find(path_text)
        except BadValue as e:
            raise LabError(f"{where}: {e}") from None
        except OSError as e:
            raise LabError(f"{where}: {e.filename or path_text}: {e.strerror}") from None
        for file in files:
            if found.setdefault(file.name, file).digest != file.digest:
                raise LabError(f"{where}: two files of the scenario would be '{file.name}' in a run")
        names.append([file.name for file in files])
    return found, names


def digests(inputs: Iterable[Input]) -> Digests:
    return {file.name: file.digest for file in sorted(inputs, key=lambda file: file.name)}


def _copy(file: Input, source: Path, to: Path) -> None:
    """Copy atomically, and refuse a file that no longer has the digest."""
    mode = 0o755 if file.digest.endswith(EXECUTABLE) else 0o644
    with source.open("rb") as f, replacing(to, mode, parents=True) as fresh:
        shutil.copyfileobj(f, fresh)
        fresh.flush()
        if digest_of(Path(fresh.name)) != file.digest:
            raise LabError(f"{source}: changed since the scenario was read")


def copy(inputs: Iterable[Input], to: Path, source: Path | None = None) -> None:
    """Copy files under their names; from `source`, a folder with these names, or from their own paths."""
    for file in inputs:
        _copy(file, source / file.name if source else file.path, to / file.name)


def keep(inputs: Iterable[Input], store: Path) -> None:
    """Copy files under their digests, for results without a folder of their own."""
    for file in inputs:
        if not (store / file.digest).exists():
            _copy(file, file.path, store / file.digest)


def kept(result: Path, wanted: Digests) -> Origin:
    """The store with a result's files: beside it, or beside the folder cells/ that contains it."""
    stores = [folder / FOLDER for folder in result.absolute().parents[:3]]
    complete = [s for s in stores if all((s / d).exists() for d in wanted.values())]
    return Origin((complete or stores)[0], wanted)
