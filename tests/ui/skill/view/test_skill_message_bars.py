"""The strip of import problems: first lines, number of others, no repetition."""

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from browser_app.application.own_skill.skill_state import GameRecord
from browser_app.ui.skill.view.import_summary_bar import ImportSummaryBar
from browser_app.ui.skill.view.skill_message_bars import MAX_SHOWN_PROBLEMS, SkillProblemBar
from browser_app.ui.widgets.theme import Theme


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is announced to screen readers."""
    said: list[str] = []

    def say(event: QAccessibleAnnouncementEvent) -> None:
        said.append(event.message())

    monkeypatch.setattr(QAccessible, "updateAccessibility", say)
    return said


def test_announces_lines_and_counts_rest(qtbot: QtBot, qapp: QApplication, spoken: list[str]) -> None:
    strip = SkillProblemBar(Theme(qapp, "light"))
    qtbot.addWidget(strip)
    lines = [f"{number}.json: is not JSON" for number in range(MAX_SHOWN_PROBLEMS + 1000)]
    for line in [*lines, *lines]:  # a watched folder reports each line again
        strip.add_problem(line)
    assert strip.text() == "\n".join([*lines[:MAX_SHOWN_PROBLEMS], "and 1000 more"])
    assert spoken == [f"{line}." for line in lines[:MAX_SHOWN_PROBLEMS]]
    strip.clear()
    assert (strip.text(), strip.isHidden()) == ("", True)
    strip.add_problem(lines[0])
    assert strip.text() == lines[0]
    assert spoken[-1] == f"{lines[0]}."


def test_import_bar_shows_whose_rounds_came(qtbot: QtBot, theme: Theme) -> None:
    bar = ImportSummaryBar(theme)
    qtbot.addWidget(bar)
    bar.show_games([GameRecord("ns2", "Natural Selection 2", 10, 4)])
    bar.show_summary("8 rounds read, 8 new")  # from a watched folder
    assert bar.isHidden()
    bar.expect_import()
    bar.show_summary("8 rounds read, 8 new")
    assert bar.text() == "8 rounds read, 8 new."
    for own, hint in ((None, "8 rounds"), (0, "not found"), (3, "3 of them")):
        bar.show_games([GameRecord("ns2", "Natural Selection 2", 10, 4), GameRecord("xonotic", "Xonotic", 8, own)])
        assert hint in bar.text()
        assert "Natural" not in bar.text()
        assert bar.identity_button.isHidden() is (own != 0)
    bar.close_button.click()
    bar.show_games([GameRecord("xonotic", "Xonotic", 9, 3)])
    assert bar.isHidden()


def test_import_bar_says_that_no_new_round_is_the_users(qtbot: QtBot, theme: Theme) -> None:
    bar = ImportSummaryBar(theme)
    qtbot.addWidget(bar)
    bar.show_games([GameRecord("ns2", "Natural Selection 2", 10, 4)])
    bar.expect_import()
    bar.show_summary("1 round read, 1 new")
    bar.show_games([GameRecord("ns2", "Natural Selection 2", 11, 4, is_counted=False)])  # of the rounds before
    assert "not found" not in bar.text()
    bar.show_games([GameRecord("ns2", "Natural Selection 2", 11, 4)])
    assert bar.text().endswith("11 rounds now, 4 of them yours. You were not found in the new ones.")
    assert not bar.identity_button.isHidden()
    bar.show_games([GameRecord("ns2", "Natural Selection 2", 11, 5)])
    assert bar.text().endswith("11 rounds now, 5 of them yours.")
    assert bar.identity_button.isHidden()
