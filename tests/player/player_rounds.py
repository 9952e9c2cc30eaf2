"""A simulated league with two modes and incomplete presence.

Players join late, leave early and change teams; there are commanders and draws.
"""

from dataclasses import replace

import numpy as np
from round_simulator import SimulationSettings, simulate_rounds

from browser_app.demo.outcome_model import NS2OutcomeModel, NS2SimulationSettings
from browser_app.rating.game_round import Round
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord

ME = "p0"


def generate_rounds(rounds: int = 150, seed: int = 3) -> list[Round]:
    """Rounds of 12 players, of whom `ME` plays most often."""
    simulation = SimulationSettings(
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
    model = NS2OutcomeModel(simulation.players, len(simulation.maps), NS2SimulationSettings(offset=1.0, draws=0.1), rng)
    return [_add_scores(round_, rng) for round_, _ in simulate_rounds(simulation, model, rng)]


def _add_scores(round_: Round, rng: np.random.Generator) -> Round:
    return replace(round_, players=[replace(each, score=float(rng.integers(0, 40))) for each in round_.players])


def generate_record(rounds: int = 150, seed: int = 3) -> RoundRecord:
    """The rounds of `generate_rounds` as a record."""
    return build_record(generate_rounds(rounds, seed))
