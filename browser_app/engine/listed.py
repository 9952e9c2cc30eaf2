"""Lists of servers that communities make, on the web or in a file."""

from collections.abc import Container, Iterable

from browser_app.catalogue.facts import Target
from browser_app.protocols.server_list import ListedServer, read_foreign_list, read_server_list

MAX_LIST_BYTES = 4 << 20
"""The largest list that a community may have on the web."""
MAX_FILE_BYTES = 16 << 20
"""The largest list that is read from a file."""


def targets_of_list(body: bytes, game_ids: Container[str]) -> tuple[Target, ...]:
    """The servers of a list; hosts may be names. A game that is none of `game_ids` is unknown.

    Raises:
        ListError: what is wrong with the list, and where.
    """
    return _targets(read_server_list(body), game_ids)


def targets_of_foreign_list(body: bytes, game_ids: Container[str]) -> tuple[tuple[Target, ...], int]:
    """The same for a list from the web, and how many of its entries are not understood.

    Raises:
        ListError: it is no list.
    """
    servers, not_understood = read_foreign_list(body)
    return _targets(servers, game_ids), not_understood


def _targets(servers: Iterable[ListedServer], game_ids: Container[str]) -> tuple[Target, ...]:
    return tuple(
        Target(server.address, server.protocol, server.game if server.game in game_ids else None) for server in servers
    )
