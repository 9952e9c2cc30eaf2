"""Records of known parameters."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from browser_app.rating.match import Match, Player, Stay
from browser_app.rating.parameters import ParameterSet, parameter_set
from browser_app.rating.record import Record
from browser_app.rating.record_builder import record_of
from browser_app.rating.simulator import World, simulate
from browser_app.rating.simulator_trueskill2 import TrueSkill2World
from browser_app.rating.trueskill2.model import Model
from browser_app.rating.trueskill2.system import TrueSkill2


def known_world(model: Model, seed: int = 5, **world: Any) -> Record:
    """Rounds in which all of the model's parameters are known."""
    rng = np.random.default_rng(seed)
    where = World(**{"players": 150, "rounds": 1500, "sizes": (2, 4), **world})
    return record_of([match for match, _ in simulate(where, TrueSkill2World(where.players, [model], rng), rng)])


def shooter(**given: Any) -> ParameterSet:
    """Parameters as ``--param`` gives them."""
    return parameter_set(TrueSkill2.declared, given=given)


def plain(**extras: Any) -> Model:
    """The default parameters with extras."""
    return Model(**{"m0": 1.0, "v0": 0.4, "gamma2": 1e-3, "tau2": 1e-8, "beta2": 1.0, "draw_margin": 1e-3, **extras})


def there(name: str, team: int, share: float = 1.0, **told: float) -> Player:
    """Somebody who is on a team from the start for a share of 600 s."""
    return Player(name, [Stay(f"team {team}", 0.0, share * 600.0)], **told)  # type: ignore[arg-type] # by name


def played(number: int, teams: Sequence[Sequence[str]], ranks: Sequence[int] = (1, 2), mode: str = "") -> Match:
    """A round in which everybody plays throughout."""
    players = [there(name, team) for team, members in enumerate(teams) for name in members]
    names = [f"team {team}" for team in range(len(teams))]
    return Match(f"round {number}", names, players, 1e9 + 3600.0 * number, 600.0, tuple(ranks), mode=mode)
