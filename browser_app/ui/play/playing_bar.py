"""Bar that says on which server the user plays, and offers to join it again."""

import time

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.game_monitor import GameMonitor, RunningGame
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_value_text import server_name
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.widgets.notification_bar import NotificationBar
from browser_app.ui.widgets.theme import Theme


class PlayingBar(QObject):
    """Shows the running game, then the one that ended last.

    Signals:
        rejoin_requested: the server to join again.
        changed: `text` or `server` has changed.
    """

    rejoin_requested = Signal(int)
    changed = Signal()

    def __init__(self, theme: Theme, catalogue: Catalogue, game_monitor: GameMonitor) -> None:
        super().__init__(game_monitor)
        self._catalogue, self._game_monitor = catalogue, game_monitor
        self._newest: RunningGame | None = None
        self.notification_bar = NotificationBar(theme)
        self.server = -1
        """The server of the bar, -1 for none."""
        game_monitor.games_changed.connect(self._show_games)

    @property
    def text(self) -> str:
        """What the bar says in a few words; empty if it is hidden."""
        return self.notification_bar.shown_texts()[0] if self.server >= 0 else ""

    @property
    def server_name(self) -> str:
        """The name of the bar's server, empty for none."""
        return server_name(self._catalogue, self.server) if self.server >= 0 else ""

    @property
    def can_rejoin(self) -> bool:
        """Whether the game of the bar has ended, or nobody knows whether it has."""
        return self.server >= 0 and self._newest is None

    def show_unwatched_game(self, server: int, sentence: str) -> None:
        """Show a game whose end cannot be noticed."""
        self._newest = None
        self._show(server, _("Joined {server} at {time}"), time.time(), sentence)

    def explain(self, sentence: str) -> None:
        """Show another sentence beside the same headline."""
        self.notification_bar.show_message(self.text, sentence)

    def rejoin(self) -> None:
        """Join the server again."""
        if self.can_rejoin:
            self.rejoin_requested.emit(self.server)

    def hide_ended_game(self) -> None:
        """Hide the bar, unless a game is running."""
        if self._newest is None:
            self.server = -1
            self.notification_bar.hide_message()
            self.changed.emit()

    def _show_games(self) -> None:
        games, ended = self._game_monitor.running_games(), self._newest
        self._newest = games[-1] if games else None
        if self._newest is not None:
            others = len(games) - 1
            more = ngettext("{n} more game is running.", "{n} more games are running.", others).format(n=others)
            self._show(
                self._newest.server, _("On {server} since {time}"), self._newest.started_at, more if others else ""
            )
        elif ended is not None:
            joined = _("Joined at {time}.").format(time=_clock_text(ended.started_at))
            self._show(ended.server, _("The game on {server} ended at {time}"), time.time(), joined)

    def _show(self, server: int, headline: str, at: float, sentence: str) -> None:
        self.server = server
        headline = headline.format(server=self.server_name, time=_clock_text(at))
        self.notification_bar.show_message(headline, sentence, "play" if self._newest is not None else "clock")
        buttons = ((_("Rejoin"), self.rejoin), (_("Close"), self.hide_ended_game))
        self.notification_bar.show_buttons(*(buttons if self.can_rejoin else ()))
        self.changed.emit()


def _clock_text(at: float) -> str:
    return time.strftime("%H:%M", time.localtime(at))
