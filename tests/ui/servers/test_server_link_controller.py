"""Servers that are typed, pasted or opened by a link."""

import socket
from typing import Any

import pytest
from a2s_samples import a2s_info
from loopback_servers import Handler, serving
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from window_helpers import AppDriver, OpenApp

from browser_app.application.poll_session import favourite_targets
from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.engine.query import scanner
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.protocols.a2s.a2s_server import encode_info, parse_a2s_request
from browser_app.protocols.address import Address
from browser_app.protocols.server_link import parse_server_text
from browser_app.storage.setting_declarations import QUERY_ON_REQUEST
from browser_app.storage.user_lists.alert_store import AlertKind, ServerAlert
from browser_app.storage.user_lists.server_list_store import BlockEntry, BlockKind, Favourite
from browser_app.ui.lists.alerts_controller import AlertsController
from browser_app.ui.servers.server_link_dialogs import AddServerDialog, ServerLinkDialog
from browser_app.ui.window_shortcuts import SKILL_VIEW

SILENT_ADDRESS = Address("127.0.0.1", 9)


def _answering(name: str) -> Handler:
    def answer(datagram: bytes) -> tuple[bytes]:
        parse_a2s_request(datagram)
        return (encode_info(a2s_info(name=name)),)

    return answer


def _selected(app: AppDriver) -> str:
    return app.catalogue.name[app.table.selected_server()]


def _address_dialog(app: AppDriver) -> AddServerDialog:
    dialog = app.window.link_controller.dialog
    assert isinstance(dialog, AddServerDialog)
    return dialog


def _link_dialog(app: AppDriver) -> ServerLinkDialog:
    dialog = app.window.link_controller.dialog
    assert isinstance(dialog, ServerLinkDialog)
    return dialog


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def test_typed_address_becomes_favourite(app: AppDriver) -> None:
    with serving(_answering("Manual entry")) as (address,):
        app.press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
        dialog = _address_dialog(app)
        app.bot.keyClicks(dialog.field, str(address))
        app.bot.keyClick(dialog.field, Qt.Key.Key_Return)
        app.wait(lambda: app.catalogue.row_of(address) is not None)
    assert _selected(app) == "Manual entry"
    server = app.catalogue.row_of(address)
    assert server is not None
    assert app.catalogue.favourite[server]
    assert "“Manual entry” added" in app.window.status_bar.shown_texts()
    assert address in app.program.storage.favourites


def test_invalid_address_cannot_be_added(app: AppDriver) -> None:
    app.press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    dialog = _address_dialog(app)
    app.bot.keyClicks(dialog.field, "192.0.2.7")
    assert "port" in dialog.message_label.text()
    assert not dialog.confirm_button.isEnabled()
    app.bot.keyClicks(dialog.field, ":27015")
    assert dialog.confirm_button.isEnabled()
    app.bot.keyClick(dialog, Qt.Key.Key_Escape)
    assert app.window.link_controller.dialog is None


def test_paste_opens_dialog(app: AppDriver) -> None:
    _copy("connect 192.0.2.7:27015; password hush\n")
    app.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    dialog = _address_dialog(app)
    assert dialog.field.text().startswith("connect 192.0.2.7")
    assert "next join only" in dialog.message_label.text()
    app.bot.keyClick(dialog, Qt.Key.Key_Escape)


def test_link_password_is_used_once(app: AppDriver) -> None:
    with serving(_answering("Locked")) as (address,):
        app.window.link_controller.open_links([f"steam://connect/{address}/hush"])
        app.wait(_link_dialog(app).join_button.isEnabled)
    _link_dialog(app).close()
    server = app.table.selected_server()
    assert app.window.join_controller.passwords.pop_link_password(server) == "hush"
    assert app.window.join_controller.passwords.pop_link_password(server) is None
    assert not app.catalogue.password_saved[server]


def test_pasting_other_text_adds_nothing(app: AppDriver) -> None:
    _copy("not an address")
    app.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert app.window.link_controller.dialog is None
    assert any("clipboard" in text for text in app.window.status_bar.shown_texts())


def test_pasting_into_filter_field(app: AppDriver) -> None:
    _copy("192.0.2.7:27015")
    app.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    app.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert app.window.link_controller.dialog is None
    assert app.window.filter_field.text() == "192.0.2.7:27015"


def test_unresponsive_server_is_added(app: AppDriver) -> None:
    app.window.link_controller.ask_for_address(f"quake3://{SILENT_ADDRESS}")
    app.bot.mouseClick(_address_dialog(app).confirm_button, Qt.MouseButton.LeftButton)
    app.wait(lambda: any("does not answer; added" in text for text in app.window.status_bar.shown_texts()))
    server = app.catalogue.row_of(SILENT_ADDRESS)
    assert server is not None
    assert app.table.selected_server() == server
    assert app.catalogue.favourite[server]


@pytest.fixture
def name_server(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The known host names and their addresses.

    At first none is known, and "offline.example" cannot be looked up.
    """
    known: dict[str, str] = {}
    look_up = socket.getaddrinfo

    def answer(host: str, *arguments: Any, **options: Any) -> Any:
        if host.endswith(".example") and host not in known:
            raise socket.gaierror(socket.EAI_AGAIN if host == "offline.example" else socket.EAI_NONAME, "not found")
        return look_up(known.get(host, host), *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    return known


def add_address(app: AppDriver, text: str) -> None:
    app.window.link_controller.ask_for_address(text)
    _address_dialog(app).confirm_button.click()


def test_unknown_host_is_found_later(app: AppDriver, name_server: dict[str, str]) -> None:
    with serving(_answering("Back online")) as (address,):
        add_address(app, f"a2s://games.example:{address.port}")
        app.wait(
            lambda: any(
                f"games.example:{address.port}: Unknown host." in text for text in app.window.status_bar.shown_texts()
            )
        )
        app.refresh()
        app.wait(lambda: not app.program.backend.server_search._searches)
        assert app.catalogue.row_of(address) is None
        name_server["games.example"] = address.host
        app.refresh()
        app.wait(lambda: app.catalogue.row_of(address) is not None)
    assert address in app.program.storage.favourites
    assert not list(app.program.storage.pending_servers)


def test_refresh_is_a_request_for_added_servers(app: AppDriver, name_server: dict[str, str]) -> None:
    app.program.settings.set(QUERY_ON_REQUEST, True)
    with serving(_answering("Back online")) as (address,):
        add_address(app, f"a2s://games.example:{address.port}")
        app.wait(lambda: not app.program.backend.server_search._searches)
        name_server["games.example"] = address.host
        app.refresh()
        assert not app.program.backend.server_search._searches, "a refresh that nobody asked for"
        app.rest()
        app.window.refresh_controller.refresh()
        app.wait(lambda: address in app.program.storage.favourites)
    assert not list(app.program.storage.pending_servers)


def test_favourite_named_by_host_is_looked_up(app: AppDriver, name_server: dict[str, str]) -> None:
    favourites, user_lists = app.program.storage.favourites, app.program.backend.user_lists
    with serving(_answering("Behind a name")) as (address,):
        named = Address("games.example", address.port)
        favourites.add(Favourite(named, "Ours", 1.0, "a2s"))
        user_lists.apply_import()
        app.refresh()
        assert named in favourites
        name_server["games.example"] = address.host
        app.refresh()
        app.wait(lambda: address in favourites)
    assert named not in favourites
    (kept,) = (each for each in favourites if each.address == address)
    assert (kept.name, kept.added_at, kept.host_name) == ("Ours", 1.0, "games.example")
    assert [target.host_name for target in favourite_targets([kept])] == ["games.example"]


def test_reason_is_unknown_host_or_name_server(app: AppDriver, name_server: dict[str, str]) -> None:
    assert not name_server
    reasons = {"typo.example": "unknown host", "offline.example": "no connection to a name server"}
    for host in reasons:
        app.program.storage.favourites.add(Favourite(Address(host, 27015), host, 1.0, "a2s"))
    app.program.backend.user_lists.apply_import()
    rows = [app.catalogue.row_of(Address(host, 27015)) for host in reasons]
    for row in rows:
        assert row is not None
        app.window.server_list.query(row)
    app.wait(lambda: [app.catalogue.query_error(row) for row in rows if row is not None] == [*reasons.values()])


def test_favourite_follows_its_host_name(
    app: AppDriver, name_server: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanner, "QueryTiming", lambda: QueryTiming(waits_s=(0.3,), late_reply_wait_s=0.3))
    favourites, user_lists = app.program.storage.favourites, app.program.backend.user_lists
    with serving(_answering("Moved"), hosts=["127.0.0.2"]) as (address,):
        gone = Address("127.0.0.1", address.port)
        name_server["games.example"] = gone.host
        favourites.add(Favourite(gone, "Ours", 1.0, "a2s", host_name="games.example"))
        user_lists.apply_import()
        app.refresh()
        assert gone in favourites
        name_server["games.example"] = address.host
        app.refresh()
        app.wait(lambda: address in favourites)
    assert [(each.address, each.name, each.host_name) for each in favourites] == [(address, "Ours", "games.example")]


def test_server_not_found_can_be_removed(app: AppDriver, name_server: dict[str, str]) -> None:
    assert not name_server
    for host in ("typo.example", "offline.example"):
        add_address(app, f"a2s://{host}:1")
    app.wait(lambda: not app.program.backend.server_search._searches)
    app.window.link_controller.ask_for_address()
    panel = _address_dialog(app).pending_panel
    items = [item for row in range(2) if (item := panel.tree.topLevelItem(row)) is not None]
    assert [(item.text(0), item.text(1)) for item in items] == [
        ("typo.example:1", "Unknown host"),
        ("offline.example:1", "No connection to a name server"),
    ]
    assert not panel.remove_button.isEnabled()
    panel.tree.setCurrentItem(items[0])
    app.bot.mouseClick(panel.remove_button, Qt.MouseButton.LeftButton)
    assert [str(each.link.address) for each in app.program.storage.pending_servers] == ["offline.example:1"]
    panel.tree.selectAll()
    app.bot.mouseClick(panel.remove_button, Qt.MouseButton.LeftButton)
    assert not list(app.program.storage.pending_servers)
    assert panel.isHidden()


def test_added_server_is_found_after_restart(open_app: OpenApp) -> None:
    with serving(_answering("Asked at the end")) as (address,):
        first = open_app()
        add_address(first, f"a2s://{address}")
        first.end()
        second = open_app(scanned=False)
        second.wait(lambda: second.catalogue.row_of(address) is not None)
        second.wait(lambda: address in second.program.storage.favourites)
        second.scanned()


def test_several_servers_at_once(app: AppDriver) -> None:
    others = [Address("127.0.0.1", port) for port in (7, 9)]
    for address in others:
        app.window.link_controller.ask_for_address(f"quake3://{address}")
        _address_dialog(app).confirm_button.click()
    app.window.link_controller.open_links([f"quake3://{SILENT_ADDRESS.host}:11"])
    app.wait(lambda: all(app.catalogue.row_of(address) is not None for address in others))
    assert all(address in app.program.storage.favourites for address in others)


def test_closed_dialog_adds_nothing(app: AppDriver) -> None:
    address = Address("127.0.0.1", 11)
    app.window.link_controller.open_links([f"quake3://{address}"])
    _link_dialog(app).close()
    app.wait(lambda: not app.program.backend.server_search._searches)
    assert app.catalogue.row_of(address) is None


def test_link_shows_server_without_joining(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    joined: list[int] = []
    app.window.link_controller.join_requested.connect(joined.append)
    monkeypatch.setattr(app.window.join_controller, "join", joined.append)
    with serving(_answering("Linked")) as (address,):
        app.window.link_controller.open_links([f"readyroom://join?server=a2s://{address}"])
        dialog = _link_dialog(app)
        assert not dialog.join_button.isEnabled()
        app.wait(dialog.join_button.isEnabled)
    assert dialog.name_label.text() == "Linked"
    assert _selected(app) == "Linked"
    app.bot.keyClick(dialog, Qt.Key.Key_Return)
    assert joined == []
    assert not dialog.isVisible() or dialog.result() == 0


def test_link_dialog_joins(app: AppDriver) -> None:
    joined: list[int] = []
    app.window.link_controller.join_requested.disconnect()
    app.window.link_controller.join_requested.connect(joined.append)
    with serving(_answering("Linked")) as (address,):
        app.window.link_controller.open_links([f"readyroom://join?server=a2s://{address}"])
        dialog = _link_dialog(app)
        app.wait(dialog.join_button.isEnabled)
        app.bot.mouseClick(dialog.join_button, Qt.MouseButton.LeftButton)
    assert joined == [app.catalogue.row_of(address)]


def test_bad_link_is_refused(app: AppDriver) -> None:
    app.window.link_controller.open_links(["readyroom://join?server=a2s://127.0.0.1:1&exec=rm"])
    assert app.window.link_controller.dialog is None
    assert any("Link refused: unknown: exec" in text for text in app.window.status_bar.shown_texts())


def test_shows_server_hidden_by_filter(app: AppDriver) -> None:
    app.filter("name:nobody-has-this-name")
    with serving(_answering("Behind the filter")) as (address,):
        app.window.link_controller.open_links([f"a2s://{address}"])
        app.wait(_link_dialog(app).join_button.isEnabled)
    assert _selected(app) == "Behind the filter"
    _link_dialog(app).close()


def test_second_start_raises_window(app: AppDriver) -> None:
    app.window.showMinimized()
    app.program.open_urls([f"a2s://{SILENT_ADDRESS}"], "")
    assert not app.window.isMinimized()
    _link_dialog(app).close()


def test_copied_link_names_server(app: AppDriver) -> None:
    server = app.table.selected_server()
    app.window.servers_view.server_menu.copy_link(server)
    link = parse_server_text(QGuiApplication.clipboard().text())
    assert (link.protocol, link.address) == (
        app.catalogue.targets[server].protocol,
        app.catalogue.targets[server].address,
    )
    app.catalogue.targets[server] = app.catalogue.targets[server]._replace(host_name="play.example.org")
    app.window.servers_view.server_menu.copy_link(server)
    assert parse_server_text(QGuiApplication.clipboard().text()).address == ("play.example.org", link.address.port)


def test_server_known_by_name_is_found_when_queried(app: AppDriver, name_server: dict[str, str]) -> None:
    with serving(_answering("Behind a name")) as (address,):
        named = QueryTarget(Address("games.example", address.port), "a2s", None)
        (server,) = app.catalogue.rows.add([named]).tolist()
        app.live.query(server)
        app.wait(lambda: app.catalogue.status[server] == QueryStatus.NO_ANSWER)
        name_server["games.example"] = address.host
        app.live.query(server)
        app.wait(lambda: app.catalogue.name[server] == "Behind a name")
    assert app.catalogue.targets[server].address == address
    assert app.catalogue.targets[server].named_address == named.address


def _alerted_servers(alerts: AlertsController) -> list[str]:
    """Return the servers in the dialog with all alerts."""
    assert alerts.dialog is not None
    tree = alerts.dialog.tree
    return [item.text(0) for row in range(tree.topLevelItemCount()) if (item := tree.topLevelItem(row)) is not None]


def test_entries_follow_server_found_by_name(app: AppDriver) -> None:
    storage = app.program.storage
    with serving(_answering("Noted")) as (address,):
        named = QueryTarget(Address("localhost", address.port), "a2s", None)
        former = Address("192.0.2.7", address.port)
        server, silent = app.catalogue.rows.add([named, named._replace(address=former, host_name="localhost")]).tolist()
        app.catalogue.status[silent] = QueryStatus.NO_ANSWER
        storage.notes.set(named.address, "by name")
        storage.notes.set(former, "at the former address")
        storage.corrected_countries.set(named.address, "DE")
        storage.launch_arguments.set(named.address, "-nosound")
        storage.alerts.set(ServerAlert(named.address, AlertKind.SLOT, 0, "", 1.0))
        storage.blocked.add(BlockKind.ADDRESS, str(named.address), 2.0)
        app.catalogue.set_user_lists(storage.collect_user_lists(0.0))
        alerts = app.window.user_lists_controller.alerts_controller
        alerts.open_dialog()
        assert _alerted_servers(alerts) == [str(named.address)]
        app.live.query(server)
        app.wait(lambda: bool(storage.notes.get(address)))
    assert _alerted_servers(alerts) == ["Noted"]
    assert storage.notes.all() == {address: "by name\n\nat the former address"}
    assert storage.corrected_countries.all() == {address: "DE"}
    assert storage.launch_arguments.all() == {address: "-nosound"}
    assert [*storage.alerts] == [ServerAlert(address, AlertKind.SLOT, 0, "", 1.0)]
    assert [*storage.blocked] == [BlockEntry(BlockKind.ADDRESS, str(address), 2.0)]
    assert app.catalogue.blocked[server]


def test_selection_follows_server_with_two_rows(app: AppDriver) -> None:
    with serving(_answering("Listed twice")) as (address,):
        target = QueryTarget(address, "a2s", None)
        named = target._replace(address=Address("localhost", address.port))
        (known, server) = app.catalogue.rows.add([target, named]).tolist()
        app.window.show_server(server)
        app.window.view_switch.setCurrentIndex(SKILL_VIEW)
        app.wait(lambda: _selected(app) == "Listed twice")
        assert app.table.selected_server() == known
        assert app.window.view_switch.currentIndex() == SKILL_VIEW
        app.refresh()
        app.wait(lambda: app.catalogue.row_of(named.address) == known)
