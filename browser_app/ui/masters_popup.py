"""Each master with its state: how many servers it named, or what went wrong."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.controls import ElidedText, Text, draw_box
from browser_app.ui.status_line import IconMark
from browser_app.ui.texts import thousands
from browser_app.ui.theme import Theme

WIDTH = 520


class MasterLine(NamedTuple):
    """One master."""

    url: str
    servers: int
    error: str
    done: bool

    @property
    def icon(self) -> tuple[str, str]:
        """Its icon and the icon's role."""
        if self.error:
            return "doubt", "warning"
        return ("check", "accent") if self.done else ("clock", "text2")

    @property
    def words(self) -> str:
        """Its state."""
        if self.error:
            return self.error
        if not self.done and not self.servers:
            return _("being asked…")
        return ngettext("{n} server", "{n} servers", self.servers).format(n=thousands(self.servers))


class MastersPopup(QWidget):
    """Closes by Esc or a click elsewhere; is gone then."""

    def __init__(self, theme: Theme, parent: QWidget, lines: Callable[[], Sequence[MasterLine]]) -> None:
        """`lines`: tells how the masters are at the moment; none comes or goes while it is open."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme, self._lines = theme, lines
        self._rows: list[tuple[IconMark, ElidedText]] = []
        self.setAccessibleName(_("Masters"))
        self.setFixedWidth(WIDTH)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        masters = lines()
        for place, master in enumerate(masters):
            icon, words = IconMark(theme, *master.icon), ElidedText(theme)
            grid.addWidget(icon, place, 0)
            grid.addWidget(ElidedText(theme, master.url), place, 1)
            grid.addWidget(words, place, 2)
            self._rows.append((icon, words))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(8)
        column.addWidget(Text(theme, _("Masters"), weight=QFont.Weight.DemiBold))
        column.addLayout(grid)
        if not masters:
            column.addWidget(Text(theme, _("No masters asked"), role="text2"))
        self.refresh()

    def refresh(self) -> None:
        """Say how they are now."""
        for (icon, words), master in zip(self._rows, self._lines(), strict=False):
            icon.set_icon(*master.icon)
            words.set_role("warning" if master.error else "text2")
            words.setText(master.words)

    def open_above(self, corner: QPoint) -> None:
        """Show it with its lower left corner there (global)."""
        self.adjustSize()
        self.move(corner - QPoint(0, self.height() + 4))
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw ground and frame."""
        colors = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colors.window))
        draw_box(painter, self.rect(), QColor(colors.raised), QColor(colors.border))
