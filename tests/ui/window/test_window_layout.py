"""Panels and views of the window, and what moves no row."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from window_helpers import COLUMN_INDEX, AppDriver, OpenApp

from browser_app.storage.setting_declarations import INSPECTOR_PLACE
from browser_app.ui.lists.server_list_sidebar import SIDEBAR_WIDTH
from browser_app.ui.servers.list_status_text import (
    ListStatusText,
)
from browser_app.ui.widgets.basic_widgets import SCROLL_BAR_THICKNESS
from browser_app.ui.widgets.sidebar_parts import COLLAPSED_SIDEBAR_WIDTH

CTRL = Qt.KeyboardModifier.ControlModifier


def test_sidebar_fits_game_names(app: AppDriver) -> None:
    titles = [item.title for item in app.window.servers_view.sidebar.items()] + ["Natural Selection 2"]
    count, title = (QFontMetrics(app.program.theme.font(size)) for size in (12, 13))
    list_width = app.window.servers_view.sidebar.view.viewport().width() - SCROLL_BAR_THICKNESS
    free_width = list_width - 12 - 16 - count.horizontalAdvance("999")
    assert max(map(title.horizontalAdvance, titles)) <= free_width
    assert not app.table.header.isSectionHidden(COLUMN_INDEX["mode"])


def test_banner_moves_no_row_under_the_pointer(app: AppDriver) -> None:
    app.window.resize(1280, 460)
    QApplication.processEvents()
    banner, row = app.window.servers_view.list_banner, 5
    app.point_at(row)
    before = app.table.viewport().mapToGlobal(app.cell(row, "name"))
    for status in (ListStatusText("clock", "No network", "Showing saved servers"), None):
        banner.show_status(status)
        QApplication.processEvents()
        assert banner.isVisible() is (status is not None)
        assert app.table.viewport().mapToGlobal(app.cell(row, "name")) == before


def test_window_fits_the_screen(open_app: OpenApp) -> None:
    app = open_app(shown=False)
    app.window.resize(4000, 3000)
    app.program.show()
    screen = app.window.screen().availableSize()
    assert app.window.width() <= screen.width()
    assert app.window.height() <= screen.height()


def test_message_moves_no_row(app: AppDriver) -> None:
    bar = app.window.help_controller.notification_bar
    before = app.table.viewport().mapToGlobal(app.cell(0, "name"))
    bar.show_message("Something went wrong.", "It goes on.")
    app.wait(lambda: bar.height() > 0 and app.window.rect().contains(bar.geometry()))
    QApplication.processEvents()
    assert app.table.viewport().mapToGlobal(app.cell(0, "name")) == before


def test_narrow_window_collapses_panels(open_app: OpenApp) -> None:
    app = open_app(size=(900, 560))
    view = app.window.servers_view
    assert not view.inspector.isVisible()
    assert view.sidebar.width() == COLLAPSED_SIDEBAR_WIDTH
    app.wait(
        lambda: view.inspector_handle.text().endswith(f"{app.catalogue.score[app.table.selected_server()]:.2f}"),
    )
    app.bot.mouseClick(view.inspector_handle, Qt.MouseButton.LeftButton)
    assert view.inspector.isVisible()
    app.press(Qt.Key.Key_L, CTRL)
    assert view.sidebar.width() == SIDEBAR_WIDTH
    app.window.resize(1280, 800)
    QApplication.processEvents()
    app.bot.mouseClick(view.sidebar.collapse_button, Qt.MouseButton.LeftButton)
    assert view.sidebar.width() == COLLAPSED_SIDEBAR_WIDTH
    app.end()
    assert open_app().window.servers_view.sidebar.is_collapsed


def test_map_comes_before_explanation(open_app: OpenApp) -> None:
    app = open_app(size=(1099, 640))
    view = app.window.servers_view
    assert view.inspector_handle.isVisible()
    assert not app.table.isColumnHidden(COLUMN_INDEX["map"])
    app.window.resize(1100, 640)
    QApplication.processEvents()
    assert view.inspector.isVisible()


def test_collapsed_sidebar_keeps_games_and_filters(open_app: OpenApp) -> None:
    app = open_app(size=(900, 560))
    sidebar = app.window.servers_view.sidebar
    app.program.storage.saved_filters.save("CTF near me", "ping<80")
    items = sidebar.items()
    shown = {item.key for place, item in enumerate(items) if not sidebar.view.isRowHidden(place)}
    assert sidebar.is_collapsed
    assert shown == {item.key for item in items if item.key}
    assert {"game:openarena", "saved:CTF near me"} <= shown
    openarena = next(item for item in items if item.key == "game:openarena")
    assert openarena.short_title == "OA"


def test_ctrl_1_and_2_switch_views(app: AppDriver) -> None:
    app.press(Qt.Key.Key_2, CTRL)
    assert app.window.views.currentIndex() == 1
    assert app.window.view_switch.currentIndex() == 1
    app.press(Qt.Key.Key_1, CTRL)
    assert app.table.isVisible()
    app.press(Qt.Key.Key_2, CTRL)
    app.press(Qt.Key.Key_F, CTRL)
    assert app.window.filter_field.hasFocus() or app.window.focusWidget().accessibleName() == "Filter"


def test_inspector_below_table(app: AppDriver) -> None:
    view, settings = app.window.servers_view, app.program.settings
    inspector = view.inspector
    width = view.table.width()
    settings.set(INSPECTOR_PLACE, "below")
    app.wait(lambda: view.table.width() > width + 200)
    app.wait(lambda: inspector.mapTo(view, QPoint(0, 0)).y() > view.empty_page.pane.geometry().bottom())
    assert inspector.width() == view.table.width()
    app.window.resize(1280, 500)
    app.wait(lambda: not inspector.isVisible())
    assert view.inspector_handle.isVisible()
    app.window.resize(900, 800)  # beside the table it would be collapsed
    app.wait(inspector.isVisible)
    settings.set(INSPECTOR_PLACE, "right")
    app.wait(lambda: not inspector.isVisible())
    app.window.resize(1280, 800)
    app.wait(lambda: inspector.isVisible() and view.table.width() == width)
