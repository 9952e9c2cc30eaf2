"""Several filters that are in force together, kept apart: what each one hides, and what another one would leave."""

from collections.abc import Iterable, Mapping

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.columns import Bools, Ints
from browser_app.catalogue.filter_language import Filter
from browser_app.catalogue.filter_tree import And, Everything


class Terms:
    """Filters by key over the rows of one list, as the catalogue was when this was made.

    Attributes:
        listed: the rows of the list.
        passing: rows, in the list or not, that pass every filter.
    """

    def __init__(self, filters: Mapping[str, Filter], catalogue: Catalogue, listed: Bools) -> None:
        self.listed = listed
        self._catalogue = catalogue
        self._masks = {key: each.mask(catalogue) for key, each in filters.items()}
        self._failed: Ints = np.zeros(len(listed), np.int32)
        for mask in self._masks.values():
            self._failed += ~mask
        self.passing: Bools = self._failed == 0

    def __contains__(self, key: object) -> bool:
        return key in self._masks

    def others(self, key: str) -> Bools:
        """Rows of the list that pass every filter but this one, and perhaps that, too."""
        mask = self._masks.get(key)
        passed = self.passing if mask is None else self._failed - ~mask == 0
        return self.listed & passed

    def hides(self, key: str) -> int:
        """Rows that come back if only this filter goes off."""
        return int(np.count_nonzero(self.others(key) & ~self._masks[key]))

    def leaves(self, other: Filter, key: str = "") -> int:
        """Rows that are left if another filter comes on; in place of the one with this key, if that is in force."""
        mask = other.mask(self._catalogue)[: len(self.listed)]  # rows may have come since
        return int(np.count_nonzero(self.others(key) & mask))


def together(filters: Iterable[Filter]) -> Filter:
    """One filter that passes what all of them pass."""
    nodes = tuple(each.node for each in filters if not isinstance(each.node, Everything))
    if len(nodes) == 1:
        return Filter(nodes[0])
    return Filter(And(nodes) if nodes else Everything())
