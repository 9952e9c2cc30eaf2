"""What all plots have in common: points that keys and the pointer reach, words for each, copying, the focus ring."""

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_focus
from browser_app.ui.plots.spoken import Graphic
from browser_app.ui.texts import tool_tip
from browser_app.ui.theme import Theme

_ENDS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}


class Plot(Graphic):
    """A picture of points, of which one may be pointed at. Time and values run from left to right in every language.

    Signals:
        pointed: what is told of the point pointed at; empty when there is none.
    """

    pointed = Signal(str)

    def __init__(self, theme: Theme, name: str, height: int) -> None:
        super().__init__()
        self._theme = theme
        self._place = -1
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        theme.changed.connect(self.update)

    # What a plot is made of

    def count(self) -> int:
        """How many points there are."""
        raise NotImplementedError

    def words(self, place: int) -> str:
        """A point as text."""
        raise NotImplementedError

    def values(self) -> str:
        """All points as lines of values parted by tabs."""
        raise NotImplementedError

    def place_at(self, where: QPointF) -> int:
        """The point nearest to a spot; -1 for none."""
        raise NotImplementedError

    def draw(self, painter: QPainter, place: int) -> None:
        """Draw all of it, and mark the point `place` where that is not -1."""
        raise NotImplementedError

    def summary(self) -> str:
        """The whole as a text, for those who do not see it: the first point and the last."""
        count = self.count()
        if count < 2:
            return self.words(0) if count else ""
        return _("{n} points, from {first} to {last}").format(n=count, first=self.words(0), last=self.words(count - 1))

    def neighbour(self, place: int, key: Qt.Key) -> int | None:
        """The point that an arrow key leads to; None where the key is not the plot's."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(key)
        return None if step is None else min(max(place + step, 0), self.count() - 1)

    # Pointing

    @property
    def place(self) -> int:
        """The point pointed at, -1 for none."""
        return self._place

    def point_at(self, place: int) -> None:
        """Point at one, -1 for none."""
        if place == self._place:
            return
        self._place = place
        words = self.words(place) if place >= 0 else ""
        self.setAccessibleDescription(words or self.summary())
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
        self.pointed.emit(words)
        self.update()

    def changed(self) -> None:
        """The points are new; the keys stay on the one they are on, or go to the newest."""
        place, self._place = self._place, -2
        beyond = place >= self.count() or (place < 0 and self.hasFocus())
        self.point_at(self.count() - 1 if beyond and self.hasFocus() else -1 if beyond else place)

    def copy(self) -> None:
        """Put all values on the clipboard."""
        QGuiApplication.clipboard().setText(self.values())

    # Qt's hooks

    def event(self, event: QEvent) -> bool:
        """Ctrl+C copies the values here, not what it copies elsewhere; the tooltip tells the point."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if event.matches(QKeySequence.StandardKey.Copy):
                event.accept()
                return True
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = self.place_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tool_tip(self.words(place)) if place >= 0 else "", self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End walk the points."""
        key = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif self.count() and key in _ENDS:
            self.point_at(_ENDS[key] % self.count())
        elif self.count() and (place := self.neighbour(self._place, key)) is not None:
            self.point_at(place)
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at what is nearest."""
        self.point_at(self.place_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing, but where the keys are here."""
        super().leaveEvent(event)
        if not self.hasFocus():
            self.point_at(-1)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keys begin at the newest point."""
        super().focusInEvent(event)
        if self._place < 0:
            self.point_at(self.count() - 1)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Point at nothing."""
        super().focusOutEvent(event)
        self.point_at(-1)
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(_("Copy all values"), self.copy)
        menu.popup(event.globalPos())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the plot and the focus ring."""
        painter = QPainter(self)
        self.draw(painter, self._place)
        if self.hasFocus():
            draw_focus(painter, self.rect(), self._theme.palette.color("accent"))

    def label(self, painter: QPainter, left: float, baseline: float, text: str, *, right: bool = False) -> None:
        """A label of an axis: its left or, with `right`, its right end at `left`."""
        painter.setFont(self._theme.font(11, QFont.Weight.Normal))
        painter.setPen(self._theme.palette.color("text2"))
        width = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(QPointF(left - width if right else left, baseline), text)
