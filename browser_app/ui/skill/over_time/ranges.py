"""How much time is shown: a switch, or where there is no room for it a menu."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.ui.menu_button import MenuButton
from browser_app.ui.segments import Segments
from browser_app.ui.skill.over_time.trace import DAY_S
from browser_app.ui.theme import Theme

RANGES: tuple[tuple[str, float | None], ...] = (
    (later("Day"), DAY_S),
    (later("Week"), 7 * DAY_S),
    (later("Month"), 30 * DAY_S),
    (later("3 months"), 91 * DAY_S),
    (later("Year"), 365 * DAY_S),
    (later("All"), None),
)
"""What is shown up to the newest round, in seconds; None for all."""


class RangeChoice(QWidget):
    """At first all.

    Signals:
        chosen: a place of `RANGES`; also when it is chosen again, after the picture was moved.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        titles = [_(title) for title, _span in RANGES]
        about = _("How much time is shown")
        self.switch, self.menu = Segments(theme, titles, about), MenuButton(theme, about)
        self._choices = [(str(place), title) for place, title in enumerate(titles)]
        for widget in (self.switch, self.menu):
            widget.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.switch.currentChanged.connect(self._switched)
        self.switch.tabBarClicked.connect(self._clicked)
        self.menu.chosen.connect(lambda place: self.choose(int(place)))
        self.choose(len(RANGES) - 1)

    def choose(self, place: int) -> None:
        """Make this the range."""
        self.switch.setCurrentIndex(place)
        self.menu.show_choices(self._choices, str(place))

    def _switched(self, place: int) -> None:
        self.menu.show_choices(self._choices, str(place))
        self.chosen.emit(place)

    def _clicked(self, place: int) -> None:
        if place == self.switch.currentIndex():
            self.chosen.emit(place)

    def sizeHint(self) -> QSize:
        """Room for the switch."""
        return QSize(self.switch.sizeHint().width(), self.menu.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Room for the menu."""
        return self.menu.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what fits."""
        super().resizeEvent(event)
        fits = self.width() >= self.switch.sizeHint().width()
        self.switch.setVisible(fits)
        self.menu.setVisible(not fits)
        shown = self.switch if fits else self.menu
        hint = shown.sizeHint()
        top = (self.height() - hint.height()) // 2
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        shown.setGeometry(0 if mirrored else self.width() - hint.width(), top, hint.width(), hint.height())
