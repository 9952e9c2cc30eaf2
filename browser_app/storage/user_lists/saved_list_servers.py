"""Servers of shared lists that the user saved."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from browser_app.catalogue.server_info import QueryTarget
from browser_app.protocols.address import Address, parse_address
from browser_app.storage.ui_state import UiState
from browser_app.storage.user_lists.entry_fields import (
    JsonEntry,
    parse_host_name,
    parse_protocol,
    parse_text,
    without_none,
)

_UI_STATE_KEY = "servers of saved lists"
MAX_SAVED_LIST_SERVERS = 2_000
"""In all saved lists together."""


class SavedListServer(NamedTuple):
    """A server of a saved list."""

    listed: Address
    """Address in the link and in the list's filter, perhaps with a host name."""
    target: QueryTarget
    """How to query the server, by IP address once it was found."""


class SavedListServers:
    """The servers of saved lists, in the order of saving.

    A saved list is a filter, which cannot show servers that nothing else remembers.
    Servers that no filter names any more, because their list was deleted or never got a name, are left out at the next
    start, or as soon as others need their room.
    """

    def __init__(self, ui_state: UiState, saved_filters: Mapping[str, str]) -> None:
        """Load the servers of the lists that are still there.

        Unreadable entries are left out.
        """
        self._ui_state, self._saved_filters = ui_state, saved_filters
        stored_entries = ui_state.get(_UI_STATE_KEY)
        servers = _parse_stored(stored_entries if isinstance(stored_entries, list) else ())
        self._servers = self._select_named(servers)
        self._has_new_addresses = False

    def __iter__(self) -> Iterator[SavedListServer]:
        return iter(tuple(self._servers.values()))

    def merge(self, servers: Iterable[SavedListServer]) -> tuple[int, int]:
        """Add servers as far as there is room.

        Returns how many were added, and how many left out.
        """
        new = {each.listed: each for each in servers if each.listed not in self._servers}
        if len(self._servers) + len(new) > MAX_SAVED_LIST_SERVERS:
            self._servers = self._select_named(self)
        added = [*new.values()][: max(0, MAX_SAVED_LIST_SERVERS - len(self._servers))]
        if added:
            self._save([*self._servers.values(), *added])
        return len(added), len(new) - len(added)

    def add(self, targets: Iterable[QueryTarget]) -> int:
        """Add the servers of a list and return how many were left out for lack of room."""
        _added, left_out = self.merge(SavedListServer(each.address, each) for each in targets)
        return left_out

    def update_target(self, listed: Address, target: QueryTarget) -> None:
        """Note where a server was found, for the next `save_updated_targets`.

        Does nothing for one that is in no saved list.
        """
        current = self._servers.get(listed)
        if current is not None and current.target.address != target.address:
            self._servers[listed] = SavedListServer(listed, target)
            self._has_new_addresses = True

    def save_updated_targets(self) -> None:
        """Write the addresses found since the last time, all at once."""
        if self._has_new_addresses:
            self._save(self._servers.values())

    def _select_named(self, servers: Iterable[SavedListServer]) -> dict[Address, SavedListServer]:
        """Return the servers that a saved filter names, by their address in the list."""
        expressions = tuple(self._saved_filters.values())
        return {each.listed: each for each in servers if any(f'"{each.listed}"' in text for text in expressions)}

    def _save(self, servers: Iterable[SavedListServer]) -> None:
        self._servers = {each.listed: each for each in servers}
        self._has_new_addresses = False
        self._ui_state.set(_UI_STATE_KEY, [*map(encode_saved_list_server, self._servers.values())])


def _parse_stored(entries: Iterable[Any]) -> Iterator[SavedListServer]:
    """Yield the servers of valid entries.

    Another version of the program may have written them differently.
    """
    for entry in entries:
        with suppress(ValueError):
            if isinstance(entry, dict):
                yield parse_saved_list_server(entry)


def encode_saved_list_server(server: SavedListServer) -> dict[str, object]:
    """Return the entry of a server, in the database and in exported lists."""
    target = server.target
    return {
        "listed": str(server.listed),
        "address": str(target.address),
        "protocol": target.protocol,
        **without_none(game=target.game, host_name=target.host_name or None),
    }


def parse_saved_list_server(entry: JsonEntry) -> SavedListServer:
    """Return the server of an entry.

    Raises:
        ValueError: it is invalid; the message is for the user.
    """
    listed = parse_text(entry, "listed")
    address = parse_address(parse_text(entry, "address", listed))
    game = parse_text(entry, "game", "") or None
    target = QueryTarget(address, parse_protocol(entry), game, host_name=parse_host_name(entry))
    return SavedListServer(parse_address(listed), target)
