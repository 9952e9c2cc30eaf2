"""Games, master servers and servers that the user wants to query."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.lan_discovery import make_lan_master
from browser_app.engine.masters.master_types import (
    DpMaster,
    FileMaster,
    LanMaster,
    MasterSource,
    SteamNetworkMaster,
    SteamWebMaster,
    WebListMaster,
)
from browser_app.engine.masters.web_masters import MAX_FILE_BYTES, parse_target_list
from browser_app.engine.network.address_rules import NetworkScope, is_valid_server_address, network_scope
from browser_app.engine.network.host_resolver import is_ip_address
from browser_app.engine.network.url_redaction import redact_url
from browser_app.games.game_registry import GameRegistry
from browser_app.games.master_url import master_url_problem
from browser_app.language import gettext as _
from browser_app.protocols.address import Address, normalize_host
from browser_app.protocols.community_list import ServerListError
from browser_app.protocols.query_protocols import DARKPLACES, QUAKE3
from browser_app.protocols.server_url import parse_server_url

_DARKPLACES_PROTOCOL_NUMBER = 3
"""NET_PROTOCOL_VERSION of all games on the DarkPlaces engine."""


@dataclass(frozen=True, slots=True)
class QuerySources:
    """Masters and servers to query, without duplicates."""

    masters: tuple[MasterSource, ...] = ()
    servers: tuple[QueryTarget, ...] = ()
    """Servers given by the user; hosts may be names."""


def parse_sources(
    games: GameRegistry,
    *,
    game_ids: Iterable[str] = (),
    masters: Iterable[str] = (),
    servers: Iterable[str] = (),
    lan: bool = False,
) -> QuerySources:
    """Parse the sources given by the command line or the settings.

    Raises:
        ValueError: A source is invalid; the text says which and why, and never contains a key.
    """
    found: dict[str, MasterSource] = {}
    for url, source in _named_masters(games, game_ids, masters):
        known = found.get(url)
        found[url] = source if known is None else _merge_duplicate(known, source)
    if lan:
        local = make_lan_master(games.values())
        found[local.url] = local
    return QuerySources(tuple(found.values()), tuple(dict.fromkeys(parse_server_source(url) for url in servers)))


def _named_masters(
    games: GameRegistry, game_ids: Iterable[str], masters: Iterable[str]
) -> Iterable[tuple[str, MasterSource]]:
    for game in game_ids:
        if game not in games:
            raise ValueError(_("unknown game {game!r}; available: {games}").format(game=game, games=", ".join(games)))
        for url in games[game].masters:
            yield url, _for_game(parse_master_source(url, games), game, games)
    for url in masters:
        yield url, parse_master_source(url, games)


def _for_game(source: MasterSource, game: str, games: GameRegistry) -> MasterSource:
    """Return a master of a profile with that profile's game, even if others use the same game name."""
    if isinstance(source, DpMaster):
        return replace(source, game=game, protocol=games[game].protocol)
    return replace(source, game=game) if isinstance(source, SteamWebMaster | SteamNetworkMaster) else source


def _merge_duplicate(one: MasterSource, other: MasterSource) -> MasterSource:
    """Merge a master that was given twice: which game its servers run is then only known from their replies."""
    return one if one == other or isinstance(one, WebListMaster | FileMaster | LanMaster) else replace(one, game=None)


def parse_server_source(url: str) -> QueryTarget:
    """Parse a server's URL.

    Raises:
        ValueError: The URL is invalid; the text contains it and the reason.
    """
    shown = redact_url(url)  # server URLs have no keys, so one with a key is as invalid without it
    try:
        protocol, address = parse_server_url(shown)
    except ValueError as error:
        raise ValueError(f"{shown!r}: {error}") from None
    if is_ip_address(address.host) and not is_valid_server_address(address):
        raise ValueError(f"{url!r}: no server can be at {address}")
    return QueryTarget(address, protocol, None)


def parse_master_source(url: str, games: GameRegistry) -> MasterSource:
    """Parse a master's URL; a list in a file is read at once.

    Raises:
        ValueError: The URL is invalid; the text contains it and the reason. For a list in a file it is `FILE:LINE:
            field: reason`.
    """
    shown = redact_url(url)
    wrong = master_url_problem(shown)
    if wrong:
        raise ValueError(wrong)
    scheme = url.partition(":")[0]
    if scheme == "file":
        return _parse_file_list(url, games)
    try:
        if scheme == "dpmaster":
            return _parse_dpmaster(url, games)
        if scheme.startswith("json+"):
            return _parse_web_list(url, shown, games)
        return _parse_steam_master(url, scheme, games)
    except ValueError as error:
        raise ValueError(f"{shown!r}: {error}") from None


def _parse_dpmaster(url: str, games: GameRegistry) -> DpMaster:
    parts = urlsplit(url)
    _, gamename, number = parts.path.split("/")
    address = Address(normalize_host(parts.hostname or ""), parts.port or 0)
    claimants = _claiming_games(gamename, int(number), games)
    protocols = {games[game].protocol for game in claimants}
    fallback = DARKPLACES if int(number) == _DARKPLACES_PROTOCOL_NUMBER else QUAKE3
    return DpMaster(
        url=url,
        address=address,
        gamename=gamename,
        protocol_number=int(number),
        protocol=protocols.pop() if len(protocols) == 1 else fallback,
        game=claimants[0] if len(claimants) == 1 else None,
    )


def _claiming_games(gamename: str, number: int, games: GameRegistry) -> list[str]:
    """Return the profiles that ask their masters for this game name and protocol number."""
    path = f"/{gamename}/{number}"
    return [
        game
        for game, profile in games.items()
        if any(url.startswith("dpmaster:") and urlsplit(url).path == path for url in profile.masters)
    ]


def _parse_steam_master(url: str, scheme: str, games: GameRegistry) -> SteamWebMaster | SteamNetworkMaster:
    parts = urlsplit(url)
    appid = int(parse_qs(parts.query)["appid"][0])
    profile = games.identify(appid=appid)
    game = profile.id if profile else None
    if scheme == "steam-network":
        return SteamNetworkMaster(url, appid, game)
    host = normalize_host(parts.hostname or "")
    if scheme == "steam-web+http" and is_ip_address(host) and network_scope(host) is NetworkScope.INTERNET:
        raise ValueError(_("keys are only sent over HTTPS"))
    return SteamWebMaster(url, f"{scheme.removeprefix('steam-web+')}://{parts.netloc}", appid, game)


def _parse_web_list(url: str, shown: str, games: GameRegistry) -> WebListMaster:
    normalize_host(urlsplit(url).hostname or "")
    return WebListMaster(shown, url.removeprefix("json+"), frozenset(games))


def _parse_file_list(url: str, games: GameRegistry) -> FileMaster:
    path = url.removeprefix("file:")
    if path.startswith("//"):  # file:///PATH, as browsers write it
        path = unquote(urlsplit(url).path)
    try:
        return FileMaster(url, parse_target_list(_read_list_file(Path(path)), games))
    except ServerListError as error:
        place = path if error.line is None else f"{path}:{error.line}"
        raise ValueError(f"{place}: {error}") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or _('cannot be read')}") from None


def _read_list_file(path: Path) -> bytes:
    try:
        path = path.expanduser()
    except RuntimeError:
        raise ServerListError(_("no such user")) from None
    try:
        file = path.open("rb")
    except ValueError:
        raise ServerListError(_("invalid file name")) from None
    with file:
        body = file.read(MAX_FILE_BYTES + 1)
    if len(body) > MAX_FILE_BYTES:
        raise ServerListError(_("larger than {n} MiB").format(n=MAX_FILE_BYTES >> 20))
    return body
