"""Started games: pauses queries while one runs, and notices its end."""

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.steam_game_search import GameSearch
from browser_app.catalogue.server_value_text import server_name
from browser_app.language import gettext as _
from browser_app.storage.setting_declarations import PAUSE_IN_GAME
from browser_app.storage.user_lists.visit_history_store import EARLY_EXIT_S
from browser_app.ui.play.join_prompts import JoinPrompts
from browser_app.ui.play.join_request import JoinRequest
from browser_app.ui.play.password_prompt import PasswordPrompt
from browser_app.ui.play.running_game_bar import LastGame, RunningGameBar
from browser_app.ui.widgets.value_text import join_sentences
from browser_app.ui.window_services import WindowServices

if TYPE_CHECKING:
    from subprocess import Popen


class StartedGames(QObject):
    """Watches started games.

    Signals:
        join_failed, outcome_reported, status_reported, refresh_requested: as those of `JoinController`.
    """

    join_failed = Signal(int, bool)
    outcome_reported = Signal(str, str)
    status_reported = Signal(str)
    refresh_requested = Signal()

    def __init__(
        self,
        services: WindowServices,
        prompts: JoinPrompts,
        passwords: PasswordPrompt,
        running_game_bar: RunningGameBar,
    ) -> None:
        super().__init__(services.server_list)
        self._running_game_bar = running_game_bar
        self._server_list, self._services = services.server_list, services
        self._prompts, self._passwords = prompts, passwords
        services.game_monitor.first_game_started.connect(self._pause_queries)
        services.game_monitor.last_game_ended.connect(self._resume_queries)
        services.game_monitor.game_ended.connect(self._on_game_ended)
        services.game_monitor.join_confirmed.connect(passwords.confirm_password)
        services.settings.changed.connect(self._on_setting_changed)
        services.steam_game_search.game_found.connect(services.game_monitor.add)
        services.steam_game_search.search_failed.connect(running_game_bar.show_search_failure)

    @property
    def search(self) -> GameSearch | None:
        """The search for a game that a link has started, if there is one."""
        return self._services.steam_game_search.current

    def resume_search(self, search: GameSearch) -> None:
        """Continue the search of a window that this one replaces."""
        self._services.steam_game_search.resume(search)

    def game_started(self, request: JoinRequest, process: "Popen[bytes] | None") -> None:
        """Watch a game that was started for a server.

        `process` is None if it cannot be watched.
        """
        name = server_name(self._server_list.catalogue, request.server)
        text = request.notice or _("The game is starting.")
        if process is not None:
            self._services.game_monitor.add(process, request.server)
        else:
            game = LastGame(request.server, time.time(), None, is_searched=self._search_game(request.server))
            text = join_sentences(game.start_text, request.notice)
            self._running_game_bar.show_last_game(game)
            if self._passwords.has_unconfirmed_password(request.server):
                self._ask_about_password(request.server)
        self.outcome_reported.emit(_("Game started: {server}").format(server=name), text)

    def close(self) -> None:
        """Stop watching; the games run on."""
        self._services.steam_game_search.close()
        self._services.game_monitor.close()

    def _search_game(self, server: int) -> bool:
        """Look for the game that a link starts; return whether it can be found."""
        info = self._server_list.catalogue.server_info(server)
        return info is not None and self._services.steam_game_search.start(server, info.connect, info.game)

    def _ask_about_password(self, server: int) -> None:
        passwords = self._passwords
        self._prompts.ask_to_save_password(
            server, lambda: passwords.confirm_password(server), lambda: passwords.discard_password(server)
        )

    def _on_game_ended(self, server: int, ran_s: float, status: int) -> None:
        self._passwords.discard_password(server)  # it would have been saved by now
        self._services.launcher.record_visit_end(server)
        self._server_list.rescore()
        if ran_s < EARLY_EXIT_S:
            name = server_name(self._server_list.catalogue, server)
            text = _("It ran for {s} s.") if not status else _("It exited after {s} s with status {status}.")
            self.join_failed.emit(server, False)
            self.outcome_reported.emit(
                _("Game exited early: {server}").format(server=name),
                text.format(s=round(ran_s), status=status),
            )

    def _on_setting_changed(self, key: str) -> None:
        if key == PAUSE_IN_GAME.key and self._services.game_monitor.is_running:
            if self._services.settings.get(PAUSE_IN_GAME):
                self._pause_queries()
            else:
                self._resume_queries()

    def _pause_queries(self) -> None:
        if self._services.settings.get(PAUSE_IN_GAME):
            self._server_list.pause()
            self.status_reported.emit(_("Refresh paused while the game runs"))

    def _resume_queries(self) -> None:
        if self._server_list.is_paused:
            self._server_list.resume()
            self.refresh_requested.emit()
