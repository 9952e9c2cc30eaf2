"""Comparison of two builds."""

import tarfile
from collections.abc import Sequence
from pathlib import Path

from devtools.errors import SetupError


def compare(first: Sequence[Path], second: Sequence[Path]) -> None:
    """Compare packages in their order.

    Raises:
        SetupError: names or bytes differ; for an archive, with the first members that do.
    """
    if [path.name for path in first] != [path.name for path in second]:
        raise SetupError(f"Two builds made different files: {first} and {second}")
    for one, other in zip(first, second, strict=True):
        if one.read_bytes() != other.read_bytes():
            raise SetupError(f"Two builds of {one.name} differ{_where(one, other)}.")


def _where(one: Path, other: Path, most: int = 5) -> str:
    if not tarfile.is_tarfile(one):
        return ""
    with tarfile.open(one) as first, tarfile.open(other) as second:
        members, others = first.getmembers(), {each.name: each for each in second.getmembers()}
        apart = [
            each.name
            for each in members
            if each.name not in others
            or each.get_info() != others[each.name].get_info()
            or (each.isreg() and _content(first, each) != _content(second, others[each.name]))
        ]
    return f" in {', '.join(apart[:most])}" if apart else " in how they are packed"


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    packed = archive.extractfile(member)
    return packed.read() if packed else b""
