"""The model of the rounds' table: a permutation over the history's rows."""

import numpy as np

from browser_app.ui.permuted_model import Ids, PermutedModel
from browser_app.ui.skill.rounds.round_columns import COLUMNS
from browser_app.ui.skill.rounds.round_row import RoundRow, RoundSource


class RoundTableModel(PermutedModel):
    """Shows the rounds of `order`: places in the history of `source`."""

    def __init__(self) -> None:
        super().__init__(COLUMNS)
        self.source: RoundSource | None = None

    def set_source(self, source: RoundSource | None, order: Ids) -> None:
        """Show another history: its rows are others."""
        self.beginResetModel()
        self.source, self.order = source, order if source is not None else np.empty(0, np.int64)
        self.endResetModel()

    def rows(self, first: int, last: int) -> list[RoundRow]:
        """The rows in places `first` to `last`, last included."""
        return [] if self.source is None else self.source(self.order[first : last + 1].tolist())

    def row(self, place: int) -> RoundRow:
        """The row in one place."""
        return self.rows(place, place)[0]

    def cell_text(self, place: int, column: int) -> str:
        """The column's text."""
        return COLUMNS[column].text(self.row(place))

    def cell_spoken(self, place: int, column: int) -> str:
        """The column's words."""
        return COLUMNS[column].spoken(self.row(place))
