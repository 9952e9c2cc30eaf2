"""The pyqtgraph view of the rating plot and its paint layers.

It imports pyqtgraph: import it only when a plot is about to be shown. Time runs from left to right in every language.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import pyqtgraph
from pyqtgraph import ViewBox
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from browser_app.ui.skill.over_time import rating_plot_annotations, rating_plot_curves
from browser_app.ui.skill.over_time.over_time_text import round_tooltip, sample_tooltip
from browser_app.ui.skill.over_time.rating_curve import RatingCurve
from browser_app.ui.skill.over_time.rating_plot_axes import RatingPlotAxes
from browser_app.ui.skill.over_time.rating_plot_data import RatingPlotData
from browser_app.ui.skill.over_time.rating_plot_transform import PlotTransform
from browser_app.ui.widgets.theme import Theme

PaintFunction: TypeAlias = Callable[[QPainter], None]


class PlotLayerItem(QGraphicsItem):
    """Calls a paint function for a whole view box, which clips it."""

    def __init__(self, view: ViewBox, paint_function: PaintFunction) -> None:
        super().__init__(view)
        self._view, self._paint_function = view, paint_function
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        view.sigResized.connect(self._on_resized)

    def _on_resized(self, _view: object) -> None:
        self.prepareGeometryChange()

    def boundingRect(self) -> QRectF:  # noqa: N802 (Qt's name)
        """Return the view box's rectangle."""
        return QRectF(self._view.rect())

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,  # noqa: ARG002
        widget: QWidget | None = None,  # noqa: ARG002
    ) -> None:
        """Paint the layer."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._paint_function(painter)


def draw_rating(
    painter: QPainter, transform: PlotTransform, plot_data: RatingPlotData, axes: RatingPlotAxes, theme: Theme
) -> None:
    """Draw everything except the highlight."""
    colors, curve = theme.palette, plot_data.curve
    points = curve.slice_between(transform.first, transform.last)
    rating_plot_annotations.draw_gaps(painter, transform, curve.gaps, theme)
    rating_plot_annotations.draw_gridlines(painter, transform, axes.gridlines, theme)
    rating_plot_curves.draw_uncertainty_band(painter, transform, curve, points, colors.color("plot1"))
    rating_plot_annotations.draw_tier_boundaries(painter, transform, plot_data.tier_boundaries, theme)
    if plot_data.overlay is not None:
        other, beside = plot_data.overlay.curve, axes.overlay_transform(transform)
        if isinstance(other, RatingCurve):
            seen, pen = other.slice_between(transform.first, transform.last), rating_plot_curves.overlay_pen(colors)
            rating_plot_curves.draw_rating_line(painter, beside, other, seen, pen)
        else:
            rating_plot_curves.draw_samples(painter, beside, other, colors)
    rating_plot_curves.draw_rating_line(painter, transform, curve, points, QPen(colors.color("plot1"), 2))
    rating_plot_curves.draw_outcome_markers(painter, transform, curve, points, colors)
    if (band := curve.interval_range(points)) is not None:
        rating_plot_annotations.draw_band_ends(painter, transform, band, theme)


def draw_highlighted_round(
    painter: QPainter, transform: PlotTransform, plot_data: RatingPlotData, point: int, theme: Theme
) -> None:
    """Draw the highlighted round."""
    curve = plot_data.curve
    at = QPointF(float(transform.x(curve.time[point])), float(transform.y(curve.value[point])))
    tooltip = round_tooltip(plot_data.history, int(curve.history_row[point]))
    rating_plot_annotations.draw_cursor(painter, transform, at, tooltip, theme)


def draw_highlighted_sample(
    painter: QPainter,
    transform: PlotTransform,
    plot_data: RatingPlotData,
    axes: RatingPlotAxes,
    number: int,
    theme: Theme,
) -> None:
    """Draw the highlighted sample at its first reading, or where it becomes visible."""
    series = plot_data.sampled_overlay
    if series is not None:
        left = max(float(transform.x(series.first_read[number])), transform.rect.left())
        at = QPointF(left, float(axes.overlay_transform(transform).y(series.points[number])))
        rating_plot_annotations.draw_cursor(painter, transform, at, sample_tooltip(series, number), theme)


def draw_round_counts(
    painter: QPainter, transform: PlotTransform, plot_data: RatingPlotData, edges: Sequence[float], theme: Theme
) -> None:
    """Draw a bar for the number of rounds in each bin."""
    counts = np.histogram(plot_data.curve.time, edges)[0]
    left = np.clip(transform.x(np.asarray(edges)), transform.rect.left(), transform.rect.right())
    most = max(1, int(counts.max()))
    fill = theme.palette.color("border")
    fill.setAlphaF(0.55)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for index in np.flatnonzero(counts).tolist():
        height = transform.rect.height() * int(counts[index]) / most
        width = max(1.0, float(left[index + 1] - left[index]) - 2)
        painter.fillRect(QRectF(float(left[index]) + 1, transform.rect.bottom() - height, width, height), fill)
    painter.setPen(QPen(theme.palette.color("hairline"), 1))
    painter.drawLine(transform.rect.bottomLeft(), transform.rect.bottomRight())


_LEFT_AXIS_PX, _RIGHT_AXIS_PX, _NO_AXIS_PX, _COUNTS_HEIGHT_PX, _TOP_MARGIN_PX = 52, 52, 8, 44, 8


class RatingPlotView:
    """View with the curve above and the round counts below.

    Value axes are left and right, and time between.
    """

    def __init__(self, theme: Theme, ratings: PaintFunction, cursor: PaintFunction, counts: PaintFunction) -> None:
        self._theme = theme
        self.widget = pyqtgraph.GraphicsLayoutWidget()
        self.widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.widget.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.view_box, self._counts_view_box = (pyqtgraph.ViewBox(enableMenu=False) for _each in range(2))
        self._left_axis, self._right_axis, self._time_axis = (
            pyqtgraph.AxisItem(side) for side in ("left", "right", "bottom")
        )
        self._count_label = pyqtgraph.LabelItem(justify="right")
        self._build_layout()
        for axis in self._axis_items:
            axis.linkToView(self.view_box)
            axis.setStyle(tickLength=0, autoExpandTextSpace=False)
        self._counts_view_box.setXLink(self.view_box)
        for view in (self.view_box, self._counts_view_box):
            view.setMouseEnabled(x=True, y=False)
        self._layers = (
            PlotLayerItem(self.view_box, ratings),
            PlotLayerItem(self._counts_view_box, counts),
            PlotLayerItem(self.view_box, cursor),
        )
        self.update_colors()

    def _build_layout(self) -> None:
        grid = self.widget.ci
        grid.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        grid.layout.setContentsMargins(0, _TOP_MARGIN_PX, 0, 2)
        grid.layout.setSpacing(0)
        for item, row, column in (
            (self._left_axis, 0, 0),
            (self.view_box, 0, 1),
            (self._right_axis, 0, 2),
            (self._time_axis, 1, 1),
            (self._count_label, 2, 0),
            (self._counts_view_box, 2, 1),
        ):
            grid.addItem(item, row, column)
        self._left_axis.setWidth(_LEFT_AXIS_PX)
        grid.layout.setRowFixedHeight(2, _COUNTS_HEIGHT_PX)

    @property
    def _axis_items(self) -> tuple[pyqtgraph.AxisItem, ...]:
        return self._left_axis, self._right_axis, self._time_axis

    # Visible range

    @property
    def transform(self) -> PlotTransform:
        """Transform of the curve."""
        return self._compute_transform(self.view_box)

    @property
    def counts_transform(self) -> PlotTransform:
        """Transform of the counts; its values are meaningless."""
        return self._compute_transform(self._counts_view_box)

    def _compute_transform(self, view: pyqtgraph.ViewBox) -> PlotTransform:
        (first, last), (low, high) = view.viewRange()
        return PlotTransform(float(first), float(last), float(low), float(high), QRectF(view.rect()))

    def show_span(self, first: float, last: float) -> None:
        """Show a time span within the limits."""
        self.view_box.setXRange(first, last, padding=0)

    def show_value_range(self, low: float, high: float) -> None:
        """Show a value range."""
        self.view_box.setYRange(low, high, padding=0)

    def set_limits(self, first: float, last: float, min_span_s: float) -> None:
        """Set the earliest and latest visible time and the shortest span."""
        self.view_box.setLimits(xMin=first, xMax=last, minXRange=min_span_s)

    def map_to_view(self, position: QPointF) -> QPointF | None:
        """Return a widget position in the curve's pixels, None outside the view box."""
        at: QPointF = self.view_box.mapFromScene(self.widget.mapToScene(position.toPoint()))
        return at if self.view_box.rect().contains(at) else None

    # Labels and colours

    def set_axes(self, axes: RatingPlotAxes) -> None:
        """Set the labels of all axes and the bins of the counts."""
        ticks = (axes.left_ticks, axes.right_ticks or (), axes.time_ticks)
        for axis, names in zip(self._axis_items, ticks, strict=True):
            axis.setTicks([list(names)])
        self._right_axis.setWidth(_NO_AXIS_PX if axes.right_ticks is None else _RIGHT_AXIS_PX)
        words = axes.count_unit.replace("\n", "<br>")
        if words != self._count_label.text:  # setting it takes as long as setting all axes
            self._count_label.setText(words, color=self._theme.palette.text2)

    def update_colors(self) -> None:
        """Apply the theme's colours and fonts."""
        colors = self._theme.palette
        self.widget.setBackground(colors.color("surface"))
        for axis in self._axis_items:
            axis.setPen(None)
            axis.setTextPen(colors.color("text2"))
            axis.setTickFont(self._theme.font(11))
        self._count_label.item.setFont(self._theme.font(11))
        self._count_label.setText(self._count_label.text, color=colors.text2)

    # Painting

    def update(self, *, cursor_only: bool = False) -> None:
        """Repaint."""
        for layer in self._layers[-1:] if cursor_only else self._layers:
            layer.update()

    def render_to(self, painter: QPainter, where: QRectF) -> None:
        """Draw everything except the highlight as vectors."""
        self._layers[-1].hide()
        self.widget.render(painter, where, self.widget.viewport().rect())
        self._layers[-1].show()
