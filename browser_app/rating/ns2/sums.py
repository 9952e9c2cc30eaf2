"""The two sums of a round's logit, from one player's side: who was where for how long, and was worth what."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from browser_app.rating.explanation import Term
from browser_app.rating.ns2.declared import Settings
from browser_app.rating.ns2.logistic import logistic
from browser_app.rating.ns2.skills import Skills
from browser_app.rating.presence import Presence, Weigh, field_presence, presence
from browser_app.rating.viewpoint import View


class Time(NamedTuple):
    """Somebody's time on one team, on the field or in the chair, and what he is worth there (units of s)."""

    appearance: int
    team: int
    weight: float
    worth: float


class Sum(NamedTuple):
    """One of the model's two sums, from the player's side.

    Attributes:
        times: of everybody. whole: weight of a whole round.
        own, other: the player's weight on his side and on the other one. weight: everybody's.
    """

    times: Sequence[Time]
    whole: float
    own: float
    other: float
    weight: float

    @property
    def net(self) -> float:
        """What the skill is multiplied by."""
        return (self.own - self.other) / self.weight if self.times else 0.0

    @property
    def both(self) -> float:
        """What the offset is multiplied by."""
        return (self.own + self.other) / self.weight if self.times else 0.0

    def term(self, name: str, side: int) -> Term:
        """The sum as a term of the logit."""
        amount = sum((1.0 if each.team == side else -1.0) * each.weight * each.worth for each in self.times)
        return Term(name, amount / self.weight, logistic(amount / self.weight))


def field_sum(view: View, settings: Settings, skills: Skills) -> Sum:
    """Time on the field, where a skill counts with the side's offset."""
    there = field_presence(view.record, settings.field, view.k, view.k + 1, chairs_count=settings.chair is None)
    players, teams = view.record.player[there.appearance].tolist(), there.team.tolist()
    worth = [
        skills.skill[player] + (-skills.offset[player] if team else skills.offset[player])
        for player, team in zip(players, teams, strict=True)
    ]
    return _sum(view, there, settings.field, worth)


def chair_sum(view: View, settings: Settings, skills: Skills) -> Sum:
    """Time in the chair, unless that is field time."""
    if settings.chair is None:
        return Sum((), 1.0, 0.0, 0.0, 0.0)
    there = presence(view.record, view.record.chairs, settings.chair, view.k, view.k + 1)
    worth = [skills.commander[player] for player in view.record.player[there.appearance].tolist()]
    return _sum(view, there, settings.chair, worth)


def _sum(view: View, there: Presence, weigh: Weigh, worth: Sequence[float]) -> Sum:
    times = [
        Time(*values)
        for values in zip(there.appearance.tolist(), there.team.tolist(), there.amount.tolist(), worth, strict=True)
    ]
    mine = [each for each in times if each.appearance == view.appearance]
    return Sum(
        times,
        _weight(weigh, view.duration),
        sum(each.weight for each in mine if each.team == view.team),
        sum(each.weight for each in mine if each.team != view.team),
        sum(each.weight for each in times),
    )


def _weight(weigh: Weigh, leave: float) -> float:
    """Of being there from the start of the round to a time."""
    return float(weigh(np.zeros(1), np.array([leave]))[0])
