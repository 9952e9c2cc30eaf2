"""The columns of the habits' table: one declaration each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.player.habits import Habit
from browser_app.ui.skill.habit_words import (
    habit_title,
    over_text,
    range_text,
    verdict_reason,
    verdict_text,
    wins_text,
)
from browser_app.ui.texts import thousands

BAR = 196


@dataclass(frozen=True, slots=True)
class HabitColumn:
    """One column. `order` is what it sorts by, ascending; `told` is said in place of the text."""

    key: str
    title: str
    width: int
    text: Callable[[Habit], str]
    order: Callable[[Habit], Any]
    right: bool = False
    stretch: bool = False
    strong: bool = False
    icon: str = ""
    told: Callable[[Habit], str] | None = None

    @property
    def name(self) -> str:
        """The title in the language in use."""
        return _(self.title)

    def spoken(self, habit: Habit) -> str:
        """What the cell says: the column and its value."""
        return _("{column} {value}").format(column=self.name, value=(self.told or self.text)(habit))


def _by_name(habit: Habit) -> tuple[int, str]:
    """Hours by the clock, everything else by its letters."""
    return (int(habit.name), "") if habit.kind == "hour" else (0, habit.title.casefold())


COLUMNS: Sequence[HabitColumn] = (
    HabitColumn("name", later("Name"), 200, habit_title, _by_name),
    HabitColumn(
        "rounds", later("Rounds"), 72, lambda each: thousands(each.rounds), lambda each: -each.rounds, right=True
    ),
    HabitColumn(
        "expected",
        later("Expected"),
        84,
        lambda each: f"{each.expected:.1f}",
        lambda each: -each.expected,
        right=True,
    ),
    HabitColumn(
        "won", later("Won"), 72, lambda each: wins_text(each.wins), lambda each: -each.wins, right=True, strong=True
    ),
    HabitColumn("over", later("Above"), 72, over_text, lambda each: each.expected - each.wins, right=True),
    HabitColumn(
        "range",
        later("Of the rounds, 0 to 100 %"),
        BAR,
        range_text,
        lambda each: -each.wins / each.rounds if each.rounds else 0.0,
        stretch=True,
    ),
    HabitColumn(
        "verdict",
        later("Verdict"),
        150,
        lambda each: verdict_text(each.verdict),
        lambda each: each.chance,
        told=lambda each: f"{verdict_text(each.verdict)}. {verdict_reason(each.verdict)}",
    ),
)
