"""Explanation of a round in the terms of the NS2 rating."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from browser_app.rating.ns2.ns2_parameters import NS2Settings
from browser_app.rating.ns2.ns2_points import POINTS_PER_UNIT, to_points
from browser_app.rating.ns2.ns2_skills import NS2Skills
from browser_app.rating.rating_explanation import ChangePart, ExplainedPlayer, ExplanationTerm, RatingExplanation
from browser_app.rating.record.player_viewpoint import PlayerViewpoint
from browser_app.rating.record.team_presence import Presence, StintWeight, compute_field_presence, compute_presence
from browser_app.rating.round_prediction import logistic


class WeightedPresence(NamedTuple):
    """A player's weighted time on one team, on the field or as commander.

    `value` is their skill there, in units of s.
    """

    appearance: int
    team: int
    weight: float
    value: float


class LogOddsSum(NamedTuple):
    """One of the model's two sums, from the player's side.

    Attributes:
        presences: time of all players.
        full_round_weight: weight of a whole round.
        own, other: the player's weight on their side and on the other one.
        weight: weight of all players.
    """

    presences: Sequence[WeightedPresence]
    full_round_weight: float
    own: float
    other: float
    weight: float

    @property
    def signed(self) -> float:
        """Coefficient of the skill, as in `LogOddsTerms`."""
        return (self.own - self.other) / self.weight if self.presences else 0.0

    @property
    def whole(self) -> float:
        """Coefficient of the offset, as in `LogOddsTerms`."""
        return (self.own + self.other) / self.weight if self.presences else 0.0

    @property
    def has_player(self) -> bool:
        """Whether any of the time is the player's."""
        return self.own + self.other > 0.0

    def term(self, name: str, side: int) -> ExplanationTerm:
        """Return the sum as a term of the log-odds."""
        amount = sum((1.0 if each.team == side else -1.0) * each.weight * each.value for each in self.presences)
        return ExplanationTerm(name, amount / self.weight, logistic(amount / self.weight))


def compute_field_sum(view: PlayerViewpoint, settings: NS2Settings, skills: NS2Skills) -> LogOddsSum:
    """Return the sum over field time, with offsets if the round has sides."""
    present = compute_field_presence(
        view.record, settings.field_weight, view.k, view.k + 1, include_commander_time=settings.commander_weight is None
    )
    players, teams = view.record.player[present.appearance].tolist(), present.team.tolist()
    skill, offset = skills.skill, skills.offset
    signs = (1.0, -1.0) if view.record.has_sides[view.k] else (0.0, 0.0)
    worth = [skill[i] + signs[team] * offset[i] for i, team in zip(players, teams, strict=True)]
    return _build_sum(view, present, settings.field_weight, worth)


def compute_commander_sum(view: PlayerViewpoint, settings: NS2Settings, skills: NS2Skills) -> LogOddsSum:
    """Return the sum over commander time, empty if that counts as field time."""
    if settings.commander_weight is None:
        return LogOddsSum((), 1.0, 0.0, 0.0, 0.0)
    present = compute_presence(view.record, view.record.commander_stints, settings.commander_weight, view.k, view.k + 1)
    worth = [skills.commander[player] for player in view.record.player[present.appearance].tolist()]
    return _build_sum(view, present, settings.commander_weight, worth)


def _build_sum(view: PlayerViewpoint, present: Presence, weigh: StintWeight, worth: Sequence[float]) -> LogOddsSum:
    times = [
        WeightedPresence(*values)
        for values in zip(
            present.appearance.tolist(), present.team.tolist(), present.amount.tolist(), worth, strict=True
        )
    ]
    own = [each for each in times if each.appearance == view.appearance]
    return LogOddsSum(
        times,
        _full_round_weight(weigh, view.duration),
        sum(each.weight for each in own if each.team == view.team),
        sum(each.weight for each in own if each.team != view.team),
        sum(each.weight for each in times),
    )


def _full_round_weight(weigh: StintWeight, leave: float) -> float:
    """Return the weight of presence from the start of the round to a time."""
    return float(weigh(np.zeros(1), np.array([leave]))[0])


def explain_ns2_round(
    view: PlayerViewpoint, settings: NS2Settings, skills: NS2Skills, advantage: float | None
) -> RatingExplanation:
    """Explain a rated round.

    `skills` are those before the round; `advantage` is F of the first-named team, None if circumstances are
    ignored.
    """
    field, commanders = compute_field_sum(view, settings, skills), compute_commander_sum(view, settings, skills)
    terms = _terms(view, field, commanders, advantage)
    total = sum(term.amount for term in terms)
    chance = logistic(total)
    surprise, before = view.outcome - chance, skills.skill_sum[view.player]
    result = _result_part(settings, surprise, field.signed, before)
    to_the_end = field.full_round_weight / (field.weight - field.own - field.other + field.full_round_weight)
    return RatingExplanation(
        system="ns2",
        player=view.record.player_ids[view.player],
        team=view.team,
        probability=chance,
        outcome=view.outcome,
        share=_presence_weight(view, settings.field_weight) / field.full_round_weight,
        change=result.change,
        terms=terms,
        total=total,
        link="logit",
        parts=(result,),
        if_won=_result_part(settings, 1.0 - chance, field.signed, before).change,
        if_lost=_result_part(settings, -chance, field.signed, before).change,
        if_full_round=None if commanders.has_player else _result_part(settings, surprise, to_the_end, before).change,
        teams=_teams(view, field, commanders),
        side_effects=_side_effects(view, settings, skills, surprise, field, commanders),
        notes=_notes(view, settings, skills, surprise, field, commanders),
    )


def _terms(
    view: PlayerViewpoint, field: LogOddsSum, commanders: LogOddsSum, advantage: float | None
) -> tuple[ExplanationTerm, ...]:
    kinds = {"field": field, "commanders": commanders}
    terms = [each.term(name, view.team) for name, each in kinds.items() if each.presences]
    if advantage is not None:
        own = -advantage if view.team else advantage
        terms.append(ExplanationTerm("circumstance", own, logistic(own)))
    return tuple(terms)


def _side_effects(
    view: PlayerViewpoint,
    settings: NS2Settings,
    skills: NS2Skills,
    surprise: float,
    field: LogOddsSum,
    commanders: LogOddsSum,
) -> tuple[ChangePart, ...]:
    """Return the changes of offset and commander skill, where there are any."""
    effects = []
    if settings.per_team and view.record.has_sides[view.k]:
        factors = {"c": settings.c, "surprise": surprise, "whole": field.whole}
        effects.append(ChangePart.product("offset", points=POINTS_PER_UNIT, **factors))
    if commanders.has_player:
        rate = _learning_rate(settings, surprise * commanders.signed, skills.commander_sum[view.player])
        factors = {"commander_rate": rate, "surprise": surprise, "commander_share": commanders.signed}
        effects.append(ChangePart.product("commander", points=POINTS_PER_UNIT, **factors))
    return tuple(effects)


def _result_part(settings: NS2Settings, surprise: float, net: float, before: float) -> ChangePart:
    rate = _learning_rate(settings, surprise * net, before)
    return ChangePart.product("result", points=POINTS_PER_UNIT, rate=rate, surprise=surprise, share=net)


def _learning_rate(settings: NS2Settings, gradient: float, before: float) -> float:
    return settings.c + settings.a / sqrt(before + gradient * gradient + settings.epsilon)


def _presence_weight(view: PlayerViewpoint, weigh: StintWeight) -> float:
    """Return the weight of all the player's stays."""
    present = compute_presence(view.record, view.record.stays, weigh, view.k, view.k + 1)
    return float(present.amount[present.appearance == view.appearance].sum())


def _teams(view: PlayerViewpoint, field: LogOddsSum, commanders: LogOddsSum) -> tuple[tuple[ExplainedPlayer, ...], ...]:
    return tuple(
        tuple(
            _explained_player(view, each, sum_.full_round_weight, commanding=sum_ is commanders)
            for sum_ in (field, commanders)
            for each in sum_.presences
            if each.team == team
        )
        for team in (0, 1)
    )


def _explained_player(
    view: PlayerViewpoint, time: WeightedPresence, whole: float, *, commanding: bool
) -> ExplainedPlayer:
    player, team = int(view.record.player[time.appearance]), view.record.teams(view.k)[time.team]
    return ExplainedPlayer(
        id=view.record.player_ids[player],
        name=view.record.player_names[player],
        team=team,
        value=to_points(time.value),
        share=time.weight / whole,
        is_commander=commanding,
    )


def _notes(
    view: PlayerViewpoint,
    settings: NS2Settings,
    skills: NS2Skills,
    surprise: float,
    field: LogOddsSum,
    commanders: LogOddsSum,
) -> dict[str, float]:
    notes = {"a": settings.a, "c": settings.c, "epsilon": settings.epsilon, "whole_weight": field.full_round_weight}
    before = skills.skill_sum[view.player]
    notes |= {"sum_before": before, "sum": before + (surprise * field.signed) ** 2}
    if commanders.own + commanders.other > 0.0:
        before = skills.commander_sum[view.player]
        notes |= {"commander_sum_before": before, "commander_sum": before + (surprise * commanders.signed) ** 2}
    for side, own in (("own", True), ("other", False)):
        theirs = [each for each in field.presences if (each.team == view.team) == own]
        weight = sum(each.weight for each in theirs)
        notes[f"rounds_{side}"] = weight / field.full_round_weight
        if theirs:
            notes[f"mean_{side}"] = to_points(sum(each.weight * each.value for each in theirs) / weight)
    return notes
