"""The stamp of an environment: whole or not there."""

from pathlib import Path

import pytest
from devtools import stamp


def written(folder: Path, **files: str) -> list[Path]:
    paths = [folder / name for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        path.write_text(text)
    return paths


def test_digest_tells_files_and_contents_apart(tmp_path: Path) -> None:
    first = stamp.digest(written(tmp_path, a="one", b="two"))
    assert first == stamp.digest(written(tmp_path, a="one", b="two"))
    assert first != stamp.digest(written(tmp_path, a="onet", b="wo"))
    assert first != stamp.digest(written(tmp_path, a="one", c="two"))


def test_finished_is_read_back(tmp_path: Path) -> None:
    stamp.begin(tmp_path)
    assert stamp.read_stamp(tmp_path) == {}
    stamp.finish(tmp_path, {"python": "3.11"})
    assert stamp.read_stamp(tmp_path) == {"python": "3.11"}
    assert [path.name for path in tmp_path.iterdir()] == ["ready-room.json"]


def test_invalid_during_changes(tmp_path: Path) -> None:
    stamp.begin(tmp_path)
    stamp.finish(tmp_path, {"python": "3.11"})
    stamp.begin(tmp_path)
    assert stamp.is_unfinished(tmp_path)
    assert stamp.read_stamp(tmp_path) == {}


@pytest.mark.parametrize("content", ["", "{", "[]", "\x00\xff"])
def test_damaged_stamp_is_no_stamp(tmp_path: Path, content: str) -> None:
    (tmp_path / "ready-room.json").write_text(content, encoding="latin-1")
    assert stamp.read_stamp(tmp_path) == {}
