"""The Elo that stats.xonotic.org really ran: every pair by score rate (antzucaro/XonStat xonstat/elo.py, 2020-12-05).

It differs from its description (`elo_blog`): all pairs, team mates included; the share of the score rate in place of
winning; a floor, a limit to the difference, a ping term; and who was expected to win loses nothing by winning narrowly.
"""

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from browser_app.rating.contenders import Contender
from browser_app.rating.elo import PARAMETERS, SCALE, Stake
from browser_app.rating.explanation import Duel, Part
from browser_app.rating.pairwise_explained import Chance, mean_chance, means
from browser_app.rating.parameters import Parameter
from browser_app.rating.record import Record
from browser_app.rating.seats import Seats
from browser_app.rating.standing import Standing
from browser_app.rating.system import Rating, RatingSystem
from browser_app.rating.xonstat_explained import Taught, with_floor
from browser_app.rating.xonstat_run import XonStatRun

MOST_DIFFERENCE = 400.0
"""Points beyond which a difference counts no more: E lies in [1/11, 10/11]."""
_LOG_ODDS = math.log(10.0) / SCALE  # of one point
FULL_TIME_S, LEAST_TIME_S, LEAST_SHARE = 600.0, 120.0, 0.5
"""Alive so long the whole stake counts; for less than that, or less than half of the round, nothing does."""
PING_TREND = 0.2
"""The ping term moves E by at most half of this."""


class EloXonStatRun(XonStatRun):
    """State of elo-xonstat. Times are cut to whole seconds, as the site's were."""

    system: ClassVar[str] = "elo-xonstat"

    def __init__(self, record: Record, system: "EloXonStat", standing: Standing | None = None) -> None:
        self._model = system
        super().__init__(record, system.newcomers(record) if standing is None else standing)
        (self._rating,) = self._standing.values
        self._floors = [system.parameters.number("floor", mode) for mode in record.modes]
        self._stakes = [Stake(system.parameters, mode) for mode in record.modes]
        self._duels = [mode == "duel" for mode in record.modes]
        end = np.floor(record.duration)[record.round_of_appearance]
        self._alive = np.fmin(np.floor(self._stayed), end)
        self._eligible &= (self._alive >= LEAST_TIME_S) & ~(self._alive < LEAST_SHARE * end)

    def rating(self, player: int, mode: int) -> Rating:
        """The rating in a mode; that of a newcomer where he never played it."""
        slot = self._slots.find(player, mode)
        return Rating(*self._standing.first[mode] if slot is None else (self._rating[slot],))

    def _seated(self, record: Record, seats: Seats) -> "EloXonStatRun":
        return EloXonStatRun(record, self._model, self._standing.seated(self._model.newcomers(record), seats))

    def _fields(self, slot: int) -> Mapping[str, object]:
        return {"rating": self._rating[slot], "rounds": self._rounds[slot]}

    def _ratings(self, i: int) -> Sequence[Rating]:
        return [Rating(self._rating[slot]) for slot in self._everybody(i)]

    def _chance(self, a: Contender, b: Contender) -> float:
        return _with_pings(self._expected(a, b), a.ping, b.ping)

    def _expected(self, a: Contender, b: Contender) -> float:
        return _expected(self._rating[a.slot] - self._rating[b.slot])

    def _update(self, i: int) -> None:
        """R ← max(floor, R + K × min(1, alive / 600 s) × Σ over the others / how many they are)."""
        at, rated = self._rated.rows(i), self._rated
        slots, alive = rated.slot[at], rated.alive[at]
        ratings, mode = [self._rating[slot] for slot in slots], self._mode[i]
        stake, floor = self._stakes[mode], self._floors[mode]
        rates = [score / seconds for score, seconds in zip(rated.score[at], alive, strict=True)]
        gains = _gains(rates, ratings, rated.ping[at], duel=self._duels[mode])
        others = len(slots) - 1
        for slot, rating, seconds, gain in zip(slots, ratings, alive, gains, strict=True):
            k = stake(self._rounds[slot]) * min(1.0, seconds / FULL_TIME_S)
            self._rating[slot] = max(floor, rating + k * gain / others)
            self._rounds[slot] += 1

    def _taught(self, i: int, me: int, *, turned: bool = False, whole: bool = False) -> Taught:
        contenders, mode = self._rated[i], self._mode[i]
        stake, floor = self._stakes[mode], self._floors[mode]
        mine, games = contenders[me], self._rounds[contenders[me].slot]
        duels = tuple(self._met(i, me, other, turned=turned) for other in range(len(contenders)) if other != me)
        alive = math.floor(self.record.duration[self._first + i]) if whole else mine.alive
        result = Part.product(
            "result",
            k=stake(games),
            time=min(1.0, alive / FULL_TIME_S),
            gain=sum(duel.gain for duel in duels) / len(duels),
        )
        return Taught(
            with_floor(result, self._rating[mine.slot], floor),
            duels,
            notes={"games": games, "opponents": len(duels), "alive": alive, "floor": floor},
        )

    def _met(self, i: int, me: int, other: int, *, turned: bool) -> Duel:
        """One pair from the player's side; in the update's order, for of equals the second is expected to win."""
        contenders = self._rated[i]
        a, b = pair = contenders[min(me, other)], contenders[max(me, other)]
        mate = a.team == b.team
        rates, duel = [each.score / each.alive for each in pair], self._duels[self._mode[i]]
        if turned and not mate:
            rates.reverse()
        gains = _gains(rates, [self._rating[each.slot] for each in pair], [each.ping for each in pair], duel=duel)
        share, chance = _share(*rates, duel=duel), self._chance(a, b)
        told = (chance, share, gains[0]) if me < other else (1.0 - chance, 1.0 - share, gains[1])
        return Duel(*self._name(contenders[other]), mate, *told)

    def _explained_chance(self, probability: float, own: Sequence[Contender], others: Sequence[Contender]) -> Chance:
        mean = means(*([self._rating[each.slot] for each in side] for side in (own, others)))
        at_means = _expected(mean["mean_own"] - mean["mean_other"]) if len(mean) == 2 else 0.5
        pings = any(not math.isnan(each.ping) for each in (*own, *others))
        return mean_chance(probability, own, others, self._expected, at_means, pings=pings)


def _expected(difference: float) -> float:
    limited = max(-MOST_DIFFERENCE, min(MOST_DIFFERENCE, difference))
    return 1.0 / (1.0 + math.exp(-_LOG_ODDS * limited))


def _with_pings(expected: float, a: float, b: float) -> float:
    """Who has the lower ping is expected to do better; unknown pings (NaN) and two of zero say nothing."""
    return max(0.0, min(1.0, expected + PING_TREND * (0.5 - a / (a + b)))) if a + b > 0.0 else expected


def _share(a: float, b: float, *, duel: bool) -> float:
    """What happened between two: a's share of their score rates, or won, lost, even in a duel.

    Where one of the rates is not positive, the higher one has all.
    """
    share = a / (a + b) if a > 0.0 < b else float(a > b) if a != b else 0.5
    return share if not duel else 1.0 if share > 0.5 else 0.0 if share < 0.5 else 0.5


def _gains(rates: Sequence[float], ratings: Sequence[float], pings: Sequence[float], *, duel: bool) -> list[float]:
    """What all pairs are worth to everybody, before the stakes.

    Who was expected to win and did never loses by having won too little; who was and did not is judged by how much
    he lost, against the expectation without pings. The two do not sum to zero: the pool grows. Of equals the second,
    later in the report, is the one who was expected to.
    """
    gains, exp = [0.0] * len(ratings), math.exp
    everybody = list(zip(rates, ratings, pings, strict=True))
    for b, (rate_b, rating_b, ping_b) in enumerate(everybody):
        gain_b = 0.0
        for a, (rate_a, rating_a, ping_a) in enumerate(everybody[:b]):
            # `_share`, `_expected` and `_with_pings` written out: called for every pair they would take half the time.
            plain = rate_a > 0.0 < rate_b and not duel
            share = rate_a / (rate_a + rate_b) if plain else _share(rate_a, rate_b, duel=duel)
            difference, both_pings = rating_a - rating_b, ping_a + ping_b
            if not -MOST_DIFFERENCE <= difference <= MOST_DIFFERENCE:
                difference = MOST_DIFFERENCE if difference > 0.0 else -MOST_DIFFERENCE
            expected = with_pings = 1.0 / (1.0 + exp(-_LOG_ODDS * difference))
            if both_pings > 0.0:
                with_pings += PING_TREND * (0.5 - ping_a / both_pings)
                if not 0.0 <= with_pings <= 1.0:
                    with_pings = 1.0 if with_pings > 1.0 else 0.0
            ahead = share - with_pings
            if expected > 0.5:
                gains[a] += (2.0 * share - 1.0) * expected if share <= 0.5 else max(0.0, ahead)
                gain_b -= ahead
            else:
                gains[a] += ahead
                gain_b -= (2.0 * share - 1.0) * (1.0 - expected) if share > 0.5 else min(0.0, ahead)
        gains[b] += gain_b
    return gains


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

    def newcomers(self, record: Record) -> Standing:
        """Everybody at the ``start`` of each mode."""
        return Standing.newcomers(record, self.parameters, "start")
