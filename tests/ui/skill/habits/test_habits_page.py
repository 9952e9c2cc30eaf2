"""The page Habits: groups, orders, filters and copying."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from skill_view_helpers import SkillViewFixture

from browser_app.player.habits import Habit
from browser_app.ui.skill.habits.habit_columns import verdict_reason
from browser_app.ui.skill.habits.habits_page import HabitsPage

CTRL = Qt.KeyboardModifier.ControlModifier


def rows(page: HabitsPage) -> list[str]:
    return [page.model.cell_text(place, 0) for place in range(page.model.rowCount())]


def test_habits_are_grouped_and_ordered(skill: SkillViewFixture) -> None:
    page = skill.habits
    assert rows(page) == [
        "Maps", "ns2_veil", "ns2_summit", "ns2_tram", "ns2_biodome",
        "Teams", "Marines", "Aliens",
        "Time of day", "20:00 to 21:00", "9:00 to 10:00",
        "Teammates", "moth", "LowTide",
        "Opponents", "harrow",
    ]  # fmt: skip
    verdict = page.model.columnCount() - 1
    assert page.model.cell_text(1, verdict) == "clearly good"
    assert verdict_reason("good") in page.model.cell_accessible_text(1, verdict)
    assert "15.2 to 25.7 of 41" in page.model.cell_accessible_text(1, verdict - 1)


def test_habits_sort_and_filter_within_groups(skill: SkillViewFixture) -> None:
    page = skill.habits
    page.table.header.sectionClicked.emit(0)
    assert rows(page)[:5] == ["Maps", "ns2_biodome", "ns2_summit", "ns2_tram", "ns2_veil"]
    assert rows(page)[8:11] == ["Time of day", "9:00 to 10:00", "20:00 to 21:00"]
    page.table.header.sectionClicked.emit(0)
    assert rows(page)[1] == "ns2_veil"
    page.min_rounds_menu.value_chosen.emit("1")
    assert "ns2_origin" in rows(page)
    page.min_rounds_menu.value_chosen.emit("50")
    assert rows(page) == ["Teams", "Marines", "Aliens", "Teammates", "moth", "Opponents", "harrow"]
    page.group_menu.value_chosen.emit("map")
    assert rows(page) == []
    assert page.note_label.text()
    page.min_rounds_menu.value_chosen.emit("5")
    assert rows(page)[0] == "Maps"
    assert len(rows(page)) == 5


def test_habits_keyboard_and_copy(skill: SkillViewFixture) -> None:
    page = skill.habits
    page.table.setFocus()
    assert page.table.currentIndex().row() == 1  # the first row is a title
    QTest.keyClick(page.table, Qt.Key.Key_C, CTRL)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0].split("\t")[:3] == ["Name", "Rounds", "Expected"]
    assert lines[2].split("\t")[:4] == ["ns2_veil", "41", "20.4", "30"]


def test_player_names_are_plain_text(skill: SkillViewFixture) -> None:
    page = skill.habits
    page._show_habits([Habit("teammate", "p1", "<b>moth</b>", 30, 15.0, 15.0, 11.0, 19.0, 1.0, "as expected")])
    index = page.model.index(1, 0)
    assert index.data() == "<b>moth</b>"
    assert "&lt;b&gt;" in index.data(Qt.ItemDataRole.ToolTipRole)
