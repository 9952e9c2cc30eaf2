"""The columns of the leaderboard and their texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from browser_app.catalogue.server_value_text import UNKNOWN_VALUE
from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.ui.skill.leaderboard.leaderboard_rows import BY_RANK, LeaderboardRow
from browser_app.ui.skill.rating_format import estimate_mark, format_points

INTERVAL_COLUMN_WIDTH = 160


@dataclass(frozen=True, slots=True)
class LeaderboardColumn:
    """One column; `key` is also the sort key."""

    key: str
    title: str
    width: int
    text: Callable[[LeaderboardRow], str]
    align_right: bool = False
    stretch: bool = False
    drop_order: int = 0
    """Where space is short, columns with a number are hidden, the lowest first."""
    icon: str = ""
    accessible_value: Callable[[LeaderboardRow], str] | None = None
    """Text for screen readers, if it differs from the cell's."""

    @property
    def name(self) -> str:
        """Translated title."""
        return _(self.title)

    def accessible_text(self, row: LeaderboardRow) -> str:
        """Return the title and the value of a cell."""
        return _("{column} {value}").format(column=self.name, value=(self.accessible_value or self.text)(row))


def _accessible_name(row: LeaderboardRow) -> str:
    if row.is_own:
        return _("{player}, you").format(player=row.name)
    return _("{player}, friend").format(player=row.name) if row.is_friend else row.name


def sd_text(row: LeaderboardRow) -> str:
    """Return `84`, `≈ 84` for an estimate, or `–`."""
    mark = estimate_mark(row.has_estimated_sd)
    return UNKNOWN_VALUE if row.sd is None else mark + format_points(row.sd, row.decimals)


def interval_text(row: LeaderboardRow) -> str:
    """Return the 90 % interval of the rating, marked if estimated."""
    if row.interval.low is None or row.interval.high is None:
        return _("unknown")
    mark = estimate_mark(row.has_estimated_sd)
    low, high = (mark + format_points(each, row.decimals) for each in (row.interval.low, row.interval.high))
    return _("{low} to {high}").format(low=low, high=high)


RANGE_COLUMN = "range"
LEADERBOARD_COLUMNS: Sequence[LeaderboardColumn] = (
    LeaderboardColumn(BY_RANK, N_("Rank"), 64, lambda row: integer_text(row.rank), align_right=True),
    LeaderboardColumn("name", N_("Player"), 240, lambda row: row.name, accessible_value=_accessible_name),
    LeaderboardColumn(
        "rating", N_("Rating"), 84, lambda row: format_points(row.rating, row.decimals), align_right=True
    ),
    LeaderboardColumn("sd", N_("Uncertainty"), 96, sd_text, align_right=True),
    LeaderboardColumn("rounds", N_("Rounds"), 72, lambda row: integer_text(row.rounds), align_right=True, drop_order=2),
    LeaderboardColumn(RANGE_COLUMN, N_("90 % range"), INTERVAL_COLUMN_WIDTH, interval_text, stretch=True, drop_order=1),
)
