"""The plot of *Over time*: a rating's course that is moved, zoomed, pointed at and walked by keys."""

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QVBoxLayout

from browser_app.language import gettext as _
from browser_app.player.sampled_course import SampledCourse
from browser_app.ui.controls import draw_focus
from browser_app.ui.plots.spoken import Graphic
from browser_app.ui.skill.over_time.axes import Axes, axes_of
from browser_app.ui.skill.over_time.curves import is_dense
from browser_app.ui.skill.over_time.layers import draw_counts, draw_course, draw_pointed, draw_sample
from browser_app.ui.skill.over_time.picture import Picture
from browser_app.ui.skill.over_time.scale import lies_on, point_near, sample_near, value_range
from browser_app.ui.skill.over_time.stage import Stage
from browser_app.ui.skill.over_time.trace import DAY_S
from browser_app.ui.skill.over_time.words import course_words, round_words, sample_words, sampled_words
from browser_app.ui.theme import Theme

_LEAST_SPAN_S = 7200.0
_MARGIN, _BEYOND = 0.02, 0.25
"""Room at the ends of all that was played, and how far beyond one may move, as shares of it."""
_ZOOM = 0.8
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_READINGS = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
_ZOOMS = {Qt.Key.Key_Plus: _ZOOM, Qt.Key.Key_Equal: _ZOOM, Qt.Key.Key_Minus: 1 / _ZOOM}
_ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class RatingPlot(Graphic):
    """The wheel zooms, dragging moves, arrow keys go from round to round.

    Signals:
        seen: another span of time is in sight.
        round_wanted: the id of a round, by Enter or a double click.
    """

    seen = Signal()
    round_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._picture: Picture | None = None
        self._axes = Axes()
        self.point = -1
        """The point of the course that is pointed at, -1 for none."""
        self.sample = -1
        """The value that a service said which is pointed at, -1 for none; never both."""
        self.setAccessibleName(_("Rating over time"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.stage = Stage(theme, self._draw_course, self._draw_cursor, self._draw_counts)
        for inner in (self.stage.widget, self.stage.widget.viewport()):
            inner.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys are this widget's
        self.stage.widget.viewport().installEventFilter(self)
        self.stage.widget.viewport().setMouseTracking(True)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(2, 2, 2, 2)
        inside.addWidget(self.stage.widget)
        self.stage.view.sigXRangeChanged.connect(self._moved)
        self.stage.view.sigResized.connect(self._moved)
        theme.changed.connect(self._recolor)

    # What is shown

    def show_picture(self, picture: Picture | None) -> None:
        """Show another one; the span in sight stays while it is the same player's of the same game."""
        before, self._picture = self._picture, picture if picture is not None and len(picture.trace) else None
        self.point_at(-1)
        if self._picture is not None:
            first, last = self._picture.ends
            room = max((last - first) * _BEYOND, 7 * DAY_S)
            self.stage.limit(first - room, last + room, _LEAST_SPAN_S)
            if before is None or before.subject != self._picture.subject:
                self.show_last(None)
            else:
                self._bring_into_sight(before, self._picture)
        self._moved()

    def show_last(self, span_s: float | None) -> None:
        """So many seconds up to the newest round; None for all of them."""
        if self._picture is None:
            return
        first, last = self._picture.ends
        first = first if span_s is None else last - span_s
        room = max((last - first) * _MARGIN, _LEAST_SPAN_S / 2)
        self.stage.show_span(first - (room if span_s is None else 0.0), last + room)

    def _bring_into_sight(self, before: Picture, picture: Picture) -> None:
        """What a service said is newer than the last round, as a rule."""
        seen, last = self.stage.scale, picture.ends[1]
        if before.sampled is None and picture.sampled is not None and last > seen.last:
            self.stage.show_span(seen.first, last + max((last - seen.first) * _MARGIN, _LEAST_SPAN_S / 2))

    @property
    def points(self) -> slice:
        """The points of the course that are in sight."""
        scale = self.stage.scale
        return self._picture.trace.span(scale.first, scale.last) if self._picture is not None else slice(0, 0)

    @property
    def crowded(self) -> bool:
        """Whether there are too many rounds in sight for a sign each."""
        return is_dense(self.points)

    def _moved(self) -> None:
        """Another span is in sight: the range of values, the names on the axes, the words for it."""
        self._axes = Axes()
        if self._picture is not None:
            scale = self.stage.scale
            if (seen := value_range(self._picture.beside, scale.first, scale.last)) is not None:
                self.stage.show_values(*seen)
            self._axes = axes_of(self._picture, self.stage.scale)
        self.stage.name(self._axes)
        self.stage.update()
        self._describe()
        self.seen.emit()

    def _describe(self) -> None:
        words = ""
        picture = self._picture
        if picture is not None and self.point >= 0:
            words = round_words(picture.history, int(picture.trace.row[self.point])).spoken
        elif picture is not None and picture.sampled is not None and self.sample >= 0:
            words = sample_words(picture.sampled, self.sample).spoken
        elif picture is not None:
            words = course_words(picture.history, picture.trace, self.points)
            if picture.sampled is not None:
                words = f"{words}. {sampled_words(picture.sampled)}"
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    # Painting

    def render_to(self, painter: QPainter, where: QRectF) -> None:
        """Draw all but the round pointed at, as lines and text and not as pixels."""
        self.stage.render_to(painter, where)

    def _recolor(self) -> None:
        self.stage.recolor()
        self._moved()

    def _draw_course(self, painter: QPainter) -> None:
        if self._picture is not None:
            draw_course(painter, self.stage.scale, self._picture, self._axes, self._theme)

    def _draw_cursor(self, painter: QPainter) -> None:
        if self._picture is not None and self.point >= 0:
            draw_pointed(painter, self.stage.scale, self._picture, self.point, self._theme)
        elif self._picture is not None and self.sample >= 0:
            draw_sample(painter, self.stage.scale, self._picture, self._axes, self.sample, self._theme)

    def _draw_counts(self, painter: QPainter) -> None:
        if self._picture is not None:
            draw_counts(painter, self.stage.counts_scale, self._picture, self._axes.edges, self._theme)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the focus ring round the plot."""
        if self.hasFocus():
            draw_focus(QPainter(self), self.rect(), self._theme.palette.color("accent"))

    # Pointing

    def point_at(self, point: int, sample: int = -1) -> None:
        """Point at a round of the course, or at a value that a service said; -1 for none."""
        if (point, sample) != (self.point, self.sample):
            self.point, self.sample = point, sample
            self.stage.update(cursor_only=True)
            self._describe()

    def _step_to(self, picture: Picture, point: int) -> None:
        """Point at a round by the keys, and bring it into sight."""
        point = min(max(point, 0), len(picture.trace) - 1)
        self._show_moment(float(picture.trace.time[point]))
        self.point_at(point)

    def _step_to_sample(self, course: SampledCourse, step: int) -> None:
        """The same with what a service said, from the newest on."""
        sample = min(max(self.sample + step, 0), len(course) - 1) if self.sample >= 0 else len(course) - 1
        self._show_moment(float(course.since[sample]))
        self.point_at(-1, sample)

    def _show_moment(self, time: float) -> None:
        scale = self.stage.scale
        if not scale.first <= time <= scale.last:
            away = time - (scale.first + scale.last) / 2
            self.stage.show_span(scale.first + away, scale.last + away)

    def _open(self) -> None:
        if self._picture is not None and self.point >= 0:
            self.round_wanted.emit(self._picture.history.ids[int(self._picture.trace.row[self.point])])

    def _zoom(self, by: float) -> None:
        """About the round pointed at, or the middle."""
        scale = self.stage.scale
        middle = (scale.first + scale.last) / 2
        if self._picture is not None and self.point >= 0:
            middle = float(self._picture.trace.time[self.point])
        self.stage.show_span(middle - (middle - scale.first) * by, middle + (scale.last - middle) * by)

    # Qt's hooks

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the pointer over the plot; moving and zooming is pyqtgraph's."""
        kind = event.type()
        if isinstance(event, QMouseEvent):
            if kind == QEvent.Type.MouseButtonPress:
                self.setFocus(Qt.FocusReason.MouseFocusReason)
            elif kind == QEvent.Type.MouseMove and not event.buttons():
                self._hover(event.position())
            elif kind == QEvent.Type.MouseButtonDblClick:
                self._open()
        elif kind == QEvent.Type.Leave and not self.hasFocus():
            self.point_at(-1)
        return super().eventFilter(watched, event)

    def _hover(self, where: QPointF) -> None:
        inside, picture, scale = self.stage.inside(where), self._picture, self.stage.scale
        point = sample = -1
        if picture is not None and inside is not None:
            point = point_near(picture.trace, scale, inside)
            if picture.sampled is not None and not lies_on(picture.trace, scale, point, inside):
                sample = sample_near(picture.sampled, self._axes.beside(scale), inside)
        self.point_at(point if sample < 0 else -1, sample)

    def event(self, event: QEvent) -> bool:
        """Ctrl+C copies words here, not what it copies elsewhere."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and _copies(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Home and End walk the rounds, Enter opens one, + and − zoom, Escape points at none, Ctrl+C copies.

        Page Up and Page Down walk what a service said.
        """
        key, picture = Qt.Key(event.key()), self._picture
        if picture is None:
            super().keyPressEvent(event)
        elif _copies(event):
            QGuiApplication.clipboard().setText(self.accessibleDescription())
        elif key in _STEPS:
            self._step_to(picture, self.point + _STEPS[key] if self.point >= 0 else self.points.stop - 1)
        elif key in _READINGS and picture.sampled is not None:
            self._step_to_sample(picture.sampled, _READINGS[key])
        elif key in _ENDS:
            self._step_to(picture, 0 if key == Qt.Key.Key_Home else len(picture.trace) - 1)
        elif key in _ZOOMS:
            self._zoom(_ZOOMS[key])
        elif key in _ENTER and self.point >= 0:
            self._open()
        elif key == Qt.Key.Key_Escape and max(self.point, self.sample) >= 0:
            self.point_at(-1)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the ring."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Point at nothing."""
        super().focusOutEvent(event)
        self.point_at(-1)
        self.update()


def _copies(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Copy)
