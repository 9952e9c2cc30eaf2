"""Team chances as means over pairs of players, and their explanation."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from browser_app.rating.rating_explanation import ExplainedPlayer, ExplanationTerm, Link
from browser_app.rating.record.player_viewpoint import PlayerViewpoint
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.translatable import N_

PairPlayer = TypeVar("PairPlayer")

PAIRWISE_TERM_TITLES: Mapping[str, str] = {"ratings": N_("Mean ratings"), "spread": N_("Individual pairs")}
"""Titles of the terms of `explain_mean_chance`, marked for translation."""


class ChanceExplanation(NamedTuple):
    """A chance and its terms, as in ``RatingExplanation``."""

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
    """Return the players of each team; the lists have one entry per appearance, team -1 for none."""
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


_NOBODY = float("nan")


def predict_from_pairs(
    teams: Sequence[Sequence[PairPlayer]], chance: Callable[[PairPlayer, PairPlayer], float]
) -> Prediction:
    """Predict the chances of teams as the mean over all pairs of players across two teams.

    More than two teams are coupled by P(first = a) = Σ_b beats[a][b] / pairs of teams, which sums to 1 and is the plain
    chance for two. An empty team is first with chance 0 and not compared (NaN).

    Args:
        teams: the players of each team; at least two teams have some.
        chance: of one player against another; chance(a, b) + chance(b, a) = 1.
    """
    beats = [[0.5] * len(teams) for _ in teams]
    for a, own in enumerate(teams):
        for b in range(a):
            won = _mean_chance(own, teams[b], chance)
            beats[a][b], beats[b][a] = won, 1.0 - won
    occupied = [a for a, own in enumerate(teams) if own]
    pairs = len(occupied) * (len(occupied) - 1) / 2
    first = [sum(beats[a][b] for b in occupied if b != a) / pairs if own else 0.0 for a, own in enumerate(teams)]
    return Prediction(tuple(first), 0.0, tuple(map(tuple, beats)))


def _mean_chance(
    own: Sequence[PairPlayer], other: Sequence[PairPlayer], chance: Callable[[PairPlayer, PairPlayer], float]
) -> float:
    if not own or not other:
        return _NOBODY
    return sum(chance(a, b) for a in own for b in other) / (len(own) * len(other))
