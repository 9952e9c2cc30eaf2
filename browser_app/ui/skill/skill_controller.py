"""The controller that owns the My Skill view and its dialogs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.bridge.skill.skill_backend import SkillBackend
from browser_app.games.game_profile import GameProfile
from browser_app.storage.own_skill.skill_sample_store import IdentityStore
from browser_app.storage.ui_state import UiState
from browser_app.storage.user_lists.friend_store import FriendStore
from browser_app.ui.skill.fair_games.expected_change_panel import ExpectedChangeController, ExpectedChangePanel
from browser_app.ui.skill.plot_preloader import PlotPreloader
from browser_app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from browser_app.ui.skill.identity.identity_controller import IdentityController, RecordPlayers
    from browser_app.ui.skill.skill_pages import SkillServices
    from browser_app.ui.skill.sources.skill_sources_controller import SkillSourcesController
    from browser_app.ui.skill.view.skill_view import SkillView


@dataclass(frozen=True)
class SkillDependencies:
    """What My Skill needs from outside."""

    backend: SkillBackend
    server_list: ServerListController
    games: Mapping[str, GameProfile]
    identities: IdentityStore
    friends: FriendStore
    settings: LiveSettings
    background: BackgroundTasks
    ui_state: UiState


class SkillController(QObject):
    """Owns the view, its dialogs and the predictions of games.

    Each is created, and its code imported, when it is first used, so that the window appears sooner.

    Signals:
        status_reported: text for the status bar.
        change_reported: text about a change, and a function that undoes it.
        undo_requested: Ctrl+Z was pressed in a dialog.
        server_list_requested: id of a game whose servers to show by their distance to the user's skill.
        own_skill_changed: the user's skill may be known in other games.
    """

    status_reported = Signal(str)
    change_reported = Signal(str, object)
    undo_requested = Signal()
    server_list_requested = Signal(str)
    own_skill_changed = Signal()

    def __init__(self, theme: Theme, dependencies: SkillDependencies, expected_change: ExpectedChangePanel) -> None:
        """`expected_change` shows the expected rating change on the selected server."""
        super().__init__()
        self._theme, self._dependencies, self._expected_change = theme, dependencies, expected_change
        self._backend = dependencies.backend
        self._skill_model = skill_model = dependencies.backend.model
        self._game_titles = {game: profile.name for game, profile in dependencies.games.items()}
        self._selected_server = -1
        self._expected_change_controller: ExpectedChangeController | None = None
        self._pending_problems: list[str] = []
        self._plot_preloader = PlotPreloader()
        dependencies.server_list.running_changed.connect(lambda running: None if running else skill_model.open())
        skill_model.own_skill_changed.connect(self.own_skill_changed)
        skill_model.changed.connect(lambda: self._start_expected_change() if skill_model.game else None)
        skill_model.status_reported.connect(self.status_reported)
        skill_model.error_reported.connect(self._store_problem)

    @cached_property
    def _services(self) -> "SkillServices":
        from browser_app.ui.skill.skill_pages import SkillServices

        parts = self._dependencies
        return SkillServices(
            skill_model=self._skill_model,
            server_list=parts.server_list,
            games=parts.games,
            ui_state=parts.ui_state,
            identities=self._backend.identities,
            friend_predicate=parts.friends.create_player_predicate,
            source_states=self._backend.source_states,
            open_identities=self.identity_controller.open,
            open_sources=self.sources_controller.open,
        )

    @cached_property
    def view(self) -> "SkillView":
        """The view; errors from before its creation are shown in it."""
        from browser_app.ui.skill.sources.column_map_controller import ColumnMapController
        from browser_app.ui.skill.view.skill_view import SkillView

        self._start_expected_change()
        view = SkillView(self._theme, self._services)
        ColumnMapController(self._theme, self._skill_model, self._dependencies.ui_state, view).table_skipped.connect(
            view.problem_bar.add_problem
        )
        self._skill_model.changed.connect(self._preload_plots)
        self._preload_plots()
        self._skill_model.status_reported.disconnect(self.status_reported)
        self._skill_model.error_reported.disconnect(self._store_problem)
        for words in self._pending_problems:
            view.problem_bar.add_problem(words)
        view.status_reported.connect(self.status_reported)
        view.server_list_requested.connect(self.server_list_requested)
        for changed in (self._backend.service_poller.changed, self._backend.folder_watcher.changed):
            changed.connect(view.show_sources)
        self._backend.folder_watcher.changed.connect(
            lambda: view.unmapped_tables_bar.show_tables(self._backend.folder_watcher.unmapped_tables)
        )
        self.identity_controller.identities_changed.connect(view.show_identities)
        self.sources_controller.import_requested.connect(view.choose_files)
        self.sources_controller.column_mapping_requested.connect(self._skill_model.import_paths)
        self.sources_controller.identity_requested.connect(view.open_identities)
        return view

    @cached_property
    def identity_controller(self) -> "IdentityController":
        """The controller of the user's identities."""
        from browser_app.ui.skill.identity.identity_controller import IdentityController

        parts = self._dependencies
        controller = IdentityController(
            self._theme,
            parts.identities,
            self._backend.service_poller,
            parts.background,
            self._game_titles,
            parts.ui_state,
            self._query_record_players,
        )
        controller.identities_changed.connect(self._skill_model.refresh)
        controller.change_reported.connect(self.change_reported)
        controller.undo_requested.connect(self.undo_requested)
        return controller

    @cached_property
    def sources_controller(self) -> "SkillSourcesController":
        """The controller of the skill sources dialog."""
        from browser_app.ui.skill.sources.skill_sources_controller import SkillSourcesController

        parts, backend = self._dependencies, self._backend
        controller = SkillSourcesController(
            self._theme,
            parts.settings,
            backend.service_poller,
            backend.folder_watcher,
            backend.importer,
            backend.source_states,
            parts.background,
            self._game_titles,
            parts.ui_state,
        )
        controller.change_reported.connect(self.change_reported)
        controller.undo_requested.connect(self.undo_requested)
        return controller

    @property
    def games_with_own_skill(self) -> list[str]:
        """Names of the games in which the list uses the user's skill."""
        return sorted(self._game_titles.get(game, game) for game in self._skill_model.own_skill_by_game())

    def select_server(self, server: int) -> None:
        """Set the server selected in the list, -1 for none."""
        self._selected_server = server
        if self._expected_change_controller is not None:
            self._show_selected_server(self._expected_change_controller)

    def close(self) -> None:
        """Stop background work."""
        self._plot_preloader.close()
        if self._expected_change_controller is not None:
            self._expected_change_controller.close()

    def _preload_plots(self) -> None:
        """Import the plot library once the view has data.

        Its pages are likely to be opened.
        """
        if self._skill_model.state is not None:
            self._plot_preloader.schedule()

    def _start_expected_change(self) -> None:
        if self._expected_change_controller is None:
            predictor = self._services.game_predictor
            self._expected_change_controller = ExpectedChangeController(
                self._expected_change, self._dependencies.server_list, predictor
            )
            self._show_selected_server(self._expected_change_controller)

    def _show_selected_server(self, controller: ExpectedChangeController) -> None:
        """Follow the list's selection in the inspector and on the pages."""
        self._services.game_predictor.select_server(self._selected_server)
        controller.show_server(self._selected_server)

    def _store_problem(self, words: str) -> None:
        self._pending_problems.append(words)
        self.status_reported.emit(words)

    def _query_record_players(self, game: str, callback: "Callable[[RecordPlayers], object]") -> None:
        """Load the players of a record, which is possible only for the game that is shown."""
        if game == self._skill_model.game:
            self._skill_model.queries.request_players(callback)
