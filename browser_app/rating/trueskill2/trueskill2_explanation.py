"""Explanation of a round in the terms of TrueSkill 2."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from browser_app.rating.rating_explanation import ChangePart, ExplainedPlayer, ExplanationTerm, RatingExplanation
from browser_app.rating.rating_system import Rating
from browser_app.rating.record.player_viewpoint import PlayerViewpoint
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.trueskill2.team_chances import result_derivatives, two_team_chances
from browser_app.rating.trueskill2.trueskill2_model import COUNT_COLUMNS, ModeModel
from browser_app.rating.trueskill2.trueskill2_rounds import TrueSkillRoundBlock
from browser_app.rating.trueskill2.trueskill2_skills import ModeSkills, experience_gain


class RoundParticipant(NamedTuple):
    """A player in the round: skill before it, idle time included, and share by team."""

    appearance: int
    slot: int
    mean: float
    var: float
    shares: Sequence[float]


class PerformanceGap(NamedTuple):
    """Difference of two teams' performances, from the player's side.

    Attributes:
        t, c: its mean and standard deviation.
        margin: of a draw, ε.
        net: the player's share on their side less that on the other.
        var: of the player's skill.
        own, other: (sum of shares, mean skill by share) of the sides.
        squads: what squads add to t.
        advantage: mean and variance of what circumstances add; None if they are ignored.
    """

    t: float
    c: float
    margin: float
    net: float
    var: float
    own: tuple[float, float]
    other: tuple[float, float]
    squads: float
    advantage: tuple[float, float] | None

    def v_and_w(self, outcome: float) -> tuple[float, float]:
        """Return TrueSkill's v and w of the result: 1 won, 0 lost, ½ drawn."""
        gradient, curvature = result_derivatives(self.t, self.c**2, self.margin, round(2.0 * outcome - 1.0))
        return gradient * self.c, curvature * self.c**2


def list_participants(rounds: TrueSkillRoundBlock, i: int, skills: ModeSkills) -> list[RoundParticipant]:
    """Return all players in round i of a block."""
    played, started = rounds.played, rounds.started[i]
    rows = slice(played.start[i], played.start[i + 1])
    shares = played.team_shares(i, i + 1, rounds.teams[i]).tolist()
    return [
        RoundParticipant(appearance, slot, *skills.skill_before(slot, started), share)
        for appearance, slot, share in zip(played.row[rows].tolist(), played.slot[rows], shares, strict=True)
    ]


def compute_gap(
    view: PlayerViewpoint,
    rounds: TrueSkillRoundBlock,
    i: int,
    players: Sequence[RoundParticipant],
    me: RoundParticipant,
    advantage: tuple[float, float] | None,
) -> PerformanceGap:
    """Return the gap of round i of a block, of two teams.

    `advantage` is that of the first-named one.
    """
    own, other, model = view.team, view.other_team, rounds.model(i)
    net = [each.shares[own] - each.shares[other] for each in players]
    squads = -rounds.played.net_shift[i] if own else rounds.played.net_shift[i]
    mean, spread = (0.0, 0.0) if advantage is None else advantage
    mean = -mean if own else mean
    return PerformanceGap(
        t=sum(a * each.mean for a, each in zip(net, players, strict=True)) + squads + mean,
        c=math.sqrt(sum(a * a * (each.var + model.beta2) for a, each in zip(net, players, strict=True)) + spread),
        margin=model.draw_margin,
        net=me.shares[own] - me.shares[other],
        var=me.var,
        own=_summarise_side(players, own),
        other=_summarise_side(players, other),
        squads=squads,
        advantage=None if advantage is None else (mean, spread),
    )


def _summarise_side(players: Sequence[RoundParticipant], team: int) -> tuple[float, float]:
    number = sum(each.shares[team] for each in players)
    return number, sum(each.shares[team] * each.mean for each in players) / number


RoundSimulator: TypeAlias = Callable[[RoundRecord, int], tuple[Rating, Rating]]
"""Type of `RatingRun.simulate_single_round`."""


def explain_trueskill2_round(
    system: str,
    view: PlayerViewpoint,
    rounds: TrueSkillRoundBlock,
    i: int,
    skills: ModeSkills,
    advantage: tuple[float, float] | None,
    prediction: Prediction,
    simulate: RoundSimulator,
) -> RatingExplanation:
    """Explain round i of a block, which is rated.

    `advantage` is mean and variance of what circumstances add.
    """
    players = list_participants(rounds, i, skills)
    me = next(each for each in players if each.appearance == view.appearance)
    gap = compute_gap(view, rounds, i, players, me, advantage) if len(view.ranks) == 2 else None
    before, after = simulate(view.single_round, view.row)
    parts = _parts(view, rounds.model(i), skills.rounds[me.slot], gap, after.value - before.value, simulate)
    won, lost = (_change(simulate, view.with_outcome(won=won), view.row) for won in (True, False))
    return RatingExplanation(
        system=system,
        player=view.record.player_ids[view.player],
        team=view.team,
        probability=prediction.first_place[view.team] if gap is None else prediction.chance(view.team, view.other_team),
        outcome=view.outcome,
        share=sum(me.shares),
        change=sum(part.change for part in parts),
        terms=() if gap is None else _terms(gap),
        total=None if gap is None else gap.t / gap.c if gap.c else 0.0,
        link="none" if gap is None else "probit",
        parts=parts,
        if_won=won,
        if_lost=lost,
        if_full_round=_change_if_full_round(parts) if rounds.has_closed_form[i] and gap is not None else None,
        teams=_teams(view, players),
        side_effects=(ChangePart("sd", (after.sd or 0.0) - (before.sd or 0.0)),),
        notes=_uncertainty_notes(before, after, me, skills) | ({} if gap is None else _gap_notes(gap, view.outcome)),
    )


def _terms(gap: PerformanceGap) -> tuple[ExplanationTerm, ...]:
    """Split (n μ − n' μ') / c of n and n' players with means μ and μ'.

    n μ − n' μ' = (μ − μ') (n + n')/2 + (n − n') (μ + μ')/2.
    """
    if gap.c == 0.0:
        return ()
    (number, mean), (their_number, their_mean) = gap.own, gap.other
    amounts = {
        "skills": (mean - their_mean) * (number + their_number) / 2.0 / gap.c,
        "numbers": (number - their_number) * (mean + their_mean) / 2.0 / gap.c,
    }
    if gap.squads:
        amounts["squads"] = gap.squads / gap.c
    if gap.advantage is not None:
        amounts["circumstance"] = gap.advantage[0] / gap.c
    margin = gap.margin / gap.c
    return tuple(ExplanationTerm(name, amount, _chance_alone(amount, margin)) for name, amount in amounts.items())


def _chance_alone(amount: float, margin: float) -> float:
    return two_team_chances(amount, 1.0, margin).chance(0, 1)


def _parts(
    view: PlayerViewpoint,
    model: ModeModel,
    games: int,
    gap: PerformanceGap | None,
    change: float,
    simulate: RoundSimulator,
) -> tuple[ChangePart, ...]:
    growth = experience_gain(model, games)
    counts, quits = model.counts, model.quits
    bare = _change(simulate, _without_evidence(view.single_round, counts=True), view.row) if counts or quits else change
    counted = _change(simulate, _without_evidence(view.single_round), view.row) if counts and quits else change
    parts = [ChangePart("result", bare - growth) if gap is None else _result(gap, view.outcome)]
    if counts:
        parts.append(ChangePart("counts", counted - bare))
    if quits:
        parts.append(ChangePart("quits", change - (counted if counts else bare)))
    if model.experience_offset:
        parts.append(ChangePart("experience", growth))
    return tuple(parts)


def _without_evidence(single_round: RoundRecord, *, counts: bool = False) -> RoundRecord:
    if counts:
        columns: dict[str, Any] = dict.fromkeys(COUNT_COLUMNS.values(), np.full(len(single_round.player), np.nan))
        single_round = replace(single_round, **columns)
    return replace(single_round, quit=np.full(len(single_round.player), -1, np.int8))


def _result(gap: PerformanceGap, outcome: float) -> ChangePart:
    if gap.c == 0.0:  # no player's share in one team exceeds that in the other: nothing is learned
        return ChangePart("result", 0.0)
    return ChangePart.product("result", share=gap.net, variance=gap.var, v=gap.v_and_w(outcome)[0], per_c=1.0 / gap.c)


def _change_if_full_round(parts: Sequence[ChangePart]) -> float:
    """Return the change if the player had been present for the whole round."""
    others = [factor.value for factor in parts[0].factors if factor.name != "share"]
    return (math.prod(others) if others else 0.0) + sum(part.change for part in parts[1:])


def _change(simulate: RoundSimulator, single_round: RoundRecord, row: int) -> float:
    before, after = simulate(single_round, row)
    return after.value - before.value


def _teams(view: PlayerViewpoint, players: Sequence[RoundParticipant]) -> tuple[tuple[ExplainedPlayer, ...], ...]:
    record = view.record

    def member(person: RoundParticipant, team: int, name: str) -> ExplainedPlayer:
        player = int(record.player[person.appearance])
        return ExplainedPlayer(
            record.player_ids[player], record.player_names[player], name, person.mean, person.shares[team]
        )

    return tuple(
        tuple(member(each, team, name) for each in players if each.shares[team] > 0.0)
        for team, name in enumerate(record.teams(view.k))
    )


def _uncertainty_notes(before: Rating, after: Rating, me: RoundParticipant, skills: ModeSkills) -> dict[str, float]:
    return {
        "sd_before": before.sd or 0.0,
        "sd_after": after.sd or 0.0,
        "idle_variance": me.var - skills.skill(me.slot)[1],
    }


def _gap_notes(gap: PerformanceGap, outcome: float) -> dict[str, float]:
    others = {"squads": gap.squads} if gap.squads else {}
    if gap.advantage is not None:
        others["advantage"] = gap.advantage[0]
    (number, mean), (their_number, their_mean) = gap.own, gap.other
    v, w = gap.v_and_w(outcome)
    return {
        "t": gap.t,
        "c": gap.c,
        "margin": gap.margin,
        "v": v,
        "w": w,
        "variance_share": gap.net**2 * gap.var / gap.c**2 if gap.c else 0.0,
        "rounds_own": number,
        "rounds_other": their_number,
        "mean_own": mean,
        "mean_other": their_mean,
    } | others
