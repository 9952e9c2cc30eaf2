"""Simulated communities in which forecasts of rating systems are compared.

Each simulation has one trait that a system may or may not model. No code is shared with the systems, and the model
differs from theirs: skills have heavy tails, a team's luck follows Gumbel's distribution, counts are Poisson.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from round_simulator import SimulationSettings, simulate_rounds

from browser_app.demo.outcome_model import SimulatedLineup, SimulatedOutcome
from browser_app.rating.game_round import Player, Round
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import Floats, RoundRecord

_DAY_S = 86400.0


@dataclass(frozen=True, slots=True)
class GameSettings:
    """What decides a round, in standard deviations of one player's performance.

    Attributes:
        spread: scale of the skills (Student's t with 5 degrees of freedom).
        teammate: mean skill, which is the worth of one more player.
        side, map_side: advantage of the first team per player: everywhere; its standard deviation over the maps.
        mode_spread: standard deviation of a player's skill in a mode about their skill elsewhere.
        squad: added to the skill of each member of a squad, per further member.
        gain, gain_rounds: how much better a player becomes, and the rounds until two thirds of it are reached.
        drift: standard deviation of the change of a skill in a day.
        draw_margin: team performances no further apart, per √player, are a draw.
        quits: share of players who quit; losers and those who play badly do so more often.
        counts: kills and deaths depend on the performance, or on a style of play that wins nothing; or there are none.
    """

    spread: float = 0.5
    teammate: float = 0.5
    side: float = 0.0
    map_side: float = 0.0
    mode_spread: float = 0.0
    squad: float = 0.0
    gain: float = 0.0
    gain_rounds: float = 20.0
    drift: float = 0.0
    draw_margin: float = 0.0
    quits: float = 0.0
    counts: Literal["performance", "style", "none"] = "none"


class SimulatedGame:
    """An outcome model with true skills.

    Attributes:
        chances: P(a before b | no tie) of all pairs of teams, by round.
    """

    def __init__(self, settings: GameSettings, simulation: SimulationSettings, rng: np.random.Generator) -> None:
        self._settings = settings
        self._skill = settings.teammate + settings.spread * rng.standard_t(5.0, simulation.players)
        self._style = rng.standard_normal(simulation.players)
        self._by_mode = settings.mode_spread * rng.standard_normal((len(simulation.modes), simulation.players))
        self._side = settings.side + settings.map_side * rng.standard_normal(len(simulation.maps))
        self._rounds = np.zeros(simulation.players)
        self._started: float | None = None
        self.chances: list[Floats] = []

    def play(self, lineup: SimulatedLineup, rng: np.random.Generator) -> SimulatedOutcome:
        """Draw performances, and from them ranks, counts and quits."""
        settings, share = self._settings, _shares(lineup)
        skill = self._skill_now(lineup, rng)
        noise_sd = _FORM_SD * np.sqrt((share**2).sum(axis=0))
        luck = _LUCK_SCALE * math.sqrt(len(lineup.player))
        margin = settings.draw_margin * math.sqrt(len(lineup.player))
        expected = skill @ share
        expected[0] += self._side[lineup.map] * len(lineup.player) / lineup.teams
        self.chances.append(_pair_chances(expected, noise_sd, luck, margin))
        performance = skill + _FORM_SD * rng.standard_normal(len(skill))
        result = expected + (performance - skill) @ share + rng.gumbel(0.0, luck, lineup.teams)
        ranks = _rank(result, margin)
        ahead = performance - _mean_opponents(performance, share)
        self._rounds[lineup.player] += 1
        kills, deaths = self._counts(lineup, share, ahead, rng)
        chance = float(self.chances[-1][0, 1]) if lineup.teams == 2 else None
        return SimulatedOutcome(ranks, chance, skill, kills, deaths, self._quits(lineup, ranks, ahead, rng))

    def _skill_now(self, lineup: SimulatedLineup, rng: np.random.Generator) -> Floats:
        settings, player = self._settings, lineup.player
        if settings.drift and self._started is not None:
            days = (lineup.started - self._started) / _DAY_S
            self._skill += settings.drift * math.sqrt(days) * rng.standard_normal(len(self._skill))
        self._started = lineup.started
        skill: Floats = self._skill[player] + self._by_mode[lineup.mode, player]
        skill -= settings.gain * np.exp(-self._rounds[player] / settings.gain_rounds)
        together = (lineup.squad[:, None] == lineup.squad).sum(axis=1) - 1
        return skill + settings.squad * np.where(lineup.squad >= 0, together, 0)

    def _counts(
        self, lineup: SimulatedLineup, share: Floats, ahead: Floats, rng: np.random.Generator
    ) -> tuple[list[float] | None, list[float] | None]:
        if self._settings.counts == "none":
            return None, None
        minutes = share.sum(axis=1) * lineup.length / 60.0
        style = self._style[lineup.player]
        count_drivers = (ahead, -ahead) if self._settings.counts == "performance" else (style, style)
        kills, deaths = (
            rng.poisson(minutes * np.exp(_COUNT_SLOPE * each + _COUNT_NOISE * rng.standard_normal(len(minutes))))
            for each in count_drivers
        )
        return kills.astype(float).tolist(), deaths.astype(float).tolist()

    def _quits(
        self, lineup: SimulatedLineup, ranks: Sequence[int], ahead: Floats, rng: np.random.Generator
    ) -> list[bool] | None:
        if not self._settings.quits:
            return None
        is_loser = np.array(ranks)[lineup.team] > 1
        chance = self._settings.quits * np.where(is_loser, 1.6, 0.4) * 2.0 / (1.0 + np.exp(ahead))
        return list((rng.random(len(chance)) < chance).tolist())


_FORM_SD, _LUCK_SCALE = 0.7, 0.4
"""Standard deviation of a player's form, and scale of a team's luck per √player; together about 1 per player."""
_COUNT_SLOPE, _COUNT_NOISE = 0.35, 0.3
"""Change of ln rate per unit of performance, and its standard deviation for other reasons."""


def _shares(lineup: SimulatedLineup) -> Floats:
    """Return the share of the round that each seat (row) plays for each team."""
    share = np.zeros((len(lineup.player), lineup.teams))
    for stint in lineup.stays:
        share[stint.seat, stint.team] += (stint.leave - stint.enter) / lineup.length
    return share


def _mean_opponents(performance: Floats, share: Floats) -> Floats:
    """Return the mean performance of the opponents of each seat."""
    present = share / np.maximum(share.sum(axis=1, keepdims=True), 1e-9)
    others = share.sum(axis=0).sum() - share.sum(axis=0)
    opponents = (performance @ share).sum() - performance @ share
    return np.asarray(present @ (opponents / np.maximum(others, 1e-9)))


def _pair_chances(expected: Floats, noise_sd: Floats, luck: float, margin: float) -> Floats:
    """Return P(a before b | no tie) of each two teams.

    Luck is logistic; form is normal and integrated numerically.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(24)
    sd = np.sqrt(noise_sd[:, None] ** 2 + noise_sd**2)
    gap = (expected[:, None] - expected)[..., None] + sd[..., None] * nodes
    ahead, behind = (
        0.5 + 0.5 * np.tanh(0.5 * (sign * gap - margin) / luck) @ (weights / weights.sum()) for sign in (1, -1)
    )
    return np.asarray(ahead / (ahead + behind))


def _rank(result: Floats, margin: float) -> list[int]:
    """Return ranks from 1; a team within the margin of the next better one ties."""
    ranks, rank, last = [0] * len(result), 1, math.inf
    for place, team in enumerate(np.argsort(-result).tolist(), 1):
        if last - result[team] > margin:
            rank = place
        ranks[team], last = rank, float(result[team])
    return ranks


@dataclass(frozen=True, slots=True)
class RatingSimulation:
    """A community whose rounds show one trait.

    Attributes:
        title: the trait, for a table.
        rounds: number of rounds that tell systems apart.
        lineup: who plays when; its number of rounds is replaced.
        game: what decides a round.
    """

    title: str
    rounds: int
    lineup: SimulationSettings
    game: GameSettings


class SimulatedRecord(NamedTuple):
    """Rounds of a simulation, and the true chances of all pairs of teams per round."""

    record: RoundRecord
    chances: Sequence[Floats]


_PUBLIC = SimulationSettings(players=300, sizes=(5, 5), activity=0.8, length_s=900.0)
_MAPS = ("depot", "harbour", "lantern", "mill", "quarry")
RATING_SIMULATIONS: Mapping[str, RatingSimulation] = {
    "even": RatingSimulation("even teams, skill alone", 1600, _PUBLIC, GameSettings()),
    "sides": RatingSimulation(
        "one side is stronger, by map", 1600, replace(_PUBLIC, maps=_MAPS), GameSettings(side=0.1, map_side=0.2)
    ),
    "modes": RatingSimulation(
        "skill differs by mode",
        3000,
        replace(_PUBLIC, modes=("ctf", "control", "payload")),
        GameSettings(spread=0.4, mode_spread=0.35),
    ),
    "quits": RatingSimulation("one in ten quits", 1600, _PUBLIC, GameSettings(quits=0.1)),
    "many quits": RatingSimulation("one in four quits", 1600, _PUBLIC, GameSettings(quits=0.24)),
    "counts": RatingSimulation("kills and deaths tell", 1600, _PUBLIC, GameSettings(counts="performance")),
    "empty counts": RatingSimulation("kills and deaths tell nothing", 1600, _PUBLIC, GameSettings(counts="style")),
    "drift": RatingSimulation(
        "skills drift for months", 2000, replace(_PUBLIC, pause_s=21600.0, away=0.4), GameSettings(drift=0.04)
    ),
    "experience": RatingSimulation("newcomers improve", 1600, _PUBLIC, GameSettings(gain=1.2)),
    "draws": RatingSimulation("one in five is a draw", 1600, _PUBLIC, GameSettings(draw_margin=0.3)),
    "squads": RatingSimulation(
        "squads are stronger", 1600, replace(_PUBLIC, sizes=(6, 6), squad=0.35), GameSettings(squad=0.25)
    ),
    "uneven": RatingSimulation(
        "uneven teams, late joiners", 1600, replace(_PUBLIC, sizes=(3, 7), late=0.25, early=0.2), GameSettings()
    ),
    "free-for-all": RatingSimulation(
        "eight against each other",
        600,
        replace(_PUBLIC, players=200, teams=tuple("ABCDEFGH"), sizes=(1, 1)),
        GameSettings(spread=0.8),
    ),
    "everything": RatingSimulation(
        "most of these at once",
        3000,
        replace(
            _PUBLIC,
            maps=_MAPS,
            modes=("ctf", "control"),
            sizes=(4, 6),
            pause_s=7200.0,
            late=0.15,
            early=0.1,
            squad=0.2,
            away=0.3,
        ),
        GameSettings(
            side=0.05,
            map_side=0.1,
            mode_spread=0.25,
            squad=0.15,
            gain=0.6,
            drift=0.02,
            draw_margin=0.05,
            quits=0.1,
            counts="performance",
        ),
    ),
}
"""All simulations, by name."""


def simulate_record(simulation: RatingSimulation, rounds: int, seed: int = 1) -> SimulatedRecord:
    """Play rounds of a simulation.

    They are deterministic for a seed; fewer rounds are the start of more.
    """
    rng = np.random.default_rng(seed)
    lineup = replace(simulation.lineup, rounds=rounds)
    game = SimulatedGame(simulation.game, lineup, rng)
    played = simulate_rounds(lineup, game, rng)
    return SimulatedRecord(build_record(_leave_on_quit(game_round, rng) for game_round, _ in played), game.chances)


def _leave_on_quit(game_round: Round, rng: np.random.Generator) -> Round:
    """Let players who quit leave in the last half of their stay."""
    return replace(
        game_round, players=[_cut_stay(player, rng) if player.quit else player for player in game_round.players]
    )


def _cut_stay(player: Player, rng: np.random.Generator) -> Player:
    last = player.stays[-1]
    leave = last.enter + (last.leave - last.enter) * float(rng.uniform(0.5, 1.0))
    return replace(player, stays=[*player.stays[:-1], replace(last, leave=leave)])
