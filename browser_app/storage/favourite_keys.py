"""Favourites that another program named by their stable key only: waiting for a server that answers with it."""

from collections.abc import Iterable, Iterator
from itertools import islice

from browser_app.storage.kept import Kept

_KEPT = "favourite keys"
MOST = 5_000


class FavouriteKeys:
    """Stable keys as `Facts` has them, first come first. One whose server is found becomes a favourite like others."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        stored = kept.get(_KEPT)
        told = [key for key in stored if isinstance(key, str)] if isinstance(stored, list) else []
        self._keys = dict.fromkeys(told[:MOST])

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._keys))

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def add(self, keys: Iterable[str]) -> int:
        """Wait for these too; how many were not waited for yet. Beyond `MOST` none is taken."""
        before = len(self._keys)
        new = (key for key in dict.fromkeys(keys) if key not in self._keys)
        return self._keep(self._keys | dict.fromkeys(islice(new, MOST - before))) - before

    def remove(self, keys: Iterable[str | None]) -> None:
        """Wait for these no more; nothing happens with those that are not waited for."""
        gone = set(keys)
        self._keep({key: None for key in self._keys if key not in gone})

    def _keep(self, keys: dict[str, None]) -> int:
        """All at once: they are written as one value."""
        if len(keys) != len(self._keys):
            self._keys = keys
            self._kept.put(_KEPT, list(keys))
        return len(keys)
