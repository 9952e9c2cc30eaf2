"""Servers of the local network: all neighbours are asked at once, by broadcast, and those that answer are the list."""

import contextlib
import selectors
import socket
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from browser_app.catalogue.facts import Target
from browser_app.engine.address_rules import Reach, is_possible, reach_of
from browser_app.engine.broadcasts import broadcast_addresses
from browser_app.engine.delivery import MAX_SERVERS, Delivery, MasterError
from browser_app.engine.master_source import LanMaster
from browser_app.engine.os_words import in_words
from browser_app.engine.tokens import Tokens
from browser_app.engine.udp_sockets import BUSY, is_loopback
from browser_app.games.profile import GameProfile
from browser_app.language import gettext as _
from browser_app.protocols import QUERY_PROTOCOLS, QueryProtocol
from browser_app.protocols.address import Address
from browser_app.protocols.conversation import Conversation, Refused

PORTS = 4
"""A game's own port and those after it, where further servers of one machine listen: id's engines look for as many on
a local network (NUM_SERVER_PORTS)."""

_LARGEST = 65_535
_RECEIVE_BUFFER = 1 << 20
"""Bytes: all neighbours answer at the same moment."""
_LOOK_S = 0.1
"""How often it is looked at whether to stop."""
_HOME = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class LanTiming:
    """Seconds."""

    rounds_s: Sequence[float] = (0.0, 0.7)
    """When all questions are sent, since the beginning; the second time for those that were lost."""
    gap_s: float = 0.005
    """Between two questions, each of which goes to all networks."""
    listen_s: float = 0.8
    """Since the last question; longer where a protocol's servers must be left alone for longer."""


def lan_master(profiles: Iterable[GameProfile]) -> LanMaster:
    """The local network, asked for the servers of these games."""
    questions = {
        (profile.protocol, profile.default_port + profile.query_port_offset + step)
        for profile in profiles
        for step in range(PORTS)
    }
    return LanMaster("lan:", tuple(sorted(each for each in questions if each[1] <= 65535)))


def poll_lan(master: LanMaster, delivery: Delivery, timing: LanTiming | None = None) -> str | None:
    """Deliver the servers that answered, all at the end.

    By then every protocol's least time between two requests has passed (DarkPlaces' guard), so that the servers may be
    asked at once. Only IPv4 has broadcasts. Answers from public addresses are not believed.

    Returns:
        What is to say about the list, such as that only this machine was reached; None when all is well.

    Raises:
        MasterError: nobody could be asked, or nobody answered.
    """
    timing = timing or LanTiming()
    questions = [_Question(QUERY_PROTOCOLS[protocol], port) for protocol, port in master.questions]
    try:
        with _Call(master.broadcasts or broadcast_addresses(), questions) as call:
            _run(call, questions, delivery, timing)
            if not delivery.stop.is_set:
                delivery.put(call.servers(), Reach.MACHINE)
            return call.outcome(delivery.count)
    except OSError as error:
        raise MasterError(in_words(error, _("the network cannot be asked"))) from None


def _run(call: "_Call", questions: Sequence["_Question"], delivery: Delivery, timing: LanTiming) -> None:
    """Until all is asked and the time to listen is over, the delivery stops, or there is nobody to ask."""
    began = time.monotonic()
    numbers = range(len(questions))
    due = deque(
        sorted((began + start + number * timing.gap_s, number) for start in timing.rounds_s for number in numbers)
    )
    patience_s = max([timing.listen_s, *(question.protocol.min_interval_s for question in questions)])
    next_s = began
    with selectors.DefaultSelector() as selector:
        selector.register(call.sock, selectors.EVENT_READ)
        while not delivery.stop.is_set and call.reached:
            now = time.monotonic()
            if due and due[0][0] <= now:
                call.ask(questions[due.popleft()[1]])
                next_s = due[0][0] if due else time.monotonic() + patience_s
            elif not due and now >= next_s:
                return
            if selector.select(min(_LOOK_S, max(0.0, next_s - now))):
                call.receive()


class _Question:
    """One request to everybody at one port."""

    def __init__(self, protocol: QueryProtocol, port: int) -> None:
        self.protocol = protocol
        self.port = port
        self._token = Tokens().next()
        self.datagram = self._conversation().request(self._token)

    def is_answered_by(self, data: bytes) -> bool:
        """Whether a server of the protocol would say this, be it a challenge or a part of its answer."""
        conversation = self._conversation()
        conversation.request(self._token)
        try:
            conversation.receive(data)
        except Refused:
            return False
        return True

    def _conversation(self) -> Conversation:
        return self.protocol.converse(self.protocol.default_want)


class _Call:
    """The socket, whom it reaches, and who answered."""

    def __init__(self, broadcasts: Sequence[str], questions: Iterable[_Question]) -> None:
        """Open it.

        Raises:
            OSError: this machine has no IPv4, or lets nobody broadcast.
        """
        self.reached = list(broadcasts)
        """Broadcast addresses that take packets, as far as tried."""
        self._trouble: str | None = None
        self._questions: dict[int, list[_Question]] = {}
        for question in questions:
            self._questions.setdefault(question.port, []).append(question)
        self._answered: dict[Address, str] = {}
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._set_up()
        except OSError:
            self.sock.close()
            raise

    def _set_up(self) -> None:
        self.sock.setblocking(False)
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        with contextlib.suppress(OSError):  # less room
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
        self.sock.bind(("", 0))  # Windows reads from bound sockets only

    def __enter__(self) -> "_Call":
        return self

    def __exit__(self, *_: object) -> None:
        self.sock.close()

    def ask(self, question: _Question) -> None:
        """Send it to every network that is reached."""
        for broadcast in tuple(self.reached):
            try:
                self.sock.sendto(question.datagram, (broadcast, question.port))
            except OSError as error:
                if error.errno not in BUSY:
                    self.reached.remove(broadcast)
                    self._trouble = in_words(error, _("the network cannot be asked"))

    def receive(self) -> None:
        """Take one datagram; what is no answer to anything asked at its port is nothing."""
        try:
            data, sender = self.sock.recvfrom(_LARGEST)
        except OSError:  # nothing there after all, or a report about an earlier send (Windows)
            return
        address = Address(*sender)
        if address in self._answered or len(self._answered) >= MAX_SERVERS or not _is_neighbour(address):
            return
        for question in self._questions.get(address.port, ()):
            if question.is_answered_by(data):
                self._answered[address] = question.protocol.name
                return

    def servers(self) -> list[Target]:
        """Who answered. A server of this machine that did so from several of its addresses is named once."""
        return [
            Target(address, protocol, None)
            for address, protocol in self._answered.items()
            if address.host == _HOME or Address(_HOME, address.port) not in self._answered or not _is_own(address.host)
        ]

    def outcome(self, servers: int) -> str | None:
        """What is to say about the list.

        Raises:
            MasterError: there is none.
        """
        if not self.reached:
            raise MasterError(self._trouble or _("no network"))
        only_here = self._trouble is not None and all(is_loopback(broadcast) for broadcast in self.reached)
        limits = _("only this machine was asked: {why}").format(why=self._trouble) if only_here else None
        if not servers:
            raise MasterError(limits or _("no server answered on the local network"))
        return limits


def _is_neighbour(address: Address) -> bool:
    return is_possible(address) and reach_of(address.host) is not Reach.INTERNET


def _is_own(host: str) -> bool:
    """Whether an address is this machine's."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        try:
            sock.bind((host, 0))
        except OSError:
            return False
    return True
