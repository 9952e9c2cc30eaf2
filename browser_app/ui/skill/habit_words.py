"""How habits are written: what they have in common, and whether luck explains them."""

from collections.abc import Mapping

from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.player.habits import Habit, Kind, Verdict
from browser_app.ui.skill.team_titles import team_title
from browser_app.ui.texts import MINUS, thousands

KINDS: Mapping[Kind, str] = {
    "map": later("Maps"),
    "team": later("Teams"),
    "hour": later("Hours of the day"),
    "mate": later("Team mates"),
    "rival": later("Rivals"),
}
"""In the order in which they are shown."""
_VERDICTS: Mapping[Verdict, tuple[str, str]] = {
    "good": (later("good, not luck"), later("Luck does not explain it, even among so many rows.")),
    "bad": (later("bad, not luck"), later("Luck does not explain it, even among so many rows.")),
    "lucky": (later("lucky, perhaps"), later("Among so many rows one looks like this by luck.")),
    "unlucky": (later("unlucky, perhaps"), later("Among so many rows one looks like this by luck.")),
    "as expected": (later("as expected"), later("Luck alone reaches this 9 times in 10.")),
    "too few": (later("too few rounds"), later("With so few rounds luck alone reaches everything.")),
}


def habit_title(habit: Habit) -> str:
    """A row's name: an hour as a span of time, everything else as it is called."""
    if habit.kind == "hour":
        hour = int(habit.name)
        return _("{first}:00 to {last}:00").format(first=hour, last=(hour + 1) % 24)
    if habit.kind == "team":
        return team_title(habit.title)
    return habit.title or _("unknown")


def wins_text(wins: float) -> str:
    """`30`, `16.5`: a draw counts half a win."""
    return thousands(int(wins)) if wins == int(wins) else f"{wins:.1f}"


def over_text(habit: Habit) -> str:
    """`+9.6`: wins above what was expected."""
    over = habit.wins - habit.expected
    return f"{MINUS if over < -0.05 else '+' if over > 0.05 else ''}{abs(over):.1f}"


def verdict_text(verdict: Verdict) -> str:
    """In a few words."""
    return _(_VERDICTS[verdict][0])


def verdict_reason(verdict: Verdict) -> str:
    """In a sentence."""
    return _(_VERDICTS[verdict][1])


def range_text(habit: Habit) -> str:
    """What luck alone makes of these rounds."""
    words = _("luck alone makes {low} to {high} of {n}, {expected} expected, {wins} won")
    return words.format(
        low=f"{habit.low:.1f}",
        high=f"{habit.high:.1f}",
        n=thousands(habit.rounds),
        expected=f"{habit.expected:.1f}",
        wins=wins_text(habit.wins),
    )
