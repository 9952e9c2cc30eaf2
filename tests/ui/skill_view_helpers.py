"""A fake skill model and services with data of a simulated record."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from round_simulator import SimulationSettings, simulate_rounds

from browser_app.application.own_skill.skill_state import GameRecord, OwnSkill, SkillState
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.catalogue.catalogue import Catalogue
from browser_app.demo.outcome_model import NS2OutcomeModel, NS2SimulationSettings
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.player.habits import Habit
from browser_app.player.own_history import compute_own_history
from browser_app.player.player_identities import Identity, IdentityKind
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.player.skill_summary_builder import apply_summary_sd, build_skill_summary
from browser_app.rating.game_round import Round
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.system_registry import create_rating_system
from browser_app.ui.skill.habits.habits_page import HabitsPage
from browser_app.ui.skill.now.now_page import NowPage
from browser_app.ui.skill.skill_pages import HABITS, SkillServices, SourcesTab
from browser_app.ui.skill.view.skill_view import SkillView
from browser_app.ui.widgets.theme import Theme

GAMES = load_games(resource_folder() / "games")
ME = "p3"
XONOTIC = GameRecord("xonotic", "Xonotic", 301, 87)
MAPS = ("ns2_veil", "ns2_tram", "ns2_summit", "ns2_biodome", "ns2_derelict", "ns2_origin")


def simulated_rounds(rounds: int = 400) -> Iterator[Round]:
    """Yield the same simulated rounds for each call."""
    rng = np.random.default_rng(5)
    simulation = SimulationSettings(
        players=60, rounds=rounds, sizes=(5, 8), modes=("ns2", "siege"), maps=MAPS, activity=0.4, late=0.2, early=0.2,
        commanders=True, pause_s=6 * 3600,
    )  # fmt: skip
    model = NS2OutcomeModel(
        simulation.players, len(simulation.maps), NS2SimulationSettings(k=12.0, theta=2.6, offset=1.5, draws=0.02), rng
    )
    return (match for match, _truth in simulate_rounds(simulation, model, rng))


@cache
def simulated_record() -> RoundRecord:
    """Return the rounds as a record."""
    return build_record(simulated_rounds())


@cache
def example_state(system: str = "ns2", sd: float | None = 84.0, game: str = "ns2") -> SkillState:
    """Return the state of the player `ME` under a system.

    `sd` is used for NS2, which has no uncertainty of its own.
    """
    given: dict[str, Any] = {"start": 31.0, "c": 2.4, "a": 0.9} if system == "ns2" else {}
    rated = create_rating_system(system, **given)
    run = rated.new_run(simulated_record())
    history = compute_own_history(
        simulated_record(), rated, ME, game=game, servers=["Third Hive Frankfurt"] * len(simulated_record()), run=run
    )
    now = build_skill_summary(run, rated, history)
    if system == "ns2":
        now = apply_summary_sd(now, rated, sd)
    known = GameRecord(game, GAMES[game].name, len(simulated_record()), len(history))
    return SkillState(known, system, history, now, time.time() - 125)


EXAMPLE_HABITS = (
    Habit("map", "ns2_veil", "ns2_veil", 41, 20.4, 30.0, 15.2, 25.7, 0.001, "good"),
    Habit("map", "ns2_tram", "ns2_tram", 38, 18.9, 24.0, 13.9, 23.8, 0.09, "lucky"),
    Habit("map", "ns2_summit", "ns2_summit", 29, 14.1, 9.0, 9.9, 18.2, 0.04, "unlucky"),
    Habit("map", "ns2_biodome", "ns2_biodome", 33, 16.0, 16.5, 11.5, 20.4, 0.88, "as expected"),
    Habit("map", "ns2_origin", "ns2_origin", 3, 1.4, 3.0, 0.0, 3.0, 0.2, "too few"),
    Habit("team", "marines", "marines", 108, 52.1, 64.0, 43.6, 60.5, 0.02, "lucky"),
    Habit("team", "aliens", "aliens", 106, 51.3, 46.0, 42.9, 59.8, 0.3, "as expected"),
    Habit("hour", "20", "20", 44, 21.0, 25.0, 15.6, 26.3, 0.22, "as expected"),
    Habit("hour", "9", "9", 12, 5.9, 5.0, 3.1, 8.6, 0.6, "as expected"),
    Habit("teammate", "p7", "moth", 61, 30.2, 41.0, 23.9, 36.4, 0.0004, "good"),
    Habit("teammate", "p9", "LowTide", 22, 10.5, 9.0, 6.7, 14.2, 0.5, "as expected"),
    Habit("opponent", "p1", "harrow", 57, 26.4, 17.0, 20.3, 32.5, 0.0009, "bad"),
)


_UNANSWERED = (
    "compare_systems",
    "explain_round",
    "fit_parameters",
    "request_co_players",
    "request_final_run",
    "request_leaderboards",
    "request_other_history",
    "request_players",
    "load_service_histories",
)


class FakeSkillModel(SkillModel):
    """A skill model that shows given states and records calls."""

    systems: Sequence[str] = ()
    full_history: bool | None = None

    def __init__(self, first: SkillState | None = None, games: Sequence[GameRecord] = ()) -> None:
        QObject.__init__(self)  # skip SkillModel's: no database and no workers
        self.calls: list[tuple[Any, ...]] = []
        self.own_skills: Mapping[str, OwnSkill] = {}
        self.state = first
        self.games = tuple(games) or ((first.game,) if first is not None else ())
        self.game = first.game.id if first is not None else self.games[0].id if self.games else ""
        self.system = first.system if first is not None else ""
        self.parameters = create_rating_system(self.system or "ns2").parameters
        self.systems: Sequence[str] = ("ns2", "trueskill2", "elo-xonstat") if self.games else ()

    @property
    def queries(self) -> Any:  # type: ignore[override]
        """The model records or answers its queries itself."""
        return self

    def show(self, state: SkillState | None) -> None:
        """Replace the state."""
        self.state = state
        if state is not None:
            self.system = state.system
            self.games = tuple(state.game if game.id == state.game.id else game for game in self.games or (state.game,))
        self.changed.emit()

    def __getattribute__(self, name: str) -> Any:
        """Record calls of queries, and never answer them, except for the habits."""
        if name in _UNANSWERED:
            return lambda *_given, **_named: self.calls.append((name,))
        return super().__getattribute__(name)

    def open(self) -> None:
        self.calls.append(("open",))

    def choose_game(self, game: str) -> None:
        self.calls.append(("game", game))

    def choose_system(self, name: str) -> None:
        self.calls.append(("system", name))

    def choose_full_history(self, chosen: bool) -> None:
        self.calls.append(("full history", chosen))

    def refresh(self) -> None:
        self.calls.append(("refresh",))

    def cancel(self) -> None:
        self.calls.append(("cancel",))

    def import_paths(self, paths: Sequence[Path]) -> None:
        self.calls.append(("import", *paths))

    def request_habits(self, callback: Callable[[Sequence[Habit]], object]) -> None:
        self.calls.append(("habits",))
        callback(EXAMPLE_HABITS)

    def own_skill(self, game: str) -> OwnSkill | None:
        return self.own_skills.get(game)

    def own_skill_by_game(self) -> Mapping[str, float]:
        return {game: points.value for game, points in self.own_skills.items()}


class FakeUiState:
    """UI state in memory."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        return self.values.get(key)

    def set(self, key: str, value: Any) -> None:
        self.values[key] = value


IDENTITIES = (
    Identity("ns2", IdentityKind.STEAM, "76561197960265730"),
    Identity("ns2", IdentityKind.STEAM, "76561197960265731"),
    Identity("xonotic", IdentityKind.XONOTIC, "a" * 43 + "="),
)


def source_states(game: str = "ns2") -> tuple[SkillSourceState, ...]:
    """Return the states of sources that have been in use."""
    now = time.time()
    return (
        SkillSourceState(SkillSourceKind.RECORD, game, True, read_at=now - 125, rounds=642, own_rounds=214, folders=2),
        SkillSourceState(SkillSourceKind.STEAM, game, True, 1652.0, read_at=now - 2400),
        SkillSourceState(SkillSourceKind.ENTERED, game, False),
    )


def _fail_if_called(*_asked: object) -> Any:
    raise AssertionError("must not be called")


class FakeSkillServices:
    """Services of the view that record which dialogs it opens."""

    def __init__(self, skill_model: SkillModel) -> None:
        self.opened: list[tuple[str, str]] = []
        self.states = source_states()
        self.ui_state = FakeUiState()
        self.server_list = ServerListController(Catalogue(GAMES), _fail_if_called, _fail_if_called, dict, lambda: None)
        self.services = SkillServices(
            skill_model=skill_model,
            server_list=self.server_list,
            games=GAMES,
            ui_state=self.ui_state,  # type: ignore[arg-type]
            identities=lambda: IDENTITIES,
            friend_predicate=lambda: lambda _player, name: name == "p7",
            source_states=lambda _game: self.states,
            open_identities=self._open_identities,
            open_sources=self._open_sources,
        )

    def _open_identities(self, _over: QWidget, game: str) -> None:
        self.opened.append(("who", game))

    def _open_sources(self, _over: QWidget, game: str, tab: SourcesTab) -> None:
        self.opened.append((tab.name, game))


class SkillViewFixture:
    """A view over a fake skill model."""

    def __init__(self, bot: QtBot, theme: Theme, model: FakeSkillModel) -> None:
        self.model, self.services = model, FakeSkillServices(model)
        self.view = SkillView(theme, self.services.services)
        bot.addWidget(self.view)
        self.view.resize(1280, 714)
        self.view.show()
        self.view.activateWindow()

    @property
    def now(self) -> NowPage:
        page = self.view.stack.currentWidget()
        assert isinstance(page, NowPage)
        return page

    @property
    def habits(self) -> HabitsPage:
        self.view.show_page(HABITS)
        page = self.view.stack.currentWidget()
        assert isinstance(page, HabitsPage)
        return page


Open = Callable[..., SkillViewFixture]
