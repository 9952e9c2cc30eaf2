"""Who I am: the identities in each game, to add and to remove, and those that may be the user's too."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from browser_app.language import gettext as _
from browser_app.player.identities import Identity, IdentityError, IdentityKind, VanityName
from browser_app.storage.kept import Kept
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.dialog import SizedDialog
from browser_app.ui.link_button import LinkButton
from browser_app.ui.skill.identity_words import kind_title, likely_kind, read_identity
from browser_app.ui.skill.offers import Offer, Offers
from browser_app.ui.theme import Theme

_IDENTITY = Qt.ItemDataRole.UserRole


class WhoDialog(SizedDialog):
    """Shows who the user is; says what is to be changed.

    Signals:
        add_wanted, remove_wanted: an `Identity`.
        look_up_wanted: the chosen part of a profile's address; the answer is for `show_account` or `show_problem`.
        game_chosen: id of the game that new identities are for.
    """

    add_wanted = Signal(object)
    remove_wanted = Signal(object)
    look_up_wanted = Signal(str)
    game_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget, kept: Kept, games: Mapping[str, str], game: str) -> None:
        """`games`: names by id; `game`: the one that is chosen at first."""
        super().__init__(theme, parent, kept, "who I am", _("Who I am"), QSize(620, 520))
        self._games = games
        self._identities: tuple[Identity, ...] = ()
        self._vanity = ""
        self.game = QComboBox()
        self.kind = QComboBox()
        self.field = QLineEdit()
        self.add = Button(theme, _("Add"), accented=True)
        self.message = Text(theme, role="text2", size=12)
        self.look_up = LinkButton(theme, _("Ask Steam"))
        self.tree = QTreeWidget()
        self.offers = Offers(theme)
        self.remove = Button(theme, _("Remove"), "close")
        self.close_button = Button(theme, _("Close"))
        self._set_up(game)
        self._lay_out()
        self._connect()
        self._check()
        self.field.setFocus()

    def chosen_game(self) -> str:
        """Id of the game that new identities are for."""
        return str(self.game.currentData())

    def show_identities(self, identities: Sequence[Identity]) -> None:
        """Show these, by game; the chosen one stays chosen."""
        chosen = self.chosen()
        self._identities = tuple(identities)
        self.tree.clear()
        for game in dict.fromkeys(each.game for each in identities):
            own = [each for each in identities if each.game == game]
            title = QTreeWidgetItem(self.tree, [f"{self._games.get(game, game)} ({len(own)})"])
            title.setFlags(Qt.ItemFlag.ItemIsEnabled)
            title.setExpanded(True)
            for identity in own:
                item = QTreeWidgetItem(title, [identity.value, kind_title(identity.kind)])
                item.setData(0, _IDENTITY, identity)
                if identity == chosen:
                    self.tree.setCurrentItem(item)
        self.tree.setAccessibleDescription("" if identities else _("Nobody yet"))
        self._check()

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Offer those that are not yet among the identities."""
        self.offers.show_offers([offer for offer in offers if offer.identity not in self._identities])

    def show_account(self, name: str, account: str) -> None:
        """Steam says whose address it is."""
        if name == self._vanity:
            self.kind.setCurrentIndex(self.kind.findData(IdentityKind.STEAM))
            self.field.setText(account)
            self._say(_("“{name}” is the account {account}.").format(name=name, account=account))
            self.add.setFocus()

    def show_problem(self, name: str, why: str) -> None:
        """Steam does not say whose address it is."""
        if name == self._vanity:
            self.look_up.setEnabled(True)
            self._say(why, warning=True)

    def chosen(self) -> Identity | None:
        """The identity in the current line."""
        item = self.tree.currentItem()
        found = item.data(0, _IDENTITY) if item is not None else None
        return found if isinstance(found, Identity) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes the chosen identity away."""
        if event.key() == Qt.Key.Key_Delete and self.tree.hasFocus():
            self._remove()
        else:
            super().keyPressEvent(event)

    def _set_up(self, game: str) -> None:
        for ident, name in sorted(self._games.items(), key=lambda each: each[1].casefold()):
            self.game.addItem(name, ident)
        self.game.setCurrentIndex(max(0, self.game.findData(game)))
        self.game.setAccessibleName(_("Game"))
        for kind in IdentityKind:
            self.kind.addItem(kind_title(kind), kind)
        self.kind.setAccessibleName(_("What it is"))
        self.field.setPlaceholderText(_("Steam id, profile address, fingerprint, or a name with * and ?"))
        self.field.setAccessibleName(_("Steam id, fingerprint or name of yours"))
        self.message.setWordWrap(True)
        self.look_up.hide()
        self.tree.setHeaderLabels([_("Known as"), _("What it is")])
        self.tree.setAccessibleName(_("Who I am, by game"))
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.setColumnWidth(0, 390)

    def _lay_out(self) -> None:
        about = _(
            "Rounds count as yours where one of these was on a team. Nothing of it leaves this machine"
            " unless you switch a source on that needs it."
        )
        note = Text(self._theme, about, role="text2", size=12)
        note.setWordWrap(True)
        adding, said, below = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for row in (adding, said, below):
            row.setSpacing(8)
        adding.addWidget(self.game)
        adding.addWidget(self.field, 1)
        adding.addWidget(self.kind)
        adding.addWidget(self.add)
        said.addWidget(self.message, 1)
        said.addWidget(self.look_up)
        below.addWidget(self.remove)
        below.addStretch(1)
        below.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(note)
        column.addLayout(adding)
        column.addLayout(said)
        column.addWidget(self.tree, 1)
        column.addWidget(self.offers)
        column.addLayout(below)

    def _connect(self) -> None:
        self.field.textChanged.connect(self._guess_kind)
        self.field.textChanged.connect(self._check)
        self.kind.currentIndexChanged.connect(self._check)
        self.game.currentIndexChanged.connect(lambda _place: self.game_chosen.emit(self.chosen_game()))
        self.game.currentIndexChanged.connect(self._check)
        self.field.returnPressed.connect(self._add)
        self.add.clicked.connect(self._add)
        self.look_up.clicked.connect(self._look_up)
        self.remove.clicked.connect(self._remove)
        self.tree.currentItemChanged.connect(lambda: self.remove.setEnabled(self.chosen() is not None))
        self.offers.taken.connect(self.add_wanted)
        self.close_button.clicked.connect(self.accept)

    def _guess_kind(self, text: str) -> None:
        if text.strip():
            self.kind.setCurrentIndex(self.kind.findData(likely_kind(text)))

    def _typed(self) -> Identity:
        return read_identity(self.chosen_game(), IdentityKind(self.kind.currentData()), self.field.text())

    def _check(self) -> None:
        """Say what the text is read as, or what is wrong with it."""
        problem, self._vanity, fits = "", "", False
        if self.field.text().strip():
            try:
                identity = self._typed()
                fits = identity not in self._identities
                problem = "" if fits else _("That is known already.")
            except VanityName as error:
                problem, self._vanity = str(error), error.name
            except IdentityError as error:
                problem = str(error)
        self.add.setEnabled(fits)
        self.look_up.setVisible(bool(self._vanity))
        self.look_up.setEnabled(True)
        self._say(problem, warning=bool(problem) and not self._vanity)
        self.remove.setEnabled(self.chosen() is not None)

    def _say(self, text: str, *, warning: bool = False) -> None:
        self.message.set_role("warning" if warning else "text2")
        self.message.setText(text)
        self.field.setAccessibleDescription(text)

    def _add(self) -> None:
        if self.add.isEnabled():
            identity = self._typed()
            self.field.clear()
            self.add_wanted.emit(identity)
            self.field.setFocus()
        elif self._vanity and self.look_up.isEnabled():
            self._look_up()

    def _look_up(self) -> None:
        self.look_up.setEnabled(False)
        self._say(_("Asking Steam…"))
        self.look_up_wanted.emit(self._vanity)

    def _remove(self) -> None:
        identity = self.chosen()
        if identity is not None:
            self.remove_wanted.emit(identity)
