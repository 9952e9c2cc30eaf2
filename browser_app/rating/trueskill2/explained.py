"""A round taken apart in the terms of TrueSkill: what the difference was made of, and what taught what."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from browser_app.rating.explanation import Explanation, Member, Part, Term
from browser_app.rating.prediction import Prediction
from browser_app.rating.record import Record
from browser_app.rating.system import Rating
from browser_app.rating.trueskill2.gap import Gap, Person, gap_of, people_of
from browser_app.rating.trueskill2.model import Model
from browser_app.rating.trueskill2.rounds import Rounds
from browser_app.rating.trueskill2.skills import Skills, experience
from browser_app.rating.trueskill2.two_teams import chances
from browser_app.rating.viewpoint import View

Try: TypeAlias = Callable[[Record, int], tuple[Rating, Rating]]
"""``RatingRun.tried``."""


def explain(
    system: str, view: View, rounds: Rounds, i: int, skills: Skills, prediction: Prediction, tried: Try
) -> Explanation:
    """Round i of a block, which is rated.

    Args:
        system: its name.
        view: the round and whose it is.
        rounds: the block.
        i: the round's index in it.
        skills: as they stand before the round.
        prediction: of its teams.
        tried: what a round alone would do.
    """
    people = people_of(rounds, i, skills)
    me = next(each for each in people if each.appearance == view.appearance)
    gap = gap_of(view, rounds, i, people, me) if len(view.ranks) == 2 else None
    before, after = tried(view.alone, view.row)
    parts = _parts(view, rounds.model(i), skills.rounds[me.slot], gap, after.value - before.value, tried)
    won, lost = (_change(tried, view.had_it_been(won=won), view.row) for won in (True, False))
    return Explanation(
        system=system,
        player=view.record.player_ids[view.player],
        team=view.team,
        probability=prediction.first[view.team] if gap is None else prediction.beats[view.team][view.other],
        outcome=view.outcome,
        share=sum(me.shares),
        change=sum(part.change for part in parts),
        terms=() if gap is None else _terms(gap),
        total=None if gap is None else gap.t / gap.c if gap.c else 0.0,
        link="none" if gap is None else "probit",
        parts=parts,
        if_won=won,
        if_lost=lost,
        if_whole=_whole(parts) if rounds.closed[i] and gap is not None else None,
        teams=_teams(view, people),
        also=(Part("sd", (after.sd or 0.0) - (before.sd or 0.0)),),
        notes={
            "sd_before": before.sd or 0.0,
            "sd_after": after.sd or 0.0,
            "idle_variance": me.var - skills.skill(me.slot)[1],
            **({} if gap is None else _notes(gap, view.outcome)),
        },
    )


def _terms(gap: Gap) -> tuple[Term, ...]:
    """With n people of mean μ: n μ − n' μ' = (μ − μ') (n + n')/2 + (n − n') (μ + μ')/2; and squads; all over c."""
    if gap.c == 0.0:
        return ()
    (number, mean), (their_number, their_mean) = gap.own, gap.other
    amounts = {
        "skills": (mean - their_mean) * (number + their_number) / 2.0 / gap.c,
        "numbers": (number - their_number) * (mean + their_mean) / 2.0 / gap.c,
    }
    if gap.squads:
        amounts["squads"] = gap.squads / gap.c
    return tuple(Term(name, amount, _alone(amount, gap.margin / gap.c)) for name, amount in amounts.items())


def _alone(amount: float, margin: float) -> float:
    return chances(amount, 1.0, margin).beats[0][1]


def _parts(view: View, model: Model, games: int, gap: Gap | None, change: float, tried: Try) -> tuple[Part, ...]:
    """What the result alone taught; then with counts; then with quits; and what skill grows by anyway."""
    growth = experience(model, games)
    counts, quits = model.kills or model.deaths, model.quits
    bare = _change(tried, _without(view.alone, counts=True, quits=True), view.row) if counts or quits else change
    counted = _change(tried, _without(view.alone, quits=True), view.row) if counts and quits else change
    parts = [Part("result", bare - growth) if gap is None else _result(gap, view.outcome)]
    if counts:
        parts.append(Part("counts", counted - bare))
    if quits:
        parts.append(Part("quits", change - (counted if counts else bare)))
    if model.experience_offset:
        parts.append(Part("experience", growth))
    return tuple(parts)


def _without(alone: Record, *, counts: bool = False, quits: bool = False) -> Record:
    unknown = np.full(len(alone.player), np.nan)
    if counts:
        alone = replace(alone, kills=unknown, deaths=unknown)
    return replace(alone, quit=np.full(len(alone.player), -1, np.int8)) if quits else alone


def _result(gap: Gap, outcome: float) -> Part:
    if gap.c == 0.0:  # nobody's share in one team is more than in the other: nothing is learned
        return Part("result", 0.0)
    return Part.product("result", share=gap.net, variance=gap.var, v=gap.learnt(outcome)[0], per_c=1.0 / gap.c)


def _whole(parts: Sequence[Part]) -> float:
    """With all of the round as the player's share, everything else as it was."""
    others = [factor.value for factor in parts[0].factors if factor.name != "share"]
    return (math.prod(others) if others else 0.0) + sum(part.change for part in parts[1:])


def _change(tried: Try, alone: Record, row: int) -> float:
    before, after = tried(alone, row)
    return after.value - before.value


def _teams(view: View, people: Sequence[Person]) -> tuple[tuple[Member, ...], ...]:
    record = view.record

    def member(person: Person, team: int, name: str) -> Member:
        player = int(record.player[person.appearance])
        return Member(record.player_ids[player], record.player_names[player], name, person.mean, person.shares[team])

    return tuple(
        tuple(member(each, team, name) for each in people if each.shares[team] > 0.0)
        for team, name in enumerate(record.teams(view.k))
    )


def _notes(gap: Gap, outcome: float) -> dict[str, float]:
    squads = {"squads": gap.squads} if gap.squads else {}
    (number, mean), (their_number, their_mean) = gap.own, gap.other
    v, w = gap.learnt(outcome)
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
    } | squads
