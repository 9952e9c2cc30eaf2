"""Links that name several servers, for sharing a list.

`readyroom://list?server=PROTOCOL://HOST:PORT[/GAME[/NAME]]&server=…`, each value percent-encoded. Names are what the
sender saw: they are shown, also of new favourites, until the servers report their own.
"""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

from browser_app.language import gettext as _
from browser_app.protocols.address import Address, shorten
from browser_app.protocols.coloured_text import plain_text
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.server_code import is_code_address
from browser_app.protocols.server_link import GAME_ID, SCHEME, has_unprintable
from browser_app.protocols.server_url import is_queryable_address, parse_server_url

MAX_LIST_SERVERS = 50
MAX_LIST_LINK_LENGTH = 6000
"""Maximum length in characters, which chat programs and the hand-over to a running window accept."""
MAX_SHARED_NAME = 60

_LIST_PREFIX = f"{SCHEME}://list?"


class SharedServer(NamedTuple):
    """One server of a link."""

    protocol: str
    address: Address
    """Query address; its host may be a name."""
    game: str | None = None
    """Id of a game profile as in the link; it may not exist."""
    name: str = ""
    """Plain text, for display only."""

    @property
    def url(self) -> str:
        """Its server URL."""
        return f"{self.protocol}://{self.address}"


def is_list_link(text: str) -> bool:
    """Return whether a text is meant as a link to a list."""
    return text.strip().lower().startswith(_LIST_PREFIX)


def may_be_shared(protocol: str, address: Address) -> bool:
    """Return whether a link can name a server: one that can be queried by its address."""
    return not QUERY_PROTOCOLS[protocol].is_listed_only and not is_code_address(address)


def format_list_link(servers: Sequence[SharedServer]) -> tuple[str, int]:
    """Return a link to the first of these servers, and how many it names.

    Names are left out where it gets too long with them, then servers.
    """
    chosen = servers[:MAX_LIST_SERVERS]
    link = _format_link(chosen, with_names=True)
    if len(link) > MAX_LIST_LINK_LENGTH:
        link = _format_link(chosen, with_names=False)
    while len(link) > MAX_LIST_LINK_LENGTH:
        chosen = chosen[:-1]
        link = _format_link(chosen, with_names=False)
    return link, len(chosen)


def _format_link(servers: Sequence[SharedServer], *, with_names: bool) -> str:
    values = [("server", _format_server(server, with_name=with_names)) for server in servers]
    return _LIST_PREFIX + urlencode(values, safe="/:[]", errors="replace", quote_via=quote)


def _format_server(server: SharedServer, *, with_name: bool) -> str:
    name = server.name[:MAX_SHARED_NAME] if with_name else ""
    path = f"/{server.game or ''}" + (f"/{name}" if name else "")
    return server.url + (path if path != "/" else "")


def parse_list_link(text: str) -> tuple[SharedServer, ...]:
    """Parse a link to a list; a server that it names twice counts once.

    Raises:
        ValueError: the link is invalid; the message is for the user and names the server.
    """
    link = text.strip()
    if not is_list_link(link):
        raise ValueError(_("not a link to a list of servers"))
    if len(link) > MAX_LIST_LINK_LENGTH:
        raise ValueError(_("longer than {n} characters").format(n=MAX_LIST_LINK_LENGTH))
    if has_unprintable(link):
        raise ValueError(_("enter a single line without control characters"))
    try:
        pairs = parse_qsl(link[len(_LIST_PREFIX) :], keep_blank_values=True, strict_parsing=True, errors="strict")
    except ValueError:
        raise ValueError(_("the part after list? is invalid")) from None
    if len(pairs) > MAX_LIST_SERVERS:
        raise ValueError(_("more than {n} servers").format(n=MAX_LIST_SERVERS))
    if not pairs:
        raise ValueError(_("it names no server"))
    servers = dict[tuple[str, Address], SharedServer]()
    for number, (key, value) in enumerate(pairs, start=1):
        try:
            server = _parse_server(key, value)
        except ValueError as error:
            raise ValueError(_("server {n}: {error}").format(n=number, error=error)) from None
        servers.setdefault((server.protocol, server.address), server)
    return tuple(servers.values())


def _parse_server(key: str, value: str) -> SharedServer:
    if key != "server":
        raise ValueError(_("unknown: {unknown}; links to lists only take server").format(unknown=shorten(key)))
    protocol, separator, rest = value.partition("://")
    address_text, _separator, rest = rest.partition("/")
    game, _separator, name = rest.partition("/")
    protocol, address = parse_server_url(f"{protocol}{separator}{address_text}")
    if not is_queryable_address(address) or not may_be_shared(protocol, address):
        raise ValueError(_("{address} cannot be a server address").format(address=address))
    if game and not GAME_ID.match(game):
        raise ValueError(_("invalid game: “{game}”").format(game=shorten(game)))
    plain = " ".join(plain_text(name).split())
    return SharedServer(protocol, address, game or None, plain[:MAX_SHARED_NAME])
