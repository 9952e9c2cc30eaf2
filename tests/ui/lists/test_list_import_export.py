"""Import of lists from games' files, and export to a file and back."""

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver, OpenApp, open_apps, small_network

from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.engine.masters.community_lists import FileMaster
from browser_app.engine.masters.query_sources import parse_sources
from browser_app.protocols.address import Address
from browser_app.storage.user_lists import lists_merge, saved_list_servers
from browser_app.storage.user_lists.server_list_store import Favourite
from browser_app.ui.lists import list_import_export
from browser_app.ui.lists.list_import_dialog import ListImportDialog
from browser_app.ui.lists.list_import_export import EXPORT_FILE_NAME

XONOTIC = 'seta "net_slist_favorites" "127.0.0.1:9 127.0.0.2:9"\n'


def write_file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def xonotic(user: Path) -> Path:
    """The home folder of a user with Xonotic favourites."""
    write_file(user / ".xonotic/data/config.cfg", XONOTIC)
    return user


def choose_menu_entry(app: AppDriver, title: str) -> None:
    """Choose an entry of the window's menu."""
    app.bot.mouseClick(app.window.overflow_button, Qt.MouseButton.LeftButton)
    menu = app.menu()
    assert isinstance(menu, QMenu)
    action = next(action for action in menu.actions() if action.text() == title)
    app.bot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def import_dialog(app: AppDriver) -> ListImportDialog:
    app.wait(lambda: isinstance(app.window.list_import_export.dialog, ListImportDialog))
    dialog = app.window.list_import_export.dialog
    assert isinstance(dialog, ListImportDialog)
    return dialog


def enter_file_name(app: AppDriver, path: Path) -> None:
    """Enter a path in the file dialog."""
    app.wait(lambda: isinstance(app.window.list_import_export.dialog, QFileDialog))
    dialog = app.window.list_import_export.dialog
    assert isinstance(dialog, QFileDialog)
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    field.setText(str(path))
    app.bot.keyClick(field, Qt.Key.Key_Return)


def wait_for_message(app: AppDriver, part: str) -> None:
    app.wait(lambda: any(part in text for text in app.window.status_bar.shown_texts()))


def test_imports_favourites_of_game(app: AppDriver, xonotic: Path) -> None:
    assert xonotic.is_dir()
    choose_menu_entry(app, "Import from games…")
    dialog = import_dialog(app)
    app.wait(lambda: dialog.check_boxes)
    assert [box.text() for box in dialog.check_boxes] == ["Xonotic: 2 favourites"]
    app.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    assert {each.address for each in app.program.storage.favourites} == {
        Address("127.0.0.1", 9),
        Address("127.0.0.2", 9),
    }
    wait_for_message(app, "New: 2 favourites")
    server = app.catalogue.row_of(Address("127.0.0.1", 9))
    assert server is not None
    assert app.catalogue.favourite[server]


def test_favourite_by_game_address_can_be_removed(open_app: OpenApp) -> None:
    app = open_app()
    server = app.servers()[2]
    target, info = app.catalogue.targets[server], app.catalogue.server_info(server)
    assert info is not None
    connect = Address(target.address.host, target.address.port - 1)
    app.live.merge_results(
        [QueryResult(target, QueryStatus.OK, replace(info, connect=connect), None, 5.0, False, 1, 1.0)]
    )
    favourites = app.program.storage.favourites
    for address in (connect, target.address):
        favourites.add(Favourite(address, "", 1.0))
        app.program.backend.user_lists.refresh_marks()
        assert app.catalogue.favourite[server]
    app.window.servers_view.toggle_favourite(server)
    assert not app.catalogue.favourite[server]
    assert len(favourites) == 0


def test_favourites_by_key_match_when_they_answer(qtbot: QtBot, qapp: QApplication, user: Path) -> None:
    with (
        small_network(servers=6, games=("xonotic",)) as network,
        open_apps(qtbot, qapp, network) as open_app,
    ):
        app = open_app()
        server = app.servers()[2]
        info = app.catalogue.server_info(server)
        assert info is not None
        assert info.stable_key is not None
        key = info.stable_key.removeprefix("d0:")
        write_file(user / ".xonotic/data/config.cfg", f'seta "net_slist_favorites" "{key} {"A" * 43}="')
        choose_menu_entry(app, "Import from games…")
        dialog = import_dialog(app)
        app.wait(lambda: dialog.check_boxes)
        (box,) = dialog.check_boxes
        assert {"Xonotic:", "2", "key,"} <= set(box.text().split())
        app.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
        assert app.catalogue.favourite[server]
        app.refresh()
        (favourite,) = app.program.storage.favourites
        assert favourite.address == app.catalogue.targets[server].address
        assert list(app.program.storage.favourite_keys) == [f"d0:{'A' * 43}="]
        app.window.servers_view.toggle_favourite(server)
        app.refresh()
        assert not app.catalogue.favourite[server]


def test_unchecked_file_is_not_imported(app: AppDriver, xonotic: Path) -> None:
    write_file(xonotic / ".config/Natural Selection 2/FavoriteServers.json", '["127.0.0.3:8"]')
    choose_menu_entry(app, "Import from games…")
    dialog = import_dialog(app)
    app.wait(lambda: dialog.check_boxes)
    dialog.check_boxes[0].click()
    app.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    assert [each.game for each in app.program.storage.favourites] == ["ns2"]


def test_damaged_game_file_cannot_be_imported(app: AppDriver, user: Path) -> None:
    write_file(user / ".config/Natural Selection 2/FavoriteServers.json", "{")
    choose_menu_entry(app, "Import from games…")
    dialog = import_dialog(app)
    app.wait(lambda: dialog.cancel_button.text() == "Close")
    assert not dialog.import_button.isEnabled()
    dialog.close()


def test_first_start_offers_favourites(open_app: OpenApp, xonotic: Path) -> None:
    assert xonotic.is_dir()
    app = open_app(shown=False)
    app.program.show()
    step = app.window.servers_view.first_run.favourites_step
    app.wait(lambda: step.is_offered)
    assert "2" in step.title_label.text()
    step.action_button.click()
    assert len(app.program.storage.favourites) == 2
    assert "2" in step.reason_label.text()  # what has come


def test_exported_lists_can_be_imported(app: AppDriver, tmp_path: Path) -> None:
    app.window.servers_view.toggle_favourite(0)
    app.program.storage.notes.set(Address("127.0.0.1", 9), "a note")
    path = tmp_path / EXPORT_FILE_NAME
    choose_menu_entry(app, "Export lists…")
    enter_file_name(app, path)
    wait_for_message(app, EXPORT_FILE_NAME)
    assert json.loads(path.read_text())["notes"] == [{"address": "127.0.0.1:9", "text": "a note"}]
    app.window.servers_view.toggle_favourite(0)
    app.program.storage.notes.set(Address("127.0.0.1", 9), "")
    choose_menu_entry(app, "Import lists…")
    enter_file_name(app, path)
    dialog = import_dialog(app)
    assert [box.text() for box in dialog.check_boxes] == ["1 favourite", "1 note"]
    app.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    wait_for_message(app, "2 new entries")
    assert app.catalogue.favourite[0]
    assert app.program.storage.notes.all() == {Address("127.0.0.1", 9): "a note"}


def test_unchecked_list_is_not_imported(app: AppDriver, tmp_path: Path) -> None:
    path = tmp_path / "lists.json"
    filters, notes = [{"name": "n", "expression": "ping<50"}], [{"address": "127.0.0.1:9", "text": "x"}, {"text": "y"}]
    write_file(path, json.dumps({"format": "ready-room lists", "version": 1, "saved_filters": filters, "notes": notes}))
    app.window.list_import_export.import_file(path)
    dialog = import_dialog(app)
    assert [box.text() for box in dialog.check_boxes] == ["1 note", "1 saved filter"]
    dialog.check_boxes[0].click()
    app.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    assert dict(app.program.storage.saved_filters) == {"n": "ping<50"}
    assert not app.program.storage.notes.all()


def test_imported_saved_list_is_shown(app: AppDriver, tmp_path: Path) -> None:
    path, address = tmp_path / "lists.json", Address("192.0.2.9", 27015)
    lists = {
        "saved_filters": [{"name": "Clan", "expression": f'address:"{address}"'}],
        "saved_list_servers": [{"listed": str(address), "protocol": "a2s"}],
    }
    write_file(path, json.dumps({"format": "ready-room lists", "version": 1} | lists))
    app.window.list_import_export.import_file(path)
    dialog = import_dialog(app)
    assert [box.text() for box in dialog.check_boxes] == ["1 saved filter", "1 server of a saved list"]
    app.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    wait_for_message(app, "2 new entries")
    assert app.catalogue.row_of(address) is not None


def test_imported_alerts_are_watched(app: AppDriver, tmp_path: Path) -> None:
    path = tmp_path / "lists.json"
    alerts = [{"kind": "slot", "address": str(app.catalogue.targets[0].address)}, {"kind": "player", "value": "moth"}]
    write_file(path, json.dumps({"format": "ready-room lists", "version": 1, "alerts": alerts}))
    app.window.list_import_export.import_file(path)
    dialog = import_dialog(app)
    assert [box.text() for box in dialog.check_boxes] == ["2 alerts"]
    app.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    controller = app.window.user_lists_controller.alerts_controller
    assert controller._alert_monitor.timer.isActive()
    assert controller._player_monitor.timer.isActive()


def test_entries_left_out_are_counted(app: AppDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists_merge, "MAX_SEARCH_ALERTS", 1)
    monkeypatch.setattr(saved_list_servers, "MAX_SAVED_LIST_SERVERS", 1)
    path = tmp_path / "lists.json"
    lists = {
        "alerts": [{"kind": "player", "value": f"moth {n}"} for n in range(3)],
        "saved_list_servers": [{"listed": f"192.0.2.{n}:27015", "protocol": "a2s"} for n in (1, 2)],
    }
    write_file(path, json.dumps({"format": "ready-room lists", "version": 1} | lists))
    app.window.list_import_export.import_file(path)
    app.bot.mouseClick(import_dialog(app).import_button, Qt.MouseButton.LeftButton)
    alerts, servers = "2 alerts left out", "1 server of a saved list left out"
    wait_for_message(app, f"2 new entries · {alerts} because there are too many · {servers} because there are too many")


def test_other_file_is_refused(app: AppDriver, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    write_file(path, "{}")
    app.window.list_import_export.import_file(path)
    dialog = import_dialog(app)
    assert dialog.about_label.text() == "other.json cannot be imported: not a file of lists exported by Ready Room"
    assert not dialog.import_button.isVisible()
    dialog.cancel_button.click()
    app.window.list_import_export.import_file(tmp_path / "missing.json")
    assert "missing.json cannot be imported: No such file" in import_dialog(app).about_label.text()


def test_failed_export_is_reported(app: AppDriver, tmp_path: Path) -> None:
    app.window.list_import_export.export_file(tmp_path / "missing" / "lists.json")
    wait_for_message(app, "lists.json cannot be written: No such file")


def test_shared_list_is_what_others_can_reach(app: AppDriver, tmp_path: Path) -> None:
    public = {Address("9.9.9.9", 1), Address("2620:fe::9", 2)}
    private = {Address("192.168.1.4", 3), Address("169.254.0.4", 4), Address("fe80::4", 5), Address("100.64.0.1", 6)}
    (server, *_others) = app.servers()
    target, info = app.catalogue.targets[server], app.catalogue.server_info(server)
    assert info is not None
    shared_info = replace(info, name="Shared")
    app.live.merge_results(
        [
            QueryResult(target._replace(address=address), QueryStatus.OK, shared_info, None, 5.0, False, 1, 1.0)
            for address in public | private
        ]
    )
    named = app.catalogue.row_of(Address("9.9.9.9", 1))
    assert named is not None
    app.catalogue.targets[named] = app.catalogue.targets[named]._replace(host_name="play.example.org")
    app.live.rescore()
    app.filter("name:Shared | players>=1")
    app.wait(lambda: len(public | private) < app.model.rowCount() < len(app.catalogue))
    shown = [app.catalogue.targets[server].address for server in app.servers()]
    path = tmp_path / "servers.json"
    choose_menu_entry(app, "Share this list…")
    enter_file_name(app, path)
    left_out = len(shown) - len(public)
    wait_for_message(app, f"servers.json. {left_out} servers on your own network left out.")
    (source,) = parse_sources(app.program.backend.games, masters=[f"file:{path}"]).masters
    assert isinstance(source, FileMaster)
    shared = [Address("play.example.org", 1) if each.host == "9.9.9.9" else each for each in shown if each in public]
    assert [target.address for target in source.known_servers] == shared
    assert {target.game for target in source.known_servers} <= {"openarena", "quake3"}
    assert path.read_text("utf-8").count('"Shared"') == len(public)
    assert path.stat().st_mode & stat.S_IROTH


def test_file_dialogs_are_deleted(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_import_export, "is_public_host", lambda _host: True)
    for text in ("Share this list…", "Export lists…", "Import lists…"):
        choose_menu_entry(app, text)
        app.wait(lambda: isinstance(app.window.list_import_export.dialog, QFileDialog))
    app.window.list_import_export.close_dialog()
    app.wait(lambda: not app.window.findChildren(QFileDialog))


def test_list_that_cannot_be_written(app: AppDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    choose_menu_entry(app, "Share this list…")
    wait_for_message(app, "No server to share, so no file was written.")
    assert not app.window.findChildren(QFileDialog)  # nothing is asked in vain
    monkeypatch.setattr(list_import_export, "is_public_host", lambda _host: True)
    choose_menu_entry(app, "Share this list…")
    dialog = app.window.list_import_export.dialog
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "missing folder" / "servers.json"))
    wait_for_message(app, "servers.json cannot be written")
