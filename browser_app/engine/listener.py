"""What an arriving datagram means. Whatever comes, it costs one counter at most."""

import logging
from collections.abc import Sequence

from browser_app.engine.query import Phase, Query
from browser_app.engine.questioner import Questioner
from browser_app.engine.round_trips import Moment, round_trip
from browser_app.engine.scan import Scan
from browser_app.engine.udp_sockets import Stamp
from browser_app.protocols.conversation import DONE, Refused, Step

MAX_BYTES = 1 << 20
"""Taken from one server in one query, headers included: three legs of 64 KiB, some doubles, and thousands of small
datagrams, since a flood in a server's name must not silence it at once. The rest is not looked at."""
_HEADERS = 28
"""Bytes of IPv4 and UDP."""

_log = logging.getLogger(__name__)


class Listener:
    """Gives datagrams to the queries that they answer."""

    def __init__(self, questioner: Questioner, scans: Sequence[Scan]) -> None:
        """`scans` are those that run, oldest first; kept up to date by their owner."""
        self._questioner = questioner
        self._asking = questioner.turns.asking
        self._scans = scans

    def received(self, data: bytes, sender: tuple[str, int], stamp: Stamp) -> None:
        """Take one datagram that came just now."""
        query = self._asking.get(sender)
        if query is None:
            self._stray(sender)
            return
        query.scan.counters.received += 1
        query.taken += len(data) + _HEADERS
        if query.taken > MAX_BYTES:
            query.scan.counters.drop("too many")
        elif query.phase is Phase.PROVING:
            self._proof(query, data, query.socket.arrival(stamp))
        else:
            moment = query.socket.arrival(stamp)
            try:
                step = query.conversation.receive(data)
            except Refused as refusal:
                self._refuse(query, str(refusal))
            except Exception:  # noqa: BLE001 - an error of ours in parsing one packet must not end all scans
                _log.exception("parsing a datagram of %s", query.target.address)
                self._refuse(query, "unreadable")
            else:
                self._accepted(query, step, moment)

    def _stray(self, sender: tuple[str, int]) -> None:
        """A datagram that answers no open query; counted where it belongs, else with the oldest scan."""
        for scan in self._scans:
            if sender in scan.over:
                scan.counters.received += 1
                scan.counters.drop("after the end")
                return
        if self._scans:
            self._scans[0].counters.received += 1
            self._scans[0].counters.drop("not asked")

    def _refuse(self, query: Query, reason: str) -> None:
        query.refused = reason
        query.scan.counters.drop(reason)

    def _proof(self, query: Query, data: bytes, moment: Moment) -> None:
        """A datagram while the ping waits for its proof: late answers to other attempts may come in between."""
        if query.leg_sent is not None and query.conversation.confirms(data):
            query.settle(round_trip(query.leg_sent, moment))
        else:
            query.scan.counters.drop("duplicate")
            if not query.answered_again(moment):
                return
        self._questioner.complete(query)

    def _accepted(self, query: Query, step: bytes | Step, moment: Moment) -> None:
        if step == query.datagram and query.phase is Phase.LATER_LEG:
            query.scan.counters.drop("duplicate")  # the answer to another attempt, with the same challenge
            return
        self._questioner.landed(query)
        if not query.heard:
            query.answered_first(moment)
        elif query.ping_open:
            self._witness(query, moment)
        if step is DONE:
            self._questioner.complete(query)
        elif isinstance(step, bytes):
            self._questioner.ask_more(query, step, Phase.LATER_LEG)

    def _witness(self, query: Query, moment: Moment) -> None:
        """A later leg was answered: if it was sent once, its round trip tells which attempt the first answer meant."""
        if query.phase is Phase.LATER_LEG and query.leg_sent is not None:
            trip = round_trip(query.leg_sent, moment)
            if trip is not None:
                query.settle(trip)
