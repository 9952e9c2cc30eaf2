"""The course of all queries: what is sent when, and what follows from silence. No socket is opened here."""

import logging
import os
from collections.abc import Callable
from typing import Any

from browser_app.catalogue.facts import Facts, Status, Target
from browser_app.engine.deadlines import Deadlines
from browser_app.engine.outbox import Lane, Outbox
from browser_app.engine.pacing import Schedule
from browser_app.engine.query import Phase, Query
from browser_app.engine.round_trips import Moment
from browser_app.engine.scan import Scan
from browser_app.engine.timestamps import Clock
from browser_app.engine.tokens import Tokens
from browser_app.engine.turns import Turns
from browser_app.engine.udp_sockets import BUSY, DOWN
from browser_app.protocols.conversation import Want

Reader = Callable[[Any, Target, Want], Facts]
"""Makes facts of what a conversation brought, without what was not wanted."""

BUSY_WAIT_NS = 5_000_000
"""Nothing is sent for so long after the system had no room for a packet."""
MAX_BUSY = 400
"""Packets in a row without room, 2 s in all; each further one counts as sent in vain."""
FREE_UNSENT = 3
"""Refusals that cost a query no attempt. They come faster than packets leave, so that a network that is away now and
then would use up the attempts of many."""

_log = logging.getLogger(__name__)


class Questioner:
    """All open queries of all scans, on one schedule."""

    def __init__(self, clock: Clock, read: Reader) -> None:
        self.window = 64
        """How many queries at a `loopback_only` pace may be in flight."""
        self.turns = Turns()
        self._clock = clock
        self._read = read
        self._schedule = Schedule()
        self._outbox = Outbox()
        self._deadlines = Deadlines()
        self._tokens = Tokens()
        self._unpaced_in_flight = 0
        self._busy = 0

    def begin(self, query: Query) -> None:
        """Have a new query asked in its turn."""
        query.scan.open += 1
        self._queue_first(query)

    def _queue_first(self, query: Query) -> None:
        self._outbox.push(query, Lane.FIRST_GUARDED if query.interval_ns else Lane.FIRST)

    def next_ns(self, now_ns: int) -> int | None:
        """When there will be something to do, engine time; None when all depends on others."""
        times = [due for due in (self._deadlines.next_ns, self._next_send_ns(now_ns)) if due is not None]
        return min(times, default=None)

    def _next_send_ns(self, now_ns: int) -> int | None:
        if self._unpaced_in_flight >= self.window:
            return None
        next_ns = self._outbox.next_ns(now_ns)
        return None if next_ns is None else max(next_ns, self._schedule.next_ns)

    # Sending

    def send_due(self, now_ns: int) -> None:
        """Send what the schedule allows at this moment."""
        while self._schedule.next_ns <= now_ns and self._unpaced_in_flight < self.window:
            query = self._outbox.pop(now_ns)
            if query is None:
                self._schedule.idle()
                return
            if self._has_turn(query, now_ns):
                self._send(query, now_ns)
                now_ns = self._clock.now_ns()

    def _has_turn(self, query: Query, now_ns: int) -> bool:
        """Whether its server may be sent something now; if not, the query has been put aside until it may."""
        query.put_off = False
        if query.interval_ns and (not_before_ns := self.turns.not_before_ns(query)) > now_ns:
            query.put_off = True
            self._deadlines.put(query, not_before_ns)
            return False
        if query.phase is not Phase.NEW:
            return True
        other = self.turns.asking.get(query.key)
        if other is not None and other.phase is Phase.LISTENING:
            self._give_up(other)
            other = self.turns.asking.get(query.key)
        if other is not None:
            self.turns.wait(query)
            return False
        self.turns.asking[query.key] = query
        query.start()
        return True

    def _send(self, query: Query, now_ns: int) -> None:
        clock, scan, datagram = self._clock, query.scan, query.datagram
        if datagram is None:
            datagram = query.datagram = query.conversation.request(self._tokens.next())
        moment = Moment(clock.wall_ns(), clock.monotonic_ns(), clock.epoch)
        try:
            query.socket.sendto(datagram, query.key)
        except OSError as error:
            self._not_sent(query, error, now_ns)
            return
        now_ns = clock.now_ns()  # a busy machine may have held us up: what it is spaced from is when it left
        self._busy = 0
        self._schedule.take(now_ns, scan.gap_ns, scan.burst)
        if query.spacing_ns:
            self._outbox.sent_to(query.key[0], now_ns, query.spacing_ns)
        if query.interval_ns:
            self.turns.sent(query, now_ns)
        scan.counters.sent += 1
        scan.counters.unsent_in_a_row = 0
        self._deadlines.put(query, now_ns + query.was_sent(moment, now_ns))
        if not query.in_flight and scan.pace.loopback_only:
            query.in_flight = True
            self._unpaced_in_flight += 1

    def _not_sent(self, query: Query, error: OSError, now_ns: int) -> None:
        """The system refused a packet: a moment's want of room costs nothing, and none of a query's first few refusals.

        All else counts as sent in vain.
        """
        self._busy += error.errno in BUSY
        if error.errno in BUSY and self._busy <= MAX_BUSY:
            self._schedule.hold(now_ns + BUSY_WAIT_NS)
            self._outbox.push(query, Lane.FOLLOW_UP)
            return
        self._schedule.take(now_ns, query.scan.gap_ns)
        if error.errno in DOWN:
            query.scan.counters.unsent_in_a_row += 1
        query.unsent += 1
        query.put_off = query.unsent <= FREE_UNSENT
        if not query.put_off:
            query.was_sent(None, now_ns)
        query.trouble = os.strerror(error.errno) if error.errno else "could not be sent"
        self._deadlines.put(query, now_ns + query.scan.patience.unsent_wait_ns)

    def ask_more(self, query: Query, datagram: bytes | None, phase: Phase) -> None:
        """Send a further leg or a proof; None: the conversation is to be asked for it."""
        query.phase = phase
        query.leg_tries = 0
        query.due_ns = 0
        query.datagram = datagram
        self._outbox.push(query, Lane.FOLLOW_UP)

    # Silence

    def expire_due(self, now_ns: int) -> None:
        """Deal with all deadlines that have passed."""
        while (query := self._deadlines.pop(now_ns)) is not None:
            if query.put_off:
                self._resume(query)
            else:
                self.landed(query)
                self._expired(query, now_ns)

    def _resume(self, query: Query) -> None:
        if query.phase is Phase.NEW or (query.phase is Phase.ASKING and not query.attempts):
            self._queue_first(query)
        else:
            self._queue_retry(query)

    def _queue_retry(self, query: Query) -> None:
        if query.phase is not Phase.ASKING:
            self._outbox.push(query, Lane.FOLLOW_UP)
        else:
            self._outbox.push(query, Lane.RETRY_GUARDED if query.interval_ns else Lane.RETRY)

    def _expired(self, query: Query, now_ns: int) -> None:
        if query.phase is Phase.PROVING:
            self.complete(query)
        elif query.may_retry:
            query.datagram = None
            self._queue_retry(query)
        elif query.phase is Phase.ASKING and query.listens_until_ns > now_ns and not self.turns.awaited(query):
            query.phase = Phase.LISTENING
            self._deadlines.put(query, query.listens_until_ns)
        else:
            self._give_up(query)

    def landed(self, query: Query) -> None:
        """Its last datagram is answered or given up."""
        if query.in_flight:
            query.in_flight = False
            self._unpaced_in_flight -= 1

    def _give_up(self, query: Query) -> None:
        if query.conversation.give_up():
            if query.conversation.more:
                self.ask_more(query, None, Phase.LATER_LEG)
            else:
                self.complete(query)
        elif query.refused is not None:
            self._finish(query, Status.MALFORMED, None, query.refused)
        else:
            self._finish(query, Status.NO_ANSWER, None, query.silence)

    # The end

    def complete(self, query: Query) -> None:
        """The conversation brought all it could: settle the ping, if need be by waiting for more, and finish."""
        if query.ping_open and query.phase is not Phase.PROVING:
            self._prove(query)
            return
        if query.ping_open:
            query.settle(None)
        try:
            facts = self._read(query.conversation.reply, query.target, query.scan.want)
        except Exception:  # noqa: BLE001 - an error of ours in reading one server must not end all scans
            _log.exception("reading the reply of %s", query.target.address)
            self._finish(query, Status.MALFORMED, None, "unreadable")
            return
        if facts.rules is None and query.scan.wants_rules_of(facts.game) and query.conversation.widen(Want.RULES):
            self.ask_more(query, None, Phase.LATER_LEG)  # only the answer told which game it is
        else:
            self._finish(query, Status.OK, facts, None)

    def _prove(self, query: Query) -> None:
        """Ask for a proof of the ping where there is one; in any case wait for an answer to another attempt."""
        proof = query.conversation.proof()
        query.leg_sent = None
        if proof is not None:
            self.ask_more(query, proof, Phase.PROVING)
        else:
            query.phase = Phase.PROVING
            wait_ns = query.scan.patience.proof_wait_ns(query.longest_trip_ns)
            self._deadlines.put(query, self._clock.now_ns() + wait_ns)

    def _finish(self, query: Query, status: Status, facts: Facts | None, error: str | None) -> None:
        if query.in_flight:
            self.landed(query)
        query.end()
        query.scan.conclude(query.answer(status, facts, error))
        following = self.turns.leave(query)
        if following is not None:
            self._queue_first(following)

    def drop(self, scan: Scan) -> None:
        """Forget all queries of a scan, without answers."""
        everywhere = (*self._outbox.queries(), *self._deadlines.queries(), *self.turns.queries())
        queries = [query for query in everywhere if query.scan is scan and query.phase is not Phase.OVER]
        for query in queries:
            self.landed(query)
            if query.phase is not Phase.OVER:  # it may be in several places
                query.end()
        for query in queries:
            following = self.turns.leave(query)
            if following is not None:
                self._queue_first(following)
