"""The page Systems over a fake skill model."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from systems_helpers import FakeComparisonModel

from browser_app.ui.skill.systems.systems_page import SystemsPage
from browser_app.ui.widgets.theme import Theme


@pytest.fixture
def skill_model() -> FakeComparisonModel:
    """Return a model that computes nothing."""
    return FakeComparisonModel()


@pytest.fixture
def page(skill_model: FakeComparisonModel, qapp: QApplication, qtbot: QtBot) -> SystemsPage:
    """Return the page, shown."""
    page = SystemsPage(Theme(qapp, "light"), skill_model)
    qtbot.addWidget(page)
    qtbot.addWidget(page.header_controls())
    page.resize(1100, 900)
    page.show_data(skill_model.state)
    assert not skill_model.comparing  # nothing is calculated while hidden
    page.show()
    qtbot.waitExposed(page)
    return page
