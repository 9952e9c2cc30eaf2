"""Servers that the user added by address and that have not been found yet."""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from browser_app.protocols.address import parse_address
from browser_app.protocols.server_link import ServerLink
from browser_app.storage.ui_state import UiState

_UI_STATE_KEY = "pending servers"
MAX_PENDING_SERVERS = 50
MAX_AGE_S = 7 * 86_400.0
"""A host that cannot be found for this long is no longer looked for."""


class PendingServer(NamedTuple):
    """A server to be found."""

    link: ServerLink
    """Contains no password."""
    is_favourite: bool
    """Whether it becomes a favourite when it is found."""


class PendingServers:
    """The servers still to be found, in the order of adding.

    Each change is written at once. A server stays pending while it is searched for, so that closing the window loses
    none, and while its host is unknown, as it is without a network.
    """

    def __init__(self, ui_state: UiState) -> None:
        """Load the servers; unreadable entries are left out."""
        self._ui_state = ui_state
        stored_entries = ui_state.get(_UI_STATE_KEY)
        entries = (
            [each for each in stored_entries if isinstance(each, dict)] if isinstance(stored_entries, list) else []
        )
        self._entries = [each for each in entries if _parse_entry(each)]

    def __iter__(self) -> Iterator[PendingServer]:
        """Iterate over the servers that were added within `MAX_AGE_S`.

        Older ones stay stored: the clock may be wrong for a while.
        """
        oldest = time.time() - MAX_AGE_S
        return iter(
            [server for each in self._entries if _read_added_at(each) > oldest and (server := _parse_entry(each))]
        )

    def add(self, link: ServerLink, *, favourite: bool) -> None:
        """Add a server, replacing an entry for the same address.

        Beyond `MAX_PENDING_SERVERS`, the oldest entry is removed.
        """
        entry = {
            "address": str(link.address),
            "protocol": link.protocol,
            "game": link.game,
            "is_query": link.is_query,
            "favourite": favourite,
            "added_at": time.time(),
        }
        others = [each for each in self._entries if each["address"] != entry["address"]]
        self._save([*others, entry][-MAX_PENDING_SERVERS:])

    def remove(self, link: ServerLink) -> None:
        """Remove a server that was found."""
        self._save([each for each in self._entries if each["address"] != str(link.address)])

    def _save(self, entries: list[dict[str, Any]]) -> None:
        self._entries = entries
        self._ui_state.set(_UI_STATE_KEY, entries)


def _read_added_at(entry: dict[str, Any]) -> float:
    added_at = entry.get("added_at")
    return added_at if isinstance(added_at, float) else 0.0


def _parse_entry(entry: dict[str, Any]) -> PendingServer | None:
    """Return the server of an entry, None if another version wrote it differently."""
    match entry:
        case {
            "address": str() as address,
            "protocol": str() | None as protocol,
            "game": str() | None as game,
            "is_query": bool() as is_query,
            "favourite": bool() as favourite,
        }:
            try:
                return PendingServer(ServerLink(parse_address(address), protocol, game, is_query), favourite)
            except ValueError:
                return None
        case _:
            return None
