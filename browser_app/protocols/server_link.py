"""Links and texts that name one server, as people paste them.

- `192.0.2.7:27015`: a game or query address; the text does not distinguish them
- `a2s://…`, `quake3://…`, `darkplaces://…`: a query address
- `steam://connect/HOST:PORT[/PASSWORD]`: a link for Steam's games
- `quake3://connect/HOST:PORT`: a link for ioquake3 (`--uri`)
- `connect HOST:PORT; password SECRET`: console commands, in either order
- `readyroom://join?server=[PROTOCOL://]HOST:PORT[&game=ID]`: our own, for web pages; without the protocol, it may be a
  game or query address
"""

import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote

from browser_app.language import gettext as _
from browser_app.protocols.address import Address, parse_address, shorten
from browser_app.protocols.query_protocols import A2S
from browser_app.protocols.server_url import is_queryable_address, parse_server_url

SCHEME = "readyroom"
MAX_LINK_LENGTH = 512
"""Maximum length in characters; the longest host name and password fit."""

_JOIN_PREFIX = f"{SCHEME}://join?"
_STEAM_PORT = 27015
"""Default port of Steam's games."""
GAME_ID = re.compile(r"[a-z0-9-]{1,40}\Z")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_PASSWORD = re.compile(r'[^\s";]{1,64}\Z')


@dataclass(frozen=True, slots=True)
class ServerLink:
    """One server as named in a link or text."""

    address: Address
    protocol: str | None = None
    """None if the text has none."""
    game: str | None = None
    """Id of a game profile as in the text; it may not exist."""
    is_query: bool = False
    """The address is a query address; else it is, or may be, the address that the game connects to."""
    password: str | None = field(default=None, repr=False)


def parse_server_text(text: str) -> ServerLink:
    """Parse any of the forms.

    Raises:
        ValueError: the text has none of the forms or an impossible address; the message is for the user.
    """
    text = text.strip()
    if not text:
        raise ValueError(_("enter an address, e.g. 192.0.2.7:27015"))
    if len(text) > MAX_LINK_LENGTH:
        raise ValueError(_("longer than {n} characters").format(n=MAX_LINK_LENGTH))
    if has_unprintable(text.replace("\t", " ")):
        raise ValueError(_("enter a single line without control characters"))
    link = _parse_text(text)
    if not is_queryable_address(link.address):
        raise ValueError(_("{address} cannot be a server address").format(address=link.address))
    return link


def has_unprintable(text: str) -> bool:
    """Return whether a text has control, direction or invisible characters."""
    return _UNPRINTABLE.search(text) is not None


def parse_join_link(url: str) -> ServerLink:
    """Parse only `readyroom://join?server=[PROTOCOL://]HOST:PORT[&game=ID]`.

    Raises:
        ValueError: the link is invalid; the message is for the user.
    """
    if not url.lower().startswith(_JOIN_PREFIX):
        text = _("only {join}server=PROTOCOL://HOST:PORT is supported, not “{url}”")
        raise ValueError(text.format(join=_JOIN_PREFIX, url=shorten(url)))
    try:
        pairs = parse_qsl(url[len(_JOIN_PREFIX) :], keep_blank_values=True, strict_parsing=True, errors="strict")
    except ValueError:
        raise ValueError(_("the part after join? is invalid")) from None
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError(_("a parameter is given twice"))
    unknown = [shorten(key) for key in values if key not in ("server", "game")]
    if unknown:
        raise ValueError(_("unknown: {unknown}; links only take server and game").format(unknown=", ".join(unknown)))
    if "server" not in values:
        raise ValueError(_("server=PROTOCOL://HOST:PORT is missing"))
    game = values.get("game")
    if game is not None and not GAME_ID.match(game):
        raise ValueError(_("invalid game: “{game}”").format(game=shorten(game)))
    if "://" not in values["server"]:
        return ServerLink(parse_address(values["server"]), None, game)
    protocol, address = parse_server_url(values["server"])
    return ServerLink(address, protocol, game, is_query=True)


def format_join_link(protocol: str, address: Address, game: str | None = None) -> str:
    """Return the join link of a server."""
    return f"{_JOIN_PREFIX}server={protocol}://{address}" + (f"&game={game}" if game else "")


def _parse_text(text: str) -> ServerLink:
    scheme, separator, rest = text.partition("://")
    scheme = scheme.lower()
    if not separator:
        return _parse_console_line(text)
    if scheme == SCHEME:
        return parse_join_link(text)
    if scheme == "steam":
        return _parse_steam_link(rest)
    if rest.lower().startswith("connect/"):
        protocol, address = parse_server_url(f"{scheme}://{rest[len('connect/') :]}")
        return ServerLink(address, protocol)
    protocol, address = parse_server_url(f"{scheme}://{rest}")
    return ServerLink(address, protocol, is_query=True)


def _parse_steam_link(rest: str) -> ServerLink:
    action, _separator, target = rest.partition("/")
    address, _separator, password = target.partition("/")
    if action.lower() != "connect":
        raise ValueError(_("steam://connect/HOST:PORT is the only supported Steam link"))
    return ServerLink(
        parse_address(address, _STEAM_PORT), A2S, password=_validate_password(unquote(password.rstrip("/")))
    )


def _parse_console_line(text: str) -> ServerLink:
    """Parse `connect HOST:PORT` and an optional `password SECRET`.

    The word `connect` may be left out.
    """
    address, password = None, None
    for command in text.split(";"):
        word, _separator, value = command.strip().partition(" ")
        value = value.strip().strip('"')
        if not command.strip():
            continue
        if word.lower() == "password" and value and password is None:
            password = value
        elif address is None:
            address = parse_address(value if word.lower() == "connect" else command.strip())
        else:
            raise ValueError(_("more than one server given: “{text}”").format(text=shorten(command.strip())))
    if address is None:
        raise ValueError(_("enter an address, e.g. connect 192.0.2.7:27015"))
    return ServerLink(address, password=_validate_password(password or ""))


def _validate_password(password: str) -> str | None:
    if password and not _PASSWORD.match(password):
        raise ValueError(_("the password has characters that games do not accept"))
    return password or None
