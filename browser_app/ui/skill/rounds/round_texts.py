"""How a round is written: its moment, its result, and why it is not rated."""

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from browser_app.language import gettext as _
from browser_app.language import later, ngettext
from browser_app.player.own_history import OwnHistory
from browser_app.ui.plots.moments import clock_time
from browser_app.ui.skill.numbers import points_words
from browser_app.ui.skill.round_marks import outcome_words
from browser_app.ui.skill.rounds.round_row import RoundRow
from browser_app.ui.texts import UNKNOWN, thousands

_COUNTS = {1.0: later("{n} won"), 0.0: later("{n} lost"), 0.5: later("{n} drawn")}
_REASONS: Mapping[str, str] = {
    "no outcome yet": later("no outcome yet"),
    "one side empty": later("one side empty"),
    "other than two teams": later("other than two teams"),
    "fewer than two players are eligible": later("fewer than two players are eligible"),
}
_WITH_A_VALUE = (
    (re.compile(r"shorter than (?P<value>.+) s"), later("shorter than {value} s")),
    (re.compile(r"the mode (?P<value>.*) is not rated"), later("the mode {value} is not rated")),
)
"""The rating module's reasons, as it words them."""


def time_of(moment: float) -> str:
    """`22:15`."""
    return clock_time(moment)


def result_word(row: RoundRow) -> str:
    """`won`; why it is not rated where nothing else is known."""
    return reason_words(row.why) or UNKNOWN if row.outcome is None else outcome_words(row.outcome)


def reason_words(why: str) -> str:
    """Why a round is not rated, in the language in use; the system's own words where they are not known here."""
    for pattern, words in _WITH_A_VALUE:
        if match := pattern.fullmatch(why):
            return _(words).format(value=match["value"])
    return _(_REASONS.get(why, why))


def size_text(row: RoundRow) -> str:
    """`7 v 7`."""
    return _("{mine} v {others}").format(mine=row.size_mine, others=row.size_other)


def summary(history: OwnHistory, passes: NDArray[np.bool_]) -> str:
    """`31 of 214 rounds: 18 won, 12 lost, 1 drawn; 16.4 wins were expected.`."""
    outcome, chance = history.outcome[passes], history.probability[passes]
    n, total = int(passes.sum()), len(history)
    text = ngettext("{n} of {total} round", "{n} of {total} rounds", total).format(
        n=thousands(n), total=thousands(total)
    )
    known = [(word, int((outcome == value).sum())) for value, word in _COUNTS.items()]
    counts = ", ".join(_(word).format(n=thousands(count)) for word, count in known if count)
    if not counts:
        return f"{text}."
    told = ~np.isnan(chance) & ~np.isnan(outcome)
    expected = points_words(float(chance[told].sum()), 1)
    words = _("{rounds}: {counts}; {wins} wins were expected.")
    return words.format(rounds=text, counts=counts, wins=expected)
