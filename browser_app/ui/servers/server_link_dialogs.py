"""Dialogs to add a server by address and to open a server link."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QTreeWidgetItem, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.protocols.server_link import MAX_LINK_LENGTH, ServerLink, parse_server_text
from browser_app.ui.widgets.basic_widgets import Button, ElidedLabel, Label
from browser_app.ui.widgets.dialogs import EntryTree, FieldDialog, ThemedDialog, create_button_row
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import join_sentences

LINK_DIALOG_WIDTH = 440


class ServerLinkDialog(ThemedDialog):
    """The dialog of a server link.

    Enter closes it, so that a link that opens while the user is typing joins nothing.

    Signals:
        query_requested: the user wants the server to be queried.
        join_requested: the user wants to join the server.
        favourite_requested: the user wants to add it to the favourites.
    """

    query_requested = Signal()
    join_requested = Signal()
    favourite_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget, address: str) -> None:
        """Create the dialog; nothing is known but the server's address."""
        super().__init__(theme, parent, _("Open server link"))
        self.name_label = ElidedLabel(theme, address, size=15, weight=QFont.Weight.DemiBold)
        self.address_label = ElidedLabel(theme, address, role="text2", size=12)
        self.state_label = Label(theme, _("This server has not been contacted yet."), role="text2", wraps=True)
        self.query_button = Button(theme, _("Contact the server"), "refresh")
        self.join_button = Button(theme, _("Join"), "play")
        self.favourite_button = Button(theme, _("Add to favourites"), "star")
        self.close_button = Button(theme, _("Close"))
        self._build_layout()
        for button in (self.join_button, self.favourite_button):
            button.setEnabled(False)
        self.join_button.clicked.connect(self.accept)
        self.join_button.clicked.connect(self.join_requested)
        self.favourite_button.clicked.connect(self._request_favourite)
        self.query_button.clicked.connect(self.query_requested)
        self.close_button.clicked.connect(self.reject)
        self.close_button.setFocus()

    def _build_layout(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(4)
        for widget in (self.name_label, self.address_label):
            column.addWidget(widget)
        column.addSpacing(4)
        column.addWidget(self.state_label)
        column.addSpacing(12)
        left = (self.query_button, self.favourite_button)
        column.addLayout(create_button_row(left, (self.join_button, self.close_button)))
        self.favourite_button.hide()
        self.setFixedWidth(LINK_DIALOG_WIDTH)

    def show_contacting(self) -> None:
        """Show that the server is being queried."""
        self.query_button.hide()
        self.favourite_button.show()
        self.close_button.setFocus()
        self.state_label.setText(_("Contacting the server…"))

    def show_server(self, name: str, where: str, state: str, *, joinable: bool, favourite: bool) -> None:
        """Show the server; `joinable` if it answered."""
        self.name_label.setText(name)
        self.address_label.setText(where)
        self.state_label.setText(state)
        self.join_button.setEnabled(joinable)
        self.favourite_button.setEnabled(not favourite)
        if favourite:
            self.favourite_button.setText(_("In favourites"))

    def show_problem(self, state: str) -> None:
        """Show that the server was not found."""
        self.state_label.setText(state)

    def _request_favourite(self) -> None:
        self.favourite_button.setEnabled(False)
        self.favourite_button.setText(_("In favourites"))
        self.favourite_requested.emit()


ADDRESS_DIALOG_WIDTH, ADDRESS_FIELD_HEIGHT = 440, 32
PENDING_LIST_HEIGHT = 120
_LINK_ROLE = Qt.ItemDataRole.UserRole


class PendingServersPanel(QWidget):
    """The list of added servers that have not been found.

    It has a button to remove them and is hidden while it is empty.

    Signals:
        remove_requested: the `ServerLink`s of the servers to remove.
    """

    remove_requested = Signal(list)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        title = _("Not found yet, tried again at each refresh")
        self.tree = EntryTree(title, (_("Server"), _("Reason")))
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.setFixedHeight(PENDING_LIST_HEIGHT)
        self.remove_button = Button(theme, _("Remove"), "close")
        self.tree.itemSelectionChanged.connect(self._update_button)
        self.remove_button.clicked.connect(lambda: self.remove_requested.emit(self._selected_links()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        for widget in (Label(theme, title, role="text2", size=12), self.tree):
            column.addWidget(widget)
        column.addLayout(create_button_row((self.remove_button,), ()))
        self.show_servers(())

    def show_servers(self, servers: Sequence[tuple[ServerLink, str]]) -> None:
        """Show servers with the reasons why they were not found."""
        self.tree.clear()
        for link, reason in servers:
            item = QTreeWidgetItem(self.tree, [str(link.address), reason])
            item.setData(0, _LINK_ROLE, link)
            item.setToolTip(1, reason)
        self.tree.fit_columns()
        self.setVisible(bool(servers))
        self._update_button()

    def _selected_links(self) -> list[ServerLink]:
        return [item.data(0, _LINK_ROLE) for item in self.tree.selectedItems()]

    def _update_button(self) -> None:
        self.remove_button.setEnabled(bool(self.tree.selectedItems()))


class AddServerDialog(FieldDialog):
    """A dialog for an address, which is parsed while the user types.

    Signals:
        server_entered: the `ServerLink`, and whether to add the server to the favourites.
        remove_requested: the `ServerLink`s of servers that are not to be searched for any longer.
    """

    server_entered = Signal(object, bool)
    remove_requested = Signal(list)

    def __init__(self, theme: Theme, parent: QWidget, text: str, hint: str = "") -> None:
        """Create the dialog.

        Args:
            theme: colours and fonts.
            parent: the window it belongs to.
            text: the field's initial content.
            hint: sentences about it, shown in place of the accepted forms.
        """
        super().__init__(theme, parent, _("Add a server"), Button(theme, _("Add"), accented=True))
        self._link: ServerLink | None = None
        self.field.setText(text.strip()[:MAX_LINK_LENGTH])
        self.field.setAccessibleName(_("Address of the server"))
        self.field.setPlaceholderText("192.0.2.7:27015")
        self.field.setMinimumHeight(ADDRESS_FIELD_HEIGHT)
        self.message_label.setMinimumHeight(32)
        self.message_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.favourite_box = QCheckBox(_("Add to favourites"))
        self.favourite_box.setChecked(True)
        self.pending_panel = PendingServersPanel(theme)
        self.pending_panel.remove_requested.connect(self.remove_requested)
        about = Label(
            theme,
            hint
            or _("HOST:PORT, a steam://connect or quake3:// link, or a line such as connect HOST:PORT; password …"),
            role="text2",
            size=12,
        )
        self.build_layout(about, ADDRESS_DIALOG_WIDTH, self.favourite_box, self.pending_panel)

    def show_pending(self, servers: Sequence[tuple[ServerLink, str]]) -> None:
        """Show the added servers that have not been found, with the reasons."""
        self.pending_panel.show_servers(servers)
        self.adjustSize()

    def check_text(self, text: str) -> None:
        """Parse the address and show what was understood."""
        try:
            self._link = parse_server_text(text)
            self.show_message(_link_text(self._link), "text2")
        except ValueError as error:
            self._link = None
            self.show_message(str(error) if text.strip() else "")
        self.confirm_button.setEnabled(self._link is not None)

    def emit_result(self) -> None:
        """Emit the server."""
        self.server_entered.emit(self._link, self.favourite_box.isChecked())


def _link_text(link: ServerLink) -> str:
    """Return what was understood from a link."""
    protocol = link.protocol or _("protocol detected automatically")
    text = _("{address}, {protocol}.").format(address=link.address, protocol=protocol)
    return join_sentences(text, _("The password is used for the next join only.") if link.password else "")
