"""Win rates of circumstances: keys, shrinkage, and no information from the future."""

import math
from dataclasses import replace

import numpy as np
import pytest
from ns2_helpers import TEAMS, full_round, run_of

from browser_app.rating.circumstances import CircumstanceCode, count_lasting_players
from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.ns2.ns2_win_rates import CircumstanceWinRates
from browser_app.rating.record.record_builder import build_record


def _played(*stays: tuple[float, float]) -> Round:
    """Create a round of 100 s with one player per stay, all on the first team."""
    players = [Player(str(i), [Stint(TEAMS[0], *stay)]) for i, stay in enumerate(stays)]
    return Round("0", TEAMS, players, 0.0, 100.0, (1, 2))


def test_lasting_players_stay_half_round() -> None:
    across = Player("x", [Stint(TEAMS[0], 0, 25), Stint(TEAMS[1], 50, 75)], [Stint(TEAMS[0], 0, 25)])
    played = _played((0, 50), (50, 100), (51, 100), (0, 49.999))
    record = build_record([replace(played, players=[*played.players, across, Player("y")])])
    assert count_lasting_players(record, 0, 1).tolist() == [3]


def test_lasting_players_of_later_block() -> None:
    record = build_record([replace(_played(*[(0, 100)] * n), id=str(n), started=float(n)) for n in range(1, 6)])
    assert count_lasting_players(record, 2, 4).tolist() == [3, 4]


def test_four_size_classes() -> None:
    players = np.arange(1, 33, dtype=np.int32)
    record = build_record([full_round("a", "b", number=k) for k in range(32)])
    found = CircumstanceCode(record).encode(record, players, 0, 32)
    borders = np.flatnonzero(np.diff(found))
    assert players[borders].tolist() == [6, 11, 16]


def test_rate_shrinks_level_by_level() -> None:
    """Each win rate is drawn to that of the level above.

    Marines won 3 of 4, on this map 0 of 1, never played in this size.
    """
    history = [
        *(replace(full_round("a", "b", number=k, place="veil"), races=("marine", "alien")) for k in range(3)),
        replace(full_round("a", "b", 1, number=3, place="summit"), races=("marine", "alien")),
        replace(full_round("a", "b", 1, number=4, place="summit"), races=("alien", "marine")),
        replace(full_round("abcd", "efgh", None, number=5, place="summit"), races=("marine", "alien"), ranks=None),
    ]
    run = run_of(history, bias="record", bias_strength=10.0, c=0.0, a=0.0)
    race = (3.0 + 10.0 * 0.5) / (4.0 + 10.0)
    place = (0.0 + 10.0 * race) / (1.0 + 10.0)
    size = place
    assert run.prediction(5).probability == pytest.approx(size, rel=1e-14)
    forecast = run.forecast(5)
    assert forecast is not None
    assert forecast.probability == pytest.approx(size, rel=1e-14)


def test_forecast_expects_all_to_stay() -> None:
    """Seven are on the teams and two of them leave early.

    A small round as it turned out, a larger one before.
    """
    larger = [full_round("abcd", "efg", number=k) for k in range(5)]
    small = [full_round("abc", "efg", 1, number=k) for k in range(5, 10)]
    leavers = [Player(name, [Stint(TEAMS[0], 0, 9)]) for name in "cd"]
    stayers = [player for player in larger[0].players if player.id not in "cd"]
    shrunk = replace(larger[0], id="10", started=10.0, ranks=None, players=[*stayers, *leavers])
    run = run_of([*larger, *small, shrunk], bias="record", c=0.0, a=0.0)
    before, then = run.forecast(10), run.prediction(10).probability
    assert before is not None
    assert before.probability is not None
    assert then is not None
    assert before.probability > 0.5 > then


def test_even_teams_have_win_rate_of_race() -> None:
    """The article: with even teams, the prediction is the historical chance.

    A draw is half a win.
    """
    history = [full_round("a", "b", (0, 0, 1, None)[k % 4], number=k) for k in range(40)]
    run = run_of([*history, full_round("a", "b", number=40)], bias="record", c=0.0, a=0.0)
    rate = (25.0 + 20.0 * 0.5) / (40.0 + 20.0)
    for _ in ("map", "size"):  # the 40 rounds count again, drawn to the rate above
        rate = (25.0 + 20.0 * rate) / (40.0 + 20.0)
    start = run_of([*history, replace(full_round("a", "b", number=40), ranks=None)], bias="record", c=0.0, a=0.0)
    assert start.prediction(40).probability == pytest.approx(rate, rel=1e-14)
    assert run.prediction(40).probability != start.prediction(40).probability


def test_ignores_later_and_unrated_rounds() -> None:
    first = full_round("a", "b")
    alone = replace(first, players=first.players[:1], id="alone", started=1.0)
    later = [full_round("a", "b", number=k) for k in range(2, 30)]
    run = run_of([first], bias="record", c=0.0, a=0.0)
    assert run.prediction(0).probability == pytest.approx(0.5 + 0.5 * math.tanh(0.5 * _log_odds_after_one()))
    probe = replace(first, id="probe", started=1.5, ranks=None)
    chance = run_of([first, alone, probe], bias="record", c=0.0, a=0.0).prediction(2).probability
    before = run_of([first, alone, probe, *later], bias="record", c=0.0, a=0.0)
    assert chance == pytest.approx(0.5 + 0.5 * math.tanh(0.5 * _log_odds_after_one()))
    assert before.prediction(2).probability != chance  # the run has advanced: F is the current one


def _log_odds_after_one(strength: float = 20.0) -> float:
    rate = 0.5
    for _ in ("race", "map", "size"):
        rate = (1.0 + strength * rate) / (1.0 + strength)
    return math.log(rate / (1.0 - rate))


@pytest.mark.parametrize("strength", [1e-6, 1e6])
def test_log_odds_are_always_finite(strength: float) -> None:
    record = build_record([full_round("a", "b", place=place, number=k) for k, place in enumerate(("veil", "summit"))])
    veil, summit = CircumstanceCode(record).encode(record, np.array([2, 2], np.int32), 0, 2).tolist()
    rates = CircumstanceWinRates(record, strength)
    for _ in range(10_000):
        rates.learn(veil, 1.0, 0.5)
        rates.learn(summit, 0.0, 0.5)
    assert math.isfinite(rates.log_odds(veil))
    assert math.isfinite(rates.log_odds(summit))
    assert rates.log_odds(veil) > 0.0
