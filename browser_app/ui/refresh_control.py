"""Asking by hand: refresh, stop, and one server again; how often that may be, and what is said when it is too soon."""

import math
import time

from PySide6.QtCore import QObject, QTimer

from browser_app.bridge.live_list import LiveList
from browser_app.language import gettext as _
from browser_app.ui.controls import Button
from browser_app.ui.status_line import StatusLine

ALL_S, ONE_S = 10.0, 2.0
"""The least time from one refresh of the whole list to the next, and between two questions to one server. Browsers that
players use take 10 to 30 s for a list: masters and servers are other people's machines."""


class RefreshControl(QObject):
    """Joins the refresh button, its keys and the menu's "Ask again" with the live list. Nothing is ignored in silence:
    a refresh that comes too soon is made as soon as it may be, and the status line says so."""

    def __init__(self, button: Button, status: StatusLine, live: LiveList) -> None:
        super().__init__(button)
        self._button, self._status, self._live = button, status, live
        self._began_s = self._asked_s = -math.inf
        self._asked = -1
        self._later = QTimer(self, singleShot=True)
        self._later.timeout.connect(live.refresh)
        button.clicked.connect(self._press)
        live.running_changed.connect(self._running_changed)
        self._show(running=False)

    def refresh(self) -> None:
        """Ask everybody, at once or as soon as that may be."""
        if self._live.running:
            self._status.tell(_("The list is being refreshed already"))
            return
        wait_s = self._began_s + ALL_S - time.monotonic()
        if wait_s <= 0:
            self._live.refresh()
            return
        self._later.start(math.ceil(wait_s * 1000))
        words = _("Refreshed a moment ago; the next refresh begins in {n} s")
        self._status.tell(words.format(n=math.ceil(wait_s)))

    def refresh_soon(self) -> None:
        """Ask everybody when what is being asked has ended, and as soon as that may be."""
        self._live.when_over(self.refresh)

    def stop(self) -> None:
        """Stop asking, and do not ask later either."""
        if self._later.isActive():
            self._later.stop()
            self._status.tell(_("Not refreshed again"))
        self._live.stop()

    def ask(self, server: int) -> None:
        """Ask one server again."""
        name = self._live.catalogue.name[server] or str(self._live.catalogue.targets[server].address)
        if server == self._asked and time.monotonic() < self._asked_s + ONE_S:
            words = _("{server} was asked less than {n} s ago; its last answer is shown")
            self._status.tell(words.format(server=name, n=f"{ONE_S:.0f}"))
            return
        self._asked, self._asked_s = server, time.monotonic()
        self._live.ask(server)
        self._status.tell(_("Asking {server} again").format(server=name))

    def close(self) -> None:
        """Nobody is asked any more."""
        self._later.stop()

    def _press(self) -> None:
        if self._live.running:
            self.stop()
        else:
            self.refresh()

    def _running_changed(self, running: bool) -> None:
        if running:
            self._began_s = time.monotonic()
            self._later.stop()
        self._show(running=running)

    def _show(self, *, running: bool) -> None:
        self._button.set_icon("close" if running else "refresh")
        words = _("Stop (Esc)") if running else _("Refresh (F5)")
        self._button.setToolTip(words)
        self._button.setAccessibleName(words)
