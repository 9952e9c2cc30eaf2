"""Keeps the inspector's expected change on the selected server."""

from PySide6.QtCore import QObject, QTimer

from browser_app.bridge.live_list import LiveList
from browser_app.ui.skill.fair.expected_change import ExpectedChange
from browser_app.ui.skill.fair.outlook import Outlook
from browser_app.ui.skill.fair.outlooks import Outlooks

_REST_MS = 200
"""Moving through the list works nothing out; resting on a server does."""


class ExpectedControl(QObject):
    """Asks for the outlook of the selected server, and again when its players change."""

    def __init__(self, widget: ExpectedChange, live: LiveList, outlooks: Outlooks) -> None:
        super().__init__(widget)
        self._widget, self._live, self._outlooks = widget, live, outlooks
        self._players: object = None
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._ask)
        outlooks.outdated.connect(self._again)
        outlooks.ready.connect(self._again)
        outlooks.selected.connect(self._turn)
        live.changed.connect(self._look)

    def _turn(self) -> None:
        self._widget.show_outlook(None, "")
        self._again()

    def close(self) -> None:
        """Work nothing out any more."""
        self._rest.stop()
        self._outlooks.close()

    def _again(self) -> None:
        self._players = None
        self._rest.start()

    def _look(self) -> None:
        server = self._outlooks.server
        if server >= 0 and self._live.catalogue.player_lists.get(server) != self._players:
            self._rest.start()

    def _ask(self) -> None:
        server = self._outlooks.server
        if not self._outlooks.concerns(server):
            return
        self._outlooks.prepare()
        players = self._live.catalogue.player_lists.get(server)
        if players and self._live.catalogue.game[server] == self._outlooks.game:
            self._players = players
            self._outlooks.ask([server], lambda found: self._show(server, found.get(server)))

    def _show(self, server: int, outlook: Outlook | None) -> None:
        if server == self._outlooks.server:
            self._widget.show_outlook(outlook, self._outlooks.system)
