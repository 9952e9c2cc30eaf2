"""Undoing changes of the user's lists."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from window_helpers import AppDriver

from browser_app.storage.user_lists.friend_store import FriendKind
from browser_app.storage.user_lists.server_list_store import BlockKind
from browser_app.ui import status_bar
from browser_app.ui.lists.server_blocking import BlockServerDialog
from browser_app.ui.lists.server_list_membership import FAVOURITES_LIST
from browser_app.ui.widgets.dialogs import EntryListDialog


def messages(app: AppDriver) -> tuple[str, ...]:
    return app.window.status_bar.shown_texts()


def press_ctrl(app: AppDriver, key: Qt.Key) -> None:
    app.window.activateWindow()  # as a window manager does after a dialog
    app.table.setFocus()
    app.press(key, Qt.KeyboardModifier.ControlModifier)


def block(app: AppDriver, server: int, kind: BlockKind = BlockKind.ADDRESS) -> None:
    app.table.select_server(server)
    app.window.user_lists_controller.toggle_block()
    dialog = app.window.user_lists_controller.block_controller.dialog
    assert isinstance(dialog, BlockServerDialog)
    app.bot.waitExposed(dialog)
    dialog.kind_buttons[kind].setChecked(True)
    dialog.block_button.click()


@pytest.fixture(params=["button", "Ctrl+Z"])
def undo(request: pytest.FixtureRequest, app: AppDriver) -> Callable[[], object]:
    def by_button() -> None:
        assert app.window.status_bar.undo_button.isVisible()
        app.bot.mouseClick(app.window.status_bar.undo_button, Qt.MouseButton.LeftButton)

    return by_button if request.param == "button" else lambda: press_ctrl(app, Qt.Key.Key_Z)


class TestBlocking:
    @pytest.mark.parametrize("kind", BlockKind)
    def test_block(self, app: AppDriver, undo: Callable[[], object], kind: BlockKind) -> None:
        before = app.servers()
        block(app, before[2], kind)
        assert len(app.servers()) < len(before)
        assert any(text.endswith(" blocked") for text in messages(app))
        undo()
        assert sorted(app.servers()) == sorted(before)
        assert not list(app.program.storage.blocked)
        assert "Undone" in messages(app)
        assert not app.window.status_bar.undo_button.isVisible()

    def test_unblock_of_several(self, app: AppDriver) -> None:
        servers = app.servers()
        for server in servers[:2]:
            block(app, server)
        before = list(app.program.storage.blocked)
        controller = app.window.user_lists_controller.block_controller
        controller.open_dialog()
        assert isinstance(controller.dialog, EntryListDialog)
        app.bot.waitExposed(controller.dialog)
        controller.dialog.remove_requested.emit([(entry.kind, entry.value) for entry in before])
        assert sorted(app.servers()) == sorted(servers)
        controller.dialog.reject()
        press_ctrl(app, Qt.Key.Key_Z)
        assert list(app.program.storage.blocked) == before
        assert sorted(app.servers()) == sorted(servers[2:])

    def test_keeps_earlier_entries(self, app: AppDriver) -> None:
        first, second = app.servers()[:2]
        block(app, first)
        kept = list(app.program.storage.blocked)
        block(app, second)
        press_ctrl(app, Qt.Key.Key_Z)
        assert list(app.program.storage.blocked) == kept
        press_ctrl(app, Qt.Key.Key_Z)
        assert list(app.program.storage.blocked) == kept
        assert "Nothing to undo" in messages(app)


def test_removed_favourite_returns_as_it_was(app: AppDriver, undo: Callable[[], object]) -> None:
    server, view = app.servers()[1], app.window.servers_view
    view.toggle_favourite(server)
    assert not app.window.status_bar.undo_button.isVisible()
    before = list(app.program.storage.favourites)
    assert len(before) == 1
    view.sidebar.select_list(FAVOURITES_LIST)
    app.table.select_server(server)
    press_ctrl(app, Qt.Key.Key_D)
    assert not list(app.program.storage.favourites)
    assert f"“{app.catalogue.name[server]}” removed from favourites" in messages(app)
    undo()
    assert list(app.program.storage.favourites) == before
    assert app.catalogue.favourite[server]
    app.wait(lambda: app.servers() == [server])


def test_removed_friend_returns_to_group(app: AppDriver, undo: Callable[[], object]) -> None:
    controller, friends = app.window.user_lists_controller.friends_controller, app.program.storage.friends
    controller.toggle_friend("Ann")
    before = list(friends)
    controller.remove_friend(FriendKind.NAME, "Ann")
    assert not list(friends)
    assert "“Ann” removed from friends" in messages(app)
    undo()
    assert list(friends) == before


def test_filter_field_keeps_its_own_undo(app: AppDriver) -> None:
    block(app, app.servers()[0])
    app.window.filter_field.focus_field()
    app.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(list(app.program.storage.blocked)) == 1


def test_other_message_hides_button_only(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status_bar, "UNDO_MESSAGE_MS", 1)
    before = app.servers()
    block(app, before[0])
    app.wait(lambda: not app.window.status_bar.undo_button.isVisible())
    app.window.undo_controller.undo()
    assert sorted(app.servers()) == sorted(before)
