"""Archives are reproducible, and differences between two are reported."""

import os
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from devtools.packages.reproducible_archive import normalise_metadata, write_tar_gz
from devtools.setup_messages import SetupError
from devtools.trials.build_comparison import compare_builds

EPOCH = 1_700_000_000
FILES = {"b/two": b"2" * 5000, "a": b"1", "b/c/three": b"3"}


def make_tree(folder: Path, order: Iterable[str], mask: int) -> Path:
    """Create the same files in some order and under some umask; return their folder.

    One is a program, one a link to it.
    """
    top = folder / "top"
    before = os.umask(mask)
    try:
        for name in order:
            path = top / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(FILES[name])
        (top / "a").chmod(0o700)
        (top / "link").symlink_to("a")
    finally:
        os.umask(before)
    return top


@pytest.mark.posix
def test_bytes_are_reproducible(tmp_path: Path) -> None:
    archives = []
    for number, (order, mask) in enumerate([(list(FILES), 0o022), (list(FILES)[::-1], 0o077)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        write_tar_gz(make_tree(folder, order, mask), folder / "tree.tar.gz", EPOCH)
        archives.append(folder / "tree.tar.gz")
    assert archives[0].read_bytes() == archives[1].read_bytes()
    compare_builds(archives[:1], archives[1:])


@pytest.mark.posix
def test_members_belong_to_root(tmp_path: Path) -> None:
    write_tar_gz(make_tree(tmp_path, FILES, 0o077), tmp_path / "tree.tar.gz", EPOCH)
    with tarfile.open(tmp_path / "tree.tar.gz") as archive:
        members = {each.name: each for each in archive}
    assert list(members) == ["top", "top/a", "top/b", "top/b/c", "top/b/c/three", "top/b/two", "top/link"]
    assert {(each.uid, each.gid, each.uname, each.mtime) for each in members.values()} == {(0, 0, "root", EPOCH)}
    modes = {name: each.mode for name, each in members.items() if not each.issym()}
    assert modes == {name: 0o644 if name[-3:] in ("ree", "two") else 0o755 for name in modes}
    assert members["top/link"].linkname == "a"


@pytest.mark.posix
def test_link_targets_are_kept(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"")
    os.utime(outside, (1, 1))
    top = make_tree(tmp_path, FILES, 0o077)
    (top / "away").symlink_to(outside)
    normalise_metadata(top, EPOCH)
    assert {path.lstat().st_mtime for path in (top, *top.rglob("*"))} == {EPOCH}
    assert outside.stat().st_mtime == 1
    assert (top / "a").stat().st_mode & 0o777 == 0o755
    assert (top / "b/two").stat().st_mode & 0o777 == 0o644


@pytest.mark.posix
def test_differences_are_named(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    for folder in (first, second):
        folder.mkdir()
        top = make_tree(folder, FILES, 0o022)
        (top / "a").write_bytes(folder.name.encode())
        write_tar_gz(top, folder / "tree.tar.gz", EPOCH)
    with pytest.raises(SetupError, match=r"tree\.tar\.gz differ in top/a\.$"):
        compare_builds([first / "tree.tar.gz"], [second / "tree.tar.gz"])
    with pytest.raises(SetupError, match="different files"):
        compare_builds([first / "tree.tar.gz"], [second / "other"])
