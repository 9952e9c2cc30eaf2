"""Simulator of rounds between players with known true skills.

Used to prove that estimates recover the truth, that stated uncertainty is correct, and how much log loss no system can
avoid. `SimulationSettings` decides who plays when, an `OutcomeModel` how skill decides the outcome.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from browser_app.demo.outcome_model import SimulatedLineup, SimulatedOutcome, SimulatedStint
from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.ns2.ns2_points import POINTS_PER_UNIT, to_points
from browser_app.rating.record.round_record import Floats, Ints

_TIME_ZERO_S = 1_500_000_000.0
_MONTH_S = 30 * 86400.0


@dataclass(frozen=True, slots=True)
class SimulationSettings:
    """Settings of who plays when.

    Shares are probabilities, drawn for every player in each round.

    Attributes:
        players: number of players; `p0` plays most, the last least.
        rounds: number of rounds.
        teams: names of the teams.
        sizes: least and most players on a team, drawn for each team.
        modes, maps: one of each is drawn per round.
        length_s: median length of a round.
        length_spread: standard deviation of its logarithm.
        pause_s: mean time between the end of a round and the start of the next.
        activity: 0: all players play equally often; 1: their frequency is 1 / the player's number (Zipf).
        late, early: shares who join late, who leave early, both at any time.
        switch: share who change team in the middle.
        squad: chance that a player joined together with the previous one on the team.
        commanders: whether the first player on each team commands for half of their stay or more.
        away: share of players who are away, drawn anew every 30 days.
    """

    players: int = 100
    rounds: int = 1000
    teams: tuple[str, ...] = ("marines", "aliens")
    sizes: tuple[int, int] = (6, 6)
    modes: tuple[str, ...] = ("",)
    maps: tuple[str, ...] = ("",)
    length_s: float = 1200.0
    length_spread: float = 0.3
    pause_s: float = 600.0
    activity: float = 0.0
    late: float = 0.0
    early: float = 0.0
    switch: float = 0.0
    squad: float = 0.0
    commanders: bool = False
    away: float = 0.0


class OutcomeModel(Protocol):
    """Model of how skill decides an outcome; holds the true skills, which may drift."""

    def play(self, lineup: SimulatedLineup, rng: np.random.Generator) -> SimulatedOutcome:
        """Play one round; rounds come in the order of their start."""


class RoundTruth(NamedTuple):
    """Hidden truth of a round: its players' true skills by id, and the true chance."""

    skill: dict[str, float]
    chance: float | None


def simulate_rounds(
    simulation: SimulationSettings, model: OutcomeModel, rng: np.random.Generator
) -> Iterator[tuple[Round, RoundTruth]]:
    """Play all rounds, one after the other. Deterministic for a seed."""
    usual = np.arange(1, simulation.players + 1, dtype=np.float64) ** -simulation.activity
    activity = usual / usual.sum()
    started = activity_drawn_until = _TIME_ZERO_S
    for number in range(simulation.rounds):
        if simulation.away and started >= activity_drawn_until:
            present = usual * (rng.random(simulation.players) >= simulation.away)
            activity = present / present.sum()
            activity_drawn_until += _MONTH_S
        lineup = _draw_lineup(simulation, started, activity, rng)
        outcome = model.play(lineup, rng)
        game_round = _build_round(simulation, number, lineup, outcome)
        skill = zip((player.id for player in game_round.players), outcome.skill.tolist(), strict=True)
        yield game_round, RoundTruth(dict(skill), outcome.chance)
        started += lineup.length + float(rng.exponential(simulation.pause_s))


def add_game_skills(
    rounds: Iterable[tuple[Round, RoundTruth]], error_points: float, rng: np.random.Generator
) -> Iterator[tuple[Round, RoundTruth]]:
    """Add the game's own skill of each player, in points.

    It has a constant error of this standard deviation per player, which its sum of squared gradients states.
    """
    errors: dict[str, float] = {}
    adagrad_sum = (POINTS_PER_UNIT / error_points) ** 2
    for game_round, truth in rounds:
        for player in game_round.players:
            errors.setdefault(player.id, float(rng.normal(0.0, error_points)))
        players = [
            replace(
                player,
                skill=max(0.0, to_points(truth.skill[player.id]) + errors[player.id]),
                adagrad_sum=adagrad_sum,
            )
            for player in game_round.players
        ]
        yield replace(game_round, players=players), truth


def _draw_lineup(
    simulation: SimulationSettings, started: float, activity: Floats, rng: np.random.Generator
) -> SimulatedLineup:
    length = simulation.length_s * float(np.exp(simulation.length_spread * rng.standard_normal()))
    team = np.repeat(
        np.arange(len(simulation.teams)), rng.integers(*simulation.sizes, len(simulation.teams), endpoint=True)
    )
    player = rng.choice(simulation.players, len(team), replace=False, p=activity)
    stays = [
        stint for seat in range(len(team)) for stint in _draw_stints(simulation, seat, int(team[seat]), length, rng)
    ]
    return SimulatedLineup(
        started,
        length,
        int(rng.integers(len(simulation.modes))),
        int(rng.integers(len(simulation.maps))),
        len(simulation.teams),
        player.astype(np.int32),
        team.astype(np.int32),
        _draw_squads(team.astype(np.int32), simulation.squad, rng),
        stays,
        _draw_commander_stints(stays, team.astype(np.int32), rng) if simulation.commanders else (),
    )


def _draw_stints(
    simulation: SimulationSettings, seat: int, team: int, length: float, rng: np.random.Generator
) -> list[SimulatedStint]:
    enter = length * float(rng.random()) if rng.random() < simulation.late else 0.0
    leave = enter + (length - enter) * float(rng.random()) if rng.random() < simulation.early else length
    if rng.random() >= simulation.switch:
        return [SimulatedStint(seat, team, enter, leave)]
    change = enter + (leave - enter) * float(rng.random())
    other = (team + int(rng.integers(1, len(simulation.teams)))) % len(simulation.teams)
    return [SimulatedStint(seat, team, enter, change), SimulatedStint(seat, other, change, leave)]


def _draw_squads(team: Ints, share: float, rng: np.random.Generator) -> Ints:
    """Return squad numbers; squads of one player are none."""
    joins = (rng.random(len(team)) < share) & (np.diff(team, prepend=-1) == 0)
    squad = np.cumsum(~joins)
    alone = np.bincount(squad)[squad] == 1
    return np.where(alone, -1, squad).astype(np.int32)


def _draw_commander_stints(
    stays: Sequence[SimulatedStint], team: Ints, rng: np.random.Generator
) -> list[SimulatedStint]:
    """Let the first player on each team command for half of their first stay or more."""
    first_seats = np.flatnonzero(np.diff(team, prepend=-1))
    commander_stints = []
    for seat in first_seats.tolist():
        stay = next(stint for stint in stays if stint.seat == seat)
        share = 0.5 + 0.5 * float(rng.random())
        commander_stints.append(stay._replace(leave=stay.enter + share * (stay.leave - stay.enter)))
    return commander_stints


def _build_round(
    simulation: SimulationSettings, number: int, lineup: SimulatedLineup, outcome: SimulatedOutcome
) -> Round:
    def stints_of(stints: Sequence[SimulatedStint], seat: int) -> list[Stint]:
        return [Stint(simulation.teams[stint.team], stint.enter, stint.leave) for stint in stints if stint.seat == seat]

    players = [
        Player(
            f"p{player}",
            stints_of(lineup.stays, seat),
            stints_of(lineup.commander_stints, seat),
            kills=None if outcome.kills is None else outcome.kills[seat],
            deaths=None if outcome.deaths is None else outcome.deaths[seat],
            squad=None if squad < 0 else f"s{squad}",
            quit=None if outcome.quit is None else outcome.quit[seat],
        )
        for seat, (player, squad) in enumerate(zip(lineup.player.tolist(), lineup.squad.tolist(), strict=True))
    ]
    return Round(
        f"r{number}",
        simulation.teams,
        players,
        lineup.started,
        lineup.length,
        tuple(outcome.ranks),
        "simulated",
        simulation.maps[lineup.map],
        simulation.modes[lineup.mode],
    )
