"""Completion of filter expressions, and its popup list."""

import re
from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, QStringListModel, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QStyledItemDelegate, QStyleOptionViewItem

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.server_filter import FILTER_FIELDS
from browser_app.games.game_profile import GameProfile
from browser_app.storage.lists.friend_store import FRIEND_GROUPS
from browser_app.ui.widgets.sorted_table_model import ModelIndex
from browser_app.ui.widgets.theme import Theme

MAX_SUGGESTIONS = 12
_TOKEN = re.compile(r"""(?:[^\s()|"]|"[^"]*"?)*$""")
_UNQUOTED = re.compile(r"[^\s()|\",]+")
_YES_NO = ("yes", "no")


class FilterCompletion:
    """Suggests completions at the cursor of a filter expression."""

    def __init__(self, catalogue: Catalogue, games: Mapping[str, GameProfile], saved: Mapping[str, str]) -> None:
        self._catalogue, self._games, self._saved = catalogue, games, saved

    def suggest(self, text: str, cursor: int) -> tuple[int, list[tuple[str, str]]]:
        """Return the start of the current word, and suggestions for it.

        Each is a pair of shown and inserted text.
        """
        match = _TOKEN.search(text[:cursor])
        start = match.start() if match else cursor
        token = text[start:cursor]
        start += len(token) - len(token.lstrip("-"))
        token = token.lstrip("-")
        name, colon, value = token.partition(":")
        if colon:
            begun = value.rpartition(",")[2]
            return cursor - len(begun), self._value_suggestions(name.casefold(), begun)
        return start, self._field_suggestions(token)

    def _field_suggestions(self, begun: str) -> list[tuple[str, str]]:
        if not begun:
            return []
        folded = begun.casefold()
        fields = [(name, f"{name}>=") for name in FILTER_FIELDS.numbers]
        fields += [(name, f"{name}:") for name in FILTER_FIELDS.texts]
        fields += [(name, name) for name in FILTER_FIELDS.flags if name not in FILTER_FIELDS.texts]
        fits = sorted((shown, written) for shown, written in fields if shown.startswith(folded) and shown != folded)
        saved = [(name, f"({text})") for name, text in self._saved.items() if name.casefold().startswith(folded)]
        return (fits + saved)[:MAX_SUGGESTIONS]

    def _value_suggestions(self, field: str, begun: str) -> list[tuple[str, str]]:
        folded = begun.strip('"').casefold()
        values = self._known_values(field)
        fits = [value for value in values if value.casefold().startswith(folded) and value.casefold() != folded]
        return [(value, _quoted_value(value)) for value in sorted(fits, key=str.casefold)[:MAX_SUGGESTIONS]]

    def _known_values(self, field: str) -> list[str]:
        if field in FILTER_FIELDS.flags:
            return [*_YES_NO, *(FRIEND_GROUPS if field == "friend" else ())]
        c = self._catalogue
        columns: Mapping[str, Callable[[], list[str]]] = {
            "map": lambda: list(c.map.pool),
            "mode": lambda: list({each.casefold(): each for each in (*c.mode.pool, *c.mode_name.pool)}.values()),
            "country": lambda: [code.lower() for code in c.country.pool],
            "version": lambda: list(c.version.pool),
            "game": lambda: [game for game in self._games if game in set(c.game.pool)],
        }
        values = columns[field]() if field in columns else []
        return [value for value in values if value and '"' not in value]


def _quoted_value(value: str) -> str:
    return value if _UNQUOTED.fullmatch(value) else f'"{value}"'


_LIST_KEYS = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Escape)
MIN_COMPLETION_WIDTH, COMPLETION_LINE_HEIGHT = 180, 24


class _CompletionDelegate(QStyledItemDelegate):
    """Qt's delegate with rows 24 px high."""

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:
        """Return the size of the text."""
        return QSize(super().sizeHint(option, index).width() + 8, COMPLETION_LINE_HEIGHT)


class FilterCompletionList(QListView):
    """The popup list of suggestions.

    It is a child of the window and never has the focus; the field passes its keys on: Down and Up select, Enter inserts
    the
    selected suggestion, Tab that or the first one, Esc closes.
    """

    def __init__(self, theme: Theme, edit: QLineEdit, completion: FilterCompletion) -> None:
        super().__init__(edit.window())
        self._theme, self._edit, self._completion = theme, edit, completion
        self._word_start = 0
        self._suggestions: list[tuple[str, str]] = []
        self._list_model = QStringListModel(self)
        self.setModel(self._list_model)
        self.setFont(theme.font(12))
        self.setFrameShape(QFrame.Shape.Box)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setUniformItemSizes(True)
        self.setItemDelegate(_CompletionDelegate(self))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(edit.accessibleName())
        self.clicked.connect(lambda index: self._insert_suggestion(index.row()))
        edit.textEdited.connect(self._update_suggestions)
        edit.installEventFilter(self)
        self.hide()

    @property
    def suggestions(self) -> list[str]:
        """The visible suggestions."""
        return [shown for shown, _written in self._suggestions] if self.isVisible() else []

    def _update_suggestions(self, text: str) -> None:
        self._word_start, self._suggestions = self._completion.suggest(text, self._edit.cursorPosition())
        self._list_model.setStringList([shown for shown, _written in self._suggestions])
        self.setVisible(bool(self._suggestions))
        if self._suggestions:
            self._place_list()

    def _place_list(self) -> None:
        window = self._edit.window()
        if self.parentWidget() is not window:
            self.setParent(window)
            self.show()
        corner = self._edit.mapTo(window, QPoint(0, self._edit.height() + 2))
        width = max(MIN_COMPLETION_WIDTH, self.sizeHintForColumn(0) + 12)
        self.setGeometry(corner.x(), corner.y(), width, COMPLETION_LINE_HEIGHT * len(self._suggestions) + 2)
        self.raise_()

    def _move_selection(self, step: int) -> None:
        row = self.currentIndex().row()
        to = (row + step) % len(self._suggestions) if row >= 0 else 0 if step > 0 else len(self._suggestions) - 1
        self.setCurrentIndex(self._list_model.index(to))
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._edit, self._suggestions[to][0]))

    def _insert_suggestion(self, row: int) -> None:
        written = self._suggestions[row][1]
        text, cursor = self._edit.text(), self._edit.cursorPosition()
        self.hide()
        self._edit.setText(text[: self._word_start] + written + text[cursor:])
        self._edit.setCursorPosition(self._word_start + len(written))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the field's keys while the list is open."""
        if watched is not self._edit or not self.isVisible():
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.FocusOut:
            self.hide()
        if isinstance(event, QKeyEvent) and event.key() in _LIST_KEYS and not event.modifiers():
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                return self._handle_key(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _handle_key(self, key: Qt.Key) -> bool:
        """Apply a key; return whether the list used it."""
        row = self.currentIndex().row()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._move_selection(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Tab or row >= 0:
            if key == Qt.Key.Key_Escape:
                self.hide()
            else:
                self._insert_suggestion(max(row, 0))
        else:
            self.hide()
            return key == Qt.Key.Key_Escape
        return True
