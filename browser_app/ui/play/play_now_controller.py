"""Controller of Play Now, with suggestions when no server fits."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QPoint, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from browser_app.catalogue.server_value_text import server_name
from browser_app.engine.catalogue_snapshot import (
    CatalogueSnapshot,
    FilterRule,
    PlayOptions,
    build_scored_snapshot,
    build_snapshot,
)
from browser_app.engine.play_now_run import (
    NoEligibleServer,
    PlayNowOutcome,
    RetryStarted,
    VerificationFinished,
    VerificationStarted,
)
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ranking.play_now_choice import (
    ExclusionReason,
    PlayNowChoice,
    choose_servers,
    format_choice_reasons,
)
from browser_app.storage.setting_declarations import GAME_PROGRAMS
from browser_app.ui.play import play_now_texts
from browser_app.ui.play.filter_relaxation import FilterRelaxation, best_relaxation
from browser_app.ui.play.join_controller import JoinController
from browser_app.ui.play.play_now_bar import PlayNowBar, PlayNowState
from browser_app.ui.play.play_now_popover import PlayNowPopover, VerificationStep
from browser_app.ui.play.play_now_scope import FAILURE_SKIP_S, SKIP_DURATION_S, PlayNowScope, SkippedServers
from browser_app.ui.servers.list_status_text import outage_headline
from browser_app.ui.servers.server_order import ServerOrder
from browser_app.ui.servers.server_table import ServerTableView
from browser_app.ui.widgets.basic_widgets import mirrored_rect
from browser_app.ui.widgets.value_text import capitalise, join_sentences
from browser_app.ui.window_services import WindowServices

NOTICE_MS = 8000
"""How long an outcome is shown before the next choice; Play Now can be pressed meanwhile."""
CHOICE_REFRESH_MS = 150


class PlayNowController(QObject):
    """Joins bar, popover and runner.

    Chooses among the servers that `order` shows, or of the scope in the settings. `join_controller` launches the game,
    and uses the bar while it does.

    Signals:
        filter_requested: show the list with this filter.
        all_servers_requested: show the list of all servers without filters.
    """

    filter_requested = Signal(str)
    all_servers_requested = Signal()

    def __init__(
        self,
        bar: PlayNowBar,
        popover: PlayNowPopover,
        table: ServerTableView,
        order: ServerOrder,
        services: WindowServices,
        join_controller: JoinController,
    ) -> None:
        super().__init__(bar)
        self._bar, self._popover, self._table = bar, popover, table
        self._server_list, self._runner = services.server_list, services.play_now
        self._catalogue, self._join_controller = services.server_list.catalogue, join_controller
        self.scope = PlayNowScope(services, order)
        self._skipped = SkippedServers()
        self._run_options = PlayOptions()
        self._change_text = ""
        """Why the run chooses another server than the one before, as a sentence."""
        self._attempt: NoEligibleServer | RetryStarted | None = None
        """The step of the run if it has found no server yet."""
        self._second_game_confirmed = False
        """Whether the run may start a game beside one that was running when it began."""
        self._has_choice_failed = False
        self._relaxation: FilterRelaxation | None = None
        self._next_options: PlayOptions | None = None
        self._notice_timer = QTimer(self, singleShot=True, interval=NOTICE_MS)
        self._notice_timer.timeout.connect(self.refresh)
        # In an event of its own: scoring, sorting and choosing at once would delay a frame.
        self._refresh_timer = QTimer(self, singleShot=True, interval=CHOICE_REFRESH_MS)
        self._refresh_timer.timeout.connect(self.refresh)
        self.current_choice = -1
        """The server that a press would choose, -1 for none."""
        self._joined_choice = -1
        """The server that Play Now joined last, -1 for none."""
        self._connect(order, services)
        self.refresh()

    def _connect(self, order: ServerOrder, services: WindowServices) -> None:
        self._bar.play_requested.connect(self._on_play_requested)
        self._bar.cancel_requested.connect(self.cancel)
        self._bar.action_requested.connect(self.all_servers_requested)
        self._popover.suggestion_accepted.connect(self._apply_suggestion)
        self._popover.stop_requested.connect(self.cancel)
        joining = self._join_controller
        joining.join_started.connect(self._on_join_started)
        joining.join_failed.connect(self._on_join_failed)
        joining.choice_excluded.connect(self._on_choice_excluded)
        joining.bar_released.connect(self.refresh)
        joining.outcome_reported.connect(self.show_notice)
        self._runner.step_reached.connect(self._show_step)
        self._runner.run_finished.connect(self._on_run_ended)
        self._server_list.rescored.connect(self._refresh_soon)
        order.order_changed.connect(self._refresh_soon)
        services.settings.changed.connect(self._on_setting_changed)

    def _refresh_soon(self) -> None:
        if not self._refresh_timer.isActive():
            self._refresh_timer.start()

    def refresh(self) -> None:
        """Show the current choice."""
        if self._runner.is_choosing:
            self._show_attempt()
            return
        if self._join_controller.is_using_bar or self._notice_timer.isActive():
            return
        self._popover.hide()
        snapshot, choice = self._choose()
        if self.current_choice >= 0:
            name = server_name(self._catalogue, self.current_choice)
            games = play_now_texts.game_texts(self._catalogue, self.current_choice)
            self._bar.show_choice(name, games, self._choice_sentences(snapshot, choice))
        else:
            self._show_nothing_eligible(snapshot, choice)

    def _choice_sentences(self, snapshot: CatalogueSnapshot, choice: PlayNowChoice) -> list[str]:
        """Return what the choice is the best of and why, then shorter sentences.

        The least important points are left out first, the figures before the last point.
        """
        figures, *points = snapshot.explain_choice(self.current_choice)
        fewer = [tuple(points[:count]) for count in range(len(points), 0, -1)]
        whole = format_choice_reasons((figures, *points), _)
        with_figures = [format_choice_reasons((figures, *some), _) for some in fewer] or [whole]
        eligible, servers = len(choice.ranked) or len(choice.fallback), int(np.count_nonzero(snapshot.in_scope))
        passed_over = play_now_texts.passed_over_text(self._catalogue, snapshot, choice, self.current_choice)
        best_of = partial(self.scope.choice_text, eligible, servers)
        return [
            join_sentences(best_of(whole), passed_over),
            *(best_of(text) for text in with_figures),
            *(capitalise(text) for text in with_figures),
            *(capitalise(format_choice_reasons(some, _)) for some in fewer),
        ]

    def _choose(self) -> tuple[CatalogueSnapshot, PlayNowChoice]:
        """Make the choice of the next press, and mark it in the table."""
        snapshot = build_scored_snapshot(self._catalogue, self._current_options())
        choice = choose_servers(snapshot.candidates)
        usable = choice.ranked if len(choice.ranked) else choice.fallback
        self.current_choice = int(usable[0]) if len(usable) else -1
        self._table.set_play_now_choice(self.current_choice)
        return snapshot, choice

    def _show_nothing_eligible(self, snapshot: CatalogueSnapshot, choice: PlayNowChoice) -> None:
        played = ~snapshot.filtered[FilterRule.OTHER_GAME]
        if not len(snapshot.targets):
            self._show_no_servers()
        elif played.any() and snapshot.candidates.not_installed[played].all():
            games = play_now_texts.games_to_install_text(self._catalogue, played)
            self._bar.show_nothing(_("None of your games is installed"), games)
        elif self._server_list.is_loading or (self._server_list.is_running and self._catalogue.saved.any()):
            self._bar.show_nothing(_("No suitable server yet"), _("Waiting for more answers."))
        else:
            exclusions = play_now_texts.exclusions_in_scope(self._catalogue, snapshot, choice)
            self._bar.show_nothing(
                self.scope.nothing_text(int(np.count_nonzero(snapshot.in_scope))),
                play_now_texts.exclusions_text(exclusions) or self.scope.source_text(),
                _("Show all") if self._can_widen_list() else "",
            )

    def _show_no_servers(self) -> None:
        outage = self._server_list.outage
        if outage is not None:
            self._bar.show_nothing(outage_headline(outage), _("Play Now chooses when servers are known."))
        elif self._server_list.is_running or self._server_list.is_loading:
            self._bar.show_nothing(_("No servers yet"), _("Waiting for the first answers."))
        else:
            self._bar.show_nothing(_("No servers"), _("Play Now chooses when servers are known."))

    def _can_widen_list(self) -> bool:
        """Return whether the list on screen leaves out servers that could be chosen."""
        if self.scope.filter_name:
            return False
        options = replace(self._current_options(), scope=self.scope.all_servers())
        choice = choose_servers(build_scored_snapshot(self._catalogue, options).candidates)
        return bool(len(choice.ranked) or len(choice.fallback))

    def skip_server(self, server: int) -> None:
        """Do not choose a server for an hour."""
        self._skipped.skip_server(self._catalogue.targets[server].address, SKIP_DURATION_S)
        self._notice_timer.stop()
        self.refresh()

    def show_notice(self, headline: str, sentence: str) -> None:
        """Show an outcome for a few seconds, unless something newer is going on."""
        if self._runner.is_choosing or self._join_controller.is_using_bar:
            return
        self._popover.hide()
        self._choose()
        if self._has_choice_failed and self.current_choice >= 0:
            sentence = join_sentences(sentence, play_now_texts.next_best_text(self._catalogue, self.current_choice))
        self._has_choice_failed = False
        self._bar.show_notice(headline, sentence, can_play=self.current_choice >= 0)
        self._notice_timer.start()

    def close(self) -> None:
        """Cancel everything."""
        self._notice_timer.stop()
        self._refresh_timer.stop()
        self._runner.close()

    def _current_options(self) -> PlayOptions:
        return self._skipped.apply_to(self.scope.options())

    def _on_play_requested(self) -> None:
        """Start a run, after a question if a game is running.

        Asking first means that nothing is queried for an answer of no.
        """

        def start(*, second_game: bool) -> None:
            self._second_game_confirmed = second_game
            self._start(self._skipped.apply_to(self.scope.run_options()))

        if self._join_controller.is_game_running:
            self._join_controller.ask_about_second_game(lambda: start(second_game=True))
        else:
            start(second_game=False)

    def _start(self, options: PlayOptions, change_text: str = "") -> None:
        """Start a run; `change_text` is the reason why it replaces an earlier one."""
        self._notice_timer.stop()
        self._join_controller.cancel()
        self._change_text = change_text
        self._bar.show_busy(_("Checking again…"), change_text or _("The game starts after this check."))
        self._run_options, self._attempt = options, None
        self._runner.start(options)

    def _apply_suggestion(self) -> None:
        """Cancel the run; start one with the relaxed options, or show the filtered list."""
        if self._relaxation is None:
            return
        if self._relaxation.url:
            QDesktopServices.openUrl(QUrl(self._relaxation.url))
        elif self._relaxation.options is None:
            self.filter_requested.emit(self._relaxation.list_filter)
        self.cancel()
        self._next_options = self._relaxation.options

    def cancel(self) -> None:
        """Cancel run and join: a run that was replaced by a join may not have ended yet."""
        self._end_run()
        self._join_controller.cancel()

    def _end_run(self) -> None:
        self._next_options = None
        self._popover.hide()
        self._runner.cancel()

    def _on_join_started(self, server: int) -> None:
        """Cancel the run, because a server is being joined."""
        self._notice_timer.stop()
        self._table.set_play_now_choice(server)
        self._end_run()

    def _on_join_failed(self, server: int, is_game_unusable: bool) -> None:
        """Leave out what failed for a while.

        The outcome, reported next, names the next best server.
        """
        self._has_choice_failed = server in (self.current_choice, self._joined_choice)
        if is_game_unusable:
            self._skipped.skip_game(self._catalogue.game[server], FAILURE_SKIP_S)
        else:
            self._skipped.skip_server(self._catalogue.targets[server].address, FAILURE_SKIP_S)

    def _on_choice_excluded(self, server: int, reason: ExclusionReason) -> None:
        """Choose another server in place of one that changed after its verification."""
        address = self._catalogue.targets[server].address
        self._skipped.skip_server(address, FAILURE_SKIP_S)
        skipped = self._run_options.skipped_addresses | {address}
        change_text = play_now_texts.exclusion_sentence(self._catalogue, server, reason)
        self._start(replace(self._run_options, skipped_addresses=skipped), change_text)

    def _on_setting_changed(self, key: str) -> None:
        if key == GAME_PROGRAMS.key:
            self._skipped.clear_games()

    def _show_step(self, step: object) -> None:
        if self._join_controller.is_using_bar:  # late result of a run that was replaced by a join
            return
        match step:
            case VerificationStarted(candidates=servers):
                self._attempt = None
                n = len(servers)
                text = ngettext("Checking {n} server again…", "Checking {n} servers again…", n).format(n=n)
                self._bar.show_busy(text, self._change_text or _("The game starts after this check."))
                self._show_steps(play_now_texts.query_steps(self._catalogue, servers))
            case VerificationFinished(servers=verified, chosen=chosen):
                self._show_steps(play_now_texts.verified_steps(self._catalogue, verified, chosen))
            case NoEligibleServer():
                self._attempt = step
                self._show_attempt()
                self._show_exclusions()
            case RetryStarted():
                self._attempt = step
                self._show_attempt()

    def _show_attempt(self) -> None:
        """Show that the run has found no server yet, and where it looks."""
        if self._attempt is not None and not self._join_controller.is_using_bar:
            is_other_list = self.scope.is_other_list_shown(self._run_options)
            self._bar.show_busy(
                _("No suitable server right now"), play_now_texts.attempt_text(self._attempt, is_other_list)
            )

    def _show_steps(self, steps: Sequence[VerificationStep]) -> None:
        self._popover.show_steps(self._popover_position(), steps)

    def _show_exclusions(self) -> None:
        catalogue, options = self._catalogue, self._run_options
        snapshot = build_snapshot(catalogue, options)
        exclusions = [
            *self.scope.exclusions(options, snapshot),
            *play_now_texts.exclusions_in_scope(catalogue, snapshot, choose_servers(snapshot.candidates)),
        ]
        relaxation = self._relaxation = best_relaxation(catalogue, options, self.scope.all_servers())
        suggestion = play_now_texts.suggestion(catalogue, relaxation) if relaxation else None
        self._popover.show_exclusions(self._popover_position(), exclusions, suggestion)

    def _on_run_ended(self, outcome: PlayNowOutcome) -> None:
        self._popover.hide()
        if outcome.chosen is None:
            options, self._next_options = self._next_options, None
            if options is None:
                self.refresh()
            else:
                self._start(options)
            return
        self.current_choice = self._joined_choice = server = outcome.chosen.row
        text = play_now_texts.verified_choice_text(self._catalogue, outcome.verified, outcome.chosen)
        self._join_controller.join_choice(
            server,
            format_choice_reasons(outcome.reason, _),
            join_sentences(self._change_text, text),
            second_game_confirmed=self._second_game_confirmed,
        )
        if self._join_controller.is_using_bar:
            self._show_steps(play_now_texts.verified_steps(self._catalogue, outcome.verified, outcome.chosen))

    def _popover_position(self) -> QPoint:
        left = mirrored_rect(self._bar, self._bar.button.geometry()).right() + 1
        return QPoint(left, self._bar.mapTo(self._bar.window(), QPoint(0, self._bar.height())).y())

    def is_idle(self) -> bool:
        """Return whether neither a run nor a join is going on."""
        return not self._runner.is_running and self._bar.button.state is not PlayNowState.BUSY
