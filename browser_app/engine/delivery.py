"""What becomes of the addresses that one master lists."""

from collections.abc import Callable, Iterable, Sequence

from browser_app.catalogue.facts import Target
from browser_app.engine.address_rules import Reach, may_name
from browser_app.engine.resolve import is_ip, resolve_all
from browser_app.engine.stop import Stop
from browser_app.protocols.address import Address

MAX_SERVERS = 65_536
"""What one master may name; more than any real one ever did."""


class MasterError(Exception):
    """A master brought nothing; `str()` tells the user why."""


class MasterLate(MasterError):
    """The time was over; `str()` tells what was waited for."""


class Delivery:
    """Passes one master's servers on: those that it may name, each once, and not too many.

    For the thread that asks the master.
    """

    def __init__(self, send: Callable[[Sequence[Target]], None], stop: Stop) -> None:
        """`send` takes each batch, never an empty one, in the thread that delivers."""
        self.stop = stop
        self._send = send
        self._seen: set[Address] = set()

    @property
    def count(self) -> int:
        """How many servers were passed on."""
        return len(self._seen)

    @property
    def full(self) -> bool:
        """No more is taken."""
        return len(self._seen) >= MAX_SERVERS

    def put(self, targets: Iterable[Target], reach: Reach) -> None:
        """Pass these servers on. `reach`: of whoever names them. Hosts must be IP addresses; names are left out."""
        batch: list[Target] = []
        for target in targets:
            if self.full:
                break
            if target.address not in self._seen and may_name(reach, target.address):
                self._seen.add(target.address)
                batch.append(target)
        if batch and not self.stop.is_set:
            self._send(batch)

    def put_named(self, targets: Sequence[Target], reach: Reach) -> None:
        """The same for servers whose hosts may be names: these are looked up, and judged by where they lead."""
        self.put((target for target in targets if is_ip(target.address.host)), reach)
        by_name = grouped_by_name(targets)
        for host, addresses in resolve_all(by_name, self.stop):
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
