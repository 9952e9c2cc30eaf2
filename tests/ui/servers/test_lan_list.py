"""The list of the servers on the local network."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from window_helpers import OpenApp

from browser_app.bridge.server_search import LanSearch
from browser_app.engine.masters.master_poll import MasterPoll
from browser_app.ui.lists.server_list_membership import (
    LAN_LIST,
)


def test_lan_list_searches(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app()
    nearby = [app.catalogue.targets[server] for server in app.servers()[:2]]
    real = MasterPoll.__init__

    def answered(
        self: MasterPoll, _masters: object, on_targets: Callable[..., None], *, on_done: Callable[[], object]
    ) -> None:
        def done() -> None:
            on_targets(nearby)
            on_done()

        real(self, (), on_targets, on_done=done)

    monkeypatch.setattr(MasterPoll, "__init__", answered)
    app.window.servers_view.sidebar.select_list(LAN_LIST)
    assert app.window.servers_view.empty_page.shown_texts()[0] == "Searching the local network…"
    app.wait(lambda: len(app.servers()) == 2)
    assert {app.catalogue.targets[server] for server in app.servers()} == set(nearby)
    app.program.backend.lan_search.search_finished.emit([nearby[0]])  # the next search misses one
    assert {app.catalogue.targets[server] for server in app.servers()} == set(nearby)


def test_empty_lan_list_searches_again(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[int] = []

    def nobody(search: LanSearch) -> None:
        searches.append(1)
        search.search_finished.emit([])

    monkeypatch.setattr(LanSearch, "start", nobody)
    app = open_app()
    app.window.servers_view.sidebar.select_list(LAN_LIST)
    assert app.window.servers_view.empty_page.shown_texts()[0] == "No servers nearby"
    app.bot.mouseClick(app.window.servers_view.empty_page.action_button, Qt.MouseButton.LeftButton)
    assert len(searches) == 2
