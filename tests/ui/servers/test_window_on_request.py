"""Servers queried on request only: no packet leaves before the user asks."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver, OpenApp, open_apps, small_network

from browser_app.bridge.list_refresher import ListRefresher
from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.demo.demo_network import DemoNetwork
from browser_app.storage.setting_declarations import NOTIFY_OF_FRIENDS, QUERY_ON_REQUEST
from browser_app.storage.user_lists.alert_store import AlertKind, ServerAlert
from browser_app.storage.user_lists.server_list_store import Favourite
from browser_app.ui.lists.server_list_membership import ALL_LIST, LAN_LIST
from browser_app.ui.servers.server_link_dialogs import ServerLinkDialog


@pytest.fixture
def network() -> Iterator[DemoNetwork]:
    with small_network() as network:
        yield network


@pytest.fixture
def app(qtbot: QtBot, qapp: QApplication, network: DemoNetwork) -> Iterator[AppDriver]:
    """A window that has polled its master servers, with the setting on."""
    with open_apps(qtbot, qapp, network) as open_app:
        yield open_on_request(open_app, network)


def open_on_request(open_app: OpenApp, network: DemoNetwork) -> AppDriver:
    app = open_app(*(f"--master={url}" for url in network.sources.masters), shown=False)
    app.program.settings.set(QUERY_ON_REQUEST, True)
    app.program.settings.set(NOTIFY_OF_FRIENDS, True)
    target = QueryTarget(network.servers[0].address, network.servers[0].state.game.protocol, None)
    app.program.storage.favourites.add(Favourite(target.address, "Ours", 1.0, target.protocol))
    app.program.storage.alerts.set(ServerAlert(target.address, AlertKind.SLOT, 0, "Ours", 1.0))
    app.open()
    app.scanned()
    app.settle()
    return app


def queried_hosts(app: AppDriver) -> list[str]:
    """Return the hosts of game servers that this window has sent to.

    Servers count requests of other test runs as well, whose networks had their addresses before.
    """
    return list(app.program.backend.scanner.host_budget._sent_ns)


def has_polled_masters(refresher: ListRefresher) -> bool:
    refresher.tick()
    return refresher._master_poll is None


def test_nothing_is_sent_without_request(app: AppDriver, network: DemoNetwork) -> None:
    backend, view = app.program.backend, app.window.servers_view
    assert {target.address for target in app.catalogue.targets} == {server.address for server in network.servers}
    assert (app.catalogue.status == QueryStatus.NEVER_QUERIED).all()
    assert view.inspector_controller.server >= 0, "one is selected, but not by the user"
    backend.user_lists.apply_import()
    alerts = app.window.user_lists_controller.alerts_controller
    alerts.refresh_monitors()
    alerts._alert_monitor.query_watched_servers()
    alerts._player_monitor.query_likely_servers()
    for url in network.sources.masters:
        backend.list_refresher.poll_master(url)
    app.wait(lambda: has_polled_masters(backend.list_refresher))
    view.sidebar.select_list(LAN_LIST)
    view.sidebar.select_list(ALL_LIST)
    app.program._on_wake_up(60.0)
    app.scanned()
    for _tick in range(3):
        backend.list_refresher.tick()
    app.bot.wait(400)  # longer than the inspector waits before it queries a selected server
    assert not backend.lan_search.is_running
    assert queried_hosts(app) == []
    assert "Servers are queried on request only" in app.window.status_bar.shown_texts()


def test_link_sends_nothing_before_confirmation(app: AppDriver) -> None:
    target = app.catalogue.targets[app.servers()[-1]]
    app.window.link_controller.open_links([f"readyroom://join?server={target.protocol}://{target.address}"])
    dialog = app.window.link_controller.dialog
    assert isinstance(dialog, ServerLinkDialog)
    assert dialog.focusWidget() is dialog.close_button
    app.wait(lambda: not app.program.backend.server_search._searches)
    assert (queried_hosts(app), dialog.join_button.isEnabled()) == ([], False)
    app.bot.mouseClick(dialog.query_button, Qt.MouseButton.LeftButton)
    app.wait(dialog.join_button.isEnabled)
    assert dialog.query_button.isHidden()
    assert queried_hosts(app) == [target.address.host]
    dialog.close()


def test_selected_server_alone_is_queried(app: AppDriver, network: DemoNetwork) -> None:
    app.table.setFocus()
    app.press(Qt.Key.Key_Down)
    server = app.table.selected_server()
    app.wait(lambda: app.catalogue.status[server] == QueryStatus.OK)
    assert set(network.request_counts()) == {str(app.catalogue.targets[server].address)}


def test_click_queries_server_selected_before(app: AppDriver, network: DemoNetwork) -> None:
    server = app.table.selected_server()
    app.click(app.servers().index(server), "name")
    app.wait(lambda: app.catalogue.status[server] == QueryStatus.OK)
    assert set(network.request_counts()) == {str(app.catalogue.targets[server].address)}


def test_refresh_queries_servers_on_screen(app: AppDriver, network: DemoNetwork) -> None:
    wanted = [str(app.catalogue.targets[server].address) for server in app.servers()[:3]]
    app.filter(f"address:{','.join(wanted)}")
    app.wait(lambda: app.model.rowCount() < len(app.catalogue))
    shown = {str(app.catalogue.targets[server].address) for server in app.servers()}
    app.rest()
    app.window.refresh_controller.refresh()
    app.scanned()
    assert set(network.request_counts()) == shown


def test_play_now_queries_one_candidate(app: AppDriver, network: DemoNetwork) -> None:
    app.rest()
    app.window.refresh_controller.refresh()
    app.scanned()
    app.live.rescore()
    before = network.request_counts()
    runner = app.program.backend.play_now
    with app.bot.waitSignal(runner.run_finished):
        runner.start(app.program.backend.scoring.play_options())
    after = network.request_counts()
    assert len([address for address in after if after[address] > before[address]]) == 1
