"""The user's own lists beside the list of servers: favourites that no master names, lists that are brought in."""

import time
from collections.abc import Callable

import numpy as np

from browser_app.bridge.live_list import LiveList
from browser_app.catalogue.columns import Rows
from browser_app.catalogue.facts import Status, Target
from browser_app.storage.favourites import Favourite
from browser_app.storage.session import Session

_AT_ONCE = 100
"""Of favourites that were brought in so many are asked at once; the others with the next refresh."""


class OwnLists:
    """Keeps the catalogue's marks those of the session."""

    def __init__(self, session: Session, live: LiveList, changed: Callable[[], object]) -> None:
        """`changed`: what is to be told when lists were brought in."""
        self._session, self._live, self._catalogue, self._changed = session, live, live.catalogue, changed
        live.running_changed.connect(lambda running: None if running else self._adopt())

    def mark(self) -> None:
        """Mark the servers as the lists say now; what was left recently is not for ever."""
        self._catalogue.set_lists(self._session.lists(time.time()))

    def let_time_pass(self) -> None:
        """Servers that were left recently are so no more after a while, also where nobody is asked."""
        before = self._catalogue.recently_left.copy()
        if before.any():
            self.mark()
            if (before != self._catalogue.recently_left).any():
                self._live.rescore()

    def add_favourites(self) -> Rows:
        """Have those in the list too that no master lists; their rows."""
        kept = self._session.favourites
        rows = self._catalogue.add([Target(each.address, each.protocol, each.game) for each in kept if each.protocol])
        return rows[rows >= 0]

    def came(self) -> None:
        """Lists were brought in: the list knows them, and favourites that were never asked are asked at once."""
        rows = self.add_favourites()
        self._changed()
        new = rows[self._catalogue.status[rows] == Status.NEVER_ASKED]
        for row in new[:_AT_ONCE].tolist():
            self._live.ask(row)
        self._live.rescore()

    def toggle_favourite(self, server: int) -> None:
        """Make a server (row) a favourite, or no longer one."""
        favourites = self._session.favourites
        target, facts = self._catalogue.targets[server], self._catalogue.facts(server)
        key = facts.stable_key if facts else None
        if self._catalogue.favourite[server]:
            named = {target.address, facts.connect if facts else target.address}  # either may have been brought in
            for address in [each for each in named if each in favourites] or [target.address]:
                favourites.remove(address, key)
            self._session.favourite_keys.remove([key])
        else:
            favourites.add(self._favourite(server))
        self.mark()

    def _adopt(self) -> None:
        """Favourites that were named by a key only, and whose servers have answered, are kept like all others."""
        keys, catalogue = self._session.favourite_keys, self._catalogue
        found: dict[str, int] = {}
        for server in np.flatnonzero(catalogue.favourite).tolist() if keys else ():
            facts = catalogue.facts(server)
            if facts is not None and facts.stable_key is not None and facts.stable_key in keys:
                found.setdefault(facts.stable_key, server)
        for server in found.values():
            self._session.favourites.add(self._favourite(server))
        keys.remove(found)

    def _favourite(self, server: int) -> Favourite:
        target, facts = self._catalogue.targets[server], self._catalogue.facts(server)
        name, key = (facts.name, facts.stable_key) if facts else ("", None)
        return Favourite(target.address, name, time.time(), target.protocol, target.game, key)
