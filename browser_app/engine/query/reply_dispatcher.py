"""Dispatcher of received datagrams to the queries they answer."""

from collections.abc import Sequence

from browser_app.diagnostics import internal_errors
from browser_app.engine.query.engine_clock import AncillaryData
from browser_app.engine.query.query_scheduler import UNREADABLE, QueryScheduler
from browser_app.engine.query.round_trips import PacketTime, measure_round_trip
from browser_app.engine.query.scan import Scan
from browser_app.engine.query.server_query import QueryPhase, ServerQuery
from browser_app.engine.query.stream_sockets import StreamSocket
from browser_app.engine.query.udp_sockets import UdpSocket
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS, QueryProtocol
from browser_app.protocols.query_session import DONE, PacketError, ReceiveStatus

MAX_BYTES_PER_QUERY = 1 << 20
"""Bytes accepted from one server in one query, headers included: three replies of 64 KiB, some duplicates, and
thousands of small datagrams, because a spoofed flood must not silence a server at once. The rest is dropped.
"""
MAX_DISCONNECTS = 3
"""Disconnect packets sent to one server in one scan, as one or two may be lost. A server that repeats its datagram
without end, or an attacker who forges it, could otherwise use up the send rate and a host's budget.
"""
_HEADER_BYTES = 28
"""IPv4 and UDP headers."""
_MIN_STREAM_BYTES = 512
"""A smaller part of a stream counts as so large, as handling it takes as much time: 2,048 parts take 20 to 40 ms."""


class ReplyDispatcher:
    """Dispatches datagrams to the queries that they answer."""

    def __init__(self, scheduler: QueryScheduler, scans: Sequence[Scan]) -> None:
        """Observe `scans`, the running scans, oldest first.

        The owner keeps them up to date.
        """
        self._scheduler = scheduler
        self._scans = scans

    def on_connected(self, stream: StreamSocket) -> None:
        """Handle that a server has just accepted a connection."""
        for query in stream.queries.values():
            query.record_connection(stream.arrival_time())

    def on_stream_ended(self, stream: StreamSocket, reason: str) -> None:
        """Handle that a connection was closed, lost or not accepted."""
        for query in [*stream.queries.values()]:
            self._scheduler.end_stream(query, reason)

    def on_datagram(
        self, sock: UdpSocket | StreamSocket, data: bytes, sender: tuple[str, int], ancillary: AncillaryData
    ) -> None:
        """Handle one datagram, or some bytes of a stream, just received on `sock`."""
        query = sock.queries.get(sender)
        if query is None:
            self._handle_stray(sock, data, sender)
            return
        query.scan.counters.received += 1
        query.received_bytes += max(len(data), _MIN_STREAM_BYTES) if query.is_stream else len(data) + _HEADER_BYTES
        if query.received_bytes > MAX_BYTES_PER_QUERY:
            query.scan.counters.count_dropped("too many")
            if query.is_stream:
                self._scheduler.end_stream(query, "too many")
            return
        try:
            self._send_disconnect(sock, query.protocol, data, sender, query.scan)
            self._handle_datagram(query, data, sock.arrival_time(ancillary))
        except Exception:  # noqa: BLE001 - our own bug in handling one reply must not end all scans
            internal_errors.report("handling a server's reply", query.target.address)
            self._scheduler.abandon(query)

    def _handle_datagram(self, query: ServerQuery, data: bytes, received: PacketTime) -> None:
        if query.phase is QueryPhase.PROBING_PING:
            self._handle_probe_phase(query, data, received)
            return
        try:
            step = query.session.receive(data)
        except PacketError as refusal:
            self._record_bad_packet(query, str(refusal))
        except Exception:  # noqa: BLE001 - a forged datagram must not end the query either
            internal_errors.report("parsing a server's datagram", query.target.address)
            self._record_bad_packet(query, UNREADABLE)
        else:
            self._handle_reply(query, step, received)

    def _handle_stray(self, sock: UdpSocket | StreamSocket, data: bytes, sender: tuple[str, int]) -> None:
        """Count a datagram that answers no open query.

        It counts in the scan that queried its sender or else in the oldest.
        """
        for scan in self._scans:
            protocol = scan.finished_protocols.get(sender)
            if protocol is not None:
                scan.counters.received += 1
                scan.counters.count_dropped("after the end")
                self._send_disconnect(sock, QUERY_PROTOCOLS.get(protocol), data, sender, scan)
                return
        if self._scans:
            self._scans[0].counters.received += 1
            self._scans[0].counters.count_dropped("unknown sender")

    def _send_disconnect(
        self,
        sock: UdpSocket | StreamSocket,
        protocol: QueryProtocol | None,
        data: bytes,
        sender: tuple[str, int],
        scan: Scan,
    ) -> None:
        """End the session that a server's datagram opened, if its protocol has sessions."""
        if protocol is None or protocol.build_disconnect is None or scan.disconnect_counts[sender] >= MAX_DISCONNECTS:
            return
        datagram = protocol.build_disconnect(data)
        if datagram is not None and isinstance(sock, UdpSocket):
            scan.disconnect_counts[sender] += 1
            self._scheduler.send_disconnect(sock, sender, datagram, scan)

    def _record_bad_packet(self, query: ServerQuery, reason: str) -> None:
        query.packet_error = reason
        query.scan.counters.count_dropped(reason)
        if query.is_stream:
            query.has_reply = True
            self._scheduler.end_stream(query, reason)

    def _handle_probe_phase(self, query: ServerQuery, data: bytes, received: PacketTime) -> None:
        """Handle a datagram during a ping probe.

        It may also be a late reply to another attempt.
        """
        if query.follow_up_sent is not None and query.session.is_probe_reply(data):
            query.settle_ping(measure_round_trip(query.follow_up_sent, received))
        elif query.is_stream:
            return
        else:
            query.scan.counters.count_dropped("duplicate")
            if not query.record_repeated_reply(received):
                return
        self._scheduler.complete(query)

    def _handle_reply(self, query: ServerQuery, step: bytes | ReceiveStatus, received: PacketTime) -> None:
        if step == query.datagram and query.phase is QueryPhase.FOLLOW_UP:
            query.scan.counters.count_dropped("duplicate")  # the reply to another attempt, with the same challenge
            return
        self._scheduler.clear_in_flight(query)
        if not query.has_reply:
            query.record_first_reply(received)
        elif query.is_ping_ambiguous:
            self._settle_by_follow_up(query, received)
        if step is DONE:
            self._scheduler.complete(query)
        elif isinstance(step, bytes):
            self._scheduler.send_follow_up(query, step, QueryPhase.FOLLOW_UP)

    def _settle_by_follow_up(self, query: ServerQuery, received: PacketTime) -> None:
        """Settle the ping by a follow-up that was sent once.

        Its round trip shows which attempt the first reply answered.
        """
        if query.phase is QueryPhase.FOLLOW_UP and query.follow_up_sent is not None:
            trip = measure_round_trip(query.follow_up_sent, received)
            if trip is not None:
                query.settle_ping(trip)
