"""The page Over time with a history of its own."""

import pytest
from over_time_rig import Panel, data, history, open_page
from pytestqt.qtbot import QtBot

from browser_app.ui.skill.over_time.over_time_page import OverTimePage
from browser_app.ui.widgets.theme import Theme


@pytest.fixture
def panel() -> Panel:
    """What the page is told, and who answers it."""
    return Panel(data(history()))


@pytest.fixture
def page(theme: Theme, panel: Panel, qtbot: QtBot) -> OverTimePage:
    """The page, shown with that."""
    return open_page(theme, panel, qtbot)
