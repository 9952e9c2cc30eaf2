"""The page *Rounds*: the table, its filter, and one round at a time taken apart in place."""

from pathlib import Path

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from browser_app.bridge.skill.panel import SkillPanel
from browser_app.bridge.skill.shown import Shown
from browser_app.catalogue.filter_tree import Everything, Node
from browser_app.language import gettext as _
from browser_app.player.company import Company
from browser_app.rating.explanation import Explanation
from browser_app.ui.controls import Button, Surface, Text
from browser_app.ui.filter_field import FilterField
from browser_app.ui.plots.moments import is_this_year
from browser_app.ui.skill.rounds.explanation_panel import ExplanationPanel
from browser_app.ui.skill.rounds.explanation_words import sheet_of
from browser_app.ui.skill.rounds.round_columns import COLUMNS
from browser_app.ui.skill.rounds.round_filter import needs_company, parse_rounds, passing
from browser_app.ui.skill.rounds.round_model import RoundTableModel
from browser_app.ui.skill.rounds.round_orders import NEWEST, order
from browser_app.ui.skill.rounds.round_row import RoundSource
from browser_app.ui.skill.rounds.round_table import RoundTable
from browser_app.ui.skill.rounds.round_texts import reason_words, summary
from browser_app.ui.theme import Theme

FIELD_WIDTH = 232


class RoundsPage(QWidget):
    """Shows the rounds of the chosen game.

    Signals:
        told: news for the status line.
    """

    told = Signal(str)

    def __init__(self, theme: Theme, panel: SkillPanel) -> None:
        super().__init__()
        self._theme, self._panel = theme, panel
        self._shown: Shown | None = None
        self._company: Company | None = None
        self._filter: Node = Everything()
        self._column = NEWEST
        self._awaited = ""
        """Id of the round whose explanation is on its way."""
        self.model = RoundTableModel()
        self.explanation = ExplanationPanel(theme)
        self.table = RoundTable(theme, self.model, self.explanation)
        self.model.setParent(self.table)
        self.field = FilterField(theme, _("Map, team, won, with:moth …"), key="")
        self.field.setFixedWidth(FIELD_WIDTH)
        self.import_button = Button(theme, _("Import…"))
        self.words = Text(theme, role="text2", size=12)
        self._controls = QWidget()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        controls = QHBoxLayout(self._controls)
        controls.setContentsMargins(0, 0, 0, 0)
        controls.setSpacing(8)
        controls.addWidget(self.field)
        controls.addWidget(self.import_button)
        frame = Surface(self._theme, "surface", "TRBL")
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 16)
        column.setSpacing(8)
        column.addWidget(self.words)
        column.addWidget(frame, 1)
        self.words.hide()
        QWidget.setTabOrder(self.field, self.import_button)
        self.setFocusProxy(self.table)

    def _connect(self) -> None:
        self.field.edited.connect(self._filter_edited)
        self.field.left.connect(self.table.setFocus)
        self.import_button.clicked.connect(self._choose_files)
        self.table.sort_wanted.connect(self.sort_by)
        self.table.opened.connect(self._explain)
        self.table.copy_wanted.connect(self._copy)
        self._panel.failed.connect(self._failed)

    def header_controls(self) -> QWidget:
        """The filter field and the button *Import*."""
        return self._controls

    def show_data(self, shown: Shown | None) -> None:
        """Show these rounds; the one that is unfolded stays unfolded where it is still there."""
        unfolded = self._round_id(self.table.unfolded_round)
        self.table.fold()
        self._shown, self._company = shown, None
        if shown is not None:
            self.table.set_years(not is_this_year(float(shown.history.started.min())))
        self.model.set_source(None if shown is None else RoundSource(shown.history), np.empty(0, np.int64))
        self._apply()
        self._mark_sorted()
        if unfolded:
            self.show_round(unfolded)

    def show_round(self, round_id: str) -> bool:
        """Bring a round into sight, whatever hides it, and take it apart; False where it is none of mine."""
        if self._shown is None or round_id not in self._shown.history.ids:
            return False
        number = self._shown.history.ids.index(round_id)
        if self.model.place_of(number) is None:
            self.field.set_text("")
            self._filter = Everything()
            self._apply()
        return self.table.show_round(number)

    def sort_by(self, key: str) -> None:
        """Sort by a column; by the same once more turns it round."""
        self._column = f"-{key}" if key == self._column else key
        self._mark_sorted()
        self._apply()

    def _mark_sorted(self) -> None:
        key = self._column.removeprefix("-")
        place = next(place for place, column in enumerate(COLUMNS) if column.key == key)
        self.table.header.set_sorted(place, reverse=self._column.startswith("-"))

    def _filter_edited(self, text: str) -> None:
        made = self.field.read(text, parse_rounds)
        if made is not None:
            self._filter = made
            self._apply()
        elif self.field.error is not None:
            self._tell(_("{filter}: {problem}").format(filter=text, problem=self.field.error[2]), "warning")

    def _apply(self) -> None:
        """Show what passes the filter, in the column's order."""
        if self._shown is None:
            self._tell("", "text2")
            return
        history = self._shown.history
        if needs_company(self._filter) and self._company is None:
            self._tell(_("Looking up who was there."), "text2")
            self._panel.company(self._company_known)
            return
        passes = passing(self._filter, history, self._company)
        self.model.set_order(order(history, self._column, np.flatnonzero(passes).astype(np.int64)))
        self._tell("" if passes.all() else summary(history, passes), "text2")

    def _company_known(self, company: Company) -> None:
        self._company = company
        self._apply()

    def _tell(self, words: str, role: str) -> None:
        self.words.set_role(role)
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def _round_id(self, number: int) -> str:
        return self._shown.history.ids[number] if self._shown is not None and number >= 0 else ""

    def _explain(self, number: int) -> None:
        self._awaited = ""
        if number < 0 or self._shown is None:
            return
        why = self._shown.history.why[number]
        if why:
            self.explanation.show_words(_("Not rated: {why}.").format(why=reason_words(why)))
            return
        round_id = self._round_id(number)
        self._awaited = round_id
        self.explanation.show_words(_("Taking this round apart …"))
        self._panel.explain(round_id, lambda explanation: self._explained(round_id, explanation))

    def _explained(self, round_id: str, explanation: Explanation) -> None:
        number = self.table.unfolded_round
        if self._shown is not None and self._round_id(number) == round_id == self._awaited:
            self._awaited = ""
            approximate = bool(self._shown.history.approximate[number])
            sheet = sheet_of(explanation, approximate=approximate)
            self.explanation.show_sheet(sheet)
            self.table.settle()
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.explanation, sheet.headline))

    def _failed(self, words: str) -> None:
        """Whoever waits for an explanation is told why there is none."""
        if self._awaited:
            self._awaited = ""
            self.explanation.show_words(words)
            self.table.settle()

    def _copy(self) -> None:
        """What is unfolded, or else the current row, as text."""
        place = self.table.currentIndex().row()
        if place < 0:
            return
        row = self.model.row(place)
        lines = ["\t".join(column.text(row) for column in COLUMNS)]
        if row.id == self.table.unfolded_round:
            lines.append(self.explanation.text)
        QGuiApplication.clipboard().setText("\n".join(lines))
        self.told.emit(_("Copied"))

    def _choose_files(self) -> None:
        dialog = QFileDialog(self, _("Import rounds"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda files: self._panel.import_paths([Path(file) for file in files]))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
