"""XonStat's current rating (Weng and Lin's Bradley-Terry model).

R. C. Weng, C.-J. Lin, A Bayesian Approximation Method for Online Ranking, JMLR 12 (2011), algorithm 1, with the site's
differences: teams are ignored, scores are compared, each pair is weighted with the lesser time share of the two, and
skill never falls below 0. The sums are not averaged: many players move a rating far.
"""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import ClassVar

import numpy as np

from browser_app.rating.circumstances import BIAS_EXTRA, BIAS_PARAMETERS
from browser_app.rating.model_extra import ModelExtra
from browser_app.rating.rating_explanation import ChangePart, ExplanationTitles, PairComparison
from browser_app.rating.rating_parameters import Parameter
from browser_app.rating.rating_system import PublicScale, Rating, RatingRun, RatingSystem
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.round_prediction import logistic
from browser_app.rating.translatable import N_
from browser_app.rating.xonstat.elo_xonstat import FLOOR_EXTRA
from browser_app.rating.xonstat.pairwise_chances import PAIRWISE_TERM_TITLES, ChanceExplanation, explain_mean_chance
from browser_app.rating.xonstat.xonstat_run import RatedPlayer, RatedPlayers, RatingChange, XonStatRun, apply_floor

MIN_ROUND_S, MIN_TIME_SHARE = 300.0, 0.5
"""Shorter rounds, and players present for a smaller share of a round, are not rated."""
MIN_VARIANCE_LEFT = 1e-4
"""Least share of the variance left after one round."""


class XonStatGoRun(XonStatRun):
    """Mean and standard deviation by player and mode.

    The latter is the site's: it never grows again, and all pairs of a round count as independent. So with more than two
    players in a round it is too small; intervals come from `XonStatInferenceRun`.
    """

    system_name: ClassVar[str] = "xonstat-go"
    newcomer_parameters: ClassVar[tuple[str, ...]] = ("start", "start_sd")

    def _prepare_record(self) -> None:
        super()._prepare_record()
        record, number = self.record, self._system.parameters.number
        self._mean, self._sd = self._slot_ratings.values
        noise = [2.0 * number("beta", mode) ** 2 for mode in record.modes]
        self._noise = [noise[mode] for mode in self._slots.mode.tolist()]
        self._floors = [number("floor", mode) for mode in record.modes]
        end = record.duration[record.round_of_appearance]
        self._time_played = np.minimum(1.0, self._seconds_played / end)  # as a share of the round
        self._eligible &= (end >= MIN_ROUND_S) & (self._time_played >= MIN_TIME_SHARE)

    def _new_inference(self) -> RatingRun | None:
        from browser_app.rating.xonstat.xonstat_inference import XonStatInferenceRun

        return XonStatInferenceRun(self.record, self._system)

    def _slot_fields(self, slot: int) -> Mapping[str, object]:
        return {"mean": self._mean[slot], "sd": self._sd[slot], "rounds": self._rounds[slot]}

    def _ratings(self, i: int) -> Sequence[Rating]:
        return [Rating(self._mean[slot], self._sd[slot]) for slot in self._round_slots(i)]

    def _chance(self, a: RatedPlayer, b: RatedPlayer) -> float:
        return logistic(self._log_odds(a, b))

    def _log_odds(self, a: RatedPlayer, b: RatedPlayer) -> float:
        return (self._mean[a.slot] - self._mean[b.slot]) / self._pair_noise(a.slot, b.slot)

    def _pair_noise(self, a: int, b: int) -> float:
        """Return c = √(σ_a² + σ_b² + 2β²); a's chance is 1 / (1 + e^((μ_b − μ_a)/c))."""
        return math.sqrt(self._sd[a] ** 2 + self._sd[b] ** 2 + self._noise[a])

    def _compare_players(self, i: int) -> None:
        """Apply μ ← max(floor, μ + Ω), σ ← σ √max(1e-4, 1 − Δ).

        Ω = σ² Σ k/c (s − p) and Δ = σ³ Σ k/c³ p (1 − p) over all pairs (Weng and Lin, eqs 50 to 53): both players of a
        pair have the same terms.
        """
        at, rated, floor = self._rated.rows(i), self._rated, self._floors[self._mode[i]]
        slots = rated.slot[at]
        means, deviations = [self._mean[slot] for slot in slots], [self._sd[slot] for slot in slots]
        gradients, reductions = _sum_pairs(
            means, [sd * sd for sd in deviations], self._noise[slots[0]], rated.alive[at], rated.score[at]
        )
        for slot, mean, sd, gradient, reduction in zip(slots, means, deviations, gradients, reductions, strict=True):
            self._mean[slot] = max(floor, mean + sd * sd * gradient)
            self._sd[slot] = sd * math.sqrt(max(MIN_VARIANCE_LEFT, 1.0 - sd**3 * reduction))
            self._rounds[slot] += 1

    def _compute_change(
        self, i: int, me: int, *, reversed_result: bool = False, full_round: bool = False
    ) -> RatingChange:
        players, floor = self._rated[i], self._floors[self._mode[i]]
        own = players[me]._replace(alive=1.0) if full_round else players[me]
        comparisons, narrower, sd = [], 0.0, self._sd[own.slot]
        for other in (*players[:me], *players[me + 1 :]):
            c, chance = self._pair_noise(own.slot, other.slot), self._chance(own, other)
            is_teammate, k = own.team == other.team, min(own.alive, other.alive)
            scored = 1.0 if own.score > other.score else 0.0 if own.score < other.score else 0.5
            if reversed_result and not is_teammate:
                scored = 1.0 - scored
            comparisons.append(
                PairComparison(*self._id_and_name(other), is_teammate, chance, scored, k / c * (scored - chance), k / c)
            )
            narrower += k * (sd / c) ** 3 * chance * (1.0 - chance)
        left = sd * math.sqrt(max(MIN_VARIANCE_LEFT, 1.0 - narrower))
        result = ChangePart.product("result", variance=sd**2, gradient=sum(each.gain for each in comparisons))
        return RatingChange(
            apply_floor(result, self._mean[own.slot], floor),
            tuple(comparisons),
            (ChangePart("sd", left - sd),),
            {"opponents": len(comparisons), "alive": own.alive, "sd_before": sd, "sd_after": left, "floor": floor},
        )

    def _explain_chance(self, probability: float, own: RatedPlayers, others: RatedPlayers) -> ChanceExplanation:
        at_means = 0.5
        if own and others:
            (mean, var), (their_mean, their_var) = (self._average(side) for side in (own, others))
            noise = self._noise[own[0].slot]
            at_means = 0.5 + 0.5 * math.tanh(0.5 * (mean - their_mean) / math.sqrt(var + their_var + noise))
        return explain_mean_chance(probability, own, others, self._chance, at_means)

    def _average(self, team: RatedPlayers) -> tuple[float, float]:
        mean, var = (
            sum(values) / len(team)
            for values in ([self._mean[each.slot] for each in team], [self._sd[each.slot] ** 2 for each in team])
        )
        return mean, var


def _sum_pairs(
    means: Sequence[float], variances: Sequence[float], noise: float, alive: Sequence[float], scores: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Return Σ k/c (s − p) and Σ k/c³ p (1 − p) over the others, for all players."""
    sqrt, tanh = math.sqrt, math.tanh
    gradients, reductions = [0.0] * len(means), [0.0] * len(means)
    all_players = list(zip(means, variances, alive, scores, strict=True))
    for a, (mean, variance, share, score) in enumerate(all_players):
        own_gradient = own_reduction = 0.0
        own = variance + noise
        for b, (mean_b, variance_b, share_b, score_b) in enumerate(all_players[:a]):
            total = own + variance_b
            c = sqrt(total)
            chance = 0.5 + 0.5 * tanh(0.5 * (mean - mean_b) / c)
            weight = (share if share < share_b else share_b) / c  # noqa: FURB136 (min takes three times as long)
            gradient = weight * ((1.0 if score > score_b else 0.0 if score < score_b else 0.5) - chance)
            reduction = weight * chance * (1.0 - chance) / total
            own_gradient += gradient
            own_reduction += reduction
            gradients[b] -= gradient
            reductions[b] += reduction
        gradients[a] += own_gradient
        reductions[a] += own_reduction
    return gradients, reductions


_deviation = partial(Parameter, exclusive_low=0.0, high=1e5, fit="log")


class XonStatGoSystem(RatingSystem):
    """`xonstat-go`: Weng and Lin's rating as on the site (see `XonStatRun`)."""

    name: ClassVar[str] = XonStatGoRun.system_name
    title: ClassVar[str] = N_("XonStat Go")
    value_field: ClassVar[str] = "mean"
    scale: ClassVar[PublicScale] = "xonstat"
    allows_for_uncertainty: ClassVar[bool] = True
    explanation_titles: ClassVar[ExplanationTitles] = ExplanationTitles(
        terms=PAIRWISE_TERM_TITLES,
        parts={"result": N_("Result"), "floor": N_("Rating floor")},
        factors={"variance": N_("variance {value}"), "gradient": N_("gradient {value}")},
        compared="score",
    )
    declared_parameters: ClassVar[Sequence[Parameter]] = (
        Parameter("start", N_("Initial rating"), N_("mean of a newcomer, points"), 1500.0, low=0.0, high=1e5),
        _deviation("start_sd", N_("Initial uncertainty"), N_("standard deviation of a newcomer, points"), 350.0),
        _deviation("beta", N_("Performance spread β"), N_("standard deviation of one round, points"), 175.0),
        Parameter("floor", N_("Rating floor"), N_("no mean falls below, points"), 0.0, low=-1e5, high=1e5),
        *BIAS_PARAMETERS,
    )
    extras: ClassVar[Sequence[ModelExtra]] = (BIAS_EXTRA, FLOOR_EXTRA)

    @property
    def newcomer_sd(self) -> float:
        """Standard deviation of a newcomer's mean, points."""
        return self.parameters.number("start_sd")

    def new_run(self, record: RoundRecord) -> XonStatGoRun:
        """Return a run with all players at `start` and `start_sd`."""
        return XonStatGoRun(record, self)
