"""dpmaster and id's masters: asking for a list of servers over UDP, until it is complete."""

import contextlib
import selectors
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass

from browser_app.catalogue.facts import Target
from browser_app.engine.address_rules import reach_of
from browser_app.engine.delivery import Delivery, MasterError
from browser_app.engine.master_source import DpMaster
from browser_app.engine.os_words import in_words
from browser_app.engine.resolve import resolve
from browser_app.language import gettext
from browser_app.protocols.address import Address
from browser_app.protocols.conversation import Refused
from browser_app.protocols.dpmaster import read_servers, request

_LARGEST = 65_535
_RECEIVE_BUFFER = 1 << 20
"""Bytes: the longest list comes in one burst of 470 KB."""
_LOOK_S = 0.1
"""How often it is looked at whether to stop."""


@dataclass(frozen=True, slots=True)
class DpMasterTiming:
    """Seconds, counted from the first request unless told otherwise."""

    requests_s: Sequence[float] = (0.0, 1.0, 2.5, 5.0, 8.0)
    """While nothing comes."""
    silence_s: float = 4.0
    """A master that said nothing by then is dead. DarkPlaces waits as long (`net_slist_timeout`)."""
    throttled_s: float = 10.0
    """The same, where it answered another question of this poll. With its flood protection dpmaster takes four
    requests at once and then one every 3 s (its `clients.h`), so who asks for many games waits for the last ones."""
    spare_s: float = 3.5
    """The same, where the master answered completely on its other address."""
    quiet_s: float = 1.5
    """Since the last packet of an unfinished list: the rest is lost. It is asked for once more, the second time given
    up."""
    grace_s: float = 0.25
    """Since the last packet of a finished list: overtaken packets may follow."""


def poll_dpmaster(
    master: DpMaster, delivery: Delivery, timing: DpMasterTiming | None = None, talking: set[Address] | None = None
) -> str | None:
    """Deliver the master's servers as they come.

    IPv4 servers are asked for at the master's first IPv4 address, those of both families at its first IPv6 one.
    `talking` are the addresses that answered anything in this poll; shared by its masters, also between threads.

    Returns:
        What is to say about the list besides what `delivery` left out: that it is incomplete; None when all is well.

    Raises:
        MasterError: no list came.
    """
    addresses = resolve(master.address.host, delivery.stop)
    if not addresses:
        raise MasterError(gettext("unknown host {host}").format(host=master.address.host))
    timing = timing or DpMasterTiming()
    talking = set() if talking is None else talking
    with contextlib.ExitStack() as stack:
        lines = [
            stack.enter_context(_Line(Address(host, master.address.port), master, delivery, timing, talking))
            for host in _one_a_family(addresses)
        ]
        _listen(lines, delivery, timing)
        return _outcome(lines, delivery)


def _one_a_family(addresses: Sequence[str]) -> list[str]:
    by_family: dict[bool, str] = {}
    for address in addresses:
        by_family.setdefault(":" in address, address)
    return list(by_family.values())


def _listen(lines: Sequence["_Line"], delivery: Delivery, timing: DpMasterTiming) -> None:
    """Until all lines have ended, or the delivery stops or is full."""
    spare_ends = time.monotonic() + timing.spare_s
    with selectors.DefaultSelector() as selector:
        for line in lines:
            if line.sock is not None:
                selector.register(line.sock, selectors.EVENT_READ, line)
        while not delivery.stop.is_set and not delivery.full:
            now = time.monotonic()
            for line in lines:
                line.act(now)
            open_lines = [line for line in lines if not line.over]
            if now >= spare_ends and any(line.complete for line in lines):
                open_lines = [line for line in open_lines if line.heard]
            if not open_lines:
                return
            wait_s = min(_LOOK_S, *(line.due - now for line in open_lines))
            for key, _ in selector.select(max(0.0, wait_s)):
                key.data.receive()


def _outcome(lines: Sequence["_Line"], delivery: Delivery) -> str | None:
    heard = [line for line in lines if line.heard]
    if not heard:
        most = max(line.sent for line in lines)
        raise MasterError(
            next((line.trouble for line in lines if line.trouble), gettext("no answer to {n} requests").format(n=most))
        )
    return None if delivery.full or any(line.complete for line in heard) else gettext("the list is incomplete")


class _Line:
    """One address of a master. Its connected socket takes nothing from anybody else."""

    def __init__(
        self, address: Address, master: DpMaster, delivery: Delivery, timing: DpMasterTiming, talking: set[Address]
    ) -> None:
        self.sock: socket.socket | None = None
        self.heard = False
        """At least one packet of a list came."""
        self.over = False
        self.due = time.monotonic()
        """When something is to be done."""
        self.trouble: str | None = None
        self.sent = 0
        """Requests, as long as nothing came."""
        self._address = address
        self._master = master
        self._delivery = delivery
        self._talking = talking
        self._timing = timing
        self._reach = reach_of(address.host)
        self._request = request(master.gamename, master.number, ipv6=":" in address.host and bool(master.gamename))
        self._started = self.due
        self._asked_again = False
        self._ended = False
        self._total: int | None = None
        self._parts: set[int] = set()
        self._open()

    def _open(self) -> None:
        family = socket.AF_INET6 if ":" in self._address.host else socket.AF_INET
        try:
            self.sock = socket.socket(family, socket.SOCK_DGRAM)
            self.sock.setblocking(False)
            with contextlib.suppress(OSError):  # less room
                self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
            self.sock.connect(self._address)
        except OSError as error:
            self._fail(error)

    def __enter__(self) -> "_Line":
        return self

    def __exit__(self, *_: object) -> None:
        if self.sock is not None:
            self.sock.close()

    @property
    def complete(self) -> bool:
        """The whole list came, as far as the master tells."""
        return self._ended if self._total is None else len(self._parts) >= self._total

    def act(self, now: float) -> None:
        """Do what is due."""
        if self.over or now < self.due:
            return
        if not self.heard:
            self._ask_or_give_up(now)
        elif self.complete or self._asked_again:
            self.over = True
        else:
            self._asked_again = True
            self.due = now + self._timing.quiet_s
            self._send()

    def _ask_or_give_up(self, now: float) -> None:
        times, talks = self._timing.requests_s, self._address in self._talking
        patience_s = self._timing.throttled_s if talks else self._timing.silence_s
        waited_s = now - self._started
        if waited_s >= patience_s:
            self.over = True
            return
        if self.sent < len(times) and waited_s >= times[self.sent]:
            self.sent += 1
            self._send()
        next_s = times[self.sent] if self.sent < len(times) else patience_s
        self.due = self._started + min(next_s, patience_s)

    def _send(self) -> None:
        assert self.sock is not None  # noqa: S101 (without a socket the line is over)
        try:
            self.sock.send(self._request)
        except BlockingIOError:
            return
        except OSError as error:
            self._fail(error)

    def receive(self) -> None:
        """Take one datagram."""
        assert self.sock is not None  # noqa: S101
        try:
            data = self.sock.recv(_LARGEST)
        except BlockingIOError:
            return
        except OSError as error:
            self._fail(error)
            return
        try:
            packet = read_servers(data)
        except Refused:
            self.trouble = gettext("the answer is no list of servers")
            return
        self.heard = True
        self._talking.add(self._address)
        self._ended = self._ended or packet.end
        if packet.index is not None and packet.total:
            self._total = packet.total
            self._parts.add(packet.index)
        master = self._master
        self._delivery.put((Target(address, master.protocol, master.game) for address in packet.addresses), self._reach)
        self.due = time.monotonic() + (self._timing.grace_s if self.complete else self._timing.quiet_s)

    def _fail(self, error: OSError) -> None:
        self.trouble = in_words(error, gettext("cannot be reached"))
        self.over = True
