"""Dialogs and menus are freed when closed; use leaves no objects behind."""

import gc
from collections import Counter
from collections.abc import Callable, Mapping

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtWidgets import QApplication, QWidget
from window_dialogs import server_dialogs
from window_helpers import AppDriver

from browser_app.ui.inspector.inspector_pages import INSPECTOR_PAGES
from browser_app.ui.lists.server_list_membership import FRIENDS_LIST


def menus(app: AppDriver) -> Mapping[str, Callable[[], object]]:
    """Return what opens each menu and popup of the Servers view."""
    window, view, where = app.window, app.window.servers_view, QPoint(60, 60)
    return {
        "master servers": window.status_bar.masters_button.click,
        "Play Now": lambda: window.play_now_bar.button.menu_requested.emit(where),
        "overflow": window.overflow_button.click,
        "columns": lambda: app.table.header.customContextMenuRequested.emit(where),
        "row": lambda: app.table.server_menu_requested.emit(app.servers()[1], where),
        "list": lambda: view.sidebar.list_menu_requested.emit(FRIENDS_LIST, where),
        "ping filter": lambda: view.chip_bar.chip_pressed.emit("ping"),
        "game filter": lambda: view.chip_bar.chip_pressed.emit("game"),
    }


def opened() -> QWidget | None:
    """Return the open popup or dialog."""
    return QApplication.activePopupWidget() or QApplication.activeModalWidget()


def wrappers_after(app: AppDriver, opened_by: Mapping[str, Callable[[], object]]) -> Counter[str]:
    """Open and close everything; count the living wrappers of Qt objects by class."""
    for name, opens in opened_by.items():
        opens()
        app.wait(opened)
        shown = opened()
        assert shown is not None, name
        shown.close()
        app.wait(lambda: opened() is None)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    return Counter(type(each).__name__ for each in shiboken6.getAllValidWrappers())


def test_closed_dialogs_and_menus_are_freed(app: AppDriver) -> None:
    opened_by = {**server_dialogs(app), **menus(app)}
    app.window.servers_view.filter_controller.set_filter("text", "players>1")  # so that there is one to save
    before, widgets = wrappers_after(app, opened_by), len(QApplication.allWidgets())
    assert wrappers_after(app, opened_by) - before == Counter()
    assert len(QApplication.allWidgets()) <= widgets


def living_objects() -> Counter[str]:
    """Count the objects of Qt, the window and the catalogue, by type."""
    gc.collect()
    types = Counter(type(each) for each in gc.get_objects())
    return Counter({f"{kind.__module__}.{kind.__name__}": n for kind, n in types.items() if is_of_window(kind)})


def is_of_window(kind: type) -> bool:
    return str(kind.__module__).startswith(("PySide6.", "browser_app.ui.", "browser_app.catalogue."))


def use_list(app: AppDriver) -> None:
    """Filter and sort the list, and show all pages of the selected server."""
    view = app.window.servers_view
    for text in ("players>1", ""):
        view.filter_controller.set_filter("text", text)
    for column in ("ping", "name", "score"):
        view.server_order.set_sort_column(column)
    for spec in (*INSPECTOR_PAGES[1:], INSPECTOR_PAGES[0]):
        view.inspector.show_page(spec.key)
    app.settle()


def test_use_of_list_leaves_no_objects(app: AppDriver) -> None:
    uses = 10
    use_list(app)  # caches fill
    before = living_objects()
    for _ in range(uses):
        use_list(app)
    assert {name: count for name, count in (living_objects() - before).items() if count >= uses} == {}
