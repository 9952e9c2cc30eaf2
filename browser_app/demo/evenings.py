"""When a player of the demo plays: some months of evenings, longer ones at the weekend, and one long pause."""

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

_Counts: TypeAlias = NDArray[np.int64]

DAYS = 133
"""So many days before this week the first evening is."""
DAY_S, HOUR_S = 86400.0, 3600.0
_ROUNDS_AN_EVENING, _MOST = 4.8, 9


class Slot(NamedTuple):
    """One round: when it began (Unix time, s), how long it took (s), and whether the player was there."""

    started: float
    length: float
    mine: bool


class Pace(NamedTuple):
    """How long rounds take (median, s; deviation of the logarithm) and what lies between two of them (s)."""

    length_s: float
    spread: float
    between_s: tuple[float, float]


def evenings(
    rounds: int, mine: int, monday: float, pace: Pace, rng: np.random.Generator, pause: range = range(0)
) -> list[list[Slot]]:
    """Evenings with exactly so many rounds in all, the player in exactly so many of them.

    Args:
        rounds: in all.
        mine: those with the player; at most half of them where there is a pause.
        monday: when the present week begins for him, Unix time. Every round ends before.
        pace: how rounds follow each other.
        rng: decides everything.
        pause: days, counted from the first, on which he does not play, but the others do.
    """
    days = np.arange(DAYS)
    weekend = (days - DAYS) % 7 >= 5
    likely = np.where(weekend, 1.4, 1.0)
    chosen = rng.choice(DAYS, min(DAYS, math.ceil(rounds / _ROUNDS_AN_EVENING)), replace=False, p=likely / likely.sum())
    most = np.where(np.isin(days, chosen), _MOST, 0)
    whole = _adjusted(rng.poisson(4.0 * likely), most, rounds, rng)
    able = np.where(np.isin(days, pause), 0, whole)
    there = np.where(rng.random(DAYS) < 0.55 * likely, able, 0)
    own = _adjusted(rng.integers(0, there + 1), able, mine, rng)
    hour = np.where(weekend, rng.normal(16.5, 1.5, DAYS), rng.normal(19.2, 0.8, DAYS))
    return [
        _evening(monday - (DAYS - day) * DAY_S, hour[day], int(whole[day]), int(own[day]), pace, rng)
        for day in np.flatnonzero(whole).tolist()
    ]


def _adjusted(counts: _Counts, most: _Counts, total: int, rng: np.random.Generator) -> _Counts:
    """The counts, up or down by one at random places until they add up to `total`; each within 0 and its `most`."""
    counts = np.minimum(counts, most)
    while (missing := total - int(counts.sum())) != 0:
        able = np.flatnonzero(counts < most if missing > 0 else counts > 0)
        some = rng.permutation(able)[: abs(missing)]
        counts[some] += np.sign(missing)
    return counts


def _evening(midnight: float, hour: float, rounds: int, mine: int, pace: Pace, rng: np.random.Generator) -> list[Slot]:
    """From about that hour until midnight at the latest; the player comes and goes once."""
    spread = np.clip(pace.spread * rng.standard_normal(rounds), -1.0, 0.9)
    lengths = np.round(pace.length_s * np.exp(spread))
    gaps = np.round(rng.uniform(*pace.between_s, rounds))
    begin = min(hour * HOUR_S, DAY_S - float((lengths + gaps).sum()))
    starts = np.round(midnight + begin + np.concatenate(([0.0], np.cumsum(lengths + gaps)[:-1])))
    first = int(rng.integers(0, rounds - mine + 1))
    return [
        Slot(float(start), float(length), first <= number < first + mine)
        for number, (start, length) in enumerate(zip(starts, lengths, strict=True))
    ]
