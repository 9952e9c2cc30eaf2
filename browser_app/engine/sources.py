"""What the user says is to be asked (SOURCE of the command line): games, masters, servers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from browser_app.catalogue.facts import Target
from browser_app.engine.address_rules import Reach, is_possible, reach_of
from browser_app.engine.lan import lan_master
from browser_app.engine.listed import MAX_FILE_BYTES, targets_of_list
from browser_app.engine.master_source import (
    DpMaster,
    FileMaster,
    LanMaster,
    MasterSource,
    SteamNetworkMaster,
    SteamWebMaster,
    WebListMaster,
)
from browser_app.engine.resolve import is_ip
from browser_app.games.games import Games
from browser_app.games.master_url import what_is_wrong
from browser_app.language import gettext as _
from browser_app.protocols.address import Address, normal_host
from browser_app.protocols.server_list import ListError, parse_server_url

_DARKPLACES_NUMBER = 3
"""NET_PROTOCOL_VERSION, the same for all games on the DarkPlaces engine."""
_KEY = re.compile(r"(?i)([a-z_-]{0,40}(?:key|token|password|secret)=)[^&#\s]*")
"""The bound on the name's beginning keeps long texts from being gone through again at each of their letters."""
_USER = re.compile(r"(//)[^/?#@]*@")


@dataclass(frozen=True, slots=True)
class Sources:
    """Everything that is to be asked, each once."""

    masters: tuple[MasterSource, ...] = ()
    servers: tuple[Target, ...] = ()
    """Named by the user; hosts may be names."""


def parse_sources(
    games: Games,
    *,
    game_ids: Iterable[str] = (),
    masters: Iterable[str] = (),
    servers: Iterable[str] = (),
    lan: bool = False,
) -> Sources:
    """Read what the command line or the settings name.

    Args:
        games: the profiles.
        game_ids: profiles whose masters are meant.
        masters: URLs of masters.
        servers: URLs of servers.
        lan: the local network is meant too.

    Raises:
        ValueError: which one is wrong, and why. No key is ever in the text.
    """
    found: dict[str, MasterSource] = {}
    for url, source in _all_masters(games, game_ids, masters):
        known = found.get(url)
        found[url] = source if known is None else _shared(known, source)
    if lan:
        local = lan_master(games.values())
        found[local.url] = local
    return Sources(tuple(found.values()), tuple(dict.fromkeys(parse_server(url) for url in servers)))


def _all_masters(games: Games, game_ids: Iterable[str], masters: Iterable[str]) -> Iterable[tuple[str, MasterSource]]:
    for game in game_ids:
        if game not in games:
            raise ValueError(_("no game {game!r}; there are {games}").format(game=game, games=", ".join(games)))
        for url in games[game].masters:
            yield url, _of_game(parse_master(url, games), game, games)
    for url in masters:
        yield url, parse_master(url, games)


def _of_game(source: MasterSource, game: str, games: Games) -> MasterSource:
    """A master of a profile lists that profile's servers, even where others use the same words."""
    if isinstance(source, DpMaster):
        return replace(source, game=game, protocol=games[game].protocol)
    return replace(source, game=game) if isinstance(source, SteamWebMaster | SteamNetworkMaster) else source


def _shared(one: MasterSource, other: MasterSource) -> MasterSource:
    """One master that was named twice: only the answers tell whose servers it lists."""
    return one if one == other or isinstance(one, WebListMaster | FileMaster | LanMaster) else replace(one, game=None)


def parse_server(url: str) -> Target:
    """Read a server's URL.

    Raises:
        ValueError: the URL, and what is wrong with it.
    """
    shown = without_keys(url)  # no server's URL has a key, so one that has is as wrong without it
    try:
        protocol, address = parse_server_url(shown)
    except ValueError as error:
        raise ValueError(f"{shown!r}: {error}") from None
    if is_ip(address.host) and not is_possible(address):
        raise ValueError(f"{url!r}: no server can be at {address}")
    return Target(address, protocol, None)


def parse_master(url: str, games: Games) -> MasterSource:
    """Read a master's URL; a list in a file is read at once.

    Raises:
        ValueError: the URL, and what is wrong with it; of a list in a file `FILE:LINE: field: what is wrong`.
    """
    shown = without_keys(url)
    wrong = what_is_wrong(shown)
    if wrong:
        raise ValueError(wrong)
    scheme = url.partition(":")[0]
    if scheme == "file":
        return _file(url, games)
    try:
        if scheme == "dpmaster":
            return _dpmaster(url, games)
        if scheme.startswith("json+"):
            return _web_list(url, shown, games)
        return _steam(url, scheme, games)
    except ValueError as error:
        raise ValueError(f"{shown!r}: {error}") from None


def _dpmaster(url: str, games: Games) -> DpMaster:
    parts = urlsplit(url)
    _, gamename, number = parts.path.split("/")
    address = Address(normal_host(parts.hostname or ""), parts.port or 0)
    claimants = _claimants(gamename, int(number), games)
    protocols = {games[game].protocol for game in claimants}
    fallback = "darkplaces" if int(number) == _DARKPLACES_NUMBER else "quake3"
    return DpMaster(
        url=url,
        address=address,
        gamename=gamename,
        number=int(number),
        protocol=protocols.pop() if len(protocols) == 1 else fallback,
        game=claimants[0] if len(claimants) == 1 else None,
    )


def _claimants(gamename: str, number: int, games: Games) -> list[str]:
    """Profiles that ask their masters for this game's name and protocol."""
    path = f"/{gamename}/{number}"
    return [
        game
        for game, profile in games.items()
        if any(url.startswith("dpmaster:") and urlsplit(url).path == path for url in profile.masters)
    ]


def _steam(url: str, scheme: str, games: Games) -> SteamWebMaster | SteamNetworkMaster:
    parts = urlsplit(url)
    appid = int(parse_qs(parts.query)["appid"][0])
    profile = games.identify("a2s", appid=appid)
    game = profile.id if profile else None
    if scheme == "steam-network":
        return SteamNetworkMaster(url, appid, game)
    host = normal_host(parts.hostname or "")
    if scheme == "steam-web+http" and is_ip(host) and reach_of(host) is Reach.INTERNET:
        raise ValueError(_("a key goes over the Internet by https only"))
    return SteamWebMaster(url, f"{scheme.removeprefix('steam-web+')}://{parts.netloc}", appid, game)


def _web_list(url: str, shown: str, games: Games) -> WebListMaster:
    normal_host(urlsplit(url).hostname or "")
    return WebListMaster(shown, url.removeprefix("json+"), frozenset(games))


def _file(url: str, games: Games) -> FileMaster:
    path = url.removeprefix("file:")
    if path.startswith("//"):  # file:///PATH, as browsers write it
        path = unquote(urlsplit(url).path)
    try:
        return FileMaster(url, targets_of_list(_content(Path(path)), games))
    except ListError as error:
        place = path if error.line is None else f"{path}:{error.line}"
        raise ValueError(f"{place}: {error}") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or _('cannot be read')}") from None


def _content(path: Path) -> bytes:
    try:
        path = path.expanduser()
    except RuntimeError:
        raise ListError(_("no such user")) from None
    try:
        file = path.open("rb")
    except ValueError:
        raise ListError(_("no file can have this name")) from None
    with file:
        body = file.read(MAX_FILE_BYTES + 1)
    if len(body) > MAX_FILE_BYTES:
        raise ListError(_("larger than {n} MiB").format(n=MAX_FILE_BYTES >> 20))
    return body


def without_keys(url: str) -> str:
    """A URL that may be shown: keys and passwords in it are made unreadable."""
    return _USER.sub(r"\1…@", _KEY.sub(r"\1…", url))
