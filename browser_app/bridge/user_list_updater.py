"""Favourites and other user lists applied to the server list."""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from browser_app.application.poll_session import favourite_targets
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue_columns import Bools, RowIds
from browser_app.catalogue.server_info import QueryStatus
from browser_app.protocols.address import Address
from browser_app.storage.user_lists.address_change import move_server_entries
from browser_app.storage.user_lists.server_list_store import Favourite
from browser_app.storage.user_storage import UserStorage

_MAX_IMMEDIATE_QUERIES = 100
"""Most imported favourites that are queried at once; the others follow with the next refresh."""


class UserListUpdater(QObject):
    """Copies the stored user lists to the catalogue's columns.

    Signals:
        entries_moved: notes, alerts or other entries have followed a server to its new address.
    """

    entries_moved = Signal()

    def __init__(
        self, storage: UserStorage, server_list: ServerListController, on_imported: Callable[[], object]
    ) -> None:
        """Call `on_imported` after lists were imported."""
        super().__init__(server_list)
        self._storage, self._server_list = storage, server_list
        self._catalogue, self._on_imported = server_list.catalogue, on_imported
        server_list.running_changed.connect(lambda running: None if running else self._on_poll_finished())
        server_list.server_found.connect(self._on_server_found)

    def refresh_marks(self) -> None:
        """Mark the catalogue's servers by the current lists."""
        self._catalogue.set_user_lists(self._storage.collect_user_lists(time.time()))

    def expire_recently_left(self) -> None:
        """Remove expired marks of recently left servers, even while nothing is queried."""
        before = self._left_servers()
        if before.any():
            self.refresh_marks()
            if (before != self._left_servers()).any():
                self._server_list.rescore()

    def _left_servers(self) -> Bools:
        """Return the marks that expire, of all servers."""
        return np.concatenate((self._catalogue.recently_left, self._catalogue.left_early))

    def add_unlisted_favourites(self) -> RowIds:
        """Add favourites that no master lists to the catalogue.

        Returns the rows of all with a known protocol.
        """
        rows = self._catalogue.rows.add(favourite_targets(self._storage.favourites))
        return rows[rows >= 0]

    def add_saved_list_servers(self) -> None:
        """Add the servers of saved lists to the catalogue, which no master may list."""
        servers = [*self._storage.saved_list_servers]
        self._catalogue.rows.add([target._replace(address=listed, host_name="") for listed, target in servers])
        for listed, target in servers:
            self._catalogue.rows.set_found_target(listed, target)

    def apply_import(self) -> None:
        """Apply imported lists, and query favourites that were never queried at once.

        Queries nothing where servers are queried on request.
        """
        rows = self.add_unlisted_favourites()
        self.add_saved_list_servers()
        self._on_imported()
        unqueried = rows[self._catalogue.status[rows] == QueryStatus.NEVER_QUERIED]
        for row in () if self._server_list.queries_on_request else unqueried[:_MAX_IMMEDIATE_QUERIES].tolist():
            self._server_list.query(row)
        self._server_list.rescore()

    def toggle_favourite(self, server: int) -> Sequence[Favourite]:
        """Add a server (row) to the favourites, or remove it.

        Returns the favourites that were removed.
        """
        favourites = self._storage.favourites
        target, info = self._catalogue.targets[server], self._catalogue.server_info(server)
        key = info.stable_key if info else None
        if self._catalogue.favourite[server]:
            addresses = {target.address, info.connect if info else target.address}  # either may have been imported
            removed = [each for each in favourites if each.address in addresses] or [self._favourite_of(server)]
            for favourite in removed:
                favourites.remove(favourite.address)
            self._storage.favourite_keys.remove([key])
        else:
            removed = []
            favourites.add(self._favourite_of(server))
        self.refresh_marks()
        return removed

    def restore_favourites(self, favourites: Collection[Favourite]) -> None:
        """Add favourites that `toggle_favourite` has removed."""
        self._storage.favourites.add_all(favourites)
        self.refresh_marks()

    def _on_server_found(self, named: Address, server: int) -> None:
        """Note the address found for a host name.

        What the user set for the server follows to it.
        """
        found_address = self._catalogue.targets[server].address
        moved = [
            move_server_entries(self._storage, old, found_address) for old in self._former_addresses(named, server)
        ]
        if any(moved):
            self.refresh_marks()
            self.entries_moved.emit()
        self._storage.saved_list_servers.update_target(named, self._catalogue.targets[server])
        favourite = next((each for each in self._storage.favourites if each.named_address == named), None)
        if favourite is not None and favourite.address != self._catalogue.targets[server].address:
            found = self._favourite_of(server)
            kept = replace(found, name=favourite.name or found.name, added_at=favourite.added_at)
            self._storage.favourites.replace(favourite.address, kept)
            self.refresh_marks()

    def _former_addresses(self, named: Address, server: int) -> list[Address]:
        """Return the addresses that a found server had.

        These are its name and those where it does not answer now.
        """
        catalogue = self._catalogue
        unresponsive = np.flatnonzero(catalogue.unresponsive & (catalogue.has_user_data | catalogue.blocked)).tolist()
        targets = [catalogue.targets[row] for row in unresponsive if row != server]
        moved = [each.address for each in targets if each.host_name and each.named_address == named]
        return [each for each in dict.fromkeys([named, *moved]) if each != catalogue.targets[server].address]

    def _on_poll_finished(self) -> None:
        self._storage.saved_list_servers.save_updated_targets()
        self._resolve_favourite_keys()

    def _resolve_favourite_keys(self) -> None:
        """Store favourites that were named by a key only as normal ones.

        Done once their servers have answered.
        """
        keys, catalogue = self._storage.favourite_keys, self._catalogue
        found: dict[str, int] = {}
        for server in np.flatnonzero(catalogue.favourite).tolist() if keys else ():
            info = catalogue.server_info(server)
            if info is not None and info.stable_key is not None and info.stable_key in keys:
                found.setdefault(info.stable_key, server)
        for server in found.values():
            self._storage.favourites.add(self._favourite_of(server))
        keys.remove(found)

    def _favourite_of(self, server: int) -> Favourite:
        target, info = self._catalogue.targets[server], self._catalogue.server_info(server)
        name, key = (info.name, info.stable_key) if info else ("", None)
        return Favourite(target.address, name, time.time(), target.protocol, target.game, key, target.host_name)
