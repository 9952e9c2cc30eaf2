"""Another user already occupies the place of the program's socket."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from browser_app.bridge.single_instance import SingleInstance

pytestmark = pytest.mark.posix


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"


@pytest.fixture
def instance(folder: Path, tmp_path: Path, qapp: QApplication) -> Iterator[SingleInstance]:
    instance = SingleInstance(folder, tmp_path / "data")
    yield instance
    instance.close()


def test_folder_link_not_followed(instance: SingleInstance, folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    folder.symlink_to(elsewhere)
    assert not instance.send_to_running_instance(["readyroom://join?server=a2s://192.0.2.7:27015"])
    assert list(elsewhere.iterdir()) == []
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o755


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give a folder away")
def test_foreign_folder_is_not_used(instance: SingleInstance, folder: Path) -> None:
    folder.mkdir(mode=0o777)
    os.chown(folder, 65534, 65534)
    assert not instance.send_to_running_instance([])
    assert list(folder.iterdir()) == []


def test_socket_link_is_harmless(instance: SingleInstance, folder: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter"
    letter.write_text("keep me")
    folder.mkdir()
    Path(instance._name).symlink_to(letter)
    assert not instance.send_to_running_instance([])
    assert letter.read_text() == "keep me"
    assert stat.S_ISSOCK(Path(instance._name).lstat().st_mode)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
