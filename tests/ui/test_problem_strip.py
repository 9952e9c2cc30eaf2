"""The strip of what went wrong: the first lines, how many more, and nothing twice."""

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from browser_app.ui.skill.problem_strip import MOST, ProblemStrip
from browser_app.ui.theme import Theme


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a screen reader is told to say."""
    said: list[str] = []

    def say(event: QAccessibleAnnouncementEvent) -> None:
        said.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", say)
    return said


def test_what_is_shown_is_spoken_and_the_rest_is_counted(qtbot: QtBot, qapp: QApplication, spoken: list[str]) -> None:
    strip = ProblemStrip(Theme(qapp, "light"))
    qtbot.addWidget(strip)
    lines = [f"{number}.json: is not JSON" for number in range(MOST + 1000)]
    for line in [*lines, *lines]:  # a watched folder tells each of them again
        strip.add(line)
    assert strip.text() == "\n".join([*lines[:MOST], "and 1000 more"])
    assert spoken == lines[:MOST]
    strip.clear()
    assert (strip.text(), strip.isHidden()) == ("", True)
    strip.add(lines[0])
    assert spoken[-1] == strip.text() == lines[0]
