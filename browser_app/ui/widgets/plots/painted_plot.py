"""Base class of painted plots that keyboard and screen reader can use."""

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
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
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.widgets.accessibility import set_accessible_role
from browser_app.ui.widgets.basic_widgets import ElidedLabel, Label, draw_focus_ring
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.menus import create_menu
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import plain_tool_tip

_END_KEYS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}


class PaintedPlot(QWidget):
    """A plot of points, one of which may be current.

    That is the one under the pointer or chosen by keys. Time and values run from left to right in every language.

    Signals:
        point_text_changed: description of the current point, empty if there is none.
    """

    point_text_changed = Signal(str)

    def __init__(self, theme: Theme, name: str, height: int) -> None:
        super().__init__()
        set_accessible_role(self, QAccessible.Role.Graphic)
        self._theme = theme
        self.current_point = -1
        """-1 for none."""
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        theme.changed.connect(self.update)

    # Implemented by subclasses

    def point_count(self) -> int:
        """Return the number of points."""
        raise NotImplementedError

    def point_text(self, index: int) -> str:
        """Return the description of a point."""
        raise NotImplementedError

    def values_text(self) -> str:
        """Return all points as lines of tab-separated values."""
        raise NotImplementedError

    def point_at_position(self, where: QPointF) -> int:
        """Return the point nearest to a position, -1 for none."""
        raise NotImplementedError

    def focus_point(self) -> int:
        """Return the point that becomes current when the plot gets the focus."""
        return self.point_count() - 1

    def draw(self, painter: QPainter, index: int) -> None:
        """Draw the plot and mark the point `index`, unless it is -1."""
        raise NotImplementedError

    def summary_text(self) -> str:
        """Return a summary for screen readers: number of points, the first and the last."""
        count = self.point_count()
        if count < 2:
            return self.point_text(0) if count else ""
        return _("{n} points, from {first} to {last}").format(
            n=count, first=self.point_text(0), last=self.point_text(count - 1)
        )

    def neighbour_point(self, index: int, key: Qt.Key) -> int | None:
        """Return the point an arrow key moves to, None if the plot does not use the key."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(key)
        return None if step is None else min(max(index + step, 0), self.point_count() - 1)

    # Current point

    def set_current_point(self, index: int) -> None:
        """Make a point current, -1 for none."""
        if index == self.current_point:
            return
        self.current_point = index
        text = self.point_text(index) if index >= 0 else ""
        self.setAccessibleDescription(text or self.summary_text())
        self.point_text_changed.emit(text)
        self.update()

    def refresh_points(self) -> None:
        """Update after the points changed.

        The current point stays, or becomes the last one if it is gone.
        """
        index, self.current_point = self.current_point, -2
        beyond = index >= self.point_count() or (index < 0 and self.hasFocus())
        self.set_current_point(self.point_count() - 1 if beyond and self.hasFocus() else -1 if beyond else index)

    def copy_values(self) -> None:
        """Copy all values to the clipboard."""
        QGuiApplication.clipboard().setText(self.values_text())

    # Events

    def event(self, event: QEvent) -> bool:
        """Take Ctrl+C before the window's shortcut; show the tooltip of a point."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if event.matches(QKeySequence.StandardKey.Copy):
                event.accept()
                return True
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self.point_at_position(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), plain_tool_tip(self.point_text(index)) if index >= 0 else "", self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between points with the arrow keys, Home and End; copy with Ctrl+C."""
        key = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_values()
        elif self.point_count() and key in _END_KEYS:
            self.set_current_point(_END_KEYS[key] % self.point_count())
        elif self.point_count() and (index := self.neighbour_point(self.current_point, key)) is not None:
            self.set_current_point(index)
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Make the nearest point current."""
        self.set_current_point(self.point_at_position(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Clear the current point, unless the plot has the focus."""
        super().leaveEvent(event)
        if not self.hasFocus():
            self.set_current_point(-1)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Make the focus point current if there is none."""
        super().focusInEvent(event)
        if self.current_point < 0:
            self.set_current_point(self.focus_point())
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Clear the current point."""
        super().focusOutEvent(event)
        self.set_current_point(-1)
        self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open a menu that copies the values."""
        menu = create_menu(self, ())
        menu.addAction(_("Copy all values"), self.copy_values)
        menu.popup(event.globalPos())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the plot and the focus ring."""
        painter = QPainter(self)
        self.draw(painter, self.current_point)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), self._theme.palette.color("accent"))

    def draw_label(self, painter: QPainter, left: float, baseline: float, text: str, *, right: bool = False) -> None:
        """Draw an axis label with its left end, or its right end if `right`, at `left`."""
        painter.setFont(self._theme.font(11, QFont.Weight.Normal))
        painter.setPen(self._theme.palette.color("text2"))
        width = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(QPointF(left - width if right else left, baseline), text)


class PlotPanel(QWidget):
    """A plot with its title and the description of the current point above it."""

    def __init__(self, theme: Theme, plot: PaintedPlot) -> None:
        super().__init__()
        self.plot = plot
        self.title_label = ElidedLabel(
            theme, plot.accessibleName(), role="text2", size=12, weight=QFont.Weight.DemiBold
        )
        self.point_label = Label(theme, role="text2", size=11)
        self.point_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        head = fill_box(QHBoxLayout(), Stretch(self.title_label), self.point_label)
        fill_box(QVBoxLayout(self), head, plot, spacing=4)
        plot.point_text_changed.connect(self.point_label.setText)

    def set_title(self, title: str) -> None:
        """Set the title."""
        self.title_label.setText(title)
        self.plot.setAccessibleName(title)
