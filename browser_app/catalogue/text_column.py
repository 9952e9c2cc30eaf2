"""Text column whose rows refer to a pool of distinct texts.

Maps, modes and versions repeat thousands of times, so predicates and ranks are computed once per distinct text and
spread over the rows by one numpy indexing.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np
import numpy.typing as npt

_MAX_UNUSED_TEXTS = 1024


class TextColumn:
    """Texts by row. The empty text means unknown; None is stored as empty.

    `pool[ids[row]]` is the row's text; `pool[0]` is the empty text. With a `separator`, a text holds several values.
    """

    def __init__(self, separator: str = "") -> None:
        self._separator = separator
        self._buffer = np.zeros(64, np.int32)
        self.ids: npt.NDArray[np.int32] = self._buffer[:0]
        """By row: index of its text in the pool."""
        self._reset_pool([])

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, row: int) -> str:
        return self._pool[int(self.ids[row])]

    def texts_of(self, rows: npt.NDArray[np.intp]) -> list[str]:
        """Return the texts of several rows."""
        pool = self._pool
        return [pool[i] for i in self.ids[rows].tolist()]

    @property
    def pool(self) -> Sequence[str]:
        """The distinct texts that `ids` refers to; some may be unused."""
        return self._pool

    def grow(self, size: int) -> None:
        """Grow to `size` rows; new ones are unknown."""
        if size > len(self._buffer):
            buffer = np.zeros(max(size, 2 * len(self._buffer)), np.int32)
            buffer[: len(self.ids)] = self.ids
            self._buffer = buffer
        self.ids = self._buffer[:size]

    def set(self, rows: npt.NDArray[np.intp], texts: Collection[str | None]) -> bool:
        """Set the texts of `rows` (each at most once); return True if any of them is new."""
        try:
            new = self._ids_of(texts)
        except KeyError:
            for text in texts:
                if text is not None and text not in self._id_by_text:
                    self._id_by_text[text] = len(self._pool)
                    self._pool.append(text)
            new = self._ids_of(texts)
        if (self.ids[rows] == new).all():
            return False
        self.ids[rows] = new
        if len(self._pool) > 2 * len(self.ids) + _MAX_UNUSED_TEXTS:
            self._compact()
        return True

    def ranks(self) -> npt.NDArray[np.float64]:
        """Return the position of each row's text in alphabetical order.

        Case is ignored; NaN where unknown.
        """
        if len(self._sorted_ids) < len(self._pool):
            self._sorted_ids.extend(range(len(self._sorted_ids), len(self._pool)))
            self._sorted_ids.sort(key=self._sort_keys().__getitem__)  # nearly sorted already, so that this is one merge
            self._ranks = np.empty(len(self._pool))
            self._ranks[self._sorted_ids] = np.arange(len(self._pool))
            self._ranks[0] = np.nan
        return self._ranks[self.ids]

    def matching_rows(self, predicate: Callable[[str], object]) -> npt.NDArray[np.bool_]:
        """Return the rows whose text is known and has a value that passes `predicate`.

        The predicate gets the casefolded value.
        """
        keys = self._sort_keys()
        test = (lambda text: any(map(predicate, self._values(text)))) if self._separator else predicate
        passed = np.fromiter((bool(test(folded)) for folded, _ in keys), np.bool_, len(keys))
        passed[0] = False
        return passed[self.ids]

    def value_counts(self, rows: npt.NDArray[np.bool_]) -> dict[str, int]:
        """Return how many of `rows` have each value, the unknown one left out."""
        counts: dict[str, int] = {}
        numbers = np.bincount(self.ids[rows], minlength=len(self._pool)).tolist()
        for text, number in zip(self._pool, numbers, strict=True):
            for value in self._values(text) if text and number else ():
                counts[value] = counts.get(value, 0) + number
        return counts

    def _values(self, text: str) -> Sequence[str]:
        return text.split(self._separator) if self._separator else (text,)

    def _ids_of(self, texts: Collection[str | None]) -> npt.NDArray[np.int32]:
        return np.fromiter(map(self._id_by_text.__getitem__, texts), np.int32, len(texts))

    def _sort_keys(self) -> list[tuple[str, str]]:
        """Return each text of the pool casefolded and as it is; computed on demand."""
        self._sort_keys_of_pool += [(text.casefold(), text) for text in self._pool[len(self._sort_keys_of_pool) :]]
        return self._sort_keys_of_pool

    def _reset_pool(self, texts: Iterable[str]) -> None:
        self._pool = ["", *texts]
        self._id_by_text: dict[str | None, int] = {text: index for index, text in enumerate(self._pool)}
        self._id_by_text[None] = 0
        self._sort_keys_of_pool: list[tuple[str, str]] = []
        self._sorted_ids = [0]
        self._ranks = np.full(1, np.nan)

    def _compact(self) -> None:
        """Drop unused texts, so that constantly changing names do not fill the memory."""
        used, inverse = np.unique(self.ids, return_inverse=True)
        texts = [self._pool[i] for i in used.tolist()]
        self._reset_pool(text for text in texts if text)
        self.ids[:] = np.array([self._id_by_text[text] for text in texts], np.int32)[inverse]
