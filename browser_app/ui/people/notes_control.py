"""Keeps the inspector's notes page on the selected server, and saves what is written there."""

import time
from datetime import date

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.bridge.live_list import LiveList
from browser_app.catalogue.changes import ChangeSet
from browser_app.language import gettext as _
from browser_app.launch.arguments import LaunchError
from browser_app.protocols.address import Address
from browser_app.storage.alerts import Alert, AlertKind
from browser_app.storage.errors import StorageError
from browser_app.storage.history import Join
from browser_app.ui.joining.wording import name_of
from browser_app.ui.notes_page import NotesPage
from browser_app.ui.people.services import PeopleServices
from browser_app.ui.people.visits import lines_of, summary

READ_AFTER_MS = 150
"""Moving through the list with the arrow keys reads no visits; resting on a server does."""


class NotesControl(QObject):
    """Fills the page.

    Signals:
        alerts_changed: one was set or taken away.
        alerts_shown: how many are set of the server shown.
    """

    alerts_changed = Signal()
    alerts_shown = Signal(int)

    def __init__(self, page: NotesPage, live: LiveList, services: PeopleServices) -> None:
        super().__init__(page)
        self._page, self._live, self._services = page, live, services
        self._server = -1
        self._played = float("nan")
        self._noted = ""
        """The server's note as the page had it last; another one has come from elsewhere."""
        self._rest = QTimer(self, singleShot=True, interval=READ_AFTER_MS)
        self._rest.timeout.connect(self._read_visits)
        page.note_written.connect(self._save_note)
        page.arguments_written.connect(self._save_arguments)
        page.forget_wanted.connect(self._forget_password)
        page.alerts.set_wanted.connect(self._set_alert)
        live.changed.connect(self._changed)
        live.rescored.connect(self._look_for_visits)
        live.rescored.connect(self._look_for_note)

    def show_server(self, server: int) -> None:
        """Turn to a server, -1 for none; what was written about the one before is saved."""
        if server == self._server:
            return
        self._page.hand_over()
        self._server = server
        self._rest.stop()
        if server >= 0:
            self._show_note()
            self._page.show_arguments(self._services.launch_settings.arguments(self._address()))
            self._page.show_visits((), "")
            self.refresh()
            self._played = float("nan")
            self._rest.start()

    def refresh(self) -> None:
        """Show alerts, password and block as they are now."""
        if self._server >= 0:
            alerts = self._services.alerts.of(self._address())
            self._page.show_alerts({kind: alert.players for kind, alert in alerts.items()})
            self.alerts_shown.emit(len(alerts))
            self._show_password()
            self._page.show_blocked(blocked=bool(self._live.catalogue.blocked[self._server]))

    def save(self) -> None:
        """What was written a moment ago holds from now on."""
        self._page.hand_over()

    def close(self) -> None:
        """Save what was written."""
        self.save()
        self._rest.stop()

    def _address(self) -> Address:
        return self._live.catalogue.targets[self._server].address

    # What the user changed

    def _save_note(self, text: str) -> None:
        catalogue, notes = self._live.catalogue, self._services.notes
        facts = catalogue.facts(self._server)
        if facts is not None and facts.connect != self._address():
            notes.set(facts.connect, "")  # one that came with a list of addresses that games are told
        notes.set(self._address(), text)
        self._services.lists_changed()
        self._noted = catalogue.note(self._server)
        self._live.rescore()

    def _show_note(self) -> None:
        self._noted = self._live.catalogue.note(self._server)
        self._page.show_note(self._noted)

    def _look_for_note(self) -> None:
        """Lists that are brought in may hold one, and so may an answer that tells the address it was written for."""
        if self._server >= 0 and self._live.catalogue.note(self._server) != self._noted:
            self._show_note()

    def _save_arguments(self, text: str) -> None:
        try:
            self._services.launch_settings.set_arguments(self._address(), text)
        except LaunchError as error:
            self._page.show_problem(str(error))
        else:
            self._page.show_problem("")

    def _set_alert(self, kind: AlertKind, players: int, on: bool) -> None:
        alerts, address = self._services.alerts, self._address()
        if on:
            number = players if kind is AlertKind.PLAYERS else 0
            alerts.set(Alert(address, kind, number, name_of(self._live.catalogue, self._server), time.time()))
        else:
            alerts.remove(address, kind)
        self.refresh()
        self.alerts_changed.emit()

    # The password

    def _show_password(self) -> None:
        catalogue, server = self._live.catalogue, self._server
        saved = bool(catalogue.password_saved[server])
        if saved:
            words = _("saved")
        elif catalogue.password[server] == 1:
            words = _("asked when you join")
        else:
            words = _("none needed") if catalogue.password[server] == 0 else _("unknown")
        self._page.show_password(words, saved=saved)

    def _forget_password(self) -> None:
        address, passwords = self._address(), self._services.passwords
        self._services.background.run(lambda: passwords.forget(address), lambda _none: self._forgotten())

    def _forgotten(self) -> None:
        self._services.lists_changed()
        self._live.rescore()
        self.refresh()

    # Visits

    def _changed(self, changes: ChangeSet) -> None:
        if self._server >= 0 and np.isin(self._server, changes.ids):
            self._show_password()

    def _look_for_visits(self) -> None:
        if self._server >= 0 and not self._rest.isActive() and self._last_played() != self._played:
            self._rest.start()

    def _last_played(self) -> float:
        """0 for never."""
        return float(np.nan_to_num(self._live.catalogue.last_played[self._server]))

    def _read_visits(self) -> None:
        server, address, history = self._server, self._address(), self._services.history
        self._played = self._last_played()
        if not self._played:
            self._show_visits(server, [])
            return

        def read() -> list[Join] | str:
            try:
                return history.visits(address)
            except StorageError as error:
                return str(error)

        self._services.background.run(read, lambda visits: self._show_visits(server, visits))

    def _show_visits(self, server: int, visits: list[Join] | str) -> None:
        if server != self._server:
            return
        if isinstance(visits, str):
            self._page.show_visits((), visits)
        else:
            self._page.show_visits(lines_of(visits, date.today()), summary(visits))
