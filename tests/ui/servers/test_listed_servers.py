"""Servers that only lists describe: shown, joined and never asked."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from join_helpers import FakeArenaServer, game_on_path, open_app_with
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver

from browser_app.catalogue.list_descriptions import merge_descriptions
from browser_app.catalogue.server_info import DescribedServer, QueryTarget, ServerInfo
from browser_app.protocols.address import Address
from browser_app.protocols.server_code import code_address


@pytest.fixture
def app(qtbot: QtBot, qapp: QApplication) -> Iterator[AppDriver]:
    with open_app_with(qtbot, qapp, FakeArenaServer("Arena")) as app:
        yield app


def add_listed(app: AppDriver, game: str, address: Address, players: int = 8) -> int:
    """Add a server as a list describes it; return its row."""
    info = ServerInfo(game, "Listed", "", address, players, None, None, 8)
    target = QueryTarget(address, "listed", game)
    merge_descriptions(app.catalogue, [DescribedServer(target, info)], time.time())
    row = app.catalogue.row_of(address)
    assert row is not None
    return row


def test_join_asks_no_question(app: AppDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with game_on_path(tmp_path / "bin", monkeypatch, "openra-ra") as game:
        row = add_listed(app, "openra-ra", Address("192.0.2.7", 1234), players=2)
        app.window.join_controller.join(row)
        app.wait(lambda: game.was_started)
        assert game.arguments == ["Launch.Connect=192.0.2.7:1234"]
        assert app.window.join_controller.prompts.notification_bar.isHidden()


def test_details_wait_for_no_answer(app: AppDriver) -> None:
    row = add_listed(app, "northstar", code_address("northstar", "0123456789abcdef"))
    inspector = app.window.servers_view.inspector_controller
    app.table.select_server(row)
    inspector.show_server(row)
    app.settle()
    assert not inspector._is_querying
    assert app.catalogue.address[row] == "0123456789abcdef"


def test_waiting_for_its_slots_is_declined(app: AppDriver) -> None:
    row = add_listed(app, "beammp", Address("192.0.2.7", 30814))
    messages: list[str] = []
    app.window.join_controller.status_reported.connect(messages.append)
    app.window.join_controller.wait_for_slot(row)
    assert messages == ["“Listed” is known only from lists and is never queried"]
    assert app.window.join_controller.slot_wait.server == -1
