"""A view My Skill over a fake skill model."""

import pytest
from pytestqt.qtbot import QtBot
from skill_view_helpers import XONOTIC, FakeSkillModel, Open, SkillViewFixture, example_state

from browser_app.ui.widgets.theme import Theme


@pytest.fixture
def open_view(qtbot: QtBot, theme: Theme) -> Open:
    """Return what opens a view of the given state and games."""
    return lambda *panel: SkillViewFixture(qtbot, theme, FakeSkillModel(*panel))


@pytest.fixture
def skill(open_view: Open) -> SkillViewFixture:
    """Return a view of a player's rounds of two games."""
    first = example_state()
    return open_view(first, [first.game, XONOTIC])
