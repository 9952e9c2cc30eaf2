"""A factor of the score as a row: name, bar, value, share of the loss, sentence.

Its curve is shown on request.
"""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ranking.factor_curve import compute_factor_curve, has_factor_curve
from browser_app.ranking.score_explanation import FactorExplanation
from browser_app.ranking.score_text import format_aligned_factor
from browser_app.ranking.scored_server import ScoredServer
from browser_app.ui.inspector.factor_curve_view import FactorCurveView
from browser_app.ui.widgets.accessibility import update_texts
from browser_app.ui.widgets.basic_widgets import (
    Label,
    PaintedButton,
    Separator,
    draw_focus_ring,
    draw_frame,
    draw_icon,
    mirrored_rect,
)
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import percent_text, plain_tool_tip

FACTOR_BAR_WIDTH, FACTOR_BAR_HEIGHT = 76, 8
CURVE_BUTTON_SIZE = 18
_BAD_FACTOR = 0.4
"""A factor below this is drawn in the warning colour, whatever its share of the penalty."""


class FactorBar(QWidget):
    """A bar for a factor from 0 to 1; a boost fills it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._value = 0.0
        self._role = "border"
        self.setFixedSize(QSize(FACTOR_BAR_WIDTH, FACTOR_BAR_HEIGHT))
        theme.changed.connect(self.update)

    def show_value(self, value: float, role: str) -> None:
        """Show a value in the colour of a role."""
        if (value, role) != (self._value, self._role):
            self._value, self._role = value, role
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint frame and bar."""
        painter = QPainter(self)
        draw_frame(painter, self.rect(), self._theme.palette.color("hairline"))
        width = max(1, round(min(1.0, self._value) * FACTOR_BAR_WIDTH))
        bar = mirrored_rect(self, QRect(0, 0, width, FACTOR_BAR_HEIGHT))
        painter.fillRect(bar, self._theme.palette.color(self._role))


class CurveButton(PaintedButton):
    """A chevron that shows or hides the curve of a factor."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setCheckable(True)

    def sizeHint(self) -> QSize:
        """Return a square of 18 px."""
        return QSize(CURVE_BUTTON_SIZE, CURVE_BUTTON_SIZE)

    def show_factor(self, factor: str) -> None:
        """Name the action: show or hide the curve of this factor."""
        words = _("Hide the curve of “{factor}”") if self.isChecked() else _("Show the curve of “{factor}”")
        text = words.format(factor=factor)
        update_texts(self, name=text, tool_tip=plain_tool_tip(text))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the chevron, upside down while the curve is shown."""
        painter, colors = QPainter(self), self._theme.palette
        if self.isChecked():
            painter.translate(0, self.height())
            painter.scale(1, -1)
        draw_icon(painter, "down", colors.text1 if self.underMouse() else colors.text2, self.rect(), size=12)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), colors.color("accent"))


class FactorRowWidget(QWidget):
    """A factor: name, bar, value, share of the loss, and a sentence.

    Its curve folds out below.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._factor = ""
        self._server: ScoredServer | None = None
        self._curve_view: FactorCurveView | None = None
        self._title_label = Label(theme, weight=QFont.Weight.Medium)
        self._factor_bar = FactorBar(theme)
        self._value_label = Label(theme, weight=QFont.Weight.Medium)
        self._share_label = Label(theme, role="text2", size=11)
        self._sentence_label = create_wrapping_label(theme)
        self.curve_button = CurveButton(theme)
        self.curve_button.toggled.connect(self._show_curve)
        for right in (self._value_label, self._share_label):
            right.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._title_label.setMinimumWidth(82)
        self._value_label.setFixedWidth(44)
        self._build_layout()

    def _build_layout(self) -> None:
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 4)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(1)
        grid.addWidget(Separator(self._theme, "rowline"), 0, 0, 1, 5)
        cells = (self._title_label, self._factor_bar, self._value_label, self._share_label, self.curve_button)
        for column, widget in enumerate(cells):
            grid.addWidget(widget, 2, column)
        grid.setColumnStretch(3, 1)
        grid.addWidget(self._sentence_label, 3, 0, 1, 5)
        grid.setRowMinimumHeight(1, 4)
        grid.setColumnMinimumWidth(4, CURVE_BUTTON_SIZE)

    def show_factor(self, row: FactorExplanation, server: ScoredServer) -> None:
        """Show a server's values of the factor."""
        share = row.loss_share or 0.0
        role = factor_color_role(row.value)
        self._title_label.setText(row.title.translated(_))
        self._factor_bar.show_value(row.value or 0.0, role)
        value = "–" if row.value is None else format_aligned_factor(row.value)
        self._value_label.setText(f"×{value}" if (row.value or 0.0) > 1 else value)
        self._share_label.setText(percent_text(share) if share >= 0.005 else "")
        self._sentence_label.setText(row.sentence.translated(_))
        spoken = _("{factor} {value}, {share} of the penalty. {sentence}")
        texts = {"factor": row.title.translated(_), "sentence": row.sentence.translated(_)}
        update_texts(
            self,
            name=spoken.format(value=value, share=percent_text(share), **texts),
            tool_tip=plain_tool_tip("\n".join(note.translated(_) for note in row.notes)),
        )
        self._factor, self._server = row.name, server
        self._show_curve()

    def focus_order(self) -> tuple[QWidget, ...]:
        """Return the widgets in tab order."""
        return (self.curve_button,) if self._curve_view is None else (self.curve_button, self._curve_view.plot)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Show or hide the curve with a click on the first line."""
        on_first_line = event.position().y() < self._sentence_label.y()
        if event.button() == Qt.MouseButton.LeftButton and on_first_line and self.curve_button.isVisible():
            self.curve_button.toggle()

    def _show_curve(self) -> None:
        """Show the curve if the user wants it and the factor has one."""
        server, title = self._server, self._title_label.text()
        if server is None:
            return
        self.curve_button.setVisible(has_factor_curve(server, self._factor))
        self.curve_button.show_factor(title)
        curve = compute_factor_curve(server, self._factor) if self.curve_button.isChecked() else None
        if curve is not None and self._curve_view is None:
            self._curve_view = FactorCurveView(self._theme)
            self._grid.addWidget(self._curve_view, 4, 0, 1, 5)
            QWidget.setTabOrder(self.curve_button, self._curve_view.plot)
        if self._curve_view is not None:
            self._curve_view.setVisible(curve is not None)
            if curve is not None:
                self._curve_view.show_curve(curve)


def factor_color_role(value: float | None) -> str:
    """Return the colour role of a factor's bar: red means bad, grey no effect."""
    if value is None or value >= 1:
        return "border"
    return "ping_bad" if value < _BAD_FACTOR else "score_mid"
