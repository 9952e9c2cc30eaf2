"""Texts about a round's result, size and missing rating."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from browser_app.catalogue.server_value_text import UNKNOWN_VALUE
from browser_app.language import N_, ngettext
from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.player.own_history import OwnHistory
from browser_app.ui.skill.outcome_marker import DRAWN, LOST, WON, outcome_counts_text, outcome_text
from browser_app.ui.skill.rating_format import format_points
from browser_app.ui.skill.rounds.rounds_table_rows import RoundsTableRow

_REASONS: Mapping[str, str] = {
    "no_outcome": N_("no result yet"),
    "one_side_empty": N_("one side empty"),
    "not_two_teams": N_("not exactly two teams"),
    "too_few_players": N_("fewer than two eligible players"),
    "too_short": N_("shorter than {value} s"),
    "mode_not_rated": N_("mode {value} is not rated"),
}
"""Texts by `SkipReason`, whose package is not loaded at start."""


def result_text(row: RoundsTableRow) -> str:
    """Return `won` and the like, or why the round is not rated."""
    if row.outcome is not None:
        return outcome_text(row.outcome)
    return unrated_reason_text(row.unrated_reason) or UNKNOWN_VALUE


def unrated_reason_text(reason: str) -> str:
    """Return the text of a `SkipReason` with its value; empty if there is none."""
    key, _colon, value = reason.partition(":")
    return _(_REASONS[key]).format(value=value) if key else ""


def team_sizes_text(row: RoundsTableRow) -> str:
    """Return `7 v 7`."""
    return _("{mine} v {others}").format(mine=row.size_mine, others=row.size_other)


def rounds_summary_text(history: OwnHistory, passes: NDArray[np.bool_]) -> str:
    """Return `31 of 214 rounds: 18 won, 12 lost, 1 drawn. 16.4 wins expected`."""
    outcome, chance = history.outcome[passes], history.probability[passes]
    n, total = int(passes.sum()), len(history)
    text = ngettext("{n} of {total} round", "{n} of {total} rounds", total).format(
        n=integer_text(n), total=integer_text(total)
    )
    won, lost, drawn = (int((outcome == value).sum()) for value in (WON, LOST, DRAWN))
    if not won + lost + drawn:
        return f"{text}."
    predicted = ~np.isnan(chance) & ~np.isnan(outcome)
    expected = format_points(float(chance[predicted].sum()), 1)
    words = _("{rounds}: {counts}. {wins} wins expected.")
    return words.format(rounds=text, counts=outcome_counts_text(won, lost, drawn), wins=expected)
