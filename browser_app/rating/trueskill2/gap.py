"""The difference of two teams' performances before a round, from one player's side."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from browser_app.rating.trueskill2.rounds import Rounds
from browser_app.rating.trueskill2.skills import Skills
from browser_app.rating.trueskill2.two_teams import lesson
from browser_app.rating.viewpoint import View


class Person(NamedTuple):
    """Somebody there: skill before the round (idle time in ``var``), shares of the round by team."""

    appearance: int
    slot: int
    mean: float
    var: float
    shares: Sequence[float]


class Gap(NamedTuple):
    """The difference of two teams' performances, from the player's side.

    Attributes:
        t, c: its mean and standard deviation. margin: of a draw, ε.
        net: the player's share on his side less that on the other. var: of his skill.
        own, other: (sum of shares, mean skill by share) of the sides. squads: what squads add to t.
    """

    t: float
    c: float
    margin: float
    net: float
    var: float
    own: tuple[float, float]
    other: tuple[float, float]
    squads: float

    def learnt(self, outcome: float) -> tuple[float, float]:
        """TrueSkill's v and w of the result: 1 won, 0 lost, ½ drawn."""
        push, shrink = lesson(self.t, self.c**2, self.margin, round(2.0 * outcome - 1.0))
        return push * self.c, shrink * self.c**2


def people_of(rounds: Rounds, i: int, skills: Skills) -> list[Person]:
    """Everybody in round i of a block."""
    played, started = rounds.played, rounds.started[i]
    rows = slice(played.start[i], played.start[i + 1])
    shares = played.team_shares(i, i + 1, rounds.teams[i]).tolist()
    return [
        Person(appearance, slot, *skills.before(slot, started), share)
        for appearance, slot, share in zip(played.row[rows].tolist(), played.slot[rows], shares, strict=True)
    ]


def gap_of(view: View, rounds: Rounds, i: int, people: Sequence[Person], me: Person) -> Gap:
    """That of round i of a block, of two teams."""
    own, other, model = view.team, view.other, rounds.model(i)
    net = [each.shares[own] - each.shares[other] for each in people]
    squads = -rounds.played.net_shift[i] if own else rounds.played.net_shift[i]
    return Gap(
        t=sum(a * each.mean for a, each in zip(net, people, strict=True)) + squads,
        c=math.sqrt(sum(a * a * (each.var + model.beta2) for a, each in zip(net, people, strict=True))),
        margin=model.draw_margin,
        net=me.shares[own] - me.shares[other],
        var=me.var,
        own=_side(people, own),
        other=_side(people, other),
        squads=squads,
    )


def _side(people: Sequence[Person], team: int) -> tuple[float, float]:
    number = sum(each.shares[team] for each in people)
    return number, sum(each.shares[team] * each.mean for each in people) / number
