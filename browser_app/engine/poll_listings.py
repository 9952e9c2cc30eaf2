"""What each source of a poll listed."""

import threading
from array import array
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from browser_app.catalogue.server_info import QueryTarget
from browser_app.protocols.address import Address


class PollListings:
    """Addresses by the source that listed them. Thread-safe.

    Each address is stored once, however many sources list it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._place_by_address: dict[Address, int] = {}
        self._places_by_url: dict[str, array[int]] = {}

    def add(self, url: str, targets: Iterable[QueryTarget]) -> None:
        """Record that a source lists these servers.

        `url` is "" for servers that the user named.
        """
        with self._lock:
            known = self._place_by_address
            places = (known.setdefault(target.address, len(known)) for target in targets)
            self._places_by_url.setdefault(url, array("i")).extend(places)

    def addresses(self) -> Sequence[Address]:
        """Return all listed addresses."""
        with self._lock:
            return list(self._place_by_address)

    def clear(self) -> None:
        """Remove everything."""
        with self._lock:
            self._place_by_address, self._places_by_url = {}, {}

    def places(self, url: str) -> npt.NDArray[np.int32]:
        """Return the places in `addresses` of those that a source lists."""
        with self._lock:
            return np.array(self._places_by_url.get(url, ()), np.int32)
