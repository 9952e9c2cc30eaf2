"""Blocking by address, range and pattern, with the effect shown before."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_helpers import AppDriver, entry_texts

from browser_app.storage.user_lists.server_list_store import BlockKind
from browser_app.ui.inspector.score_page import ScorePage
from browser_app.ui.lists.server_blocking import BlockServerDialog
from browser_app.ui.lists.server_list_membership import ALL_LIST, BLOCKED_LIST
from browser_app.ui.widgets.dialogs import EntryListDialog


def press_b(app: AppDriver, server: int) -> BlockServerDialog:
    app.table.select_server(server)
    app.settle()
    app.table.setFocus()
    app.press(Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    dialog = app.window.user_lists_controller.block_controller.dialog
    assert isinstance(dialog, BlockServerDialog)
    app.bot.waitExposed(dialog)
    return dialog


def entries_of(app: AppDriver) -> EntryListDialog:
    entries = app.window.user_lists_controller.block_controller.dialog
    assert isinstance(entries, EntryListDialog)
    return entries


def test_block_selects_next_server(app: AppDriver) -> None:
    before, lists = app.servers(), app.window.user_lists_controller
    for server, nearest in ((before[2], before[3]), (before[-1], before[-2])):
        app.table.select_server(server)
        lists.toggle_block()
        assert isinstance(lists.block_controller.dialog, BlockServerDialog)
        lists.block_controller.dialog.block_button.click()
        assert app.window.servers_view.inspector_controller.server == nearest
    app.window.servers_view.sidebar.select_list(BLOCKED_LIST)
    assert sorted(app.servers()) == sorted((before[2], before[-1]))


def test_ranks_leave_out_blocked_servers(app: AppDriver) -> None:
    first, second = app.servers()[:2]
    app.table.select_server(second)
    (score_page,) = app.window.servers_view.inspector.findChildren(ScorePage)
    label = score_page._rank_label
    app.wait(lambda: label.text().startswith("Rank 2 of 24."))
    press_b(app, first).block_button.click()
    app.table.select_server(second)
    app.wait(lambda: label.text().startswith("Rank 1 of 23."))
    assert app.model.rows(0, 0)[0].rank == 1
    assert app.model.rows(0, 0)[0].ranked_count == 23


def test_b_blocks_and_unblocks(app: AppDriver) -> None:
    server = app.servers()[2]
    dialog = press_b(app, server)
    assert app.catalogue.name[server] in dialog.effect_label.text()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert f"“{app.catalogue.name[server]}” blocked" in app.window.status_bar.shown_texts()
    assert server not in app.servers()
    assert app.table.selected_server() != server
    app.window.servers_view.sidebar.select_list(BLOCKED_LIST)
    assert app.servers() == [server]
    app.table.select_server(server)
    app.table.setFocus()
    app.press(Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    app.window.servers_view.sidebar.select_list(ALL_LIST)
    assert server in app.servers()
    assert list(app.program.storage.blocked) == []


def test_notes_button_blocks_and_unblocks(app: AppDriver) -> None:
    server, notes = app.servers()[2], app.window.servers_view.inspector.notes_page
    dialog = press_b(app, server)
    assert notes.block_button.text() == "Block…"
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    app.window.servers_view.sidebar.select_list(BLOCKED_LIST)
    app.table.select_server(server)
    assert notes.block_button.text() == "Unblock"
    notes.block_button.click()
    assert not app.catalogue.blocked[server]
    app.window.servers_view.sidebar.select_list(ALL_LIST)
    app.table.select_server(server)
    assert notes.block_button.text() == "Block…"


def test_typed_pattern_shows_its_effect(app: AppDriver) -> None:
    server = app.servers()[0]
    dialog = press_b(app, server)
    field = dialog.value_fields[BlockKind.NAME]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "*")
    app.wait(lambda: not dialog.block_button.isEnabled())
    assert dialog.kind is BlockKind.NAME
    QTest.keyClicks(field, "e*")
    hidden = [each for each in app.servers() if "e" in app.catalogue.name[each].casefold()]
    assert len(hidden) > 3
    app.wait(lambda: str(len(hidden)) in dialog.effect_label.text().split())
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert set(app.servers()).isdisjoint(hidden)
    assert len(app.servers()) == 24 - len(hidden)


def test_blocked_range_is_removed_in_dialog(app: AppDriver) -> None:
    server = app.servers()[0]
    dialog = press_b(app, server)
    QTest.mouseClick(dialog.kind_buttons[BlockKind.NETWORK], Qt.MouseButton.LeftButton)
    host = app.catalogue.targets[server].address.host
    assert dialog.value_fields[BlockKind.NETWORK].text() == f"{host.rpartition('.')[0]}.0/24"
    text = dialog.effect_label.text()
    QTest.mouseClick(dialog.block_button, Qt.MouseButton.LeftButton)
    hidden = 24 - len(app.servers())
    assert f"Hides {hidden} server" in text
    app.window.servers_view.sidebar.select_list(BLOCKED_LIST)
    app.table.select_server(app.servers()[0])
    app.table.setFocus()
    app.press(Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    entries = entries_of(app)
    assert len(entry_texts(entries)) == 1
    assert entry_texts(entries)[0].endswith(f" {hidden}")
    assert len(entries.selected_keys()) == 1
    QTest.mouseClick(entries.remove_button, Qt.MouseButton.LeftButton)
    assert entry_texts(entries) == []
    entries.close()
    app.window.servers_view.sidebar.select_list(ALL_LIST)
    assert len(app.servers()) == 24


def test_effect_mentions_favourite(app: AppDriver) -> None:
    server = app.servers()[1]
    app.window.servers_view.toggle_favourite(server)
    dialog = press_b(app, server)
    assert dialog.effect_label.text().endswith(" It is a favourite.")
    app.bot.mouseClick(dialog.cancel_button, Qt.MouseButton.LeftButton)
    assert server in app.servers()
    assert list(app.program.storage.blocked) == []
