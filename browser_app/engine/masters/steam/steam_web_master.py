"""Steam's Web API as a master server, and servers that implement it.

The HTTP client is imported by the first poll: importing it takes a fifth of the program's start-up time.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import SplitResult, urlsplit

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.master_source import MasterKind, MasterSource, parse_url_host
from browser_app.engine.masters.steam.steam_key_request import SteamKeyMissingError
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.network.address_rules import NetworkScope, network_scope
from browser_app.engine.network.host_resolver import is_ip_address
from browser_app.engine.network.request_errors import RequestError
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry
from browser_app.language import gettext as _
from browser_app.protocols.master_lists.steam_server_list import (
    SteamListError,
    SteamServer,
    build_server_list_request,
    build_steam_filter,
    parse_steam_servers,
)
from browser_app.protocols.query_protocols import A2S

_APPID = re.compile(r"appid=[1-9]\d{0,9}")


@dataclass(frozen=True, slots=True)
class SteamMaster(MasterSource):
    """A master that lists the servers of one Steam app."""

    appid: int
    game: str | None

    def for_game(self, profile: GameProfile | None, /) -> "SteamMaster":
        """Return it as a master of one game, or of none in particular."""
        return replace(self, game=profile.id if profile else None)


@dataclass(frozen=True, slots=True)
class SteamWebMaster(SteamMaster):
    """Steam's Web API, or a server that implements it."""

    base_url: str
    """`https://HOST[:PORT]` or with `http`."""

    def poll(self, sink: TargetSink) -> None:
        """Pass the servers that Steam's Web API lists to `sink`."""
        from browser_app.engine.network.http_client import read_document

        def read(chunks: Iterator[bytes], scope: NetworkScope) -> None:
            servers = parse_steam_servers(chunks)
            try:
                sink.add_entries(map(self._to_target, servers), scope)
            except SteamListError as error:
                raise RequestError(str(error)) from None

        key = sink.context.steam_key.get(sink.cancel_token)
        if not key:
            raise SteamKeyMissingError(_("needs a Steam Web API key"))
        request = build_server_list_request(build_steam_filter({"appid": self.appid}), key)
        with sink.parsing:
            read_document(
                self.base_url + request.path,
                sink.cancel_token,
                read,
                secret_params=request.params,
                host_budget=sink.context.host_budget,
                turn=sink.parsing,
            )

    def _to_target(self, server: SteamServer | None) -> QueryTarget | None:
        if server is None:
            return None
        return QueryTarget(server.address, A2S, self.game, server.game_port, server.players)


def names_steam_app(parts: SplitResult) -> bool:
    """Return whether a URL's query is `appid=N`."""
    return _APPID.fullmatch(parts.query) is not None


def parse_steam_app(parts: SplitResult, games: GameRegistry) -> tuple[int, str | None]:
    """Return the app id of a URL that names one, and its game.

    The game is known if a profile has that id.
    """
    appid = int(parts.query.removeprefix("appid="))
    profile = games.identify(appid=appid)
    return appid, profile.id if profile else None


def _parse(url: str, games: GameRegistry) -> SteamWebMaster:
    host, parts = parse_url_host(url), urlsplit(url)
    scheme = parts.scheme.removeprefix("steam-web+")
    if scheme == "http" and is_ip_address(host) and network_scope(host) is NetworkScope.INTERNET:
        raise ValueError(f"{url}: {_('keys are only sent over HTTPS')}")
    return SteamWebMaster(url, *parse_steam_app(parts, games), f"{scheme}://{parts.netloc}")


def _matches(parts: SplitResult) -> bool:
    return bool(parts.hostname) and parts.path in ("", "/") and names_steam_app(parts)


STEAM_WEB = MasterKind(
    ("steam-web+https://HOST/?appid=N", "steam-web+http://HOST/?appid=N"), _matches, _parse, is_for_own_games=True
)
