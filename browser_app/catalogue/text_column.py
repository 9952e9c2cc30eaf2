"""A column of texts: each row holds a small integer into a pool of distinct texts.

Maps, modes and versions repeat thousands of times, so a test or a rank is worked out once a distinct text and spread
over the rows by one numpy indexing.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

import numpy as np
import numpy.typing as npt

_SLACK = 1024


class TextColumn:
    """Texts by row. The empty text stands for unknown, and so does None where texts are put in.

    Kept true: `pool[ids[row]]` is the row's text; `pool[0]` is the empty text.
    """

    def __init__(self) -> None:
        self._store = np.zeros(64, np.int32)
        self.ids: npt.NDArray[np.int32] = self._store[:0]
        """Place of each row's text in the pool."""
        self._start_pool([])

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, row: int) -> str:
        return self._pool[int(self.ids[row])]

    def texts(self, rows: npt.NDArray[np.intp]) -> list[str]:
        """The texts of several rows."""
        pool = self._pool
        return [pool[i] for i in self.ids[rows].tolist()]

    @property
    def pool(self) -> Sequence[str]:
        """The distinct texts that `ids` point into; some may belong to no row any more."""
        return self._pool

    def extend(self, size: int) -> None:
        """Grow to `size` rows; new ones are unknown."""
        if size > len(self._store):
            store = np.zeros(max(size, 2 * len(self._store)), np.int32)
            store[: len(self.ids)] = self.ids
            self._store = store
        self.ids = self._store[:size]

    def put(self, rows: npt.NDArray[np.intp], texts: Collection[str | None]) -> bool:
        """Set the texts of `rows` (each at most once); True if any of them is another than before."""
        try:
            new = self._ids_of(texts)
        except KeyError:
            for text in texts:
                if text is not None and text not in self._id_of:
                    self._id_of[text] = len(self._pool)
                    self._pool.append(text)
            new = self._ids_of(texts)
        if (self.ids[rows] == new).all():
            return False
        self.ids[rows] = new
        if len(self._pool) > 2 * len(self.ids) + _SLACK:
            self._compact()
        return True

    def ranks(self) -> npt.NDArray[np.float64]:
        """Place of each row's text in alphabetical order without regard to case; NaN where unknown."""
        if len(self._order) < len(self._pool):
            self._order.extend(range(len(self._order), len(self._pool)))
            self._order.sort(key=self._sort_keys().__getitem__)  # nearly sorted already: one merge
            self._ranks = np.empty(len(self._pool))
            self._ranks[self._order] = np.arange(len(self._pool))
            self._ranks[0] = np.nan
        return self._ranks[self.ids]

    def where(self, test: Callable[[str], object]) -> npt.NDArray[np.bool_]:
        """Rows whose text is known and passes `test`, which is given the casefolded text."""
        keys = self._sort_keys()
        passed = np.fromiter((bool(test(folded)) for folded, _ in keys), np.bool_, len(keys))
        passed[0] = False
        return passed[self.ids]

    def _ids_of(self, texts: Collection[str | None]) -> npt.NDArray[np.int32]:
        return np.fromiter(map(self._id_of.__getitem__, texts), np.int32, len(texts))

    def _sort_keys(self) -> list[tuple[str, str]]:
        """Each text of the pool casefolded and as it is; worked out when first needed."""
        self._keys += [(text.casefold(), text) for text in self._pool[len(self._keys) :]]
        return self._keys

    def _start_pool(self, texts: Iterable[str]) -> None:
        self._pool = ["", *texts]
        self._id_of: dict[str | None, int] = {text: place for place, text in enumerate(self._pool)}
        self._id_of[None] = 0
        self._keys: list[tuple[str, str]] = []
        self._order = [0]
        self._ranks = np.full(1, np.nan)

    def _compact(self) -> None:
        """Forget texts that no row holds, so that names which change all the time do not fill the memory."""
        used, inverse = np.unique(self.ids, return_inverse=True)
        texts = [self._pool[i] for i in used.tolist()]
        self._start_pool(text for text in texts if text)
        self.ids[:] = np.array([self._id_of[text] for text in texts], np.int32)[inverse]
