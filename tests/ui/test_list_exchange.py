"""The user's lists and other places: out of the games' files, into a file and back, as a person does it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMenu
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver, OpenApp, open_apps, small_network

from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.protocols.address import Address
from browser_app.storage.lists.server_list_store import Favourite
from browser_app.ui.lists.list_import_dialog import ListImportDialog
from browser_app.ui.lists.list_import_export import EXPORT_FILE_NAME

XONOTIC = 'seta "net_slist_favorites" "127.0.0.1:9 127.0.0.2:9"\n'


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def xonotic(user: Path) -> Path:
    """Somebody who plays Xonotic."""
    _write(user / ".xonotic/data/config.cfg", XONOTIC)
    return user


def _choose(app: AppDriver, words: str) -> None:
    """From the last button's menu."""
    app.bot.mouseClick(app.window.overflow_button, Qt.MouseButton.LeftButton)
    menu = app.menu()
    assert isinstance(menu, QMenu)
    action = next(action for action in menu.actions() if action.text() == words)
    app.bot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def _dialog(app: AppDriver) -> ListImportDialog:
    app.wait(lambda: isinstance(app.window.list_import_export.dialog, ListImportDialog))
    dialog = app.window.list_import_export.dialog
    assert isinstance(dialog, ListImportDialog)
    return dialog


def _say_file(app: AppDriver, path: Path) -> None:
    """Write a file's name into the dialog that asks for one."""
    app.wait(lambda: isinstance(app.window.list_import_export.dialog, QFileDialog))
    dialog = app.window.list_import_export.dialog
    assert isinstance(dialog, QFileDialog)
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    field.setText(str(path))
    app.bot.keyClick(field, Qt.Key.Key_Return)


def _said(app: AppDriver, words: str) -> None:
    app.wait(lambda: any(words in text for text in app.window.status_bar.shown_texts()))


def test_favourites_of_a_game_are_brought_in(app: AppDriver, xonotic: Path) -> None:
    assert xonotic.is_dir()
    _choose(app, "Import from games…")
    dialog = _dialog(app)
    app.wait(lambda: dialog.check_boxes)
    assert [box.text() for box in dialog.check_boxes] == ["Xonotic: 2 favourites"]
    app.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    assert {each.address for each in app.program.session.favourites} == {
        Address("127.0.0.1", 9),
        Address("127.0.0.2", 9),
    }
    _said(app, "New: 2 favourites")
    server = app.catalogue.row_of(Address("127.0.0.1", 9))
    assert server is not None
    assert app.catalogue.favourite[server]


def test_a_favourite_that_stands_at_the_address_games_are_told_can_be_let_go(open_app: OpenApp) -> None:
    app = open_app()
    server = app.servers()[2]
    target, facts = app.catalogue.targets[server], app.catalogue.server_info(server)
    assert facts is not None
    told = Address(target.address.host, target.address.port - 1)
    app.live.merge_results(
        [QueryResult(target, QueryStatus.OK, replace(facts, connect=told), None, 5.0, False, 1, 1.0)]
    )
    favourites = app.program.session.favourites
    for address in (told, target.address):
        favourites.add(Favourite(address, "", 1.0))
        app.program.backend.user_lists.refresh_marks()
        assert app.catalogue.favourite[server]
    app.window.servers_view.toggle_favourite(server)
    assert not app.catalogue.favourite[server]
    assert len(favourites) == 0


def test_favourites_that_a_game_names_by_their_keys_are_known_when_they_answer(
    qtbot: QtBot, qapp: QApplication, user: Path
) -> None:
    with (
        small_network(servers=6, games=("xonotic",)) as network,
        open_apps(qtbot, qapp, network) as open_app,
    ):
        app = open_app()
        server = app.servers()[2]
        facts = app.catalogue.server_info(server)
        assert facts is not None
        assert facts.stable_key is not None
        key = facts.stable_key.removeprefix("d0:")
        _write(user / ".xonotic/data/config.cfg", f'seta "net_slist_favorites" "{key} {"A" * 43}="')
        _choose(app, "Import from games…")
        dialog = _dialog(app)
        app.wait(lambda: dialog.check_boxes)
        assert [box.text() for box in dialog.check_boxes] == ["Xonotic: 2 by key, matched when they answer"]
        app.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
        assert app.catalogue.favourite[server]
        app.refresh()
        (favourite,) = app.program.session.favourites
        assert favourite.address == app.catalogue.targets[server].address
        assert list(app.program.session.favourite_keys) == [f"d0:{'A' * 43}="]
        app.window.servers_view.toggle_favourite(server)
        app.refresh()
        assert not app.catalogue.favourite[server]


def test_what_is_not_ticked_is_not_brought_in(app: AppDriver, xonotic: Path) -> None:
    _write(xonotic / ".config/Natural Selection 2/FavoriteServers.json", '["127.0.0.3:8"]')
    _choose(app, "Import from games…")
    dialog = _dialog(app)
    app.wait(lambda: dialog.check_boxes)
    dialog.check_boxes[0].click()
    app.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    assert [each.game for each in app.program.session.favourites] == ["ns2"]


def test_a_damaged_file_of_a_game_is_named(app: AppDriver, user: Path) -> None:
    _write(user / ".config/Natural Selection 2/FavoriteServers.json", "{")
    _choose(app, "Import from games…")
    dialog = _dialog(app)
    app.wait(lambda: dialog.cancel_button.text() == "Close")
    assert not dialog.import_button.isEnabled()
    dialog.close()


def test_at_the_first_start_the_favourites_found_are_offered(open_app: OpenApp, xonotic: Path) -> None:
    assert xonotic.is_dir()
    app = open_app(shown=False)
    app.program.show()
    block = app.window.servers_view.first_run_panel.favourites_block
    app.wait(lambda: not block.isHidden())
    app.bot.mouseClick(block.button, Qt.MouseButton.LeftButton)
    assert len(app.program.session.favourites) == 2


def test_lists_go_into_a_file_and_come_back(app: AppDriver, tmp_path: Path) -> None:
    app.window.servers_view.toggle_favourite(0)
    app.program.session.notes.set(Address("127.0.0.1", 9), "a note")
    path = tmp_path / EXPORT_FILE_NAME
    _choose(app, "Export lists…")
    _say_file(app, path)
    _said(app, "Lists written to")
    assert json.loads(path.read_text())["notes"] == [{"address": "127.0.0.1:9", "text": "a note"}]
    app.window.servers_view.toggle_favourite(0)
    app.program.session.notes.set(Address("127.0.0.1", 9), "")
    _choose(app, "Import lists…")
    _say_file(app, path)
    dialog = _dialog(app)
    assert [box.text() for box in dialog.check_boxes] == ["1 favourite", "1 note"]
    app.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    _said(app, "2 new entries")
    assert app.catalogue.favourite[0]
    assert app.program.session.notes.all() == {Address("127.0.0.1", 9): "a note"}


def test_a_list_that_is_not_ticked_stays_out(app: AppDriver, tmp_path: Path) -> None:
    path = tmp_path / "lists.json"
    filters, notes = [{"name": "n", "expression": "ping<50"}], [{"address": "127.0.0.1:9", "text": "x"}, {"text": "y"}]
    _write(path, json.dumps({"format": "ready-room lists", "version": 1, "saved_filters": filters, "notes": notes}))
    app.window.list_import_export.import_file(path)
    dialog = _dialog(app)
    assert [box.text() for box in dialog.check_boxes] == ["1 note", "1 saved filter"]
    dialog.check_boxes[0].click()
    app.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    assert dict(app.program.session.saved_filters) == {"n": "ping<50"}
    assert not app.program.session.notes.all()


def test_another_file_is_refused_with_the_reason(app: AppDriver, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    _write(path, "{}")
    app.window.list_import_export.import_file(path)
    _said(app, "other.json cannot be imported: not lists of this program")
    app.window.list_import_export.import_file(tmp_path / "missing.json")
    _said(app, "missing.json cannot be imported: No such file")


def test_a_place_that_cannot_be_written_is_told(app: AppDriver, tmp_path: Path) -> None:
    app.window.list_import_export.export_file(tmp_path / "missing" / "lists.json")
    _said(app, "lists.json cannot be written: No such file")
