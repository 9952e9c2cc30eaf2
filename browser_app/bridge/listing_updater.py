"""Updates of the catalogue after polls, in steps.

A list may name tens of thousands of servers, so this is done in steps, between which the window handles other events.
"""

from collections import deque
from collections.abc import Iterable, Iterator

from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.application.listing_update import SLICE_SIZE, drop_unlisted, update_listings
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import ChangeSet
from browser_app.catalogue.source_listings import source_id
from browser_app.engine.server_poll import ServerPoll

STEP_INTERVAL_MS = 17


class ListingUpdater(QObject):
    """Applies the lists of finished polls, one after the other.

    The first step is done at once.

    Signals:
        servers_dropped: a `ChangeSet`, after each step that dropped servers.
        drop_finished: all servers to drop were dropped, and there were some.
    """

    servers_dropped = Signal(object)
    drop_finished = Signal()

    def __init__(self, catalogue: Catalogue, parent: QObject) -> None:
        super().__init__(parent)
        self._catalogue = catalogue
        self._updates: deque[Iterator[ChangeSet]] = deque()
        self._has_dropped = False
        self._timer = QTimer(self, interval=STEP_INTERVAL_MS)
        self._timer.timeout.connect(self._step)

    @property
    def is_running(self) -> bool:
        """Whether steps are left to do."""
        return bool(self._updates)

    def apply(self, poll: ServerPoll, complete_urls: frozenset[str]) -> None:
        """Apply the lists of a poll, of which those of `complete_urls` are complete."""
        self._add(update_listings(self._catalogue, poll, complete_urls))

    def enable_sources(self, urls: Iterable[str]) -> None:
        """Drop servers that only other sources list than these.

        A source is known by its URL with keys redacted.
        """
        self._catalogue.rows.listings.set_enabled(set(map(source_id, urls)))
        self.drop_unlisted()

    def drop_unlisted(self) -> None:
        """Drop servers that no source lists; see `Catalogue.unlisted_rows`."""
        self._add(drop_unlisted(self._catalogue))

    def close(self) -> None:
        """Stop; no signal follows."""
        self._timer.stop()
        self._updates.clear()

    def _add(self, update: Iterator[ChangeSet]) -> None:
        self._updates.append(update)
        if len(self._updates) == 1:
            self._timer.start()
            self._step()

    def _step(self) -> None:
        changes = next(self._updates[0], None)
        while changes:
            self._has_dropped = True
            self.servers_dropped.emit(changes)
            if len(changes.removed) >= SLICE_SIZE:
                return
            changes = next(self._updates[0], None)  # nothing is left to drop: end before the table is painted
        if changes is None:
            self._updates.popleft()
        if not self._updates:
            self._timer.stop()
            if self._has_dropped:
                self._has_dropped = False
                self.drop_finished.emit()
