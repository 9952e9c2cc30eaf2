"""The stamp of a virtual environment: complete or absent."""

from pathlib import Path

import pytest
from devtools import venv_stamp


def write_files(folder: Path, **files: str) -> list[Path]:
    paths = [folder / name for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        path.write_text(text)
    return paths


def test_hash_depends_on_names_and_contents(tmp_path: Path) -> None:
    first = venv_stamp.hash_files(write_files(tmp_path, a="one", b="two"))
    assert first == venv_stamp.hash_files(write_files(tmp_path, a="one", b="two"))
    assert first != venv_stamp.hash_files(write_files(tmp_path, a="onet", b="wo"))
    assert first != venv_stamp.hash_files(write_files(tmp_path, a="one", c="two"))


def test_finished_is_read_back(tmp_path: Path) -> None:
    venv_stamp.mark_unfinished(tmp_path)
    assert venv_stamp.read_stamp(tmp_path) == {}
    venv_stamp.write_stamp(tmp_path, {"python": "3.11"})
    assert venv_stamp.read_stamp(tmp_path) == {"python": "3.11"}
    assert [path.name for path in tmp_path.iterdir()] == ["ready-room.json"]


def test_invalid_during_changes(tmp_path: Path) -> None:
    venv_stamp.mark_unfinished(tmp_path)
    venv_stamp.write_stamp(tmp_path, {"python": "3.11"})
    venv_stamp.mark_unfinished(tmp_path)
    assert venv_stamp.is_unfinished(tmp_path)
    assert venv_stamp.read_stamp(tmp_path) == {}


@pytest.mark.parametrize("content", ["", "{", "[]", "\x00\xff"])
def test_damaged_stamp_is_ignored(tmp_path: Path, content: str) -> None:
    (tmp_path / "ready-room.json").write_text(content, encoding="latin-1")
    assert venv_stamp.read_stamp(tmp_path) == {}
