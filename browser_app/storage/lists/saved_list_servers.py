"""Servers of shared lists that the user saved."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from browser_app.catalogue.server_info import QueryTarget
from browser_app.protocols.address import Address, normalize_host, parse_address
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.storage.ui_state import UiState

_UI_STATE_KEY = "servers of saved lists"
MAX_SAVED_LIST_SERVERS = 2_000


class SavedListServer(NamedTuple):
    """A server of a saved list."""

    listed: Address
    """Address in the link and in the list's filter, perhaps with a host name."""
    target: QueryTarget
    """How to query the server, by IP address once it was found."""


class SavedListServers:
    """The servers of saved lists, in the order of saving.

    Each change is written at once. A saved list is a filter, which cannot show servers that nothing else remembers.
    Servers that no filter names any more, because their list was deleted or never got a name, are left out at the next
    start.
    """

    def __init__(self, ui_state: UiState, saved_filters: Mapping[str, str]) -> None:
        """Load the servers of the lists that are still there.

        Unreadable entries are left out.
        """
        self._ui_state = ui_state
        stored = ui_state.get(_UI_STATE_KEY)
        parsed = map(_parse_entry, stored if isinstance(stored, list) else ())
        self._servers = {
            each.listed: each for each in parsed if each is not None and _is_named(each.listed, saved_filters)
        }

    def __iter__(self) -> Iterator[SavedListServer]:
        return iter(tuple(self._servers.values()))

    def merge(self, servers: Iterable[SavedListServer]) -> int:
        """Add imported servers as far as there is room; return how many were new."""
        new = {each.listed: each for each in servers if each.listed not in self._servers}
        added = [*new.values()][: max(0, MAX_SAVED_LIST_SERVERS - len(self._servers))]
        if added:
            self._save([*self._servers.values(), *added])
        return len(added)

    def add(self, targets: Iterable[QueryTarget]) -> None:
        """Add the servers of a list.

        The oldest of other lists give way to the last allowed ones.
        """
        new = {each.address: SavedListServer(each.address, each) for each in targets}
        others = [each for listed, each in self._servers.items() if listed not in new]
        self._save([*others, *new.values()][-MAX_SAVED_LIST_SERVERS:])

    def set_found(self, listed: Address, target: QueryTarget) -> None:
        """Store the address at which a server was found.

        Does nothing for one that is in no saved list.
        """
        known = self._servers.get(listed)
        if known is not None and known.target.address != target.address:
            found = SavedListServer(listed, target)
            self._save([found if each is known else each for each in self._servers.values()])

    def _save(self, servers: Iterable[SavedListServer]) -> None:
        self._servers = {each.listed: each for each in servers}
        self._ui_state.set(
            _UI_STATE_KEY,
            [
                {
                    "listed": str(listed),
                    "address": str(target.address),
                    "protocol": target.protocol,
                    "game": target.game,
                    "host_name": target.host_name,
                }
                for listed, target in self._servers.values()
            ],
        )


def _is_named(address: Address, filters: Mapping[str, str]) -> bool:
    return any(f'"{address}"' in expression for expression in filters.values())


def _parse_entry(entry: Any) -> SavedListServer | None:
    """Return the server of an entry.

    None for one that another version of the program wrote differently.
    """
    match entry:
        case {
            "listed": str() as listed,
            "address": str() as address,
            "protocol": str() as protocol,
            "game": str() | None as game,
            "host_name": str() as host_name,
        } if protocol in QUERY_PROTOCOLS:
            try:
                name = normalize_host(host_name) if host_name else ""
                target = QueryTarget(parse_address(address), protocol, game, host_name=name)
                return SavedListServer(parse_address(listed), target)
            except ValueError:
                return None
        case _:
            return None
