"""The head of a skill page: what it shows, of which game, the page's own controls, and the system that judges."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.controls import ElidedText, Text
from browser_app.ui.menu_button import MenuButton
from browser_app.ui.skill.system_titles import system_title
from browser_app.ui.theme import Theme

HEIGHT = 32


class SkillHeader(QWidget):
    """One line.

    Signals:
        game_chosen, system_chosen: keys.
    """

    game_chosen = Signal(str)
    system_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.title = Text(theme, size=18, weight=QFont.Weight.DemiBold)
        self.game = ElidedText(theme, role="text2")
        self.games = MenuButton(theme, _("Game"))
        self.system_label = Text(theme, _("System"), role="text2", size=12)
        self.system = MenuButton(theme, _("System"))
        self.system.setToolTip(_("The rating system that speaks for this game"))
        self._controls = QHBoxLayout()
        self._known: list[QWidget] = []
        """Controls of pages that were shown."""
        self.games.chosen.connect(self.game_chosen)
        self.system.chosen.connect(self.system_chosen)
        self.setFixedHeight(HEIGHT)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.title)
        row.addSpacing(4)
        row.addWidget(self.game, 1)
        row.addWidget(self.games)
        row.addStretch(1)
        row.addLayout(self._controls)
        row.addWidget(self.system_label)
        row.addWidget(self.system)

    def show_page(self, title: str, controls: QWidget | None) -> None:
        """A page came to the front, with these controls of its own."""
        self.title.setText(title)
        self.show_controls(controls)

    def show_controls(self, controls: QWidget | None) -> None:
        """Only the controls in sight take room."""
        if controls is not None and controls not in self._known:
            self._known.append(controls)
            self._controls.addWidget(controls)
            QWidget.setTabOrder(controls, self.system)
        for each in self._known:
            each.setVisible(each is controls)

    def show_games(self, games: Sequence[tuple[str, str]], current: str, *, offered: bool) -> None:
        """The game by its name, or as a menu where the side does not offer it."""
        as_menu = offered and len(games) > 1
        self.game.setText(dict(games).get(current, ""))
        self.games.show_choices(games, current)
        self.games.setVisible(as_menu)
        self.game.setVisible(not as_menu)

    def show_systems(self, systems: Sequence[str], current: str) -> None:
        """The systems that can judge the game; none hides the choice."""
        self.system.show_choices([(each, system_title(each)) for each in systems], current)
        for widget in (self.system_label, self.system):
            widget.setVisible(bool(systems))

    def focus_order(self) -> tuple[QWidget, ...]:
        """What the tab key reaches, one after the other."""
        return (self.games, self.system)
