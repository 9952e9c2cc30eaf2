"""What the main window's keyboard shortcuts do."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication

from browser_app.ui.inspector.inspector_pages import INSPECTOR_PAGES
from browser_app.ui.widgets.focus_areas import FocusArea, move_to_area

if TYPE_CHECKING:
    from browser_app.ui.main_window import MainWindow

SERVERS_VIEW, SKILL_VIEW = 0, 1
"""Indices of the views."""


class WindowShortcuts:
    """The handlers of all shortcuts, by action name."""

    def __init__(self, window: "MainWindow") -> None:
        self._window, self._view, self._switch = window, window.servers_view, window.view_switch

    def handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers; those of a view do nothing in another one."""
        return {**self._server_handlers(), **self._list_handlers(), **self._window_handlers()}

    def _server_handlers(self) -> Mapping[str, Callable[[], object]]:
        view, lists, window = self._view, self._window.user_lists_controller, self._window
        handlers: dict[str, Callable[[], object]] = {
            "wait": lambda: window.join_controller.wait_for_slot(view.inspector_controller.server),
            "favourite": lambda: view.toggle_favourite(view.inspector_controller.server),
            "copy": view.copy_address,
            "note": lists.edit_note,
            "alert": lists.edit_alerts,
            "block": lists.toggle_block,
            "inspect": view.servers_layout.inspector_panel.toggle,
        }
        for number, page in enumerate(INSPECTOR_PAGES, 1):
            handlers[f"page_{number}"] = partial(view.inspector.show_page, page.key)
        return {name: self._only_in_servers_view(handler) for name, handler in handlers.items()}

    def _list_handlers(self) -> Mapping[str, Callable[[], object]]:
        view, window = self._view, self._window
        return {
            "filter": self._focus_filter,
            "clear": view.filter_controller.clear_filters,
            "save_filter": self._only_in_servers_view(view.saved_filter_controller.ask_to_save),
            "refresh": window.refresh_controller.refresh,
            "hold": view.toggle_pause,
            "add": window.link_controller.ask_for_address,
            "paste": window.link_controller.add_from_clipboard,
            "undo": window.undo_controller.undo,
        }

    def _window_handlers(self) -> Mapping[str, Callable[[], object]]:
        window = self._window
        return {
            "play": window.play_now_bar.button.click,
            "escape": self._handle_escape,
            "side": self._toggle_sidebar,
            "servers": lambda: self._switch.setCurrentIndex(SERVERS_VIEW),
            "skill": lambda: self._switch.setCurrentIndex(SKILL_VIEW),
            "next_page": lambda: self._change_skill_page(1),
            "previous_page": lambda: self._change_skill_page(-1),
            "next_area": lambda: move_to_area(window, self._focus_areas(), 1),
            "previous_area": lambda: move_to_area(window, self._focus_areas(), -1),
            "menu": self._open_context_menu,
            "masters": window.status_bar.masters_button.click,
            "settings": window.settings_controller.open_settings,
            "keys": window.settings_controller.open_shortcuts,
            "quit": window.quit,
        }

    def _only_in_servers_view(self, work: Callable[[], object]) -> Callable[[], object]:
        """Return `work` as a callback that does nothing while another view is visible."""
        return lambda: work() if self._switch.currentIndex() == SERVERS_VIEW else None

    def _focus_filter(self) -> None:
        self._switch.setCurrentIndex(SERVERS_VIEW)
        self._window.filter_field.focus_field()

    def _change_skill_page(self, by: int) -> None:
        if self._switch.currentIndex() == SKILL_VIEW:
            self._window.skill_view.step_page(by)

    def _toggle_sidebar(self) -> None:
        shows_servers = self._switch.currentIndex() == SERVERS_VIEW
        (self._view.servers_layout if shows_servers else self._window.skill_view).sidebar_panel.toggle()

    def _focus_areas(self) -> Sequence[FocusArea]:
        """Return the areas of the window from top to bottom."""
        play_now_bar, status_bar = self._window.play_now_bar, self._window.status_bar
        if self._switch.currentIndex() == SERVERS_VIEW:
            areas = self._view.focus_areas()
        else:
            skill = self._window.skill_view
            page = skill.stack.currentWidget() or skill.stack
            areas = ((skill.sidebar, skill.sidebar.page_list), (skill.stack, page))
        return ((play_now_bar, play_now_bar.button), *areas, (status_bar, status_bar.masters_button))

    def _open_context_menu(self) -> None:
        """Open the menu of the focused widget, as the menu key does."""
        focused = self._window.focusWidget()
        if focused is not None:
            middle, by_key = focused.rect().center(), QContextMenuEvent.Reason.Keyboard
            QApplication.sendEvent(focused, QContextMenuEvent(by_key, middle, focused.mapToGlobal(middle)))

    def _handle_escape(self) -> None:
        window = self._window
        if not window.play_now_controller.is_idle():
            window.play_now_bar.button.click()
        elif self._switch.currentIndex() == SKILL_VIEW and window.skill_view.is_working:
            window.skill_view.cancel()
        elif (
            not window.join_controller.handle_escape()
            and not window.filter_field.handle_escape()
            and not self._view.handle_escape()
            and not self._stop_waiting_for_slot()
        ):
            window.refresh_controller.stop()

    def _stop_waiting_for_slot(self) -> bool:
        """Stop waiting if the focus is where Escape means that; else return False.

        That is in the table, the Play Now bar or the bar of the wait.
        """
        window, table, focused = self._window, self._view.table, self._window.focusWidget()
        slot_wait = window.join_controller.slot_wait
        is_near = focused is not None and any(
            place is focused or place.isAncestorOf(focused)
            for place in (table, window.play_now_bar, slot_wait.notification_bar)
        )
        if slot_wait.notification_bar.isHidden() or not is_near:
            return False
        if focused is not table:
            window.play_now_bar.button.setFocus()
        slot_wait.stop_waiting()
        return True
