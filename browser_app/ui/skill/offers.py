"""Somebody who may be the user, each with a button to say so."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from browser_app.language import gettext as _
from browser_app.player.identities import Identity
from browser_app.ui.controls import ElidedText, Text
from browser_app.ui.link_button import LinkButton
from browser_app.ui.texts import tool_tip
from browser_app.ui.theme import Theme

_ROW = 26


class Offer(NamedTuple):
    """One who may be the user, and why."""

    identity: Identity
    who: str
    why: str


class Offers(QWidget):
    """A line each; hidden where there is none.

    Signals:
        taken: the `Identity` of one that is the user.
    """

    taken = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._title = Text(theme, _("Is this you?"), role="text2", size=12)
        self.buttons: list[LinkButton] = []
        self._offers: tuple[Offer, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(0, 2)
        self._grid.setColumnStretch(1, 3)
        self._grid.addWidget(self._title, 0, 0, 1, 3)
        self.hide()

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Offer these and no others."""
        if tuple(offers) == self._offers:
            return
        self._offers = tuple(offers)
        self.buttons = []
        while self._grid.count() > 1:
            item = self._grid.takeAt(1)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row, offer in enumerate(offers, 1):
            self._add(row, offer)
        self.setVisible(bool(offers))

    def _add(self, row: int, offer: Offer) -> None:
        button = LinkButton(self._theme, _("This is me"))
        button.setAccessibleName(_("This is me: {who}").format(who=offer.who))
        button.setToolTip(tool_tip(offer.identity.value))
        button.clicked.connect(lambda: self.taken.emit(offer.identity))
        self._grid.addWidget(ElidedText(self._theme, offer.who), row, 0)
        self._grid.addWidget(ElidedText(self._theme, offer.why, role="text2", size=12), row, 1)
        self._grid.addWidget(button, row, 2)
        self._grid.setRowMinimumHeight(row, _ROW)
        self.buttons.append(button)
