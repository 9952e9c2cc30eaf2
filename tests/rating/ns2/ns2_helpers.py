"""Random NS2 rounds, and an independent reference implementation of the model."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.ns2.ns2_run import NS2Run
from browser_app.rating.ns2.ns2_system import NS2System
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record

TEAMS = ("Marines", "Aliens")
NAMES = tuple("abcdefgh")


def system(preset: str = "blog", **given: object) -> NS2System:
    """Create the system with some parameters."""
    return NS2System(
        resolve_parameters(NS2System.declared_parameters, preset=NS2System.presets[preset], explicit=given)
    )


def run_of(rounds: Sequence[Round], preset: str = "blog", **given: object) -> NS2Run:
    """Run over some rounds and learn from all rated ones."""
    run = system(preset, **given).new_run(build_record(rounds))
    for k in range(len(rounds)):
        if run.skip_reason(k) is None:
            run.update(k)
    return run


def player_field(run: NS2Run, name: str, key: str = "skill") -> float:
    """Return a field of a rated player."""
    fields: Any = run.rated_players()[name]
    return float(fields[key])


def full_round(
    first: str, second: str, winner: int | None = 0, *, number: int = 0, duration: float = 1200.0, place: str = ""
) -> Round:
    """Create a round played by all from start to end.

    One letter per player; `winner` None is a draw.
    """
    players = [
        Player(name, [Stint(team, 0.0, duration)])
        for team, names in zip(TEAMS, (first, second), strict=True)
        for name in names
    ]
    ranks = (1, 1) if winner is None else ((1, 2), (2, 1))[winner]
    return Round(str(number), TEAMS, players, float(number), duration, ranks, map=place)


@st.composite
def _stints(draw: st.DrawFn, duration: int) -> tuple[list[Stint], list[Stint]]:
    """Draw stays without overlap on both teams, and commander stints within them."""
    cuts = sorted(draw(st.lists(st.integers(0, duration), max_size=6)))
    stays: list[Stint] = []
    commander_stints: list[Stint] = []
    for enter, leave in zip(cuts[::2], cuts[1::2], strict=False):
        team = draw(st.sampled_from(TEAMS))
        stays.append(Stint(team, enter, leave))
        if draw(st.integers(0, 3)) == 0:
            sits, stands = sorted(draw(st.lists(st.integers(enter, leave), min_size=2, max_size=2)))
            commander_stints.append(Stint(team, sits, stands))
    return stays, commander_stints


@st.composite
def _round(draw: st.DrawFn) -> Round:
    duration = draw(st.integers(1, 3000))
    players = []
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=2)):
        stays, commander_stints = draw(_stints(duration))
        players.append(Player(name, stays, commander_stints))
    return Round(
        id="",
        teams=TEAMS,
        players=players,
        started=0.0,
        duration=duration,
        ranks=draw(st.sampled_from(((1, 2), (2, 1), (1, 1), None))),
        map=draw(st.sampled_from(("", "ns2_summit", "ns2_veil"))),
        races=draw(st.sampled_from(((), ("marine", "alien"), ("alien", "marine")))),
    )


def rounds(most: int = 8) -> st.SearchStrategy[list[Round]]:
    """Draw histories with several stays, commanders, draws and circumstances.

    Players change teams, and some rounds are unrated.
    """
    histories = st.lists(_round(), min_size=1, max_size=most)
    return histories.map(lambda given: [replace(m, id=str(k), started=float(k)) for k, m in enumerate(given)])


@dataclass
class ReferenceModel:
    """The model as the article prints it (mistakes corrected), with dicts.

    It shares no code with the product.
    """

    c: float = 1.0
    a: float = 0.5
    epsilon: float = 1e-3
    median_round: float = 1200.0
    start: float = 20.0
    per_team: bool = True
    chair: bool = True
    bias_strength: float | None = None
    s: dict[str, float] = field(default_factory=dict)
    o: dict[str, float] = field(default_factory=dict)
    x: dict[str, float] = field(default_factory=dict)
    g: dict[str, float] = field(default_factory=dict)
    gx: dict[str, float] = field(default_factory=dict)
    seen: list[tuple[tuple[object, ...], float]] = field(default_factory=list)
    rounds: dict[str, int] = field(default_factory=dict)

    def weight(self, stint: Stint) -> float:
        """Return a^(−enter) − a^(−leave), a = 2^(2/r), exactly for a short late stay."""
        rate = 2.0 * math.log(2.0) / self.median_round
        return math.exp(-rate * stint.enter) * -math.expm1(rate * (stint.enter - stint.leave))

    def in_field(self, player: Player) -> dict[str, float]:
        """Return t by team: the stays without commander time, piece by piece."""
        times = dict.fromkeys(TEAMS, 0.0)
        for stay in player.stays:
            cuts = [stay.enter]
            for stint in player.commanding if self.chair else ():
                if stay.enter <= stint.enter and stint.leave <= stay.leave and stint.leave > stint.enter:
                    cuts += [stint.enter, stint.leave]
            cuts.append(stay.leave)
            for enter, leave in zip(cuts[::2], cuts[1::2], strict=True):
                times[stay.team] += self.weight(Stint(stay.team, enter, leave))
        return times

    def in_command(self, player: Player) -> dict[str, float]:
        times = dict.fromkeys(TEAMS, 0.0)
        for stint in player.commanding if self.chair else ():
            times[stint.team] += self.weight(stint)
        return times

    def log_odds(self, match: Round) -> float:
        field, command = ({p.id: where(p) for p in match.players} for where in (self.in_field, self.in_command))
        total, command_total = (sum(sum(w.values()) for w in times.values()) for times in (field, command))
        log_odds = self.bias(match)
        for sign, team in zip((1.0, -1.0), TEAMS, strict=True):
            for name, times in field.items():
                if total > 0.0:
                    s_hat = self.s.get(name, self.start) + sign * self.o.get(name, 0.0)
                    log_odds += sign * times[team] * s_hat / total
            for name, times in command.items():
                if command_total > 0.0:
                    log_odds += sign * times[team] * self.x.get(name, self.start) / command_total
        return log_odds

    def circumstance(self, match: Round) -> tuple[object, ...]:
        present = sum(
            sum(stay.leave - stay.enter for stay in p.stays) >= (match.duration or 0.0) / 2 and bool(p.stays)
            for p in match.players
        )
        size = "≤ 6" if present <= 6 else "7–11" if present <= 11 else "12–16" if present <= 16 else "more"
        return (match.races[0] if match.races else None, match.map, size)

    def bias(self, match: Round) -> float:
        if self.bias_strength is None:
            return 0.0
        rate, own = 0.5, self.circumstance(match)
        for depth in (1, 2, 3):
            alike = [outcome for circumstance, outcome in self.seen if circumstance[:depth] == own[:depth]]
            rate = (sum(alike) + self.bias_strength * rate) / (len(alike) + self.bias_strength)
        return math.log(rate / (1.0 - rate))

    def unrated(self, match: Round) -> str | None:
        occupied = {stay.team for p in match.players for stay in p.stays if stay.leave > stay.enter}
        return "no_outcome" if match.ranks is None else "one_side_empty" if len(occupied) < 2 else None

    def update(self, match: Round) -> None:
        assert match.ranks is not None
        won = {(1, 2): 1.0, (2, 1): 0.0, (1, 1): 0.5}[tuple(match.ranks)]  # type: ignore[index]
        error = won - 1.0 / (1.0 + math.exp(-self.log_odds(match)))
        terms = ((self.in_field, self.s, self.g), (self.in_command, self.x, self.gx))
        for where, value, squares in terms:
            times = {p.id: where(p) for p in match.players}
            total = sum(sum(w.values()) for w in times.values())
            for name, (first, second) in ((name, w.values()) for name, w in times.items()) if total > 0.0 else ():
                gradient = error * (first - second) / total
                squares[name] = squares.get(name, 0.0) + gradient**2
                rate = self.c + self.a / math.sqrt(squares[name] + self.epsilon)
                value[name] = value.get(name, self.start) + rate * gradient
                if value is self.s and self.per_team:
                    self.o[name] = self.o.get(name, 0.0) + self.c * error * (first + second) / total
        self.seen.append((self.circumstance(match), won))
        for p in match.players:
            if any(stay.leave > stay.enter for stay in p.stays):
                self.rounds[p.id] = self.rounds.get(p.id, 0) + 1

    def players(self) -> Mapping[str, Mapping[str, float]]:
        return {
            name: {
                "skill": self.s.get(name, self.start),
                "offset": self.o.get(name, 0.0),
                "commander": self.x.get(name, self.start),
                "adagrad_sum": self.g.get(name, 0.0),
                "commander_adagrad_sum": self.gx.get(name, 0.0),
                "rounds": count,
                "anchored": False,
                "points": 50.0 * self.s.get(name, self.start),
            }
            for name, count in self.rounds.items()
        }
