"""The program with one server."""

from collections.abc import Iterator

import pytest
from join_helpers import FakeArenaServer, open_app_with
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver

from browser_app.ui.play import join_controller


@pytest.fixture
def arena() -> FakeArenaServer:
    """Return a server that is not full."""
    return FakeArenaServer("Arena")


@pytest.fixture
def app(
    qtbot: QtBot, qapp: QApplication, arena: FakeArenaServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AppDriver]:
    """The program with one server that is always queried again before a start."""
    monkeypatch.setattr(join_controller, "JOIN_ANSWER_MAX_AGE_S", 0.0)
    with open_app_with(qtbot, qapp, arena) as app:
        yield app
