"""The notes page: edits are saved as they are typed and never lost."""

import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox
from window_helpers import AppDriver, OpenApp

from browser_app.storage.user_lists.alert_store import AlertKind
from browser_app.storage.user_lists.lists_file import ExportedLists
from browser_app.storage.user_lists.lists_merge import merge_lists
from browser_app.storage.user_lists.visit_history_store import ServerVisit
from browser_app.ui.inspector.inspector_pages import NOTES_PAGE
from browser_app.ui.inspector.notes_page import MAX_NOTE_LENGTH, NotesPage


def page_of(app: AppDriver) -> NotesPage:
    return app.window.servers_view.inspector.notes_page


def visit_texts(page: NotesPage) -> list[str]:
    lines = [" ".join(cell.text() for cell in cells) for cells in page._visit_labels if not cells[0].isHidden()]
    return [line for line in (*lines, page._visits_summary_label.text()) if line]


def tick(box: QCheckBox) -> None:
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))


def select(app: AppDriver, server: int) -> None:
    app.table.select_server(server)
    app.settle()


def test_typed_note_is_saved_and_filtered(app: AppDriver) -> None:
    server, other = app.servers()[2:4]
    select(app, server)
    app.table.setFocus()
    app.press(Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert app.window.servers_view.inspector.current_page == NOTES_PAGE
    app.write("The hook is on")
    app.wait(lambda: app.catalogue.note_of(server) == "The hook is on")
    select(app, other)
    assert page_of(app).note_field.toPlainText() == ""
    app.filter("note:hook")
    assert app.servers() == [server]


def test_editing_keeps_long_imported_note(app: AppDriver) -> None:
    first, second = app.servers()[:2]
    written = "x" * (MAX_NOTE_LENGTH + 500)
    select(app, second)
    app.program.storage.notes.set(app.catalogue.targets[first].address, written)
    app.program.backend.server_launcher.notify_lists_changed()
    select(app, first)
    page = page_of(app)
    app.window.user_lists_controller.edit_note()
    app.press(Qt.Key.Key_Backspace)
    page.flush_edits()
    assert app.catalogue.note_of(first) == written[:-1]
    select(app, second)
    QApplication.clipboard().setText(written)
    page.note_field.paste()
    assert len(page.note_field.toPlainText()) == MAX_NOTE_LENGTH


def test_imported_note_is_not_overwritten(app: AppDriver) -> None:
    server = app.servers()[0]
    select(app, server)
    app.window.user_lists_controller.edit_note()
    app.write("mine ")
    app.wait(lambda: app.catalogue.note_of(server) == "mine")
    assert page_of(app).note_field.toPlainText() == "mine "  # the import is appended to it
    merge_lists(app.program.storage, ExportedLists(notes=((app.catalogue.targets[server].address, "theirs"),)))
    app.program.backend.user_lists.apply_import()
    app.window.user_lists_controller.edit_note()
    app.write("!")
    page_of(app).flush_edits()
    assert app.catalogue.note_of(server) == "mine\n\ntheirs!"


def test_pending_edits_survive_selection_and_exit(open_app: OpenApp) -> None:
    app = open_app()
    server, other = app.servers()[:2]
    first, second = app.catalogue.targets[server].address, app.catalogue.targets[other].address
    for each in (server, other):
        select(app, each)
        app.window.user_lists_controller.edit_note()
        app.write(f"about {each}")
    assert app.catalogue.note_of(server) == f"about {server}"  # selecting another server saves at once
    app.end()
    app = open_app()
    for address, text in ((first, f"about {server}"), (second, f"about {other}")):
        again = app.catalogue.row_of(address)
        assert again is not None
        select(app, again)
        assert page_of(app).note_field.toPlainText() == text


def test_pasted_note_is_truncated(app: AppDriver) -> None:
    select(app, app.servers()[0])
    app.window.user_lists_controller.edit_note()
    QApplication.clipboard().setText("x" * (MAX_NOTE_LENGTH + 500))
    app.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert len(page_of(app).note_field.toPlainText()) == MAX_NOTE_LENGTH
    app.wait(lambda: len(app.catalogue.note_of(app.servers()[0])) == MAX_NOTE_LENGTH)


def test_check_boxes_set_alerts_of_server(app: AppDriver) -> None:
    server, other = app.servers()[:2]
    alerts, page = app.program.storage.alerts, page_of(app)
    friend, slot, players = (
        page.alert_boxes.rows[kind] for kind in (AlertKind.FRIEND, AlertKind.SLOT, AlertKind.PLAYERS)
    )
    number_field = players.number_field
    assert number_field is not None
    select(app, server)
    app.window.user_lists_controller.edit_note()
    tick(friend.box)
    number_field.setFocus()
    number_field.selectAll()
    QTest.keyClicks(number_field, "6")
    tick(players.box)
    assert players.box.accessibleName() == "When 6 or more play"
    address = app.catalogue.targets[server].address
    assert {kind: alert.players for kind, alert in alerts.find_alerts(address).items()} == {
        AlertKind.FRIEND: 0,
        AlertKind.PLAYERS: 6,
    }
    select(app, other)
    assert not friend.box.isChecked()
    select(app, server)
    assert (friend.box.isChecked(), slot.box.isChecked()) == (True, False)
    assert number_field.value() == 6
    tick(friend.box)
    assert set(alerts.find_alerts(address)) == {AlertKind.PLAYERS}


def test_visits_and_their_sum(app: AppDriver) -> None:
    server, history = app.servers()[0], app.program.storage.visit_history
    address, now = app.catalogue.targets[server].address, time.time()
    for days in range(5):
        history.add_visit(
            ServerVisit(now - days * 86_400.0 - 7000.0, address, "x", "m", left_at=now - days * 86_400.0 - 100.0)
        )
    app.program.backend.server_launcher.notify_lists_changed()
    app.live.rescore()
    select(app, server)
    app.window.user_lists_controller.edit_note()
    page = page_of(app)
    app.wait(lambda: len(visit_texts(page)) == 4)
    assert visit_texts(page)[-1] == "5 visits, 9 h 35 min in total."
    assert visit_texts(page)[0].endswith("1 h 55 min")
    select(app, app.servers()[1])
    app.wait(lambda: visit_texts(page) == ["None yet."])


@pytest.mark.parametrize(("text", "kept"), [("+set fov 100", True), ('"unclosed', False)])
def test_valid_arguments_are_saved(app: AppDriver, text: str, kept: bool) -> None:
    server = app.servers()[0]
    select(app, server)
    app.window.user_lists_controller.edit_note()
    page, settings = page_of(app), app.program.storage.launch_arguments
    page.arguments_field.setFocus()
    app.write(text)
    page.flush_edits()
    assert settings.get(app.catalogue.targets[server].address) == (text if kept else "")
    assert bool(page._problem_label.text()) is not kept
