"""Favourites that another program named by their stable key only: waiting for a server that answers with it."""

from collections.abc import Iterator

from browser_app.storage.kept import Kept

_KEPT = "favourite keys"
MOST = 5_000


class FavouriteKeys:
    """Stable keys as `Facts` has them, first come first. One whose server is found becomes a favourite like others."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        stored = kept.get(_KEPT)
        self._keys = [key for key in stored if isinstance(key, str)][:MOST] if isinstance(stored, list) else []

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._keys))

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def add(self, key: str) -> bool:
        """Wait for one more; False if it is waited for already, or there are too many."""
        if key in self._keys or len(self._keys) >= MOST:
            return False
        self._keys.append(key)
        self._kept.put(_KEPT, self._keys)
        return True

    def remove(self, key: str | None) -> None:
        """Wait for it no more; nothing happens if it is not waited for."""
        if key in self._keys:
            self._keys.remove(key)
            self._kept.put(_KEPT, self._keys)
