"""The page that lists watched folders."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QTreeWidgetItem, QVBoxLayout, QWidget

from browser_app.application.round_imports.folder_scan import WatchedFolderState
from browser_app.bridge.skill.folder_watcher import FOLDER_SCAN_INTERVAL_MS
from browser_app.catalogue.server_value_text import UNKNOWN_VALUE
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.ui.skill.sources.skill_source_text import ago_text
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.dialogs import EntryTree
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import abbreviated_path, plain_tool_tip

_PATH_ROLE = Qt.ItemDataRole.UserRole
_MAX_TOOLTIP_FILES = 20
"""Number of a folder's files that are named in its tooltip."""


class WatchedFoldersPage(QWidget):
    """List of watched folders.

    Signals:
        browse_requested: open a folder dialog.
        add_requested, remove_requested: a `Path`.
        column_mapping_requested: unmapped tables, as a list of `Path`.
    """

    browse_requested = Signal()
    add_requested = Signal(object)
    remove_requested = Signal(object)
    column_mapping_requested = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.tree = EntryTree(_("Watched folders"), (_("Folder"), _("Files"), _("Error")))
        self.status_label = Label(theme, role="text2", size=12)
        self.add_button = Button(theme, _("Add folder…"), accented=True)
        self.remove_button = Button(theme, _("Remove"), "close")
        self.suggestion_button = Button(theme)
        self.map_columns_button = Button(theme, _("Assign columns…"))
        self._suggestion: Path | None = None
        self._unmapped_tables: list[Path] = []
        self._set_up()
        self._build_layout()
        self.tree.currentItemChanged.connect(lambda: self.remove_button.setEnabled(self.selected_folder() is not None))
        self.add_button.clicked.connect(self.browse_requested)
        self.remove_button.clicked.connect(self._request_removal)
        self.map_columns_button.clicked.connect(lambda: self.column_mapping_requested.emit(self._unmapped_tables))
        self.suggestion_button.clicked.connect(lambda: self.add_requested.emit(self._suggestion))

    def show_folders(self, folders: Sequence[WatchedFolderState], last_checked: float | None) -> None:
        """Show these folders; `last_checked`: Unix time in seconds."""
        selected = self.selected_folder()
        self.tree.clear()
        for folder in folders:
            files = UNKNOWN_VALUE if folder.files is None else integer_text(folder.files)
            item = QTreeWidgetItem(self.tree, [abbreviated_path(folder.path), files, _problem_text(folder)])
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setForeground(2, QBrush(self._theme.palette.color("warning")))
            item.setToolTip(0, plain_tool_tip(str(folder.path)))
            problems = [folder.problem, *(path.name for path in folder.unmapped_tables), *folder.rejected]
            item.setToolTip(2, plain_tool_tip("\n".join(filter(None, problems[:_MAX_TOOLTIP_FILES]))))
            item.setData(0, _PATH_ROLE, folder.path)
            if folder.path == selected:
                self.tree.setCurrentItem(item)
        self.tree.fit_columns()
        self._unmapped_tables = [path for folder in folders for path in folder.unmapped_tables]
        self.map_columns_button.setVisible(bool(self._unmapped_tables))
        words = _checked_text(last_checked) if last_checked else ""
        self.status_label.setText(words if folders else _("No folders watched."))
        self.remove_button.setEnabled(self.selected_folder() is not None)
        self._update_suggestion()

    def suggest_folder(self, folder: Path | None) -> None:
        """Offer a folder that a game writes rounds to."""
        self._suggestion = folder
        self._update_suggestion()

    def selected_folder(self) -> Path | None:
        """Return the selected folder."""
        item = self.tree.currentItem()
        found = item.data(0, _PATH_ROLE) if item is not None else None
        return found if isinstance(found, Path) else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove the selected folder with Delete."""
        if event.key() == Qt.Key.Key_Delete:
            self._request_removal()
        else:
            super().keyPressEvent(event)

    def _update_suggestion(self) -> None:
        items = (self.tree.topLevelItem(index) for index in range(self.tree.topLevelItemCount()))
        watched = {item.data(0, _PATH_ROLE) for item in items if item is not None}
        if self._suggestion is not None:
            self.suggestion_button.setText(_("Watch NS2+ rounds"))
            self.suggestion_button.setToolTip(plain_tool_tip(str(self._suggestion)))
            self.suggestion_button.updateGeometry()
        self.suggestion_button.setVisible(self._suggestion is not None and self._suggestion not in watched)

    def _set_up(self) -> None:
        self.tree.headerItem().setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.suggestion_button.hide()
        self.map_columns_button.hide()

    def _build_layout(self) -> None:
        about = _(
            "New round files in these folders are imported automatically. Files are never changed; an "
            "invalid file is rejected as a whole."
        )
        note = Label(self._theme, about, role="text2", size=12, wraps=True)
        actions = (self.add_button, self.suggestion_button, self.map_columns_button, self.remove_button)
        buttons = fill_box(QHBoxLayout(), *actions, Stretch())
        fill_box(QVBoxLayout(self), note, Stretch(self.tree), self.status_label, buttons)

    def _request_removal(self) -> None:
        folder = self.selected_folder()
        if folder is not None:
            self.remove_requested.emit(folder)


def _checked_text(last_checked: float) -> str:
    words = _("Checked {ago}; repeats every {n} s.")
    return words.format(ago=ago_text(last_checked), n=FOLDER_SCAN_INTERVAL_MS // 1000)


def _problem_text(folder: WatchedFolderState) -> str:
    if folder.problem:
        return folder.problem
    waiting, rejected = len(folder.unmapped_tables), len(folder.rejected)
    words = [
        ngettext("{n} table needs its columns assigned", "{n} tables need their columns assigned", waiting)
        if waiting
        else "",
        ngettext("{n} file rejected", "{n} files rejected", rejected) if rejected else "",
    ]
    return ", ".join(each.format(n=count) for each, count in zip(words, (waiting, rejected), strict=True) if each)
