"""What pyqtgraph does for *Over time*: two view boxes with one time, moved and zoomed together, and their axes.

With `layers` the only file that needs pyqtgraph; import it when a plot is about to be shown. Time runs from left to
right in every language.
"""

import pyqtgraph
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from browser_app.ui.skill.over_time.axes import Axes
from browser_app.ui.skill.over_time.layers import Draw, Layer
from browser_app.ui.skill.over_time.scale import Scale
from browser_app.ui.theme import Theme

_LEFT_PX, _RIGHT_PX, _NO_AXIS_PX, _COUNTS_PX, _TOP_PX = 52, 52, 8, 44, 8


class Stage:
    """The course above, the counts of rounds below, values on the left and perhaps on the right, time between."""

    def __init__(self, theme: Theme, course: Draw, cursor: Draw, counts: Draw) -> None:
        self._theme = theme
        self.widget = pyqtgraph.GraphicsLayoutWidget()
        self.widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.widget.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.view, self._counts = (pyqtgraph.ViewBox(enableMenu=False) for _each in range(2))
        self._left, self._right, self._below = (pyqtgraph.AxisItem(side) for side in ("left", "right", "bottom"))
        self._unit = pyqtgraph.LabelItem(justify="right")
        self._lay_out()
        for axis in self._axes:
            axis.linkToView(self.view)
            axis.setStyle(tickLength=0, autoExpandTextSpace=False)
        self._counts.setXLink(self.view)
        for view in (self.view, self._counts):
            view.setMouseEnabled(x=True, y=False)
        self._layers = Layer(self.view, course), Layer(self._counts, counts), Layer(self.view, cursor)
        self.recolor()

    def _lay_out(self) -> None:
        grid = self.widget.ci
        grid.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        grid.layout.setContentsMargins(0, _TOP_PX, 0, 2)
        grid.layout.setSpacing(0)
        for item, row, column in (
            (self._left, 0, 0),
            (self.view, 0, 1),
            (self._right, 0, 2),
            (self._below, 1, 1),
            (self._unit, 2, 0),
            (self._counts, 2, 1),
        ):
            grid.addItem(item, row, column)
        self._left.setWidth(_LEFT_PX)
        grid.layout.setRowFixedHeight(2, _COUNTS_PX)

    @property
    def _axes(self) -> tuple[pyqtgraph.AxisItem, ...]:
        return self._left, self._right, self._below

    # What is in sight

    @property
    def scale(self) -> Scale:
        """Of the course."""
        return self._scale(self.view)

    @property
    def counts_scale(self) -> Scale:
        """Of the counts: its values say nothing."""
        return self._scale(self._counts)

    def _scale(self, view: pyqtgraph.ViewBox) -> Scale:
        (first, last), (low, high) = view.viewRange()
        return Scale(float(first), float(last), float(low), float(high), QRectF(view.rect()))

    def show_span(self, first: float, last: float) -> None:
        """Show these moments, as far as the limits allow."""
        self.view.setXRange(first, last, padding=0)

    def show_values(self, low: float, high: float) -> None:
        """Show these values."""
        self.view.setYRange(low, high, padding=0)

    def limit(self, first: float, last: float, least_s: float) -> None:
        """Nothing before or after is shown, and no shorter span."""
        self.view.setLimits(xMin=first, xMax=last, minXRange=least_s)

    def inside(self, where: QPointF) -> QPointF | None:
        """A point of the widget in the course's own pixels; None outside of it."""
        at: QPointF = self.view.mapFromScene(self.widget.mapToScene(where.toPoint()))
        return at if self.view.rect().contains(at) else None

    # Names and colours

    def name(self, axes: Axes) -> None:
        """Name values on the left and, where there is a second scale, on the right, moments below, and the counts."""
        for axis, names in zip(self._axes, (axes.left, axes.right or (), axes.below), strict=True):
            axis.setTicks([list(names)])
        self._right.setWidth(_NO_AXIS_PX if axes.right is None else _RIGHT_PX)
        words = axes.unit.replace("\n", "<br>")
        if words != self._unit.text:  # it takes as long as all axes together
            self._unit.setText(words, color=self._theme.palette.text2)

    def recolor(self) -> None:
        """Take the theme's colours and fonts."""
        colors = self._theme.palette
        self.widget.setBackground(colors.color("surface"))
        for axis in self._axes:
            axis.setPen(None)
            axis.setTextPen(colors.color("text2"))
            axis.setTickFont(self._theme.font(11))
        self._unit.item.setFont(self._theme.font(11))
        self._unit.setText(self._unit.text, color=colors.text2)

    # Painting

    def update(self, *, cursor_only: bool = False) -> None:
        """Paint anew."""
        for layer in self._layers[-1:] if cursor_only else self._layers:
            layer.update()

    def render_to(self, painter: QPainter, where: QRectF) -> None:
        """Draw all but the cursor, as lines and text and not as pixels."""
        self._layers[-1].hide()
        self.widget.render(painter, where, self.widget.viewport().rect())
        self._layers[-1].show()
