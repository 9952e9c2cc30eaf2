"""Answers that are made once and sent often."""

from collections.abc import Callable, Hashable, Sequence

from browser_app.demo.population import Population

_GOES_STALE_S = 10.0
"""Scores and times on the server go on though nobody comes or leaves."""


class Prepared:
    """The datagrams of each kind of answer of one server, made again only after a change or when out of date."""

    __slots__ = ("_kept", "_now_s", "_state")

    def __init__(self, state: Population, now_s: Callable[[], float]) -> None:
        self._state = state
        self._now_s = now_s
        self._kept: dict[Hashable, tuple[int, float, Sequence[bytes]]] = {}

    def get(self, kind: Hashable, make: Callable[[float], Sequence[bytes]]) -> Sequence[bytes]:
        """What `make` gives for the current time, in s since the network's start, or gave shortly before."""
        now_s = self._now_s()
        kept = self._kept.get(kind)
        if kept is not None and kept[0] == self._state.revision and now_s < kept[1]:
            return kept[2]
        datagrams = make(now_s)
        self._kept[kind] = self._state.revision, now_s + _GOES_STALE_S, datagrams
        return datagrams
