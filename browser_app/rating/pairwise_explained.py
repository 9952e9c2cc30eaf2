"""What a mean over pairs of players is made of."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from browser_app.rating.explanation import Link, Member, Term
from browser_app.rating.viewpoint import View

Someone = TypeVar("Someone")


class Chance(NamedTuple):
    """A chance and its terms, as in ``Explanation``."""

    probability: float
    terms: tuple[Term, ...]
    total: float | None
    link: Link


def mean_chance(
    probability: float,
    own: Sequence[Someone],
    others: Sequence[Someone],
    expected: Callable[[Someone, Someone], float],
    at_means: float,
    *,
    pings: bool = False,
) -> Chance:
    """The chance of one of two teams.

    Args:
        probability: as predicted: mean over the pairs, ½ where a team has nobody.
        own: its players.
        others: those of the other team.
        expected: chance of one player against another by their ratings alone.
        at_means: the same of one who is rated as the mean of the first team, against the mean of the other.
        pings: whether what is left is due to pings.
    """
    if not own or not others:
        return Chance(probability, (), 0.0, "mean")
    plain = sum(expected(a, b) for a in own for b in others) / (len(own) * len(others)) if pings else probability
    amounts = {"ratings": at_means - 0.5, "spread": plain - at_means}
    if pings:
        amounts["pings"] = probability - plain
    terms = tuple(Term(name, amount, 0.5 + amount) for name, amount in amounts.items())
    return Chance(probability, terms, probability - 0.5, "mean")


def first_place(probability: float) -> Chance:
    """The chance of one of more than two teams."""
    return Chance(probability, (), None, "none")


def means(own: Sequence[float], others: Sequence[float]) -> dict[str, float]:
    """The notes that tell the teams' mean values."""
    sides = {"mean_own": own, "mean_other": others}
    return {name: sum(values) / len(values) for name, values in sides.items() if values}


def members(
    view: View, teams: Sequence[int], values: Sequence[float], shares: Sequence[float], counts: Sequence[bool]
) -> tuple[tuple[Member, ...], ...]:
    """Who was on each team; one entry an appearance of the round in all but ``view``, team -1 on none."""
    record = view.record
    names = record.teams(view.k)
    players = record.player[record.appearances(view.k)].tolist()
    found: list[list[Member]] = [[] for _ in names]
    for player, team, value, share, counted in zip(players, teams, values, shares, counts, strict=True):
        if team >= 0:
            found[team].append(
                Member(
                    record.player_ids[player], record.player_names[player], names[team], value, share, counts=counted
                )
            )
    return tuple(map(tuple, found))
