"""Archives whose bytes depend only on names, contents and one timestamp."""

import gzip
import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

_PROGRAM_MODE, _FILE_MODE = 0o755, 0o644


def normalise_metadata(folder: Path, epoch: int) -> None:
    """Give all files of a folder one time, and permissions free of who created them."""
    for path in (folder, *iterate_entries(folder)):
        if not path.is_symlink():
            path.chmod(_mode(path))
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def iterate_entries(folder: Path) -> Iterator[Path]:
    """Yield everything in a folder, in an order that is equal on all systems."""
    yield from sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix())


def write_tar_gz(folder: Path, target: Path, epoch: int) -> None:
    """Pack a folder under its own name, owned by root."""
    with (
        target.open("wb") as file,
        gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=epoch) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.GNU_FORMAT) as archive,
    ):
        for path in (folder, *iterate_entries(folder)):
            entry = archive.gettarinfo(path, path.relative_to(folder.parent).as_posix())
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = epoch
            entry.mode = _mode(path)
            if entry.isreg():
                with path.open("rb") as content:
                    archive.addfile(entry, content)
            else:
                archive.addfile(entry)


def _mode(path: Path) -> int:
    if path.is_symlink():
        return 0o777
    return _PROGRAM_MODE if path.is_dir() or path.stat().st_mode & 0o100 else _FILE_MODE
