"""Times that matter for a short while only."""

from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


class RecentTimes(Generic[Key]):
    """Key → a moment soon to come. Entries whose moment has passed are forgotten, so memory is bounded by what happens
    within that short time. Amortised O(1).
    """

    __slots__ = ("_until",)

    def __init__(self) -> None:
        self._until: dict[Key, int] = {}

    def put(self, key: Key, until_ns: int, now_ns: int) -> None:
        """Remember `until_ns` for `key`; later calls should name later moments, or forgetting takes longer."""
        until = self._until
        until.pop(key, None)  # so that the newest stands last
        until[key] = until_ns
        while until[oldest := next(iter(until))] <= now_ns and oldest != key:
            del until[oldest]

    def get(self, key: Key) -> int:
        """The moment of `key`; 0 when there is none, or it has passed and was forgotten."""
        return self._until.get(key, 0)

    def __len__(self) -> int:
        return len(self._until)
