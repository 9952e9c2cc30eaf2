"""Who I am: the identities in each game, to add and to remove, and those that may be the user's too."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.player.identities import Identity
from browser_app.storage.kept import Kept
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.dialog import SizedDialog
from browser_app.ui.skill.identity_field import IdentityField
from browser_app.ui.skill.identity_words import kind_title
from browser_app.ui.skill.offers import Offer, Offers
from browser_app.ui.theme import Theme

_IDENTITY = Qt.ItemDataRole.UserRole
_VALUE_WIDTH = 390


class WhoDialog(SizedDialog):
    """Shows who the user is; says what is to be changed.

    Signals:
        add_wanted, remove_wanted: an `Identity`.
    """

    add_wanted = Signal(object)
    remove_wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget, kept: Kept, games: Mapping[str, str], game: str) -> None:
        """`games`: names by id; `game`: the one that is chosen at first."""
        super().__init__(theme, parent, kept, "who I am", _("Who I am"), QSize(640, 520))
        self._games = games
        self._identities: tuple[Identity, ...] = ()
        self.field = IdentityField(theme, games, game, lambda identity: identity in self._identities)
        self.tree = QTreeWidget()
        self.offers = Offers(theme)
        self.remove = Button(theme, _("Remove"), "close")
        self.close_button = Button(theme, _("Close"))
        self._lay_out()
        self.field.add_wanted.connect(self.add_wanted)
        self.offers.taken.connect(self.add_wanted)
        self.remove.clicked.connect(self._remove)
        self.tree.currentItemChanged.connect(lambda: self.remove.setEnabled(self.chosen() is not None))
        self.close_button.clicked.connect(self.accept)
        self.remove.setEnabled(False)
        self.field.text.setFocus()

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
        self.remove.setEnabled(self.chosen() is not None)
        self.field.check()

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Offer those that are not yet among the identities."""
        self.offers.show_offers([offer for offer in offers if offer.identity not in self._identities])

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

    def _lay_out(self) -> None:
        about = _(
            "Rounds count as yours where one of these was on a team. Nothing of it leaves this machine"
            " unless you switch a source on that needs it."
        )
        note = Text(self._theme, about, role="text2", size=12)
        note.setWordWrap(True)
        self.tree.setHeaderLabels([_("Known as"), _("What it is")])
        self.tree.setAccessibleName(_("Who I am, by game"))
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.setColumnWidth(0, _VALUE_WIDTH)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self.remove)
        below.addStretch(1)
        below.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(note)
        column.addWidget(self.field)
        column.addWidget(self.tree, 1)
        column.addWidget(self.offers)
        column.addLayout(below)

    def _remove(self) -> None:
        identity = self.chosen()
        if identity is not None:
            self.remove_wanted.emit(identity)
