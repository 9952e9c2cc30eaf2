"""Scheduler of all open queries: sending, retransmission and timeouts."""

import contextlib
import os
from collections.abc import Callable
from typing import Any

from browser_app.catalogue.server_info import QueryStatus, QueryTarget, ServerInfo
from browser_app.diagnostics import internal_errors
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.host_budget import MIN_SPACING_NS, HostBudget
from browser_app.engine.query.query_queues import DeadlineQueue, PerServerQueue, SendPriority, SendQueue
from browser_app.engine.query.query_timing import SendSchedule
from browser_app.engine.query.round_trips import PacketTime
from browser_app.engine.query.scan import Scan
from browser_app.engine.query.server_query import QueryPhase, ServerQuery
from browser_app.engine.query.stream_slots import StreamSlots
from browser_app.engine.query.udp_sockets import BUSY_ERRNOS, NETWORK_DOWN_ERRNOS, TokenGenerator, UdpSocket
from browser_app.protocols.effective_host import effective_host
from browser_app.protocols.query_session import QueryParts

ReplyReader = Callable[[Any, QueryTarget, QueryParts], ServerInfo]
"""Reads a protocol's reply as a `ServerInfo` with the requested parts."""

BUSY_BACKOFF_NS = 5_000_000
"""Pause after the system had no buffer space for a packet."""
MAX_BUSY_IN_A_ROW = 400
"""Consecutive packets without buffer space, 2 s in total; each further one counts as a failed send."""
FREE_SEND_FAILURES = 3
"""Send errors that do not cost a query an attempt. Errors return faster than packets leave, so that a flaky network
would otherwise use up the attempts of many queries.
"""

UNREADABLE = "unreadable"
"""Error of a query that ended by an internal error."""


def socket_error_text(error: OSError) -> str:
    """Return the reason of a failed send or connection."""
    return os.strerror(error.errno) if error.errno else "could not be sent"


class QueryScheduler:
    """All open queries of all scans, on one send schedule."""

    def __init__(self, clock: EngineClock, budget: HostBudget, read_reply: ReplyReader) -> None:
        self.unpaced_window = 64
        """Maximum number of queries in flight at a `loopback_only` pace."""
        self.per_server = PerServerQueue()
        self._clock = clock
        self._read_reply = read_reply
        self._send_schedule = SendSchedule()
        self._budget = budget
        self._send_queue = SendQueue(budget)
        self._deadlines = DeadlineQueue()
        self._tokens = TokenGenerator()
        self._unpaced_in_flight = 0
        self._busy_in_a_row = 0
        self._stream_slots = StreamSlots()

    def add(self, query: ServerQuery) -> None:
        """Queue a new query."""
        query.scan.open_queries += 1
        self._queue_first(query)

    def _queue_first(self, query: ServerQuery) -> None:
        self._send_queue.push(query, SendPriority.FIRST_RATE_LIMITED if query.interval_ns else SendPriority.FIRST)

    def next_ns(self, now_ns: int) -> int | None:
        """Return the engine time of the next action; None if it depends on other events."""
        times = [due for due in (self._deadlines.next_ns, self._next_send_ns(now_ns)) if due is not None]
        return min(times, default=None)

    def _next_send_ns(self, now_ns: int) -> int | None:
        if self._unpaced_in_flight >= self.unpaced_window:
            return None
        next_ns = self._send_queue.next_ns(now_ns)
        return None if next_ns is None else max(next_ns, self._send_schedule.next_ns)

    # Sending

    def send_due(self, now_ns: int) -> None:
        """Send the packets that the schedule allows now."""
        while self._send_schedule.next_ns <= now_ns and self._unpaced_in_flight < self.unpaced_window:
            query = self._send_queue.pop(now_ns)
            if query is None:
                self._send_schedule.mark_idle()
                return
            try:
                if self._may_send_or_defer(query, now_ns):
                    self._send(query, now_ns)
                    now_ns = self._clock.now_ns()
            except Exception:  # noqa: BLE001 - our own bug in one query must not end all scans
                internal_errors.report("sending a query", query.target.address)
                self.abandon(query)

    def _may_send_or_defer(self, query: ServerQuery, now_ns: int) -> bool:
        """Return whether a query may be sent now; if not, queue or schedule it for later."""
        query.is_deferred = False
        if query.interval_ns and (not_before_ns := self.per_server.earliest_request_ns(query)) > now_ns:
            query.is_deferred = True
            self._deadlines.schedule(query, not_before_ns)
            return False
        if query.phase is not QueryPhase.NEW:
            return True
        if query.is_stream and not self._stream_slots.request_slot(query):
            return False
        if not query.scan.own_ports and not self._activate_or_enqueue(query):
            return False
        return self._start(query)

    def _activate_or_enqueue(self, query: ServerQuery) -> bool:
        """Make a query its server's active one, or queue it; return whether it is active."""
        other = self.per_server.active.get(query.sender_key)
        if other is not None and other.phase is QueryPhase.AWAITING_LATE_REPLY:
            self._skip_current_part(other)
            other = self.per_server.active.get(query.sender_key)
        if other is not None:
            self.per_server.enqueue(query)
            return False
        self.per_server.active[query.sender_key] = query
        return True

    def _start(self, query: ServerQuery) -> bool:
        """Start a query; return whether there is a socket for it."""
        try:
            query.start()
        except OSError as error:
            self._finish(query, QueryStatus.NO_ANSWER, None, socket_error_text(error))
            return False
        if query.is_stream:
            self._stream_slots.occupy(query)
        return True

    def _send(self, query: ServerQuery, now_ns: int) -> None:
        clock, scan, datagram = self._clock, query.scan, query.datagram
        if datagram is None:
            datagram = query.datagram = query.session.build_request(self._tokens.next())
        sent_at = PacketTime(clock.wall_ns(), clock.monotonic_ns(), clock.epoch)
        try:
            query.socket.sendto(datagram, query.sender_key)
        except OSError as error:
            self._handle_send_error(query, error, now_ns)
            return
        now_ns = clock.now_ns()  # on a busy machine sending takes long, and spacing counts from when the packet left
        self._busy_in_a_row = 0
        self._send_schedule.record_packet(now_ns, scan.gap_ns, scan.burst)
        if query.has_budget:
            self._budget.record_packet(query.host, now_ns)
        if query.interval_ns:
            self.per_server.record_request(query, now_ns)
        scan.counters.sent += 1
        scan.counters.send_errors_in_a_row = 0
        self._deadlines.schedule(query, now_ns + query.record_send(sent_at, now_ns))
        if not query.in_flight and scan.pace.loopback_only:
            query.in_flight = True
            self._unpaced_in_flight += 1

    def _handle_send_error(self, query: ServerQuery, error: OSError, now_ns: int) -> None:
        """Handle a packet that the system did not send.

        A short lack of buffer space and the first `FREE_SEND_FAILURES` errors of a query cost nothing; others count as
        an attempt.
        """
        if query.is_stream:
            query.send_error = socket_error_text(error)
            self.end_stream(query, query.send_error)
            return
        self._busy_in_a_row += error.errno in BUSY_ERRNOS
        if error.errno in BUSY_ERRNOS and self._busy_in_a_row <= MAX_BUSY_IN_A_ROW:
            self._send_schedule.pause_until(now_ns + BUSY_BACKOFF_NS)
            self._send_queue.push(query, SendPriority.FOLLOW_UP)
            return
        self._send_schedule.record_packet(now_ns, query.scan.gap_ns)
        if error.errno in NETWORK_DOWN_ERRNOS:
            query.scan.counters.send_errors_in_a_row += 1
        query.failed_sends += 1
        query.is_deferred = query.failed_sends <= FREE_SEND_FAILURES
        if not query.is_deferred:
            query.record_send(None, now_ns)
        query.send_error = socket_error_text(error)
        self._deadlines.schedule(query, now_ns + query.scan.retransmit_timer.send_failure_wait_ns)

    def send_disconnect(self, sock: UdpSocket, address: tuple[str, int], datagram: bytes, scan: Scan) -> None:
        """Send a datagram that gets no reply, if the host's budget allows it now."""
        host, now_ns = effective_host(address[0]), self._clock.now_ns()
        allowed_ns = self._budget.earliest_send_ns(host, urgent=scan.urgent) - MIN_SPACING_NS
        if scan.pace.loopback_only or allowed_ns <= now_ns:  # it may directly follow the packet before
            with contextlib.suppress(OSError):
                sock.sendto(datagram, address)
                self._send_schedule.record_packet(now_ns, scan.gap_ns, scan.burst)
                self._budget.record_packet(host, now_ns)
                scan.counters.sent += 1
                scan.counters.disconnects += 1

    def send_follow_up(self, query: ServerQuery, datagram: bytes | None, phase: QueryPhase) -> None:
        """Queue the next request of a query or a ping probe.

        Without `datagram`, the session builds the request.
        """
        query.phase = phase
        query.follow_up_attempts = 0
        query.due_ns = 0
        query.datagram = datagram
        self._send_queue.push(query, SendPriority.FOLLOW_UP)

    # Timeouts

    def handle_timeouts(self, now_ns: int) -> None:
        """Handle all deadlines that have passed."""
        while (query := self._deadlines.pop(now_ns)) is not None:
            if query.is_deferred:
                self._requeue_deferred(query)
            else:
                self.clear_in_flight(query)
                try:
                    self._handle_timeout(query, now_ns)
                except Exception:  # noqa: BLE001 - as in `send_due`
                    internal_errors.report("handling a timeout", query.target.address)
                    self.abandon(query)

    def _requeue_deferred(self, query: ServerQuery) -> None:
        if query.phase is QueryPhase.NEW or (query.phase is QueryPhase.AWAITING_REPLY and not query.attempts):
            self._queue_first(query)
        else:
            self._queue_retry(query)

    def _queue_retry(self, query: ServerQuery) -> None:
        if query.phase is not QueryPhase.AWAITING_REPLY:
            self._send_queue.push(query, SendPriority.FOLLOW_UP)
        else:
            self._send_queue.push(query, SendPriority.RETRY_RATE_LIMITED if query.interval_ns else SendPriority.RETRY)

    def _handle_timeout(self, query: ServerQuery, now_ns: int) -> None:
        if query.phase is QueryPhase.PROBING_PING:
            self.complete(query)
        elif query.can_retry:
            query.datagram = None
            self._queue_retry(query)
        elif (
            query.phase is QueryPhase.AWAITING_REPLY
            and query.late_reply_deadline_ns > now_ns
            and not self._blocks_waiting_query(query)
        ):
            query.phase = QueryPhase.AWAITING_LATE_REPLY
            self._deadlines.schedule(query, query.late_reply_deadline_ns)
        else:
            self._skip_current_part(query)

    def _blocks_waiting_query(self, query: ServerQuery) -> bool:
        """Return whether another query waits for the server or connection of `query`."""
        return self.per_server.has_waiting(query) or (query.is_stream and self._stream_slots.has_waiting)

    def clear_in_flight(self, query: ServerQuery) -> None:
        """Record that the last datagram of a query was answered or has timed out."""
        if query.in_flight:
            query.in_flight = False
            self._unpaced_in_flight -= 1

    def _skip_current_part(self, query: ServerQuery) -> None:
        if query.session.skip_current_part():
            if query.session.has_more:
                self.send_follow_up(query, None, QueryPhase.FOLLOW_UP)
            else:
                self.complete(query)
        elif query.packet_error is not None:
            self._finish(query, QueryStatus.MALFORMED, None, query.packet_error)
        else:
            self._finish(query, QueryStatus.NO_ANSWER, None, query.no_answer_text)

    # Completion

    def complete(self, query: ServerQuery) -> None:
        """Finish a query whose session is done, if need be after a ping probe."""
        if query.is_ping_ambiguous and query.phase is not QueryPhase.PROBING_PING:
            self._probe_ping(query)
            return
        if query.is_ping_ambiguous:
            query.settle_ping(None)
        try:
            info = self._read_reply(query.session.reply, query.target, query.parts)
        except Exception:  # noqa: BLE001 - our own bug in reading one reply must not end all scans
            internal_errors.report("reading a server's reply", query.target.address)
            self._finish(query, QueryStatus.MALFORMED, None, UNREADABLE)
            return
        if query.scan.needs_rules(query.target, info) and query.session.request_more(QueryParts.RULES):
            self.send_follow_up(query, None, QueryPhase.FOLLOW_UP)
        else:
            self._finish(query, QueryStatus.OK, info, None)

    def end_stream(self, query: ServerQuery, reason: str) -> None:
        """Finish a query whose connection ended, was refused, or carries no valid reply."""
        if query.phase is QueryPhase.FINISHED:
            return
        if query.phase is QueryPhase.PROBING_PING or query.session.skip_current_part():
            query.phase = QueryPhase.PROBING_PING  # there will be no probe: the connection is lost
            self.complete(query)
        else:
            status = QueryStatus.MALFORMED if query.has_reply else QueryStatus.NO_ANSWER
            self._finish(query, status, None, reason)

    def abandon(self, query: ServerQuery) -> None:
        """Finish a query that an internal error interrupted."""
        if query.phase is not QueryPhase.FINISHED:
            self._finish(query, QueryStatus.MALFORMED, None, UNREADABLE)

    def _probe_ping(self, query: ServerQuery) -> None:
        """Send a ping probe if the protocol has one.

        In any case, waits for a reply to another attempt if there can be one.
        """
        probe = query.session.build_ping_probe()
        query.follow_up_sent = None
        if probe is not None:
            self.send_follow_up(query, probe, QueryPhase.PROBING_PING)
            return
        query.phase = QueryPhase.PROBING_PING
        if query.is_stream:  # it is sent once: no other reply will come
            self.complete(query)
        else:
            wait_ns = query.scan.retransmit_timer.probe_wait_ns(query.longest_round_trip_ns)
            self._deadlines.schedule(query, self._clock.now_ns() + wait_ns)

    def _finish(self, query: ServerQuery, status: QueryStatus, info: ServerInfo | None, error: str | None) -> None:
        self._release(query)
        query.scan.add_result(query.build_result(status, info, error))
        following = self.per_server.release(query)
        if following is not None:
            self._queue_first(following)

    def _release(self, query: ServerQuery) -> None:
        """Mark a query as finished, and free its socket and its stream slot."""
        if query.in_flight:
            self.clear_in_flight(query)
        query.finish()
        if query.is_stream and (waiting := self._stream_slots.release(query)) is not None:
            self._queue_first(waiting)

    def remove_scan(self, scan: Scan) -> None:
        """Remove all queries of a scan without results."""
        everywhere = (
            *self._send_queue.queries(),
            *self._deadlines.queries(),
            *self.per_server.queries(),
            *self._stream_slots.queries(),
        )
        queries = [query for query in everywhere if query.scan is scan and query.phase is not QueryPhase.FINISHED]
        for query in queries:
            if query.phase is not QueryPhase.FINISHED:  # it may be in several queues
                self._release(query)
        for query in queries:
            following = self.per_server.release(query)
            if following is not None:
                self._queue_first(following)
