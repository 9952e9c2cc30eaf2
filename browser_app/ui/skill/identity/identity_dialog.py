"""The dialog that shows and edits the user's identities."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from browser_app.language import gettext as _
from browser_app.player.player_identities import Identity
from browser_app.storage.ui_state import UiState
from browser_app.ui.skill.identity.identity_field import IdentityField, identity_kind_title
from browser_app.ui.widgets.basic_widgets import Button, ElidedLabel, Label
from browser_app.ui.widgets.box_layouts import Stretch, create_grid, fill_box
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.dialogs import SavedSizeDialog, create_button_row
from browser_app.ui.widgets.page_elements import clear_layout
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import plain_tool_tip

_ROW_HEIGHT = 26


class IdentitySuggestion(NamedTuple):
    """An identity that may be the user's, and the reason."""

    identity: Identity
    name: str
    reason: str


class IdentitySuggestionList(QWidget):
    """List of suggestions with a button each; hidden if empty.

    Signals:
        suggestion_accepted: the `Identity` that the user accepted.
    """

    suggestion_accepted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._title_label = Label(theme, _("Is this you?"), role="text2", size=12)
        self.buttons: list[LinkButton] = []
        self._suggestions: tuple[IdentitySuggestion, ...] = ()
        self._grid = create_grid(self, spacing=(12, 0))
        self._grid.setColumnStretch(0, 2)
        self._grid.setColumnStretch(1, 3)
        self._grid.addWidget(self._title_label, 0, 0, 1, 3)
        self.hide()

    def show_suggestions(self, suggestions: Sequence[IdentitySuggestion]) -> None:
        """Show exactly these suggestions."""
        if tuple(suggestions) == self._suggestions:
            return
        self._suggestions = tuple(suggestions)
        self.buttons = []
        clear_layout(self._grid, keep=1)
        for row, suggestion in enumerate(suggestions, 1):
            self._add_row(row, suggestion)
        self.setVisible(bool(suggestions))

    def _add_row(self, row: int, suggestion: IdentitySuggestion) -> None:
        button = LinkButton(self._theme, _("This is me"))
        button.setAccessibleName(_("This is me: {who}").format(who=suggestion.name))
        button.setToolTip(plain_tool_tip(suggestion.identity.value))
        button.clicked.connect(lambda: self.suggestion_accepted.emit(suggestion.identity))
        self._grid.addWidget(ElidedLabel(self._theme, suggestion.name), row, 0)
        self._grid.addWidget(ElidedLabel(self._theme, suggestion.reason, role="text2", size=12), row, 1)
        self._grid.addWidget(button, row, 2)
        self._grid.setRowMinimumHeight(row, _ROW_HEIGHT)
        self.buttons.append(button)


_IDENTITY_ROLE = Qt.ItemDataRole.UserRole
_TYPE_WIDTH = 180


class IdentityDialog(SavedSizeDialog):
    """Dialog that shows the user's identities and reports changes.

    Signals:
        add_requested, remove_requested: an `Identity`.
    """

    add_requested = Signal(object)
    remove_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget, ui_state: UiState, games: Mapping[str, str], game: str) -> None:
        """`games`: names by id; `game`: the one selected at first."""
        super().__init__(theme, parent, ui_state, "who I am", _("Identity"), QSize(640, 520))
        self._games = games
        self._identities: tuple[Identity, ...] = ()
        self.identity_field = IdentityField(theme, games, game, lambda identity: identity in self._identities)
        self.tree = QTreeWidget()
        self.suggestion_list = IdentitySuggestionList(theme)
        self.remove_button = Button(theme, _("Remove"), "close")
        self.close_button = Button(theme, _("Close"))
        self._build_layout()
        self.identity_field.add_requested.connect(self.add_requested)
        self.suggestion_list.suggestion_accepted.connect(self.add_requested)
        self.remove_button.clicked.connect(self._request_removal)
        self.tree.currentItemChanged.connect(
            lambda: self.remove_button.setEnabled(self.selected_identity() is not None)
        )
        self.close_button.clicked.connect(self.accept)
        self.remove_button.setEnabled(False)
        self.identity_field.text_edit.setFocus()

    def show_identities(self, identities: Sequence[Identity]) -> None:
        """Show these identities by game and keep the selection."""
        chosen = self.selected_identity()
        self._identities = tuple(identities)
        self.tree.clear()
        for game in dict.fromkeys(each.game for each in identities):
            own = [each for each in identities if each.game == game]
            title = QTreeWidgetItem(self.tree, [f"{self._games.get(game, game)} ({len(own)})"])
            title.setFlags(Qt.ItemFlag.ItemIsEnabled)
            title.setExpanded(True)
            for identity in own:
                item = QTreeWidgetItem(title, [identity.value, identity_kind_title(identity.kind)])
                item.setData(0, _IDENTITY_ROLE, identity)
                if identity == chosen:
                    self.tree.setCurrentItem(item)
        self.tree.setAccessibleDescription("" if identities else _("None yet"))
        self.remove_button.setEnabled(self.selected_identity() is not None)
        self.identity_field.validate()

    def show_suggestions(self, suggestions: Sequence[IdentitySuggestion]) -> None:
        """Show the suggestions that are not among the identities."""
        self.suggestion_list.show_suggestions([each for each in suggestions if each.identity not in self._identities])

    def selected_identity(self) -> Identity | None:
        """Return the selected identity."""
        item = self.tree.currentItem()
        found = item.data(0, _IDENTITY_ROLE) if item is not None else None
        return found if isinstance(found, Identity) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove the selected identity with Delete."""
        if event.key() == Qt.Key.Key_Delete and self.tree.hasFocus():
            self._request_removal()
        else:
            super().keyPressEvent(event)

    def _build_layout(self) -> None:
        about = _(
            "Rounds count as yours if one of these was on a team. None of it leaves this computer "
            "unless you turn on a source that needs it."
        )
        note = Label(self._theme, about, role="text2", size=12, wraps=True)
        self.tree.setHeaderLabels([_("Known as"), _("Type")])
        self.tree.setAccessibleName(_("Identities by game"))
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.setColumnWidth(1, _TYPE_WIDTH)
        buttons = create_button_row((self.remove_button,), (self.close_button,))
        parts = (note, self.identity_field, Stretch(self.tree), self.suggestion_list, buttons)
        fill_box(QVBoxLayout(self), *parts, margins=(16, 16, 16, 16))

    def _request_removal(self) -> None:
        identity = self.selected_identity()
        if identity is not None:
            self.remove_requested.emit(identity)
