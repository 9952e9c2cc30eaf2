"""Dialog of a link to a list of servers: what it holds, and what to do with it."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QTreeWidgetItem, QVBoxLayout, QWidget

from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.protocols.list_link import SharedServer
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.dialogs import EntryTree, ThemedDialog, create_button_row
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import join_sentences

SHARED_LIST_DIALOG_WIDTH, SHARED_LIST_HEIGHT = 560, 240


class SharedListDialog(ThemedDialog):
    """The servers of a link.

    Nothing is queried or stored before a button is pressed; Enter closes the dialog, as links may open at any time.

    Signals:
        show_requested: show the servers in the list.
        save_requested: show them, and save the list.
        favourites_requested: add them to the favourites.
    """

    show_requested = Signal()
    save_requested = Signal()
    favourites_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        servers: Sequence[SharedServer],
        left_out: int,
        games: Mapping[str, GameProfile],
    ) -> None:
        """Create the dialog; `left_out` servers of the link cannot be reached from here."""
        super().__init__(theme, parent, _("Open server list"))
        self.about_label = Label(theme, _about_text(len(servers), left_out), wraps=True)
        self.tree = EntryTree(_("Servers"), (_("Name in the link"), _("Game"), _("Address")))
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.tree.setFixedHeight(SHARED_LIST_HEIGHT)
        for server in servers:
            game = games.get(server.game or "")
            QTreeWidgetItem(self.tree, [server.name, game.name if game else "", server.url])
        self.tree.fit_columns()
        self.favourites_button = Button(theme, _("Add to favourites"), "star")
        self.save_button = Button(theme, _("Save as a list…"))
        self.show_button = Button(theme, _("Show once"))
        self.close_button = Button(theme, _("Close"))
        for button, signal in (
            (self.favourites_button, self.favourites_requested),
            (self.save_button, self.save_requested),
            (self.show_button, self.show_requested),
        ):
            button.setEnabled(bool(servers))
            button.clicked.connect(self.accept)
            button.clicked.connect(signal)
        self.close_button.clicked.connect(self.reject)
        self._build_layout()
        self.close_button.setFocus()

    def _build_layout(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        for widget in (self.about_label, self.tree):
            column.addWidget(widget)
        actions = (self.favourites_button, self.save_button, self.show_button)
        column.addLayout(create_button_row(actions, (self.close_button,)))
        self.setFixedWidth(max(SHARED_LIST_DIALOG_WIDTH, column.minimumSize().width()))


def _about_text(count: int, left_out: int) -> str:
    held = ngettext("The link names {n} server.", "The link names {n} servers.", count).format(n=count)
    omitted = ngettext(
        "{n} more on a private network is left out.", "{n} more on a private network are left out.", left_out
    )
    nothing_yet = _("Nothing is queried or saved before you choose.") if count else ""
    return join_sentences(join_sentences(held, omitted.format(n=left_out) if left_out else ""), nothing_yet)
