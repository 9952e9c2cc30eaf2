"""Controller of Play Now, with suggestions when no server fits."""

import time
from collections.abc import Callable
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, QPoint, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from browser_app.bridge.play_now_runner import PlayNowRunner
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.game_servers import most_played_games
from browser_app.catalogue.server_value_text import score_text, server_name, server_numbers_text
from browser_app.engine.catalogue_snapshot import PlayOptions, make_scored_snapshot
from browser_app.engine.play_now_run import (
    NoEligibleServer,
    PlayCandidate,
    PlayNowOutcome,
    RetryStarted,
    VerificationFinished,
    VerificationStarted,
    VerifiedServer,
)
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.protocols.address import Address
from browser_app.ranking.play_now_choice import (
    PlayNowCandidates,
    RejectionReason,
    choose_servers,
    format_choice_reasons,
)
from browser_app.ui.play.filter_relaxation import FilterRelaxation, best_relaxation
from browser_app.ui.play.join_controller import JoinController
from browser_app.ui.play.play_bar import PlayNowBar, PlayNowState
from browser_app.ui.play.play_now_popover import PlayNowPopover, PlayNowSuggestion, VerifyStep, rejection_text
from browser_app.ui.servers.server_table import ServerTableView
from browser_app.ui.widgets.value_text import thousands_text

NOTICE_MS = 8000
"""How long an outcome is shown before the next choice; Play Now can be pressed meanwhile."""
SKIP_DURATION_S = 3600.0
CHOICE_REFRESH_MS = 150
MAX_SHOWN_REASONS = 3
MAX_SUGGESTED_GAMES = 2


class PlayNowController(QObject):
    """Joins bar, popover and runner; `make_options` returns the user's options for Play Now.

    `join_controller` launches the game, and uses the bar while it does.

    Signals:
        filter_requested: show the list with this filter.
    """

    filter_requested = Signal(str)

    def __init__(
        self,
        bar: PlayNowBar,
        popover: PlayNowPopover,
        table: ServerTableView,
        server_list: ServerListController,
        runner: PlayNowRunner,
        make_options: Callable[[frozenset[Address]], PlayOptions],
        join_controller: JoinController,
    ) -> None:
        super().__init__(bar)
        self._bar, self._popover, self._table = bar, popover, table
        self._server_list, self._runner = server_list, runner
        self._make_options, self._join_controller = make_options, join_controller
        self._run_options = PlayOptions()
        self._relaxation: FilterRelaxation | None = None
        self._next_options: PlayOptions | None = None
        self._notice_timer = QTimer(self, singleShot=True, interval=NOTICE_MS)
        self._notice_timer.timeout.connect(self.refresh)
        self._skipped: dict[Address, float] = {}
        self.current_choice = -1
        """The server that a press would choose, -1 for none."""
        bar.play_requested.connect(lambda: self._start(self._current_options()))
        popover.suggestion_accepted.connect(self._apply_suggestion)
        bar.cancel_requested.connect(self._cancel)
        join_controller.join_started.connect(self._on_join_started)
        join_controller.bar_released.connect(self.refresh)
        join_controller.outcome_reported.connect(self.show_notice)
        runner.step_reached.connect(self._show_step)
        runner.run_finished.connect(self._on_run_ended)
        # In an event of its own: scoring, sorting and choosing at once would delay a frame.
        self._refresh_timer = QTimer(self, singleShot=True, interval=CHOICE_REFRESH_MS)
        self._refresh_timer.timeout.connect(self.refresh)
        server_list.rescored.connect(lambda: None if self._refresh_timer.isActive() else self._refresh_timer.start())
        self.refresh()

    def refresh(self) -> None:
        """Show the current choice."""
        if self._runner.is_running or self._join_controller.is_using_bar or self._notice_timer.isActive():
            return
        snapshot = make_scored_snapshot(self._server_list.catalogue, self._current_options())
        chosen = choose_servers(snapshot.candidates)
        usable = chosen.ranked if len(chosen.ranked) else chosen.fallback
        self.current_choice = int(usable[0]) if len(usable) else -1
        self._table.set_play_now_choice(self.current_choice)
        if self.current_choice >= 0:
            sentence = format_choice_reasons(snapshot.choice_reason(self.current_choice), _)
            self._bar.show_choice(
                self._server_name(self.current_choice), self._server_numbers(self.current_choice), sentence
            )
        elif not len(snapshot.targets):
            self._bar.show_nothing(_("No servers yet"), _("Play Now picks one when the first servers answer."))
        elif snapshot.candidates.lack_installed_games:
            self._bar.show_nothing(_("None of your games is installed"), self._games_text(snapshot.candidates))
        elif self._server_list.is_loading or (self._server_list.is_running and self._server_list.catalogue.old.any()):
            self._bar.show_nothing(_("No suitable server yet"), _("Play Now picks one when a suitable server answers."))
        else:
            self._bar.show_nothing(_("No suitable server right now"), _excluded_text(chosen.rejected_counts))

    def _games_text(self, candidates: PlayNowCandidates) -> str:
        """Return the games that the user could install: those with most players, and where they come from."""
        games = most_played_games(self._server_list.catalogue, ~candidates.is_filtered_out, MAX_SUGGESTED_GAMES)
        if not games:
            return _("Play Now names the games with most players when their servers answer.")
        names = [
            _("{game} ({players} playing, {site})").format(
                game=profile.name, players=thousands_text(players), site=_site_name(profile.launch.install_url)
            )
            for profile, players in games
        ]
        is_free = games[0].profile.launch.free
        text = _("Popular free games: {games}") if is_free else _("Popular games: {games}")
        return text.format(games=" · ".join(names))

    def skip_server(self, server: int) -> None:
        """Do not choose a server for an hour."""
        self._skipped[self._server_list.catalogue.targets[server].address] = time.monotonic() + SKIP_DURATION_S
        self._notice_timer.stop()
        self.refresh()

    def show_notice(self, headline: str, sentence: str) -> None:
        """Show an outcome for a few seconds, unless something newer is going on."""
        if self._runner.is_running or self._join_controller.is_using_bar:
            return
        self._bar.show_notice(headline, sentence, can_play=self.current_choice >= 0)
        self._notice_timer.start()

    def close(self) -> None:
        """Cancel everything."""
        self._notice_timer.stop()
        self._refresh_timer.stop()
        self._runner.close()

    def _current_options(self) -> PlayOptions:
        now = time.monotonic()
        self._skipped = {address: until for address, until in self._skipped.items() if until > now}
        return self._make_options(frozenset(self._skipped))

    def _start(self, options: PlayOptions) -> None:
        self._notice_timer.stop()
        self._join_controller.cancel()
        self._bar.show_busy(_("Checking again…"), _("The game starts after this check."))
        self._run_options = options
        self._runner.start(options)

    def _apply_suggestion(self) -> None:
        """Cancel the run; start one with the relaxed options, or show the filtered list."""
        if self._relaxation is None:
            return
        if self._relaxation.url:
            QDesktopServices.openUrl(QUrl(self._relaxation.url))
        elif self._relaxation.options is None:
            self.filter_requested.emit(self._relaxation.list_filter)
        self._cancel()
        self._next_options = self._relaxation.options

    def _cancel(self) -> None:
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

    def _show_step(self, step: object) -> None:
        if self._join_controller.is_using_bar:  # late result of a run that was replaced by a join
            return
        match step:
            case VerificationStarted(candidates=servers):
                n = len(servers)
                text = ngettext("Checking {n} server again…", "Checking {n} servers again…", n).format(n=n)
                self._bar.show_busy(text, _("The game starts after this check."))
                self._popover.show_steps(self._popover_position(), [self._query_step(each) for each in servers])
            case VerificationFinished(servers=servers):
                self._popover.show_steps(
                    self._popover_position(), [self._verified_step(each, servers[0]) for each in servers]
                )
            case NoEligibleServer(attempt=attempt, rejected=rejected):
                self._bar.show_busy(
                    _("No suitable server right now"), _("Still looking, attempt {n}.").format(n=attempt)
                )
                self._show_rejected({why: number for why, number in rejected.items() if number})
            case RetryStarted(attempt=attempt):
                again = _("Still looking, attempt {n}: querying all servers.").format(n=attempt)
                self._bar.show_busy(_("No suitable server right now"), again)

    def _show_rejected(self, rejected: dict[RejectionReason, int]) -> None:
        relaxation = self._relaxation = best_relaxation(self._server_list.catalogue, self._run_options)
        suggestion = None
        if relaxation is not None:
            best = f"{self._server_name(relaxation.best_server)}, {self._server_numbers(relaxation.best_server)}"
            text = ngettext(
                "Otherwise suitable: {best}.",
                "{n} servers are otherwise suitable; the best is {best}.",
                relaxation.servers,
            )
            suggestion = PlayNowSuggestion(
                relaxation.headline,
                text.format(n=thousands_text(relaxation.servers), best=best),
                relaxation.button_text,
            )
        self._popover.show_rejected(self._popover_position(), rejected, suggestion)

    def _query_step(self, each: PlayCandidate) -> VerifyStep:
        return VerifyStep("asking", self._server_name(each.row), score_text(each.score), _("checking again…"))

    def _verified_step(self, each: VerifiedServer, first: VerifiedServer) -> VerifyStep:
        before = score_text(each.score_before)
        after = "–" if each.score_now != each.score_now else score_text(each.score_now)
        if not each.is_eligible:
            return VerifyStep(
                "out",
                self._server_name(each.row),
                f"{before} → {after}",
                rejection_text(each.ineligible_reason) if each.ineligible_reason else "",
            )
        numbers = self._server_numbers(each.row)
        note = _("{numbers}: still the best").format(numbers=numbers) if each is first else numbers
        return VerifyStep(
            "doubt" if each.ineligible_reason else "good", self._server_name(each.row), f"{before} → {after}", note
        )

    def _on_run_ended(self, outcome: PlayNowOutcome) -> None:
        self._popover.hide()
        if outcome.chosen is None:
            options, self._next_options = self._next_options, None
            if options is None:
                self.refresh()
            else:
                self._start(options)
            return
        count = len(outcome.verified)
        server = outcome.chosen.row
        is_unchanged = outcome.chosen is outcome.verified[0]
        best = _("Still the best of {n}: {numbers}.") if is_unchanged else _("Now the best of {n}: {numbers}.")
        numbers = self._server_numbers(server)
        self._join_controller.join(
            server, format_choice_reasons(outcome.reason, _), best.format(n=count, numbers=numbers)
        )

    def _server_name(self, server: int) -> str:
        return server_name(self._server_list.catalogue, server)

    def _server_numbers(self, server: int) -> str:
        return server_numbers_text(self._server_list.catalogue, server)

    def _popover_position(self) -> QPoint:
        left = self._bar.button.geometry().right() + 1
        return QPoint(left, self._bar.mapTo(self._bar.window(), QPoint(0, self._bar.height())).y())

    def is_idle(self) -> bool:
        """Return whether neither a run nor a join is going on."""
        return not self._runner.is_running and self._bar.button.state is not PlayNowState.BUSY


def _site_name(url: str) -> str:
    """Return a website's name, short enough for one of several in a line."""
    host = urlsplit(url).hostname or ""
    return "Steam" if host == "store.steampowered.com" else host.removeprefix("www.")


def _excluded_text(rejected: dict[RejectionReason, int]) -> str:
    """Return the most frequent reasons, such as `Hidden by filter: 183 · Full: 5`."""
    counts = sorted(((number, why) for why, number in rejected.items() if number), reverse=True)
    parts = [
        _("{reason}: {n}").format(reason=rejection_text(why), n=thousands_text(number))
        for number, why in counts[:MAX_SHOWN_REASONS]
    ]
    more = len(counts) - len(parts)
    if more:
        parts.append(ngettext("{n} more reason", "{n} more reasons", more).format(n=more))
    return " · ".join(parts)
