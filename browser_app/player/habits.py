"""With whom, where and when somebody wins more or less than the ratings expect: luck told from habit.

Each round had a chance that was said before it; their sum is what was to be expected against the very teams that there
were. What counts is whether the wins stray from that further than luck does (`luck`). Among fifty maps and friends
five stray into a tail of one in ten by luck alone, so a row is called a habit only if it stays out of luck's reach with
all rows of its kind in mind: of those that are named at most one in ten is expected to be luck after all. Rows that
could not be named however they had ended are none of that number (R. E. Tarone, Biometrics 46, 1990).

Drawn rounds are left out: the chances are those of winning if nobody draws.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from browser_app.player.company import company_of
from browser_app.player.luck import Luck, discoveries, luck
from browser_app.player.own_history import OwnHistory
from browser_app.rating.record import Floats, Ints, Record

Kind: TypeAlias = Literal["map", "team", "hour", "mate", "rival"]
Verdict: TypeAlias = Literal["good", "bad", "lucky", "unlucky", "as expected", "too few"]

RATE = 0.1
"""A row alone is out of the ordinary from here; so much of what is named may be luck."""
LEAST_TOGETHER = 10
"""Other players are listed from so many rounds on."""
_QUARTER_S = 900.0


@dataclass(frozen=True, slots=True)
class Habit:
    """Rounds that have something in common.

    Attributes:
        kind: what. name: map, team, hour of the day ("0" to "23", local time), or the other player's id.
        title: what to show: the player's name; else ``name``.
        rounds: rated rounds of this kind that were won or lost.
        expected: wins that the chances said before these rounds add up to.
        wins: what they became.
        low, high: wins that luck alone reaches, 9 times in 10.
        chance: how likely luck alone strays at least so far to either side (two-sided), 0 to 1.
        verdict: "good" or "bad" where luck is no explanation, minding how many rows were looked at; "lucky" or
            "unlucky" where the row alone would look so, but among so many rows some do by luck; else "as expected";
            "too few" where even all won, or all lost, would have been within luck's reach.
    """

    kind: Kind
    name: str
    title: str
    rounds: int
    expected: float
    wins: float
    low: float
    high: float
    chance: float
    verdict: Verdict


def habits_of(
    history: OwnHistory, record: Record, hour_of: Callable[[float], int] = lambda at: time.localtime(at).tm_hour
) -> list[Habit]:
    """All kinds, each with most rounds first; hours from 0 on.

    Args:
        history: the player's.
        record: that it is of; it knows who else was there.
        hour_of: the hour of the day at a time (seconds since 1970).
    """
    rows = np.flatnonzero((~np.isnan(history.probability)) & ((history.outcome == 1.0) | (history.outcome == 0.0)))
    if not len(rows):
        return []
    chance, won = history.probability[rows], history.outcome[rows]
    hours = [str(hour) for hour in range(24)]
    found = [
        *_habits("map", history.map[rows], history.maps, chance, won),
        *_habits("team", history.team[rows], history.teams, chance, won),
        *_habits("hour", _hours(history.started[rows], hour_of), hours, chance, won, by_size=False),
    ]
    place = np.full(len(history), -1, np.int32)
    place[rows] = np.arange(len(rows))
    company = company_of(history, record)
    there = place[company.row]
    for kind, mine in _SIDES:
        which = np.flatnonzero((company.mine == mine) & (there >= 0))
        who = np.where(_often(company.player[which]), company.player[which], -1).astype(np.int32)
        titles = [name or player for name, player in zip(record.player_names, record.player_ids, strict=True)]
        met = there[which]
        found += _habits(kind, who, record.player_ids, chance[met], won[met], titles)
    return found


_SIDES: tuple[tuple[Kind, bool], ...] = (("mate", True), ("rival", False))


def _often(player: Ints) -> NDArray[np.bool_]:
    return np.asarray(np.bincount(player, minlength=1)[player] >= LEAST_TOGETHER)


def _hours(started: Floats, hour_of: Callable[[float], int]) -> Ints:
    """No clock is set but at a full quarter of an hour."""
    quarters, which = np.unique(np.floor(started / _QUARTER_S), return_inverse=True)
    return np.array([hour_of(quarter * _QUARTER_S) for quarter in quarters.tolist()], np.int32)[which]


def _habits(
    kind: Kind,
    label: Ints,
    names: Sequence[str],
    chance: Floats,
    won: Floats,
    titles: Sequence[str] | None = None,
    *,
    by_size: bool = True,
) -> list[Habit]:
    """One row a label that occurs; −1 is none."""
    there = np.flatnonzero(label >= 0)
    label, chance, won = label[there], chance[there], won[there]
    count = np.bincount(label, minlength=len(names))
    labels = np.flatnonzero(count)
    if not len(labels):
        return []
    group = (np.cumsum(count > 0) - 1).astype(np.int32)[label]
    found = luck(group, chance, won, len(labels))
    size, wins = count[labels], np.bincount(group, won, len(labels)).astype(np.float64)
    could = np.flatnonzero(found.least <= RATE)
    named = np.zeros(len(labels), np.bool_)
    named[could] = discoveries(found.chance[could], RATE)
    order = np.argsort(-size, kind="stable") if by_size else np.arange(len(labels))
    columns = (labels, size, found.expected, wins, found.low, found.high, found.chance)
    rows = zip(*(column[order].tolist() for column in columns), _verdicts(found, wins, named)[order], strict=True)
    return [
        Habit(kind, names[label], (titles or names)[label], rounds, expected, came, low, high, luck_alone, verdict)
        for label, rounds, expected, came, low, high, luck_alone, verdict in rows
    ]


def _verdicts(found: Luck, wins: Floats, named: NDArray[np.bool_]) -> NDArray[np.object_]:
    """The `Verdict` of each row."""
    more, out = wins > found.expected, found.chance <= RATE
    cases = [found.least > RATE, named & more, named, out & more, out]
    verdicts: list[Verdict] = ["too few", "good", "bad", "lucky", "unlucky"]
    told: NDArray[np.object_] = np.full(len(wins), "as expected", object)
    for case, verdict in reversed(list(zip(cases, verdicts, strict=True))):
        told[case] = verdict
    return told
