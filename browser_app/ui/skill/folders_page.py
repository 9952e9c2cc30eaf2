"""The watched folders: add, remove, and how each stands."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from browser_app.bridge.skill.folder_look import FolderState
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.controls import Button, Text
from browser_app.ui.exchange_words import short_path
from browser_app.ui.skill.source_words import ago_words
from browser_app.ui.texts import UNKNOWN, thousands, tool_tip
from browser_app.ui.theme import Theme

_PATH = Qt.ItemDataRole.UserRole
_MOST_TOLD = 20
"""So many files of a folder are named in its tool tip."""


class FoldersPage(QWidget):
    """Shows the folders; says what the user wants changed.

    Signals:
        choose_wanted: the user wants to look for a folder.
        add_wanted, remove_wanted: a `Path`.
        tables_wanted: the tables that wait, as a list of `Path`: the user wants to say which column is which.
    """

    choose_wanted = Signal()
    add_wanted = Signal(object)
    remove_wanted = Signal(object)
    tables_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.tree = QTreeWidget()
        self.state = Text(theme, role="text2", size=12)
        self.add = Button(theme, _("Add a folder…"), accented=True)
        self.remove = Button(theme, _("Remove"), "close")
        self.proposed = Button(theme)
        self.name = Button(theme, _("Name the columns…"))
        self._proposal: Path | None = None
        self._waiting: list[Path] = []
        self._set_up()
        self._lay_out()
        self.tree.currentItemChanged.connect(lambda: self.remove.setEnabled(self.chosen() is not None))
        self.add.clicked.connect(self.choose_wanted)
        self.remove.clicked.connect(self._remove)
        self.name.clicked.connect(lambda: self.tables_wanted.emit(self._waiting))
        self.proposed.clicked.connect(lambda: self.add_wanted.emit(self._proposal))

    def show_folders(self, folders: Sequence[FolderState], looked_at: float | None) -> None:
        """Show these; `looked_at`: when (Unix time, s)."""
        chosen = self.chosen()
        self.tree.clear()
        for folder in folders:
            files = UNKNOWN if folder.files is None else thousands(folder.files)
            item = QTreeWidgetItem(self.tree, [short_path(folder.path), files, _trouble(folder)])
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setForeground(2, QBrush(self._theme.palette.color("warning")))
            item.setToolTip(0, tool_tip(str(folder.path)))
            told = [folder.problem, *(path.name for path in folder.waiting), *folder.refused]
            item.setToolTip(2, tool_tip("\n".join(filter(None, told[:_MOST_TOLD]))))
            item.setData(0, _PATH, folder.path)
            if folder.path == chosen:
                self.tree.setCurrentItem(item)
        self._waiting = [path for folder in folders for path in folder.waiting]
        self.name.setVisible(bool(self._waiting))
        words = _("Looked at {ago}; again every 30 s.").format(ago=ago_words(looked_at)) if looked_at else ""
        self.state.setText(words if folders else _("No folder is watched."))
        self.remove.setEnabled(self.chosen() is not None)
        self._show_proposal()

    def propose(self, folder: Path | None) -> None:
        """Offer a folder that a game has made."""
        self._proposal = folder
        self._show_proposal()

    def chosen(self) -> Path | None:
        """The folder in the current line."""
        item = self.tree.currentItem()
        found = item.data(0, _PATH) if item is not None else None
        return found if isinstance(found, Path) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes the chosen folder away."""
        if event.key() == Qt.Key.Key_Delete:
            self._remove()
        else:
            super().keyPressEvent(event)

    def _show_proposal(self) -> None:
        items = (self.tree.topLevelItem(place) for place in range(self.tree.topLevelItemCount()))
        watched = {item.data(0, _PATH) for item in items if item is not None}
        if self._proposal is not None:
            self.proposed.setText(_("Watch the rounds of NS2+"))
            self.proposed.setToolTip(tool_tip(str(self._proposal)))
            self.proposed.updateGeometry()
        self.proposed.setVisible(self._proposal is not None and self._proposal not in watched)

    def _set_up(self) -> None:
        self.tree.setHeaderLabels([_("Folder"), _("Files"), _("What went wrong")])
        self.tree.setAccessibleName(_("Watched folders"))
        self.tree.setRootIsDecorated(False)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.setColumnWidth(0, 280)
        self.tree.setColumnWidth(1, 70)
        self.proposed.hide()
        self.name.hide()

    def _lay_out(self) -> None:
        about = _(
            "New files of rounds in these folders are taken into your record by themselves. The files are read,"
            " never changed; a file that is half bad is refused whole."
        )
        note = Text(self._theme, about, role="text2", size=12)
        note.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.add, self.proposed, self.name, self.remove):
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(note)
        column.addWidget(self.tree, 1)
        column.addWidget(self.state)
        column.addLayout(buttons)

    def _remove(self) -> None:
        folder = self.chosen()
        if folder is not None:
            self.remove_wanted.emit(folder)


def _trouble(folder: FolderState) -> str:
    if folder.problem:
        return folder.problem
    waiting, refused = len(folder.waiting), len(folder.refused)
    words = [
        ngettext("{n} table waits for names of its columns", "{n} tables wait for names of their columns", waiting)
        if waiting
        else "",
        ngettext("{n} file was refused", "{n} files were refused", refused) if refused else "",
    ]
    return ", ".join(each.format(n=count) for each, count in zip(words, (waiting, refused), strict=True) if each)
