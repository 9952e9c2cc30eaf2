"""Typing goes to the server whose name begins like that, or has a word that does."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QElapsedTimer

PAUSE_MS = 1000
"""A letter that comes later begins a new name."""


class NameSearch:
    """Collects letters. `names`: what the rows are called, top down."""

    def __init__(self, names: Callable[[], Sequence[str]]) -> None:
        self._names = names
        self._text = ""
        self._clock = QElapsedTimer()

    @property
    def going_on(self) -> bool:
        """The next letter belongs to what was typed."""
        return bool(self._text) and self._clock.isValid() and self._clock.elapsed() < PAUSE_MS

    def type(self, letters: str, current: int) -> int:
        """Take letters in; the place of the row to go to, -1 for none. `current`: where one is."""
        going_on = self.going_on
        self._text = (self._text if going_on else "") + letters.casefold()
        self._clock.start()
        names = [name.casefold() for name in self._names()]
        first = max(current, 0) + (0 if going_on else 1)
        places: list[int] = [*range(first, len(names)), *range(min(first, len(names)))]
        for fits in (_begins, _has_word):
            for place in places:
                if fits(names[place], self._text):
                    return place
        return -1


def _begins(name: str, begun: str) -> bool:
    return name.startswith(begun)


def _has_word(name: str, begun: str) -> bool:
    at = name.find(begun)
    while at >= 0:
        if at == 0 or not name[at - 1].isalnum():
            return True
        at = name.find(begun, at + 1)
    return False
