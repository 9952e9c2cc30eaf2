"""Master servers over HTTP: the Steam Web API and community lists.

The HTTP client is imported by the first poll: importing it takes a fifth of the program's start-up time.
"""

from collections.abc import Container, Iterable

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.master_types import SteamWebMaster, WebListMaster
from browser_app.engine.masters.steam_key_request import SteamKeyRequest
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.network.request_errors import RequestError
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.protocols.community_list import ListedServer, parse_server_list, parse_server_list_leniently
from browser_app.protocols.query_protocols import A2S
from browser_app.protocols.steam_server_list import parse_steam_servers, server_filter, server_list_request

MAX_LIST_BYTES = 4 << 20
"""Maximum size of a community list on the web."""
MAX_FILE_BYTES = 16 << 20
"""Maximum size of a list in a file."""


def parse_target_list(body: bytes, game_ids: Container[str]) -> tuple[QueryTarget, ...]:
    """Parse a list; hosts may be names, and a game that is not in `game_ids` becomes None.

    Raises:
        ServerListError: The list is invalid; the error has the place.
    """
    return _to_targets(parse_server_list(body), game_ids)


def parse_target_list_leniently(body: bytes, game_ids: Container[str]) -> tuple[tuple[QueryTarget, ...], int]:
    """Parse a list from the web; also return how many entries were not understood.

    Raises:
        ServerListError: The document is not a server list.
    """
    servers, not_understood = parse_server_list_leniently(body)
    return _to_targets(servers, game_ids), not_understood


def _to_targets(servers: Iterable[ListedServer], game_ids: Container[str]) -> tuple[QueryTarget, ...]:
    return tuple(
        QueryTarget(server.address, server.protocol, server.game if server.game in game_ids else None)
        for server in servers
    )


class SteamKeyMissingError(RequestError):
    """The master needs a Steam Web API key and the user has none."""


def poll_steam_web(master: SteamWebMaster, sink: TargetSink, steam_key: SteamKeyRequest) -> None:
    """Pass the servers that Steam's Web API lists to `sink`.

    Raises:
        SteamKeyMissingError: There is no key.
        RequestError: No list was received.
    """
    from browser_app.engine.network.http_client import fetch_document

    key = steam_key.get(sink.cancel_token)
    if not key:
        raise SteamKeyMissingError(_("needs a Steam Web API key"))
    request = server_list_request(server_filter({"appid": master.appid}), key)
    document = fetch_document(master.base_url + request.path, sink.cancel_token, secret_params=request.params)
    try:
        servers = parse_steam_servers(document.body)
    except ValueError as error:
        raise RequestError(str(error)) from None
    sink.add((QueryTarget(server.address, A2S, master.game, server.game_port) for server in servers), document.scope)


def poll_web_list(master: WebListMaster, sink: TargetSink) -> str | None:
    """Pass the servers of a community list to `sink`.

    Returns:
        A message, such as that some entries were not understood; None if all is well.

    Raises:
        RequestError: No list was received.
    """
    from browser_app.engine.network.http_client import fetch_document

    document = fetch_document(master.location, sink.cancel_token, max_bytes=MAX_LIST_BYTES)
    try:
        targets, not_understood = parse_target_list_leniently(document.body, master.game_ids)
    except ValueError as error:
        raise RequestError(str(error)) from None
    sink.add_resolving(targets, document.scope)
    if not not_understood:
        return None
    text = ngettext(
        "{n:,} entry was not understood and left out", "{n:,} entries were not understood and left out", not_understood
    )
    return text.format(n=not_understood)
