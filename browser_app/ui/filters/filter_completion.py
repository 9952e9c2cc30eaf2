"""Completion of filter expressions, and its popup list."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.filters.filter_fields import FIELD_MEANINGS, FLAG_FIELDS
from browser_app.catalogue.filters.server_filter import FILTER_FIELDS
from browser_app.catalogue.places.languages import language_name
from browser_app.catalogue.places.regions import REGION_NAMES
from browser_app.catalogue.text_column import TextColumn
from browser_app.games.game_profile import GameProfile
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.storage.user_lists.friend_store import FRIEND_GROUPS
from browser_app.ui.widgets.accessibility import announce
from browser_app.ui.widgets.basic_widgets import draw_elided_text
from browser_app.ui.widgets.tables.painted_list_model import PaintedListModel, set_up_painted_list
from browser_app.ui.widgets.tables.sorted_table_model import ModelIndex
from browser_app.ui.widgets.theme import Theme

MAX_SUGGESTIONS = 12
_MIN_GAME_PREFIX = 2
_TOKEN = re.compile(r"""(?:[^\s()|"]|"[^"]*"?)*$""")
_UNQUOTED = re.compile(r"[^\s()|\",]+")
_YES_NO = {"yes": True, "no": False}


class FilterSuggestion(NamedTuple):
    """A suggestion for the word at the cursor."""

    title: str
    """The word as it is shown."""
    expression: str
    """What is inserted."""
    meaning: str = ""
    server_count: int | None = None
    """Servers that have the property or value; None for other suggestions."""

    @property
    def count_text(self) -> str:
        """The number of servers as text."""
        return "" if self.server_count is None else integer_text(self.server_count)

    @property
    def accessible_text(self) -> str:
        """The suggestion as one text."""
        count = self.server_count
        servers = "" if count is None else ngettext("{n} server", "{n} servers", count).format(n=self.count_text)
        return ", ".join(filter(None, (self.title, self.meaning, servers)))


class FilterCompletion:
    """Suggests completions at the cursor of a filter expression."""

    def __init__(self, catalogue: Catalogue, games: Mapping[str, GameProfile], saved: Mapping[str, str]) -> None:
        self._catalogue, self._games, self._saved = catalogue, games, saved

    def suggest(self, text: str, cursor: int) -> tuple[int, list[FilterSuggestion]]:
        """Return the start of the current word, and suggestions for it."""
        match = _TOKEN.search(text[:cursor])
        start = match.start() if match else cursor
        token = text[start:cursor]
        start += len(token) - len(token.lstrip("-"))
        token = token.lstrip("-")
        name, colon, value = token.partition(":")
        if colon:
            prefix = value.rpartition(",")[2]
            return cursor - len(prefix), self._value_suggestions(FILTER_FIELDS.resolve(name), prefix)
        return start, self._field_suggestions(token)

    def _field_suggestions(self, prefix: str) -> list[FilterSuggestion]:
        if not prefix:
            return []
        folded = prefix.casefold()
        endings = dict.fromkeys(FILTER_FIELDS.numbers, ">=") | dict.fromkeys(FILTER_FIELDS.texts, ":")
        names = sorted({*endings, *FILTER_FIELDS.flags})
        fields = [
            FilterSuggestion(name, name + endings.get(name, ""), _(FIELD_MEANINGS[name]), self._flag_count(name))
            for name in names
            if name.startswith(folded) and name != folded
        ]
        saved = [
            FilterSuggestion(name, f"({text})", text)
            for name, text in self._saved.items()
            if name.casefold().startswith(folded)
        ]
        return (fields + saved + self._game_suggestions(folded))[:MAX_SUGGESTIONS]

    def _game_suggestions(self, prefix: str) -> list[FilterSuggestion]:
        """Return games by a word of their names: words alone do not search the game."""
        if len(prefix) < _MIN_GAME_PREFIX:
            return []
        return [
            FilterSuggestion(f"game:{each.title}", f"game:{each.expression}", each.meaning, each.server_count)
            for each in sorted(self._known_values("game"), key=lambda each: -(each.server_count or 0))
            if any(word.startswith(prefix) for word in self._game_words(each.title))
        ]

    def _game_words(self, game: str) -> list[str]:
        profile = self._games.get(game)
        names = (game,) if profile is None else (game, profile.short, profile.name)
        return " ".join(names).casefold().split()

    def _flag_count(self, field: str, *, value: bool = True) -> int | None:
        if field not in FLAG_FIELDS:
            return None
        passing = FLAG_FIELDS[field](self._catalogue) == value
        return int(np.count_nonzero(passing & self._catalogue.occupied))

    def _value_suggestions(self, field: str, prefix: str) -> list[FilterSuggestion]:
        """Return known values with this prefix, the most frequent ones first."""
        folded = prefix.strip('"').casefold()
        fits = [
            each
            for each in self._known_values(field)
            if each.title.casefold().startswith(folded) and each.title.casefold() != folded
        ]
        return sorted(fits, key=lambda each: (-(each.server_count or 0), each.title.casefold()))[:MAX_SUGGESTIONS]

    def _known_values(self, field: str) -> list[FilterSuggestion]:
        if field in FLAG_FIELDS:
            yes_no = [
                FilterSuggestion(word, word, "", self._flag_count(field, value=value))
                for word, value in _YES_NO.items()
            ]
            groups = FRIEND_GROUPS if field == "friend" else ()
            return [*yes_no, *(FilterSuggestion(group, group) for group in groups)]
        c = self._catalogue
        columns: Mapping[str, tuple[TextColumn, ...]] = {
            "map": (c.map,), "mode": (c.mode, c.mode_name), "country": (c.country,), "version": (c.version,),
            "game": (c.game,), "region": (c.region,), "lang": (c.language,),
        }  # fmt: skip
        return [
            FilterSuggestion(value, _quoted_value(value), self._value_meaning(field, value), count)
            for value, count in self._value_counts(columns.get(field, ())).items()
        ]

    def _value_counts(self, columns: Sequence[TextColumn]) -> dict[str, int]:
        """Return how many servers have each value, without regard to case."""
        spellings: dict[str, str] = {}
        counts: dict[str, int] = {}
        for column in columns:
            for value, number in column.value_counts(self._catalogue.occupied).items():
                if '"' not in value:
                    spelling = spellings.setdefault(value.casefold(), value)
                    counts[spelling] = counts.get(spelling, 0) + number
        return counts

    def _value_meaning(self, field: str, value: str) -> str:
        if field == "region":
            return _(REGION_NAMES[value])
        if field == "lang":
            return language_name(value)
        profile = self._games.get(value) if field == "game" else None
        return "" if profile is None else profile.name


def _quoted_value(value: str) -> str:
    return value if _UNQUOTED.fullmatch(value) else f'"{value}"'


_LIST_KEYS = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Escape)
MIN_COMPLETION_WIDTH, MAX_COMPLETION_WIDTH, COMPLETION_LINE_HEIGHT = 180, 420, 24
_COMPLETION_PADDING, _COMPLETION_GAP = 6, 12


class _CompletionDelegate(QStyledItemDelegate):
    """Paints a word, its meaning and the number of servers in a row 24 px high."""

    def __init__(self, theme: Theme, view: "FilterCompletionList") -> None:
        super().__init__(view)
        self._theme, self._list = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:  # noqa: ARG002
        """Return the size of the three texts."""
        suggestion, metrics = self._list.list_model.items[index.row()], QFontMetrics(self._theme.font(12))
        texts = filter(None, (suggestion.title, suggestion.meaning, suggestion.count_text))
        width = sum(metrics.horizontalAdvance(text) + _COMPLETION_GAP for text in texts)
        return QSize(width + 2 * _COMPLETION_PADDING, COMPLETION_LINE_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Paint one row."""
        suggestion, colors = self._list.list_model.items[index.row()], self._theme.palette
        chosen = option.state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver)
        if chosen:
            painter.fillRect(option.rect, colors.color("selected"))
        box = QRect(option.rect).adjusted(_COMPLETION_PADDING, 0, -_COMPLETION_PADDING, 0)
        font, view = self._theme.font(12), self._list.viewport()
        note = colors.color("text2")
        count = draw_elided_text(painter, view, box, suggestion.count_text, font, note, align_right=True)
        box.adjust(0, 0, -count - _COMPLETION_GAP, 0)
        title = draw_elided_text(painter, view, box, suggestion.title, font, colors.color("text1"))
        box.adjust(title + _COMPLETION_GAP, 0, 0, 0)
        draw_elided_text(painter, view, box, suggestion.meaning, font, note)


class FilterCompletionList(QListView):
    """The popup list of suggestions.

    It is a child of the window and never has the focus; the field passes its keys on: Down and Up select, Enter inserts
    the selected suggestion, Tab that or the first one, Esc closes.
    """

    def __init__(self, theme: Theme, edit: QLineEdit, completion: FilterCompletion) -> None:
        super().__init__(edit.window())
        self._theme, self._edit, self._completion = theme, edit, completion
        self._word_start = 0
        self.list_model = PaintedListModel[FilterSuggestion]()
        set_up_painted_list(self, self.list_model, edit.accessibleName())
        self.setFrameShape(QFrame.Shape.Box)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(True)
        self.setUniformItemSizes(False)  # the width is that of the longest
        self.setItemDelegate(_CompletionDelegate(theme, self))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(lambda index: self._insert_suggestion(index.row()))
        edit.textEdited.connect(self._update_suggestions)
        edit.installEventFilter(self)
        self.hide()

    @property
    def suggestions(self) -> list[str]:
        """The words of the visible suggestions."""
        return [each.title for each in self.list_model.items] if self.isVisible() else []

    def _update_suggestions(self, text: str) -> None:
        self._word_start, suggestions = self._completion.suggest(text, self._edit.cursorPosition())
        self.list_model.set_items(suggestions)
        self.setCurrentIndex(QModelIndex())
        self.setVisible(bool(suggestions))
        if suggestions:
            self._place_list()

    def _place_list(self) -> None:
        window = self._edit.window()
        if self.parentWidget() is not window:
            self.setParent(window)
            self.show()
        corner = self._edit.mapTo(window, QPoint(0, self._edit.height() + 2))
        width = min(max(MIN_COMPLETION_WIDTH, self.sizeHintForColumn(0) + 12), MAX_COMPLETION_WIDTH, window.width())
        left = max(0, min(corner.x(), window.width() - width))
        self.setGeometry(left, corner.y(), width, COMPLETION_LINE_HEIGHT * self.list_model.rowCount() + 2)
        self.raise_()

    def _move_selection(self, step: int) -> None:
        row, count = self.currentIndex().row(), self.list_model.rowCount()
        to = (row + step) % count if row >= 0 else 0 if step > 0 else count - 1
        self.setCurrentIndex(self.list_model.index(to))
        announce(self._edit, self.list_model.items[to].accessible_text)

    def _insert_suggestion(self, row: int) -> None:
        inserted = self.list_model.items[row].expression
        text, cursor = self._edit.text(), self._edit.cursorPosition()
        self.hide()
        self._edit.setText(text[: self._word_start] + inserted + text[cursor:])
        self._edit.setCursorPosition(self._word_start + len(inserted))

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
