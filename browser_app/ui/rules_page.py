"""The inspector's rules: the server's own words as plain text, to be searched and copied; its tags filter the list."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from browser_app.catalogue.facts import Facts
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.controls import Button, Text
from browser_app.ui.field_style import field_style
from browser_app.ui.line_list import MARGIN
from browser_app.ui.rules_list import Rule, RulesList, text_of
from browser_app.ui.tag_row import TagRow
from browser_app.ui.theme import Theme

MAX_LINES = 500
_FIELD_HEIGHT = 28


class RulesPage(QWidget):
    """Shows the last rules, sorted by key.

    Signals:
        filter_wanted: the filter's term for one of the server's tags.
        told: news for the status line.
        reached: how far down (px) the line is that was chosen by key.
    """

    filter_wanted = Signal(str)
    told = Signal(str)
    reached = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rules: list[Rule] | None = None
        self._asking = False
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Find a rule"))
        self.search.setAccessibleName(_("Find a rule"))
        self.search.setMinimumHeight(_FIELD_HEIGHT)
        self.tags = TagRow(theme)
        self.list = RulesList(theme)
        self._note = Text(theme, role="text2", size=12)
        self._note.setWordWrap(True)
        self.copy = Button(theme, _("Copy all"), "copy")
        self._lay_out()
        self.search.textChanged.connect(self._show)
        self.tags.filter_wanted.connect(self.filter_wanted)
        self.copy.clicked.connect(lambda: self._copy("\n".join(map(text_of, self._rules or ()))))
        self.list.installEventFilter(self)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self.list.selectionModel().currentChanged.connect(self._reach)
        theme.changed.connect(self._recolor)
        self._recolor()
        self.setAccessibleName(_("Rules"))

    def _recolor(self) -> None:
        self.search.setStyleSheet(field_style(self._theme.palette))

    def _lay_out(self) -> None:
        above, below = QVBoxLayout(), QVBoxLayout()
        for part, widgets in ((above, (self.search, self.tags)), (below, (self._note,))):
            part.setContentsMargins(MARGIN, 0, MARGIN, 0)
            part.setSpacing(8)
            for widget in widgets:
                part.addWidget(widget)
        button = QHBoxLayout()
        button.setContentsMargins(0, 0, 0, 12)
        button.addWidget(self.copy)
        button.addStretch(1)
        below.addLayout(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 0)
        column.setSpacing(8)
        column.addLayout(above)
        column.addWidget(self.list)
        column.addLayout(below)
        column.addStretch(1)

    def show_rules(self, facts: Facts | None, *, asking: bool) -> None:
        """Show them; `asking` while the answer is on its way."""
        rules = facts.rules if facts else None
        self._asking = asking
        self._rules = None if rules is None else sorted(rules.items(), key=lambda rule: rule[0].casefold())[:MAX_LINES]
        self.tags.show_tags(facts.tags if facts else ())
        self._show()

    def lines(self) -> list[str]:
        """Its content as text."""
        return [self._note.text(), *map(text_of, self.list.rules.rules)]

    def _show(self) -> None:
        words = self.search.text().casefold().split()
        rules = self._rules or []
        found = [rule for rule in rules if all(word in text_of(rule).casefold() for word in words)]
        self.list.show_rules(found)
        self._note.setText(self._words(len(found)))
        for widget in (self.search, self.list, self.copy):
            widget.setVisible(bool(rules))
        self.setAccessibleDescription(self._note.text())

    def _words(self, found: int) -> str:
        if self._rules is None:
            return _("Asking for its rules…") if self._asking else _("This server does not publish rules.")
        n = len(self._rules)
        if found < n:
            return _("{n} of {total} rules").format(n=found, total=n)
        return ngettext("{n} rule, in the server's own words.", "{n} rules, in the server's own words.", n).format(n=n)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl+C on the chosen line; the window's key would copy the server's address."""
        wanted = isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Copy)
        chosen = self.list.chosen() if watched is self.list and wanted else None
        if chosen is not None and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if chosen is not None and event.type() == QEvent.Type.KeyPress:
            self._copy(text_of(chosen))
            return True
        return super().eventFilter(watched, event)

    def _open_menu(self, where: QPoint) -> None:
        index = self.list.indexAt(where)
        if index.isValid():
            rule = self.list.rules.rules[index.row()]
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.addAction(_("Copy the line"), lambda: self._copy(text_of(rule)))
            menu.addAction(_("Copy the value"), lambda: self._copy(rule[1]))
            menu.popup(self.list.viewport().mapToGlobal(where))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.told.emit(_("Copied"))

    def _reach(self, current: QModelIndex) -> None:
        if current.isValid():
            self.reached.emit(self.list.mapTo(self, self.list.visualRect(current).center()).y())
