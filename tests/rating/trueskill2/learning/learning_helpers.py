"""Records with known parameters."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from round_simulator import SimulationSettings, simulate_rounds
from trueskill2_simulator import TrueSkill2OutcomeModel

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_parameters import ParameterSet, resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.trueskill2.trueskill2_model import ModeModel
from browser_app.rating.trueskill2.trueskill2_system import TrueSkill2System


def simulate_known_model(model: ModeModel, seed: int = 5, **simulation: Any) -> RoundRecord:
    """Simulate rounds in which all of the model's parameters are known."""
    rng = np.random.default_rng(seed)
    where = SimulationSettings(**{"players": 150, "rounds": 1500, "sizes": (2, 4), **simulation})
    return build_record(
        [
            game_round
            for game_round, _ in simulate_rounds(where, TrueSkill2OutcomeModel(where.players, [model], rng), rng)
        ]
    )


def shooter(**given: Any) -> ParameterSet:
    """Return parameters as `--param` gives them."""
    return resolve_parameters(TrueSkill2System.declared_parameters, explicit=given)


def default_parameters(**extras: Any) -> ModeModel:
    """Return the default parameters with extras."""
    return ModeModel(
        **{"m0": 1.0, "v0": 0.4, "gamma2": 1e-3, "tau2": 1e-8, "beta2": 1.0, "draw_margin": 1e-3, **extras}
    )


def present_player(name: str, team: int, share: float = 1.0, **values: float) -> Player:
    """Create a player on a team from the start for a share of 600 s."""
    return Player(name, [Stint(f"team {team}", 0.0, share * 600.0)], **values)  # type: ignore[arg-type] # by name


def played(number: int, teams: Sequence[Sequence[str]], ranks: Sequence[int] = (1, 2), mode: str = "") -> Round:
    """Create a round that all play throughout."""
    players = [present_player(name, team) for team, members in enumerate(teams) for name in members]
    names = [f"team {team}" for team in range(len(teams))]
    return Round(f"round {number}", names, players, 1e9 + 3600.0 * number, 600.0, tuple(ranks), mode=mode)
