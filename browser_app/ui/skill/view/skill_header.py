"""The page header of My Skill: title, game, page controls and rating system."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.skill.rating_format import system_title
from browser_app.ui.widgets.basic_widgets import ElidedLabel, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import MenuButton
from browser_app.ui.widgets.theme import Theme

HEADER_HEIGHT = 32


class SkillHeader(QWidget):
    """Page title, game, the page's controls and the rating system.

    Signals:
        game_chosen, system_chosen: keys.
    """

    game_chosen = Signal(str)
    system_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.title_label = Label(theme, size=18, weight=QFont.Weight.DemiBold)
        self.game_label = ElidedLabel(theme, role="text2")
        self.game_menu = MenuButton(theme, _("Game"))
        self.system_label = Label(theme, _("System"), role="text2", size=12)
        self.system_menu = MenuButton(theme, _("System"))
        self.system_menu.setToolTip(_("Rating system used for this game"))
        self._controls = QHBoxLayout()
        self._known_controls: list[QWidget] = []
        """Controls of the pages shown so far."""
        self.game_menu.value_chosen.connect(self.game_chosen)
        self.system_menu.value_chosen.connect(self.system_chosen)
        self.setFixedHeight(HEADER_HEIGHT)
        game = (self.title_label, 4, Stretch(self.game_label), self.game_menu)
        fill_box(QHBoxLayout(self), *game, Stretch(), self._controls, self.system_label, self.system_menu)

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
        for widget in (self.system_label, self.system_menu):
            widget.setVisible(bool(systems))

    def focus_order(self) -> tuple[QWidget, ...]:
        """Return the widgets in tab order."""
        return (self.game_menu, self.system_menu)
