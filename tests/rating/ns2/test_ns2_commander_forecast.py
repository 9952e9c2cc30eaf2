"""Forecasts and balance that count commanders, against the reference model."""

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from ns2_helpers import TEAMS, ReferenceModel, system

from browser_app.rating.evaluation.backtest import backtest
from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.matchmaking.round_balance import balance_round
from browser_app.rating.matchmaking.team_balance import BalancePlayer, balance_teams
from browser_app.rating.matchmaking.upcoming_rounds import forecast_upcoming
from browser_app.rating.record.record_builder import build_record

LENGTH = 1000.0


def commanded_round(number: int, rng: random.Random, *, commanders: int = 2) -> Round:
    """Draw six against six of sixteen people.

    On the first `commanders` teams one commands all the time.
    """
    whole = {team: (Stint(team, 0.0, LENGTH),) for team in TEAMS}
    players = [
        Player(f"p{i}", whole[TEAMS[place % 2]], whole[TEAMS[place]] if place < commanders else ())
        for place, i in enumerate(rng.sample(range(16), 12))
    ]
    ranks = (1, 2) if rng.random() < 0.6 else (2, 1)
    return Round(f"r{number}", TEAMS, players, 1e6 * number, LENGTH, ranks)


def season(count: int = 60, seed: int = 3) -> list[Round]:
    rng = random.Random(seed)
    return [commanded_round(number, rng) for number in range(count)]


def learned(history: Sequence[Round]) -> ReferenceModel:
    model = ReferenceModel(start=20.0)
    for each in history:
        model.update(each)
    return model


def chance(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-log_odds))


@pytest.mark.parametrize("commanders", [0, 1, 2])
def test_forecast_counts_named_commanders(commanders: int) -> None:
    history, upcoming = season(), commanded_round(99, random.Random(9), commanders=commanders)
    prediction = forecast_upcoming(system(start=20.0), build_record(history), [replace(upcoming, ranks=None)])[0]
    assert prediction is not None
    assert prediction.probability == pytest.approx(chance(learned(history).log_odds(upcoming)), abs=1e-12)


def test_longest_commander_is_expected() -> None:
    """Someone who commands for a while counts on the field.

    Commander time on a team left later does not count.
    """
    history = season()
    first, second = ((Stint(team, 0.0, LENGTH),) for team in TEAMS)
    leaver = (Stint(TEAMS[0], 0.0, 400.0), Stint(TEAMS[1], 400.0, LENGTH))
    players = [
        Player("p1", first, (Stint(TEAMS[0], 0.0, 300.0),)),
        Player("p2", first, (Stint(TEAMS[0], 300.0, 900.0),)),
        Player("p3", leaver, (Stint(TEAMS[0], 0.0, 400.0),)),
        Player("p4", second, (Stint(TEAMS[1], 0.0, 10.0),)),
        Player("p5", second),
    ]
    expected = [
        replace(players[0], commanding=()),
        replace(players[1], commanding=first),
        Player("p3", second),
        replace(players[3], commanding=second),
        players[4],
    ]
    upcoming = Round("next", TEAMS, players, None)
    prediction = forecast_upcoming(system(start=20.0), build_record(history), [upcoming])[0]
    whole = replace(upcoming, players=expected, duration=LENGTH)
    assert prediction is not None
    assert prediction.probability == pytest.approx(chance(learned(history).log_odds(whole)), abs=1e-12)


def test_unrated_commanders_play() -> None:
    history, upcoming = season(), commanded_round(99, random.Random(9))
    unnamed = replace(upcoming, players=[replace(each, commanding=()) for each in upcoming.players])
    record, unrated = build_record(history), system(chair="no")
    assert forecast_upcoming(unrated, record, [upcoming]) == forecast_upcoming(unrated, record, [unnamed])


def test_backtest_scores_commanders() -> None:
    history = season()
    found = backtest(build_record(history), [system(start=20.0)])
    model, expected = ReferenceModel(start=20.0), []
    for each in history:
        expected.append(chance(model.log_odds(each)))
        model.update(each)
    assert found.chances["ns2"].tolist() == pytest.approx(expected, abs=1e-10)


def test_balance_finds_best_swap_with_commanders() -> None:
    """The first swap of field players is the best by the chance with commanders."""
    history, upcoming = season(), commanded_round(99, random.Random(5))
    model, ns2 = learned(history), system(start=20.0)
    balanced = balance_round(ns2, build_record(history), replace(upcoming, ranks=None))
    assert balanced.before == pytest.approx(chance(model.log_odds(upcoming)), abs=1e-12)
    field = [each for each in upcoming.players if not each.commanding]
    swaps = [pair for pair in itertools.combinations(field, 2) if pair[0].stays != pair[1].stays]

    def swapped(one: Player, other: Player) -> Round:
        exchanged = {one.id: replace(one, stays=other.stays), other.id: replace(other, stays=one.stays)}
        return replace(upcoming, players=[exchanged.get(each.id, each) for each in upcoming.players])

    best = min(swaps, key=lambda pair: abs(model.log_odds(swapped(*pair))))
    assert set(balanced.teams.swaps[0]) == {each.id for each in best}
    teams = [[each.id for each in upcoming.players if each.stays[0].team == team] for team in TEAMS]
    for team, before in zip(balanced.teams.teams, teams, strict=True):
        assert {each.id for each in upcoming.players if each.commanding} & set(before) <= set(team)
    assert balanced.before is not None
    assert balanced.after is not None
    assert abs(balanced.after - 0.5) < abs(balanced.before - 0.5)
    assert balanced.teams.difference / len(field) == pytest.approx(math.log(balanced.after / (1 - balanced.after)))


def test_strong_commanders_keep_wishes_small() -> None:
    """A wish is weighed against the field players, however strong the commanders are."""
    players = [
        BalancePlayer("boss", (91.0, 91.0), 0, is_commander=True),
        BalancePlayer("chief", (90.0, 90.0), 1, is_commander=True),
        *(BalancePlayer(name, (skill, skill)) for name, skill in zip("abcd", (6.0, 2.0, 5.0, 5.0), strict=True)),
    ]
    wishing = balance_teams([*players[:-1], replace(players[-1], prefers=0)])
    assert wishing.teams == balance_teams(players).teams == (("boss", "a", "b"), ("chief", "c", "d"))
    assert wishing.difference == 0.0  # 6 + 2 − 5 − 5, and twice 91 − 90: four field players for two commanders
