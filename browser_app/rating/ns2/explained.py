"""A round taken apart in the terms of the NS2 model: whom the chance came from, and what moved the skill."""

from math import sqrt

from browser_app.rating.explanation import Explanation, Member, Part, Term
from browser_app.rating.ns2.declared import Settings
from browser_app.rating.ns2.logistic import logistic
from browser_app.rating.ns2.points import POINTS, points
from browser_app.rating.ns2.skills import Skills
from browser_app.rating.ns2.sums import Sum, Time, chair_sum, field_sum
from browser_app.rating.presence import Weigh, presence
from browser_app.rating.viewpoint import View


def explain(view: View, settings: Settings, skills: Skills, bias: float | None) -> Explanation:
    """A rated round.

    Args:
        view: the round and whose it is.
        settings: of the model.
        skills: as they stand before the round.
        bias: F, for the first-named team; None where circumstances have no part.
    """
    field, chair = field_sum(view, settings, skills), chair_sum(view, settings, skills)
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


def _there(view: View, weigh: Weigh) -> float:
    """Weight of all the player's stays."""
    there = presence(view.record, view.record.stays, weigh, view.k, view.k + 1)
    return float(there.amount[there.appearance == view.appearance].sum())


def _teams(view: View, field: Sum, chair: Sum) -> tuple[tuple[Member, ...], ...]:
    return tuple(
        tuple(
            _member(view, each, sum_.whole, commanding=sum_ is chair)
            for sum_ in (field, chair)
            for each in sum_.times
            if each.team == team
        )
        for team in (0, 1)
    )


def _member(view: View, time: Time, whole: float, *, commanding: bool) -> Member:
    player, team = int(view.record.player[time.appearance]), view.record.teams(view.k)[time.team]
    return Member(
        id=view.record.player_ids[player],
        name=view.record.player_names[player],
        team=team,
        value=points(time.worth),
        share=time.weight / whole,
        commanding=commanding,
    )


def _notes(view: View, settings: Settings, skills: Skills, surprise: float, field: Sum, chair: Sum) -> dict[str, float]:
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
