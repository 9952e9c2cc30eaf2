"""The page header of My Skill: title, game, page controls and rating system."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.skill.rating_format import system_title
from browser_app.ui.widgets.basic_widgets import ElidedLabel, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import MenuButton
from browser_app.ui.widgets.theme import Theme

_ROW_HEIGHT, _ROW_SPACING = 32, 8
_AS_KNOWN, _HINDSIGHT = "as known", "hindsight"
_NARROW_WIDTH = 900
"""In a narrower header the label of the system menu is left out."""
_SPACING, _TITLE_GAP = 8, 4


class SkillHeader(QWidget):
    """Page title, game, the page's controls and the rating system.

    Where space is short, the controls are below.

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
        self.game_label.set_shorter_texts([""])  # the sidebar shows the whole name
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
        self._controls_area = QWidget()
        self._controls_row = fill_box(QHBoxLayout(self._controls_area))
        self._known_controls: list[QWidget] = []
        """Controls of the pages shown so far."""
        self.game_menu.value_chosen.connect(self.game_chosen)
        self.system_menu.value_chosen.connect(self.system_chosen)
        self.history_menu.value_chosen.connect(lambda value: self.full_history_chosen.emit(value == _HINDSIGHT))
        self._build_layout()

    def _build_layout(self) -> None:
        game = (self.title_label, _TITLE_GAP, Stretch(self.game_label), self.game_menu)
        system = (self.system_label, self.system_menu, self.history_menu)
        self._first_row = fill_box(QHBoxLayout(), *game, Stretch(), self._controls_area, *system, spacing=_SPACING)
        self._second_row = fill_box(QHBoxLayout(), Stretch())
        fill_box(QVBoxLayout(self), self._first_row, self._second_row, spacing=0)
        self._controls_index = self._first_row.indexOf(self._controls_area)
        self._set_controls_below(below=False)

    def show_page(self, title: str, controls: QWidget | None) -> None:
        """Show a page's title and controls."""
        self.title_label.setText(title)
        self.show_controls(controls)

    def show_controls(self, controls: QWidget | None) -> None:
        """Show only the current page's controls."""
        if controls is not None and controls not in self._known_controls:
            self._known_controls.append(controls)
            self._controls_row.addWidget(controls)
            for before, after in pairwise((self.game_menu, controls, self.system_menu)):
                QWidget.setTabOrder(before, after)
        for each in self._known_controls:
            each.setVisible(each is controls)
        self._controls_area.setVisible(controls is not None)
        self._fit_to_width()

    def show_games(self, games: Sequence[tuple[str, str]], current: str, *, menu_allowed: bool) -> None:
        """Show the current game's name, or a menu if the sidebar does not list the games."""
        as_menu = menu_allowed and len(games) > 1
        self.game_label.setText(dict(games).get(current, ""))
        self.game_menu.show_choices(games, current)
        self.game_menu.setVisible(as_menu)
        self.game_label.setVisible(not as_menu)
        self._fit_to_width()

    def show_systems(self, systems: Sequence[str], current: str) -> None:
        """Show the available systems; an empty list hides the menu."""
        self.system_menu.show_choices([(each, system_title(each)) for each in systems], current)
        self.system_menu.setVisible(bool(systems))
        self._fit_to_width()

    def show_full_history(self, chosen: bool | None) -> None:
        """Show whether ratings are those of all rounds at once; None hides the menu."""
        choices = [(_AS_KNOWN, _("As known then")), (_HINDSIGHT, _("With hindsight"))]
        self.history_menu.show_choices(choices, _HINDSIGHT if chosen else _AS_KNOWN)
        self.history_menu.setVisible(chosen is not None)
        self._fit_to_width()

    def _fit_to_width(self) -> None:
        """Make the content fit where space is short.

        As far as needed, a label is left out, the controls move to a second row and a text is shortened.
        """
        self.system_label.setVisible(self.width() >= _NARROW_WIDTH and not self.system_menu.isHidden())
        controls, is_shown = self._controls_area, not self._controls_area.isHidden()
        row, shortest_row = (self._first_row_width(text) for text in self._history_texts())
        below = is_shown and shortest_row + _SPACING + controls.minimumSizeHint().width() > self.width()
        self._set_controls_below(below=below)
        if is_shown and not below:
            row += _SPACING + controls.sizeHint().width()
        whole, short = self._history_texts()
        self.history_menu.setText(whole if row <= self.width() else short)

    def _history_texts(self) -> tuple[str, str]:
        """Return the history menu's text and a shorter one."""
        chosen = self.history_menu.current_value
        return dict(self.history_menu.choices).get(chosen, ""), _("Hindsight") if chosen == _HINDSIGHT else _("Then")

    def _first_row_width(self, history_text: str) -> int:
        """Return the width in which nothing but the game's name is shortened.

        The page's controls are not counted.
        """
        parts = (self.title_label, self.game_menu, self.system_label, self.system_menu, self.history_menu)
        widths = [part.sizeHint().width() for part in parts if not part.isHidden()]
        gaps = len(widths) - self.game_label.isHidden()
        if not self.history_menu.isHidden():
            text_width = self.history_menu.fontMetrics().horizontalAdvance
            widths.append(text_width(history_text) - text_width(self.history_menu.text()))
        return _TITLE_GAP + sum(widths) + _SPACING * gaps

    def _set_controls_below(self, *, below: bool) -> None:
        row, index = (self._second_row, 0) if below else (self._first_row, self._controls_index)
        if row.indexOf(self._controls_area) < 0:
            row.insertWidget(index, self._controls_area)
        self._second_row.setContentsMargins(0, _ROW_SPACING if below else 0, 0, 0)
        self.setFixedHeight(2 * _ROW_HEIGHT + _ROW_SPACING if below else _ROW_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Return the size with two rows and the short text, whatever is shown.

        The header can thus become narrow.
        """
        _whole, short = self._history_texts()
        controls = 0 if self._controls_area.isHidden() else self._controls_area.minimumSizeHint().width()
        return QSize(max(self._first_row_width(short), controls), self.height())

    def event(self, event: QEvent) -> bool:
        """Arrange the parts for a new width or a changed part."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit_to_width()
        return super().event(event)

    def focus_order(self) -> tuple[QWidget, ...]:
        """Return the widgets in tab order."""
        return (self.game_menu, self.system_menu, self.history_menu)
