"""Lists of servers that communities make, on the web or in a file."""

from collections.abc import Container

from browser_app.catalogue.facts import Target
from browser_app.protocols.server_list import read_server_list

MAX_LIST_BYTES = 16 << 20
"""The largest list that is read."""


def targets_of_list(body: bytes, game_ids: Container[str]) -> tuple[Target, ...]:
    """The servers of a list; hosts may be names. A game that is none of `game_ids` is unknown.

    Raises:
        ValueError: what is wrong with the list.
    """
    return tuple(
        Target(server.address, server.protocol, server.game if server.game in game_ids else None)
        for server in read_server_list(body)
    )
