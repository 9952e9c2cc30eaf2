"""The local network asked for servers, its answers brought to the window's thread."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.engine.master_source import LanMaster
from browser_app.engine.masters import MasterPoll


class LanSearch(QObject):
    """One search at a time.

    Signals:
        ended: the servers that answered, as a list of `Target`; empty when nobody did.
    """

    ended = Signal(object)
    _done = Signal(object)

    def __init__(self, source: Callable[[], LanMaster]) -> None:
        """`source`: what is to be asked, and where."""
        super().__init__()
        self._source = source
        self._poll: MasterPoll | None = None
        self._closed = False
        self._done.connect(self._end, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        """The network is being asked."""
        return self._poll is not None

    def start(self) -> None:
        """Ask, unless that is being done. Not after `close`."""
        if self.running or self._closed:
            return
        found: list[object] = []

        def done() -> None:
            if not self._closed:  # Qt may have ended by now
                self._done.emit(found)

        self._poll = MasterPoll((self._source(),), lambda _, targets: found.extend(targets), on_done=done)
        self._poll.start()

    def close(self) -> None:
        """Nothing is asked or told any more."""
        self._closed = True
        if self._poll is not None:
            self._poll.cancel()

    def _end(self, found: object) -> None:
        self._poll = None
        if not self._closed:
            self.ended.emit(found)
