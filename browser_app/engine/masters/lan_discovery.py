"""Discovery of servers on the local network by UDP broadcast."""

import contextlib
import selectors
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.master_types import LanMaster
from browser_app.engine.masters.target_sink import MAX_SERVERS_PER_MASTER, MasterError, TargetSink
from browser_app.engine.network.address_rules import NetworkScope, is_valid_server_address, network_scope
from browser_app.engine.network.os_error_text import os_error_text
from browser_app.engine.query.udp_sockets import BUSY_ERRNOS, TokenGenerator, is_loopback
from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.protocols import QUERY_PROTOCOLS, QueryProtocol
from browser_app.protocols.address import Address
from browser_app.protocols.query_session import PacketError, QuerySession

LIMITED_BROADCAST = "255.255.255.255"
"""Everybody on one network, the one that the system chooses."""
LOOPBACK_BROADCAST = "127.255.255.255"
"""Servers on this machine that listen on all addresses; known to work on Linux."""

_SIOCGIFBRDADDR = 0x8919
"""linux/sockios.h; the answer is a `struct ifreq` with a `sockaddr_in` behind the interface's name."""
_IFREQ_BYTES = 40
_ADDRESS_BYTES = slice(20, 24)
_NO_ADDRESS = "0.0.0.0"  # noqa: S104 - compared with, nothing is bound to it


def broadcast_addresses() -> tuple[str, ...]:
    """Where to send what all IPv4 neighbours are to get, each address once, this machine first.

    On Linux these are loopback, the network of each interface (of its first address, where it has several) and the
    limited broadcast; on other systems the last alone.
    """
    return (
        (LOOPBACK_BROADCAST, *_interface_broadcasts(), LIMITED_BROADCAST)
        if sys.platform == "linux"
        else (LIMITED_BROADCAST,)
    )


def _interface_broadcasts() -> tuple[str, ...]:
    if sys.platform != "linux":
        return ()
    from fcntl import ioctl

    found: dict[str, None] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # it has no IPv4 address, or has gone
                reply = ioctl(sock, _SIOCGIFBRDADDR, struct.pack(f"{_IFREQ_BYTES}s", name.encode()))
                found[socket.inet_ntoa(reply[_ADDRESS_BYTES])] = None
    return tuple(address for address in found if address not in (_NO_ADDRESS, LIMITED_BROADCAST, LOOPBACK_BROADCAST))


PORTS_PER_GAME = 4
"""A game's own port and those after it, where further servers of one machine listen: id's engines look for as many on
a local network (NUM_SERVER_PORTS)."""

_MAX_DATAGRAM = 65_535
_RECEIVE_BUFFER = 1 << 20
"""Bytes: all neighbours answer at the same moment."""
_CANCEL_CHECK_S = 0.1
"""How often it is looked at whether to stop."""
_LOCALHOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class LanTiming:
    """Seconds."""

    rounds_s: Sequence[float] = (0.0, 0.7)
    """When all questions are sent, since the beginning; the second time for those that were lost."""
    gap_s: float = 0.005
    """Between two questions, each of which goes to all networks."""
    listen_s: float = 0.8
    """Since the last question; longer where a protocol's servers must be left alone for longer."""


def make_lan_master(profiles: Iterable[GameProfile]) -> LanMaster:
    """The local network, asked for the servers of these games."""
    questions = {
        (profile.protocol, profile.default_port + profile.query_port_offset + step)
        for profile in profiles
        for step in range(PORTS_PER_GAME)
    }
    return LanMaster("lan:", tuple(sorted(each for each in questions if each[1] <= 65535)))


def poll_lan(master: LanMaster, sink: TargetSink, timing: LanTiming | None = None) -> str | None:
    """Deliver the servers that answered, all at the end.

    By then every protocol's least time between two requests has passed (DarkPlaces' guard), so that the servers may be
    asked at once. Only IPv4 has broadcasts. Answers from public addresses are not believed.

    Returns:
        What is to say about the list, such as that only this machine was reached; None when all is well.

    Raises:
        MasterError: nobody could be asked, or nobody answered.
    """
    timing = timing or LanTiming()
    questions = [_BroadcastQuery(QUERY_PROTOCOLS[protocol], port) for protocol, port in master.queries]
    try:
        with _BroadcastSearch(master.broadcasts or broadcast_addresses(), questions) as call:
            _run_search(call, questions, sink, timing)
            if not sink.cancel_token.is_cancelled:
                sink.add(call.found_targets(), NetworkScope.THIS_MACHINE)
            return call.result_message(sink.count)
    except OSError as error:
        raise MasterError(os_error_text(error, _("the network cannot be queried"))) from None


def _run_search(
    search: "_BroadcastSearch", queries: Sequence["_BroadcastQuery"], sink: TargetSink, timing: LanTiming
) -> None:
    """Until all is asked and the time to listen is over, the delivery stops, or there is nobody to ask."""
    began = time.monotonic()
    numbers = range(len(queries))
    due = deque(
        sorted((began + start + number * timing.gap_s, number) for start in timing.rounds_s for number in numbers)
    )
    patience_s = max([timing.listen_s, *(question.protocol.min_interval_s for question in queries)])
    next_s = began
    with selectors.DefaultSelector() as selector:
        selector.register(search.sock, selectors.EVENT_READ)
        while not sink.cancel_token.is_cancelled and search.reachable_broadcasts:
            now = time.monotonic()
            if due and due[0][0] <= now:
                search.send_query(queries[due.popleft()[1]])
                next_s = due[0][0] if due else time.monotonic() + patience_s
            elif not due and now >= next_s:
                return
            if selector.select(min(_CANCEL_CHECK_S, max(0.0, next_s - now))):
                search.receive()


class _BroadcastQuery:
    """One request to everybody at one port."""

    def __init__(self, protocol: QueryProtocol, port: int) -> None:
        self.protocol = protocol
        self.port = port
        self._token = TokenGenerator().next()
        self.datagram = self._new_session().build_request(self._token)

    def is_answered_by(self, data: bytes) -> bool:
        """Whether a server of the protocol would say this, be it a challenge or a part of its answer."""
        conversation = self._new_session()
        conversation.build_request(self._token)
        try:
            conversation.receive(data)
        except PacketError:
            return False
        return True

    def _new_session(self) -> QuerySession:
        return self.protocol.new_session(self.protocol.default_parts)


class _BroadcastSearch:
    """The socket, whom it reaches, and who answered."""

    def __init__(self, broadcasts: Sequence[str], queries: Iterable[_BroadcastQuery]) -> None:
        """Open it.

        Raises:
            OSError: this machine has no IPv4, or lets nobody broadcast.
        """
        self.reachable_broadcasts = list(broadcasts)
        """Broadcast addresses that take packets, as far as tried."""
        self._send_error: str | None = None
        self._queries_by_port: dict[int, list[_BroadcastQuery]] = {}
        for question in queries:
            self._queries_by_port.setdefault(question.port, []).append(question)
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
        with contextlib.suppress(OSError):  # less room
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
        self.sock.bind(("", 0))  # Windows reads from bound sockets only

    def __enter__(self) -> "_BroadcastSearch":
        return self

    def __exit__(self, *_: object) -> None:
        self.sock.close()

    def send_query(self, query: _BroadcastQuery) -> None:
        """Send it to every network that is reached."""
        for broadcast in tuple(self.reachable_broadcasts):
            try:
                self.sock.sendto(query.datagram, (broadcast, query.port))
            except OSError as error:
                if error.errno not in BUSY_ERRNOS:
                    self.reachable_broadcasts.remove(broadcast)
                    self._send_error = os_error_text(error, _("the network cannot be queried"))

    def receive(self) -> None:
        """Take one datagram; what is no answer to anything asked at its port is nothing."""
        try:
            data, sender = self.sock.recvfrom(_MAX_DATAGRAM)
        except OSError:  # nothing there after all, or a report about an earlier send (Windows)
            return
        address = Address(*sender)
        if (
            address in self._protocol_by_address
            or len(self._protocol_by_address) >= MAX_SERVERS_PER_MASTER
            or not _is_neighbour(address)
        ):
            return
        for question in self._queries_by_port.get(address.port, ()):
            if question.is_answered_by(data):
                self._protocol_by_address[address] = question.protocol.name
                return

    def found_targets(self) -> list[QueryTarget]:
        """Who answered. A server of this machine that did so from several of its addresses is named once."""
        return [
            QueryTarget(address, protocol, None)
            for address, protocol in self._protocol_by_address.items()
            if address.host == _LOCALHOST
            or Address(_LOCALHOST, address.port) not in self._protocol_by_address
            or not _is_own_address(address.host)
        ]

    def result_message(self, server_count: int) -> str | None:
        """What is to say about the list.

        Raises:
            MasterError: there is none.
        """
        if not self.reachable_broadcasts:
            raise MasterError(self._send_error or _("no network"))
        only_here = self._send_error is not None and all(
            is_loopback(broadcast) for broadcast in self.reachable_broadcasts
        )
        limits = _("only this computer was queried: {why}").format(why=self._send_error) if only_here else None
        if not server_count:
            raise MasterError(limits or _("no server answered on the local network"))
        return limits


def _is_neighbour(address: Address) -> bool:
    return is_valid_server_address(address) and network_scope(address.host) is not NetworkScope.INTERNET


def _is_own_address(host: str) -> bool:
    """Whether an address is this machine's."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.bind((host, 0))
        except OSError:
            return False
    return True
