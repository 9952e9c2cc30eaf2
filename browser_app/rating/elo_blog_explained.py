"""A round taken apart in the terms of the Elo that XonStat's author described."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from browser_app.rating.explanation import Duel, Explanation, Member, Part
from browser_app.rating.pairwise_explained import Chance, first_place, mean_chance, means, members
from browser_app.rating.prediction import Prediction
from browser_app.rating.viewpoint import View


class Seat(NamedTuple):
    """One appearance of the round: ``team`` -1 is none, ``share`` of the round."""

    team: int
    rating: float
    share: float


def explain(
    view: View,
    prediction: Prediction,
    seats: Sequence[Seat],
    games: int,
    stake: float,
    expected: Callable[[float, float], float],
) -> Explanation:
    """A rated round.

    Args:
        view: the round and whose it is.
        prediction: of its teams.
        seats: all its appearances.
        games: rounds the player has behind him in the mode.
        stake: his K.
        expected: E of one rating against another.
    """
    mine = seats[view.row]
    duels = tuple(_duels(view, seats, expected))
    result = _result(stake, mine.share, _mean([duel.gain for duel in duels]))
    won, lost = (_mean([scored - duel.expected for duel in duels]) for scored in (1.0, 0.0))
    chance = _chance(view, prediction, seats, expected)
    own, others = _ratings(view, seats)
    return Explanation(
        system="elo-blog",
        player=view.record.player_ids[view.player],
        team=view.team,
        **chance._asdict(),
        outcome=view.outcome,
        share=mine.share,
        change=result.change,
        parts=(result,),
        if_won=_result(stake, mine.share, won).change,
        if_lost=_result(stake, mine.share, lost).change,
        if_whole=_result(stake, 1.0, _mean([duel.gain for duel in duels])).change,
        teams=_members(view, seats),
        duels=duels,
        notes={"games": games, "opponents": len(duels), **means(own, others)},
    )


def _members(view: View, seats: Sequence[Seat]) -> tuple[tuple[Member, ...], ...]:
    ratings, shares = [seat.rating for seat in seats], [seat.share for seat in seats]
    return members(view, [seat.team for seat in seats], ratings, shares, [True] * len(seats))


def _result(stake: float, share: float, surprise: float) -> Part:
    return Part.product("result", k=stake, share=share, surprise=surprise)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _ratings(view: View, seats: Sequence[Seat]) -> tuple[list[float], list[float]]:
    """Those of the player's team, and of all others."""
    there = [seat for seat in seats if seat.team >= 0]
    own = [seat.rating for seat in there if seat.team == view.team]
    return own, [seat.rating for seat in there if seat.team != view.team]


def _chance(
    view: View, prediction: Prediction, seats: Sequence[Seat], expected: Callable[[float, float], float]
) -> Chance:
    if len(view.ranks) > 2:
        return first_place(prediction.first[view.team])
    own, others = _ratings(view, seats)
    at_means = expected(_mean(own), _mean(others))
    return mean_chance(prediction.first[view.team], own, others, expected, at_means)


def _duels(view: View, seats: Sequence[Seat], expected: Callable[[float, float], float]) -> list[Duel]:
    """The player against everybody on another team, who came before whom."""
    record, first = view.record, view.appearance - view.row
    mine, rank = seats[view.row], view.ranks[view.team]
    duels = []
    for row, seat in enumerate(seats):
        if seat.team in (-1, view.team):
            continue
        other = int(record.player[first + row])
        theirs = view.ranks[seat.team]
        chance, scored = expected(mine.rating, seat.rating), 1.0 if rank < theirs else 0.0 if rank > theirs else 0.5
        gain = scored - chance
        duels.append(Duel(record.player_ids[other], record.player_names[other], False, chance, scored, gain))
    return duels
