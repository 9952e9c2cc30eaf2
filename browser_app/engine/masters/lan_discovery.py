"""Discovery of servers on the local network by UDP broadcast."""

import contextlib
import logging
import selectors
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from browser_app.catalogue.server_info import QueryTarget
from browser_app.diagnostics import internal_errors
from browser_app.engine.masters.master_source import MasterSource
from browser_app.engine.masters.target_sink import MAX_SERVERS_PER_MASTER, TargetSink
from browser_app.engine.network.address_rules import NetworkScope, is_loopback, is_valid_server_address, network_scope
from browser_app.engine.network.request_errors import RequestError, os_error_text
from browser_app.engine.query.udp_sockets import BUSY_ERRNOS, MAX_DATAGRAM_BYTES, TokenGenerator, try_socket_option
from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.protocols.address import Address
from browser_app.protocols.effective_host import effective_host
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS, QueryProtocol
from browser_app.protocols.query_session import PacketError, QuerySession

_log = logging.getLogger(__name__)

LIMITED_BROADCAST = "255.255.255.255"
"""All hosts on the one network that the system chooses."""
LOOPBACK_BROADCAST = "127.255.255.255"
"""Servers on this machine that listen on all addresses; verified on Linux only."""

_SIOCGIFBRDADDR = 0x8919
"""From linux/sockios.h; the reply is a `struct ifreq` with a `sockaddr_in` after the interface's name."""
_IFREQ_BYTES = 40
_ADDRESS_BYTES = slice(20, 24)
_NO_ADDRESS = "0.0.0.0"  # noqa: S104 - only compared with, nothing binds to it


def broadcast_addresses() -> tuple[str, ...]:
    """Return the broadcast addresses that reach all IPv4 neighbours.

    This machine is first; there are no duplicates.

    On Linux these are loopback, the network of each interface (of its first address if it has several) and the limited
    broadcast; on other systems only the last.
    """
    if sys.platform != "linux":
        return (LIMITED_BROADCAST,)
    return (LOOPBACK_BROADCAST, *_interface_broadcasts(), LIMITED_BROADCAST)


def _interface_broadcasts() -> tuple[str, ...]:
    if sys.platform != "linux":
        return ()
    from fcntl import ioctl

    found: dict[str, None] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # it has no IPv4 address, or is gone
                reply = ioctl(sock, _SIOCGIFBRDADDR, struct.pack(f"{_IFREQ_BYTES}s", name.encode()))
                found[socket.inet_ntoa(reply[_ADDRESS_BYTES])] = None
    return tuple(address for address in found if address not in (_NO_ADDRESS, LIMITED_BROADCAST, LOOPBACK_BROADCAST))


PORTS_PER_GAME = 4
"""A game's default port and those after it, used by further servers on one machine: id's engines search as many on a
local network (NUM_SERVER_PORTS).
"""

_RECEIVE_BUFFER = 1 << 20
"""Bytes; all neighbours reply at the same moment."""
_CANCEL_CHECK_S = 0.1
"""Interval between checks for cancellation."""
_LOCALHOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class LanTiming:
    """Seconds."""

    rounds_s: Sequence[float] = (0.0, 0.7)
    """Times at which all requests are sent; the second round replaces lost ones."""
    gap_s: float = 0.005
    """Time between two requests, each of which goes to all networks; longer where the budget of a host says so."""
    listen_s: float = 0.8
    """Time after the last request; longer if a protocol has a longer minimum interval."""


@dataclass(frozen=True, slots=True)
class LanMaster(MasterSource):
    """The local network: servers that reply to a broadcast."""

    queries: tuple[tuple[str, int], ...]
    """Query protocol and port of each request."""
    broadcasts: tuple[str, ...] = ()
    """Their destinations; empty for all networks of this machine at the time of the poll."""

    @property
    def is_on_this_machine(self) -> bool:
        """Whether only servers of this machine receive the requests."""
        return bool(self.broadcasts) and all(is_loopback(broadcast) for broadcast in self.broadcasts)

    def poll(self, sink: TargetSink, timing: LanTiming | None = None) -> str | None:
        """Pass the servers that replied to `sink`, all at the end.

        By then the minimum interval of every protocol (DarkPlaces' flood guard) has passed, so that the servers may be
        queried at once. Only IPv4 has broadcasts. Replies from public addresses are ignored. The message says whether
        only this machine was queried; an empty list is an error.
        """
        queries = [_BroadcastQuery(QUERY_PROTOCOLS[protocol], port) for protocol, port in self.queries]
        try:
            with _BroadcastSearch(self.broadcasts or broadcast_addresses(), queries) as search:
                _run_search(search, queries, sink, timing or LanTiming())
                if not sink.cancel_token.is_cancelled:
                    sink.add(search.found_targets(), NetworkScope.THIS_MACHINE)
                return search.result_message(sink.count)
        except OSError as error:
            raise RequestError(os_error_text(error, _("the network cannot be queried"))) from None


def make_lan_master(profiles: Iterable[GameProfile]) -> LanMaster:
    """Return the local network as a master that is queried for these games."""
    queries = {
        (profile.protocol, profile.default_port + profile.query_port_offset + step)
        for profile in profiles
        if not QUERY_PROTOCOLS[profile.protocol].is_stream
        for step in range(PORTS_PER_GAME)
    }
    return LanMaster("lan:", tuple(sorted(query for query in queries if query[1] <= 65535)))


def _run_search(
    search: "_BroadcastSearch", queries: Sequence["_BroadcastQuery"], sink: TargetSink, timing: LanTiming
) -> None:
    """Send all queries and receive the replies.

    Ends when the time is over, the sink is cancelled, or no network is reachable.
    """
    began = time.monotonic()
    numbers = range(len(queries))
    starts = [began + start for start in timing.rounds_s]
    due = deque(sorted((start + number * timing.gap_s, number) for start in starts for number in numbers))
    listen_s = max([timing.listen_s, *(query.protocol.min_interval_s for query in queries)])
    next_s = began
    with selectors.DefaultSelector() as selector:
        selector.register(search.sock, selectors.EVENT_READ)
        while not sink.cancel_token.is_cancelled and search.reachable_broadcasts:
            now = time.monotonic()
            if due and due[0][0] <= now:
                wait_s = sink.context.host_budget.try_spend(*map(effective_host, search.reachable_broadcasts))
                if wait_s:
                    next_s = now + wait_s
                else:
                    search.send_query(queries[due.popleft()[1]])
                    next_s = due[0][0] if due else time.monotonic() + listen_s
            elif not due and now >= next_s:
                return
            if selector.select(min(_CANCEL_CHECK_S, max(0.0, next_s - now))):
                search.receive()


_UNKNOWN_SERVER = Address("0.0.0.0", 0)  # noqa: S104 - in a request, not bound to
"""Servers repeat an address that a request names, whichever it is."""


class _BroadcastQuery:
    """One request to all servers on one port."""

    def __init__(self, protocol: QueryProtocol, port: int) -> None:
        self.protocol = protocol
        self.port = port
        self._token = TokenGenerator().next()
        self.datagram = self._new_session().build_request(self._token)

    def is_answered_by(self, data: bytes) -> bool:
        """Return whether `data` is a valid reply of the protocol.

        A challenge or a part of a reply is one, too.
        """
        session = self._new_session()
        session.build_request(self._token)
        try:
            session.receive(data)
        except PacketError:
            return False
        return True

    def _new_session(self) -> QuerySession:
        return self.protocol.new_session(self.protocol.default_parts, _UNKNOWN_SERVER._replace(port=self.port))


class _BroadcastSearch:
    """Broadcast socket, the networks that it reaches, and the servers that replied."""

    def __init__(self, broadcasts: Sequence[str], queries: Iterable[_BroadcastQuery]) -> None:
        """Open the socket.

        Raises:
            OSError: This machine has no IPv4, or does not permit broadcasts.
        """
        self.reachable_broadcasts = list(broadcasts)
        """Broadcast addresses without a send error so far."""
        self._send_error: str | None = None
        self._queries_by_port: dict[int, list[_BroadcastQuery]] = {}
        for query in queries:
            self._queries_by_port.setdefault(query.port, []).append(query)
        self._protocol_by_address: dict[Address, str] = {}
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._configure_socket()
        except OSError:
            self.sock.close()
            raise

    def _configure_socket(self) -> None:
        self.sock.setblocking(False)
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        try_socket_option(self.sock, socket.SO_RCVBUF, _RECEIVE_BUFFER)
        self.sock.bind(("", 0))  # Windows receives only on bound sockets

    def __enter__(self) -> "_BroadcastSearch":
        return self

    def __exit__(self, *_: object) -> None:
        self.sock.close()

    def send_query(self, query: _BroadcastQuery) -> None:
        """Send a query to every reachable network."""
        for broadcast in tuple(self.reachable_broadcasts):
            try:
                self.sock.sendto(query.datagram, (broadcast, query.port))
            except OSError as error:
                if error.errno not in BUSY_ERRNOS:
                    _log.debug("cannot broadcast to %s: %s", broadcast, error)
                    self.reachable_broadcasts.remove(broadcast)
                    self._send_error = os_error_text(error, _("the network cannot be queried"))

    def receive(self) -> None:
        """Receive one datagram; ignore it unless it replies to a query sent to its port."""
        try:
            data, sender = self.sock.recvfrom(MAX_DATAGRAM_BYTES)
        except OSError:  # no datagram after all, or an error report about an earlier send (Windows)
            return
        address = Address(*sender)
        if (
            address in self._protocol_by_address
            or len(self._protocol_by_address) >= MAX_SERVERS_PER_MASTER
            or not _is_neighbour(address)
        ):
            return
        try:
            self._record_reply(data, address)
        except Exception:  # noqa: BLE001 - our own bug in one datagram must not end the search
            internal_errors.report("reading a reply from the local network", address)

    def _record_reply(self, data: bytes, sender: Address) -> None:
        for query in self._queries_by_port.get(sender.port, ()):
            if query.is_answered_by(data):
                self._protocol_by_address[sender] = query.protocol.name
                return

    def found_targets(self) -> list[QueryTarget]:
        """Return the servers that replied.

        One on this machine that replied from several addresses is listed once.
        """
        return [
            QueryTarget(address, protocol, None)
            for address, protocol in self._protocol_by_address.items()
            if address.host == _LOCALHOST
            or Address(_LOCALHOST, address.port) not in self._protocol_by_address
            or not _is_own_address(address.host)
        ]

    def result_message(self, server_count: int) -> str | None:
        """Return a message if only this computer was queried.

        Raises:
            RequestError: There is no list.
        """
        if not self.reachable_broadcasts:
            raise RequestError(self._send_error or _("no network"))
        only_this_machine = self._send_error is not None and all(map(is_loopback, self.reachable_broadcasts))
        limitation = (
            _("only this computer was queried: {why}").format(why=self._send_error) if only_this_machine else None
        )
        if not server_count:
            raise RequestError(limitation or _("no server answered on the local network"))
        return limitation


def _is_neighbour(address: Address) -> bool:
    return is_valid_server_address(address) and network_scope(address.host) is not NetworkScope.INTERNET


def _is_own_address(host: str) -> bool:
    """Return whether an address belongs to this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.bind((host, 0))
        except OSError:
            return False
    return True
