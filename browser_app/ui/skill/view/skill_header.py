"""The page header of My Skill: title, game, page controls and rating system."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.skill.rating_format import system_title
from browser_app.ui.widgets.basic_widgets import ElidedLabel, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import MenuButton
from browser_app.ui.widgets.theme import Theme

HEADER_HEIGHT = 32
_AS_KNOWN, _HINDSIGHT = "as known", "hindsight"
_NARROW_WIDTH = 900
"""In a narrower header the labels of the menus on the right are left out."""


class SkillHeader(QWidget):
    """Page title, game, the page's controls and the rating system.

    Signals:
        game_chosen, system_chosen: keys.
        full_history_chosen: True for ratings of all rounds at once.
    """

    game_chosen = Signal(str)
    system_chosen = Signal(str)
    full_history_chosen = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.title_label = Label(theme, size=18, weight=QFont.Weight.DemiBold)
        self.game_label = ElidedLabel(theme, role="text2")
        self.game_menu = MenuButton(theme, _("Game"))
        self.system_label = Label(theme, _("System"), role="text2", size=12)
        self.system_menu = MenuButton(theme, _("System"))
        self.system_menu.setToolTip(_("Rating system used for this game"))
        self.history_menu = MenuButton(theme, _("Ratings"))
        self.history_menu.setToolTip(
            _(
                "As known then: each rating comes from the rounds before it.\n"
                "With hindsight: all ratings come from all rounds at once."
            )
        )
        self._controls = QHBoxLayout()
        self._known_controls: list[QWidget] = []
        """Controls of the pages shown so far."""
        self.game_menu.value_chosen.connect(self.game_chosen)
        self.system_menu.value_chosen.connect(self.system_chosen)
        self.history_menu.value_chosen.connect(lambda value: self.full_history_chosen.emit(value == _HINDSIGHT))
        self.setFixedHeight(HEADER_HEIGHT)
        game = (self.title_label, 4, Stretch(self.game_label), self.game_menu)
        system = (self.system_label, self.system_menu, self.history_menu)
        self._layout = fill_box(QHBoxLayout(self), *game, Stretch(), self._controls, *system)

    def show_page(self, title: str, controls: QWidget | None) -> None:
        """Show a page's title and controls."""
        self.title_label.setText(title)
        self.show_controls(controls)

    def show_controls(self, controls: QWidget | None) -> None:
        """Show only the current page's controls."""
        if controls is not None and controls not in self._known_controls:
            self._known_controls.append(controls)
            self._controls.addWidget(controls)
            QWidget.setTabOrder(controls, self.system_menu)
        for each in self._known_controls:
            each.setVisible(each is controls)
        self._show_or_hide_labels()

    def show_games(self, games: Sequence[tuple[str, str]], current: str, *, menu_allowed: bool) -> None:
        """Show the current game's name, or a menu if the sidebar does not list the games."""
        as_menu = menu_allowed and len(games) > 1
        self.game_label.setText(dict(games).get(current, ""))
        self.game_menu.show_choices(games, current)
        self.game_menu.setVisible(as_menu)
        self.game_label.setVisible(not as_menu)

    def show_systems(self, systems: Sequence[str], current: str) -> None:
        """Show the available systems; an empty list hides the menu."""
        self.system_menu.show_choices([(each, system_title(each)) for each in systems], current)
        self.system_menu.setVisible(bool(systems))
        self._show_or_hide_labels()

    def show_full_history(self, chosen: bool | None) -> None:
        """Show whether ratings are those of all rounds at once; None hides the menu."""
        choices = [(_AS_KNOWN, _("As known then")), (_HINDSIGHT, _("With hindsight"))]
        self.history_menu.show_choices(choices, _HINDSIGHT if chosen else _AS_KNOWN)
        self.history_menu.setVisible(chosen is not None)
        self._show_or_hide_labels()

    def _show_or_hide_labels(self) -> None:
        self.system_label.setVisible(self.width() >= _NARROW_WIDTH and not self.system_menu.isHidden())
        self.history_menu.setText(dict(self.history_menu.choices).get(self.history_menu.current_value, ""))
        if self._needed_width() > self.width():
            self.history_menu.setText(self._short_history_text())

    def _short_history_text(self) -> str:
        return _("Hindsight") if self.history_menu.current_value == _HINDSIGHT else _("Then")

    def minimumSizeHint(self) -> QSize:
        """Return the size with the short text, whichever is shown, so that the header can become narrow enough."""
        hint, text_width = super().minimumSizeHint(), self.history_menu.fontMetrics().horizontalAdvance
        if not self.history_menu.isHidden():
            hint -= QSize(text_width(self.history_menu.text()) - text_width(self._short_history_text()), 0)
        return hint

    def _needed_width(self) -> int:
        """Return the width in which nothing but the game's name is shortened."""
        self._layout.invalidate()
        name = 0 if self.game_label.isHidden() else self.game_label.sizeHint().width()
        return self._layout.sizeHint().width() - name

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out labels if space is short."""
        super().resizeEvent(event)
        self._show_or_hide_labels()

    def focus_order(self) -> tuple[QWidget, ...]:
        """Return the widgets in tab order."""
        return (self.game_menu, self.system_menu, self.history_menu)
