"""The inspector's rules: the server's own words as plain text, to be searched and copied; its tags filter the list."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QVBoxLayout

from browser_app.catalogue.facts import Facts
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.controls import Button, Text
from browser_app.ui.field_style import field_style
from browser_app.ui.line_list import MARGIN
from browser_app.ui.lines_page import LinesPage
from browser_app.ui.rules_list import Rule, RulesList, text_of
from browser_app.ui.side_model import Index
from browser_app.ui.tag_row import TagRow
from browser_app.ui.theme import Theme

MAX_LINES = 500
_FIELD_HEIGHT = 28


class RulesPage(LinesPage):
    """Shows the last rules, sorted by key.

    Signals:
        filter_wanted: the filter's term for one of the server's tags, or for what one of its rules says.
    """

    filter_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        self.list = RulesList(theme)
        super().__init__(self.list)
        self._theme = theme
        self._facts: Facts | None = None
        self._rules: list[Rule] | None = None
        self._asking = False
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Find a rule"))
        self.search.setAccessibleName(_("Find a rule"))
        self.search.setMinimumHeight(_FIELD_HEIGHT)
        self.tags = TagRow(theme)
        self._note = Text(theme, role="text2", size=12)
        self._note.setWordWrap(True)
        self.copy = Button(theme, _("Copy all"), "copy")
        self._lay_out()
        self.search.textChanged.connect(self._show)
        self.tags.filter_wanted.connect(self.filter_wanted)
        self.copy.clicked.connect(lambda: self.copy_text("\n".join(map(text_of, self._rules or ()))))
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
        self._facts, self._asking = facts, asking
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

    def copied(self) -> str:
        """The chosen line."""
        rule = self.list.chosen()
        return "" if rule is None else text_of(rule)

    def fill_menu(self, menu: QMenu, index: Index) -> None:
        """Filters where the rule says what one can name, and copying."""
        rule = self.list.rules.rules[index.row()]
        term = term_of(rule[1], self._facts)
        if term:
            menu.addAction(_("Filter by {term}").format(term=term), lambda: self.filter_wanted.emit(term))
            menu.addSeparator()
        menu.addAction(_("Copy the line"), lambda: self.copy_text(text_of(rule)))
        menu.addAction(_("Copy the value"), lambda: self.copy_text(rule[1]))


def term_of(value: str, facts: Facts | None) -> str:
    """The filter's term for a rule's value: rules are asked of one server only, so that none of them can be filtered
    by, but many say what every server's answer tells too. Empty for all others."""
    if facts is None or not value.strip() or '"' in value:
        return ""
    told = {"map": facts.map, "mode": facts.mode, "version": facts.version}
    field = next((field for field, text in told.items() if text and text.casefold() == value.casefold()), "")
    if not field and value.casefold() in map(str.casefold, facts.tags):
        field = "tag"
    return f'{field}:"{value}"' if field else ""
