"""Components behind the window and the services made from them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Protocol, Self, TypeVar

from browser_app.application.app_context import AppContext, WindowOptions
from browser_app.application.own_skill.skill_state import OwnSkillSource
from browser_app.application.poll_session import QueryService
from browser_app.application.refresh_queries import RefreshQueries
from browser_app.application.scoring_context import GameSelection, ScoringContext, create_catalogue, same_skill
from browser_app.application.server_launcher import ServerLauncher
from browser_app.application.source_selection import enabled_master_urls, select_sources
from browser_app.bridge.alerts.alert_monitor import AlertMonitor
from browser_app.bridge.alerts.desktop_notifications import DesktopNotifier
from browser_app.bridge.alerts.filter_monitor import FilterMonitor
from browser_app.bridge.alerts.player_monitor import PlayerMonitor
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.game_monitor import GameMonitor
from browser_app.bridge.installed_games_monitor import InstalledGamesMonitor
from browser_app.bridge.join_queries import ServerRecheck, SlotMonitorRunner
from browser_app.bridge.list_refresher import ListRefresher
from browser_app.bridge.live_settings import LiveSettings, SteamKeyController
from browser_app.bridge.master_health import MasterHealthMonitor
from browser_app.bridge.play_now_runner import PlayNowRunner
from browser_app.bridge.sample_recorder import SampleRecorder, SampleSeriesReader
from browser_app.bridge.saved_server_sync import SavedServerSync
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.bridge.server_search import LanSearch, ServerSearch
from browser_app.bridge.skill.skill_backend import SkillBackend
from browser_app.bridge.steam_game_search import SteamGameSearch
from browser_app.bridge.user_list_updater import UserListUpdater
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.server_poll import ServerPoll
from browser_app.protocols.address import Address
from browser_app.protocols.code_pages import parse_server_code_pages
from browser_app.storage.server_samples import ROWS_PER_MEGABYTE
from browser_app.storage.setting_declarations import CODE_PAGES, MAX_HISTORY_MB, QUERY_ON_REQUEST
from browser_app.ui.skill.skill_controller import SkillDependencies
from browser_app.ui.window_services import WindowServices


class _Closable(Protocol):
    def close(self) -> object: ...


_Component = TypeVar("_Component", bound=_Closable)


class WindowBackend:
    """Components behind a window.

    Use as a context manager: leaving it closes and saves them in reverse order.
    """

    def __init__(self, options: WindowOptions, context: AppContext, catalogue: Catalogue | None = None) -> None:
        """Create the components; nothing is queried yet.

        `catalogue` is that of an earlier window which this one continues.

        Raises:
            UsageError: a source is wrong.
        """
        self.games, self.is_demo = context.games, options.sources.is_demo
        self._exit_stack = ExitStack()
        with ExitStack() as stack_on_error:
            stack_on_error.push(self._exit_stack)
            self._open_storage(options, context)
            self._create_scoring(options, context, catalogue)
            self._create_server_list()
            self._create_services()
            stack_on_error.pop_all()

    def close_on_exit(self, component: _Component) -> _Component:
        """Return the component; it will be closed with the others."""
        self.call_on_exit(component.close)
        return component

    def call_on_exit(self, work: Callable[[], object]) -> None:
        """Call `work` on exit, before anything that was registered earlier."""
        self._exit_stack.callback(work)

    def _open_storage(self, options: WindowOptions, context: AppContext) -> None:
        self.storage = self._exit_stack.enter_context(context.open_storage(demo=self.is_demo))
        sources = self._exit_stack.enter_context(
            select_sources(options.sources, context, self.storage, finds_games=False)
        )
        self.background = self.close_on_exit(BackgroundTasks())
        self.settings = self.close_on_exit(LiveSettings(self.storage.settings, self.background))
        self.scanner = self._exit_stack.enter_context(Scanner(context.games, code_pages=self.code_pages))
        self.query_service = QueryService(self.storage, sources, self.scanner, context.games, demo=self.is_demo)
        self.game_finder = sources.game_finder(context.games, self.storage.settings)

    def _create_scoring(self, options: WindowOptions, context: AppContext, catalogue: Catalogue | None) -> None:
        demo = self.query_service.selected.demo
        player = demo.player if demo else None
        self.skill_backend = self.close_on_exit(
            SkillBackend(
                self.storage,
                self.settings,
                context.games,
                self.storage.own_skill,
                self.query_service.steam_key,
                player,
            )
        )
        if catalogue is None:
            catalogue = create_catalogue(self.games, self.storage, demo.countries if demo else None)
        self.catalogue = catalogue
        self.shown_games = GameSelection(
            self.storage.settings, self.catalogue, lambda: self.query_service.selected.from_settings or self.is_demo
        )
        self._is_skill_given = options.own_skill is not None
        own_skill = (
            self.skill_backend.model.own_skill_by_game
            if options.own_skill is None
            else same_skill(options.own_skill, self.games)
        )
        self.scoring = ScoringContext(
            context.presets,
            options.preset,
            self.storage,
            own_skill,
            self.catalogue,
            self.shown_games,
            options.sources.games,
        )

    def code_pages(self) -> Mapping[Address, str]:
        """Return the code pages of servers' texts that the user has set, by address."""
        return parse_server_code_pages(self.storage.settings.get(CODE_PAGES))

    def own_skill_source(self, game: str) -> OwnSkillSource | None:
        """Return where a game's own skill comes from.

        A skill from the command line counts as entered.
        """
        if self._is_skill_given:
            return "entered"
        skill = self.skill_backend.model.own_skill(game)
        return None if skill is None else skill.source

    def _create_server_list(self) -> None:
        self.server_launcher = ServerLauncher(self.catalogue, self.game_finder, self.storage)
        scoring = self.scoring
        self.server_list = self.close_on_exit(
            ServerListController(
                self.catalogue,
                self._start_poll,
                self.query_service.query_server,
                lambda: scoring.own_skill,
                lambda: scoring.preset,
                lambda: self.settings.get(QUERY_ON_REQUEST),
            )
        )
        if self.query_service.selected.from_settings:
            enabled = enabled_master_urls(self.games, self.storage.settings)
            self.server_list.listing_updater.enable_sources(enabled)
        self.installed_games = InstalledGamesMonitor(self.catalogue, self.game_finder.find_all, self.background)
        self.installed_games.changed.connect(self.server_list.rescore)
        queries = RefreshQueries(self.query_service, self.scanner, self.shown_games)
        self.list_refresher = self.close_on_exit(ListRefresher(self.server_list, queries, self.settings))
        self.user_lists = UserListUpdater(self.storage, self.server_list, self.server_launcher.notify_lists_changed)
        self.saved_server_sync = SavedServerSync(self.server_list, self.storage.database)

    def _create_services(self) -> None:
        self.play_now = PlayNowRunner(self.server_list, self.scanner, self.query_service.pace)
        self.lan_search = self.close_on_exit(
            LanSearch(lambda: self.query_service.lan_source(self.catalogue.installed_games or ()))
        )
        demo = self.query_service.selected.demo
        past = demo.server_history if demo else None
        self.sample_recorder = self.close_on_exit(
            SampleRecorder(self.server_list, self.storage.server_samples, self._max_samples, past)
        )
        self.sample_recorder.history_changed.connect(self.user_lists.expire_recently_left)
        self.server_search = self.close_on_exit(ServerSearch(self.server_list, self.scanner, self.games))
        self.master_health = self.close_on_exit(
            MasterHealthMonitor(
                self.server_list,
                self.storage.ui_state,
                self.background,
                self.games,
                self.query_service.steam_key,
                lambda: self.query_service.selected.unpolled_masters,
                self.list_refresher.poll_master,
            )
        )
        self.list_refresher.master_poll_cancelled.connect(self.master_health.forget_requests)

    def _start_poll(self, known: Sequence[QueryTarget]) -> ServerPoll:
        self.user_lists.refresh_marks()  # "recently left" expires
        return self.query_service.start_poll(self.shown_games.targets_to_query(known))

    def _max_samples(self) -> int:
        return round(self.storage.settings.get(MAX_HISTORY_MB) * ROWS_PER_MEGABYTE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._exit_stack.close()


def create_window_services(backend: WindowBackend) -> WindowServices:
    """Return the services that the window and its controllers use."""
    storage, server_list, scoring = backend.storage, backend.server_list, backend.scoring
    steam_key = SteamKeyController(storage.secrets, backend.background)
    steam_key.changed.connect(lambda: backend.skill_backend.service_poller.sample(now=True))
    return WindowServices(
        storage=storage,
        settings=backend.settings,
        server_list=server_list,
        list_refresher=backend.list_refresher,
        games=backend.games,
        background=backend.background,
        lan_search=backend.lan_search,
        server_search=backend.server_search,
        sample_recorder=backend.sample_recorder,
        series_reader=SampleSeriesReader(storage.server_samples, backend.background),
        own_skill=lambda: scoring.own_skill,
        own_skill_source=backend.own_skill_source,
        preset=lambda: scoring.preset,
        user_lists=backend.user_lists,
        play_now=backend.play_now,
        play_options=scoring.play_options,
        launcher=backend.server_launcher,
        server_recheck=ServerRecheck(server_list, backend.scanner),
        slot_monitor=SlotMonitorRunner(server_list, backend.scanner),
        game_monitor=GameMonitor(server_list),
        steam_game_search=SteamGameSearch(backend.background, backend.games),
        alert_monitor=AlertMonitor(server_list, storage.alerts),
        player_monitor=PlayerMonitor(server_list, backend.settings, storage.search_alerts),
        filter_monitor=FilterMonitor(
            server_list, storage.search_alerts, storage.saved_filters, backend.shown_games.rows_to_query
        ),
        notifications=DesktopNotifier(backend.background),
        steam_key=steam_key,
        master_health=backend.master_health,
        skill_services=_skill_services(backend),
    )


def _skill_services(backend: WindowBackend) -> SkillDependencies:
    return SkillDependencies(
        backend=backend.skill_backend,
        server_list=backend.server_list,
        games=backend.games,
        identities=backend.storage.identities,
        friends=backend.storage.friends,
        settings=backend.settings,
        background=backend.background,
        ui_state=backend.storage.ui_state,
    )
