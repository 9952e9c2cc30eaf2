"""The Elo that stats.xonotic.org really ran: every pair by score rate (antzucaro/XonStat xonstat/elo.py, 2020-12-05).

It differs from its description (seed 001): all pairs, team mates included; the share of the score rate in place of
winning; a floor, a limit to the difference, a ping term; and who was expected to win loses nothing by winning narrowly.
"""

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from browser_app.rating.elo import PARAMETERS, SCALE, Stake
from browser_app.rating.explanation import Duel, Part
from browser_app.rating.pairwise_explained import Chance, mean_chance, means
from browser_app.rating.parameters import Parameter
from browser_app.rating.record import Record
from browser_app.rating.seats import Seats
from browser_app.rating.standing import Standing
from browser_app.rating.system import Rating, RatingSystem
from browser_app.rating.xonstat_explained import Taught, with_floor
from browser_app.rating.xonstat_run import Contender, XonStatRun

MOST_DIFFERENCE = 400.0
"""Points beyond which a difference counts no more: E lies in [1/11, 10/11]."""
FULL_TIME_S, LEAST_TIME_S, LEAST_SHARE = 600.0, 120.0, 0.5
"""Alive so long the whole stake counts; for less than that, or less than half of the round, nothing does."""
PING_TREND = 0.2
"""The ping term moves E by at most half of this."""


class EloXonStatRun(XonStatRun):
    """State of elo-xonstat. Times are cut to whole seconds, as the site's were."""

    system: ClassVar[str] = "elo-xonstat"

    def __init__(self, record: Record, system: "EloXonStat", standing: Standing | None = None) -> None:
        self._model = system
        self._start = system.parameters.number("start")
        super().__init__(record, Standing.newcomers(record, self._start) if standing is None else standing)
        (self._rating,) = self._standing.values
        self._floor = system.parameters.number("floor")
        self._stakes = [Stake(system.parameters, mode) for mode in record.modes]
        self._duels = [mode == "duel" for mode in record.modes]
        end = np.floor(record.duration)[record.round_of_appearance]
        self._alive = np.fmin(np.floor(self._stayed), end)
        self._eligible &= (self._alive >= LEAST_TIME_S) & ~(self._alive < LEAST_SHARE * end)

    def rating(self, player: int, mode: int) -> Rating:
        """The rating in a mode; that of a newcomer where he never played it."""
        slot = self._slots.find(player, mode)
        return Rating(self._start if slot is None else self._rating[slot])

    def _seated(self, record: Record, seats: Seats) -> "EloXonStatRun":
        return EloXonStatRun(record, self._model, self._standing.seated(record, seats))

    def _fields(self, slot: int) -> Mapping[str, object]:
        return {"rating": self._rating[slot], "rounds": self._rounds[slot]}

    def _ratings(self, i: int) -> Sequence[Rating]:
        return [Rating(self._rating[slot]) for slot in self._everybody[i]]

    def _chance(self, a: Contender, b: Contender) -> float:
        return _with_pings(self._expected(a, b), a.ping, b.ping)

    def _expected(self, a: Contender, b: Contender) -> float:
        return _expected(self._rating[a.slot] - self._rating[b.slot])

    def _update(self, i: int) -> None:
        """R ← max(floor, R + K × min(1, alive / 600 s) × Σ over the others / how many they are)."""
        contenders, duel, stake = self._rated[i], self._duels[self._mode[i]], self._stakes[self._mode[i]]
        gains = [0.0] * len(contenders)
        rates = [each.score / each.alive for each in contenders]
        for i_b, b in enumerate(contenders):
            for i_a in range(i_b):
                a = contenders[i_a]
                share = _share(rates[i_a], rates[i_b], duel=duel)
                gain_a, gain_b = _adjustments(share, self._expected(a, b), a.ping, b.ping)
                gains[i_a] += gain_a
                gains[i_b] += gain_b
        others = len(contenders) - 1
        for each, gain in zip(contenders, gains, strict=True):
            k = stake(self._rounds[each.slot]) * min(1.0, each.alive / FULL_TIME_S)
            self._rating[each.slot] = max(self._floor, self._rating[each.slot] + k * gain / others)
            self._rounds[each.slot] += 1

    def _taught(self, i: int, me: int, *, turned: bool = False, whole: bool = False) -> Taught:
        contenders, stake = self._rated[i], self._stakes[self._mode[i]]
        mine, games = contenders[me], self._rounds[contenders[me].slot]
        duels = tuple(self._met(i, me, other, turned=turned) for other in range(len(contenders)) if other != me)
        alive = math.floor(self._duration[i]) if whole else mine.alive
        result = Part.product(
            "result",
            k=stake(games),
            time=min(1.0, alive / FULL_TIME_S),
            gain=sum(duel.gain for duel in duels) / len(duels),
        )
        return Taught(
            with_floor(result, self._rating[mine.slot], self._floor),
            duels,
            notes={"games": games, "opponents": len(duels), "alive": alive, "floor": self._floor},
        )

    def _met(self, i: int, me: int, other: int, *, turned: bool) -> Duel:
        """One pair from the player's side; in the update's order, for of equals the second is expected to win."""
        contenders = self._rated[i]
        a, b = contenders[min(me, other)], contenders[max(me, other)]
        mate = a.team == b.team
        share = _share(a.score / a.alive, b.score / b.alive, duel=self._duels[self._mode[i]])
        if turned and not mate:
            share = 1.0 - share
        expected = self._expected(a, b)
        gains, chance = _adjustments(share, expected, a.ping, b.ping), _with_pings(expected, a.ping, b.ping)
        told = (chance, share, gains[0]) if me < other else (1.0 - chance, 1.0 - share, gains[1])
        return Duel(*self._name(contenders[other]), mate, *told)

    def _explained_chance(self, probability: float, own: Sequence[Contender], others: Sequence[Contender]) -> Chance:
        mean = means(*([self._rating[each.slot] for each in side] for side in (own, others)))
        at_means = _expected(mean["mean_own"] - mean["mean_other"]) if len(mean) == 2 else 0.5
        pings = any(not math.isnan(each.ping) for each in (*own, *others))
        return mean_chance(probability, own, others, self._expected, at_means, pings=pings)


def _expected(difference: float) -> float:
    limited = max(-MOST_DIFFERENCE, min(MOST_DIFFERENCE, difference))
    return float(1.0 / (1.0 + 10.0 ** (-limited / SCALE)))


def _share(a: float, b: float, *, duel: bool) -> float:
    """What happened between two: a's share of their score rates, or won, lost, even in a duel."""
    below = min(0.0, a, b)
    a, b = a - below, b - below
    share = a / (a + b) if a + b else 0.5
    return share if not duel else 1.0 if share > 0.5 else 0.0 if share < 0.5 else 0.5


def _with_pings(expected: float, a: float, b: float) -> float:
    """Who has the lower ping is expected to do better; unknown pings and two of zero say nothing."""
    share = a / (a + b) if a + b > 0 else 0.5
    return expected if math.isnan(share) else max(0.0, min(1.0, expected + PING_TREND * (0.5 - share)))


def _adjustments(share: float, expected: float, ping_a: float, ping_b: float) -> tuple[float, float]:
    """What a pair is worth to each of the two, before the stakes.

    Who was expected to win and did never loses by having won too little; who was and did not is judged by how much
    he lost, against the expectation without pings. The two do not sum to zero: the pool grows. Of equals the second,
    later in the report, is the one who was expected to.
    """
    with_pings = _with_pings(expected, ping_a, ping_b)
    a, b = share - with_pings, with_pings - share
    if expected > 0.5:
        a = max(0.0, a) if share > 0.5 else (2.0 * share - 1.0) * expected
    else:
        b = (1.0 - 2.0 * share) * (1.0 - expected) if share > 0.5 else max(0.0, b)
    return a, b


class EloXonStat(RatingSystem):
    """``elo-xonstat``: rated are game types, players and times that XonStat rated; see ``XonStatRun``."""

    name: ClassVar[str] = EloXonStatRun.system
    declared: ClassVar[Sequence[Parameter]] = (
        *PARAMETERS,
        Parameter("floor", "no rating falls below, points", 100.0, low=-1e5, high=1e5),
    )

    def start(self, record: Record) -> EloXonStatRun:
        """Everybody at ``start``."""
        return EloXonStatRun(record, self)
