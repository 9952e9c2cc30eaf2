"""The table of My Skill pages, their factories and what they work with."""

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtWidgets import QWidget

from browser_app.application.own_skill.skill_state import SkillState
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.games.game_profile import GameProfile
from browser_app.language import N_
from browser_app.player.player_identities import Identity, IdentityKind
from browser_app.player.skill_sources import SkillSourceState
from browser_app.storage.ui_state import UiState
from browser_app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from browser_app.ui.skill.fair_games.game_predictor import GamePredictor

NOW, OVER_TIME, ROUNDS, HABITS, LEADERBOARD = "now", "over-time", "rounds", "habits", "leaderboard"
SYSTEMS, FAIR_GAMES = "systems", "fair-games"


class SourcesTab(enum.IntEnum):
    """A tab of the dialog of skill sources."""

    SOURCES = 0
    FOLDERS = 1
    TABLES = 2
    REQUEST_LOG = 3


@dataclass(frozen=True)
class SkillServices:
    """The models and callbacks that the pages use."""

    skill_model: SkillModel
    server_list: ServerListController
    games: Mapping[str, GameProfile]
    ui_state: UiState
    identities: Callable[[], Sequence[Identity]]
    """Returns the user's identities in all games."""
    friend_predicate: Callable[[], Callable[[str, str], bool]]
    """Returns a test whether a player, by id and name, is a friend as of now."""
    source_states: Callable[[str], Sequence[SkillSourceState]]
    """Returns the states of a game's sources."""
    open_identities: Callable[[QWidget, str], object]
    """Opens the dialog of identities over a widget, for a game."""
    open_sources: Callable[[QWidget, str, SourcesTab], object]
    """Opens the dialog of sources over a widget, for a game."""

    @cached_property
    def game_predictor(self) -> "GamePredictor":
        """The predictor of games; created when it is first used."""
        from browser_app.ui.skill.fair_games.game_predictor import GamePredictor

        return GamePredictor(self.skill_model, self.server_list, self._own_name_patterns)

    def _own_name_patterns(self, game: str) -> list[str]:
        return [each.value for each in self.identities() if each.game == game and each.kind is IdentityKind.NAME]


class SkillPageCallbacks(NamedTuple):
    """What a page may request from the view."""

    show_status: Callable[[str], object]
    """Shows a text in the status bar."""
    show_round: Callable[[str], object]
    """Shows the explanation of a round by its id."""
    show_server_list: Callable[[], object]
    """Shows the game's servers by their distance to the user's skill."""
    open_sources: Callable[[], object]
    """Opens the dialog of skill sources."""
    choose_files: Callable[[], object]
    """Opens a file dialog and imports the chosen round files."""
    join_server: Callable[[int], object]
    """Joins a server."""
    show_server: Callable[[int], object]
    """Shows a server in the server list."""


@dataclass(frozen=True)
class SkillPage:
    """A created page: its widget and the functions that update it."""

    widget: QWidget
    show_data: Callable[[SkillState | None], object]
    header_controls: QWidget | None = None
    show_round: Callable[[str], object] | None = None
    """Shows a round by its id."""
    show_sources: Callable[[], object] | None = None
    """Shows the current state of the sources."""


SkillPageFactory = Callable[[Theme, SkillServices, SkillPageCallbacks], SkillPage]


class SkillPageSpec(NamedTuple):
    """Declaration of a page.

    `works_without_own_rounds` if it has content without rounds of the user.
    """

    key: str
    icon: str
    title: str
    create: SkillPageFactory
    works_without_own_rounds: bool = False


def _create_now_page(theme: Theme, services: SkillServices, callbacks: SkillPageCallbacks) -> SkillPage:
    from browser_app.ui.skill.now.now_page import NowPage

    page = NowPage(theme, services)
    page.server_list_requested.connect(callbacks.show_server_list)
    page.sources_requested.connect(callbacks.open_sources)
    page.import_button.clicked.connect(callbacks.choose_files)
    return SkillPage(page, page.show_data, page.import_button, show_sources=page.show_sources)


def _create_over_time_page(theme: Theme, services: SkillServices, callbacks: SkillPageCallbacks) -> SkillPage:
    from browser_app.ui.skill.over_time.over_time_page import OverTimePage

    page = OverTimePage(theme, services.skill_model)
    page.status_reported.connect(callbacks.show_status)
    page.round_requested.connect(callbacks.show_round)
    return SkillPage(page, page.show_data, page.header_controls(), show_sources=page.show_sources)


def _create_rounds_page(theme: Theme, services: SkillServices, callbacks: SkillPageCallbacks) -> SkillPage:
    from browser_app.ui.skill.rounds.rounds_page import RoundsPage

    page = RoundsPage(theme, services.skill_model)
    page.status_reported.connect(callbacks.show_status)
    page.import_requested.connect(callbacks.choose_files)
    return SkillPage(page, page.show_data, page.header_controls(), page.show_round)


def _create_habits_page(theme: Theme, services: SkillServices, _callbacks: SkillPageCallbacks) -> SkillPage:
    from browser_app.ui.skill.habits.habits_page import HabitsPage

    page = HabitsPage(theme, services.skill_model)
    return SkillPage(page, page.show_data, page.header_controls())


def _create_leaderboard_page(theme: Theme, services: SkillServices, callbacks: SkillPageCallbacks) -> SkillPage:
    from browser_app.ui.skill.leaderboard.leaderboard_page import LeaderboardPage

    page = LeaderboardPage(theme, services.skill_model, services.friend_predicate)
    page.status_reported.connect(callbacks.show_status)
    return SkillPage(page, page.show_data)


def _create_systems_page(theme: Theme, services: SkillServices, callbacks: SkillPageCallbacks) -> SkillPage:  # noqa: ARG001 (all factories have one signature)
    from browser_app.ui.skill.systems.systems_page import SystemsPage

    page = SystemsPage(theme, services.skill_model)
    return SkillPage(page, page.show_data, page.header_controls())


def _create_fair_games_page(theme: Theme, services: SkillServices, callbacks: SkillPageCallbacks) -> SkillPage:
    from browser_app.ui.skill.fair_games.fair_games_page import FairGamesPage

    page = FairGamesPage(theme, services)
    page.status_reported.connect(callbacks.show_status)
    page.server_requested.connect(callbacks.show_server)
    page.join_requested.connect(callbacks.join_server)
    return SkillPage(page, page.show_data)


SKILL_PAGES: Sequence[SkillPageSpec] = (
    SkillPageSpec(NOW, "gauge", N_("Now"), _create_now_page),
    SkillPageSpec(OVER_TIME, "line", N_("Over time"), _create_over_time_page),
    SkillPageSpec(ROUNDS, "rows", N_("Rounds"), _create_rounds_page),
    SkillPageSpec(HABITS, "habit", N_("Habits"), _create_habits_page),
    SkillPageSpec(LEADERBOARD, "podium", N_("Leaderboard"), _create_leaderboard_page, works_without_own_rounds=True),
    SkillPageSpec(SYSTEMS, "scale", N_("Systems"), _create_systems_page, works_without_own_rounds=True),
    SkillPageSpec(FAIR_GAMES, "team", N_("Fair games"), _create_fair_games_page, works_without_own_rounds=True),
)
