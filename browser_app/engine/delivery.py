"""What becomes of the addresses that one master lists."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from browser_app.catalogue.facts import Target
from browser_app.engine.address_rules import Reach, may_name
from browser_app.engine.host_room import MAX_OF_ONE_HOST, HostRoom
from browser_app.engine.resolve import is_ip, resolve_all
from browser_app.engine.stop import Stop
from browser_app.language import gettext as _
from browser_app.protocols.address import Address

MAX_SERVERS = 65_536
"""What one master may name; more than any real one ever did."""
MAX_NAMES = 256
"""Different host names that are looked up for one list from elsewhere."""


class MasterError(Exception):
    """A master brought nothing; `str()` tells the user why."""


class MasterLate(MasterError):
    """The time was over; `str()` tells what was waited for."""


class Delivery:
    """Passes one master's servers on: those that it may name, each once, and not too many.

    For the thread that asks the master.
    """

    def __init__(self, send: Callable[[Sequence[Target]], None], stop: Stop, hosts: HostRoom | None = None) -> None:
        """`send` takes each batch, never an empty one, in the thread that delivers; `hosts` is shared by a poll's
        masters."""
        self.stop = stop
        self._send = send
        self._hosts = hosts or HostRoom()
        self._seen: set[Address] = set()
        self._crowded: set[Address] = set()
        self._names_left_out = 0

    @property
    def count(self) -> int:
        """How many servers were passed on."""
        return len(self._seen)

    @property
    def full(self) -> bool:
        """No more is taken."""
        return len(self._seen) + len(self._crowded) >= MAX_SERVERS

    @property
    def left_out(self) -> list[str]:
        """What was not taken because it was too much, in words for the user."""
        words = []
        if self.full:
            words.append(_("the list is cut after {n:,} servers").format(n=MAX_SERVERS))
        if self._crowded:
            left_out = _("{n:,} of more than {most} servers of one address were left out")
            words.append(left_out.format(n=len(self._crowded), most=MAX_OF_ONE_HOST))
        if self._names_left_out:
            left_out = _("{n:,} of more than {most} host names were left out")
            words.append(left_out.format(n=self._names_left_out, most=MAX_NAMES))
        return words

    def put(self, targets: Iterable[Target], reach: Reach) -> None:
        """Pass these servers on. `reach`: of whoever names them. Hosts must be IP addresses; names are left out."""
        batch: list[Target] = []
        for target in targets:
            if self.full:
                break
            if target.address in self._seen or not may_name(reach, target.address):
                continue
            if self._hosts.admit(target.address):
                self._seen.add(target.address)
                batch.append(target)
            else:
                self._crowded.add(target.address)
        if batch and not self.stop.is_set:
            self._send(batch)

    def put_named(self, targets: Sequence[Target], reach: Reach) -> None:
        """The same for servers whose hosts may be names: these are looked up, and judged by where they lead.

        Lists from elsewhere have at most `MAX_NAMES` names looked up.
        """
        self.put((target for target in targets if is_ip(target.address.host)), reach)
        by_name = grouped_by_name(targets)
        most = len(by_name) if reach is Reach.MACHINE else MAX_NAMES
        self._names_left_out += max(0, len(by_name) - most)
        for host, addresses in resolve_all(islice(by_name, most), self.stop):
            if addresses:
                ip = preferred(addresses)
                self.put((target._replace(address=Address(ip, target.address.port)) for target in by_name[host]), reach)


def grouped_by_name(targets: Iterable[Target]) -> dict[str, list[Target]]:
    """Those of `targets` whose hosts are names, by that name."""
    by_name: dict[str, list[Target]] = {}
    for target in targets:
        if not is_ip(target.address.host):
            by_name.setdefault(target.address.host, []).append(target)
    return by_name


def preferred(addresses: Sequence[str]) -> str:
    """Which of a game server's addresses is asked: an IPv4 one, since many games listen there alone."""
    return next((address for address in addresses if ":" not in address), addresses[0])
