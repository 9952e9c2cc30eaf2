"""Under which query protocols a scan's servers were named, so that whoever is first with a wrong one hides nobody."""

from browser_app.catalogue.facts import Target
from browser_app.protocols.address import Address


class Namings:
    """Each server is asked under the protocol that came first and, once that failed, under one other that was named."""

    def __init__(self) -> None:
        self._first: dict[Address, str] = {}
        self._others: dict[Address, Target] = {}
        self._failed: set[Address] = set()
        self._spent: set[Address] = set()

    def __len__(self) -> int:
        """How many servers were named."""
        return len(self._first)

    def ask_now(self, target: Target) -> bool:
        """Take in a target; whether it is to be asked now."""
        address = target.address
        first = self._first.get(address)
        if first is None:
            self._first[address] = target.protocol
            return True
        if first == target.protocol or address in self._spent:
            return False
        if address not in self._failed:
            self._others.setdefault(address, target)
            return False
        self._spent.add(address)
        return True

    def after_failure(self, address: Address) -> Target | None:
        """A server failed under its first protocol; what is to be asked instead, if that is known already."""
        self._failed.add(address)
        other = self._others.pop(address, None)
        if other is not None:
            self._spent.add(address)
        return other
