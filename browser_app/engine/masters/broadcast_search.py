"""Search by broadcasts: requests to all servers on some ports, and their replies."""

import logging
import selectors
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain

from browser_app.catalogue.server_info import QueryTarget
from browser_app.diagnostics import internal_errors
from browser_app.engine.masters.target_sink import MAX_SERVERS_PER_MASTER, TargetSink
from browser_app.engine.network.address_rules import NetworkScope, is_loopback, is_valid_server_address, network_scope
from browser_app.engine.network.request_errors import RequestError, os_error_text
from browser_app.engine.query.host_budget import HostBudget
from browser_app.engine.query.reply_dispatcher import MAX_DISCONNECTS
from browser_app.engine.query.udp_sockets import BUSY_ERRNOS, MAX_DATAGRAM_BYTES, TokenGenerator, try_socket_option
from browser_app.language import gettext as _
from browser_app.protocols.address import Address
from browser_app.protocols.effective_host import effective_host
from browser_app.protocols.query_protocols import LanAnnouncement, QueryProtocol
from browser_app.protocols.query_session import PacketError, QuerySession

_log = logging.getLogger(__name__)

_RECEIVE_BUFFER = 1 << 20
"""Bytes; all neighbours reply at the same moment."""
_CANCEL_CHECK_S = 0.1
"""Interval between checks for cancellation."""
_LOCALHOST = "127.0.0.1"
_ANY_INTERFACE = "0.0.0.0"  # noqa: S104 - the one that the system chooses, nothing binds to it


@dataclass(frozen=True, slots=True)
class LanTiming:
    """Times of one search, in seconds."""

    rounds_s: Sequence[float] = (0.0, 0.7)
    """Times at which all requests are sent; the second round replaces lost ones."""
    gap_s: float = 0.005
    """Time between two requests, each of which goes to all networks; longer where the budget of a host requires it."""
    listen_s: float = 0.8
    """Time after the last request, at least."""


_UNKNOWN_SERVER = Address("0.0.0.0", 0)  # noqa: S104 - in a request, not bound to
"""Placeholder in requests that contain the server's address; servers echo it unchecked."""


class BroadcastQuery:
    """One request to all servers on one port."""

    def __init__(self, protocol: QueryProtocol, port: int) -> None:
        self.protocol = protocol
        self.port = port
        self._token = TokenGenerator().next()
        self._lan_request = request = protocol.lan_requests.get(port)
        self.datagram = request.datagram if request else self._create_session().build_request(self._token)

    def find_server(self, data: bytes, sender: Address) -> Address | None:
        """Return the address of the server that replies; None if it is no reply.

        A challenge or a part of a reply is one, too.
        """
        try:
            if self._lan_request is not None:
                return Address(sender.host, self._lan_request.parse(data) or sender.port)
            session = self._create_session()
            session.build_request(self._token)
            session.receive(data)
        except PacketError:
            return None
        return sender

    def _create_session(self) -> QuerySession:
        return self.protocol.new_session(self.protocol.default_parts, _UNKNOWN_SERVER._replace(port=self.port))


def open_announcement_socket(announcement: LanAnnouncement, interfaces: Iterable[str]) -> socket.socket:
    """Return a socket that receives announcements which arrive on these interfaces.

    Raises:
        OSError: another program uses the port alone.
    """
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # the game itself listens there, too
        sock.bind(("", announcement.port))
    except OSError:
        sock.close()
        raise
    for interface in interfaces if announcement.group else ():
        with suppress(OSError):  # it has no multicast
            group = socket.inet_aton(announcement.group) + socket.inet_aton(interface)
            sock.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
    return sock


class BroadcastSearch:
    """Sockets of one search, and the servers that replied or announced themselves."""

    def __init__(
        self,
        broadcasts: Sequence[str],
        queries: Iterable[BroadcastQuery],
        budget: HostBudget,
        announcing: Iterable[QueryProtocol] = (),
    ) -> None:
        """Open the sockets.

        Raises:
            OSError: this machine has no IPv4, or does not permit broadcasts.
        """
        self.reachable_broadcasts = list(broadcasts)
        """Broadcast addresses without a send error so far."""
        self._send_error: str | None = None
        self._queries_by_port: dict[int, list[BroadcastQuery]] = {}
        for query in queries:
            self._queries_by_port.setdefault(query.port, []).append(query)
        self._queries_answered_elsewhere = [
            query
            for query in chain.from_iterable(self._queries_by_port.values())
            if query.protocol.answers_lan_elsewhere
        ]
        self._protocol_by_address: dict[Address, str] = {}
        self._disconnects: Counter[Address] = Counter()
        self._budget = budget
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._configure_socket()
        except OSError:
            self.sock.close()
            raise
        self._announcement_socks = list(self._open_announcement_socks(announcing))

    def _open_announcement_socks(
        self, announcing: Iterable[QueryProtocol]
    ) -> Iterator[tuple[socket.socket, QueryProtocol]]:
        is_local = all(map(is_loopback, self.reachable_broadcasts))
        interfaces = (_LOCALHOST,) if is_local else (_ANY_INTERFACE, _LOCALHOST)
        for protocol in announcing:
            if protocol.lan_announcement is not None:
                with suppress(OSError):  # the other servers can be found all the same
                    yield open_announcement_socket(protocol.lan_announcement, interfaces), protocol

    def _configure_socket(self) -> None:
        self.sock.setblocking(False)
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        try_socket_option(self.sock, socket.SO_RCVBUF, _RECEIVE_BUFFER)
        self.sock.bind(("", 0))  # Windows receives only on bound sockets

    def __enter__(self) -> "BroadcastSearch":
        return self

    def __exit__(self, *_: object) -> None:
        self.sock.close()
        for sock, _protocol in self._announcement_socks:
            sock.close()

    def iterate_receivers(self) -> Iterator[tuple[socket.socket, Callable[[], None]]]:
        """Yield each socket and the function that receives one datagram from it."""
        yield self.sock, self.receive
        for sock, protocol in self._announcement_socks:
            yield sock, partial(self._receive_announcement, sock, protocol)

    def try_send(self, query: BroadcastQuery) -> float:
        """Send a query to every reachable network.

        Returns the time to wait, in seconds, if the budget does not permit that yet; 0 if it was sent.
        """
        wait_s = self._budget.try_spend(*map(effective_host, self.reachable_broadcasts))
        if wait_s:
            return wait_s
        for broadcast in tuple(self.reachable_broadcasts):
            try:
                self.sock.sendto(query.datagram, (broadcast, query.port))
            except OSError as error:
                if error.errno not in BUSY_ERRNOS:
                    _log.debug("cannot broadcast to %s: %s", broadcast, error)
                    self.reachable_broadcasts.remove(broadcast)
                    self._send_error = os_error_text(error, _("the network cannot be queried"))
        return 0.0

    def receive(self) -> None:
        """Receive one datagram; ignore it unless it replies to a query."""
        try:
            data, sender = self.sock.recvfrom(MAX_DATAGRAM_BYTES)
        except OSError:  # no datagram after all, or an error report about an earlier send (Windows)
            return
        address = Address(*sender)
        if not _is_neighbour(address):
            return
        try:
            self._send_disconnect(data, address)
            self._record_reply(data, address)
        except Exception:  # noqa: BLE001 - our own bug in one datagram must not end the search
            internal_errors.report("reading a reply from the local network", address)

    def _receive_announcement(self, sock: socket.socket, protocol: QueryProtocol) -> None:
        try:
            data, (host, port) = sock.recvfrom(MAX_DATAGRAM_BYTES)
        except OSError:
            return
        try:
            assert protocol.lan_announcement is not None  # noqa: S101 - else it has no socket
            server = Address(host, protocol.lan_announcement.parse(data) or port)
            if _is_neighbour(server) and len(self._protocol_by_address) < MAX_SERVERS_PER_MASTER:
                self._protocol_by_address.setdefault(server, protocol.name)
        except PacketError:
            return
        except Exception:  # noqa: BLE001 - as in `receive`
            internal_errors.report("reading an announcement on the local network", host)

    def _record_reply(self, data: bytes, sender: Address) -> None:
        if sender in self._protocol_by_address or len(self._protocol_by_address) >= MAX_SERVERS_PER_MASTER:
            return
        for query in (*self._queries_by_port.get(sender.port, ()), *self._queries_answered_elsewhere):
            server = query.find_server(data, sender)
            if server is not None:
                self._protocol_by_address.setdefault(server, query.protocol.name)
                return

    def _send_disconnect(self, data: bytes, sender: Address) -> None:
        """End the session that a server's datagram opened, if its protocol has sessions."""
        for query in self._queries_by_port.get(sender.port, ()):
            datagram = query.protocol.build_disconnect and query.protocol.build_disconnect(data)
            if not datagram or self._disconnects[sender] >= MAX_DISCONNECTS:
                continue
            if not self._budget.try_spend(effective_host(sender.host)):
                self._disconnects[sender] += 1
                with suppress(OSError):
                    self.sock.sendto(datagram, sender)

    def collect_targets(self) -> list[QueryTarget]:
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

    def build_result_message(self, server_count: int) -> str | None:
        """Return a message if only this computer was queried.

        Raises:
            RequestError: there is no list.
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


def run_search(search: BroadcastSearch, queries: Sequence[BroadcastQuery], sink: TargetSink, timing: LanTiming) -> None:
    """Send all queries and receive the replies.

    Ends when the time is over, the sink is cancelled, or no network is reachable.
    """
    began = time.monotonic()
    numbers = range(len(queries))
    starts = [began + start for start in timing.rounds_s]
    due = deque(sorted((start + number * timing.gap_s, number) for start in starts for number in numbers))
    next_s = free_s = began
    with selectors.DefaultSelector() as selector:
        for sock, receive in search.iterate_receivers():
            selector.register(sock, selectors.EVENT_READ, receive)
        while not sink.cancel_token.is_cancelled and search.reachable_broadcasts:
            now = time.monotonic()
            if due and due[0][0] <= now:
                query = queries[due[0][1]]
                wait_s = search.try_send(query)
                if wait_s:
                    next_s = now + wait_s
                else:
                    due.popleft()
                    free_s = max(free_s, time.monotonic() + query.protocol.min_interval_s)
                    next_s = due[0][0] if due else max(free_s, time.monotonic() + timing.listen_s)
            elif not due and now >= next_s:
                return
            for key, _events in selector.select(min(_CANCEL_CHECK_S, max(0.0, next_s - now))):
                key.data()


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
