"""Base of the steps of the first run, and the steps with one action."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.widgets.basic_widgets import Button, IconLabel, Label
from browser_app.ui.widgets.box_layouts import Aligned, Stretch, fill_box
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.theme import Theme

STEP_INDENT = 26
"""Where texts start below the title, px."""


class FirstRunStep(QWidget):
    """A step with a title, a reason and buttons.

    Other controls are added to `content_layout`. Widgets beside the title go to `head_layout`.

    Attributes:
        is_offered: whether the step applies to this user.

    Signals:
        finished: the user has completed or skipped the step.
        offered_changed: `is_offered` has changed.
    """

    finished = Signal()
    offered_changed = Signal()

    def __init__(self, theme: Theme, icon: str, title: str, action: str) -> None:
        super().__init__()
        self.is_offered = True
        self.title_label = Label(theme, title, size=15, weight=QFont.Weight.DemiBold)
        self.reason_label = create_wrapping_label(theme)
        self.action_button = Button(theme, action)
        self.next_button = LinkButton(theme, _("Skip"))
        self.next_button.clicked.connect(self.finished)
        self.content_layout = QVBoxLayout()
        self.content_layout.setSpacing(4)
        self.button_row = fill_box(QHBoxLayout(), self.action_button, self.next_button, Stretch())
        self.head_layout = QHBoxLayout()
        icon_mark = Aligned(IconLabel(theme, icon, size=16), Qt.AlignmentFlag.AlignVCenter)
        fill_box(self.head_layout, icon_mark, Stretch(self.title_label), spacing=STEP_INDENT - 16)
        body = fill_box(
            QVBoxLayout(),
            self.reason_label,
            self.content_layout,
            2,
            self.button_row,
            spacing=4,
            margins=(STEP_INDENT, 0, 0, 0),
        )
        fill_box(QVBoxLayout(self), self.head_layout, body, spacing=2)

    def focus_widgets(self) -> Sequence[QWidget]:
        """Return the controls in tab order."""
        return (self.action_button, self.next_button)

    def offer(self, offered: bool) -> None:
        """Set whether the step applies to this user."""
        if offered != self.is_offered:
            self.is_offered = offered
            self.offered_changed.emit()


class FavouritesStep(FirstRunStep):
    """Imports favourites found in the files of games and of Steam."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "star", _("Favourites found"), _("Import"))
        self._import: Callable[[], str] = str
        self.action_button.clicked.connect(self._run_import)
        self.is_offered = False

    def show_found(self, found: Sequence[tuple[str, int]], run_import: Callable[[], str]) -> None:
        """Offer the favourites found, as pairs of game and number.

        `run_import` imports them and returns what is new, in words.
        """
        number = sum(each for _game, each in found)
        if number:
            self._import = run_import
            title = ngettext("{n} favourite found", "{n} favourites found", number)
            self.title_label.setText(title.format(n=number))
            games = ", ".join(f"{game} ({each})" for game, each in found)
            self.reason_label.setText(_("In the files of {games}.").format(games=games))
        self.offer(number > 0)

    def _run_import(self) -> None:
        self.reason_label.setText(self._import())
        self.action_button.hide()
        self.next_button.setText(_("Continue"))
        self.next_button.updateGeometry()
        self.next_button.setFocus()


class SteamKeyStep(FirstRunStep):
    """Asks for the key that Steam's server list needs.

    Signals:
        key_requested: the user wants to enter a key.
    """

    key_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "key", "", _("Add a key…"))
        self.action_button.clicked.connect(self.key_requested)
        self.is_offered = False

    def show_games(self, games: Sequence[str]) -> None:
        """Show the names of games whose server list requires a key."""
        if games:
            one = _("{game} needs a key").format(game=games[0])
            self.title_label.setText(one if len(games) == 1 else _("{n} games need a key").format(n=len(games)))
            why = _("Valve’s server list needs a Steam Web API key. The key is free and stays private.")
            self.reason_label.setText(why)
        self.offer(bool(games))
