"""Explanations of all systems add up: chance, change, other outcomes."""

import math
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from explanation_helpers import KINDS, ExplanationCase, explanation_cases, histories, last_change, rounds_with_outcome
from hypothesis import given, settings
from rating_helpers import played

from browser_app.rating import rating_explanation
from browser_app.rating.forward_pass import explain_round
from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_explanation import RatingExplanation
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system

pytestmark = pytest.mark.slow

CLOSE = 1e-9
TABLES = set(re.findall(r"[a-z_0-9]+", rating_explanation.__doc__ or ""))
few = settings(max_examples=8, deadline=None)
every_kind = pytest.mark.parametrize("kind", KINDS)


def chance_of_total(explained: RatingExplanation, amount: float) -> float:
    """Return the chance for a total or a single term."""
    if explained.link == "logit":
        return 1.0 / (1.0 + math.exp(-amount))
    if explained.link == "mean":
        return 0.5 + amount
    margin = explained.notes["margin"] / explained.notes["c"]
    first, second = (0.5 * math.erfc((margin - sign * amount) / math.sqrt(2.0)) for sign in (1.0, -1.0))
    return first / (first + second)


@every_kind
@few
@given(matches=histories())
def test_terms_and_parts_add_up(kind: str, matches: list[Round]) -> None:
    for case in explanation_cases(KINDS[kind], matches):
        explained = case.explained
        assert explained.probability == pytest.approx(case.said, abs=CLOSE)
        assert explained.change == pytest.approx(case.change, abs=CLOSE)
        assert sum(part.change for part in explained.parts) == pytest.approx(case.change, abs=CLOSE)
        for part in (*explained.parts, *explained.side_effects):
            if part.factors:
                assert math.prod(factor.value for factor in part.factors) == pytest.approx(part.change, abs=CLOSE)
        check_terms(explained)
        check_teams(case)
        check_keys(explained)
        check_full_round(explained)


def check_terms(explained: RatingExplanation) -> None:
    if explained.total is None:
        assert (explained.link, explained.terms) == ("none", ())
        return
    assert sum(term.amount for term in explained.terms) == pytest.approx(explained.total, abs=CLOSE)
    if explained.terms:
        assert chance_of_total(explained, explained.total) == pytest.approx(explained.probability, abs=CLOSE)
        for term in explained.terms:
            assert chance_of_total(explained, term.amount) == pytest.approx(term.chance_alone, abs=CLOSE)
    else:
        assert explained.probability == 0.5


def check_teams(case: ExplanationCase) -> None:
    """Check that all players are on their teams, with shares in 0 to 1."""
    record, explained = case.record, case.explained
    assert explained.player == record.players(case.k)[case.row]
    assert 0.0 <= explained.share <= 1.0 + CLOSE
    assert [member.team for team in explained.teams for member in team] == [
        name for name, team in zip(record.teams(case.k), explained.teams, strict=True) for _ in team
    ]
    own = [member for team in explained.teams for member in team if member.id == explained.player]
    assert sum(member.share for member in own if not member.is_commander) <= 1.0 + CLOSE
    assert explained.system in RATING_SYSTEMS


def check_keys(explained: RatingExplanation) -> None:
    """Check that all keys are in the module's tables and have titles."""
    parts = (*explained.parts, *explained.side_effects)
    keys = {each.name for each in explained.terms} | {part.name for part in parts}
    keys |= {factor.name for part in parts for factor in part.factors}
    assert keys | explained.notes.keys() | {explained.link} <= TABLES


def check_full_round(explained: RatingExplanation) -> None:
    """Check the change of players who were on one team for the full round."""
    own = [member.share for team in explained.teams for member in team if member.id == explained.player]
    if explained.if_full_round is not None and own == pytest.approx([1.0]):
        assert explained.if_full_round == pytest.approx(explained.change, abs=CLOSE)


@pytest.mark.parametrize("system", ["elo-xonstat", "xonstat-go"])
def test_unrated_has_no_full_round_change(system: str) -> None:
    def player(name: str, team: str, leave: float) -> Player:
        return Player(name, (Stint(team, 0.0, leave),), score=5.0)

    players = [player("late", "a", 60.0), player("x", "a", 1200.0), player("y", "b", 1200.0)]
    record = build_record([Round("r", ("a", "b"), players, 0.0, 1200.0, (1, 2))])
    late, present = (explain_round(create_rating_system(system), record, 0, name) for name in ("late", "x"))
    assert (late.change, late.parts, late.if_full_round) == (0.0, (), None)
    assert present.if_full_round == pytest.approx(present.change)


@every_kind
@few
@given(matches=histories(2))
def test_other_outcome_changes_as_explained(kind: str, matches: list[Round]) -> None:
    system = KINDS[kind]
    for case in explanation_cases(system, matches):
        explained, other = case.explained, case.explained.if_opposite_result
        if explained.outcome == 0.5:
            assert other is None
            continue
        change = explained.if_won if explained.outcome == 1.0 else explained.if_lost
        assert change == pytest.approx(explained.change, abs=CLOSE)
        if system.name in ("elo-xonstat", "xonstat-go"):
            continue
        ranks = [1 if (team == explained.team) == (explained.outcome == 0.0) else 2 for team in (0, 1)]
        turned = rounds_with_outcome(matches, case.record, case.k, ranks)
        assert other == pytest.approx(last_change(system, turned, case.row), abs=CLOSE)


@pytest.mark.parametrize("kind", ["elo-xonstat", "xonstat-go"])
@few
@given(matches=histories())
def test_reversed_scores_change_as_explained(kind: str, matches: list[Round]) -> None:
    """Opponents get scores that reverse each comparison.

    Only the first player's explanation makes that possible.
    """
    matches = [with_scores(game_round, lambda score: abs(score) + 1.0) for game_round in matches]
    for case in explanation_cases(KINDS[kind], matches):
        explained, last = case.explained, matches[case.record.input_index[case.k]]
        if explained.outcome == 0.5 or not explained.parts:
            assert explained.if_opposite_result is None or explained.if_opposite_result == explained.change == 0.0
            continue
        me, opponents = last.players[case.row], {duel.id for duel in explained.pair_comparisons if not duel.is_teammate}
        rate = (me.score or 0.0) / alive(me)
        players = [
            replace(each, score=reversing_score(kind, each, me, rate)) if each.id in opponents else each
            for each in last.players
        ]
        changed = [
            *rounds_with_outcome(matches, case.record, case.k, last.ranks or ())[:-1],
            replace(last, players=players),
        ]
        assert explained.if_opposite_result == pytest.approx(last_change(KINDS[kind], changed, case.row), abs=1e-7)


def reversing_score(kind: str, other: Player, me: Player, rate: float) -> float:
    """Return the opponent's score that reverses the comparison."""
    own, theirs = me.score or 0.0, other.score or 0.0
    if math.isclose(theirs / alive(other), rate, rel_tol=1e-12):
        return theirs  # a draw stays one: a rounding error must not decide it
    return 2.0 * own - theirs if kind == "xonstat-go" else rate**2 / (theirs / alive(other)) * alive(other)


def alive(player: Player) -> float:
    """Return whole seconds on any team."""
    return math.floor(sum(stay.leave - stay.enter for stay in player.stays))


def with_scores(match: Round, scores: Callable[[float], float]) -> Round:
    players = [replace(each, score=None if each.score is None else scores(each.score)) for each in match.players]
    return replace(match, players=players)


@pytest.mark.parametrize("name", ["ns2", "trueskill2"])
def test_full_history_has_no_change(name: str) -> None:
    record = build_record([played(number, "ab", "cd", ranks=(1 + number % 2, 2 - number % 2)) for number in range(6)])
    run = RATING_SYSTEMS[name](resolve_parameters(RATING_SYSTEMS[name].declared_parameters)).solve(record)
    assert run is not None
    explained = run.explain(5, record.appearances(5).start)
    assert explained.probability == run.prediction(5).probability
    assert (explained.change, explained.parts, explained.if_opposite_result) == (0.0, (), 0.0)
