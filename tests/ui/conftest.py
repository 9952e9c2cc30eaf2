"""A network and a way to open the program over it, for the tests of the whole window."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_rig import OpenRoom, Room, open_rooms, small_network

from browser_app.demo.network import DemoNetwork


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
