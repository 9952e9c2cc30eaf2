"""State of a demo server, and the simulation that changes it."""

import heapq
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from browser_app.demo.demo_names import BOT_NAMES, add_colour_codes, make_server_name, pick_player_name
from browser_app.demo.games.game_spec import GameMode, GameSpec

MEAN_STAY_S = 900.0
MEAN_ROUND_S = 1200.0
_DESERTED_SHARE = 0.45
"""Share of servers with hardly any players."""
_CROWDED_SHARE = 0.1
"""Share of the others with more demand than slots."""
_POPULARITY_EXPONENT = 1.0
"""Exponent of the power law of the remaining servers' popularity."""


@dataclass(slots=True)
class SimulatedPlayer:
    """A player or bot on a server. Times are seconds since the demo network's start."""

    unique_name: str
    """Unique on the server."""
    name: str
    """With colour codes."""
    joined_s: float
    skill: int
    """Points of the NS2 scale."""
    score_rate: float
    """Score per minute of the round."""
    ping_ms: int
    """0 for bots."""
    team: int
    """1 or 2; 0 in free-for-all modes and for spectators."""
    is_bot: bool = False
    is_spectator: bool = False


@dataclass(slots=True)
class DemoServerState:
    """State of one server. `revision` grows with every change."""

    game: GameSpec
    number: int
    """Position in the network."""
    name: str
    """With colour codes."""
    mode: str
    map: str
    has_fixed_map: bool
    """Whether the map never changes."""
    max_players: int
    reserved: int
    has_password: bool
    rookie_only: bool
    fill_ratio: float
    """Long-term share of used slots; above 1 where players queue."""
    bot_count_target: int
    """Number of bots on an empty server; they leave as players join."""
    performance: int
    """Historical score, -99…100."""
    quality: int
    current_performance: int
    skill_level: float
    """Typical rating of the server's players."""
    round_started_s: float = 0.0
    players: list[SimulatedPlayer] = field(default_factory=list)
    arrivals: list[tuple[float, str]] = field(default_factory=list)
    """Players who join at a fixed time: seconds from the start, and name; earliest first."""
    revision: int = 0

    @property
    def current_mode(self) -> GameMode:
        """The current mode."""
        return self.game.modes[self.mode]

    @property
    def human_count(self) -> int:
        """Number of players without bots, including spectators."""
        return sum(not person.is_bot for person in self.players)

    @property
    def bot_count(self) -> int:
        """Number of bots."""
        return sum(person.is_bot for person in self.players)

    @property
    def mean_skill(self) -> float | None:
        """Mean skill of the players; None if there are none."""
        skills = [person.skill for person in self.players if not person.is_bot]
        return sum(skills) / len(skills) if skills else None

    def player_score(self, player: SimulatedPlayer, now_s: float) -> int:
        """Return a player's score in the current round."""
        return int(player.score_rate * max(0.0, now_s - max(self.round_started_s, player.joined_s)) / 60)


def make_server_state(game: GameSpec, number: int, ordinal: int, rng: random.Random) -> DemoServerState:
    """Return a server with the players it has when the network starts.

    `number` is its position in the network, `ordinal` the one among the servers of its game.
    """
    name = make_server_name(game, ordinal, rng)
    named_mode, named_map = game.mode_and_map_in_name(name)
    modes = list(game.modes)
    mode = named_mode or modes[min(int(rng.expovariate(1.1)), len(modes) - 1)]
    slots = rng.choice(game.slots) if mode not in ("duel", "tourney") else rng.choice((2, 4, 6))
    performance = max(-60, min(100, round(rng.gauss(35, 30))))
    server = DemoServerState(
        game=game,
        number=number,
        name=add_colour_codes(name, game.colours, rng, 0.4),
        mode=mode,
        map=named_map or rng.choice(game.modes[mode].maps),
        has_fixed_map=named_map is not None,
        max_players=slots,
        reserved=rng.choice((1, 2, 4)) if game.has_bots and slots >= 12 and rng.random() < 0.2 else 0,
        has_password=rng.random() < 0.07,
        rookie_only=game.id == "ns2" and rng.random() < 0.06,
        fill_ratio=_draw_fill_ratio(rng),
        bot_count_target=rng.choice((2, 4, 6)) if game.has_bots and slots >= 8 and rng.random() < 0.25 else 0,
        performance=performance,
        quality=rng.randrange(55, 101) if rng.random() < 0.85 else rng.randrange(0, 50),
        current_performance=performance,
        skill_level=rng.gauss(1500, 450),
        round_started_s=-rng.random() * MEAN_ROUND_S,
    )
    _fill_initially(server, rng)
    return server


def add_player(server: DemoServerState, now_s: float, rng: random.Random) -> None:
    """Add a player."""
    team = 0
    spectator = server.game.has_spectators and rng.random() < 0.08
    if server.current_mode.teams and not spectator:
        first = sum(person.team == 1 for person in server.players)
        second = sum(person.team == 2 for person in server.players)
        team = 1 if first < second or (first == second and rng.random() < 0.5) else 2
    name = pick_player_name({other.unique_name for other in server.players}, rng)
    person = SimulatedPlayer(
        unique_name=name,
        name=name if server.game.has_plain_player_names else add_colour_codes(name, server.game.colours, rng, 0.35),
        joined_s=now_s,
        skill=max(0, round(rng.gauss(server.skill_level, 500))),
        score_rate=rng.lognormvariate(0.2, 0.7),
        ping_ms=max(8, round(rng.lognormvariate(3.9, 0.5))),
        team=team,
        is_spectator=spectator,
    )
    server.players.append(person)
    adjust_bots(server, now_s, rng)


def adjust_bots(server: DemoServerState, now_s: float, rng: random.Random) -> None:
    """Add or remove bots until bots and players together reach the server's target."""
    target = max(0, min(server.bot_count_target, server.max_players) - server.human_count)
    bots = [person for person in server.players if person.is_bot]
    for bot in bots[target:]:
        server.players.remove(bot)
    names = {bot.name for bot in bots}
    for name in [name for name in BOT_NAMES if name not in names][: max(0, target - len(bots))]:
        team = 1 + len(server.players) % 2 if server.current_mode.teams else 0
        server.players.append(SimulatedPlayer(name, name, now_s, 0, rng.random(), 0, team, is_bot=True))


def _draw_fill_ratio(rng: random.Random) -> float:
    if rng.random() < _DESERTED_SHARE:
        return 0.003
    return min(1.1, math.pow(max(rng.random(), 0.01) / _CROWDED_SHARE, -_POPULARITY_EXPONENT))


def _fill_initially(server: DemoServerState, rng: random.Random) -> None:
    """Add the players of the start, who joined at some time before it."""
    places = server.max_players if rng.random() < 0.3 else server.max_players - server.reserved
    for _ in range(places):
        if rng.random() < server.fill_ratio:
            add_player(server, -rng.expovariate(1 / MEAN_STAY_S), rng)
    if not server.players:
        adjust_bots(server, -rng.random() * MEAN_ROUND_S, rng)


_MEAN_DRIFT_S = 60.0
"""Mean time between two changes of a server's performance."""


class PopulationSimulation:
    """Simulation of all servers; its state depends on the seed and the time alone."""

    def __init__(self, servers: Sequence[DemoServerState], rng: random.Random) -> None:
        self._servers = servers
        self._rng = rng
        self._next_events = [(rng.expovariate(sum(_event_rates(each))), index) for index, each in enumerate(servers)]
        heapq.heapify(self._next_events)
        self._servers_with_arrivals = [each for each in servers if each.arrivals]

    def advance(self, now_s: float) -> None:
        """Simulate all events up to `now_s`, seconds after the start."""
        for server in self._servers_with_arrivals:
            self._add_arrivals(server, now_s)
        while self._next_events and self._next_events[0][0] <= now_s:
            when_s, index = self._next_events[0]
            server = self._servers[index]
            self._apply_event(server, when_s)
            heapq.heapreplace(self._next_events, (when_s + self._rng.expovariate(sum(_event_rates(server))), index))

    def _add_arrivals(self, server: DemoServerState, now_s: float) -> None:
        while server.arrivals and server.arrivals[0][0] <= now_s:
            joined_s, name = server.arrivals.pop(0)
            add_player(server, joined_s, self._rng)
            newest = next(each for each in reversed(server.players) if not each.is_bot)
            newest.unique_name = newest.name = name
            server.revision += 1

    def _apply_event(self, server: DemoServerState, now_s: float) -> None:
        event = self._rng.choices((add_player, _leave, _change_map, _drift_performance), _event_rates(server))[0]
        event(server, now_s, self._rng)
        server.revision += 1


def _event_rates(server: DemoServerState) -> tuple[float, float, float, float]:
    """Return the rates per second of joining, leaving, map changes and drift."""
    free_slots = server.max_players - server.human_count
    arrivals = server.fill_ratio * server.max_players / MEAN_STAY_S if free_slots > 0 else 0.0
    drifts = 1 / _MEAN_DRIFT_S if server.game.id == "ns2" else 0.0
    return (arrivals, server.human_count / MEAN_STAY_S, 1 / MEAN_ROUND_S, drifts)


def _leave(server: DemoServerState, now_s: float, rng: random.Random) -> None:
    server.players.remove(rng.choice([person for person in server.players if not person.is_bot]))
    adjust_bots(server, now_s, rng)


def _change_map(server: DemoServerState, now_s: float, rng: random.Random) -> None:
    others = [name for name in server.current_mode.maps if name != server.map]
    if others and not server.has_fixed_map:
        server.map = rng.choice(others)
    server.round_started_s = now_s


def _drift_performance(server: DemoServerState, now_s: float, rng: random.Random) -> None:  # noqa: ARG001 (same signature as the other events)
    load = 2 * server.human_count / server.max_players
    server.current_performance = max(-99, min(100, round(server.performance - 8 * load + rng.gauss(0, 8))))
    pull = 0.05 * (server.current_performance - server.performance)
    server.performance = max(-99, min(100, server.performance + round(pull)))
