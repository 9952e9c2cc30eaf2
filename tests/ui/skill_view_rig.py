"""A panel whose data are real ones, of a record that the simulator played, without processes or files."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from browser_app.bridge.live_list import LiveList
from browser_app.bridge.skill.panel import SkillPanel
from browser_app.bridge.skill.shown import GameRecord, Points, Shown
from browser_app.catalogue.catalogue import Catalogue
from browser_app.games import load_games
from browser_app.paths import resources
from browser_app.player.habits import Habit
from browser_app.player.identities import Identity, IdentityKind
from browser_app.player.own_history import own_history
from browser_app.player.sources import SourceKind, SourceState
from browser_app.player.standing import now_of, with_sd
from browser_app.rating.match import Match
from browser_app.rating.record import Record
from browser_app.rating.record_builder import record_of
from browser_app.rating.simulator import World, simulate
from browser_app.rating.simulator_ns2 import NS2Truth, NS2World
from browser_app.rating.systems import rating_system
from browser_app.ui.skill.services import SkillServices

GAMES = load_games(resources() / "games")
ME = "p3"
MAPS = ("ns2_veil", "ns2_tram", "ns2_summit", "ns2_biodome", "ns2_derelict", "ns2_origin")


def matches(rounds: int = 400) -> Iterator[Match]:
    """The same rounds every time."""
    rng = np.random.default_rng(5)
    world = World(
        players=60, rounds=rounds, sizes=(5, 8), modes=("ns2", "siege"), maps=MAPS, activity=0.4, late=0.2, early=0.2,
        commanders=True, pause_s=6 * 3600,
    )  # fmt: skip
    model = NS2World(world.players, len(world.maps), NS2Truth(k=12.0, theta=2.6, offset=1.5, draws=0.02), rng)
    return (match for match, _truth in simulate(world, model, rng))


@cache
def record() -> Record:
    """The rounds as a record."""
    return record_of(matches())


@cache
def shown(system: str = "ns2", sd: float | None = 84.0, game: str = "ns2") -> Shown:
    """The player in the record under a system; `sd`: of the NS2 system, which has none of its own."""
    given: dict[str, Any] = {"start": 31.0, "c": 2.4, "a": 0.9} if system == "ns2" else {}
    rated = rating_system(system, **given)
    run = rated.start(record())
    history = own_history(record(), rated, ME, game=game, servers=["Third Hive Frankfurt"] * len(record()), run=run)
    now = now_of(run, rated, history)
    if system == "ns2":
        now = with_sd(now, rated, sd)
    known = GameRecord(game, GAMES[game].name, len(record()), len(history))
    return Shown(known, system, history, now, time.time() - 125, False)


HABITS = (
    Habit("map", "ns2_veil", "ns2_veil", 41, 20.4, 30.0, 15.2, 25.7, 0.001, "good"),
    Habit("map", "ns2_tram", "ns2_tram", 38, 18.9, 24.0, 13.9, 23.8, 0.09, "lucky"),
    Habit("map", "ns2_summit", "ns2_summit", 29, 14.1, 9.0, 9.9, 18.2, 0.04, "unlucky"),
    Habit("map", "ns2_biodome", "ns2_biodome", 33, 16.0, 16.5, 11.5, 20.4, 0.88, "as expected"),
    Habit("map", "ns2_origin", "ns2_origin", 3, 1.4, 3.0, 0.0, 3.0, 0.2, "too few"),
    Habit("team", "marines", "marines", 108, 52.1, 64.0, 43.6, 60.5, 0.02, "lucky"),
    Habit("team", "aliens", "aliens", 106, 51.3, 46.0, 42.9, 59.8, 0.3, "as expected"),
    Habit("hour", "20", "20", 44, 21.0, 25.0, 15.6, 26.3, 0.22, "as expected"),
    Habit("hour", "9", "9", 12, 5.9, 5.0, 3.1, 8.6, 0.6, "as expected"),
    Habit("mate", "p7", "moth", 61, 30.2, 41.0, 23.9, 36.4, 0.0004, "good"),
    Habit("mate", "p9", "LowTide", 22, 10.5, 9.0, 6.7, 14.2, 0.5, "as expected"),
    Habit("rival", "p1", "harrow", 57, 26.4, 17.0, 20.3, 32.5, 0.0009, "bad"),
)


class FakePanel(SkillPanel):
    """Shows what it is given and writes down what it is asked."""

    def __init__(self, first: Shown | None = None, games: Sequence[GameRecord] = ()) -> None:
        QObject.__init__(self)  # of the real one's parts there are none
        self.asked: list[tuple[Any, ...]] = []
        self.listed: Mapping[str, Points] = {}
        self.shown = first
        self.games = tuple(games) or ((first.game,) if first is not None else ())
        self.game = first.game.id if first is not None else self.games[0].id if self.games else ""
        self.system = first.system if first is not None else ""
        self.parameters = rating_system(self.system or "ns2").parameters
        self.systems = ("ns2", "trueskill2", "elo-xonstat") if self.games else ()

    def show(self, shown: Shown | None) -> None:
        """Something else is to be shown."""
        self.shown = shown
        if shown is not None:
            self.system = shown.system
            self.games = tuple(shown.game if game.id == shown.game.id else game for game in self.games or (shown.game,))
        self.changed.emit()

    def __getattribute__(self, name: str) -> Any:
        """What is calculated is written down and never comes, but for the habits."""
        if name in ("compare", "company", "explain", "fit", "other_history", "players", "sampled", "want_run"):
            return lambda *_given, **_named: self.asked.append((name,))
        return super().__getattribute__(name)

    def open(self) -> None:
        self.asked.append(("open",))

    def choose_game(self, game: str) -> None:
        self.asked.append(("game", game))

    def choose_system(self, name: str) -> None:
        self.asked.append(("system", name))

    def refresh(self) -> None:
        self.asked.append(("refresh",))

    def cancel(self) -> None:
        self.asked.append(("cancel",))

    def import_paths(self, paths: Sequence[Path]) -> None:
        self.asked.append(("import", *paths))

    def habits(self, then: Callable[[Sequence[Habit]], object]) -> None:
        self.asked.append(("habits",))
        then(HABITS)

    def points(self, game: str) -> Points | None:
        return self.listed.get(game)

    def points_for_list(self) -> Mapping[str, float]:
        return {game: points.value for game, points in self.listed.items()}


class Kept:
    """What is kept, in memory."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        return self.values.get(key)

    def put(self, key: str, value: Any) -> None:
        self.values[key] = value


IDENTITIES = (
    Identity("ns2", IdentityKind.STEAM, "76561197960265730"),
    Identity("ns2", IdentityKind.STEAM, "76561197960265731"),
    Identity("xonotic", IdentityKind.XONOTIC, "a" * 43 + "="),
)


def states(game: str = "ns2") -> tuple[SourceState, ...]:
    """Sources as they stand after some use."""
    now = time.time()
    return (
        SourceState(SourceKind.RECORD, game, True, read_at=now - 125, rounds=642, mine=214, folders=2),
        SourceState(SourceKind.STEAM, game, True, 1652.0, read_at=now - 2400),
        SourceState(SourceKind.TYPED, game, False),
    )


def _nobody(*_asked: object) -> Any:
    raise AssertionError("nobody is to be asked here")


class Steps:
    """Services of the view, and what it had them do."""

    def __init__(self, panel: SkillPanel) -> None:
        self.done: list[tuple[str, str]] = []
        self.states = states()
        self.kept = Kept()
        self.live = LiveList(Catalogue(GAMES), _nobody, _nobody, dict, lambda: None)
        self.services = SkillServices(
            panel=panel,
            live=self.live,
            games=GAMES,
            kept=self.kept,  # type: ignore[arg-type]
            identities=lambda: IDENTITIES,
            sources=lambda _game: self.states,
            open_who=self._who,
            open_sources=self._sources,
            open_folders=self._folders,
            open_log=self._log,
        )

    def _who(self, _over: QWidget, game: str) -> None:
        self.done.append(("who", game))

    def _sources(self, _over: QWidget, game: str) -> None:
        self.done.append(("sources", game))

    def _folders(self, _over: QWidget, game: str) -> None:
        self.done.append(("folders", game))

    def _log(self, _over: QWidget, game: str) -> None:
        self.done.append(("log", game))
