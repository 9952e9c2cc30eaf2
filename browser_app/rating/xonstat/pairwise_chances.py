"""Team chances as means over pairs of players, and their explanation."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from browser_app.rating.rating_explanation import ExplainedPlayer, ExplanationTerm, Link
from browser_app.rating.record.player_viewpoint import PlayerViewpoint
from browser_app.rating.round_prediction import Prediction, logistic
from browser_app.rating.translatable import N_

PairPlayer = TypeVar("PairPlayer")

PAIRWISE_TERM_TITLES: Mapping[str, str] = {
    "ratings": N_("Mean ratings"),
    "spread": N_("Individual pairs"),
    "circumstance": N_("Side and map"),
}
"""Titles of the terms of `explain_mean_chance` and `explain_advantage`, marked for translation."""


class ChanceExplanation(NamedTuple):
    """A chance and its terms, as in `RatingExplanation`."""

    probability: float
    terms: tuple[ExplanationTerm, ...]
    total: float | None
    link: Link


def explain_mean_chance(
    probability: float,
    own: Sequence[PairPlayer],
    others: Sequence[PairPlayer],
    expected: Callable[[PairPlayer, PairPlayer], float],
    at_means: float,
    *,
    include_pings: bool = False,
) -> ChanceExplanation:
    """Explain the chance of one of two teams.

    Args:
        probability: as predicted: mean over the pairs, ½ where a team is empty.
        own: its players.
        others: players of the other team.
        expected: chance of one player against another by their ratings alone.
        at_means: chance of a player with the first team's mean rating against one with the other's.
        include_pings: whether the remainder is due to pings.
    """
    if not own or not others:
        return ChanceExplanation(probability, (), 0.0, "mean")
    plain = (
        sum(expected(a, b) for a in own for b in others) / (len(own) * len(others)) if include_pings else probability
    )
    amounts = {"ratings": at_means - 0.5, "spread": plain - at_means}
    if include_pings:
        amounts["pings"] = probability - plain
    terms = tuple(ExplanationTerm(name, amount, 0.5 + amount) for name, amount in amounts.items())
    return ChanceExplanation(probability, terms, probability - 0.5, "mean")


def explain_advantage(chance: ChanceExplanation, probability: float) -> ChanceExplanation:
    """Return an explanation with a term for the advantage by circumstances.

    The term is `probability`, which includes the advantage, less the chance so far.
    """
    amount = probability - chance.probability
    term = ExplanationTerm("circumstance", amount, 0.5 + amount)
    return ChanceExplanation(probability, (*chance.terms, term), probability - 0.5, chance.link)


def explain_first_place(probability: float) -> ChanceExplanation:
    """Explain the chance of one of more than two teams."""
    return ChanceExplanation(probability, (), None, "none")


def mean_rating_notes(own: Sequence[float], others: Sequence[float]) -> dict[str, float]:
    """Return the notes with the teams' mean ratings."""
    sides = {"mean_own": own, "mean_other": others}
    return {name: sum(values) / len(values) for name, values in sides.items() if values}


def list_team_players(
    view: PlayerViewpoint,
    teams: Sequence[int],
    values: Sequence[float],
    shares: Sequence[float],
    counts: Sequence[bool],
) -> tuple[tuple[ExplainedPlayer, ...], ...]:
    """Return the players of each team; the lists are by appearance, team -1 is none."""
    record = view.record
    names = record.teams(view.k)
    players = record.player[record.appearances(view.k)].tolist()
    found: list[list[ExplainedPlayer]] = [[] for _ in names]
    for player, team, value, share, counted in zip(players, teams, values, shares, counts, strict=True):
        if team >= 0:
            found[team].append(
                ExplainedPlayer(
                    record.player_ids[player], record.player_names[player], names[team], value, share, is_rated=counted
                )
            )
    return tuple(map(tuple, found))


def predict_from_pairs(
    teams: Sequence[Sequence[PairPlayer]],
    pair_log_odds: Callable[[PairPlayer, PairPlayer], float],
    advantage: float = 0.0,
) -> Prediction:
    """Predict the chances of teams by the mean over all pairs of players across them.

    More than two teams are coupled by P(first = a) = Σ_b P(a before b) / pairs of teams, which sums to 1 and is the
    plain chance for two. An empty team is first with chance 0 and not compared (NaN).

    Args:
        teams: the players of each team; at least two teams have some.
        pair_log_odds: of one player against another; changes its sign with the order.
        advantage: log-odds of the first of two teams beyond its players, in every pair.
    """
    log_odds = [[0.0] * len(teams) for _ in teams]
    for a, own in enumerate(teams):
        for b in range(a):
            odds = _mean_log_odds([pair_log_odds(one, other) - advantage for one in own for other in teams[b]])
            log_odds[a][b], log_odds[b][a] = odds, -odds
    occupied = [a for a, own in enumerate(teams) if own]
    pairs = len(occupied) * (len(occupied) - 1) / 2
    first = [
        sum(logistic(log_odds[a][b]) for b in occupied if b != a) / pairs if own else 0.0 for a, own in enumerate(teams)
    ]
    return Prediction(tuple(first), 0.0, tuple(map(tuple, log_odds)))


_MIN_CHANCE = 1e-290  # smaller sums of chances have too few digits


def _mean_log_odds(pairs: Sequence[float]) -> float:
    """Return the log-odds of the mean of chances given as log-odds, NaN without any."""
    won, lost = math.fsum(map(logistic, pairs)), math.fsum(logistic(-odds) for odds in pairs)
    if not pairs:
        return math.nan
    if min(won, lost) > _MIN_CHANCE:
        return math.log(won / lost)
    sign = 1.0 if won > lost else -1.0
    distances = [sign * odds for odds in pairs]  # all far above 0, where the smaller chance is e^−distance
    least = min(distances)
    if math.isinf(least):
        return sign * least
    return sign * (least - math.log(math.fsum(math.exp(least - each) for each in distances) / len(pairs)))
