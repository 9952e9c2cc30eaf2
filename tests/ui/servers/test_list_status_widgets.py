"""Page over an empty list."""

from dataclasses import replace

from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

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
