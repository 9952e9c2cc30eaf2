"""Invariants of TrueSkill 2 for any record, with every extra on."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trueskill2_helpers import LENGTH_S, finished, played, skill, started

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.trueskill2.trueskill2_system import TrueSkill2System

pytestmark = pytest.mark.slow

PEOPLE = "abcdefgh"
COUNTS = {
    "kill_wp": 0.8,
    "kill_wo": -0.3,
    "kill_v": 1.5,
    "kill_b": 0.2,
    "death_wp": -0.2,
    "death_wo": 0.7,
    "death_v": 2,
}
QUITS = {"quit_m": -0.3, "quit_v": 1.0, "quit_pu": 0.05, "quit_pr": 0.9}
BASE = {"base_v": 0.3, "base_gamma2": 1e-3, "base_tau2": 1e-5, "base_w": 0.7, "mode_m": 0.5, "mode_v": 0.2}
OFFSETS = {"squad_offset": [0.0, 0.2], "experience_offset": [0.1, 0.05, 0.0]}
ALL: dict[str, object] = {"tau2": 1e-4, "draw_margin": 0.1, **COUNTS, **QUITS, **BASE, **OFFSETS}


def random_player(rng: np.random.Generator, name: str, teams: int) -> Player:
    """Draw a player on one or two teams with or without counts, squad and quit."""
    marks = np.sort(rng.uniform(0.0, LENGTH_S, 3)).tolist()
    stays = [Stint(f"team {rng.integers(teams)}", marks[0], marks[1])]
    if rng.random() < 0.3:
        stays.append(Stint(f"team {rng.integers(teams)}", marks[1], marks[2]))
    kills, deaths = (None if rng.random() < 0.3 else float(rng.poisson(2)) for _ in range(2))
    squad = None if rng.random() < 0.5 else str(rng.integers(2))
    return Player(name, stays, kills=kills, deaths=deaths, squad=squad, quit=bool(rng.random() < 0.2))


def season(seed: int, rounds: int) -> list[Round]:
    rng = np.random.default_rng(seed)
    game_rounds = []
    for number in range(rounds):
        teams = int(rng.integers(2, 5))
        ranks = rng.integers(1, 4, teams).tolist()
        empty = played(number, [()] * teams, ranks, mode=str(rng.choice(["x", "y"])))
        names = rng.permutation(list(PEOPLE))[: rng.integers(2, 9)].tolist()
        game_rounds.append(replace(empty, players=[random_player(rng, name, teams) for name in names]))
    return game_rounds


def ranks_apart(match: Round) -> list[int]:
    """Return two teams' ranks unchanged; more in the order in which they are named."""
    assert match.ranks is not None
    return list(match.ranks) if len(match.teams) == 2 else list(range(1, len(match.teams) + 1))


def reversed_round(match: Round) -> Round:
    """Return the round with teams and players named in the opposite order."""
    assert match.ranks is not None
    return replace(match, teams=match.teams[::-1], ranks=match.ranks[::-1], players=match.players[::-1])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_order_within_round_does_not_matter(seed: int) -> None:
    """Ties are left out: the chain of neighbours takes tied teams in the order named.

    Quits without evidence are left out, too: messages may be cut at a precision of 0, and which one depends on the
    order.
    """
    rounds = [replace(game_round, ranks=ranks_apart(game_round)) for game_round in season(seed, 6)]
    given_ = {**ALL, "quit_pu": 0.0}
    run, other = finished(rounds, given_), finished(map(reversed_round, rounds), given_)
    for name in run.record.player_ids:
        for mode in run.record.modes:
            assert skill(run, name, mode) == pytest.approx(skill(other, name, mode), abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_chances_and_skills_are_finite(seed: int) -> None:
    run = started(season(seed, 8), ALL)
    for k in range(len(run.record)):
        if run.skip_reason(k) is None:
            for prediction in (run.prediction(k), run.forecast(k)):
                if prediction is not None:
                    assert math.fsum(prediction.first_place) + prediction.draw == pytest.approx(1.0, abs=1e-12)
                    assert min(prediction.first_place) >= 0.0
            run.update(k)
    for name in run.record.player_ids:
        mean, sd = skill(run, name, run.record.modes[0])
        assert math.isfinite(mean)
        assert 0.0 < sd < 2.0


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_smoothing_converges_with_all_extras(seed: int) -> None:
    rounds = season(seed, 10)
    run = TrueSkill2System(resolve_parameters(TrueSkill2System.declared_parameters, explicit=ALL)).solve(
        build_record(rounds)
    )
    moved = run.summary()["moved"]
    assert isinstance(moved, float)
    assert moved <= 1e-6
    for name in run.record.player_ids:
        assert all(math.isfinite(value) for value in skill(run, name, run.record.modes[0]))


def names_of(matches: Sequence[Round]) -> set[str]:
    return {player.id for game_round in matches for player in game_round.players}


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_absent_players_do_not_move(seed: int) -> None:
    rounds = season(seed, 3)
    run = started(rounds, {name: value for name, value in ALL.items() if not name.startswith("base")})
    before = {name: skill(run, name, rounds[0].mode) for name in run.record.player_ids}
    if run.skip_reason(0) is None:
        run.update(0)
    for name in names_of(rounds) - names_of(rounds[:1]):
        assert skill(run, name, rounds[0].mode) == before[name]


ENDS = [
    {name: bound}
    for name in ("m0", "v0", "gamma2", "tau2", "beta", "draw_margin", *COUNTS, *QUITS, *BASE)
    for bound in next((each.low, each.high) for each in TrueSkill2System.declared_parameters if each.name == name)
    if (name, bound) != ("draw_margin", 0.0)  # the season has draws, which that makes impossible
]


@pytest.mark.parametrize("end", [*ENDS, {"squad_offset": [-1e9, 1e9]}, {"experience_offset": [1e9, -1e9]}])
def test_bounds_of_parameters_stay_finite(end: dict[str, object]) -> None:
    run = finished(season(1, 12), {**ALL, **end})
    for mode in ("x", "y"):
        for name in run.rated_players():
            assert all(math.isfinite(part) for part in skill(run, name, mode))


@pytest.mark.parametrize("name", ["v0", "gamma2", "tau2", "beta", "kill_wp", "kill_v", "base_w", "experience_offset"])
def test_absurd_parameter_is_refused(name: str) -> None:
    with pytest.raises(ParameterError, match=f"{name}: must be .* to .*, not 1e"):
        resolve_parameters(TrueSkill2System.declared_parameters, explicit={"kill_v": 1.0, name: "1e160"})
