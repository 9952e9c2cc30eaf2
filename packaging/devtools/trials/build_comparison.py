"""Comparison of two builds of the same packages."""

import tarfile
from collections.abc import Sequence
from pathlib import Path

from devtools.setup_messages import SetupError


def compare_builds(files: Sequence[Path], other_files: Sequence[Path]) -> None:
    """Compare packages in their order.

    Raises:
        SetupError: names or bytes differ; for an archive, with the first members that do.
    """
    if [path.name for path in files] != [path.name for path in other_files]:
        raise SetupError(f"Two builds made different files: {files} and {other_files}")
    for file, other_file in zip(files, other_files, strict=True):
        if file.read_bytes() != other_file.read_bytes():
            raise SetupError(f"Two builds of {file.name} differ{_describe_difference(file, other_file)}.")


def _describe_difference(file: Path, other_file: Path, max_named: int = 5) -> str:
    if not tarfile.is_tarfile(file):
        return ""
    with tarfile.open(file) as archive, tarfile.open(other_file) as other_archive:
        other_members = {member.name: member for member in other_archive.getmembers()}
        differing = [
            member.name
            for member in archive.getmembers()
            if (other := other_members.get(member.name)) is None
            or member.get_info() != other.get_info()
            or (member.isreg() and _read_member(archive, member) != _read_member(other_archive, other))
        ]
    return f" in {', '.join(differing[:max_named])}" if differing else " in how they are packed"


def _read_member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    content = archive.extractfile(member)
    return content.read() if content else b""
