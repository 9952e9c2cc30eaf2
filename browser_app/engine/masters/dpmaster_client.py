"""Client for dpmaster and id Software master servers over UDP."""

import re
from dataclasses import dataclass, replace
from urllib.parse import SplitResult, urlsplit

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.master_source import MasterKind, MasterSource, parse_url_host
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.masters.udp_master_client import ListExchange, UdpMasterTiming, poll_udp_master
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster import ServersPacket, encode_servers_request, parse_servers_packet
from browser_app.protocols.query_protocols import DARKPLACES, QUAKE3

_DARKPLACES_PROTOCOL_NUMBER = 3
"""NET_PROTOCOL_VERSION of all games on the DarkPlaces engine."""
_GAME_AND_PROTOCOL = re.compile(r"/[!-.0-~]{0,63}/\d{1,9}")


@dataclass(frozen=True, slots=True)
class DpMaster(MasterSource):
    """A dpmaster or one of id Software's masters."""

    address: Address
    """Its host may be a name."""
    gamename: str
    """Empty for anonymous games."""
    protocol_number: int
    """The game's network protocol."""
    protocol: str
    """Query protocol of its servers."""
    game: str | None
    """Game profile of its servers, None if several or none claim it."""

    def for_game(self, profile: GameProfile | None, /) -> "DpMaster":
        """Return it as a master of one game, or of none in particular.

        Others may use the same game name.
        """
        if profile is None:
            return replace(self, game=None)
        return replace(self, game=profile.id, protocol=profile.protocol)

    def poll(self, sink: TargetSink, timing: UdpMasterTiming | None = None) -> str | None:
        """Pass the master's servers to `sink` as they arrive.

        IPv4 servers are requested from the master's first IPv4 address, servers of both families from its first IPv6
        one. The message is None if the list is complete.
        """

        def build_target(address: Address) -> QueryTarget:
            return QueryTarget(address, self.protocol, self.game)

        return poll_udp_master(self.address, self._open_exchange, build_target, sink, timing or UdpMasterTiming())

    def _open_exchange(self, host: str) -> ListExchange:
        has_ipv6 = ":" in host and bool(self.gamename)
        return _DpMasterExchange(encode_servers_request(self.gamename, self.protocol_number, ipv6=has_ipv6))


class _DpMasterExchange:
    """One request, whose replies are parts of the list."""

    def __init__(self, request: bytes) -> None:
        self._request = request

    def build_request(self) -> bytes:
        return self._request

    def receive(self, data: bytes) -> ServersPacket:
        return parse_servers_packet(data)


def _parse(url: str, games: GameRegistry) -> DpMaster:
    host, parts = parse_url_host(url), urlsplit(url)
    _sign, gamename, number = parts.path.split("/")
    claimants = [game for game, profile in games.items() if _is_claimed(parts.path, profile)]
    protocols = {games[game].protocol for game in claimants}
    fallback = DARKPLACES if int(number) == _DARKPLACES_PROTOCOL_NUMBER else QUAKE3
    return DpMaster(
        url=url,
        address=Address(host, parts.port or 0),
        gamename=gamename,
        protocol_number=int(number),
        protocol=protocols.pop() if len(protocols) == 1 else fallback,
        game=claimants[0] if len(claimants) == 1 else None,
    )


def _is_claimed(path: str, profile: GameProfile) -> bool:
    """Return whether a profile claims the game and protocol of a URL path.

    Its masters are then polled for this game name and protocol number.
    """
    return any(url.startswith("dpmaster:") and urlsplit(url).path == path for url in profile.masters)


def _matches(parts: SplitResult) -> bool:
    return bool(parts.hostname and parts.port and _GAME_AND_PROTOCOL.fullmatch(parts.path) and not parts.query)


DPMASTER = MasterKind(("dpmaster://HOST:PORT/GAMENAME/PROTOCOL",), _matches, _parse)
