"""Controller of the inspector's notes page."""

import time
from datetime import date

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.catalogue.catalogue_columns import ChangeSet
from browser_app.catalogue.server_value_text import server_name
from browser_app.language import gettext as _
from browser_app.launch.launch_arguments import LaunchError
from browser_app.protocols.address import Address
from browser_app.storage.storage_errors import StorageError
from browser_app.storage.user_lists.alert_store import AlertKind, ServerAlert
from browser_app.storage.user_lists.visit_history_store import ServerVisit
from browser_app.ui.inspector.notes_page import NotesPage, visit_lines, visits_summary
from browser_app.ui.window_services import WindowServices

VISITS_READ_DELAY_MS = 150
"""Delay before visits are read, so that moving through the list with the arrow keys reads none."""


class NotesController(QObject):
    """Fills the notes page.

    Signals:
        alerts_changed: an alert was set or removed.
        alert_count_changed: number of alerts of the shown server.
    """

    alerts_changed = Signal()
    alert_count_changed = Signal(int)

    def __init__(self, page: NotesPage, services: WindowServices) -> None:
        super().__init__(page)
        self._page, self._services, self._storage = page, services, services.storage
        self._server_list = server_list = services.server_list
        self._server = -1
        self._shown_last_played = float("nan")
        self._shown_note = ""
        """The note as last shown or saved; a different one was changed elsewhere."""
        self._visits_timer = QTimer(self, singleShot=True, interval=VISITS_READ_DELAY_MS)
        self._visits_timer.timeout.connect(self._read_visits)
        page.note_edited.connect(self._save_note)
        page.arguments_edited.connect(self._save_arguments)
        page.forget_password_requested.connect(self._forget_password)
        page.alert_boxes.alert_change_requested.connect(self._set_alert)
        server_list.changed.connect(self._on_servers_changed)
        server_list.rescored.connect(self._check_for_new_visits)
        server_list.rescored.connect(self._reload_changed_note)

    def show_server(self, server: int) -> None:
        """Show a server, -1 for none; edits of the previous one are saved."""
        if server == self._server:
            return
        self._page.flush_edits()
        self._server = server
        self._visits_timer.stop()
        if server >= 0:
            self._show_note()
            self._page.show_arguments(self._storage.launch_arguments.get(self._address()))
            self._page.show_visits((), "")
            self.refresh()
            self._shown_last_played = float("nan")
            self._visits_timer.start()

    def refresh(self) -> None:
        """Update alerts, password and block."""
        if self._server >= 0:
            alerts = self._storage.alerts.find_alerts(self._address())
            self._page.show_alerts({kind: alert.players for kind, alert in alerts.items()})
            self.alert_count_changed.emit(len(alerts))
            self._show_password()
            self._page.show_blocked(blocked=bool(self._server_list.catalogue.blocked[self._server]))

    def save_edits(self) -> None:
        """Save pending edits now."""
        self._page.flush_edits()

    def close(self) -> None:
        """Save pending edits."""
        self.save_edits()
        self._visits_timer.stop()

    def _address(self) -> Address:
        return self._server_list.catalogue.targets[self._server].address

    # Changes by the user

    def _save_note(self, text: str) -> None:
        catalogue, notes = self._server_list.catalogue, self._storage.notes
        info = catalogue.server_info(self._server)
        if info is not None and info.connect != self._address():
            notes.set(info.connect, "")  # one imported with the address that the game connects to
        notes.set(self._address(), text)
        self._services.launcher.notify_lists_changed()
        self._shown_note = catalogue.note_of(self._server)
        self._server_list.rescore()

    def _show_note(self) -> None:
        self._shown_note = self._server_list.catalogue.note_of(self._server)
        self._page.show_note(self._shown_note)

    def _reload_changed_note(self) -> None:
        """Reload a note that was changed elsewhere.

        That is by an import, or by an answer that reveals the address it was written for.
        """
        if self._server >= 0 and self._server_list.catalogue.note_of(self._server) != self._shown_note:
            self._show_note()

    def _save_arguments(self, text: str) -> None:
        try:
            self._storage.launch_arguments.set(self._address(), text)
        except LaunchError as error:
            self._page.show_problem(str(error))
        else:
            self._page.show_problem("")
            self._services.launcher.notify_lists_changed()

    def _set_alert(self, kind: AlertKind, number: int, on: bool) -> None:
        alerts, address = self._storage.alerts, self._address()
        if on:
            alerts.set(
                ServerAlert(address, kind, number, server_name(self._server_list.catalogue, self._server), time.time())
            )
        else:
            alerts.remove(address, kind)
        self.refresh()
        self.alerts_changed.emit()

    # Password

    def _show_password(self) -> None:
        catalogue, server = self._server_list.catalogue, self._server
        saved = bool(catalogue.password_saved[server])
        if saved:
            text = _("saved")
        elif catalogue.password[server] == 1:
            text = _("asked when joining")
        else:
            text = _("not needed") if catalogue.password[server] == 0 else _("unknown")
        self._page.show_password(text, saved=saved)

    def _forget_password(self) -> None:
        address, passwords = self._address(), self._storage.passwords
        self._services.background.run(lambda: passwords.remove(address), lambda _none: self._on_password_forgotten())

    def _on_password_forgotten(self) -> None:
        self._services.launcher.notify_lists_changed()
        self._server_list.rescore()
        self.refresh()

    # Visits

    def _on_servers_changed(self, changes: ChangeSet) -> None:
        if self._server >= 0 and np.isin(self._server, changes.ids):
            self._show_password()

    def _check_for_new_visits(self) -> None:
        if self._server >= 0 and not self._visits_timer.isActive() and self._last_played() != self._shown_last_played:
            self._visits_timer.start()

    def _last_played(self) -> float:
        """Return the time of the last visit; 0 for never."""
        return float(np.nan_to_num(self._server_list.catalogue.last_played[self._server]))

    def _read_visits(self) -> None:
        server, address, history = self._server, self._address(), self._storage.visit_history
        self._shown_last_played = self._last_played()
        if not self._shown_last_played:
            self._show_visits(server, [])
            return

        def read() -> list[ServerVisit] | str:
            try:
                return history.load_visits(address)
            except StorageError as error:
                return str(error)

        self._services.background.run(read, lambda visits: self._show_visits(server, visits))

    def _show_visits(self, server: int, visits: list[ServerVisit] | str) -> None:
        if server != self._server:
            return
        if isinstance(visits, str):
            self._page.show_visits((), visits)
        else:
            self._page.show_visits(visit_lines(visits, date.today()), visits_summary(visits))
