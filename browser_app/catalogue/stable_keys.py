"""Which servers carry which stable key, and who of them may be taken for a server that has moved."""

from collections.abc import Callable


class StableKeys:
    """Rows by the stable key of their last answer.

    A key is the server's own word, which anybody can copy; so it proves nothing where two rows carry it.
    """

    def __init__(self) -> None:
        self._rows: dict[str, set[int]] = {}

    def move(self, row: int, before: str | None, now: str | None) -> None:
        """A row's key is `now` and was `before`; None is no key."""
        if before == now:
            return
        if before is not None:
            self._rows[before].discard(row)
        if now is not None:
            self._rows.setdefault(now, set()).add(row)

    def only_row(self, key: str, home: int | None, silent: Callable[[int], bool]) -> int | None:
        """The one row besides `home` that carries the key, of several the one that is not silent; None in doubt."""
        carriers = self._rows.get(key)
        if not carriers:
            return None
        away = carriers - {home}
        if len(away) > 1:
            away = {row for row in away if not silent(row)}
        return next(iter(away)) if len(away) == 1 else None
