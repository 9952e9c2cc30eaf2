"""Undoing changes of the user's lists and settings."""

import time
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from window_helpers import AppDriver

from browser_app.storage.setting_declarations import EXTRA_MASTERS, PLAY_NOW_SCOPE
from browser_app.storage.user_lists.alert_store import AlertKind, ServerAlert
from browser_app.storage.user_lists.friend_store import FriendKind
from browser_app.storage.user_lists.search_alert_store import SearchAlert, SearchAlertKind
from browser_app.storage.user_lists.server_list_store import BlockEntry, BlockKind
from browser_app.ui import status_bar
from browser_app.ui.lists.server_blocking import BlockServerDialog
from browser_app.ui.lists.server_list_membership import FAVOURITES_LIST
from browser_app.ui.settings.masters_dialog import MastersDialog
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

    def test_unblock_from_long_list_is_quick(self, app: AppDriver) -> None:
        """Each entry was compared with each, which took minutes after an import of 50,000."""
        blocked = app.program.storage.blocked
        hosts = (f"198.51.{number >> 8}.{number & 255}" for number in range(20_000))
        blocked.add_all(BlockEntry(BlockKind.ADDRESS, f"{host}:1", 0.0) for host in hosts)
        controller, entry = app.window.user_lists_controller.block_controller, next(iter(blocked))
        began_s = time.process_time()
        controller._unblock([entry])
        assert time.process_time() - began_s < 10
        assert entry not in blocked

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


class TestSavedFilter:
    def test_deleted_filter_returns_with_its_uses(self, app: AppDriver, undo: Callable[[], object]) -> None:
        view, storage = app.window.servers_view, app.program.storage
        for name in ("Early", "Near", "Late"):
            storage.saved_filters.save(name, "players>=6")
        view.filter_controller.toggle_filter("saved:Near", "players>=6")
        shown = app.servers()
        assert len(shown) < 24
        app.program.settings.set(PLAY_NOW_SCOPE, "saved:Near")
        app.window.user_lists_controller.alerts_controller.toggle_filter_alert("Near")
        view.saved_filter_controller.delete_filter("Near")
        assert list(storage.saved_filters) == ["Early", "Late"]
        assert not len(storage.search_alerts)
        assert len(app.servers()) == 24
        assert "Filter “Near” deleted" in messages(app)
        undo()
        assert list(storage.saved_filters) == ["Early", "Near", "Late"]
        assert [alert.value for alert in storage.search_alerts] == ["Near"]
        assert app.program.settings.get(PLAY_NOW_SCOPE) == "saved:Near"
        assert app.servers() == shown
        assert "Undone" in messages(app)

    def test_filters_of_its_list_return(self, app: AppDriver) -> None:
        view = app.window.servers_view
        app.program.storage.saved_filters.save("Near", "players>=2")
        view.sidebar.select_list("saved:Near")
        app.filter("game:openarena")
        view.saved_filter_controller.delete_filter("Near")
        app.window.undo_controller.undo()
        view.sidebar.select_list("saved:Near")
        assert app.window.filter_field.text() == "game:openarena"

    def test_keeps_newer_filter_of_same_name(self, app: AppDriver) -> None:
        view, saved = app.window.servers_view, app.program.storage.saved_filters
        saved.save("Near", "players>=6")
        view.saved_filter_controller.delete_filter("Near")
        saved.save("near", "players>=2")
        app.window.undo_controller.undo()
        assert dict(saved) == {"near": "players>=2"}


def test_removed_alerts_return(app: AppDriver, undo: Callable[[], object]) -> None:
    controller, storage = app.window.user_lists_controller.alerts_controller, app.program.storage
    address = app.catalogue.targets[app.servers()[0]].address
    controller._save_alert(None, ServerAlert(address, AlertKind.SLOT, 0, "", 1.0))
    controller._save_alert(None, SearchAlert(SearchAlertKind.PLAYER, "owl", 2.0))
    before = [*storage.alerts, *storage.search_alerts]
    controller._remove_alerts(before)
    assert not [*storage.alerts, *storage.search_alerts]
    assert "2 alerts removed" in messages(app)
    undo()
    assert [*storage.alerts, *storage.search_alerts] == before


def test_ctrl_z_works_in_dialog(app: AppDriver) -> None:
    controller, friends = app.window.user_lists_controller.friends_controller, app.program.storage.friends
    controller.toggle_friend("Ann")
    controller.open_dialog()
    dialog = controller.dialog
    assert dialog is not None
    app.bot.waitExposed(dialog)
    dialog.activateWindow()
    app.wait(dialog.isActiveWindow)
    dialog.tree.setFocus()
    controller.remove_friend(FriendKind.NAME, "Ann")
    assert "“Ann” removed from friends. Ctrl+Z undoes it." in messages(app)
    QTest.keyClick(dialog.tree, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert [friend.value for friend in friends] == ["Ann"]


def test_removed_master_returns(app: AppDriver) -> None:
    url, settings = "file:/no/such/list.txt", app.program.settings
    settings.set(EXTRA_MASTERS, (url,))
    app.window.settings_controller.open_masters()
    (dialog,) = app.window.findChildren(MastersDialog)
    dialog._select_url(url)
    dialog.remove_button.click()
    assert settings.get(EXTRA_MASTERS) == ()
    app.window.undo_controller.undo()
    assert settings.get(EXTRA_MASTERS) == (url,)
    app.wait(lambda: any(row.url == url for row in dialog._rows))


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
