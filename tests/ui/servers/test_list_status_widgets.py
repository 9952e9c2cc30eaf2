"""Page over an empty list."""

from dataclasses import replace

from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from browser_app.ui.filters.filter_chip_bar import FilterChipState
from browser_app.ui.servers.list_status_text import REFRESH_ACTION, ListStatusText
from browser_app.ui.servers.list_status_widgets import EmptyListPage
from browser_app.ui.widgets.theme import Theme


def test_page_does_not_jump_while_it_tries_again(qtbot: QtBot, theme: Theme) -> None:
    page = EmptyListPage(theme, QTableView())
    qtbot.addWidget(page.pane)
    page.pane.resize(600, 500)
    page.pane.show()
    offline = ListStatusText("off", "No network connection", "Check it.", ("Try again", REFRESH_ACTION))

    def headline_top(status: ListStatusText) -> int:
        page.show_status(status, 0)
        qtbot.wait(1)  # lays the page out
        return page._headline_label.y()

    before = headline_top(offline)
    assert headline_top(replace(offline, action=None)) == before
    assert page.action_button.isHidden()
    assert headline_top(offline) == before
    assert headline_top(ListStatusText("lan", "Searching the local network…", "Check it.")) > before


def test_low_page_shows_what_matters_most(qtbot: QtBot, theme: Theme) -> None:
    page = EmptyListPage(theme, QTableView())
    qtbot.addWidget(page.pane)
    page.pane.resize(600, 500)
    page.pane.show()
    chips = (FilterChipState("text", "xon", on=True, number=199),)
    page.show_status(
        ListStatusText("filter", "No server matches", "Each line …", ("Clear", "clear"), filters=chips, note="Note"), 0
    )
    parts = {
        "headline": page._headline_label,
        "action": page.action_button,
        "filters": page._filter_box,
        "reason": page._reason_label,
        "icon": page._icon_mark,
        "note": page._note_label,
    }

    def visible_parts(height: int) -> list[str]:
        page.pane.resize(600, height)
        qtbot.wait(1)  # lays the page out
        visible = {name: part for name, part in parts.items() if part.isVisible()}
        assert all(part.height() >= part.minimumSizeHint().height() for part in visible.values())
        return list(visible)

    assert visible_parts(500) == list(parts)
    assert visible_parts(160) == ["headline", "action", "filters", "reason"]
    assert visible_parts(110) == ["headline", "action"]
    assert visible_parts(500) == list(parts)
