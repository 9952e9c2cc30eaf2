"""A master that is switched off: its servers leave the list.

A server that the user has selected stays.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from loopback_servers import quake3, serving, silent
from measurements import TIMES
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_helpers import GAMES, AppDriver

from browser_app.catalogue.server_info import QueryStatus
from browser_app.engine.query import scanner
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.paths import user_paths
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import AUTOMATIC_REFRESH, DISABLED_MASTERS, EXTRA_MASTERS, PLAYED_GAMES
from browser_app.storage.settings_store import Settings
from browser_app.storage.user_lists.alert_store import AlertKind, ServerAlert
from browser_app.ui.servers.server_order import HoldReason


@pytest.fixture
def addresses() -> Iterator[tuple[Address, ...]]:
    """Two servers that answer and one that does not."""
    with serving(quake3(sv_hostname="One"), quake3(sv_hostname="Two"), silent) as addresses:
        yield addresses


@pytest.fixture
def app(
    qtbot: QtBot,
    qapp: QApplication,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    addresses: tuple[Address, ...],
) -> Iterator[AppDriver]:
    """A program whose only masters are two lists.

    One has all servers, the other the first one.
    """
    monkeypatch.setattr(scanner, "QueryTiming", lambda: QueryTiming(waits_s=(0.3,), late_reply_wait_s=0.3))
    urls = []
    for name, listed in (("all", addresses), ("first", addresses[:1])):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps({"servers": [f"quake3://{address}" for address in listed]}))
        urls.append(f"file:{file}")
    settings = Settings(user_paths().settings)
    settings.set(AUTOMATIC_REFRESH, False)
    settings.set(PLAYED_GAMES, ("openarena",))
    settings.set(DISABLED_MASTERS, tuple(GAMES["openarena"].masters))
    settings.set(EXTRA_MASTERS, tuple(urls))
    with AppDriver(qtbot, qapp) as app:
        app.open()
        app.scanned()
        for _ in range(TIMES):  # a busy machine's servers may answer too late
            if np.count_nonzero(app.catalogue.status == QueryStatus.OK) == 2:
                break
            app.refresh()
        yield app


def test_servers_of_switched_off_master_leave(app: AppDriver, addresses: tuple[Address, ...]) -> None:
    one, two, dead = (app.catalogue.row_of(each) for each in addresses)
    assert one is not None
    assert two is not None
    assert dead is not None
    settings, url = app.program.settings, app.program.settings.get(EXTRA_MASTERS)[0]
    app.table.select_server(two)
    assert app.table.selected_server() == two
    settings.set(DISABLED_MASTERS, (*settings.get(DISABLED_MASTERS), url))
    app.wait(lambda: app.catalogue.row_of(addresses[2]) is None)
    assert set(app.servers()) == {one, two}  # the selected one stays for now
    assert app.window.servers_view.list_status_controller.situation().known_count == 2
    app.table.select_server(one)
    app.refresh()
    assert app.servers() == [one]
    app.rest()
    settings.set(DISABLED_MASTERS, settings.get(DISABLED_MASTERS)[:-1])
    app.wait(lambda: app.catalogue.row_of(addresses[1]) is not None)


def test_held_list_keeps_its_rows(app: AppDriver, addresses: tuple[Address, ...]) -> None:
    selected, watched = (app.catalogue.row_of(addresses[place]) for place in (0, 2))
    assert selected is not None
    assert watched is not None
    notes = app.window.user_lists_controller.notes_controller
    app.program.storage.alerts.set(ServerAlert(addresses[2], AlertKind.SLOT, 0, "", 0.0))
    notes.alerts_changed.emit()
    app.table.select_server(selected)
    shown, urls = app.servers(), app.program.settings.get(EXTRA_MASTERS)
    app.window.servers_view.server_order.set_hold(HoldReason.PAUSED, True)
    app.program.settings.set(EXTRA_MASTERS, urls[1:])
    app.wait(lambda: len(app.program.backend.query_service.selected.sources.masters) == 1)
    app.wait(lambda: not app.live.is_running and not app.live.listing_updater.is_running)
    app.refresh()
    assert app.servers() == shown
    assert {str(app.catalogue.targets[server].address) for server in shown} >= {str(each) for each in addresses[:2]}
    app.window.servers_view.server_order.set_hold(HoldReason.PAUSED, False)
    app.refresh()
    assert [app.catalogue.row_of(each) for each in addresses] == [selected, None, watched]
    app.program.storage.alerts.remove(addresses[2], AlertKind.SLOT)
    notes.alerts_changed.emit()
    app.refresh()
    assert [app.catalogue.row_of(each) for each in addresses] == [selected, None, None]
    assert app.servers() == [selected]
