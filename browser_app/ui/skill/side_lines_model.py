"""The lines of the skill view's side as a model."""

from collections.abc import Sequence
from typing import NamedTuple

from browser_app.ui.skill.lines_model import LinesModel


class SideLine(NamedTuple):
    """One line; `number` None shows none."""

    key: str
    icon: str
    title: str
    number: int | None
    spoken: str


class SideLinesModel(LinesModel[SideLine]):
    """The lines in their order."""

    def set_lines(self, lines: Sequence[SideLine]) -> None:
        """Show these; the model is reset only where other lines stand now, and not only other words."""
        if [line.key for line in self.lines] != [line.key for line in lines]:
            super().set_lines(lines)
            return
        self.lines = tuple(lines)
        if lines:
            self.dataChanged.emit(self.index(0), self.index(len(lines) - 1))
