"""The columns of the habits table and their texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.number_text import MINUS, decimal_text, integer_text
from browser_app.player.habits import Habit, HabitKind, HabitVerdict
from browser_app.ui.skill.rating_format import team_title

HABIT_GROUP_TITLES: Mapping[HabitKind, str] = {
    "map": N_("Maps"),
    "team": N_("Teams"),
    "hour": N_("Time of day"),
    "teammate": N_("Teammates"),
    "opponent": N_("Opponents"),
}
"""In display order."""
_VERDICT_TEXTS: Mapping[HabitVerdict, tuple[str, str]] = {
    "good": (N_("clearly good"), N_("Unlikely to be luck, even with this many rows compared.")),
    "bad": (N_("clearly bad"), N_("Unlikely to be luck, even with this many rows compared.")),
    "lucky": (N_("possibly luck"), N_("With this many rows, some look like this by chance.")),
    "unlucky": (N_("possibly bad luck"), N_("With this many rows, some look like this by chance.")),
    "as expected": (N_("as expected"), N_("Within the 90 % range of pure luck.")),
    "too few": (N_("too few rounds"), N_("Too few rounds to rule out luck.")),
}


def habit_title(habit: Habit) -> str:
    """Return the name of a row; an hour is written as a range."""
    if habit.kind == "hour":
        hour = int(habit.name)
        return _("{first}:00 to {last}:00").format(first=hour, last=(hour + 1) % 24)
    if habit.kind == "team":
        return team_title(habit.title)
    return habit.title or _("unknown")


def wins_text(wins: float) -> str:
    """Return `30` or `16.5`; a draw counts as half a win."""
    return integer_text(wins) if wins == int(wins) else decimal_text(wins, 1)


def difference_text(habit: Habit) -> str:
    """Return `+9.6`, the wins above the expected ones."""
    over = habit.wins - habit.expected
    return f"{MINUS if over < -0.05 else '+' if over > 0.05 else ''}{decimal_text(abs(over), 1)}"


def verdict_text(verdict: HabitVerdict) -> str:
    """Return the verdict in a few words."""
    return _(_VERDICT_TEXTS[verdict][0])


def verdict_reason(verdict: HabitVerdict) -> str:
    """Return the reason of the verdict as a sentence."""
    return _(_VERDICT_TEXTS[verdict][1])


def luck_interval_text(habit: Habit) -> str:
    """Return the range of wins that pure luck would give."""
    words = _("by luck alone {low} to {high} of {n}, {expected} expected, {wins} won")
    return words.format(
        low=decimal_text(habit.low, 1),
        high=decimal_text(habit.high, 1),
        n=integer_text(habit.rounds),
        expected=decimal_text(habit.expected, 1),
        wins=wins_text(habit.wins),
    )


INTERVAL_WIDTH = 196


@dataclass(frozen=True, slots=True)
class HabitTableColumn:
    """One column of the habits table.

    Attributes:
        drop_order: where space is short, columns with a number are hidden, the lowest first.
        sort_key: rows are sorted by it, ascending.
        accessible_value: text for screen readers; None for the cell's text.
    """

    key: str
    title: str
    width: int
    text: Callable[[Habit], str]
    sort_key: Callable[[Habit], Any]
    align_right: bool = False
    stretch: bool = False
    drop_order: int = 0
    is_bold: bool = False
    icon: str = ""
    accessible_value: Callable[[Habit], str] | None = None

    @property
    def name(self) -> str:
        """Translated title."""
        return _(self.title)

    def accessible_text(self, habit: Habit) -> str:
        """Return the title and the value of a cell."""
        return _("{column} {value}").format(column=self.name, value=(self.accessible_value or self.text)(habit))


def _name_sort_key(habit: Habit) -> tuple[int, str]:
    """Sort hours by the clock, everything else alphabetically."""
    return (int(habit.name), "") if habit.kind == "hour" else (0, habit.title.casefold())


def _number_column(
    key: str,
    title: str,
    width: int,
    value: Callable[[Habit], float],
    text: Callable[[Habit], str],
    *,
    is_bold: bool = False,
    drop_order: int = 0,
) -> HabitTableColumn:
    return HabitTableColumn(
        key,
        title,
        width,
        text,
        lambda each: -value(each),
        align_right=True,
        is_bold=is_bold,
        drop_order=drop_order,
    )


HABIT_COLUMNS: Sequence[HabitTableColumn] = (
    HabitTableColumn("name", N_("Name"), 200, habit_title, _name_sort_key),
    _number_column("rounds", N_("Rounds"), 72, lambda each: each.rounds, lambda each: integer_text(each.rounds)),
    _number_column(
        "expected",
        N_("Expected"),
        84,
        lambda each: each.expected,
        lambda each: decimal_text(each.expected, 1),
        drop_order=1,
    ),
    _number_column(
        "won", N_("Won"), 72, lambda each: each.wins, lambda each: wins_text(each.wins), is_bold=True, drop_order=2
    ),
    _number_column("over", N_("Diff."), 72, lambda each: each.wins - each.expected, difference_text),
    HabitTableColumn(
        "range",
        N_("Share, 0 to 100 %"),
        INTERVAL_WIDTH,
        luck_interval_text,
        lambda each: -each.wins / each.rounds if each.rounds else 0.0,
        stretch=True,
        drop_order=3,
    ),
    HabitTableColumn(
        "verdict",
        N_("Verdict"),
        150,
        lambda each: verdict_text(each.verdict),
        lambda each: each.p_value,
        accessible_value=lambda each: f"{verdict_text(each.verdict)}. {verdict_reason(each.verdict)}",
    ),
)
