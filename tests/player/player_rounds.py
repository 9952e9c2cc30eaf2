"""A made-up evening league: two modes, late comers, quitters, people who change team, commanders, draws."""

from dataclasses import replace

import numpy as np

from browser_app.rating.match import Match
from browser_app.rating.record import Record
from browser_app.rating.record_builder import record_of
from browser_app.rating.simulator import World, simulate
from browser_app.rating.simulator_ns2 import NS2Truth, NS2World

ME = "p0"


def league(rounds: int = 150, seed: int = 3) -> list[Match]:
    """Rounds of 12 people of whom `ME` plays most often."""
    world = World(
        players=12,
        rounds=rounds,
        sizes=(3, 4),
        modes=("ns2", "siege"),
        maps=("ns2_veil", "ns2_tram", "ns2_summit"),
        activity=0.7,
        late=0.3,
        early=0.3,
        switch=0.1,
        commanders=True,
    )
    rng = np.random.default_rng(seed)
    model = NS2World(world.players, len(world.maps), NS2Truth(offset=1.0, draws=0.1), rng)
    return [_scored(match, rng) for match, _ in simulate(world, model, rng)]


def _scored(match: Match, rng: np.random.Generator) -> Match:
    return replace(match, players=[replace(each, score=float(rng.integers(0, 40))) for each in match.players])


def league_record(rounds: int = 150, seed: int = 3) -> Record:
    """The same as a record."""
    return record_of(league(rounds, seed))
