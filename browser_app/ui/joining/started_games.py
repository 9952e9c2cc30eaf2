"""What follows a start: the list rests while the game runs, and its end is noticed where it can be seen."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.live_list import LiveList
from browser_app.language import gettext as _
from browser_app.storage.declared import PAUSE_IN_GAME
from browser_app.ui.joining.attempt import Attempt
from browser_app.ui.joining.passwords import Passwords
from browser_app.ui.joining.questions import Questions
from browser_app.ui.joining.services import JoinServices
from browser_app.ui.joining.wording import name_of

if TYPE_CHECKING:
    from subprocess import Popen

BROKE_OFF_S = 10.0
"""A game that ends with an error so soon never got to its server."""


class StartedGames(QObject):
    """Watches what was started.

    Signals:
        noticed, told, refresh_wanted: as those of `JoinControl`.
    """

    noticed = Signal(str, str)
    told = Signal(str)
    refresh_wanted = Signal()

    def __init__(self, live: LiveList, services: JoinServices, questions: Questions, passwords: Passwords) -> None:
        super().__init__(live)
        self._live, self._services = live, services
        self._questions, self._passwords = questions, passwords
        services.game.began.connect(self._pause)
        services.game.ended.connect(self._resume)
        services.game.left.connect(self._left)
        services.game.worked.connect(passwords.worked)
        services.settings.changed.connect(self._setting_changed)

    def started(self, attempt: Attempt, process: "Popen[bytes] | None") -> None:
        """A server's game was started; `process` is None where it cannot be watched."""
        name = name_of(self._live.catalogue, attempt.server)
        words = attempt.news or _("Have a good game.")
        if process is not None:
            self._services.game.watch(process, attempt.server)
        else:
            words = _("Steam starts it; when it ends is not seen from here.") + (
                f" {attempt.news}" * bool(attempt.news)
            )
            if self._passwords.to_keep(attempt.server):
                self._ask_about_password(attempt.server)
        self.noticed.emit(_("Started {server}").format(server=name), words)

    def close(self) -> None:
        """Games run on; nobody looks any more."""
        self._services.game.close()

    def _ask_about_password(self, server: int) -> None:
        passwords = self._passwords
        self._questions.ask_whether_it_worked(
            server, lambda: passwords.worked(server), lambda: passwords.did_not_work(server)
        )

    def _left(self, server: int, ran_s: float, status: int) -> None:
        self._passwords.did_not_work(server)  # it would have been kept by now
        self._services.launcher.left(server)
        self._live.rescore()
        if status and ran_s < BROKE_OFF_S:
            name = name_of(self._live.catalogue, server)
            words = _("It ended after {s} s with status {status}.").format(s=round(ran_s), status=status)
            self.noticed.emit(_("The game for {server} broke off").format(server=name), words)

    def _setting_changed(self, key: str) -> None:
        if key == PAUSE_IN_GAME.key and self._services.game.running:
            if self._services.settings.get(PAUSE_IN_GAME):
                self._pause()
            else:
                self._resume()

    def _pause(self) -> None:
        if self._services.settings.get(PAUSE_IN_GAME):
            self._live.pause()
            self.told.emit(_("Nobody is asked while the game runs"))

    def _resume(self) -> None:
        if self._live.paused:
            self._live.resume()
            self.refresh_wanted.emit()
