"""A menu of choices with counts that stays open while several are made."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from browser_app.language import gettext as _
from browser_app.ui.texts import thousands


class Choice(NamedTuple):
    """One line."""

    value: str
    label: str
    number: int | None
    """Servers that it would leave."""
    on: bool


class ChoiceMenu(QMenu):
    """Lines that are ticked and unticked; words may be a server's."""

    def __init__(
        self, parent: QWidget, choices: Sequence[Choice], choose: Callable[[str, bool], object], *, several: bool
    ) -> None:
        """`choose` is told a value and whether it is on now. `several`: more than one may be on."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._several = several
        group = None if several else QActionGroup(self)
        for choice in choices:
            self.addAction(self._line(choice, choose, group))
        if not choices:
            self.addAction(_("Nothing to choose from")).setEnabled(False)

    def _line(self, choice: Choice, choose: Callable[[str, bool], object], group: QActionGroup | None) -> QAction:
        number = "" if choice.number is None else f"\t{thousands(choice.number)}"
        action = QAction(choice.label.replace("&", "&&").replace("\t", " ") + number, self)
        action.setCheckable(True)
        action.setChecked(choice.on)
        if group is not None:
            group.addAction(action)
        action.triggered.connect(lambda on: choose(choice.value, on))
        return action

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click ticks; where several may be ticked, the menu stays."""
        action = self.actionAt(event.position().toPoint())
        if self._several and action is not None and action.isCheckable():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space ticks and stays, Enter ticks and goes."""
        action = self.activeAction()
        if self._several and event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
        else:
            super().keyPressEvent(event)
