"""How many servers strangers may name at one IP address, so that they cannot aim us at somebody."""

import threading
from collections import Counter
from collections.abc import Iterable

from browser_app.engine.udp_sockets import is_loopback
from browser_app.protocols.address import Address

MAX_OF_ONE_HOST = 256
"""Ports of one IP address; the largest hosts of game servers have some dozens."""


class HostRoom:
    """What all masters of a poll named together. Every method may be called from every thread."""

    def __init__(self, known: Iterable[Address] = ()) -> None:
        """`known` are servers that are asked anyway."""
        self._lock = threading.Lock()
        self._admitted: set[Address] = set()
        self._of_host: Counter[str] = Counter()
        self.know(known)

    def know(self, addresses: Iterable[Address]) -> None:
        """These are asked anyway, whatever room there is."""
        with self._lock:
            new = set(addresses) - self._admitted
            self._admitted |= new
            self._of_host.update(address.host for address in new)

    def admit(self, address: Address) -> bool:
        """Whether there is room for this one, or it is in already. This machine has room for all."""
        with self._lock:
            if address in self._admitted:
                return True
            if self._of_host[address.host] >= MAX_OF_ONE_HOST and not is_loopback(address.host):
                return False
            self._admitted.add(address)
            self._of_host[address.host] += 1
            return True
