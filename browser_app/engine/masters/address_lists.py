"""Master servers over UDP that list addresses alone."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.master_source import MasterKind, MasterSource, create_host_port_kind
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.masters.udp_master_client import ListExchange, UdpMasterTiming, poll_udp_master
from browser_app.protocols import query_protocols
from browser_app.protocols.address import Address
from browser_app.protocols.doom import doom_masters
from browser_app.protocols.quake import quake_master_lists
from browser_app.protocols.quake.dpmaster import ServersPacket
from browser_app.protocols.quake.quake_master_lists import AddressListFormat, parse_address_list
from browser_app.protocols.teeworlds.teeworlds_master import TeeworldsMasterExchange


class UdpListKind(NamedTuple):
    """A kind of masters over UDP, each of which lists servers of one query protocol."""

    name: str
    """First part of the scheme of its URLs."""
    protocol: str
    """Query protocol of the servers."""
    new_exchange: Callable[[], ListExchange]


class _TeeworldsListExchange:
    """The exchange with one master of Teeworlds; any part may be the last."""

    def __init__(self) -> None:
        self._exchange = TeeworldsMasterExchange(secrets.token_bytes(4))

    def build_request(self) -> bytes:
        return self._exchange.build_request()

    def receive(self, data: bytes) -> ServersPacket | None:
        addresses = self._exchange.receive(data)
        return None if addresses is None else ServersPacket(addresses, is_last=True)


class _OneRequestExchange:
    """The exchange with one master that sends its list at once."""

    def __init__(self, request: bytes, parse: Callable[[bytes], ServersPacket]) -> None:
        self._request, self._parse = request, parse

    def build_request(self) -> bytes:
        return self._request

    def receive(self, data: bytes) -> ServersPacket:
        return self._parse(data)


def _parse_quake_list(list_format: AddressListFormat, data: bytes) -> ServersPacket:
    """Parse a part of an early Quake master's list; any part may be the last."""
    return ServersPacket(parse_address_list(data, list_format), is_last=True)


def _one_request(request: bytes, parse: Callable[[bytes], ServersPacket]) -> Callable[[], ListExchange]:
    return lambda: _OneRequestExchange(request, parse)


def _quake_list(list_format: AddressListFormat) -> Callable[[], ListExchange]:
    return _one_request(list_format.request, partial(_parse_quake_list, list_format))


UDP_LIST_KINDS = (
    UdpListKind("teeworlds", query_protocols.TEEWORLDS07, _TeeworldsListExchange),
    UdpListKind("quakeworld", query_protocols.QUAKEWORLD, _quake_list(quake_master_lists.QUAKEWORLD_LIST)),
    UdpListKind("hexenworld", query_protocols.HEXENWORLD, _quake_list(quake_master_lists.HEXENWORLD_LIST)),
    UdpListKind("quake2", query_protocols.QUAKE2, _quake_list(quake_master_lists.QUAKE2_LIST)),
    UdpListKind("quetoo", query_protocols.QUAKE2, _quake_list(quake_master_lists.QUETOO_LIST)),
    UdpListKind(
        "zandronum",
        query_protocols.ZANDRONUM,
        _one_request(doom_masters.ZANDRONUM_LIST_REQUEST, doom_masters.parse_zandronum_list),
    ),
    UdpListKind(
        "odamex", query_protocols.ODAMEX, _one_request(doom_masters.ODAMEX_LIST, doom_masters.parse_odamex_list)
    ),
    UdpListKind(
        "chocolate-doom",
        query_protocols.CHOCOLATE_DOOM,
        _one_request(doom_masters.CHOCOLATE_LIST_REQUEST, doom_masters.parse_chocolate_list),
    ),
)


@dataclass(frozen=True, slots=True)
class UdpListMaster(MasterSource):
    """A master of one of the `UDP_LIST_KINDS`.

    Which game a server runs is known from its reply.
    """

    address: Address
    """Its host may be a name."""
    kind: UdpListKind

    def poll(self, sink: TargetSink, timing: UdpMasterTiming | None = None) -> str | None:
        """Pass the master's servers to `sink` as they arrive."""

        def build_target(address: Address) -> QueryTarget:
            return QueryTarget(address, self.kind.protocol, None)

        return poll_udp_master(
            self.address, lambda _host: self.kind.new_exchange(), build_target, sink, timing or UdpMasterTiming()
        )


def _create_kind(kind: UdpListKind) -> MasterKind:
    return create_host_port_kind(f"{kind.name}+udp", lambda url, address, _games: UdpListMaster(url, address, kind))


UDP_LISTS = tuple(map(_create_kind, UDP_LIST_KINDS))
"""One `MasterKind` for each row."""
