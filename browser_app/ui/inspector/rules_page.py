"""Inspector page with a server's rules and tags."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Signal
from PySide6.QtGui import QIcon, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from browser_app.catalogue.server_info import ServerInfo
from browser_app.catalogue.server_value_text import UNKNOWN_VALUE
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.inspector.inspector_page_base import (
    LIST_MARGIN,
    InspectorListDelegate,
    InspectorListPage,
    InspectorListView,
)
from browser_app.ui.widgets.accessibility import update_texts
from browser_app.ui.widgets.basic_widgets import Button, Label, draw_elided_text, fill_edges, mirrored_rect
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.icons import create_icon
from browser_app.ui.widgets.menus import create_menu
from browser_app.ui.widgets.tables.painted_list_model import PaintedListModel
from browser_app.ui.widgets.tables.sorted_table_model import ModelIndex
from browser_app.ui.widgets.theme import Theme, field_style_sheet
from browser_app.ui.widgets.value_text import plain_tool_tip

MAX_TAGS = 24
_TAG_HEIGHT, _TAG_GAP, _MAX_TAG_LETTERS = 22, 4, 28


class TagRow(QWidget):
    """The server's tags as buttons.

    Signals:
        filter_requested: the filter term for a tag.
    """

    filter_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.tags: tuple[str, ...] = ()
        self.buttons: list[Button] = []
        self.hide()

    def show_tags(self, tags: Sequence[str]) -> None:
        """Show the first tags; a tag that no filter term can name is left out."""
        shown = tuple(tag for tag in dict.fromkeys(tags) if tag.strip() and '"' not in tag)[:MAX_TAGS]
        if shown == self.tags:
            return
        self.tags = shown
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [self._create_button(tag) for tag in shown]
        self._place_buttons()
        self.setVisible(bool(shown))

    def _create_button(self, tag: str) -> Button:
        button = Button(
            self._theme, tag if len(tag) <= _MAX_TAG_LETTERS else f"{tag[: _MAX_TAG_LETTERS - 1]}…", height=_TAG_HEIGHT
        )
        button.setFont(self._theme.font(12))
        button.setParent(self)
        button.setAccessibleName(_("Filter by the tag {tag}").format(tag=tag))
        button.setToolTip(plain_tool_tip(button.accessibleName()))
        button.clicked.connect(partial(self.filter_requested.emit, f'tag:"{tag}"'))
        button.show()
        return button

    def _place_buttons(self) -> None:
        left, top = 0, 0
        for button in self.buttons:
            width = min(button.sizeHint().width(), max(self.width(), _TAG_HEIGHT))
            if left and left + width > self.width():
                left, top = 0, top + _TAG_HEIGHT + _TAG_GAP
            button.setGeometry(mirrored_rect(self, QRect(left, top, width, _TAG_HEIGHT)))
            left += width + _TAG_GAP
        self.setFixedHeight(top + _TAG_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the buttons again."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._place_buttons()

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size, since lines wrap at any width."""
        return QSize(_TAG_HEIGHT, _TAG_HEIGHT)


_RULE_GAP = 6


class ServerRule(NamedTuple):
    """A rule as the server reports it."""

    key: str
    value: str

    @property
    def title(self) -> str:
        """Key and value, as copied and searched."""
        return f"{self.key}: {self.value}"

    @property
    def accessible_text(self) -> str:
        """Key and value."""
        return self.title


class _RuleDelegate(InspectorListDelegate):
    """Paints key and value, both elided."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Paint one row."""
        self.draw_background(painter, option)
        key, value = self._list.list_model.items[index.row()]
        colors, line = self._theme.palette, QRect(option.rect).adjusted(LIST_MARGIN, 0, -LIST_MARGIN, 0)
        fill_edges(painter, line, "B", colors.color("rowline"))
        middle = line.width() * 9 // 20
        viewport, font = self._list.viewport(), self._theme.font()
        key_box = line.adjusted(0, 0, middle - line.width() - _RULE_GAP, 0)
        draw_elided_text(painter, viewport, key_box, key, font, colors.color("text2"))
        color = colors.color("text1" if value else "text2")
        draw_elided_text(painter, viewport, line.adjusted(middle, 0, 0, 0), value or UNKNOWN_VALUE, font, color)


MAX_RULES = 500
_RULE_SEARCH_HEIGHT = 28


class RulesPage(InspectorListPage):
    """The page of the last rules, sorted by key.

    Signals:
        filter_requested: the filter term for a tag or a rule.
    """

    filter_requested = Signal(str)

    def __init__(self, theme: Theme) -> None:
        self.list_view = InspectorListView(_("Rules"), PaintedListModel[ServerRule](lambda rule: rule.key))
        self.list_view.setItemDelegate(_RuleDelegate(theme, self.list_view))
        super().__init__(self.list_view)
        self._theme = theme
        self._server_info: ServerInfo | None = None
        self._rules: list[ServerRule] | None = None
        self._is_querying = False
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText(_("Find a rule"))
        self.search_field.setAccessibleName(_("Find a rule"))
        self.search_field.setMinimumHeight(_RULE_SEARCH_HEIGHT)
        self._search_action = self.search_field.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        self.tag_row = TagRow(theme)
        self._note_label = Label(theme, role="text2", size=12, wraps=True)
        self.copy_button = Button(theme, _("Copy all"), "copy")
        self.filter_button = Button(theme, _("Filter by a rule"), "filter")
        self._build_layout()
        self.search_field.textChanged.connect(self._update_list)
        self.tag_row.filter_requested.connect(self.filter_requested)
        self.copy_button.clicked.connect(self._copy_all)
        self.filter_button.clicked.connect(self._open_filter_menu)
        theme.changed.connect(self._recolor)
        self._recolor()
        self.setAccessibleName(_("Rules"))

    def _recolor(self) -> None:
        self.search_field.setStyleSheet(field_style_sheet(self._theme.palette))
        self._search_action.setIcon(create_icon("search", self._theme.palette.text2))

    def _build_layout(self) -> None:
        above, below = QVBoxLayout(), QVBoxLayout()
        for part, widgets in ((above, (self.search_field, self.tag_row)), (below, (self._note_label,))):
            part.setContentsMargins(LIST_MARGIN, 0, LIST_MARGIN, 0)
            part.setSpacing(8)
            for widget in widgets:
                part.addWidget(widget)
        buttons = fill_box(QHBoxLayout(), self.copy_button, self.filter_button, Stretch(), margins=(0, 0, 0, 12))
        below.addLayout(buttons)
        fill_box(QVBoxLayout(self), above, self.list_view, below, Stretch(), margins=(0, 10, 0, 0))

    def show_rules(self, info: ServerInfo | None, *, is_querying: bool) -> None:
        """Show the rules of an answer; `is_querying` while a new one is on its way."""
        rules = info.rules if info else None
        self._server_info, self._is_querying = info, is_querying
        self._rules = None
        if rules is not None:
            ordered = sorted(rules.items(), key=lambda rule: rule[0].casefold())
            self._rules = [ServerRule(*rule) for rule in ordered[:MAX_RULES]]
        self.tag_row.show_tags(info.tags if info else ())
        self._update_list()

    def line_texts(self) -> list[str]:
        """Return the page's content as text."""
        return [self._note_label.text(), *(rule.title for rule in self.list_view.list_model.items)]

    def _copy_all(self) -> None:
        self.copy_text("\n".join(rule.title for rule in self._rules or ()))

    def _update_list(self) -> None:
        search_words = self.search_field.text().casefold().split()
        rules = self._rules or []
        found = [rule for rule in rules if all(word in rule.title.casefold() for word in search_words)]
        self.list_view.show_items(found)
        self._note_label.setText(self._note_text(len(found)))
        for widget in (self.search_field, self.list_view, self.copy_button):
            widget.setVisible(bool(rules))
        self.filter_button.setVisible(bool(self._filter_terms()))
        update_texts(self, description=self._note_label.text())

    def _filter_terms(self) -> list[str]:
        """Return the filter terms for the rules, each once."""
        terms = (filter_term_for_rule(rule.value, self._server_info) for rule in self._rules or ())
        return [*dict.fromkeys(filter(None, terms))]

    def _open_filter_menu(self) -> None:
        entries = [(term, partial(self.filter_requested.emit, term)) for term in self._filter_terms()]
        create_menu(self, entries).popup(self.filter_button.mapToGlobal(self.filter_button.rect().bottomLeft()))

    def _note_text(self, found: int) -> str:
        if self._rules is None:
            return _("Loading rules…") if self._is_querying else _("No rules from this server.")
        n = len(self._rules)
        if found < n:
            return ngettext("{n} of {total} rule", "{n} of {total} rules", n).format(n=found, total=n)
        return ngettext("{n} rule, as reported by the server.", "{n} rules, as reported by the server.", n).format(n=n)

    def text_to_copy(self) -> str:
        """Return the selected rule."""
        rule = self.list_view.selected_item()
        return "" if rule is None else rule.title

    def fill_menu(self, menu: QMenu, index: ModelIndex) -> None:
        """Add filtering by the rule's value, if a filter term exists for it, and copying."""
        rule = self.list_view.list_model.items[index.row()]
        term = filter_term_for_rule(rule.value, self._server_info)
        if term:
            menu.addAction(_("Filter by {term}").format(term=term), lambda: self.filter_requested.emit(term))
            menu.addSeparator()
        menu.addAction(_("Copy line"), lambda: self.copy_text(rule.title))
        menu.addAction(_("Copy value"), lambda: self.copy_text(rule.value))


def filter_term_for_rule(value: str, info: ServerInfo | None) -> str:
    """Return a filter term for a rule's value, empty if there is none.

    Only the selected server is queried for rules, so no filter can use them; but many rules repeat a value that every
    server reports.
    """
    if info is None or not value.strip() or '"' in value:
        return ""
    reported = {"map": info.map, "mode": info.mode, "version": info.version}
    field = next((field for field, text in reported.items() if text and text.casefold() == value.casefold()), "")
    if not field and value.casefold() in map(str.casefold, info.tags):
        field = "tag"
    return f'{field}:"{value}"' if field else ""
