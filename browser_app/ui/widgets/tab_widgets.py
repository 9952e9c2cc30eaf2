"""Tab bars and segmented switches."""

from collections.abc import Sequence

from PySide6.QtCore import QMargins, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QTabBar

from browser_app.language import gettext as _
from browser_app.ui.widgets.basic_widgets import draw_box, draw_focus_ring
from browser_app.ui.widgets.theme import Theme


class ThemedTabBar(QTabBar):
    """Base of tab bars that paint themselves.

    Keys, accessibility and `currentChanged` are Qt's.
    """

    def __init__(
        self, theme: Theme, titles: Sequence[str], description: str, *, height: int, padding: int, font: int = 12
    ) -> None:
        """Create tabs.

        Args:
            theme: colours and fonts.
            titles: one tab each.
            description: accessible description of what the tabs choose.
            height: in px.
            padding: on each side of a title, px.
            font: size in px.
        """
        super().__init__()
        self._theme, self._height, self._padding, self._font = theme, height, padding, font
        for title in titles:
            self.addTab(title)
        self.setFixedHeight(height)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleDescription(description)  # Qt uses the current title as the accessible name
        theme.changed.connect(self.update)

    def title_font(self, *, current: bool) -> QFont:
        """Return the font of a title; the current one is bold."""
        return self._theme.font(self._font, QFont.Weight.DemiBold if current else QFont.Weight.Normal)

    def tabSizeHint(self, index: int) -> QSize:
        """Return the size of the title in bold."""
        metrics = QFontMetrics(self.title_font(current=True))
        return QSize(metrics.horizontalAdvance(self.tabText(index)) + 2 * self._padding, self._height)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Return the preferred size: titles are never cut."""
        return self.tabSizeHint(index)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page: a tab is chosen by a click or a key."""
        event.ignore()


class SegmentedSwitch(ThemedTabBar):
    """A segmented control: titles side by side, separated by lines."""

    def __init__(self, theme: Theme, titles: Sequence[str], description: str, *, top_bar_height: bool = False) -> None:
        """Create a control; `top_bar_height` makes it as high as the top bar's buttons."""
        height, padding, font = (32, 12, 13) if top_bar_height else (24, 9, 12)
        super().__init__(theme, titles, description, height=height, padding=padding, font=font)
        self._role = "text1" if top_bar_height else "text2"

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint frame, titles and separators."""
        colors = self._theme.palette
        painter = QPainter(self)
        frame = self.tabRect(0).united(self.tabRect(self.count() - 1))
        draw_box(painter, frame, colors.color("raised"), colors.color("border"))
        for place in range(self.count()):
            self._paint_title(painter, place)
        if self.hasFocus():
            draw_focus_ring(painter, frame, colors.color("accent"))

    def _paint_title(self, painter: QPainter, index: int) -> None:
        colors, box, current = self._theme.palette, self.tabRect(index), index == self.currentIndex()
        if current:
            painter.fillRect(box.adjusted(1, 1, -1, -1), colors.color("selected"))
            painter.fillRect(box.x() + 1, box.height() - 3, box.width() - 2, 2, colors.color("accent"))
        if index:
            painter.fillRect(box.x(), 1, 1, box.height() - 2, colors.color("border"))
        painter.setFont(self.title_font(current=current))
        painter.setPen(colors.color("text1" if current else self._role))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self.tabText(index))


TAB_BAR_HEIGHT = 30
_TAB_BAR_MARGIN = 6


class UnderlinedTabBar(ThemedTabBar):
    """Tabs with the current title underlined, above a hairline."""

    def __init__(self, theme: Theme, titles: Sequence[str]) -> None:
        super().__init__(theme, titles, _("Pages"), height=TAB_BAR_HEIGHT, padding=6)

    def tabSizeHint(self, index: int) -> QSize:
        """Return the tab's size; the first one includes the margin."""
        size = super().tabSizeHint(index)
        return size if index else size.grownBy(QMargins(_TAB_BAR_MARGIN, 0, 0, 0))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the titles and the hairline."""
        colors = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(0, TAB_BAR_HEIGHT - 1, self.width(), 1, colors.color("hairline"))
        for place in range(self.count()):
            current = place == self.currentIndex()
            box = self.tabRect(place).adjusted(0 if place else _TAB_BAR_MARGIN, 0, 0, 0)
            painter.setFont(self.title_font(current=current))
            painter.setPen(colors.color("text1" if current else "text2"))
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self.tabText(place))
            if current:
                painter.fillRect(box.x(), TAB_BAR_HEIGHT - 2, box.width(), 2, colors.color("accent"))
                if self.hasFocus():
                    draw_focus_ring(painter, box.adjusted(0, 2, 0, -3), colors.color("accent"))
