"""The list *LAN*: choosing it, or refreshing it, asks the local network; who answered once stands in it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.lan_search import LanSearch
from browser_app.bridge.live_list import LiveList
from browser_app.catalogue.facts import Target
from browser_app.ui.lists import LAN, Lists

ASK_AT_ONCE = 100
"""More servers than any local network has are asked with the next refresh."""


class LanControl(QObject):
    """Joins the search with the lists.

    Signals:
        changed: a search began or ended.
    """

    changed = Signal()

    def __init__(self, search: LanSearch, live: LiveList, lists: Lists, shown: Callable[[], str]) -> None:
        """`shown`: key of the list that is shown."""
        super().__init__()
        self._search, self._live, self._lists, self._shown = search, live, lists, shown
        search.ended.connect(self._found)
        live.running_changed.connect(lambda running: self.look() if running and shown() == LAN else None)

    @property
    def looking(self) -> bool:
        """The network is being asked."""
        return self._search.running

    def look(self) -> None:
        """Ask the local network."""
        self._search.start()
        self.changed.emit()

    def list_chosen(self, key: str) -> None:
        """The side's list of this key is shown now."""
        if key == LAN:
            self.look()

    def close(self) -> None:
        """Nobody is asked any more."""
        self._search.close()

    def _found(self, targets: Sequence[Target]) -> None:
        servers = [server for server in self._live.catalogue.add(list(targets)).tolist() if server >= 0]
        self._lists.lan |= frozenset(servers)  # who says nothing this time stays, and is asked why
        for server in sorted(self._lists.lan)[:ASK_AT_ONCE]:
            self._live.ask(server)
        self._live.rescore()
        self.changed.emit()
