"""Evenings on which the demo user plays."""

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

_Counts: TypeAlias = NDArray[np.int64]

SCHEDULE_DAYS = 133
"""Days between the first evening and the current week."""
DAY_S, HOUR_S = 86400.0, 3600.0
_ROUNDS_AN_EVENING, _MAX_ROUNDS_AN_EVENING = 4.8, 9


class RoundSlot(NamedTuple):
    """One round: start (Unix time, s), length (s), and whether the user plays."""

    started: float
    length_s: float
    includes_user: bool


class RoundTiming(NamedTuple):
    """Length of rounds (median, s; deviation of its logarithm) and pause (s)."""

    length_s: float
    spread: float
    pause_s: tuple[float, float]


def make_evenings(
    round_count: int,
    user_round_count: int,
    monday: float,
    timing: RoundTiming,
    rng: np.random.Generator,
    pause: range = range(0),
) -> list[list[RoundSlot]]:
    """Return evenings with `round_count` rounds, `user_round_count` with the user.

    Args:
        round_count: rounds in all.
        user_round_count: rounds with the user; at most half of them if there is a pause.
        monday: start of the current week, Unix time; every round ends before.
        timing: how rounds follow each other.
        rng: source of all random numbers.
        pause: days, counted from the first, on which only the others play.
    """
    days = np.arange(SCHEDULE_DAYS)
    weekend = (days - SCHEDULE_DAYS) % 7 >= 5
    weights = np.where(weekend, 1.4, 1.0)
    chosen = rng.choice(
        SCHEDULE_DAYS,
        min(SCHEDULE_DAYS, math.ceil(round_count / _ROUNDS_AN_EVENING)),
        replace=False,
        p=weights / weights.sum(),
    )
    maximum = np.where(np.isin(days, chosen), _MAX_ROUNDS_AN_EVENING, 0)
    whole = _adjust_to_total(rng.poisson(4.0 * weights), maximum, round_count, rng)
    allowed = np.where(np.isin(days, pause), 0, whole)
    attended = np.where(rng.random(SCHEDULE_DAYS) < 0.55 * weights, allowed, 0)
    own = _adjust_to_total(rng.integers(0, attended + 1), allowed, user_round_count, rng)
    hour = np.where(weekend, rng.normal(16.5, 1.5, SCHEDULE_DAYS), rng.normal(19.2, 0.8, SCHEDULE_DAYS))
    return [
        _make_evening(monday - (SCHEDULE_DAYS - day) * DAY_S, hour[day], int(whole[day]), int(own[day]), timing, rng)
        for day in np.flatnonzero(whole).tolist()
    ]


def _adjust_to_total(counts: _Counts, maximum: _Counts, total: int, rng: np.random.Generator) -> _Counts:
    """Change random counts by one, within 0 and `maximum`, until their sum is `total`."""
    counts = np.minimum(counts, maximum)
    while (missing := total - int(counts.sum())) != 0:
        allowed = np.flatnonzero(counts < maximum if missing > 0 else counts > 0)
        chosen = rng.permutation(allowed)[: abs(missing)]
        counts[chosen] += np.sign(missing)
    return counts


def _make_evening(
    midnight: float, hour: float, rounds: int, user_rounds: int, timing: RoundTiming, rng: np.random.Generator
) -> list[RoundSlot]:
    """Return rounds from about that hour to midnight; the user joins and leaves once."""
    spread = np.clip(timing.spread * rng.standard_normal(rounds), -1.0, 0.9)
    lengths = np.round(timing.length_s * np.exp(spread))
    gaps = np.round(rng.uniform(*timing.pause_s, rounds))
    begin = min(hour * HOUR_S, DAY_S - float((lengths + gaps).sum()))
    starts = np.round(midnight + begin + np.concatenate(([0.0], np.cumsum(lengths + gaps)[:-1])))
    first = int(rng.integers(0, rounds - user_rounds + 1))
    return [
        RoundSlot(float(start), float(length), first <= number < first + user_rounds)
        for number, (start, length) in enumerate(zip(starts, lengths, strict=True))
    ]
