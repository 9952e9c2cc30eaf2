"""Joining a server: asks what must be asked, asks the server again, counts down, and has its game started."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.bridge.live_list import LiveList
from browser_app.language import gettext as _
from browser_app.launch.arguments import LaunchError
from browser_app.storage.declared import COUNTDOWN_S, OWN_VERSIONS
from browser_app.ui.joining.attempt import Attempt
from browser_app.ui.joining.checks import Hurdle, is_full, is_locked, next_hurdle
from browser_app.ui.joining.passwords import Passwords
from browser_app.ui.joining.questions import Questions
from browser_app.ui.joining.services import JoinServices
from browser_app.ui.joining.started_games import StartedGames
from browser_app.ui.joining.wait_control import WaitControl
from browser_app.ui.joining.wording import name_of, numbers_of
from browser_app.ui.play_bar import PlayBar
from browser_app.ui.theme import Theme

if TYPE_CHECKING:
    from subprocess import Popen

LIMIT_S = 1.0
"""So long after the countdown the server's answer is waited for."""
FRESH_S = 1.0
"""A server that answered so recently is not asked again."""


class JoinControl(QObject):
    """One join at a time: a new wish takes the place of the one before.

    Signals:
        begun: a server is being joined; the bar is taken.
        freed: the bar is free again.
        noticed: headline and sentence of what came of it.
        told: news for the status line.
        refresh_wanted: a game has ended, the list is old.
    """

    begun = Signal(int)
    freed = Signal()
    noticed = Signal(str, str)
    told = Signal(str)
    refresh_wanted = Signal()

    def __init__(self, theme: Theme, window: QWidget, bar: PlayBar, live: LiveList, services: JoinServices) -> None:
        super().__init__(bar)
        self._bar, self._live, self._services = bar, live, services
        self._attempt: Attempt | None = None
        self.questions = Questions(theme, live.catalogue)
        self.waiting = WaitControl(theme, live, services.slots, services.settings)
        self.passwords = Passwords(theme, window, services, self._password_kept)
        self.games = StartedGames(live, services, self.questions, self.passwords)
        self.strips = QWidget()
        """To be placed under the top bar; takes no room while there is nothing to say."""
        column = QVBoxLayout(self.strips)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.questions.strip)
        column.addWidget(self.waiting.strip)
        self.waiting.join_wanted.connect(self._begin)
        self.games.noticed.connect(self.noticed)
        self.games.told.connect(self.told)
        self.games.refresh_wanted.connect(self.refresh_wanted)
        bar.countdown_over.connect(self._counted)

    @property
    def uses_bar(self) -> bool:
        """The bar tells of a join."""
        return self._attempt is not None and not self.questions.open

    def join(self, server: int, why: str = "", sentence: str = "") -> None:
        """The user, or Play Now with its reason, chose a server. `sentence` is said during the countdown.

        Nothing changes where that server is being joined already.
        """
        joining = self._attempt.server if self._attempt is not None and self.uses_bar else -1
        if server not in (-1, joining):
            self._begin(Attempt(server, self._live.catalogue.map[server], why, sentence))

    def join_with_password(self, server: int) -> None:
        """The same with a password that is asked for, also where one is saved."""
        if server >= 0:
            self._begin(Attempt(server, self._live.catalogue.map[server], ask_password=True))

    def wait(self, server: int) -> None:
        """Wait for a slot on a full server; one that is waited for already goes on being waited for."""
        if server in (-1, self.waiting.server):
            return
        catalogue = self._live.catalogue
        name, numbers = name_of(catalogue, server), numbers_of(catalogue, server)
        if is_full(catalogue, server):
            self._begin(Attempt(server, catalogue.map[server], wait=True))
        elif catalogue.players[server] != catalogue.players[server]:
            self.told.emit(f"{name}: {_('players unknown')}")
        else:
            self.told.emit(_("{server} is not full: {numbers}").format(server=name, numbers=numbers))

    def cancel(self) -> None:
        """Nothing is started."""
        self._drop()
        self.freed.emit()

    def escape(self) -> bool:
        """Take what the strip says or asks away; whether there was something."""
        if self.questions.strip.isHidden():
            return False
        self.cancel()
        return True

    def watched(self) -> "list[tuple[Popen[bytes], int]]":
        """The games that were started and run, and their servers."""
        return self._services.game.watched()

    def watch(self, process: "Popen[bytes]", server: int) -> None:
        """A game runs that was started before this window was set up."""
        self._services.game.watch(process, server)

    def close(self) -> None:
        """Nothing is asked, waited for or started any more."""
        self._drop()
        self.waiting.stop()
        self.games.close()

    def _drop(self) -> None:
        self._attempt = None
        self._services.ask_again.close()
        self._bar.stop_countdown()
        self.questions.close()
        self.passwords.close()

    # From the wish to the start

    def _begin(self, attempt: Attempt) -> None:
        self._drop()
        attempt.answered, attempt.counted = None, False
        if attempt.password is None:
            self.passwords.did_not_work(attempt.server)  # one that was typed for a join that never came about
        if self._is_known(attempt):
            try:
                self._services.launcher.check(attempt.server)
            except LaunchError as error:
                self._fail(error)
                return
        self._attempt = attempt
        self.begun.emit(attempt.server)
        self._proceed()

    def _proceed(self) -> None:
        """Do the next thing that is to be done before the start; called again when that is done."""
        attempt = self._attempt
        if attempt is None:
            return
        hurdle = self._hurdle(attempt)
        if not self._is_known(attempt) and attempt.answered is None:
            self._show(_("Asking it…"))
            self._ask(attempt)
        elif not self._is_known(attempt):
            self._launch(attempt)  # says why that cannot be
        elif self._lacks_password(attempt):
            self._get_password(attempt)
        elif hurdle is Hurdle.FULL and attempt.wait:
            self._drop()
            self.waiting.start(attempt)
            self.freed.emit()
        elif hurdle is Hurdle.FULL and attempt.answered is None and not self._is_fresh(attempt):
            self._show(_("Asking it again…"))
            self._ask(attempt)
        elif hurdle is not None:
            self._question(attempt, hurdle)
        elif not attempt.counted:
            self._count_down(attempt)
        elif attempt.answered is None:
            self._show(_("Asking it again…"))
        else:
            self._launch(attempt)

    def _is_known(self, attempt: Attempt) -> bool:
        """It has ever answered."""
        return self._live.catalogue.facts(attempt.server) is not None

    def _hurdle(self, attempt: Attempt) -> Hurdle | None:
        own = self._services.settings.get(OWN_VERSIONS)
        silent = attempt.answered is False
        return next_hurdle(self._live.catalogue, attempt.server, own, attempt.passed, silent=silent)

    def _lacks_password(self, attempt: Attempt) -> bool:
        return is_locked(self._live.catalogue, attempt.server) and attempt.password is None

    def _get_password(self, attempt: Attempt) -> None:
        def then(password: str | None) -> None:
            if password is None:
                self.cancel()
            else:
                attempt.password = password
                self._proceed()

        catalogue, server = self._live.catalogue, attempt.server
        saved = bool(catalogue.password_saved[server]) and not attempt.ask_password
        self.passwords.get(server, name_of(catalogue, server), saved=saved, show=self._show, then=then)

    def _question(self, attempt: Attempt, hurdle: Hurdle) -> None:
        def go_on() -> None:
            attempt.passed.add(hurdle)
            self._again(attempt)

        def wait() -> None:
            attempt.wait = True
            self._again(attempt)

        self._bar.stop_countdown()
        self._services.ask_again.close()
        own = self._services.settings.get(OWN_VERSIONS)
        self.questions.ask(hurdle, attempt.server, own, go_on, wait, self.cancel)
        self.freed.emit()

    def _again(self, attempt: Attempt) -> None:
        """The user has answered a question about it."""
        self.questions.close()
        if attempt.answered is None:
            attempt.counted = False
        self._attempt = attempt
        self.begun.emit(attempt.server)
        self._proceed()

    def _count_down(self, attempt: Attempt) -> None:
        catalogue, server = self._live.catalogue, attempt.server
        attempt.answered = True if self._is_fresh(attempt) else None
        if attempt.answered is None:
            self._ask(attempt)
        self._bar.start_countdown(
            _("Joining {server}").format(server=name_of(catalogue, server)),
            attempt.sentence or _("{numbers}.").format(numbers=numbers_of(catalogue, server)),
            self._services.settings.get(COUNTDOWN_S),
        )

    def _counted(self) -> None:
        if self._attempt is not None:
            self._attempt.counted = True
            self._proceed()

    def _is_fresh(self, attempt: Attempt) -> bool:
        """It has just answered."""
        return self._live.seconds_since_answer(attempt.server) < FRESH_S

    def _ask(self, attempt: Attempt) -> None:
        """Ask the server again; the countdown goes on meanwhile."""
        within_s = self._services.settings.get(COUNTDOWN_S) + LIMIT_S
        self._services.ask_again.ask(attempt.server, within_s, lambda answered: self._heard(attempt, answered=answered))

    def _heard(self, attempt: Attempt, *, answered: bool) -> None:
        if self._attempt is not attempt:
            return
        attempt.answered = answered
        now = self._live.catalogue.map[attempt.server]
        if answered and attempt.map and now != attempt.map:
            attempt.news = _("The map is {map} now.").format(map=now)
        if not self._bar.counting_down:
            self._proceed()
        elif self._lacks_password(attempt) or self._hurdle(attempt) is not None:
            self._bar.stop_countdown()
            self._proceed()
        elif attempt.news:
            self._bar.add_news(attempt.news)

    def _launch(self, attempt: Attempt) -> None:
        try:
            process = self._services.launcher.launch(attempt.server, attempt.why, attempt.password)
        except LaunchError as error:
            self._drop()
            self._fail(error)
            return
        self._drop()
        self.waiting.stop()
        self.games.started(attempt, process)
        self._live.rescore()

    def _fail(self, error: LaunchError) -> None:
        self.freed.emit()
        if not self.questions.tell_failure(error):
            self.noticed.emit(_("Not started"), str(error))

    def _show(self, sentence: str) -> None:
        if self._attempt is not None:
            name = name_of(self._live.catalogue, self._attempt.server)
            self._bar.show_busy(_("Joining {server}").format(server=name), sentence)

    def _password_kept(self, server: int) -> None:
        self._services.launcher.lists_changed()
        name = name_of(self._live.catalogue, server)
        self.told.emit(_("The password of {server} is kept in the secret store").format(server=name))
