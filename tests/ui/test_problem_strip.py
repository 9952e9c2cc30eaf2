"""The strip of what went wrong: the first lines, how many more, and nothing twice."""

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from browser_app.ui.skill.view.skill_message_bars import MAX_SHOWN_PROBLEMS, SkillProblemBar
from browser_app.ui.widgets.theme import Theme


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a screen reader is told to say."""
    said: list[str] = []

    def say(event: QAccessibleAnnouncementEvent) -> None:
        said.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", say)
    return said


def test_what_is_shown_is_spoken_and_the_rest_is_counted(qtbot: QtBot, qapp: QApplication, spoken: list[str]) -> None:
    strip = SkillProblemBar(Theme(qapp, "light"))
    qtbot.addWidget(strip)
    lines = [f"{number}.json: is not JSON" for number in range(MAX_SHOWN_PROBLEMS + 1000)]
    for line in [*lines, *lines]:  # a watched folder tells each of them again
        strip.add_problem(line)
    assert strip.text() == "\n".join([*lines[:MAX_SHOWN_PROBLEMS], "and 1000 more"])
    assert spoken == lines[:MAX_SHOWN_PROBLEMS]
    strip.clear()
    assert (strip.text(), strip.isHidden()) == ("", True)
    strip.add_problem(lines[0])
    assert spoken[-1] == strip.text() == lines[0]
