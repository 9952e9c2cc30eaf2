"""Blocking: one server, a range, a pattern; what it hides is said before, and everything can be undone."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_rig import Room

from browser_app.storage.blocked import BlockKind
from browser_app.ui.dialogs.block import BlockDialog
from browser_app.ui.dialogs.entries import EntriesDialog
from browser_app.ui.lists import ALL, BLOCKED


def press_b(room: Room, server: int) -> BlockDialog:
    room.table.select_server(server)
    room.settle()
    room.table.setFocus()
    room.press(Qt.Key.Key_B)
    dialog = room.window.people.blocking.dialog
    assert dialog is not None
    room.bot.waitExposed(dialog)
    return dialog


def entries_of(room: Room) -> EntriesDialog:
    entries = room.window.people.blocking.entries
    assert entries is not None
    return entries


def test_b_and_enter_block_a_server_and_b_lets_it_in_again(room: Room) -> None:
    server = room.servers()[2]
    dialog = press_b(room, server)
    assert dialog.words.text() == f"Hides 1 server: {room.catalogue.name[server]}."
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert server not in room.servers()
    assert room.table.selected_server() != server
    room.window.servers.side.choose(BLOCKED)
    assert room.servers() == [server]
    room.table.select_server(server)
    room.table.setFocus()
    room.press(Qt.Key.Key_B)
    room.window.servers.side.choose(ALL)
    assert server in room.servers()
    assert list(room.program.session.blocked) == []


def test_the_button_of_the_notes_says_what_it_does(room: Room) -> None:
    server, notes = room.servers()[2], room.window.servers.inspector.notes
    dialog = press_b(room, server)
    assert notes.block.text() == "Block…"
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    room.window.servers.side.choose(BLOCKED)
    room.table.select_server(server)
    assert notes.block.text() == "Let in again"
    notes.block.click()
    assert not room.catalogue.blocked[server]
    room.window.servers.side.choose(ALL)
    room.table.select_server(server)
    assert notes.block.text() == "Block…"


def test_a_pattern_says_what_it_hides_while_it_is_typed(room: Room) -> None:
    server = room.servers()[0]
    dialog = press_b(room, server)
    field = dialog.fields[BlockKind.NAME]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "*")
    room.wait(lambda: "needs at least one letter" in dialog.words.text())
    assert not dialog.block.isEnabled()
    assert dialog.kind is BlockKind.NAME
    QTest.keyClicks(field, "e*")
    room.wait(lambda: dialog.words.text().startswith("Hides"))
    hidden = [each for each in room.servers() if "e" in room.catalogue.name[each].casefold()]
    assert len(hidden) > 3
    assert dialog.words.text().startswith(f"Hides {len(hidden)} servers: ")
    assert dialog.words.text().endswith(f" and {len(hidden) - 3} more.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert set(room.servers()).isdisjoint(hidden)
    assert len(room.servers()) == 24 - len(hidden)


def test_what_a_range_hides_is_let_in_again_from_the_list_of_entries(room: Room) -> None:
    server = room.servers()[0]
    dialog = press_b(room, server)
    QTest.mouseClick(dialog.choices[BlockKind.NETWORK], Qt.MouseButton.LeftButton)
    host = room.catalogue.targets[server].address.host
    assert dialog.fields[BlockKind.NETWORK].text() == f"{host.rpartition('.')[0]}.0/24"
    words = dialog.words.text()
    QTest.mouseClick(dialog.block, Qt.MouseButton.LeftButton)
    hidden = 24 - len(room.servers())
    assert f"Hides {hidden} server" in words
    room.window.servers.side.choose(BLOCKED)
    room.table.select_server(room.servers()[0])
    room.table.setFocus()
    room.press(Qt.Key.Key_B)
    entries = entries_of(room)
    assert len(entries.lines()) == 1
    assert entries.lines()[0].endswith(f" {hidden}")
    assert len(entries.chosen()) == 1
    QTest.mouseClick(entries.remove, Qt.MouseButton.LeftButton)
    assert entries.lines() == []
    entries.close()
    room.window.servers.side.choose(ALL)
    assert len(room.servers()) == 24


def test_a_favourite_that_would_be_hidden_is_told(room: Room) -> None:
    server = room.servers()[1]
    room.window.servers.toggle_favourite(server)
    dialog = press_b(room, server)
    assert dialog.words.text().endswith(" 1 is a favourite.")
    room.bot.mouseClick(dialog.cancel, Qt.MouseButton.LeftButton)
    assert server in room.servers()
    assert list(room.program.session.blocked) == []
