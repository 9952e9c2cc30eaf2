"""The interactive plot of a rating over time."""

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.player.skill_sources import SkillSampleSeries
from browser_app.ui.skill.over_time.over_time_text import (
    plot_summary_text,
    round_tooltip,
    sample_tooltip,
    sampled_series_text,
)
from browser_app.ui.skill.over_time.rating_curve import DAY_S
from browser_app.ui.skill.over_time.rating_plot_axes import RatingPlotAxes, compute_axes
from browser_app.ui.skill.over_time.rating_plot_curves import is_dense
from browser_app.ui.skill.over_time.rating_plot_data import RatingPlotData
from browser_app.ui.skill.over_time.rating_plot_transform import (
    is_on_marker,
    nearest_point,
    nearest_sample,
    value_range,
)
from browser_app.ui.skill.over_time.rating_plot_view import (
    RatingPlotView,
    draw_highlighted_round,
    draw_highlighted_sample,
    draw_rating,
    draw_round_counts,
)
from browser_app.ui.widgets.accessibility import set_accessible_role
from browser_app.ui.widgets.basic_widgets import draw_focus_ring
from browser_app.ui.widgets.box_layouts import fill_box
from browser_app.ui.widgets.page_elements import accept_copy_shortcut
from browser_app.ui.widgets.theme import Theme

_MIN_SPAN_S = 7200.0
_MARGIN, _OVERSCROLL = 0.02, 0.25
"""Space at both ends of the time range, and how far it can be scrolled beyond, as fractions of it."""
_ZOOM_FACTOR = 0.8
_STEP_KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_SAMPLE_KEYS = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
_ZOOM_KEYS = {Qt.Key.Key_Plus: _ZOOM_FACTOR, Qt.Key.Key_Equal: _ZOOM_FACTOR, Qt.Key.Key_Minus: 1 / _ZOOM_FACTOR}
_END_KEYS = (Qt.Key.Key_Home, Qt.Key.Key_End)
_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class RatingPlot(QWidget):
    """Plot that can be zoomed, scrolled and stepped through.

    The wheel zooms, dragging scrolls, and arrow keys step through rounds.

    Signals:
        visible_span_changed: the visible time span changed.
        round_requested: id of a round, by Enter or a double click.
    """

    visible_span_changed = Signal()
    round_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        set_accessible_role(self, QAccessible.Role.Graphic)
        self._theme = theme
        self._plot_data: RatingPlotData | None = None
        self._axes = RatingPlotAxes()
        self.highlighted_round = -1
        """Point of the curve that is highlighted, -1 for none."""
        self.highlighted_sample = -1
        """Sample that is highlighted, -1 for none; never together with a round."""
        self.setAccessibleName(_("Rating over time"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.plot_view = RatingPlotView(theme, self._draw_ratings, self._draw_cursor, self._draw_counts)
        for inner in (self.plot_view.widget, self.plot_view.widget.viewport()):
            inner.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # this widget handles the keys
        self.plot_view.widget.viewport().installEventFilter(self)
        self.plot_view.widget.viewport().setMouseTracking(True)
        fill_box(QVBoxLayout(self), self.plot_view.widget, margins=(2, 2, 2, 2))
        self.plot_view.view_box.sigXRangeChanged.connect(self._on_view_changed)
        self.plot_view.view_box.sigResized.connect(self._on_view_changed)
        theme.changed.connect(self._recolor)

    # Data

    def show_plot_data(self, plot_data: RatingPlotData | None) -> None:
        """Show other data; the visible span is kept for the same player and game."""
        before, self._plot_data = self._plot_data, plot_data if plot_data is not None and len(plot_data.curve) else None
        self.highlight(-1)
        if self._plot_data is not None:
            first, last = self._plot_data.time_range
            margin = max((last - first) * _OVERSCROLL, 7 * DAY_S)
            self.plot_view.set_limits(first - margin, last + margin, _MIN_SPAN_S)
            if before is None or before.subject != self._plot_data.subject:
                self.show_last(None)
            else:
                self._reveal_new_samples(before, self._plot_data)
        self._on_view_changed()

    def show_last(self, span_s: float | None) -> None:
        """Show the last seconds before the newest round; None for everything."""
        if self._plot_data is None:
            return
        first, last = self._plot_data.time_range
        first = first if span_s is None else last - span_s
        margin = max((last - first) * _MARGIN, _MIN_SPAN_S / 2)
        self.plot_view.show_span(first - (margin if span_s is None else 0.0), last + margin)

    def _reveal_new_samples(self, before: RatingPlotData, plot_data: RatingPlotData) -> None:
        """Extend the visible span to samples that are newer than the last round."""
        seen, last = self.plot_view.transform, plot_data.time_range[1]
        if before.sampled_overlay is None and plot_data.sampled_overlay is not None and last > seen.last:
            self.plot_view.show_span(seen.first, last + max((last - seen.first) * _MARGIN, _MIN_SPAN_S / 2))

    @property
    def visible_points(self) -> slice:
        """Points of the curve in the visible span."""
        scale = self.plot_view.transform
        plot_data = self._plot_data
        return slice(0, 0) if plot_data is None else plot_data.curve.slice_between(scale.first, scale.last)

    @property
    def is_crowded(self) -> bool:
        """Whether too many rounds are visible to draw a marker for each."""
        return is_dense(self.visible_points)

    def _on_view_changed(self) -> None:
        """Update value range, axes and accessible text to the visible span."""
        self._axes = RatingPlotAxes()
        if self._plot_data is not None:
            scale = self.plot_view.transform
            if (seen := value_range(self._plot_data.left_axis_curves, scale.first, scale.last)) is not None:
                self.plot_view.show_value_range(*seen)
            self._axes = compute_axes(self._plot_data, self.plot_view.transform)
        self.plot_view.set_axes(self._axes)
        self.plot_view.update()
        self._update_description()
        self.visible_span_changed.emit()

    def _update_description(self) -> None:
        words = ""
        plot_data = self._plot_data
        if plot_data is not None and self.highlighted_round >= 0:
            row = int(plot_data.curve.history_row[self.highlighted_round])
            words = round_tooltip(plot_data.history, row).accessible_text
        elif plot_data is not None and plot_data.sampled_overlay is not None and self.highlighted_sample >= 0:
            words = sample_tooltip(plot_data.sampled_overlay, self.highlighted_sample).accessible_text
        elif plot_data is not None:
            words = plot_summary_text(plot_data.history, plot_data.curve, self.visible_points)
            if plot_data.sampled_overlay is not None:
                words = f"{words}. {sampled_series_text(plot_data.sampled_overlay)}"
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)

    # Painting

    def render_to(self, painter: QPainter, where: QRectF) -> None:
        """Draw everything except the highlight as vectors."""
        self.plot_view.render_to(painter, where)

    def _recolor(self) -> None:
        self.plot_view.update_colors()
        self._on_view_changed()

    def _draw_ratings(self, painter: QPainter) -> None:
        if self._plot_data is not None:
            draw_rating(painter, self.plot_view.transform, self._plot_data, self._axes, self._theme)

    def _draw_cursor(self, painter: QPainter) -> None:
        if self._plot_data is not None and self.highlighted_round >= 0:
            draw_highlighted_round(
                painter, self.plot_view.transform, self._plot_data, self.highlighted_round, self._theme
            )
        elif self._plot_data is not None and self.highlighted_sample >= 0:
            draw_highlighted_sample(
                painter, self.plot_view.transform, self._plot_data, self._axes, self.highlighted_sample, self._theme
            )

    def _draw_counts(self, painter: QPainter) -> None:
        if self._plot_data is not None:
            draw_round_counts(
                painter, self.plot_view.counts_transform, self._plot_data, self._axes.count_edges, self._theme
            )

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the focus ring."""
        if self.hasFocus():
            draw_focus_ring(QPainter(self), self.rect(), self._theme.palette.color("accent"))

    # Highlighting

    def highlight(self, point: int, sample: int = -1) -> None:
        """Highlight a round or a sample, -1 for none."""
        if (point, sample) != (self.highlighted_round, self.highlighted_sample):
            self.highlighted_round, self.highlighted_sample = point, sample
            self.plot_view.update(cursor_only=True)
            self._update_description()

    def _go_to_round(self, plot_data: RatingPlotData, point: int) -> None:
        point = min(max(point, 0), len(plot_data.curve) - 1)
        self._scroll_to_time(float(plot_data.curve.time[point]))
        self.highlight(point)

    def _go_to_sample(self, series: SkillSampleSeries, step: int) -> None:
        """Highlight a sample, starting at the newest, and scroll to it."""
        last = len(series) - 1
        sample = min(max(self.highlighted_sample + step, 0), last) if self.highlighted_sample >= 0 else last
        self._scroll_to_time(float(series.first_read[sample]))
        self.highlight(-1, sample)

    def _scroll_to_time(self, time: float) -> None:
        scale = self.plot_view.transform
        if not scale.first <= time <= scale.last:
            away = time - (scale.first + scale.last) / 2
            self.plot_view.show_span(scale.first + away, scale.last + away)

    def _request_round(self) -> None:
        if self._plot_data is not None and self.highlighted_round >= 0:
            row = int(self._plot_data.curve.history_row[self.highlighted_round])
            self.round_requested.emit(self._plot_data.history.ids[row])

    def _zoom_by(self, factor: float) -> None:
        """Zoom around the highlighted round, or the middle."""
        scale = self.plot_view.transform
        middle = (scale.first + scale.last) / 2
        if self._plot_data is not None and self.highlighted_round >= 0:
            middle = float(self._plot_data.curve.time[self.highlighted_round])
        self.plot_view.show_span(middle - (middle - scale.first) * factor, middle + (scale.last - middle) * factor)

    # Qt events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the pointer over the plot; pyqtgraph handles scrolling and zooming."""
        kind = event.type()
        if isinstance(event, QMouseEvent):
            if kind == QEvent.Type.MouseButtonPress:
                self.setFocus(Qt.FocusReason.MouseFocusReason)
            elif kind == QEvent.Type.MouseMove and not event.buttons():
                self._hover(event.position())
            elif kind == QEvent.Type.MouseButtonDblClick:
                self._request_round()
        elif kind == QEvent.Type.Leave and not self.hasFocus():
            self.highlight(-1)
        return super().eventFilter(watched, event)

    def _hover(self, where: QPointF) -> None:
        inside, plot_data, scale = self.plot_view.map_to_view(where), self._plot_data, self.plot_view.transform
        point = sample = -1
        if plot_data is not None and inside is not None:
            point = nearest_point(plot_data.curve, scale, inside)
            if plot_data.sampled_overlay is not None and not is_on_marker(plot_data.curve, scale, point, inside):
                sample = nearest_sample(plot_data.sampled_overlay, self._axes.overlay_transform(scale), inside)
        self.highlight(point if sample < 0 else -1, sample)

    def event(self, event: QEvent) -> bool:
        """Claim Ctrl+C for this widget."""
        return accept_copy_shortcut(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys of the plot.

        Arrows, Home and End step through rounds, Page Up and Page Down through samples. Enter opens a round, + and −
        zoom, Escape removes the highlight, Ctrl+C copies its text.
        """
        key, plot_data = Qt.Key(event.key()), self._plot_data
        if plot_data is None:
            super().keyPressEvent(event)
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.accessibleDescription())
        elif key in _STEP_KEYS:
            last = self.visible_points.stop - 1
            self._go_to_round(
                plot_data, self.highlighted_round + _STEP_KEYS[key] if self.highlighted_round >= 0 else last
            )
        elif key in _SAMPLE_KEYS and plot_data.sampled_overlay is not None:
            self._go_to_sample(plot_data.sampled_overlay, _SAMPLE_KEYS[key])
        elif key in _END_KEYS:
            self._go_to_round(plot_data, 0 if key == Qt.Key.Key_Home else len(plot_data.curve) - 1)
        elif key in _ZOOM_KEYS:
            self._zoom_by(_ZOOM_KEYS[key])
        elif key in _ENTER_KEYS and self.highlighted_round >= 0:
            self._request_round()
        elif key == Qt.Key.Key_Escape and max(self.highlighted_round, self.highlighted_sample) >= 0:
            self.highlight(-1)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus ring."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Remove the highlight."""
        super().focusOutEvent(event)
        self.highlight(-1)
        self.update()
