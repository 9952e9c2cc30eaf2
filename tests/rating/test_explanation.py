"""Every explained round adds up, for every system: the chance, the change, what the other outcome would have done."""

import math

import pytest
from explained_rig import KINDS, Case, cases, had_it_been, histories, last_change
from hypothesis import given, settings

from browser_app.rating.explanation import Explanation
from browser_app.rating.match import Match

CLOSE = 1e-9
few = settings(max_examples=12, deadline=None)
every_kind = pytest.mark.parametrize("kind", KINDS)


def linked(explained: Explanation, amount: float) -> float:
    """The chance that a total, or a term alone, stands for."""
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
def test_terms_sum_to_the_chance_and_parts_to_the_change(kind: str, matches: list[Match]) -> None:
    for case in cases(KINDS[kind], matches):
        explained = case.explained
        assert explained.probability == pytest.approx(case.said, abs=CLOSE)
        assert explained.change == pytest.approx(case.change, abs=CLOSE)
        assert sum(part.change for part in explained.parts) == pytest.approx(case.change, abs=CLOSE)
        for part in (*explained.parts, *explained.also):
            if part.factors:
                assert math.prod(factor.value for factor in part.factors) == pytest.approx(part.change, abs=CLOSE)
        check_terms(explained)
        check_places(case)


def check_terms(explained: Explanation) -> None:
    if explained.total is None:
        assert (explained.link, explained.terms) == ("none", ())
        return
    assert sum(term.amount for term in explained.terms) == pytest.approx(explained.total, abs=CLOSE)
    if explained.terms:
        assert linked(explained, explained.total) == pytest.approx(explained.probability, abs=CLOSE)
        for term in explained.terms:
            assert linked(explained, term.amount) == pytest.approx(term.alone, abs=CLOSE)
    else:
        assert explained.probability == 0.5


def check_places(case: Case) -> None:
    """Everybody stands where he was; shares are shares."""
    record, explained = case.record, case.explained
    assert explained.player == record.players(case.k)[case.row]
    assert 0.0 <= explained.share <= 1.0 + CLOSE
    assert [member.team for team in explained.teams for member in team] == [
        name for name, team in zip(record.teams(case.k), explained.teams, strict=True) for _ in team
    ]
    mine = [member for team in explained.teams for member in team if member.id == explained.player]
    assert sum(member.share for member in mine if not member.commanding) <= 1.0 + CLOSE
    assert explained.system in {"ns2", "elo-blog", "elo-xonstat", "xonstat-go", "trueskill", "trueskill2"}


@every_kind
@few
@given(matches=histories(2))
def test_the_other_outcome_would_have_done_what_is_said(kind: str, matches: list[Match]) -> None:
    system = KINDS[kind]
    for case in cases(system, matches):
        explained, other = case.explained, case.explained.if_other
        if explained.outcome == 0.5:
            assert other is None
            continue
        told = explained.if_won if explained.outcome == 1.0 else explained.if_lost
        assert told == pytest.approx(explained.change, abs=CLOSE)
        if system.name in ("elo-xonstat", "xonstat-go"):
            continue
        ranks = [1 if (team == explained.team) == (explained.outcome == 0.0) else 2 for team in (0, 1)]
        turned = had_it_been(matches, case.record, case.k, ranks)
        assert other == pytest.approx(last_change(system, turned, case.row), abs=CLOSE)
