"""An input field for a player identity in any supported form."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.player.player_identities import (
    Identity,
    IdentityError,
    IdentityKind,
    VanityNameError,
    parse_fingerprint,
    parse_name_pattern,
    parse_steam_id,
)
from browser_app.ui.widgets.accessibility import name_combo_box
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.form_fields import MIN_TEXT_FIELD_WIDTH, leave_wheel_to_page
from browser_app.ui.widgets.theme import Theme

_PARSERS = {
    IdentityKind.STEAM: parse_steam_id,
    IdentityKind.XONOTIC: parse_fingerprint,
    IdentityKind.NAME: parse_name_pattern,
}


def identity_kind_title(kind: IdentityKind) -> str:
    """Return the title of a kind of identity."""
    return {
        IdentityKind.STEAM: _("Steam account"),
        IdentityKind.XONOTIC: _("Xonotic key"),
        IdentityKind.NAME: _("Name or pattern"),
    }[kind]


def parse_identity(game: str, kind: IdentityKind, text: str) -> Identity:
    """Return the identity that a text names.

    Raises:
        IdentityError: the text names none; `VanityNameError` if Steam can look it up.
    """
    return Identity(game, kind, _PARSERS[kind](text))


def guess_identity_kind(text: str) -> IdentityKind:
    """Return the most likely kind of a text; a name if it fits no other kind."""
    lower = text.strip().lower()
    if lower.startswith("id-fingerprint:"):
        return IdentityKind.XONOTIC
    if lower.startswith(("http://", "https://", "steamcommunity.com/", "www.steamcommunity.com/")):
        return IdentityKind.STEAM
    for kind in (IdentityKind.STEAM, IdentityKind.XONOTIC):
        try:
            _PARSERS[kind](text)
        except IdentityError:
            continue
        return kind
    return IdentityKind.NAME


_MIN_CONTENT_CHARS = 12
"""Characters of a game's name that stay visible in narrow windows."""


class IdentityField(QWidget):
    """Input for one identity: game, text, kind, and the button that adds it.

    Signals:
        add_requested: a new `Identity`.
        lookup_requested: the custom part of a Steam profile URL; the answer goes to `show_resolved_account` or
            `show_lookup_problem`.
        game_chosen: id of the game.
    """

    add_requested = Signal(object)
    lookup_requested = Signal(str)
    game_chosen = Signal(str)

    def __init__(self, theme: Theme, games: Mapping[str, str], game: str, is_known: Callable[[Identity], bool]) -> None:
        """`games`: names by id; `game`: the one selected at first."""
        super().__init__()
        self._is_known = is_known
        self._vanity_name = ""
        self.game_box, self.kind_box = leave_wheel_to_page(QComboBox()), leave_wheel_to_page(QComboBox())
        self.text_edit = QLineEdit()
        self.add_button = Button(theme, _("Add"), accented=True)
        self.message_label = Label(theme, role="text2", size=12, wraps=True)
        self.lookup_button = LinkButton(theme, _("Look up on Steam"))
        self._set_up(games, game)
        self._build_layout()
        self.text_edit.textChanged.connect(self._guess_kind)
        self.text_edit.textChanged.connect(self.validate)
        self.kind_box.currentIndexChanged.connect(self.validate)
        self.game_box.currentIndexChanged.connect(self.validate)
        self.game_box.currentIndexChanged.connect(lambda: self.game_chosen.emit(self.selected_game()))
        self.text_edit.returnPressed.connect(self._submit)
        self.add_button.clicked.connect(self._submit)
        self.lookup_button.clicked.connect(self._request_lookup)
        self.validate()

    def selected_game(self) -> str:
        """Return the id of the selected game."""
        return str(self.game_box.currentData())

    def validate(self) -> None:
        """Show how the text is read, or what is wrong with it."""
        problem, self._vanity_name, fits = "", "", False
        if self.text_edit.text().strip():
            try:
                fits = not self._is_known(self._entered_identity())
                problem = "" if fits else _("Already added.")
            except VanityNameError as error:
                problem, self._vanity_name = str(error), error.name
            except IdentityError as error:
                problem = str(error)
        self.add_button.setEnabled(fits)
        self.lookup_button.setVisible(bool(self._vanity_name))
        self.lookup_button.setEnabled(True)
        self._set_message(problem, warning=bool(problem) and not self._vanity_name)

    def show_resolved_account(self, name: str, account: str) -> None:
        """Show the account that Steam found for a custom URL."""
        if name == self._vanity_name:
            self.text_edit.setText(account)
            self._set_message(_("“{name}” is account {account}.").format(name=name, account=account))
            self.add_button.setFocus()

    def show_lookup_problem(self, name: str, reason: str) -> None:
        """Show why Steam found no account for a custom URL."""
        if name == self._vanity_name:
            self.lookup_button.setEnabled(True)
            self._set_message(reason, warning=True)

    def _set_up(self, games: Mapping[str, str], game: str) -> None:
        for ident, name in sorted(games.items(), key=lambda each: each[1].casefold()):
            self.game_box.addItem(name, ident)
        self.game_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.game_box.setMinimumContentsLength(_MIN_CONTENT_CHARS)
        self.game_box.setCurrentIndex(max(0, self.game_box.findData(game)))
        name_combo_box(self.game_box, _("Game"))
        for kind in IdentityKind:
            self.kind_box.addItem(identity_kind_title(kind), kind)
        name_combo_box(self.kind_box, _("Type"))
        self.text_edit.setPlaceholderText(_("Steam ID, profile URL, key or name"))
        self.text_edit.setAccessibleName(_("Your Steam ID, fingerprint or name"))
        self.text_edit.setMinimumWidth(MIN_TEXT_FIELD_WIDTH)

    def _build_layout(self) -> None:
        line = fill_box(QHBoxLayout(), self.game_box, Stretch(self.text_edit), self.kind_box, self.add_button)
        message_row = fill_box(QHBoxLayout(), Stretch(self.message_label), self.lookup_button)
        fill_box(QVBoxLayout(self), line, message_row)

    def _guess_kind(self, text: str) -> None:
        if text.strip():
            self.kind_box.setCurrentIndex(self.kind_box.findData(guess_identity_kind(text)))

    def _entered_identity(self) -> Identity:
        return parse_identity(self.selected_game(), IdentityKind(self.kind_box.currentData()), self.text_edit.text())

    def _set_message(self, text: str, *, warning: bool = False) -> None:
        self.message_label.set_color_role("warning" if warning else "text2")
        self.message_label.setText(text)
        self.text_edit.setAccessibleDescription(text)

    def _submit(self) -> None:
        if self.add_button.isEnabled():
            identity = self._entered_identity()
            self.text_edit.clear()
            self.add_requested.emit(identity)
            self.text_edit.setFocus()
        elif self._vanity_name and self.lookup_button.isEnabled():
            self._request_lookup()

    def _request_lookup(self) -> None:
        self.lookup_button.setEnabled(False)
        self._set_message(_("Looking up on Steam…"))
        self.lookup_requested.emit(self._vanity_name)
