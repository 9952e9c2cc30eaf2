"""The status line: masters and their health, the scan's progress, traffic, and whether the order is live or held."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.controls import ElidedText, Surface, Text, draw_icon
from browser_app.ui.masters_button import MastersButton
from browser_app.ui.texts import percent, thousands, tool_tip
from browser_app.ui.theme import Theme

HEIGHT = 26
PASSING_MS = 6000
"""So long news stand there."""


class ProgressBar(QWidget):
    """A 6 px bar of the share done."""

    def __init__(self, theme: Theme, width: int = 72) -> None:
        super().__init__()
        self._theme = theme
        self._share = 0.0
        self.setFixedSize(QSize(width, 6))
        self.setAccessibleName(_("Scan progress"))

    def set_share(self, share: float) -> None:
        """0…1."""
        self._share = min(1.0, max(0.0, share))
        self.setAccessibleDescription(f"{self._share:.0%}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw frame and fill."""
        painter = QPainter(self)
        painter.setPen(self._theme.palette.color("border"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.fillRect(0, 0, round(self.width() * self._share), self.height(), self._theme.palette.color("text2"))


class IconMark(QWidget):
    """One small icon in a role's colour."""

    def __init__(self, theme: Theme, name: str, role: str = "text2", size: int = 14) -> None:
        super().__init__()
        self._theme, self._name, self._role = theme, name, role
        self.setFixedSize(QSize(size, size))
        theme.changed.connect(self.update)

    def set_icon(self, name: str, role: str) -> None:
        """Show another one."""
        self._name, self._role = name, role
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw it."""
        box = QRect(0, 0, self.width(), self.height())
        draw_icon(QPainter(self), self._name, getattr(self._theme.palette, self._role), box)


class StatusLine(Surface):
    """Words and numbers only; every figure is the engine's own."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window", "T")
        self.masters = MastersButton(theme)
        self.failures: tuple[str, ...] = ()
        """What went wrong with masters, a line each."""
        self._bar = ProgressBar(theme)
        self._scan = Text(theme, role="text2", size=12)
        self._traffic = Text(theme, role="text2", size=12)
        self._message = ElidedText(theme, role="text2", size=12)
        self._lasting = "", "text2"
        self._passing = QTimer(self, singleShot=True, interval=PASSING_MS)
        self._passing.timeout.connect(self._show_lasting)
        self._order_mark = IconMark(theme, "pause")
        self._order = Text(theme, role="text2", size=12)
        self.setFixedHeight(HEIGHT)
        self._asking = _side_by_side(self._scan, self._bar, self._traffic)
        self._ordering = _side_by_side(self._order_mark, self._order)
        self._others: tuple[QWidget, ...] = ()
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(12, 1, 12, 0)
        row.setSpacing(8)
        row.addWidget(self.masters)
        row.addWidget(self._asking)
        row.addStretch(1)
        row.addWidget(self._message)
        row.addWidget(self._ordering)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.show_masters(0, [])
        self.show_scan(0, 0, running=False)
        self.show_held(held=False, reason="")

    def show_masters(self, answered: int, failures: Sequence[str], asked: int = 0) -> None:
        """How many masters answered, and what went wrong with the others (one line each)."""
        words = _("Masters {n} of {asked}").format(n=answered, asked=asked) if asked else _("No masters asked")
        failed = ngettext("{n} failed", "{n} failed", len(failures)).format(n=len(failures)) if failures else ""
        self.failures = tuple(failures)
        self.masters.show_words(words, failed, tool_tip("\n".join(failures)))

    def show_scan(self, done: int, targets: int, *, running: bool) -> None:
        """Servers whose query has ended, of all that are to be asked."""
        self._bar.setVisible(running)
        self._bar.set_share(done / targets if targets else 0.0)
        if running:
            self._scan.setText(_("Scan {n} of {total}").format(n=thousands(done), total=thousands(targets)))
        else:
            words = ngettext("{n} server asked", "{n} servers asked", targets).format(n=thousands(targets))
            self._scan.setText(words if targets else "")

    def show_traffic(self, sent: int, received: int, dropped: int, *, running: bool) -> None:
        """Datagrams; `lost` is the share of ours that nothing came back for, known when the scan is over."""
        parts = [_("sent {n}").format(n=thousands(sent)), _("received {n}").format(n=thousands(received))]
        if sent and not running:
            parts.append(_("lost {share}").format(share=percent(max(0, sent - received) / sent, 1)))
        if dropped:
            parts.append(_("refused {n}").format(n=thousands(dropped)))
        self._traffic.setText("  ".join(parts) if sent else "")

    def show_message(self, text: str, *, warning: bool = False) -> None:
        """One line that stays: what is so."""
        self._lasting = text, "warning" if warning else "text2"
        self._passing.stop()
        self._show_lasting()
        if warning:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._message, text))

    def tell(self, text: str) -> None:
        """One line of news, spoken too, which makes room for the lasting one after a while."""
        self._passing.start()
        self._message.set_role("text2")
        self._message.setText(text)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._message, text))

    def _show_lasting(self) -> None:
        text, role = self._lasting
        self._message.set_role(role)
        self._message.setText(text)

    def show_held(self, *, held: bool, reason: str) -> None:
        """Whether the order is live."""
        self._order_mark.setVisible(held)
        why = _("Order held {why}").format(why=_(reason)) if reason else _("Order held")
        self._order.setText(why if held else _("Order live"))

    def add_view(self, start: QWidget, end: QWidget) -> None:
        """What another view says in place of the scan and the order, from `show_view` on."""
        self._others = start, end
        self._row.insertWidget(1, start)
        self._row.addWidget(end)
        self.show_view(servers=True)

    def show_view(self, *, servers: bool) -> None:
        """Speak of the servers, or of what the other view adds."""
        for widget in (self._asking, self._ordering):
            widget.setVisible(servers)
        for widget in self._others:
            widget.setVisible(not servers)

    def texts(self) -> tuple[str, ...]:
        """Everything it says, left to right."""
        shown = (self._scan, self._traffic, self._message, self._order)
        texts = (self.masters.text(), self.masters.warning, *(widget.text() for widget in shown))
        return tuple(text for text in texts if text)


def _side_by_side(*widgets: QWidget) -> QWidget:
    group = QWidget()
    row = QHBoxLayout(group)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget)
    return group
