"""Controller that joins a server: checks, countdown and launch."""

import math
from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from browser_app.bridge.game_monitor import RunningGame
from browser_app.bridge.server_search import SearchFailure
from browser_app.catalogue.server_value_text import server_name, server_numbers_text
from browser_app.engine.network.host_resolver import has_unknown_address
from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.launch.launch_arguments import GameNotInstalledError, GameStartError, LaunchError
from browser_app.ranking.play_now_choice import ExclusionReason
from browser_app.storage.setting_declarations import GAME_PROGRAMS, OWN_VERSIONS, PLAY_NOW_COUNTDOWN_S
from browser_app.ui.play.join_prompts import JoinPrompts
from browser_app.ui.play.join_request import JoinBlocker, JoinRequest, is_locked, next_blocker
from browser_app.ui.play.password_prompt import PasswordPrompt
from browser_app.ui.play.play_now_bar import PlayNowBar
from browser_app.ui.play.running_game_bar import RunningGameBar
from browser_app.ui.play.slot_wait_controller import SlotWaitController
from browser_app.ui.play.started_games import StartedGames
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_services import WindowServices

ANSWER_TIMEOUT_S = 1.0
"""How long the server's answer is awaited after the countdown."""
JOIN_ANSWER_MAX_AGE_S = 1.0
"""A server with an answer this recent is not queried again."""

_EXCLUSIONS: Mapping[JoinBlocker, ExclusionReason] = {
    JoinBlocker.CHANGED_SERVER: ExclusionReason.PASSWORD,
    JoinBlocker.VERSION: ExclusionReason.VERSION,
    JoinBlocker.ROOKIES: ExclusionReason.ROOKIE_ONLY,
    JoinBlocker.FULL: ExclusionReason.FULL,
    JoinBlocker.NO_ANSWER: ExclusionReason.NO_ANSWER,
}
"""The blockers for which Play Now chooses another server instead of asking."""


class JoinController(QObject):
    """Joins one server at a time; a new request replaces the one before.

    Signals:
        join_started: a server is being joined, and the Play Now bar is in use.
        bar_released: the Play Now bar is free again.
        choice_excluded: Play Now's choice can no longer be joined; with the `ExclusionReason`.
        join_failed: a server whose game did not start or ended at once, and whether its game cannot be started at all.
        outcome_reported: headline and sentence about the outcome.
        status_reported: text for the status bar.
        refresh_requested: a game has ended, so the list is out of date.
    """

    join_started = Signal(int)
    bar_released = Signal()
    choice_excluded = Signal(int, object)
    join_failed = Signal(int, bool)
    outcome_reported = Signal(str, str)
    status_reported = Signal(str)
    refresh_requested = Signal()

    def __init__(self, theme: Theme, window: QWidget, bar: PlayNowBar, services: WindowServices) -> None:
        super().__init__(bar)
        self._bar, self._server_list, self._services = bar, services.server_list, services
        self._request: JoinRequest | None = None
        self.prompts = JoinPrompts(theme, services.server_list.catalogue, services.launcher.password_warning)
        self.slot_wait = SlotWaitController(theme, services)
        self.passwords = PasswordPrompt(theme, window, services, self._on_password_saved)
        self.running_game_bar = RunningGameBar(theme, services.server_list.catalogue, services.game_monitor)
        self.started_games = StartedGames(services, self.prompts, self.passwords, self.running_game_bar)
        self.notification_bars = QWidget()
        """Shown above the status bar; takes no space when empty."""
        column = QVBoxLayout(self.notification_bars)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for bar_below in (self.prompts, self.slot_wait, self.running_game_bar):
            column.addWidget(bar_below.notification_bar)
        self.slot_wait.join_requested.connect(self._begin_request)
        self.running_game_bar.rejoin_requested.connect(self.join)
        self.started_games.join_failed.connect(self.join_failed)
        self.started_games.outcome_reported.connect(self.outcome_reported)
        self.started_games.status_reported.connect(self.status_reported)
        self.started_games.refresh_requested.connect(self.refresh_requested)
        bar.countdown_finished.connect(self._on_countdown_over)
        services.game_monitor.last_game_ended.connect(self.prompts.show_game_ended)

    @property
    def is_using_bar(self) -> bool:
        """Whether the Play Now bar shows a join."""
        return self._request is not None and not self.prompts.is_open

    @property
    def is_unfinished(self) -> bool:
        """Whether a join goes on, waits for an answer, or may yet save its password."""
        played = [game.server for game in self.running_games()]
        if not self.prompts.notification_bar.isHidden():
            played.append(self.running_game_bar.server)  # it may ask whether the password worked
        is_password_open = any(map(self.passwords.has_unconfirmed_password, played))
        return self._request is not None or self.prompts.is_open or is_password_open

    def join(self, server: int) -> None:
        """Join a server that the user chose.

        Does nothing if that server is already being joined.
        """
        joining = self._request.server if self._request is not None and self.is_using_bar else -1
        if server not in (-1, joining):
            self._begin_request(JoinRequest(server, self._server_list.catalogue.map[server]))

    def join_choice(self, server: int, reason: str, sentence: str, *, second_game_confirmed: bool) -> None:
        """Join a server that Play Now chose for this reason.

        `sentence` is shown during the countdown.
        """
        request = JoinRequest(server, self._server_list.catalogue.map[server], reason, sentence)
        if second_game_confirmed:
            request.confirmed_blockers.add(JoinBlocker.GAME_RUNS)
        self._begin_request(request)

    def ask_about_second_game(self, on_continue: Callable[[], object]) -> None:
        """Ask whether to start a game beside the running one.

        This comes before Play Now chooses a server.
        """
        self._drop_request()
        self.prompts.ask_about_blocker(JoinBlocker.GAME_RUNS, -1, {}, on_continue, self.cancel, self.cancel)
        self.bar_released.emit()

    def join_with_password(self, server: int) -> None:
        """Join with a password that is asked for even if one is saved."""
        if server >= 0:
            self._begin_request(JoinRequest(server, self._server_list.catalogue.map[server], ask_password=True))

    def wait_for_slot(self, server: int) -> None:
        """Wait for a slot on a full server."""
        if server < 0:
            return
        catalogue = self._server_list.catalogue
        name, numbers = server_name(catalogue, server), server_numbers_text(catalogue, server)
        if server == self.slot_wait.server:
            self._report_waiting(server)
        elif not catalogue.targets[server].is_queryable:
            self.status_reported.emit(_("“{server}” is known only from lists and is never queried").format(server=name))
        elif catalogue.is_unjoinable(server):
            self._begin_request(JoinRequest(server, catalogue.map[server], wait_for_slot=True))
        elif math.isnan(catalogue.players[server]):
            self.status_reported.emit(
                _("Cannot wait for a slot: the number of players on “{server}” is unknown").format(server=name)
            )
        else:
            text = _("No need to wait: “{server}” has a free slot ({numbers})")
            self.status_reported.emit(text.format(server=name, numbers=numbers))

    def cancel(self) -> None:
        """Cancel the join."""
        self._drop_request()
        self.bar_released.emit()

    def handle_escape(self) -> bool:
        """Close the notification or prompt; return whether there was one."""
        if self.prompts.notification_bar.isHidden():
            return False
        self.cancel()
        return True

    def rows_in_use(self) -> list[int]:
        """Return the servers that are being joined, waited for or played on."""
        joining = [] if self._request is None else [self._request.server]
        playing = [] if self.running_game_bar.server < 0 else [self.running_game_bar.server]
        return [*joining, *self.slot_wait.rows_in_use, *playing]

    def running_games(self) -> list[RunningGame]:
        """Return the running games, the newest last."""
        return self._services.game_monitor.running_games()

    @property
    def is_game_running(self) -> bool:
        """Whether a game that was started here is running."""
        return any(game.process.poll() is None for game in self.running_games())

    def watch_game(self, game: RunningGame, server: int) -> None:
        """Watch a game that was started before this window was created."""
        self._services.game_monitor.resume(game, server)

    def close(self) -> None:
        """Cancel everything."""
        self._drop_request()
        self.slot_wait.stop_waiting()
        self.started_games.close()

    def _drop_request(self) -> None:
        self._request = None
        self._services.server_recheck.close()
        self._bar.stop_countdown()
        self.prompts.close()
        self.passwords.close()

    # From the request to the launch

    def _begin_request(self, request: JoinRequest) -> None:
        self._drop_request()
        request.has_answered, request.countdown_done = None, False
        if request.password is None:
            self.passwords.discard_password(request.server)  # one typed for a join that did not happen
        if self._has_ever_answered(request):
            try:
                self._services.launcher.check_launch(request.server)
            except LaunchError as error:
                self._show_launch_error(request, error)
                return
        self._request = request
        self.join_started.emit(request.server)
        self._continue_request()

    def _continue_request(self) -> None:
        """Take the next step before the launch; called again when it is done."""
        request = self._request
        if request is None:
            return
        blocker = self._next_blocker(request)
        if not self._has_ever_answered(request) and request.has_answered is None:
            self._show_sentence(_("Contacting the server…"))
            self._query_server(request)
        elif not self._has_ever_answered(request):
            self._launch(request)  # reports why it cannot be launched
        elif self._needs_password(request) and blocker is not JoinBlocker.CHANGED_SERVER:
            self._request_password(request)
        elif blocker is not None:
            self._handle_blocker(request, blocker)
        elif not request.countdown_done:
            self._start_countdown(request)
        elif request.has_answered is None:
            self._show_sentence(_("Checking again…"))
        elif request.has_answered and self._services.server_recheck.seconds_since_check(request.server) == math.inf:
            request.has_answered = None  # a later answer, which may be forged, contradicts the check
            self._show_sentence(_("Checking again…"))
            self._query_server(request)
        else:
            self._launch(request)

    def _has_ever_answered(self, request: JoinRequest) -> bool:
        return self._server_list.catalogue.server_info(request.server) is not None

    def _next_blocker(self, request: JoinRequest) -> JoinBlocker | None:
        own_versions = self._services.settings.get(OWN_VERSIONS)
        target = self._server_list.catalogue.targets[request.server]
        is_unresponsive = request.has_answered is False and target.is_queryable
        return next_blocker(
            self._server_list.catalogue,
            request.server,
            own_versions,
            request.confirmed_blockers,
            has_changed=self._password_warning(request) not in ("", request.confirmed_changes),
            is_unresponsive=is_unresponsive,
            game_runs=self.is_game_running,
        )

    def _needs_password(self, request: JoinRequest) -> bool:
        return is_locked(self._server_list.catalogue, request.server) and request.password is None

    def _password_warning(self, request: JoinRequest) -> str:
        """Return why the saved password may be meant for another server.

        Empty if it is not sent.
        """
        return self._services.launcher.password_warning(request.server) if self._sends_saved_password(request) else ""

    def _sends_saved_password(self, request: JoinRequest) -> bool:
        """Return whether the password that was or will be taken is the saved one."""
        if not self._needs_password(request):
            return request.is_password_saved
        saved = bool(self._server_list.catalogue.password_saved[request.server])
        return saved and not request.ask_password and not self.passwords.has_link_password(request.server)

    def _request_password(self, request: JoinRequest) -> None:
        def continue_with(password: str | None, is_saved: bool) -> None:
            if password is None:
                self.cancel()
            else:
                request.password, request.is_password_saved = password, is_saved
                self._continue_request()

        catalogue, server = self._server_list.catalogue, request.server
        saved = self._sends_saved_password(request)
        self.passwords.request_password(
            server, server_name(catalogue, server), saved=saved, show=self._show_sentence, callback=continue_with
        )

    def _handle_blocker(self, request: JoinRequest, blocker: JoinBlocker) -> None:
        """Handle what blocks the join.

        Have Play Now choose another server, wait for a slot, query a full server once more, or ask.
        """
        is_full = blocker is JoinBlocker.FULL
        if request.reason and blocker in _EXCLUSIONS:
            self._drop_request()
            self.choice_excluded.emit(request.server, _EXCLUSIONS[blocker])
        elif is_full and request.server == self.slot_wait.server:
            self.cancel()
            self._report_waiting(request.server)
        elif is_full and request.wait_for_slot:
            self._drop_request()
            self.slot_wait.start_waiting(request)
            self.bar_released.emit()
        elif is_full and request.has_answered is None and not self._has_recent_answer(request):
            self._show_sentence(_("Checking again…"))
            self._query_server(request)
        else:
            self._ask_about_blocker(request, blocker)

    def _ask_about_blocker(self, request: JoinRequest, blocker: JoinBlocker) -> None:
        warning = self._password_warning(request)

        def confirm() -> None:
            if blocker is JoinBlocker.CHANGED_SERVER:
                request.confirmed_changes = warning
            else:
                request.confirmed_blockers.add(blocker)
            self._confirm_request(request)

        def choose_alternative() -> None:
            if blocker is JoinBlocker.CHANGED_SERVER:
                request.forget_saved_password()
            else:
                request.wait_for_slot = True
            self._confirm_request(request)

        self._bar.stop_countdown()
        self._services.server_recheck.close()
        own_versions = self._services.settings.get(OWN_VERSIONS)
        self.prompts.ask_about_blocker(blocker, request.server, own_versions, confirm, choose_alternative, self.cancel)
        self.bar_released.emit()

    def _confirm_request(self, request: JoinRequest) -> None:
        """Continue after the user's answer to a prompt."""
        self.prompts.close()
        if request.has_answered is None:
            request.countdown_done = False
        self._request = request
        self.join_started.emit(request.server)
        self._continue_request()

    def _start_countdown(self, request: JoinRequest) -> None:
        catalogue, server = self._server_list.catalogue, request.server
        request.has_answered = True if self._has_recent_answer(request) else None
        if request.has_answered is None:
            self._query_server(request)
        self._bar.start_countdown(
            _("Joining “{server}”").format(server=server_name(catalogue, server)),
            request.sentence or _("{numbers}.").format(numbers=server_numbers_text(catalogue, server)),
            self._services.settings.get(PLAY_NOW_COUNTDOWN_S),
        )

    def _on_countdown_over(self) -> None:
        if self._request is not None:
            self._request.countdown_done = True
            self._continue_request()

    def _has_recent_answer(self, request: JoinRequest) -> bool:
        return self._services.server_recheck.seconds_since_check(request.server) < JOIN_ANSWER_MAX_AGE_S

    def _query_server(self, request: JoinRequest) -> None:
        """Query the server again while the countdown runs."""
        target = self._server_list.catalogue.targets[request.server]
        if has_unknown_address(target):
            self._services.server_search.search_target(target, partial(self._on_found, request))
            return
        within_s = self._services.settings.get(PLAY_NOW_COUNTDOWN_S) + ANSWER_TIMEOUT_S
        self._services.server_recheck.start(
            request.server, within_s, lambda answered: self._on_answer(request, answered=answered)
        )

    def _on_found(self, request: JoinRequest, found: int | SearchFailure) -> None:
        """Continue with a server that was searched for by its host name."""
        if isinstance(found, int):
            request.server = found
        self._on_answer(request, answered=self._has_ever_answered(request))

    def _on_answer(self, request: JoinRequest, *, answered: bool) -> None:
        if self._request is not request:
            return
        request.has_answered = answered
        current_map = self._server_list.catalogue.map[request.server]
        if answered and request.map and current_map not in ("", request.map):
            request.notice = _("The map is now {map}.").format(map=current_map)
        if not self._bar.is_counting_down:
            self._continue_request()
        elif self._needs_password(request) or self._next_blocker(request) is not None:
            self._bar.stop_countdown()
            self._continue_request()
        elif request.notice:
            self._bar.add_notice(request.notice)

    def _launch(self, request: JoinRequest) -> None:
        try:
            process = self._services.launcher.launch(request.server, request.reason, request.password)
        except LaunchError as error:
            self._drop_request()
            self._show_launch_error(request, error)
            return
        if request.is_password_saved:
            self._services.launcher.accept_server(request.server)
        self._drop_request()
        self.slot_wait.stop_waiting()
        self.started_games.game_started(request, process)
        self._server_list.rescore()

    def _show_launch_error(self, request: JoinRequest, error: LaunchError) -> None:
        self.join_failed.emit(request.server, isinstance(error, GameNotInstalledError | GameStartError))
        self.bar_released.emit()
        if isinstance(error, GameNotInstalledError):
            game = error.game
            self.outcome_reported.emit(error.headline, "")
            self.prompts.show_missing_game(error, lambda: self._choose_program(request, game))
        else:
            self.outcome_reported.emit(_("Could not start"), _("{problem}.").format(problem=error))

    def _choose_program(self, request: JoinRequest, game: GameProfile) -> None:
        dialog = QFileDialog(self._bar.window(), _("Program of {game}").format(game=game.name))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda file: self._use_program(request, game, file))
        dialog.open()

    def _use_program(self, request: JoinRequest, game: GameProfile, file: str) -> None:
        """Store the program in the settings and begin the join again."""
        programs = self._services.settings.get(GAME_PROGRAMS)
        self._services.settings.set(GAME_PROGRAMS, {**programs, game.id: file})
        self._begin_request(request)

    def _report_waiting(self, server: int) -> None:
        name = server_name(self._server_list.catalogue, server)
        self.status_reported.emit(_("Already waiting for a slot on “{server}”").format(server=name))

    def _show_sentence(self, sentence: str) -> None:
        if self._request is not None:
            name = server_name(self._server_list.catalogue, self._request.server)
            self._bar.show_busy(_("Joining “{server}”").format(server=name), sentence)

    def _on_password_saved(self, server: int) -> None:
        self._services.launcher.notify_lists_changed()
        name = server_name(self._server_list.catalogue, server)
        self.status_reported.emit(_("The password for “{server}” was saved to the keyring").format(server=name))
