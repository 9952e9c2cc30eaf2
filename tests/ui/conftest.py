"""A network and a way to open the program over it, for tests of the whole window; a theme for those of its parts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_rig import OpenRoom, Room, open_rooms, small_network

from browser_app.demo.demo_network import DemoNetwork
from browser_app.storage.importers import server_list_files
from browser_app.ui.widgets.theme import Theme


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the program looks for the files of games, in place of the one of whoever runs the tests."""
    folder = tmp_path / "user"
    possible_files = server_list_files.possible_list_files
    monkeypatch.setattr(server_list_files, "possible_list_files", lambda *_: possible_files("linux", folder, {}))
    return folder


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The light one, for parts that are tested without their window."""
    theme = Theme(qapp, "light")
    yield theme
    theme.deleteLater()


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    """One network for the tests of a module; whoever changes it makes an own one."""
    with small_network() as network:
        yield network


@pytest.fixture
def open_room(qtbot: QtBot, qapp: QApplication, network: DemoNetwork) -> Iterator[OpenRoom]:
    """Opens the program, as often as wanted, in one home folder."""
    with open_rooms(qtbot, qapp, network) as open_room:
        yield open_room


@pytest.fixture
def room(open_room: OpenRoom) -> Room:
    """The program after its first scan."""
    return open_room()
