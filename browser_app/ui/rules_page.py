"""The inspector's rules: the server's own words, as plain text."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser_app.catalogue.facts import Facts
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.controls import placed
from browser_app.ui.theme import Theme

LINE, MARGIN = 24, 14
MAX_LINES = 500


class RulesPage(QWidget):
    """A painted list of keys and values, sorted by key."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rules: list[tuple[str, str]] = []
        self._headline = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(_("Rules"))
        theme.changed.connect(self.update)

    def show_rules(self, facts: Facts | None, *, asking: bool) -> None:
        """Show them; `asking` while the answer is on its way."""
        rules = facts.rules if facts else None
        self._rules = sorted((rules or {}).items(), key=lambda rule: rule[0].casefold())[:MAX_LINES]
        if rules is None:
            self._headline = _("Asking for its rules…") if asking else _("This server does not publish rules.")
        else:
            n = len(rules)
            words = ngettext("{n} rule, in the server's own words.", "{n} rules, in the server's own words.", n)
            self._headline = words.format(n=n)
        self.setAccessibleDescription(". ".join(self.lines()))
        self.setMinimumHeight(self.sizeHint().height())
        self.update()

    def lines(self) -> list[str]:
        """Its content as text."""
        return [self._headline, *(f"{key}: {value}" for key, value in self._rules)]

    def sizeHint(self) -> QSize:
        """Room for all lines."""
        return QSize(280, LINE * (len(self._rules) + 1) + 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines in sight."""
        painter = QPainter(self)
        colors = self._theme.palette
        painter.setFont(self._theme.font(12))
        painter.setPen(colors.color("text2"))
        painter.drawText(self._line(4), int(Qt.AlignmentFlag.AlignVCenter), self._headline)
        painter.setFont(self._theme.font())
        metrics = painter.fontMetrics()
        for index, (key, value) in enumerate(self._rules):
            line = self._line(LINE + 8 + index * LINE)
            if not line.intersects(event.rect()):
                continue
            middle = line.width() * 9 // 20
            painter.setPen(colors.color("rowline"))
            painter.drawLine(line.bottomLeft(), line.bottomRight())
            for box, text, role in (
                (line.adjusted(0, 0, middle - line.width() - 6, 0), key, "text2"),
                (line.adjusted(middle, 0, 0, 0), value, "text1"),
            ):
                painter.setPen(colors.color(role))
                shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
                painter.drawText(placed(self, box), int(Qt.AlignmentFlag.AlignVCenter), shown)

    def _line(self, top: int) -> QRect:
        return QRect(MARGIN, top, self.width() - 2 * MARGIN, LINE)
