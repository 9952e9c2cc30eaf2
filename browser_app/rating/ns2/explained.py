"""A round taken apart in the terms of the NS2 model: whom the chance came from, and what moved the skill."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from browser_app.rating.explanation import Explanation, Member, Part, Term
from browser_app.rating.ns2.declared import Settings
from browser_app.rating.ns2.logistic import logistic
from browser_app.rating.ns2.points import POINTS, points
from browser_app.rating.ns2.skills import Skills
from browser_app.rating.presence import Presence, Weigh, field_presence, presence
from browser_app.rating.viewpoint import View


class _Time(NamedTuple):
    """Somebody's time on one team, on the field or in the chair, and what he is worth there (units of s)."""

    appearance: int
    team: int
    weight: float
    worth: float


class _Sum(NamedTuple):
    """One of the model's two sums, from the player's side.

    Attributes:
        times: of everybody. whole: weight of a whole round.
        own, other: the player's weight on his side and on the other one. weight: everybody's.
    """

    times: Sequence[_Time]
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


def explain(view: View, settings: Settings, skills: Skills, bias: float | None) -> Explanation:
    """A rated round.

    Args:
        view: the round and whose it is.
        settings: of the model.
        skills: as they stand before the round.
        bias: F, for the first-named team; None where circumstances have no part.
    """
    field, chair = _field(view, settings, skills), _chair(view, settings, skills)
    terms = [each.term(name, view.team) for name, each in (("field", field), ("commanders", chair)) if each.times]
    if bias is not None:
        own = -bias if view.team else bias
        terms.append(Term("circumstance", own, logistic(own)))
    total = sum(term.amount for term in terms)
    chance = logistic(total)
    surprise, before = view.outcome - chance, skills.skill_sum[view.player]
    result = _result(settings, surprise, field.net, before)
    in_chair, also = chair.own + chair.other > 0.0, []
    if settings.per_team:
        also.append(Part.product("offset", points=POINTS, c=settings.c, surprise=surprise, whole=field.both))
    if in_chair:
        rate = _rate(settings, surprise * chair.net, skills.commander_sum[view.player])
        also.append(Part.product("commander", points=POINTS, chair_rate=rate, surprise=surprise, chair_share=chair.net))
    to_the_end = field.whole / (field.weight - field.own - field.other + field.whole)
    return Explanation(
        system="ns2",
        player=view.record.player_ids[view.player],
        team=view.team,
        probability=chance,
        outcome=view.outcome,
        share=_there(view, settings.field) / field.whole,
        change=result.change,
        terms=tuple(terms),
        total=total,
        link="logit",
        parts=(result,),
        if_won=_result(settings, 1.0 - chance, field.net, before).change,
        if_lost=_result(settings, -chance, field.net, before).change,
        if_whole=None if in_chair else _result(settings, surprise, to_the_end, before).change,
        teams=_teams(view, field, chair),
        also=tuple(also),
        notes=_notes(view, settings, skills, surprise, field, chair),
    )


def _result(settings: Settings, surprise: float, net: float, before: float) -> Part:
    rate = _rate(settings, surprise * net, before)
    return Part.product("result", points=POINTS, rate=rate, surprise=surprise, share=net)


def _rate(settings: Settings, gradient: float, before: float) -> float:
    return settings.c + settings.a / sqrt(before + gradient * gradient + settings.epsilon)


def _field(view: View, settings: Settings, skills: Skills) -> _Sum:
    there = field_presence(view.record, settings.field, view.k, view.k + 1, chairs_count=settings.chair is None)
    return _sum(view, there, settings.field, [
        skills.skill[player] + (-skills.offset[player] if team else skills.offset[player])
        for player, team in zip(view.record.player[there.appearance].tolist(), there.team.tolist(), strict=True)
    ])  # fmt: skip


def _chair(view: View, settings: Settings, skills: Skills) -> _Sum:
    if settings.chair is None:
        return _Sum((), 1.0, 0.0, 0.0, 0.0)
    there = presence(view.record, view.record.chairs, settings.chair, view.k, view.k + 1)
    worth = [skills.commander[player] for player in view.record.player[there.appearance].tolist()]
    return _sum(view, there, settings.chair, worth)


def _sum(view: View, there: Presence, weigh: Weigh, worth: Sequence[float]) -> _Sum:
    times = [
        _Time(*values)
        for values in zip(there.appearance.tolist(), there.team.tolist(), there.amount.tolist(), worth, strict=True)
    ]
    mine = [each for each in times if each.appearance == view.appearance]
    return _Sum(
        times,
        _weight(weigh, view.duration),
        sum(each.weight for each in mine if each.team == view.team),
        sum(each.weight for each in mine if each.team != view.team),
        sum(each.weight for each in times),
    )


def _weight(weigh: Weigh, leave: float) -> float:
    """Of being there from the start of the round to a time."""
    return float(weigh(np.zeros(1), np.array([leave]))[0])


def _there(view: View, weigh: Weigh) -> float:
    """Weight of all the player's stays."""
    there = presence(view.record, view.record.stays, weigh, view.k, view.k + 1)
    return float(there.amount[there.appearance == view.appearance].sum())


def _teams(view: View, field: _Sum, chair: _Sum) -> tuple[tuple[Member, ...], ...]:
    return tuple(
        tuple(
            _member(view, each, sum_.whole, commanding=sum_ is chair)
            for sum_ in (field, chair)
            for each in sum_.times
            if each.team == team
        )
        for team in (0, 1)
    )


def _member(view: View, time: _Time, whole: float, *, commanding: bool) -> Member:
    player, team = int(view.record.player[time.appearance]), view.record.teams(view.k)[time.team]
    return Member(
        id=view.record.player_ids[player],
        name=view.record.player_names[player],
        team=team,
        value=points(time.worth),
        share=time.weight / whole,
        commanding=commanding,
    )


def _notes(
    view: View, settings: Settings, skills: Skills, surprise: float, field: _Sum, chair: _Sum
) -> dict[str, float]:
    notes = {"a": settings.a, "c": settings.c, "epsilon": settings.epsilon, "whole_weight": field.whole}
    before = skills.skill_sum[view.player]
    notes |= {"sum_before": before, "sum": before + (surprise * field.net) ** 2}
    if chair.own + chair.other > 0.0:
        before = skills.commander_sum[view.player]
        notes |= {"chair_sum_before": before, "chair_sum": before + (surprise * chair.net) ** 2}
    for side, own in (("own", True), ("other", False)):
        theirs = [each for each in field.times if (each.team == view.team) == own]
        weight = sum(each.weight for each in theirs)
        notes[f"rounds_{side}"] = weight / field.whole
        if theirs:
            notes[f"mean_{side}"] = points(sum(each.weight * each.worth for each in theirs) / weight)
    return notes
