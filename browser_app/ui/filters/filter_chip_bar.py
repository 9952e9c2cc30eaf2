"""Filter chips and the bar that holds them."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.ui.settings.keyboard_shortcuts import text_with_shortcut
from browser_app.ui.widgets.basic_widgets import (
    ElidedLabel,
    PaintedButton,
    Panel,
    draw_box,
    draw_focus_ring,
    draw_icon,
    mirrored_rect,
)
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import plain_tool_tip

CHIP_HEIGHT = 24
_CHIP_PADDING, _CHIP_INNER_GAP, _CHIP_TICK_WIDTH, _CHIP_CHEVRON_WIDTH = 8, 6, 14, 12


class FilterChipState(NamedTuple):
    """What a chip shows."""

    key: str
    title: str
    on: bool = False
    number: int | None = None
    """If on, the rows it alone hides; if off, the rows that would remain; None shows no number."""
    menu: bool = False
    tool_tip: str = ""

    @property
    def count_text(self) -> str:
        """The number as text."""
        if self.number is None:
            return ""
        return _("hides {n}").format(n=integer_text(self.number)) if self.on else integer_text(self.number)

    @property
    def accessible_text(self) -> str:
        """The chip as text, without its state.

        Screen readers say of check boxes whether they are on.
        """
        if self.number is None:
            return self.title
        if self.on:
            return _("{filter}, {note}").format(filter=self.title, note=self.count_text)
        return _("{filter}, would show {n}").format(filter=self.title, n=self.count_text)


class FilterChip(PaintedButton):
    """A filter chip, 24 px high.

    Signals:
        menu_requested: global position for the chip's own menu, opened by right click or menu key.
    """

    menu_requested = Signal(QPoint)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.state = FilterChipState("", "")
        self.setCheckable(True)

    def show_state(self, state: FilterChipState) -> None:
        """Show another state."""
        if state != self.state:
            self.state = state
            self.setChecked(state.on)
            self.setText(state.title)
            self.setAccessibleName(state.accessible_text)
            self.setAccessibleDescription(_("opens a menu") if state.menu else "")
            self.setToolTip(plain_tool_tip(state.tool_tip))
            self.updateGeometry()
            self.update()

    def nextCheckState(self) -> None:
        """Keep the check mark: only an active filter sets it."""

    def menu_position(self) -> QPoint:
        """Return the global position of the chip's menu."""
        return self.mapToGlobal(QPoint(0, CHIP_HEIGHT + 2))

    def sizeHint(self) -> QSize:
        """Return the size of the content."""
        state = self.state
        width = 2 * _CHIP_PADDING + self._title_width()
        width += _CHIP_TICK_WIDTH + _CHIP_INNER_GAP if state.on else 0
        width += (
            _CHIP_INNER_GAP + QFontMetrics(self._theme.font(12)).horizontalAdvance(state.count_text)
            if state.count_text
            else 0
        )
        return QSize(width + (_CHIP_INNER_GAP + _CHIP_CHEVRON_WIDTH if state.menu and not state.on else 0), CHIP_HEIGHT)

    def _title_font(self) -> QFont:
        return self._theme.font(12, QFont.Weight.DemiBold if self.state.on else QFont.Weight.Normal)

    def _title_width(self) -> int:
        return QFontMetrics(self._title_font()).horizontalAdvance(self.state.title)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint box, tick, title, number and chevron."""
        colors, state = self._theme.palette, self.state
        painter = QPainter(self)
        fill = colors.selected if state.on else colors.hover if self.underMouse() else colors.raised
        draw_box(painter, self.rect(), QColor(fill), QColor(colors.accent if state.on else colors.border))
        left = _CHIP_PADDING
        if state.on:
            draw_icon(
                painter, "check", colors.accent, mirrored_rect(self, QRect(left, 0, _CHIP_TICK_WIDTH, CHIP_HEIGHT))
            )
            left += _CHIP_TICK_WIDTH + _CHIP_INNER_GAP
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setFont(self._title_font())
        painter.setPen(colors.color("text1"))
        painter.drawText(mirrored_rect(self, QRect(left, 0, self.width() - left, CHIP_HEIGHT)), middle, state.title)
        left += self._title_width() + _CHIP_INNER_GAP
        painter.setFont(self._theme.font(12))
        painter.setPen(colors.color("text2"))
        painter.drawText(
            mirrored_rect(self, QRect(left, 0, self.width() - left, CHIP_HEIGHT)), middle, state.count_text
        )
        if state.menu and not state.on:
            chevron = QRect(self.width() - _CHIP_PADDING - _CHIP_CHEVRON_WIDTH, 0, _CHIP_CHEVRON_WIDTH, CHIP_HEIGHT)
            draw_icon(painter, "down", colors.text2, mirrored_rect(self, chevron))
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), colors.color("accent"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open a menu with Down, once per press."""
        if event.key() != Qt.Key.Key_Down or not self.state.menu:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.click()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the chip's own menu."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        self.menu_requested.emit(self.menu_position() if by_key else event.globalPos())


CHIP_BAR_HEIGHT = 36
MORE_CHIP = "more"
_CHIP_BAR_MARGIN, _CHIP_GAP, _CHIP_TEXT_GAP = 12, 6, 12


class FilterChipBar(Panel):
    """A bar that shows chip states; the controller decides.

    Signals:
        chip_pressed: key of a chip.
        menu_requested: key of a chip and the global position of its menu.
        clear_requested, save_requested: the links at the end.
    """

    chip_pressed = Signal(str)
    menu_requested = Signal(str, QPoint)
    clear_requested = Signal()
    save_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window", "B")
        self._chips: list[FilterChip] = []
        self._states: tuple[FilterChipState, ...] = ()
        self._more = self._new_chip()
        self._more.show_state(FilterChipState(MORE_CHIP, _("More"), menu=True))
        self._summaries = "", ""
        self._text = ElidedLabel(theme, role="text2", size=12)
        self.save_button = LinkButton(theme, _("Save…"))
        self.clear_button = LinkButton(theme, _("Clear all"))
        self.save_button.setToolTip(text_with_shortcut(_("Save the active filters under a name"), "save_filter"))
        self.save_button.clicked.connect(self.save_requested)
        self.clear_button.clicked.connect(self.clear_requested)
        for widget in (self._text, self.save_button, self.clear_button):
            widget.setParent(self)
        self._text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFixedHeight(CHIP_BAR_HEIGHT)
        self.setAccessibleName(_("Filters"))

    def show_chips(
        self, states: Sequence[FilterChipState], summaries: tuple[str, str], *, filtered: bool, can_save: bool
    ) -> None:
        """Show these chips.

        Args:
            states: the chips in order.
            summaries: what the filters leave, as a long and a short text.
            filtered: there are filters to clear.
            can_save: there is an expression to save.
        """
        links = self.clear_button.isHidden() != filtered and self.save_button.isHidden() != can_save
        if (tuple(states), summaries) == (self._states, self._summaries) and links:
            return
        self._states, self._summaries = tuple(states), summaries
        while len(self._chips) < len(states):
            self._add_chip()
        for chip in self._chips[len(states) :]:
            chip.hide()
        for chip, state in zip(self._chips, states, strict=False):
            chip.show_state(state)
        self.clear_button.setVisible(filtered)
        self.save_button.setVisible(can_save)
        self._arrange()

    def hidden_chips(self) -> list[FilterChipState]:
        """Return the chips in the "More" menu."""
        return [chip.state for chip in self._used_chips() if chip.isHidden()]

    def chip(self, key: str) -> FilterChip:
        """Return a chip by its key, "More" if it is hidden."""
        return next((each for each in self._used_chips() if each.state.key == key and not each.isHidden()), self._more)

    def focus_order(self) -> tuple[QWidget, ...]:
        """Return the widgets in tab order; chips added later follow the last chip."""
        return (*self._chips, self._more, self.save_button, self.clear_button)

    def sizeHint(self) -> QSize:
        """Return the preferred size: 36 px high, any width."""
        return QSize(200, CHIP_BAR_HEIGHT)

    def _used_chips(self) -> list[FilterChip]:
        return self._chips[: len(self._states)]

    def _add_chip(self) -> None:
        """Add a chip after the others in tab order."""
        chip = self._new_chip()
        if self._chips:
            QWidget.setTabOrder(self._chips[-1], chip)
        self._chips.append(chip)
        for before, after in pairwise((chip, self._more, self.save_button, self.clear_button)):
            QWidget.setTabOrder(before, after)

    def _new_chip(self) -> FilterChip:
        chip = FilterChip(self._theme)
        chip.setParent(self)
        chip.hide()
        chip.clicked.connect(lambda: self.chip_pressed.emit(chip.state.key))
        chip.menu_requested.connect(lambda where: self.menu_requested.emit(chip.state.key, where))
        return chip

    def _arrange(self) -> None:
        """Place the chips that fit.

        The summary is shortened first, active chips are hidden last.
        """
        right = self._place_links()
        widths = [chip.sizeHint().width() for chip in self._used_chips()]
        for text in self._summaries:
            text_width = self._text.fontMetrics().horizontalAdvance(text) + 4
            space = right - text_width - _CHIP_TEXT_GAP - _CHIP_BAR_MARGIN
            if sum(widths) + _CHIP_GAP * len(widths) <= space:
                break
        shown = self._fitting_chips(widths, space)
        left = _CHIP_BAR_MARGIN
        for chip, fits in zip(self._used_chips(), shown, strict=True):
            chip.setVisible(fits)
            if fits:
                left = self._place_chip(chip, left)
        self._more.setVisible(not all(shown))
        if not all(shown):
            left = self._place_chip(self._more, left)
        self._text.setText(text)
        text_box = QRect(left + _CHIP_GAP, 0, max(0, right - left - _CHIP_GAP), CHIP_BAR_HEIGHT - 1)
        self._text.setGeometry(mirrored_rect(self, text_box))

    def _fitting_chips(self, widths: Sequence[int], space: int) -> list[bool]:
        shown = [True] * len(widths)
        off = [index for index, chip in enumerate(self._used_chips()) if not chip.state.on]
        on = [index for index, chip in enumerate(self._used_chips()) if chip.state.on]
        for index in (*reversed(off), *reversed(on)):
            more = 0 if all(shown) else self._more.sizeHint().width() + _CHIP_GAP
            if sum(width + _CHIP_GAP for width, fits in zip(widths, shown, strict=True) if fits) + more <= space:
                break
            shown[index] = False
        return shown

    def _place_links(self) -> int:
        """Place the links at the end; return where they start."""
        right = self.width() - _CHIP_BAR_MARGIN
        for link in (self.clear_button, self.save_button):
            if not link.isHidden():
                size = link.sizeHint()
                right -= size.width()
                box = QRect(right, (CHIP_BAR_HEIGHT - 1 - size.height()) // 2, size.width(), size.height())
                link.setGeometry(mirrored_rect(self, box))
        return right - 4

    def _place_chip(self, chip: FilterChip, left: int) -> int:
        size = chip.sizeHint()
        box = QRect(left, (CHIP_BAR_HEIGHT - 1 - size.height()) // 2, size.width(), size.height())
        chip.setGeometry(mirrored_rect(self, box))
        return left + size.width() + _CHIP_GAP

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the chips again."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of the layout direction."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange and self._states:
            self._arrange()
