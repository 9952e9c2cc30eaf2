"""Buttons, labels, panels and scroll bars, and helpers to paint such widgets."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QLabel,
    QProgressBar,
    QScrollBar,
    QSizePolicy,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)

from browser_app.language import gettext as _
from browser_app.ui.widgets import icons
from browser_app.ui.widgets.text_direction import direction_flag
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import plain_tool_tip

SCROLL_BAR_THICKNESS = 10


class ScrollBar(QScrollBar):
    """A scroll bar painted in the program's style; behaviour is Qt's."""

    def __init__(
        self, theme: Theme, role: str = "surface", orientation: Qt.Orientation = Qt.Orientation.Vertical
    ) -> None:
        super().__init__(orientation)
        self._theme = theme
        self._role = role
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return the preferred size: 10 px thick."""
        size = QSize(SCROLL_BAR_THICKNESS, super().sizeHint().height())
        return size if self.orientation() == Qt.Orientation.Vertical else size.transposed()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint background and handle."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.palette.color(self._role))
        if self.maximum() <= self.minimum():
            return
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().subControlRect(
            QStyle.ComplexControl.CC_ScrollBar, option, QStyle.SubControl.SC_ScrollBarSlider, self
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.palette.color("border"))
        is_vertical = self.orientation() == Qt.Orientation.Vertical
        across, along = (2, 1) if is_vertical else (1, 2)
        painter.drawRoundedRect(QRectF(handle).adjusted(across, along, -across, -along), 3, 3)


def fill_edges(painter: QPainter, rect: QRect, sides: str, color: QColor) -> None:
    """Fill lines of 1 px along sides (`T`, `R`, `B`, `L`) inside a rectangle.

    A pen would draw them half a pixel off on a screen with a scale of 2.
    """
    width, height = rect.width(), rect.height()
    for side, edge in (
        ("T", QRect(rect.x(), rect.y(), width, 1)),
        ("R", QRect(rect.right(), rect.y(), 1, height)),
        ("B", QRect(rect.x(), rect.bottom(), width, 1)),
        ("L", QRect(rect.x(), rect.y(), 1, height)),
    ):
        if side in sides:
            painter.fillRect(edge, color)


def draw_frame(painter: QPainter, rect: QRect, color: QColor) -> None:
    """Draw a frame of 1 px inside a rectangle."""
    fill_edges(painter, rect, "TRBL", color)


BOX_RADIUS = 4
ICON_PX = 16


def mirrored_rect(widget: QWidget, inner: QRect) -> QRect:
    """Return a rectangle inside a widget, mirrored in right-to-left layouts."""
    return QStyle.visualRect(widget.layoutDirection(), widget.rect(), inner)


def draw_box(painter: QPainter, rect: QRect, fill: QColor | None, border: QColor | None) -> None:
    """Draw a rounded box with a border on whole pixels."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(border, 1) if border else Qt.PenStyle.NoPen)
    painter.setBrush(fill or Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), BOX_RADIUS, BOX_RADIUS)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def draw_focus_ring(painter: QPainter, rect: QRect, color: QColor) -> None:
    """Draw the focus ring: 2 px wide, inside the rectangle's edge."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, 2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), BOX_RADIUS, BOX_RADIUS)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)


def draw_icon(painter: QPainter, name: str, color: str, rect: QRect, filled: bool = False, size: int = ICON_PX) -> None:
    """Draw an icon centred in `rect`, `size` px or smaller if it does not fit."""
    size = min(size, rect.width(), rect.height())
    ratio = painter.device().devicePixelRatioF()
    left = rect.x() + (rect.width() - size) // 2
    top = rect.y() + (rect.height() - size) // 2
    painter.drawPixmap(left, top, icons.icon_pixmap(name, color, size, ratio, filled))


def draw_elided_text(
    painter: QPainter, widget: QWidget, box: QRect, text: str, font: QFont, color: QColor, *, align_right: bool = False
) -> int:
    """Draw one line of text into a rectangle of a widget; return its width in px.

    The text is elided and mirrored.
    """
    painter.setFont(font)
    painter.setPen(color)
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    side = Qt.AlignmentFlag.AlignRight if align_right else Qt.AlignmentFlag.AlignLeft
    flags = QStyle.visualAlignment(widget.layoutDirection(), side | Qt.AlignmentFlag.AlignVCenter)
    painter.drawText(mirrored_rect(widget, box), int(flags) | direction_flag(shown), shown)
    return painter.fontMetrics().horizontalAdvance(shown)


class PaintedButton(QAbstractButton):
    """Base of buttons that paint themselves in their preferred size.

    Enter presses them as Space does, but not while it is held down.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press with Enter."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.click()


class Button(PaintedButton):
    """A push button with an icon, a text or both; `accented` marks the main action."""

    def __init__(
        self, theme: Theme, text: str = "", icon: str = "", *, accented: bool = False, height: int = 28
    ) -> None:
        super().__init__(theme)
        self._icon, self._icon_filled, self._icon_role = icon, False, ""
        self._accented = accented
        self._height = height
        self.setText(text)
        self.setFont(theme.font(13, QFont.Weight.DemiBold if accented else QFont.Weight.Medium))

    def set_icon(self, name: str, *, filled: bool = False, role: str = "") -> None:
        """Show another icon; `role` gives it a colour other than the text's."""
        if (name, filled, role) != (self._icon, self._icon_filled, self._icon_role):
            self._icon, self._icon_filled, self._icon_role = name, filled, role
            self.update()

    def sizeHint(self) -> QSize:
        """Return the size of icon and text; square without a text."""
        if not self.text():
            return QSize(self._height, self._height)
        width = QFontMetrics(self.font()).horizontalAdvance(self.text()) + 20
        return QSize(width + (ICON_PX + 6 if self._icon else 0), self._height)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint box, icon, text and focus ring."""
        colors = self._theme.palette
        painter = QPainter(self)
        role = self._text_role()
        fill = colors.accent if self._accented and self.isEnabled() else colors.raised
        if self.isDown() or (self.underMouse() and self.isEnabled() and not self._accented):
            fill = colors.accent if self._accented else colors.hover
        border = colors.accent if self._accented and self.isEnabled() else colors.border
        draw_box(painter, self.rect(), QColor(fill), QColor(border))
        left = 10
        if self._icon:
            box = self.rect() if not self.text() else mirrored_rect(self, QRect(left, 0, ICON_PX, self.height()))
            draw_icon(painter, self._icon, getattr(colors, self._icon_role or role), box, self._icon_filled)
            left += ICON_PX + 6
        painter.setPen(colors.color(role))
        painter.drawText(
            mirrored_rect(self, self.rect().adjusted(left, 0, -6, 0)),
            Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
            self.text(),
        )
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), colors.color("text1" if self._accented else "accent"))

    def _text_role(self) -> str:
        if not self.isEnabled():
            return "text3"
        return "on_accent" if self._accented else "text1"


class Label(QLabel):
    """A label of plain text in a colour role that follows the theme.

    It never shows rich text, because the text may come from a server.
    """

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        *,
        role: str = "text1",
        size: int = 13,
        weight: QFont.Weight = QFont.Weight.Normal,
        wraps: bool = False,
    ) -> None:
        super().__init__(text)
        self._theme = theme
        self._role = role
        self.setWordWrap(wraps)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setFont(theme.font(size, weight))
        self._make_room_for_first_letter()
        self._recolor()
        theme.changed.connect(self._recolor)

    def setText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Show a text whose first letter is not cut off."""
        super().setText(text)
        self._make_room_for_first_letter()

    def _make_room_for_first_letter(self) -> None:
        """Indent a text whose first letter reaches to the left, as a J may do."""
        bearing = self.fontMetrics().leftBearing(self.text()[0]) if self.text() else 0
        if (indent := max(0, -bearing)) != self.indent():  # Qt would lay out the label again
            self.setIndent(indent)

    def setAlignment(self, alignment: Qt.AlignmentFlag) -> None:  # noqa: N802 (Qt's name)
        """Align by the window's direction; Qt goes by that of the text."""
        self._wanted_alignment = alignment
        super().setAlignment(QStyle.visualAlignment(self.layoutDirection(), alignment))

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the layout direction, and keep the colour.

        A style sheet that is set again brings back the palette from before it.
        """
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self.setAlignment(self._wanted_alignment)
        elif event.type() == QEvent.Type.StyleChange:
            self._recolor()

    def set_color_role(self, role: str) -> None:
        """Draw the text in the colour of another role."""
        if role != self._role:
            self._role = role
            self._recolor()

    def _recolor(self) -> None:
        palette = self.palette()
        palette.setColor(self.foregroundRole(), self._theme.palette.color(self._role))
        self.setPalette(palette)


class ElidedLabel(Label):
    """A single-line label that shortens or elides its text.

    It then shows the full one as a tooltip.
    """

    _shorter_texts: Sequence[str] = ()

    def set_shorter_texts(self, texts: Sequence[str]) -> None:
        """Set texts to show where the whole one does not fit, the longest first."""
        self._shorter_texts = texts
        self.update()

    @property
    def visible_text(self) -> str:
        """The first text that fits, else the last one elided."""
        metrics, texts, width = self.fontMetrics(), (self.text(), *self._shorter_texts), self.width() - self.indent()
        fitting = (text for text in texts if metrics.horizontalAdvance(text) <= width)
        return next(fitting, None) or metrics.elidedText(texts[-1], Qt.TextElideMode.ElideRight, width)

    def minimumSizeHint(self) -> QSize:
        """Return a width of 0, so that layouts may shrink the label."""
        return QSize(0, super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the text as far as it fits."""
        painter, shown = QPainter(self), self.visible_text
        self.setToolTip(plain_tool_tip(self.text()) if shown != self.text() else "")
        painter.setPen(self.palette().color(self.foregroundRole()))
        place = self.rect().adjusted(self.indent(), 0, 0, 0)
        painter.drawText(place, int(self.alignment()) | direction_flag(shown), shown)


class Panel(QWidget):
    """An area in the colour of a role.

    It has hairlines on chosen sides (`T`, `R`, `B`, `L`).
    """

    def __init__(self, theme: Theme, role: str = "window", borders: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._role = role
        self._borders = borders
        theme.changed.connect(self.update)

    def set_borders(self, lines: str) -> None:
        """Draw hairlines on these sides instead."""
        self._borders = lines
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint background and hairlines."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.palette.color(self._role))
        fill_edges(painter, self.rect(), self._borders, self._theme.palette.color("hairline"))


class Separator(QFrame):
    """A 1 px line between sections."""

    def __init__(self, theme: Theme, role: str = "hairline") -> None:
        super().__init__()
        self._theme = theme
        self._role = role
        self.setFixedHeight(1)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line."""
        QPainter(self).fillRect(event.rect(), self._theme.palette.color(self._role))


class CentredParagraph(Label):
    """A centred label of fixed width that sets its own height.

    Qt layouts do not ask an aligned label for `heightForWidth`.
    """

    def __init__(self, theme: Theme, text: str = "", *, width: int, size: int = 13) -> None:
        super().__init__(theme, "", role="text2", size=size, wraps=True)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setFixedWidth(width)
        self.show_text(text)

    def show_text(self, text: str) -> None:
        """Show a text and adapt the height."""
        if text != self.text() or not text:
            self.setText(text)
            self.setFixedHeight(self.heightForWidth(self.width()) if text else 0)


class ProgressBar(QProgressBar):
    """A 6 px high progress bar."""

    def __init__(self, theme: Theme, bar_width: int = 72) -> None:
        super().__init__()
        self._theme = theme
        self.setRange(0, 100)
        self.setTextVisible(False)
        self.setFixedSize(QSize(bar_width, 6))
        self.setAccessibleName(_("Progress"))

    def set_progress(self, share: float) -> None:
        """Show the completed share, 0 to 1."""
        self.setValue(round(100 * min(1.0, max(0.0, share))))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint frame and bar."""
        painter = QPainter(self)
        draw_frame(painter, self.rect(), self._theme.palette.color("border"))
        done = QRect(0, 0, round(self.width() * self.value() / 100), self.height())
        painter.fillRect(mirrored_rect(self, done), self._theme.palette.color("text2"))


class IconLabel(QWidget):
    """A small icon in the colour of a role."""

    def __init__(self, theme: Theme, name: str, role: str = "text2", size: int = 14) -> None:
        super().__init__()
        self._theme, self._name, self._role = theme, name, role
        self.setFixedSize(QSize(size, size))
        theme.changed.connect(self.update)

    def set_icon(self, name: str, role: str) -> None:
        """Show another icon in the colour of a role."""
        if (name, role) != (self._name, self._role):
            self._name, self._role = name, role
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the icon."""
        box = QRect(0, 0, self.width(), self.height())
        draw_icon(QPainter(self), self._name, getattr(self._theme.palette, self._role), box)
