"""Client for master servers that send their list in datagrams.

It sends requests again, waits for delayed datagrams, and reports an incomplete list.
"""

import contextlib
import selectors
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from browser_app.catalogue.server_info import QueryTarget
from browser_app.diagnostics import internal_errors
from browser_app.engine.masters.target_sink import TargetSink
from browser_app.engine.network.address_rules import network_scope
from browser_app.engine.network.host_resolver import resolve_host
from browser_app.engine.network.request_errors import (
    INTERNAL_ERROR_TEXT,
    RequestError,
    UnknownHostError,
    os_error_text,
)
from browser_app.engine.query.udp_sockets import MAX_DATAGRAM_BYTES, try_socket_option
from browser_app.language import gettext, ngettext
from browser_app.protocols.address import Address
from browser_app.protocols.effective_host import effective_host
from browser_app.protocols.quake.dpmaster import ServersPacket
from browser_app.protocols.query_session import PacketError

_RECEIVE_BUFFER = 1 << 20
"""Bytes; the longest list arrives in one burst of 470 KB."""
_CANCEL_CHECK_S = 0.1
"""Interval between checks for cancellation."""


class ListExchange(Protocol):
    """Codec of one exchange with one address of a master."""

    def build_request(self) -> bytes:
        """Return the request that is due now; sent again while nothing is received."""

    def receive(self, data: bytes) -> ServersPacket | None:
        """Parse one datagram; return None if another request is due now.

        Raises:
            PacketError: the datagram is invalid.
        """


@dataclass(frozen=True, slots=True)
class UdpMasterTiming:
    """Times of one poll, in seconds from the first request unless stated otherwise."""

    requests_s: Sequence[float] = (0.0, 1.0, 2.5, 5.0, 8.0)
    """Times of the requests while nothing is received."""
    no_answer_s: float = 4.0
    """A master that has sent nothing by then is given up, as by DarkPlaces (`net_slist_timeout`)."""
    throttled_s: float = 10.0
    """Used instead of `no_answer_s` if the master answered another request of this poll. With flood protection dpmaster
    takes four requests at once and then one every 3 s (its `clients.h`), which delays the last lists of a poll for many
    games.
    """
    second_address_s: float = 3.5
    """Used instead of `no_answer_s` if the master sent a complete list from its other address."""
    incomplete_s: float = 1.5
    """After the last packet of an incomplete list: the rest is lost. The list is requested once more, then given up."""
    complete_s: float = 0.25
    """After the last packet of a complete list: reordered packets may follow."""


def poll_udp_master(
    address: Address,
    open_exchange: Callable[[str], ListExchange],
    build_target: Callable[[Address], QueryTarget],
    sink: TargetSink,
    timing: UdpMasterTiming,
) -> str | None:
    """Pass a master's servers to `sink` as they arrive.

    The first IPv4 and the first IPv6 address of the master are polled. The message is None if the list is complete.

    Args:
        address: of the master; its host may be a name.
        open_exchange: starts the exchange with one IP address.
        build_target: describes how a listed server is queried.
        sink: receives the servers.
        timing: when requests are repeated and given up.

    Raises:
        RequestError: there is no list.
    """
    hosts = resolve_host(address.host, sink.cancel_token)
    if not hosts:
        raise UnknownHostError(address.host)
    with contextlib.ExitStack() as stack:
        connections = [
            stack.enter_context(
                _MasterConnection(Address(host, address.port), open_exchange(host), build_target, sink, timing)
            )
            for host in _select_one_per_family(hosts)
        ]
        _listen(connections, sink, timing)
        return _build_message(connections, sink)


def _select_one_per_family(addresses: Sequence[str]) -> list[str]:
    by_family: dict[bool, str] = {}
    for address in addresses:
        by_family.setdefault(":" in address, address)
    return list(by_family.values())


def _listen(connections: Sequence["_MasterConnection"], sink: TargetSink, timing: UdpMasterTiming) -> None:
    """Receive until all connections have ended, or the sink is cancelled or full."""
    second_address_ends_s = time.monotonic() + timing.second_address_s
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            if connection.sock is not None:
                selector.register(connection.sock, selectors.EVENT_READ, connection)
        while not sink.cancel_token.is_cancelled and not sink.is_full:
            now = time.monotonic()
            for connection in connections:
                connection.process_due(now)
            open_connections = [connection for connection in connections if not connection.is_over]
            if now >= second_address_ends_s and any(connection.is_complete for connection in connections):
                open_connections = [connection for connection in open_connections if connection.has_list]
            if not open_connections:
                return
            wait_s = min(_CANCEL_CHECK_S, *(connection.due_s - now for connection in open_connections))
            if readable := selector.select(max(0.0, wait_s)):
                with sink.parsing:
                    for key, _ in readable:
                        key.data.receive()


def _build_message(connections: Sequence["_MasterConnection"], sink: TargetSink) -> str | None:
    with_list = [connection for connection in connections if connection.has_list]
    if not with_list:
        most = max(connection.request_count for connection in connections)
        raise RequestError(
            next(
                (connection.error_text for connection in connections if connection.error_text),
                ngettext("no answer to {n} request", "no answer to {n} requests", most).format(n=most),
            )
        )
    return (
        None if sink.is_full or any(connection.is_complete for connection in with_list) else gettext("incomplete list")
    )


class _MasterConnection:
    """One address of a master. Its connected socket receives only from that address."""

    def __init__(
        self,
        address: Address,
        exchange: ListExchange,
        build_target: Callable[[Address], QueryTarget],
        sink: TargetSink,
        timing: UdpMasterTiming,
    ) -> None:
        self.sock: socket.socket | None = None
        self.has_list = False
        """At least one packet of a list was received."""
        self.is_over = False
        self.due_s = time.monotonic()
        """Time of the next action."""
        self.error_text: str | None = None
        self.request_count = 0
        """Requests sent while nothing was received."""
        self._address = address
        self._host = effective_host(address.host)
        self._exchange = exchange
        self._build_target = build_target
        self._sink = sink
        self._timing = timing
        self._scope = network_scope(address.host)
        self._has_next_request = False
        """The last datagram was no list, and the exchange has another request to send at once."""
        self._started = self.due_s
        self._has_asked_again = False
        """An incomplete list was requested once more."""
        self._has_end = False
        """The packet that ends a list was received."""
        self._part_count: int | None = None
        self._part_numbers: set[int] = set()
        self._open()

    def _open(self) -> None:
        family = socket.AF_INET6 if ":" in self._address.host else socket.AF_INET
        try:
            self.sock = socket.socket(family, socket.SOCK_DGRAM)
            self.sock.setblocking(False)
            try_socket_option(self.sock, socket.SO_RCVBUF, _RECEIVE_BUFFER)
            self.sock.connect(self._address)
        except OSError as error:
            self._fail(error)

    def __enter__(self) -> "_MasterConnection":
        return self

    def __exit__(self, *_: object) -> None:
        if self.sock is not None:
            self.sock.close()

    @property
    def is_complete(self) -> bool:
        """Whether the whole list was received, as far as the master marks its end."""
        return self._has_end if self._part_count is None else len(self._part_numbers) >= self._part_count

    def process_due(self, now: float) -> None:
        """Send a request or give up, if it is time to."""
        if self.is_over or now < self.due_s:
            return
        if not self.has_list:
            self._request_or_time_out(now)
        elif self.is_complete or self._has_asked_again:
            self.is_over = True
        elif self._send(now):
            self._has_asked_again = True
            self.due_s = now + self._timing.incomplete_s

    def _request_or_time_out(self, now: float) -> None:
        times, is_responding = self._timing.requests_s, self._address in self._sink.context.responding_masters
        timeout_s = self._timing.throttled_s if is_responding else self._timing.no_answer_s
        waited_s = now - self._started
        if waited_s >= timeout_s:
            self.is_over = True
            return
        if self._has_next_request or (self.request_count < len(times) and waited_s >= times[self.request_count]):
            if not self._send(now):
                return
            self.request_count += not self._has_next_request
            self._has_next_request = False
        next_s = times[self.request_count] if self.request_count < len(times) else timeout_s
        self.due_s = self._started + min(next_s, timeout_s)

    def _send(self, now: float) -> bool:
        """Send the request; return False if the host must not get it yet.

        It is then due later.
        """
        assert self.sock is not None  # noqa: S101 (without a socket the connection is over)
        wait_s = self._sink.context.host_budget.try_spend(self._host)
        if wait_s:
            self.due_s = now + wait_s
            return False
        try:
            self.sock.send(self._exchange.build_request())
        except BlockingIOError:
            pass
        except OSError as error:
            self._fail(error)
        return True

    def receive(self) -> None:
        """Receive one datagram."""
        assert self.sock is not None  # noqa: S101
        try:
            data = self.sock.recv(MAX_DATAGRAM_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            self._fail(error)
            return
        try:
            packet = self._exchange.receive(data)
            if packet is None:
                self._has_next_request, self.due_s = True, time.monotonic()
            else:
                self._process_packet(packet)
        except PacketError:
            self.error_text = gettext("the answer is not a server list")
        except Exception:  # noqa: BLE001 - our own bug in one packet must not lose the rest of the list
            internal_errors.report("reading a master server's list", self._address)
            self.error_text = gettext(INTERNAL_ERROR_TEXT)

    def _process_packet(self, packet: ServersPacket) -> None:
        self.has_list = True
        self._sink.context.responding_masters.add(self._address)
        self._has_end = self._has_end or packet.is_last
        if packet.index is not None and packet.total:
            self._part_count = packet.total
            self._part_numbers.add(packet.index)
        self._sink.add(map(self._build_target, packet.addresses), self._scope)
        self.due_s = time.monotonic() + (self._timing.complete_s if self.is_complete else self._timing.incomplete_s)

    def _fail(self, error: OSError) -> None:
        self.error_text = os_error_text(error, gettext("cannot be reached"))
        self.is_over = True
