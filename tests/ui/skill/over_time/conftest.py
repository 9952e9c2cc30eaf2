"""Fixtures for the page Over time."""

import pytest
from over_time_helpers import FakeOverlayModel, history, open_page, state_of
from pytestqt.qtbot import QtBot

from browser_app.ui.skill.over_time.over_time_page import OverTimePage
from browser_app.ui.widgets.theme import Theme


@pytest.fixture
def skill_model() -> FakeOverlayModel:
    """Return a model with a history of 214 rounds."""
    return FakeOverlayModel(state_of(history()))


@pytest.fixture
def page(theme: Theme, skill_model: FakeOverlayModel, qtbot: QtBot) -> OverTimePage:
    """Return the page, shown with that history."""
    return open_page(theme, skill_model, qtbot)
