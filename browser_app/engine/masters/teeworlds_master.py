"""Master servers of Teeworlds 0.7 over UDP."""

import secrets
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.master_source import MasterKind, MasterSource, parse_url_host
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.masters.udp_master_client import UdpMasterTiming, poll_udp_master
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster import ServersPacket
from browser_app.protocols.query_protocols import TEEWORLDS07
from browser_app.protocols.teeworlds.teeworlds_master import TeeworldsMasterExchange


@dataclass(frozen=True, slots=True)
class TeeworldsMaster(MasterSource):
    """A master of Teeworlds 0.7."""

    address: Address
    """Its host may be a name."""

    def poll(self, sink: TargetSink, timing: UdpMasterTiming | None = None) -> str | None:
        """Pass the master's servers to `sink` as they arrive."""
        return poll_udp_master(
            self.address, lambda _host: _ServerListExchange(), _make_target, sink, timing or UdpMasterTiming()
        )


class _ServerListExchange:
    """The exchange with one address; any part of a list may be the last."""

    def __init__(self) -> None:
        self._exchange = TeeworldsMasterExchange(secrets.token_bytes(4))

    def build_request(self) -> bytes:
        return self._exchange.build_request()

    def receive(self, data: bytes) -> ServersPacket | None:
        addresses = self._exchange.receive(data)
        return None if addresses is None else ServersPacket(addresses, is_last=True)


def _make_target(address: Address) -> QueryTarget:
    return QueryTarget(address, TEEWORLDS07, None)


def _parse(url: str, _games: GameRegistry) -> TeeworldsMaster:
    return TeeworldsMaster(url, Address(parse_url_host(url), urlsplit(url).port or 0))


def _matches(parts: SplitResult) -> bool:
    return bool(parts.hostname and parts.port) and parts.path in ("", "/") and not parts.query


TEEWORLDS_MASTER = MasterKind(("teeworlds+udp://HOST:PORT",), _matches, _parse)
