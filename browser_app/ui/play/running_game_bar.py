"""Bar with the server that the user plays on, and an offer to join it again."""

import time
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.game_monitor import GameMonitor, RunningGame
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_value_text import server_name
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.widgets.notification_bar import NotificationBar
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import clock_time_text


@dataclass(frozen=True)
class LastGame:
    """A game that has ended, or whose end cannot be noticed."""

    server: int
    started_at: float
    """Unix time, s."""
    ended_at: float | None
    """Unix time, s; None where the end cannot be noticed."""
    is_searched: bool = False
    """Whether the game is still looked for among those that run."""

    @property
    def start_text(self) -> str:
        """How the game was started, for one whose end cannot be noticed."""
        if self.is_searched:
            return _("The game starts through a link.")
        return _("The game starts through a link; Ready Room cannot detect when it ends.")


class RunningGameBar(QObject):
    """Shows the running game, then the one that ended last.

    Signals:
        rejoin_requested: the server to join again.
        game_changed: `text` or `server` has changed.
    """

    rejoin_requested = Signal(int)
    game_changed = Signal()

    def __init__(self, theme: Theme, catalogue: Catalogue, game_monitor: GameMonitor) -> None:
        super().__init__(game_monitor)
        self._catalogue, self._game_monitor = catalogue, game_monitor
        self._newest: RunningGame | None = None
        self.last_game: LastGame | None = None
        """The game of the bar, unless that one is known to run."""
        self.notification_bar = NotificationBar(theme)
        self.server = -1
        """The server of the bar, -1 for none."""
        game_monitor.games_changed.connect(self._show_games)

    @property
    def text(self) -> str:
        """The headline of the bar; empty if it is hidden."""
        return self.notification_bar.shown_texts()[0] if self.server >= 0 else ""

    @property
    def server_name(self) -> str:
        """The name of the bar's server, empty for none."""
        return server_name(self._catalogue, self.server) if self.server >= 0 else ""

    @property
    def can_rejoin(self) -> bool:
        """Whether the game of the bar has ended, or may have ended."""
        return self.last_game is not None

    def show_last_game(self, game: LastGame) -> None:
        """Show a game that has ended, or whose end cannot be noticed."""
        self._newest, self.last_game = None, game
        if game.ended_at is None:
            self._show(game.server, _("Joined “{server}” at {time}"), game.started_at, game.start_text)
        else:
            joined = _("Joined at {time}.").format(time=clock_time_text(game.started_at))
            self._show(game.server, _("The game on “{server}” ended at {time}"), game.ended_at, joined)

    def show_search_failure(self, server: int) -> None:
        """Show that the end of a server's game cannot be noticed after all."""
        game = self.last_game
        if game is not None and game.server == server and game.is_searched:
            self.show_last_game(replace(game, is_searched=False))

    def rejoin(self) -> None:
        """Join the server again."""
        if self.can_rejoin:
            self.rejoin_requested.emit(self.server)

    def hide_ended_game(self) -> None:
        """Hide the bar, unless a game is running."""
        if self._newest is None:
            self.server, self.last_game = -1, None
            self.notification_bar.hide_message()
            self.game_changed.emit()

    def _show_games(self) -> None:
        games, ended = self._game_monitor.running_games(), self._newest
        self._newest = games[-1] if games else None
        if self._newest is not None:
            self.last_game = None
            others = len(games) - 1
            more = ngettext("{n} more game is running.", "{n} more games are running.", others).format(n=others)
            self._show(
                self._newest.server, _("On “{server}” since {time}"), self._newest.started_at, more if others else ""
            )
        elif ended is not None:
            self.show_last_game(LastGame(ended.server, ended.started_at, time.time()))

    def _show(self, server: int, headline: str, at: float, sentence: str) -> None:
        self.server = server
        headline = headline.format(server=self.server_name, time=clock_time_text(at))
        self.notification_bar.show_message(headline, sentence, "play" if self._newest is not None else "clock")
        buttons = ((_("Rejoin"), self.rejoin), (_("Close"), self.hide_ended_game))
        self.notification_bar.show_buttons(*(buttons if self.can_rejoin else ()))
        self.game_changed.emit()
