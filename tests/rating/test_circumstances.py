"""Circumstances of rounds, and the advantage learned of them."""

import random
from dataclasses import replace

import numpy as np
import pytest
from rating_helpers import played, season

from browser_app.rating.circumstances import BIAS_EXTRA, NO_CIRCUMSTANCE, LearnedAdvantage, encode_circumstances
from browser_app.rating.evaluation.backtest import constant_baseline
from browser_app.rating.evaluation.decided_pairs import find_decided_pairs
from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.record.player_slots import RecordMapping
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.round_prediction import logistic
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system


def round_on(number: int, place: str, races: tuple[str, ...] = (), mode: str = "ctf", size: int = 1) -> Round:
    sides = [[f"{side}{i}" for i in range(size)] for side in "ab"]
    return replace(played(number, *sides, mode=mode), map=place, races=races)


def learned(record: RoundRecord, variance: float, outcomes: list[float], circumstance: int) -> LearnedAdvantage:
    advantage = LearnedAdvantage(record, variance)
    for outcome in outcomes:
        advantage.learn(circumstance, outcome, logistic(advantage.log_odds(circumstance)))
    return advantage


def test_win_rate_is_learned() -> None:
    record = build_record([round_on(1, "summit")])
    (here,) = encode_circumstances(record).tolist()
    advantage = learned(record, 1.0, [1.0, 1.0, 1.0, 0.0] * 100, here)
    mean, var = advantage.advantage(here)
    assert mean == pytest.approx(np.log(3.0), abs=0.1)
    # four effects of variance 1; of their sum, results show 400 p (1 − p)
    assert var > 4.0 / (1.0 + 4.0 * 400 * 0.1875)
    assert learned(record, 0.0, [1.0] * 50, here).advantage(here) == (0.0, 0.0)


def test_other_circumstances_share_what_is_common() -> None:
    places = [("summit", ()), ("veil", ()), ("summit", ("alien", "marine")), ("", ())]
    record = build_record(
        [round_on(k, place, races, size=1 if place else 9) for k, (place, races) in enumerate(places)]
    )
    here, other_map, other_race, other_size = encode_circumstances(record).tolist()
    advantage = learned(record, 0.1, [1.0] * 20, here)
    log_odds = advantage.log_odds
    # side, size, mode and map; side, size and mode; side and mode
    assert log_odds(here) > log_odds(other_map) > log_odds(other_size) > 0.0
    assert log_odds(other_map) == pytest.approx(0.75 * log_odds(here))
    assert log_odds(other_race) == pytest.approx(log_odds(other_map))  # a map is one of a race
    assert log_odds(other_size) == pytest.approx(0.5 * log_odds(here))


def test_names_carry_over_to_other_record() -> None:
    first = build_record([round_on(1, "summit", ("alien", "marine")), round_on(2, "veil", mode="tdm")])
    second = build_record(
        [round_on(1, "veil", mode="tdm"), round_on(2, "summit", ("alien", "marine")), round_on(3, "x")]
    )
    summit, veil = encode_circumstances(first).tolist()
    advantage = learned(first, 0.1, [1.0] * 20, summit)
    advantage.learn(veil, 0.0, 0.5)
    moved = advantage.transfer_to(second, RecordMapping(first, second))
    their_veil, their_summit, unknown = encode_circumstances(second).tolist()
    assert moved.advantage(their_summit) == advantage.advantage(summit)
    assert moved.advantage(their_veil) == advantage.advantage(veil)
    before = advantage.advantage(summit)
    moved.learn(their_summit, 0.0, 0.5)
    moved.learn(unknown, 0.0, 0.5)
    assert advantage.advantage(summit) == before


def test_team_named_after_player_is_no_side() -> None:
    duel = round_on(1, "summit")
    players = [replace(each, stays=[replace(each.stays[0], team=each.id)]) for each in duel.players]
    record = build_record([duel, replace(duel, id="2", teams=[each.id for each in players], players=players)])
    assert record.has_sides.tolist() == [True, False]
    sides, none = encode_circumstances(record).tolist()
    assert none == NO_CIRCUMSTANCE != sides
    assert learned(record, 1.0, [1.0] * 9, none).advantage(none) == (0.0, 0.0)


def forecasts(system: str, rounds: list[Round], **parameters: object) -> list[float]:
    """Return P(first team wins) of every round, as forecast before it."""
    run = create_rating_system(system, None, **parameters).new_run(build_record(rounds))
    chances = []
    for k in range(len(rounds)):
        forecast = run.forecast(k)
        assert forecast is not None
        assert forecast.probability is not None
        chances.append(forecast.probability)
        run.update(k)
    return chances


def duel(number: int, names: list[str], winner: str) -> Round:
    players = [Player(name, [Stint(name, 0.0, 600.0)], score=float(name == winner)) for name in names]
    ranks = [1 if name == winner else 2 for name in names]
    return Round(f"r{number}", names, players, number * 1000.0, 600.0, ranks, mode="duel")


SYSTEMS = {name: system for name, system in RATING_SYSTEMS.items() if BIAS_EXTRA in system.extras}
"""Systems that can learn what circumstances say of a result."""


@pytest.mark.parametrize(("system", "bias"), [*((name, "learnt") for name in SYSTEMS), ("ns2", "record")])
def test_order_of_duel_has_no_effect(system: str, bias: str) -> None:
    chance = random.Random(1)
    pairs = [chance.sample("abcdef", 2) for _ in range(60)]
    winner_first = [duel(k, pair, pair[0]) for k, pair in enumerate(pairs)]
    in_order = [duel(k, sorted(pair), pair[0]) for k, pair in enumerate(pairs)]
    found, expected = forecasts(system, winner_first, bias=bias), forecasts(system, in_order, bias=bias)
    swapped = [p if pair == sorted(pair) else 1.0 - p for p, pair in zip(expected, pairs, strict=True)]
    assert found == pytest.approx(swapped, abs=1e-9)
    record = build_record(winner_first)
    assert set(constant_baseline(record, find_decided_pairs(record))) == {0.5}


def won_by(match: Round, first: bool) -> Round:
    score = {"A": 2.0 if first else 1.0, "B": 1.0 if first else 2.0}
    players = [replace(player, score=score[player.stays[0].team]) for player in match.players]
    return replace(match, players=players, ranks=(1, 2) if first else (2, 1))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_learns_sides_from_the_past(system: str) -> None:
    first_wins = [won_by(match, first=True) for match in season(80)]
    turned = [*first_wins[:60], *(won_by(match, first=False) for match in first_wins[60:])]
    learned = {"bias": "learnt", "bias_v": 0.1}
    chances, plain = forecasts(system, first_wins, **learned), forecasts(system, first_wins)
    assert np.log(chances[40:]).sum() > np.log(plain[40:]).sum() + 3.0
    assert forecasts(system, turned, **learned)[:61] == chances[:61]
    assert forecasts(system, turned, **learned)[-1] < chances[-1]


@pytest.mark.parametrize("system", SYSTEMS.values())
def test_bias_of_single_mode_is_refused(system: type[RatingSystem]) -> None:
    file = {"default": {"bias": "learnt"}, "modes": {"ctf": {"bias": "none"}, "tdm": {"bias": "learnt"}}}
    with pytest.raises(ParameterError, match="bias: is one for all modes and cannot be another for ctf"):
        system(resolve_parameters(system.declared_parameters, file=file))
