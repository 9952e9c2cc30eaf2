"""Dialog to choose what to import into the user's lists."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.storage.importers.imported_server import ServerListKind
from browser_app.storage.importers.list_file_places import STEAM_SOURCE
from browser_app.storage.importers.server_list_files import ServerListContent
from browser_app.storage.user_lists.lists_file import ExportedLists
from browser_app.ui.widgets.basic_widgets import Button, ElidedLabel, Label
from browser_app.ui.widgets.box_layouts import set_margins
from browser_app.ui.widgets.dialogs import ThemedDialog, create_button_row
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import abbreviated_path

IMPORT_DIALOG_WIDTH, IMPORT_LIST_HEIGHT = 480, 220
MAX_SHOWN_PROBLEMS = 50
_PROBLEM_INDENT = 24
"""Aligns with the text of a check box."""


class ImportLine(NamedTuple):
    """One thing that can be imported."""

    text: str
    location: str = ""
    """Where it comes from, in small print; empty for none."""


class ListImportDialog(ThemedDialog):
    """Shows lines to import once they are known, and problems below them.

    Signals:
        import_requested: positions of the checked lines.
    """

    import_requested = Signal(list)

    def __init__(self, theme: Theme, parent: QWidget, title: str, about: str) -> None:
        """Create the dialog; `about` is shown until `show_lines`."""
        super().__init__(theme, parent, title)
        self.about_label = Label(theme, about, role="text2", wraps=True)
        self.check_boxes: list[QCheckBox] = []
        self._lines_layout = QVBoxLayout()
        set_margins(self._lines_layout, 0, 0, 8, 0)
        self._lines_layout.setSpacing(2)
        self.import_button = Button(theme, _("Import"), accented=True)
        self.cancel_button = Button(theme, _("Cancel"))
        self._build_layout()
        self.import_button.setEnabled(False)
        self.import_button.clicked.connect(self._request_import)
        self.cancel_button.clicked.connect(self.reject)

    def _build_layout(self) -> None:
        container = QWidget()
        container.setLayout(self._lines_layout)
        self._scroll_area = QScrollArea()
        self._scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll_area.setWidgetResizable(True)
        self._scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll_area.setWidget(container)
        self._scroll_area.viewport().setAutoFillBackground(False)
        container.setAutoFillBackground(False)
        self._scroll_area.setAccessibleName(_("Found entries"))
        self._scroll_area.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self.about_label)
        column.addWidget(self._scroll_area, 1)
        column.addLayout(create_button_row((), (self.cancel_button, self.import_button)))
        self.setFixedWidth(IMPORT_DIALOG_WIDTH)

    def show_lines(self, about: str, lines: Sequence[ImportLine], problems: Sequence[str]) -> None:
        """Show the lines, all checked; called once."""
        self.about_label.setText(about)
        for line in lines:
            box = QCheckBox(line.text)
            box.setChecked(True)
            box.setAccessibleDescription(line.location)
            box.toggled.connect(self._update_button)
            self.check_boxes.append(box)
            self._lines_layout.addWidget(box)
            if line.location:
                self._add_note(line.location, "text2")
        for problem in problems[:MAX_SHOWN_PROBLEMS]:
            self._add_note(problem, "warning")
        if len(problems) > MAX_SHOWN_PROBLEMS:
            more = len(problems) - MAX_SHOWN_PROBLEMS
            self._add_note(ngettext("and {n} more", "and {n} more", more).format(n=more), "warning")
        self._lines_layout.addStretch(1)
        self._scroll_area.setVisible(bool(lines or problems))
        self._update_button()
        self._scroll_area.setFixedHeight(min(IMPORT_LIST_HEIGHT, self._lines_layout.sizeHint().height()))
        self.adjustSize()
        if self.check_boxes:
            self._scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # scrolling follows the focused check box
            self.import_button.setFocus()
        else:
            self.import_button.hide()
            self.cancel_button.setText(_("Close"))

    def _add_note(self, words: str, role: str) -> None:
        row = QHBoxLayout()
        set_margins(row, _PROBLEM_INDENT if role == "text2" else 0, 0, 0, 6)
        row.addWidget(ElidedLabel(self._theme, words, role=role, size=12))
        self._lines_layout.addLayout(row)

    def _update_button(self) -> None:
        self.import_button.setEnabled(any(box.isChecked() for box in self.check_boxes))

    def _request_import(self) -> None:
        self.import_requested.emit([place for place, box in enumerate(self.check_boxes) if box.isChecked()])
        self.accept()


def found_file_line(games: Mapping[str, GameProfile], file: ServerListContent) -> ImportLine:
    """Return a line such as `Xonotic: 9 favourites, 2 visits`, with the file."""
    counts = Counter(server.list_kind for server in file.servers)
    favourites, played, blocked = (
        counts[kind] for kind in (ServerListKind.FAVOURITE, ServerListKind.PLAYED, ServerListKind.BLOCKED)
    )
    parts = [server_counts_text(favourites, played, blocked), _keys_text(len(file.keys)) if file.keys else ""]
    owner = "Steam" if file.source == STEAM_SOURCE else games[file.source].name
    return ImportLine(f"{owner}: {', '.join(filter(None, parts))}", abbreviated_path(file.path))


def server_counts_text(favourites: int, visits: int, blocked: int) -> str:
    """Return a text such as `9 favourites, 2 visits` that leaves out zeros."""
    texts = (
        (ngettext("{n} favourite", "{n} favourites", favourites), favourites),
        (ngettext("{n} visit", "{n} visits", visits), visits),
        (ngettext("{n} blocked server", "{n} blocked servers", blocked), blocked),
    )
    return ", ".join(text.format(n=count) for text, count in texts if count)


def _keys_text(keys: int) -> str:
    return ngettext(
        "{n} favourite by key, matched when it answers", "{n} favourites by key, matched when they answer", keys
    ).format(n=keys)


def import_list_lines(lists: ExportedLists) -> list[tuple[str, str]]:
    """Return a line for each list that is not empty, by its name in `ExportedLists`."""
    n = {field.name: len(getattr(lists, field.name)) for field in fields(lists)}
    words = {
        "favourites": ngettext("{n} favourite", "{n} favourites", n["favourites"]),
        "favourite_keys": _keys_text(n["favourite_keys"]),
        "notes": ngettext("{n} note", "{n} notes", n["notes"]),
        "blocked": ngettext("{n} blocked server", "{n} blocked servers", n["blocked"]),
        "friends": ngettext("{n} friend", "{n} friends", n["friends"]),
        "countries": ngettext("{n} corrected country", "{n} corrected countries", n["countries"]),
        "saved_filters": ngettext("{n} saved filter", "{n} saved filters", n["saved_filters"]),
        "alerts": ngettext("{n} alert", "{n} alerts", n["alerts"]),
        "saved_list_servers": ngettext(
            "{n} server of a saved list", "{n} servers of saved lists", n["saved_list_servers"]
        ),
    }
    return [(key, text.format(n=n[key])) for key, text in words.items() if n[key]]
