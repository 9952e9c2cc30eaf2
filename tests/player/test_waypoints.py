"""A run taken on from a waypoint is the same as one from the first round, under every system."""

from dataclasses import replace

import numpy as np
import pytest

from browser_app.player import waypoints as room
from browser_app.player.own_history import own_history
from browser_app.player.waypoints import Waypoints
from browser_app.rating.match import Match
from browser_app.rating.record import Record
from browser_app.rating.record_builder import record_of
from browser_app.rating.simulator import World, simulate
from browser_app.rating.simulator_ns2 import NS2Truth, NS2World
from browser_app.rating.system import RatingRun
from browser_app.rating.systems import SYSTEMS, rating_system

ROUNDS, EVERY = 1100, 512
NAMES = tuple(SYSTEMS)


@pytest.fixture(scope="module")
def record() -> Record:
    """Rounds of two modes in which people come and go, with chairs and draws."""
    rng = np.random.default_rng(11)
    world = World(
        players=40, rounds=ROUNDS, sizes=(3, 5), modes=("ns2", "siege"), maps=("ns2_veil", "ns2_tram"), activity=0.4,
        late=0.2, early=0.2, commanders=True, pause_s=6 * 3600,
    )  # fmt: skip
    model = NS2World(world.players, len(world.maps), NS2Truth(k=12.0, theta=2.6, offset=1.5, draws=0.02), rng)
    return record_of(_scored(match, rng) for match, _truth in simulate(world, model, rng))


def _scored(match: Match, rng: np.random.Generator) -> Match:
    """XonStat's systems rate by scores."""
    players = [replace(each, score=float(rng.poisson(20)), ping=float(rng.integers(20, 120))) for each in match.players]
    return replace(match, players=players)


@pytest.fixture(autouse=True)
def close(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waypoints close to one another."""
    monkeypatch.setattr(room, "EVERY", EVERY)


def told(run: RatingRun, k: int) -> object:
    """All that a run tells of round k, and of everybody."""
    row = run.record.appearances(k).start
    return run.explain(k, row), run.prediction(k), run.ratings(k), run.players()


@pytest.mark.parametrize("name", NAMES)
def test_a_run_from_a_waypoint_is_the_same_as_one_from_the_first_round(name: str, record: Record) -> None:
    system = rating_system(name)
    waypoints, first = Waypoints(system, record), system.start(record)
    near = max(k for k in range(ROUNDS) if first.unrated(k) is None)
    waypoints.run_before(near)
    first.learn(0, near)
    again = waypoints.run_before(near)
    assert told(again, near) == told(first, near)
    assert [again.estimated_sd(who, 0) for who in range(40)] == [first.estimated_sd(who, 0) for who in range(40)]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_done_with_a_run_leaves_the_waypoint_as_it_was(name: str, record: Record) -> None:
    waypoints = Waypoints(rating_system(name), record)
    k = 2 * EVERY
    before = waypoints.run_before(k).players()
    waypoints.run_before(k).learn(k, ROUNDS)
    assert waypoints.run_before(k).players() == before


def test_a_later_question_begins_at_the_nearest_waypoint(record: Record) -> None:
    waypoints = Waypoints(rating_system("ns2"), record)
    begun = list[int]()
    waypoints.run_before(ROUNDS, lambda done, _total: begun.append(done))
    waypoints.run_before(2 * EVERY + 50, lambda done, _total: begun.append(done))
    assert begun == [0, EVERY, 2 * EVERY, 2 * EVERY]


def test_a_history_is_the_same_past_waypoints_and_leaves_them_behind(record: Record) -> None:
    system = rating_system("ns2")
    waypoints = Waypoints(system, record)
    history = own_history(record, system, "p3", waypoints=waypoints)
    assert history.to_bytes() == own_history(record, system, "p3").to_bytes()
    begun = list[int]()
    waypoints.run_before(ROUNDS, lambda done, _total: begun.append(done))
    assert begun == [2 * EVERY]
