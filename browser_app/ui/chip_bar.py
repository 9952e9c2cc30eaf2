"""The row of filter chips: as many as there is room for, the others behind "More", and what all of them leave."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from browser_app.language import gettext as _
from browser_app.ui.chip import Chip, ChipState
from browser_app.ui.controls import ElidedText, Surface
from browser_app.ui.link_button import LinkButton
from browser_app.ui.theme import Theme

HEIGHT = 36
MORE = "more"
_MARGIN, _GAP, _WIDE_GAP = 12, 6, 12


class ChipBar(Surface):
    """Shows states, decides nothing.

    Signals:
        pressed: a chip's key; `corner_of` says where its menu belongs.
        menu_wanted: a chip's key, and where (global).
        clear_wanted, save_wanted: the words at the right end.
    """

    pressed = Signal(str)
    menu_wanted = Signal(str, QPoint)
    clear_wanted = Signal()
    save_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window", "B")
        self._chips: list[Chip] = []
        self._states: tuple[ChipState, ...] = ()
        self._more = self._new_chip()
        self._more.show_state(ChipState(MORE, _("More"), menu=True))
        self._words = "", ""
        self._text = ElidedText(theme, role="text2", size=12)
        self.save = LinkButton(theme, _("Save…"))
        self.clear = LinkButton(theme, _("Clear all"))
        self.save.clicked.connect(self.save_wanted)
        self.clear.clicked.connect(self.clear_wanted)
        for widget in (self._text, self.save, self.clear):
            widget.setParent(self)
        self._text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName(_("Filters"))

    def show_chips(
        self, states: Sequence[ChipState], words: tuple[str, str], *, filtered: bool, expressed: bool
    ) -> None:
        """Show these chips. `words`: what they leave, at length and in short.

        `filtered`: there is something to be taken away; `expressed`: there is an expression to be saved, too.
        """
        links = self.clear.isHidden() != filtered and self.save.isHidden() != expressed
        if (tuple(states), words) == (self._states, self._words) and links:
            return
        self._states, self._words = tuple(states), words
        while len(self._chips) < len(states):
            self._add_chip()
        for chip in self._chips[len(states) :]:
            chip.hide()
        for chip, state in zip(self._chips, states, strict=False):
            chip.show_state(state)
        self.clear.setVisible(filtered)
        self.save.setVisible(expressed)
        self._arrange()

    def hidden_chips(self) -> list[ChipState]:
        """Those behind "More"."""
        return [chip.state for chip in self._used() if chip.isHidden()]

    def chip(self, key: str) -> Chip:
        """A chip by its key; "More" for one that found no room."""
        return next((each for each in self._used() if each.state.key == key and not each.isHidden()), self._more)

    def focus_order(self) -> tuple[QWidget, ...]:
        """What the tab key reaches, one after the other; chips that come later stand behind the last one."""
        return (*self._chips, self._more, self.save, self.clear)

    def text(self) -> str:
        """What the chips leave, as shown."""
        return self._text.text()

    def sizeHint(self) -> QSize:
        """36 high, and satisfied with any width."""
        return QSize(200, HEIGHT)

    def _used(self) -> list[Chip]:
        return self._chips[: len(self._states)]

    def _add_chip(self) -> None:
        """One more, which the tab key reaches after those before it."""
        chip = self._new_chip()
        if self._chips:
            QWidget.setTabOrder(self._chips[-1], chip)
        self._chips.append(chip)
        for before, after in pairwise((chip, self._more, self.save, self.clear)):
            QWidget.setTabOrder(before, after)

    def _new_chip(self) -> Chip:
        chip = Chip(self._theme)
        chip.setParent(self)
        chip.hide()
        chip.clicked.connect(lambda: self.pressed.emit(chip.state.key))
        chip.menu_wanted.connect(lambda where: self.menu_wanted.emit(chip.state.key, where))
        return chip

    def _arrange(self) -> None:
        """Place what fits; chips that are on go last, and the words make room before any chip does."""
        right = self._place_links()
        widths = [chip.sizeHint().width() for chip in self._used()]
        for words in self._words:
            text_width = self._text.fontMetrics().horizontalAdvance(words) + 4
            room = right - text_width - _WIDE_GAP - _MARGIN
            if sum(widths) + _GAP * len(widths) <= room:
                break
        shown = self._that_fit(widths, room)
        left = _MARGIN
        for chip, fits in zip(self._used(), shown, strict=True):
            chip.setVisible(fits)
            if fits:
                left = self._put(chip, left)
        self._more.setVisible(not all(shown))
        if not all(shown):
            left = self._put(self._more, left)
        self._text.setText(words)
        self._text.setGeometry(left + _GAP, 0, max(0, right - left - _GAP), HEIGHT - 1)

    def _that_fit(self, widths: Sequence[int], room: int) -> list[bool]:
        shown = [True] * len(widths)
        off = [place for place, chip in enumerate(self._used()) if not chip.state.on]
        on = [place for place, chip in enumerate(self._used()) if chip.state.on]
        for place in (*reversed(off), *reversed(on)):
            more = 0 if all(shown) else self._more.sizeHint().width() + _GAP
            if sum(width + _GAP for width, fits in zip(widths, shown, strict=True) if fits) + more <= room:
                break
            shown[place] = False
        return shown

    def _place_links(self) -> int:
        """Put the words at the right end; where they begin."""
        right = self.width() - _MARGIN
        for link in (self.clear, self.save):
            if not link.isHidden():
                size = link.sizeHint()
                right -= size.width()
                link.setGeometry(right, (HEIGHT - 1 - size.height()) // 2, size.width(), size.height())
        return right - 4

    def _put(self, chip: Chip, left: int) -> int:
        size = chip.sizeHint()
        chip.setGeometry(left, (HEIGHT - 1 - size.height()) // 2, size.width(), size.height())
        return left + size.width() + _GAP

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room, or less."""
        super().resizeEvent(event)
        self._arrange()
