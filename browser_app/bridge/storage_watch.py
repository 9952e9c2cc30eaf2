"""Troubles with saving, told on the window's thread."""

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.language import gettext as _
from browser_app.storage.database import Database
from browser_app.storage.errors import StorageError


class StorageWatch(QObject):
    """Says when writes begin to fail and when they work again, once each time.

    Signals:
        changed: why saving fails and what is to be done about it, in a sentence; empty when it works again.
    """

    changed = Signal(str)
    _told = Signal(object)

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._database = database
        self._told.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        database.on_problem = self._told.emit

    def close(self) -> None:
        """Nothing is told any more."""
        self._database.on_problem = lambda _error: None

    def _tell(self, error: StorageError | None) -> None:
        if error is None:
            self.changed.emit("")
            return
        where = f" ({self._database.path.parent})" if self._database.path else ""
        lost = _("Not saved ({problem}). Changes to favourites, history and the list are lost")
        if error.remedy:
            lost = _("Not saved ({problem}). Changes to favourites, history and the list are lost until you {remedy}")
        self.changed.emit(lost.format(problem=error, remedy=f"{error.remedy}{where}"))
