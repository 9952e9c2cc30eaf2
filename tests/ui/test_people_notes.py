"""The notes page: saved as it is written, and never lost."""

import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox
from window_rig import OpenRoom, Room

from browser_app.storage.lists.alert_store import AlertKind
from browser_app.storage.lists.lists_file import ExportedLists
from browser_app.storage.lists.lists_merge import merge_lists
from browser_app.storage.lists.visit_history_store import ServerVisit
from browser_app.ui.inspector.inspector_pages import NOTES_PAGE
from browser_app.ui.inspector.notes_page import MAX_NOTE_LENGTH, NotesPage


def page_of(room: Room) -> NotesPage:
    return room.window.servers_view.inspector.notes_page


def tick(box: QCheckBox) -> None:
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))


def select(room: Room, server: int) -> None:
    room.table.select_server(server)
    room.settle()


def test_a_note_is_saved_as_it_is_typed_and_found_by_the_filter(room: Room) -> None:
    server, other = room.servers()[2:4]
    select(room, server)
    room.table.setFocus()
    room.press(Qt.Key.Key_N)
    assert room.window.servers_view.inspector.current_page == NOTES_PAGE
    room.write("The hook is on")
    room.wait(lambda: room.catalogue.note_of(server) == "The hook is on")
    select(room, other)
    assert page_of(room).note_field.toPlainText() == ""
    room.filter("note:hook")
    assert room.servers() == [server]


def test_a_long_note_that_was_brought_in_is_not_cut_by_a_change(room: Room) -> None:
    first, second = room.servers()[:2]
    written = "x" * (MAX_NOTE_LENGTH + 500)
    select(room, second)
    room.program.session.notes.set(room.catalogue.targets[first].address, written)
    room.program.backend.server_launcher.notify_lists_changed()
    select(room, first)
    page = page_of(room)
    room.window.user_lists_controller.edit_note()
    room.press(Qt.Key.Key_Backspace)
    page.flush_edits()
    assert room.catalogue.note_of(first) == written[:-1]
    select(room, second)
    QApplication.clipboard().setText(written)
    page.note_field.paste()
    assert len(page.note_field.toPlainText()) == MAX_NOTE_LENGTH


def test_a_note_that_is_brought_in_for_the_selected_server_is_not_written_over(room: Room) -> None:
    server = room.servers()[0]
    select(room, server)
    room.window.user_lists_controller.edit_note()
    room.write("mine ")
    room.wait(lambda: room.catalogue.note_of(server) == "mine")
    assert page_of(room).note_field.toPlainText() == "mine "  # what follows is written behind it
    merge_lists(room.program.session, ExportedLists(notes=((room.catalogue.targets[server].address, "theirs"),)))
    room.program.backend.user_lists.apply_import()
    room.window.user_lists_controller.edit_note()
    room.write("!")
    page_of(room).flush_edits()
    assert room.catalogue.note_of(server) == "mine\n\ntheirs!"


def test_what_was_just_typed_is_there_after_turning_away_and_after_the_end(open_room: OpenRoom) -> None:
    room = open_room()
    server, other = room.servers()[:2]
    first, second = room.catalogue.targets[server].address, room.catalogue.targets[other].address
    for each in (server, other):
        select(room, each)
        room.window.user_lists_controller.edit_note()
        room.write(f"about {each}")
    assert room.catalogue.note_of(server) == f"about {server}"  # turning away hands it over at once
    room.end()
    room = open_room()
    for address, text in ((first, f"about {server}"), (second, f"about {other}")):
        again = room.catalogue.row_of(address)
        assert again is not None
        select(room, again)
        assert page_of(room).note_field.toPlainText() == text


def test_a_note_that_is_pasted_is_cut_to_what_is_kept(room: Room) -> None:
    select(room, room.servers()[0])
    room.window.user_lists_controller.edit_note()
    QApplication.clipboard().setText("x" * (MAX_NOTE_LENGTH + 500))
    room.press(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert len(page_of(room).note_field.toPlainText()) == MAX_NOTE_LENGTH
    room.wait(lambda: len(room.catalogue.note_of(room.servers()[0])) == MAX_NOTE_LENGTH)


def test_alerts_are_set_by_ticking_and_belong_to_the_server(room: Room) -> None:
    server, other = room.servers()[:2]
    alerts, page = room.program.session.alerts, page_of(room)
    select(room, server)
    room.window.user_lists_controller.edit_note()
    tick(page.alert_boxes.friend_box)
    page.alert_boxes.players_spin_box.setFocus()
    page.alert_boxes.players_spin_box.selectAll()
    QTest.keyClicks(page.alert_boxes.players_spin_box, "6")
    tick(page.alert_boxes.players_box)
    address = room.catalogue.targets[server].address
    assert {kind: alert.players for kind, alert in alerts.alerts_of(address).items()} == {
        AlertKind.FRIEND: 0,
        AlertKind.PLAYERS: 6,
    }
    select(room, other)
    assert not page.alert_boxes.friend_box.isChecked()
    select(room, server)
    assert (page.alert_boxes.friend_box.isChecked(), page.alert_boxes.slot_box.isChecked()) == (True, False)
    assert page.alert_boxes.players_spin_box.value() == 6
    tick(page.alert_boxes.friend_box)
    assert set(alerts.alerts_of(address)) == {AlertKind.PLAYERS}


def test_visits_are_listed_and_added_up(room: Room) -> None:
    server, history = room.servers()[0], room.program.session.visit_history
    address, now = room.catalogue.targets[server].address, time.time()
    for days in range(5):
        history.add_visit(
            ServerVisit(now - days * 86_400.0 - 7000.0, address, "x", "m", left_at=now - days * 86_400.0 - 100.0)
        )
    room.program.backend.server_launcher.notify_lists_changed()
    room.live.rescore()
    select(room, server)
    room.window.user_lists_controller.edit_note()
    page = page_of(room)
    room.wait(lambda: len(page.visit_texts()) == 4)
    assert page.visit_texts()[-1] == "5 visits, 9 h 35 min in total."
    assert page.visit_texts()[0].endswith("1 h 55 min")
    select(room, room.servers()[1])
    room.wait(lambda: page.visit_texts() == ["None yet."])


@pytest.mark.parametrize(("text", "kept"), [("+set fov 100", True), ('"unclosed', False)])
def test_extra_arguments_are_kept_if_a_game_can_be_told_them(room: Room, text: str, kept: bool) -> None:
    server = room.servers()[0]
    select(room, server)
    room.window.user_lists_controller.edit_note()
    page, settings = page_of(room), room.program.session.launch_arguments
    page.arguments_field.setFocus()
    room.write(text)
    page.flush_edits()
    assert settings.get(room.catalogue.targets[server].address) == (text if kept else "")
    assert bool(page.arguments_problem()) is not kept
