"""Search for the server that the user plays on."""

from PySide6.QtCore import QObject, Signal

from browser_app.application.current_server import EVIDENCE_TEXTS, find_current_server
from browser_app.catalogue.server_value_text import server_name
from browser_app.language import gettext as _
from browser_app.launch.running_games import FoundGame, can_find_games, find_running_games
from browser_app.ui.window_services import WindowServices


class CurrentServerSearch(QObject):
    """Finds the server of a game that was started here, or of another one that runs.

    Signals:
        search_finished: the address, empty if it is unknown, and how it was found or why not, in sentences.
    """

    search_finished = Signal(str, str)

    def __init__(self, services: WindowServices) -> None:
        super().__init__(services.server_list)
        self._services, self._catalogue = services, services.server_list.catalogue

    def start(self) -> None:
        """Search for the server."""
        started = self._services.game_monitor.running_games()
        if started:
            server = started[-1].server
            target = self._catalogue.targets[server]
            text = _("Ready Room started a game for “{server}”.").format(server=server_name(self._catalogue, server))
            self.search_finished.emit(f"{target.protocol}://{target.address}", text)
        else:
            games = list(self._services.games.values())
            self._services.background.run(
                lambda: find_running_games(games) if can_find_games() else None, self._on_found
            )

    def _on_found(self, found: list[FoundGame] | None) -> None:
        current = find_current_server(found, self._catalogue)
        address = str(current.addresses[0]) if len(current.addresses) == 1 else ""
        text = _(EVIDENCE_TEXTS[current.evidence])
        addresses = ", ".join(map(str, current.addresses))
        self.search_finished.emit(address, text.format(game=current.game or _("A game"), addresses=addresses))
