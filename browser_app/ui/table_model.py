"""The model of the servers' table: a permutation over the catalogue's rows; a server's id is its number."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from browser_app.ui.columns import COLUMNS
from browser_app.ui.permuted_model import ID_ROLE, Ids, PermutedModel
from browser_app.ui.row import Row

__all__ = ["ID_ROLE", "Ids", "ServerTableModel"]


class ServerTableModel(PermutedModel):
    """Shows the servers of `order`. `rows_of` cuts rows from the catalogue in one go; `names_of` names them."""

    def __init__(
        self,
        rows_of: Callable[[Sequence[int]], list[Row]],
        names_of: Callable[[Ids], list[str]] = lambda _servers: [],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(COLUMNS, parent)
        self._rows_of, self._names_of = rows_of, names_of

    def rows(self, first: int, last: int) -> list[Row]:
        """The rows in places `first` to `last`, last included."""
        return self._rows_of(self.order[first : last + 1].tolist())

    def names(self) -> list[str]:
        """What the servers are called, top down."""
        return self._names_of(self.order)

    def cell_text(self, place: int, column: int) -> str:
        """The column's text."""
        return COLUMNS[column].text(self.rows(place, place)[0])

    def cell_spoken(self, place: int, column: int) -> str:
        """The column's words."""
        return COLUMNS[column].spoken(self.rows(place, place)[0])
