"""The last known list: loaded beside the start-up, saved after each scan and at the end."""

from concurrent.futures import Future

from PySide6.QtCore import QObject

from browser_app.bridge.live_list import LiveList
from browser_app.catalogue.changes import ChangeSet
from browser_app.storage.database import Database
from browser_app.storage.known_servers import forget_old_servers, load_known_servers, save_known_servers


class KnownList(QObject):
    """Keeps the stored list as new as the shown one."""

    def __init__(self, live: LiveList, database: Database) -> None:
        super().__init__(live)
        self._live = live
        self._database = database
        self._changed: set[int] = set()
        live.changed.connect(self._note)
        live.running_changed.connect(lambda running: None if running else self.save())

    def bring_back(self) -> None:
        """Show the stored list; to be called before the window is shown, since it reads the disk."""
        forget_old_servers(self._database)
        self._live.remember(load_known_servers(self._database))
        self._changed.clear()

    def save(self) -> Future[None] | None:
        """Hand over what has changed to the database's own thread; None where nothing has."""
        rows, self._changed = sorted(self._changed), set()
        servers = self._live.catalogue.known_servers(rows)
        return save_known_servers(self._database, servers) if servers else None

    def _note(self, changes: ChangeSet) -> None:
        self._changed.update(changes.ids.tolist())
