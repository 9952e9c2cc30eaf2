"""Texts about a round's result, size and missing rating."""

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from browser_app.catalogue.server_value_text import UNKNOWN_VALUE
from browser_app.language import N_, ngettext
from browser_app.language import gettext as _
from browser_app.player.own_history import OwnHistory
from browser_app.ui.skill.outcome_marker import DRAWN, LOST, WON, outcome_counts_text, outcome_text
from browser_app.ui.skill.rating_format import format_points
from browser_app.ui.skill.rounds.rounds_table_rows import RoundsTableRow
from browser_app.ui.widgets.value_text import clock_time_text, thousands_text

_REASONS: Mapping[str, str] = {
    "no outcome yet": N_("no result yet"),
    "one side empty": N_("one side empty"),
    "other than two teams": N_("not exactly two teams"),
    "fewer than two players are eligible": N_("fewer than two eligible players"),
}
_REASON_PATTERNS = (
    (re.compile(r"shorter than (?P<value>.+) s"), N_("shorter than {value} s")),
    (re.compile(r"the mode (?P<value>.*) is not rated"), N_("mode {value} is not rated")),
)
"""Patterns of reasons from the rating package that contain a value."""


def round_time_text(moment: float) -> str:
    """Return `22:15`."""
    return clock_time_text(moment)


def result_text(row: RoundsTableRow) -> str:
    """Return `won` and the like, or why the round is not rated."""
    return (
        unrated_reason_text(row.unrated_reason) or UNKNOWN_VALUE if row.outcome is None else outcome_text(row.outcome)
    )


def unrated_reason_text(reason: str) -> str:
    """Return the translated reason why a round is not rated; an unknown reason unchanged."""
    for pattern, words in _REASON_PATTERNS:
        if match := pattern.fullmatch(reason):
            return _(words).format(value=match["value"])
    return _(_REASONS.get(reason, reason))


def team_sizes_text(row: RoundsTableRow) -> str:
    """Return `7 v 7`."""
    return _("{mine} v {others}").format(mine=row.size_mine, others=row.size_other)


def rounds_summary_text(history: OwnHistory, passes: NDArray[np.bool_]) -> str:
    """Return `31 of 214 rounds: 18 won, 12 lost, 1 drawn. 16.4 wins expected`."""
    outcome, chance = history.outcome[passes], history.probability[passes]
    n, total = int(passes.sum()), len(history)
    text = ngettext("{n} of {total} round", "{n} of {total} rounds", total).format(
        n=thousands_text(n), total=thousands_text(total)
    )
    won, lost, drawn = (int((outcome == value).sum()) for value in (WON, LOST, DRAWN))
    if not won + lost + drawn:
        return f"{text}."
    predicted = ~np.isnan(chance) & ~np.isnan(outcome)
    expected = format_points(float(chance[predicted].sum()), 1)
    words = _("{rounds}: {counts}. {wins} wins expected.")
    return words.format(rounds=text, counts=outcome_counts_text(won, lost, drawn), wins=expected)
