"""XonStat's Elo as described in its blog (July 2012)."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from browser_app.rating.model_extra import ModelExtra
from browser_app.rating.rating_explanation import (
    ChangePart,
    ExplainedPlayer,
    ExplanationTitles,
    PairComparison,
    RatingExplanation,
)
from browser_app.rating.rating_parameters import Parameter
from browser_app.rating.rating_system import Rating, RatingSystem
from browser_app.rating.record.player_viewpoint import PlayerViewpoint
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.record.team_presence import longest_team, seconds_per_appearance
from browser_app.rating.round_prediction import Prediction, logistic, to_log_odds
from browser_app.rating.skip_reason import SkipReason
from browser_app.rating.translatable import N_
from browser_app.rating.xonstat import pairwise_chances
from browser_app.rating.xonstat.elo_parameters import ELO_EXTRAS, ELO_PARAMETERS, ELO_SCALE, EloKFactor
from browser_app.rating.xonstat.slot_ratings import SlotRatingsRun


class EloAppearance(NamedTuple):
    """One appearance of the round: team (-1 for none), rating and share of the round."""

    team: int
    rating: float
    share: float


def explain_elo_blog_round(
    view: PlayerViewpoint,
    prediction: Prediction,
    appearances: Sequence[EloAppearance],
    games: int,
    k_factor: float,
    expected: Callable[[float, float], float],
    advantage: float | None,
) -> RatingExplanation:
    """Explain a rated round.

    `advantage` is that of the player's team, None if circumstances are ignored.
    """
    own_entry = appearances[view.row]
    comparisons = tuple(_compare_pairs(view, appearances, expected, advantage or 0.0))
    result = _result(k_factor, own_entry.share, _mean([each.gain for each in comparisons]))
    won, lost = (_mean([scored - each.expected for each in comparisons]) for scored in (1.0, 0.0))
    chance = _chance(view, prediction, appearances, expected)
    if advantage is not None and chance.terms:
        chance = pairwise_chances.explain_advantage(chance, prediction.first_place[view.team])
    own, others = _ratings(view, appearances)
    return RatingExplanation(
        system=EloBlogSystem.name,
        player=view.record.player_ids[view.player],
        team=view.team,
        **chance._asdict(),
        outcome=view.outcome,
        share=own_entry.share,
        change=result.change,
        parts=(result,),
        if_won=_result(k_factor, own_entry.share, won).change,
        if_lost=_result(k_factor, own_entry.share, lost).change,
        if_full_round=_result(k_factor, 1.0, _mean([each.gain for each in comparisons])).change,
        teams=_list_players(view, appearances),
        pair_comparisons=comparisons,
        notes={"games": games, "opponents": len(comparisons), **pairwise_chances.mean_rating_notes(own, others)},
    )


def _list_players(view: PlayerViewpoint, entries: Sequence[EloAppearance]) -> tuple[tuple[ExplainedPlayer, ...], ...]:
    ratings, shares = [entry.rating for entry in entries], [entry.share for entry in entries]
    return pairwise_chances.list_team_players(
        view, [entry.team for entry in entries], ratings, shares, [True] * len(entries)
    )


def _result(stake: float, share: float, surprise: float) -> ChangePart:
    return ChangePart.product("result", k=stake, share=share, surprise=surprise)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _ratings(view: PlayerViewpoint, entries: Sequence[EloAppearance]) -> tuple[list[float], list[float]]:
    present = [entry for entry in entries if entry.team >= 0]
    own = [entry.rating for entry in present if entry.team == view.team]
    return own, [entry.rating for entry in present if entry.team != view.team]


def _chance(
    view: PlayerViewpoint,
    prediction: Prediction,
    entries: Sequence[EloAppearance],
    expected: Callable[[float, float], float],
) -> pairwise_chances.ChanceExplanation:
    if len(view.ranks) > 2:
        return pairwise_chances.explain_first_place(prediction.first_place[view.team])
    own, others = _ratings(view, entries)
    at_means = expected(_mean(own), _mean(others))
    plain = _mean([expected(a, b) for a in own for b in others])
    return pairwise_chances.explain_mean_chance(plain, own, others, expected, at_means)


def _compare_pairs(
    view: PlayerViewpoint,
    entries: Sequence[EloAppearance],
    expected: Callable[[float, float], float],
    advantage: float,
) -> list[PairComparison]:
    """Compare the player with all players of other teams, by rank."""
    record, first = view.record, view.appearance - view.row
    own, rank = entries[view.row], view.ranks[view.team]
    comparisons = []
    for row, entry in enumerate(entries):
        if entry.team in (-1, view.team):
            continue
        other = int(record.player[first + row])
        theirs = view.ranks[entry.team]
        chance = logistic(to_log_odds(expected(own.rating, entry.rating)) + advantage)
        scored = 1.0 if rank < theirs else 0.0 if rank > theirs else 0.5
        gain = scored - chance
        comparisons.append(
            PairComparison(record.player_ids[other], record.player_names[other], False, chance, scored, gain)
        )
    return comparisons


_MAX_EXPONENT = 300.0  # powers of ten; avoids overflow


class EloBlogRun(SlotRatingsRun):
    """Ratings and numbers of rounds by player and mode."""

    newcomer_parameters: ClassVar[tuple[str, ...]] = ("start",)

    def _prepare_record(self) -> None:
        record, parameters = self.record, self._system.parameters
        self._origin = parameters.number("start")
        (self._rating,) = self._slot_ratings.values
        self._k_factors = [EloKFactor(parameters, mode) for mode in record.modes]
        self._longest = longest_team(record)
        self._share = np.minimum(1.0, seconds_per_appearance(record) / record.duration[record.round_of_appearance])

    def _slot_fields(self, slot: int) -> Mapping[str, object]:
        return {"rating": self._rating[slot], "rounds": self._rounds[slot]}

    def _prepare_block(self, first: int, last: int) -> None:
        record, of = self.record, self._slots.appearance_slot
        self._mode = record.mode[first:last].tolist()
        self._ranks = [record.ranks(k) for k in range(first, last)]
        self._round_slots: list[list[int]] = []
        self._teams: list[list[list[int]]] = []  # slots of the players on each team
        self._shares: list[list[list[float]]] = []  # their shares of the round
        for k in range(first, last):
            rows = record.appearances(k)
            slots, longest, share = of[rows].tolist(), self._longest[rows].tolist(), self._share[rows].tolist()
            teams: list[list[int]] = [[] for _ in range(record.team_count[k])]
            shares: list[list[float]] = [[] for _ in teams]
            for slot, team, part in zip(slots, longest, share, strict=True):
                if team >= 0:
                    teams[team].append(slot)
                    shares[team].append(part)
            self._round_slots.append(slots)
            self._teams.append(teams)
            self._shares.append(shares)

    def _skip_reason(self, i: int) -> str | None:
        if self._ranks[i] is None:
            return SkipReason.NO_OUTCOME
        return None if self._has_two_sides(i) else SkipReason.ONE_SIDE_EMPTY

    def _has_two_sides(self, i: int) -> bool:
        return sum(map(bool, self._teams[i])) >= 2

    def _forecast(self, i: int) -> Prediction | None:
        return self._prediction(i) if self._has_two_sides(i) else None

    def _prediction(self, i: int) -> Prediction:
        """Predict by the mean E over the pairs; playing time does not matter."""
        rating, scale = self._rating, math.log(10.0) / ELO_SCALE
        return pairwise_chances.predict_from_pairs(
            self._teams[i], lambda a, b: (rating[a] - rating[b]) * scale, self._team_advantage(i)
        )

    def _team_advantage(self, i: int) -> float:
        return 0.0 if self._advantage is None else self._advantage.log_odds(self._first + i)

    def _strength(self, rating: float) -> float:
        """Return 10^(R/400) relative to a newcomer: E = own / (own + the other's)."""
        powers = (rating - self._origin) / ELO_SCALE
        return float(10.0 ** max(-_MAX_EXPONENT, min(_MAX_EXPONENT, powers)))

    def _expected(self, rating: float, other: float) -> float:
        own = self._strength(rating)
        return own / (own + self._strength(other))

    def _update(self, i: int) -> None:
        """Apply ΔR = K × share of the round × mean of (S − E) over all opponents."""
        ranks = self._ranks[i] or ()
        stake, rating, rounds = self._k_factors[self._mode[i]], self._rating, self._rounds
        strengths = [[self._strength(rating[slot]) for slot in team] for team in self._teams[i]]
        if self._advantage is not None:
            odds = math.exp(self._team_advantage(i))
            strengths[0] = [odds * own for own in strengths[0]]
            self._advantage.learn(self._first + i, self._prediction(i))
        for a, (team, shares) in enumerate(zip(self._teams[i], self._shares[i], strict=True)):
            score = 0.0
            others: list[float] = []
            for b, other in enumerate(strengths):
                if b != a:
                    others += other
                    score += len(other) * (1.0 if ranks[a] < ranks[b] else 0.0 if ranks[a] > ranks[b] else 0.5)
            for slot, share, own in zip(team, shares, strengths[a], strict=True):
                gain = (score - sum([own / (own + each) for each in others])) / len(others)
                rating[slot] += stake(rounds[slot]) * share * gain
                rounds[slot] += 1

    def _ratings(self, i: int) -> Sequence[Rating]:
        return [Rating(self._rating[slot]) for slot in self._round_slots[i]]

    def _explain(self, i: int, view: PlayerViewpoint) -> RatingExplanation:
        rows = self.record.appearances(view.k)
        ratings = [self._rating[slot] for slot in self._round_slots[i]]
        appearances = zip(self._longest[rows].tolist(), ratings, self._share[rows].tolist(), strict=True)
        games = self._rounds[self._round_slots[i][view.row]]
        return explain_elo_blog_round(
            view,
            self._prediction(i),
            [EloAppearance(*appearance) for appearance in appearances],
            games,
            self._k_factors[self._mode[i]](games),
            self._expected,
            None if self._advantage is None else (-1.0 if view.team else 1.0) * self._team_advantage(i),
        )


class EloBlogSystem(RatingSystem):
    """`elo-blog`: Elo without a floor, in which a draw counts ½.

    With more than two teams, all pairs of players across teams are compared by rank. Players on several teams count for
    the one with most of their time.
    """

    name: ClassVar[str] = "elo-blog"
    title: ClassVar[str] = N_("XonStat Elo (2012 blog)")
    value_field: ClassVar[str] = "rating"
    explanation_titles: ClassVar[ExplanationTitles] = ExplanationTitles(
        terms=pairwise_chances.PAIRWISE_TERM_TITLES,
        parts={"result": N_("Result")},
        factors={"k": N_("K {value}"), "share": N_("your share {value}"), "surprise": N_("surprise {value}")},
    )
    declared_parameters: ClassVar[Sequence[Parameter]] = ELO_PARAMETERS
    extras: ClassVar[Sequence[ModelExtra]] = ELO_EXTRAS

    def new_run(self, record: RoundRecord) -> EloBlogRun:
        """Return a run with all players at `start`."""
        return EloBlogRun(record, self)
