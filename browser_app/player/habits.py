"""Habits: maps, teams, hours and co-players with more or fewer wins than expected.

Each round had a forecast chance; the chances add up to the expected wins against the teams that actually played. What
counts is whether the wins differ from that by more than luck explains. Of fifty maps and friends, five are in a tail of
one in ten by luck alone. So a row is called good or bad only if it remains significant among all rows of its kind: at
most one in ten of those is expected to be luck. Rows that could not be significant with any result are not
counted (R. E. Tarone, Biometrics 46, 1990).

Drawn rounds are left out: the chances are P(win | no draw).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from browser_app.player.co_players import find_co_players
from browser_app.player.own_history import OwnHistory
from browser_app.rating.record.round_record import Floats, Ints, RoundRecord
from browser_app.rating.skill_inference import Z90
from browser_app.rating.trueskill2.inference.truncated_normal import normal_cdf

MAX_EXACT_ROUNDS = 60
"""Groups of up to this many rounds are computed exactly."""
LUCK_TAIL = 0.05
"""Probability of each tail: luck stays between them in 90 % of the cases."""


class WinLuck(NamedTuple):
    """Wins that luck explains, and how well, one entry per group.

    Attributes:
        expected: mean number of wins.
        low, high: the smallest and largest number of wins outside the 5 % tails.
        p_value: two-sided probability that luck deviates at least as far as the actual wins: twice the smaller
            tail, with half of the wins' own probability (mid-p, H. O. Lancaster 1961), at most 1.
        min_p_value: the smallest p-value possible, had all rounds been won, or lost.
    """

    expected: Floats
    low: Floats
    high: Floats
    p_value: Floats
    min_p_value: Floats


def compute_luck(group: Ints, chance: Floats, won: Floats, groups: int) -> WinLuck:
    """Compute how far luck explains the wins of groups of rounds.

    Args:
        group: the group of each round, 0 to groups - 1.
        chance: of winning each, 0 to 1.
        won: 1 or 0.
        groups: number of groups, each with at least one round.
    """
    size = np.bincount(group, minlength=groups).astype(np.int32)
    wins = np.bincount(group, won, groups).astype(np.float64)
    luck = _approximate_luck(group, chance, wins, size)
    small_groups = np.flatnonzero(size <= MAX_EXACT_ROUNDS)
    small_groups = small_groups[np.argsort(-size[small_groups], kind="stable")]
    if len(small_groups):
        exact = _compute_exact_luck(
            *_pad_groups(group, chance, size, small_groups), wins[small_groups].astype(np.int64)
        )
        for column, values in zip(luck[1:], exact, strict=True):
            column[small_groups] = values
    return luck


def find_discoveries(p_values: Floats, rate: float) -> NDArray[np.bool_]:
    """Return a mask of the significant among many p-values.

    At most the share `rate` of these is expected to be luck. Y. Benjamini, Y. Hochberg, J. R. Stat. Soc. B 57 (1995):
    of n rows, the k-th smallest must be at most k/n of the rate.
    """
    n = len(p_values)
    order = np.argsort(p_values, kind="stable")
    passing = np.flatnonzero(p_values[order] <= rate * np.arange(1, n + 1) / max(n, 1))
    is_discovery = np.zeros(n, np.bool_)
    if len(passing):
        is_discovery[order[: passing[-1] + 1]] = True
    return is_discovery


def _approximate_luck(group: Ints, chance: Floats, wins: Floats, size: Ints) -> WinLuck:
    groups = len(size)
    variances = chance * (1.0 - chance)
    expected = np.bincount(group, chance, groups).astype(np.float64)
    sd = np.sqrt(np.maximum(np.bincount(group, variances, groups), 1e-12))
    skew = np.bincount(group, variances * (1.0 - 2.0 * chance), groups) / sd**3

    def compute_p_values(wins_each: Floats) -> Floats:
        below = _compute_mid_p_below((wins_each - expected) / sd, skew)
        return np.minimum(1.0, 2.0 * np.minimum(below, 1.0 - below))

    low = np.clip(np.round(expected - Z90 * sd), 0, size)
    high = np.clip(np.round(expected + Z90 * sd), 0, size)
    min_p_value = np.minimum(compute_p_values(np.zeros(groups)), compute_p_values(size.astype(np.float64)))
    return WinLuck(expected, low, high, compute_p_values(wins), min_p_value)


def _compute_mid_p_below(z: Floats, skew: Floats) -> Floats:
    """Return P(fewer) plus half of P(as many).

    Uses the normal distribution with one correction for skewness.
    """
    density = np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)
    share: Floats = np.clip(normal_cdf(z) + skew * (1.0 - z * z) * density / 6.0, 0.0, 1.0)
    return share


def _pad_groups(group: Ints, chance: Floats, size: Ints, groups: NDArray[np.intp]) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the chances of each of these groups as one padded row.

    The second array masks the entries used.
    """
    row_of = np.full(len(size), -1)
    row_of[groups] = np.arange(len(groups))
    rows = np.flatnonzero(row_of[group] >= 0)
    rows = rows[np.argsort(row_of[group[rows]], kind="stable")]
    row = row_of[group[rows]]
    first = np.cumsum(size[groups]) - size[groups]
    is_used = np.arange(size[groups].max())[None, :] < size[groups][:, None]
    chances = np.zeros(is_used.shape)
    chances[row, np.arange(len(rows)) - first[row]] = chance[rows]
    return chances, is_used


def _compute_exact_luck(
    chances: Floats, is_used: NDArray[np.bool_], wins: NDArray[np.int64]
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return `low, high, p_value, min_p_value` of each row.

    Rows must be sorted by size, largest first.
    """
    rows, most = chances.shape
    probability = np.zeros((rows, most + 1))
    probability[:, 0] = 1.0
    for i, rows_left in enumerate(is_used.sum(axis=0).tolist()):
        shifted = chances[:rows_left, i, None] * probability[:rows_left, : i + 1]
        probability[:rows_left, : i + 1] -= shifted
        probability[:rows_left, 1 : i + 2] += shifted
    cumulative = np.cumsum(probability, axis=1)
    size = is_used.sum(axis=1)
    row_indices = np.arange(rows)
    low = (cumulative <= LUCK_TAIL).sum(axis=1)
    high = np.minimum((cumulative < 1.0 - LUCK_TAIL).sum(axis=1), size)

    def compute_p_values(wins_each: NDArray[np.int64]) -> Floats:
        below = cumulative[row_indices, wins_each] - 0.5 * probability[row_indices, wins_each]
        return np.minimum(1.0, 2.0 * np.minimum(below, 1.0 - below))

    min_p_value = np.minimum(compute_p_values(np.zeros(rows, np.int64)), compute_p_values(size))
    return low.astype(np.float64), high.astype(np.float64), compute_p_values(wins), min_p_value


HabitKind: TypeAlias = Literal["map", "team", "hour", "teammate", "opponent"]
HabitVerdict: TypeAlias = Literal["good", "bad", "lucky", "unlucky", "as expected", "too few"]

FALSE_DISCOVERY_RATE = 0.1
"""A single row is significant below this; the same share of the rows named may be luck."""
MIN_ROUNDS_TOGETHER = 10
"""Co-players are listed from this many common rounds on."""
_QUARTER_S = 900.0


@dataclass(frozen=True, slots=True)
class Habit:
    """Rounds that have something in common.

    Attributes:
        kind: what they have in common.
        name: map, team, hour of the day ("0" to "23", local time), or the co-player's id.
        title: text to show: the co-player's name; else `name`.
        rounds: rated rounds of this kind that were won or lost.
        expected: sum of the chances before these rounds.
        wins: actual wins.
        low, high: wins that luck alone reaches in 90 % of the cases.
        p_value: two-sided probability, 0 to 1, that luck alone deviates at least so far.
        verdict: "good" or "bad" if luck is no explanation given the number of rows; "lucky" or
            "unlucky" if the row alone is significant, but some of so many rows are by luck; else "as expected";
            "too few" if even all won, or all lost, would be explained by luck.
    """

    kind: HabitKind
    name: str
    title: str
    rounds: int
    expected: float
    wins: float
    low: float
    high: float
    p_value: float
    verdict: HabitVerdict


def find_habits(
    history: OwnHistory, record: RoundRecord, hour_of: Callable[[float], int] = lambda at: time.localtime(at).tm_hour
) -> list[Habit]:
    """Return the habits of all kinds.

    Each kind is sorted by number of rounds, hours by time.

    Args:
        history: the player's.
        record: the history's record, which contains the co-players.
        hour_of: returns the hour of the day at a time (seconds since 1970).
    """
    rows = np.flatnonzero(history.is_rated & ((history.outcome == 1.0) | (history.outcome == 0.0)))
    if not len(rows):
        return []
    chance, won = history.probability[rows], history.outcome[rows]
    hours = [str(hour) for hour in range(24)]
    habits = [
        *_group_habits("map", history.map[rows], history.maps, chance, won),
        *_group_habits("team", history.team[rows], history.teams, chance, won),
        *_group_habits("hour", _compute_local_hours(history.started[rows], hour_of), hours, chance, won, by_size=False),
    ]
    row_index = np.full(len(history), -1, np.int32)
    row_index[rows] = np.arange(len(rows))
    co_players = find_co_players(history, record)
    row_of_meeting = row_index[co_players.row]
    titles = [name or player for name, player in zip(record.player_names, record.player_ids, strict=True)]
    for kind, is_teammate in _CO_PLAYER_KINDS:
        selected = np.flatnonzero((co_players.is_teammate == is_teammate) & (row_of_meeting >= 0))
        players = co_players.player[selected]
        is_frequent = np.bincount(players, minlength=1)[players] >= MIN_ROUNDS_TOGETHER
        label = np.where(is_frequent, players, -1).astype(np.int32)
        meeting_rows = row_of_meeting[selected]
        habits += _group_habits(kind, label, record.player_ids, chance[meeting_rows], won[meeting_rows], titles)
    return habits


_CO_PLAYER_KINDS: tuple[tuple[HabitKind, bool], ...] = (("teammate", True), ("opponent", False))


def _compute_local_hours(started: Floats, hour_of: Callable[[float], int]) -> Ints:
    """Return the local hour of each time.

    Clocks only change at full quarters of an hour.
    """
    quarters, quarter_index = np.unique(np.floor(started / _QUARTER_S), return_inverse=True)
    return np.array([hour_of(quarter * _QUARTER_S) for quarter in quarters.tolist()], np.int32)[quarter_index]


def _group_habits(
    kind: HabitKind,
    label: Ints,
    names: Sequence[str],
    chance: Floats,
    won: Floats,
    titles: Sequence[str] | None = None,
    *,
    by_size: bool = True,
) -> list[Habit]:
    """Return one habit per label that occurs; −1 means no label."""
    labelled = np.flatnonzero(label >= 0)
    label, chance, won = label[labelled], chance[labelled], won[labelled]
    count = np.bincount(label, minlength=len(names))
    labels = np.flatnonzero(count)
    if not len(labels):
        return []
    group = (np.cumsum(count > 0) - 1).astype(np.int32)[label]
    luck = compute_luck(group, chance, won, len(labels))
    size, wins = count[labels], np.bincount(group, won, len(labels)).astype(np.float64)
    testable = np.flatnonzero(luck.min_p_value <= FALSE_DISCOVERY_RATE)
    is_significant = np.zeros(len(labels), np.bool_)
    is_significant[testable] = find_discoveries(luck.p_value[testable], FALSE_DISCOVERY_RATE)
    order = np.argsort(-size, kind="stable") if by_size else np.arange(len(labels))
    columns = (labels, size, luck.expected, wins, luck.low, luck.high, luck.p_value)
    rows = zip(
        *(column[order].tolist() for column in columns),
        _choose_verdicts(luck, wins, is_significant)[order],
        strict=True,
    )
    return [
        Habit(kind, names[label], (titles or names)[label], rounds, expected, won_rounds, low, high, p_value, verdict)
        for label, rounds, expected, won_rounds, low, high, p_value, verdict in rows
    ]


def _choose_verdicts(luck: WinLuck, wins: Floats, is_significant: NDArray[np.bool_]) -> NDArray[np.object_]:
    won_more, is_unlikely = wins > luck.expected, luck.p_value <= FALSE_DISCOVERY_RATE
    cases = [
        luck.min_p_value > FALSE_DISCOVERY_RATE,
        is_significant & won_more,
        is_significant,
        is_unlikely & won_more,
        is_unlikely,
    ]
    verdicts: list[HabitVerdict] = ["too few", "good", "bad", "lucky", "unlucky"]
    result: NDArray[np.object_] = np.full(len(wins), "as expected", object)
    for case, verdict in reversed(list(zip(cases, verdicts, strict=True))):
        result[case] = verdict
    return result
