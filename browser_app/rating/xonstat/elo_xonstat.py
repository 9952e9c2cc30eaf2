"""XonStat's Elo as its code ran until 2020.

It differs from its description (`elo_blog`): all pairs count, including teammates; the share of the score rate replaces
winning; there are a floor, a limit to the difference and a ping term; and favourites lose nothing by winning narrowly.
"""

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from browser_app.rating.model_extra import ModelExtra, set_to
from browser_app.rating.rating_explanation import ChangePart, ExplanationTitles, PairComparison
from browser_app.rating.rating_parameters import Parameter
from browser_app.rating.rating_system import Rating, RatingSystem
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.round_prediction import to_log_odds
from browser_app.rating.translatable import N_
from browser_app.rating.xonstat.elo_parameters import ELO_EXTRAS, ELO_PARAMETERS, ELO_SCALE, EloKFactor
from browser_app.rating.xonstat.pairwise_chances import (
    PAIRWISE_TERM_TITLES,
    ChanceExplanation,
    explain_mean_chance,
    mean_rating_notes,
)
from browser_app.rating.xonstat.xonstat_run import RatedPlayer, RatedPlayers, RatingChange, XonStatRun, apply_floor

MAX_DIFFERENCE = 400.0
"""Largest difference in points that counts: E is in [1/11, 10/11]."""
_LOG_ODDS = math.log(10.0) / ELO_SCALE  # of one point
FULL_TIME_S, MIN_TIME_S, MIN_ELO_TIME_SHARE = 600.0, 120.0, 0.5
"""Time alive from which the whole stake counts, and below which, in seconds or as share of the round, nothing does."""
PING_TREND = 0.2
"""The ping term changes E by at most half of this."""
FLOOR_EXTRA = ModelExtra("floor", N_("Rating floor"), set_to(floor=-1e5))


class EloXonStatRun(XonStatRun):
    """Ratings of elo-xonstat. Times are cut to whole seconds, as the site's were."""

    system_name: ClassVar[str] = "elo-xonstat"
    newcomer_parameters: ClassVar[tuple[str, ...]] = ("start",)

    def _prepare_record(self) -> None:
        super()._prepare_record()
        record, parameters = self.record, self._system.parameters
        (self._rating,) = self._slot_ratings.values
        self._floors = [parameters.number("floor", mode) for mode in record.modes]
        self._k_factors = [EloKFactor(parameters, mode) for mode in record.modes]
        self._is_duel_mode = [mode == "duel" for mode in record.modes]
        end = np.floor(record.duration)[record.round_of_appearance]
        self._time_played = np.fmin(np.floor(self._seconds_played), end)
        self._eligible &= (self._time_played >= MIN_TIME_S) & ~(self._time_played < MIN_ELO_TIME_SHARE * end)

    def _slot_fields(self, slot: int) -> Mapping[str, object]:
        return {"rating": self._rating[slot], "rounds": self._rounds[slot]}

    def _ratings(self, i: int) -> Sequence[Rating]:
        return [Rating(self._rating[slot]) for slot in self._round_slots(i)]

    def _log_odds(self, a: RatedPlayer, b: RatedPlayer) -> float:
        return to_log_odds(self._chance(a, b))

    def _chance(self, a: RatedPlayer, b: RatedPlayer) -> float:
        return _apply_ping_term(self._expected(a, b), a.ping, b.ping)

    def _expected(self, a: RatedPlayer, b: RatedPlayer) -> float:
        return _expected(self._rating[a.slot] - self._rating[b.slot])

    def _compare_players(self, i: int) -> None:
        """Apply R ← max(floor, R + K × min(1, alive / 600 s) × mean gain over others)."""
        at, rated = self._rated.rows(i), self._rated
        slots, alive = rated.slot[at], rated.alive[at]
        ratings, mode = [self._rating[slot] for slot in slots], self._mode[i]
        stake, floor = self._k_factors[mode], self._floors[mode]
        rates = [score / seconds for score, seconds in zip(rated.score[at], alive, strict=True)]
        gains = _sum_pair_gains(rates, ratings, rated.ping[at], duel=self._is_duel_mode[mode])
        others = len(slots) - 1
        for slot, rating, seconds, gain in zip(slots, ratings, alive, gains, strict=True):
            k = stake(self._rounds[slot]) * min(1.0, seconds / FULL_TIME_S)
            self._rating[slot] = max(floor, rating + k * gain / others)
            self._rounds[slot] += 1

    def _compute_change(
        self, i: int, me: int, *, reversed_result: bool = False, full_round: bool = False
    ) -> RatingChange:
        players, mode = self._rated[i], self._mode[i]
        stake, floor = self._k_factors[mode], self._floors[mode]
        own, games = players[me], self._rounds[players[me].slot]
        comparisons = tuple(
            self._compare_pair(i, me, other, reversed_result=reversed_result)
            for other in range(len(players))
            if other != me
        )
        alive = math.floor(self.record.duration[self._first + i]) if full_round else own.alive
        gain = sum(each.gain for each in comparisons) / len(comparisons)
        result = ChangePart.product("result", k=stake(games), time=min(1.0, alive / FULL_TIME_S), gain=gain)
        return RatingChange(
            apply_floor(result, self._rating[own.slot], floor),
            comparisons,
            notes={"games": games, "opponents": len(comparisons), "alive": alive, "floor": floor},
        )

    def _compare_pair(self, i: int, me: int, other: int, *, reversed_result: bool) -> PairComparison:
        """Compare one pair from the player's side.

        The gains are computed in the update's order, in which the second of two equals is the favourite.
        """
        players = self._rated[i]
        a, b = pair = players[min(me, other)], players[max(me, other)]
        is_teammate = a.team == b.team
        rates, duel = [each.score / each.alive for each in pair], self._is_duel_mode[self._mode[i]]
        if reversed_result and not is_teammate:
            rates.reverse()
        gains = _sum_pair_gains(
            rates, [self._rating[each.slot] for each in pair], [each.ping for each in pair], duel=duel
        )
        share, chance = _score_share(*rates, duel=duel), self._chance(a, b)
        result = (chance, share, gains[0]) if me < other else (1.0 - chance, 1.0 - share, gains[1])
        return PairComparison(*self._id_and_name(players[other]), is_teammate, *result)

    def _explain_chance(self, probability: float, own: RatedPlayers, others: RatedPlayers) -> ChanceExplanation:
        mean = mean_rating_notes(*([self._rating[each.slot] for each in side] for side in (own, others)))
        at_means = _expected(mean["mean_own"] - mean["mean_other"]) if len(mean) == 2 else 0.5
        pings = any(not math.isnan(each.ping) for each in (*own, *others))
        return explain_mean_chance(probability, own, others, self._expected, at_means, include_pings=pings)


def _expected(difference: float) -> float:
    limited = max(-MAX_DIFFERENCE, min(MAX_DIFFERENCE, difference))
    return 1.0 / (1.0 + math.exp(-_LOG_ODDS * limited))


def _apply_ping_term(expected: float, a: float, b: float) -> float:
    """Raise the expectation of the player with the lower ping.

    Unknown pings (NaN) and two of zero change nothing.
    """
    return max(0.0, min(1.0, expected + PING_TREND * (0.5 - a / (a + b)))) if a + b > 0.0 else expected


def _score_share(a: float, b: float, *, duel: bool) -> float:
    """Return a's share of both score rates, or in a duel 1, 0 or ½.

    Where one of the rates is not positive, the higher one has all.
    """
    share = a / (a + b) if a > 0.0 < b else float(a > b) if a != b else 0.5
    return share if not duel else 1.0 if share > 0.5 else 0.0 if share < 0.5 else 0.5


def _sum_pair_gains(
    rates: Sequence[float], ratings: Sequence[float], pings: Sequence[float], *, duel: bool
) -> list[float]:
    """Return the sum of all players' gains over all pairs, before the stakes.

    A favourite who wins never loses points by winning narrowly. One who does not win is judged by how clearly they
    lost, against the expectation without pings. The two gains do not sum to zero: the total of all ratings grows. Of
    equals the second, later in the report, is the favourite.
    """
    gains, exp = [0.0] * len(ratings), math.exp
    all_players = list(zip(rates, ratings, pings, strict=True))
    for b, (rate_b, rating_b, ping_b) in enumerate(all_players):
        gain_b = 0.0
        for a, (rate_a, rating_a, ping_a) in enumerate(all_players[:b]):
            # `_score_share`, `_expected` and `_apply_ping_term` inlined: the calls would take half of the time.
            plain = rate_a > 0.0 < rate_b and not duel
            share = rate_a / (rate_a + rate_b) if plain else _score_share(rate_a, rate_b, duel=duel)
            difference, both_pings = rating_a - rating_b, ping_a + ping_b
            if not -MAX_DIFFERENCE <= difference <= MAX_DIFFERENCE:
                difference = MAX_DIFFERENCE if difference > 0.0 else -MAX_DIFFERENCE
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


class EloXonStatSystem(RatingSystem):
    """`elo-xonstat`: Elo as XonStat ran it, and what it rated (see `XonStatRun`)."""

    name: ClassVar[str] = EloXonStatRun.system_name
    title: ClassVar[str] = N_("XonStat Elo")
    value_field: ClassVar[str] = "rating"
    explanation_titles: ClassVar[ExplanationTitles] = ExplanationTitles(
        terms={**PAIRWISE_TERM_TITLES, "pings": N_("Pings")},
        parts={"result": N_("Result"), "floor": N_("Rating floor")},
        factors={"k": N_("K {value}"), "time": N_("time alive {value}"), "gain": N_("gain {value}")},
        compared="score rate",
    )
    declared_parameters: ClassVar[Sequence[Parameter]] = (
        *ELO_PARAMETERS,
        Parameter("floor", N_("Rating floor"), N_("no rating falls below, points"), 100.0, low=-1e5, high=1e5),
    )
    extras: ClassVar[Sequence[ModelExtra]] = (*ELO_EXTRAS, FLOOR_EXTRA)

    def new_run(self, record: RoundRecord) -> EloXonStatRun:
        """Return a run with all players at `start`."""
        return EloXonStatRun(record, self)
