"""A field that takes an identity in any form, and says at once what it is read as or what is wrong with it."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.player.identities import Identity, IdentityError, IdentityKind, VanityName
from browser_app.ui.controls import Button, Text
from browser_app.ui.link_button import LinkButton
from browser_app.ui.skill.identity_words import kind_title, likely_kind, read_identity
from browser_app.ui.theme import Theme

_SHORT = 12
"""Characters of a game's name that are seen however little room there is."""


class IdentityField(QWidget):
    """One line: the game, what was typed, what it is, and the button to add it.

    Signals:
        add_wanted: the `Identity`, which is not known yet.
        look_up_wanted: the chosen part of a profile's address; the answer is for `show_account` or `show_problem`.
        game_chosen: id of the game.
    """

    add_wanted = Signal(object)
    look_up_wanted = Signal(str)
    game_chosen = Signal(str)

    def __init__(self, theme: Theme, games: Mapping[str, str], game: str, is_known: Callable[[Identity], bool]) -> None:
        """`games`: names by id; `game`: the one that is chosen at first."""
        super().__init__()
        self._is_known = is_known
        self._vanity = ""
        self.game, self.kind, self.text = QComboBox(), QComboBox(), QLineEdit()
        self.add = Button(theme, _("Add"), accented=True)
        self.message = Text(theme, role="text2", size=12)
        self.look_up = LinkButton(theme, _("Ask Steam"))
        self._set_up(games, game)
        self._lay_out()
        self.text.textChanged.connect(self._guess_kind)
        self.text.textChanged.connect(self.check)
        self.kind.currentIndexChanged.connect(self.check)
        self.game.currentIndexChanged.connect(self.check)
        self.game.currentIndexChanged.connect(lambda: self.game_chosen.emit(self.chosen_game()))
        self.text.returnPressed.connect(self._add)
        self.add.clicked.connect(self._add)
        self.look_up.clicked.connect(self._look_up)
        self.check()

    def chosen_game(self) -> str:
        """Id of the game."""
        return str(self.game.currentData())

    def check(self) -> None:
        """Say what the text is read as, or what is wrong with it."""
        problem, self._vanity, fits = "", "", False
        if self.text.text().strip():
            try:
                fits = not self._is_known(self._typed())
                problem = "" if fits else _("That is known already.")
            except VanityName as error:
                problem, self._vanity = str(error), error.name
            except IdentityError as error:
                problem = str(error)
        self.add.setEnabled(fits)
        self.look_up.setVisible(bool(self._vanity))
        self.look_up.setEnabled(True)
        self._say(problem, warning=bool(problem) and not self._vanity)

    def show_account(self, name: str, account: str) -> None:
        """Steam says whose address it is."""
        if name == self._vanity:
            self.text.setText(account)
            self._say(_("“{name}” is the account {account}.").format(name=name, account=account))
            self.add.setFocus()

    def show_problem(self, name: str, why: str) -> None:
        """Steam does not say whose address it is."""
        if name == self._vanity:
            self.look_up.setEnabled(True)
            self._say(why, warning=True)

    def _set_up(self, games: Mapping[str, str], game: str) -> None:
        for ident, name in sorted(games.items(), key=lambda each: each[1].casefold()):
            self.game.addItem(name, ident)
        self.game.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.game.setMinimumContentsLength(_SHORT)
        self.game.setCurrentIndex(max(0, self.game.findData(game)))
        self.game.setAccessibleName(_("Game"))
        for kind in IdentityKind:
            self.kind.addItem(kind_title(kind), kind)
        self.kind.setAccessibleName(_("What it is"))
        self.text.setPlaceholderText(_("Steam id, profile address, key or name"))
        self.text.setAccessibleName(_("Steam id, fingerprint or name of yours"))
        self.message.setWordWrap(True)

    def _lay_out(self) -> None:
        line, said = QHBoxLayout(), QHBoxLayout()
        line.setSpacing(8)
        said.setSpacing(8)
        line.addWidget(self.game)
        line.addWidget(self.text, 1)
        line.addWidget(self.kind)
        line.addWidget(self.add)
        said.addWidget(self.message, 1)
        said.addWidget(self.look_up)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(line)
        column.addLayout(said)

    def _guess_kind(self, text: str) -> None:
        if text.strip():
            self.kind.setCurrentIndex(self.kind.findData(likely_kind(text)))

    def _typed(self) -> Identity:
        return read_identity(self.chosen_game(), IdentityKind(self.kind.currentData()), self.text.text())

    def _say(self, text: str, *, warning: bool = False) -> None:
        self.message.set_role("warning" if warning else "text2")
        self.message.setText(text)
        self.text.setAccessibleDescription(text)

    def _add(self) -> None:
        if self.add.isEnabled():
            identity = self._typed()
            self.text.clear()
            self.add_wanted.emit(identity)
            self.text.setFocus()
        elif self._vanity and self.look_up.isEnabled():
            self._look_up()

    def _look_up(self) -> None:
        self.look_up.setEnabled(False)
        self._say(_("Asking Steam…"))
        self.look_up_wanted.emit(self._vanity)
