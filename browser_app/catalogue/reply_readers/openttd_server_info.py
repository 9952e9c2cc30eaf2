"""Readers of OpenTTD's game information."""

from collections.abc import Iterable, Iterator

from browser_app.catalogue.reply_readers.reply_fields import describe_server, find_mode_name, find_profile
from browser_app.catalogue.reply_readers.server_info_text import PlainRules, clean_text
from browser_app.catalogue.server_info import DescribedServer, QueryTarget, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address, parse_address
from browser_app.protocols.master_lists.described_list import ListedReply
from browser_app.protocols.openttd.coordinator import parse_listing
from browser_app.protocols.openttd.game_info import OpenTTDReply
from browser_app.protocols.query_protocols import LISTED, OPENTTD
from browser_app.protocols.query_session import QueryParts
from browser_app.protocols.server_code import code_address, is_code_address
from browser_app.protocols.server_url import is_queryable_address

_CODE_MARK = "+"


def read_openttd_reply(reply: OpenTTDReply, target: QueryTarget, games: GameRegistry, parts: QueryParts) -> ServerInfo:
    """Read game information.

    Its map is one of a kind, so its size stands in for a name, and the landscape for the mode.
    """
    profile = find_profile(games, target._replace(protocol=OPENTTD), {"revision": reply.revision})
    mode = str(reply.landscape)
    if profile is not None:
        mode = profile.mode_codes.get(mode, mode)
    spectators = min(reply.spectators, reply.clients)
    return ServerInfo(
        game=None if profile is None else profile.id,
        name=clean_text(reply.name),
        map=f"{reply.width}×{reply.height}" if reply.width and reply.height else "",
        connect=target.named_address,
        players=reply.clients - spectators,
        bots=None,
        spectators=spectators,
        max_players=reply.max_clients or None,
        mode=mode,
        mode_name=find_mode_name(profile, mode),
        version=clean_text(reply.revision) or None,
        password=reply.password,
        rules=PlainRules(_rules(reply)) if parts & QueryParts.RULES else None,
    )


def _rules(reply: OpenTTDReply) -> dict[str, str]:
    companies = {} if reply.companies is None else {"companies": f"{reply.companies}/{reply.max_companies}"}
    newgrfs = {} if reply.newgrfs is None else {"newgrfs": str(reply.newgrfs)}
    return companies | newgrfs | {"dedicated": "yes" if reply.dedicated else "no"}


def read_openttd_list(chunks: Iterable[bytes], games: GameRegistry) -> Iterator[DescribedServer | None]:
    """Read the game coordinator's list; see `parse_listing`."""
    for server in parse_listing(chunks):
        address = None if server is None else _parse_connection(server.connection)
        if server is None or address is None:
            yield None
            continue
        protocol = LISTED if is_code_address(address) else OPENTTD
        yield describe_server(ListedReply(address, server.reply), protocol, read_openttd_reply, games)


def _parse_connection(text: str) -> Address | None:
    """Return the address, or the one that stands for an invite code.

    None if it is neither.
    """
    try:
        address = code_address("openttd", text) if text.startswith(_CODE_MARK) else parse_address(text)
    except ValueError:
        return None
    return address if is_queryable_address(address) else None
