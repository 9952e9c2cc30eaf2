"""One demo server's state: what it is, and who is on it."""

import math
import random
from dataclasses import dataclass, field

from browser_app.demo.sheet import GameSheet, Mode
from browser_app.demo.wording import BOT_NAMES, coloured, nickname, server_name

MEAN_STAY_S = 900.0
MEAN_ROUND_S = 1200.0
_DESERTED = 0.45
"""Share of servers that hardly anybody ever comes to."""
_CROWDED = 0.1
"""Share of the others that more people would like to be on than there is room for."""
_DECLINE = 1.0
"""Exponent of the power law by which the rest is visited."""


@dataclass(slots=True)
class Person:
    """Somebody on a server, or a bot. Times are seconds of the demo network's own clock, 0 = its start."""

    plain_name: str
    """Nobody else on the server has it."""
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
    """1 or 2; 0 where nobody has a team, and for spectators."""
    bot: bool = False
    spectator: bool = False


@dataclass(slots=True)
class Population:
    """A server's state. `revision` grows with every change after its founding."""

    sheet: GameSheet
    number: int
    """Position in the network."""
    name: str
    """With colour codes."""
    mode: str
    map: str
    one_map: bool
    """The map never changes."""
    max_players: int
    reserved: int
    password: bool
    rookie_only: bool
    fill: float
    """Which part of the slots people would take in the long run; above 1 where they queue."""
    bots_kept: int
    """Bots leave as people come, down from this number."""
    performance: int
    """Historical score, -99…100."""
    quality: int
    current_performance: int
    skill_level: float
    """About what the people who come here are rated."""
    round_started_s: float = 0.0
    people: list[Person] = field(default_factory=list)
    revision: int = 0

    @property
    def played(self) -> Mode:
        """The current mode."""
        return self.sheet.modes[self.mode]

    @property
    def humans(self) -> int:
        """All people, spectators too."""
        return sum(not person.bot for person in self.people)

    @property
    def bots(self) -> int:
        """All bots."""
        return sum(person.bot for person in self.people)

    @property
    def mean_skill(self) -> float | None:
        """Mean skill of the people; None if nobody is there."""
        skills = [person.skill for person in self.people if not person.bot]
        return sum(skills) / len(skills) if skills else None

    def score_of(self, person: Person, now_s: float) -> int:
        """A person's score in the current round."""
        return int(person.score_rate * max(0.0, now_s - max(self.round_started_s, person.joined_s)) / 60)


def found(sheet: GameSheet, number: int, ordinal: int, rng: random.Random) -> Population:
    """Set up a server, with the people it has when the network starts.

    Args:
        sheet: its game.
        number: its position in the network.
        ordinal: its position among the servers of its game.
        rng: decides everything.
    """
    name = server_name(sheet, ordinal, rng)
    meant_mode, meant_map = sheet.meant_by(name)
    modes = list(sheet.modes)
    mode = meant_mode or modes[min(int(rng.expovariate(1.1)), len(modes) - 1)]
    slots = rng.choice(sheet.slots) if mode not in ("duel", "tourney") else rng.choice((2, 4, 6))
    performance = max(-60, min(100, round(rng.gauss(35, 30))))
    server = Population(
        sheet=sheet,
        number=number,
        name=coloured(name, sheet.colours, rng, 0.4),
        mode=mode,
        map=meant_map or rng.choice(sheet.modes[mode].maps),
        one_map=meant_map is not None,
        max_players=slots,
        reserved=rng.choice((1, 2, 4)) if slots >= 12 and rng.random() < 0.2 else 0,
        password=rng.random() < 0.07,
        rookie_only=sheet.id == "ns2" and rng.random() < 0.06,
        fill=_fill_of(rng),
        bots_kept=rng.choice((2, 4, 6)) if sheet.bots and slots >= 8 and rng.random() < 0.25 else 0,
        performance=performance,
        quality=rng.randrange(55, 101) if rng.random() < 0.85 else rng.randrange(0, 50),
        current_performance=performance,
        skill_level=rng.gauss(1500, 450),
        round_started_s=-rng.random() * MEAN_ROUND_S,
    )
    _fill(server, rng)
    return server


def welcome(server: Population, now_s: float, rng: random.Random) -> None:
    """Somebody joins."""
    team = 0
    spectator = server.sheet.spectators and rng.random() < 0.08
    if server.played.teams and not spectator:
        first = sum(person.team == 1 for person in server.people)
        second = sum(person.team == 2 for person in server.people)
        team = 1 if first < second or (first == second and rng.random() < 0.5) else 2
    name = nickname({other.plain_name for other in server.people}, rng)
    person = Person(
        plain_name=name,
        name=coloured(name, server.sheet.colours, rng, 0.35),
        joined_s=now_s,
        skill=max(0, round(rng.gauss(server.skill_level, 500))),
        score_rate=rng.lognormvariate(0.2, 0.7),
        ping_ms=max(8, round(rng.lognormvariate(3.9, 0.5))),
        team=team,
        spectator=spectator,
    )
    server.people.append(person)
    keep_bots(server, now_s, rng)


def keep_bots(server: Population, now_s: float, rng: random.Random) -> None:
    """Let bots come or go until they and the people are as many as the server wants."""
    wanted = max(0, min(server.bots_kept, server.max_players) - server.humans)
    bots = [person for person in server.people if person.bot]
    for bot in bots[wanted:]:
        server.people.remove(bot)
    names = {bot.name for bot in bots}
    for name in [name for name in BOT_NAMES if name not in names][: max(0, wanted - len(bots))]:
        team = 1 + len(server.people) % 2 if server.played.teams else 0
        server.people.append(Person(name, name, now_s, 0, rng.random(), 0, team, bot=True))


def _fill_of(rng: random.Random) -> float:
    if rng.random() < _DESERTED:
        return 0.003
    return min(1.1, math.pow(max(rng.random(), 0.01) / _CROWDED, -_DECLINE))


def _fill(server: Population, rng: random.Random) -> None:
    """The people of the start, who came at some time before it."""
    places = server.max_players if rng.random() < 0.3 else server.max_players - server.reserved
    for _ in range(places):
        if rng.random() < server.fill:
            welcome(server, -rng.expovariate(1 / MEAN_STAY_S), rng)
    if not server.people:
        keep_bots(server, -rng.random() * MEAN_ROUND_S, rng)
