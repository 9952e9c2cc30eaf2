"""The parameters of the system that judges: edited, fitted to the record, and set back."""

from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from browser_app.bridge.skill.panel import SkillPanel
from browser_app.language import gettext as _
from browser_app.player.fitting import Fitted
from browser_app.rating.parameters import ParameterSet
from browser_app.rating.systems import SYSTEMS
from browser_app.ui.controls import Button, Text
from browser_app.ui.link_button import LinkButton
from browser_app.ui.skill.numbers import change_words, points_words
from browser_app.ui.skill.section import Section
from browser_app.ui.skill.selectable import sentence
from browser_app.ui.skill.system_titles import system_title
from browser_app.ui.skill.systems.parameter_field import ParameterField
from browser_app.ui.skill.systems.work_bar import WorkBar
from browser_app.ui.theme import Theme

_COLUMNS, _PARTS = 2, 4
"""Fields beside each other, and what each takes of the grid: title, editor, note, space."""
_SPACES_PX = 58
"""Between the parts of all fields of a line."""
_USUAL = 8
"""Parameters that are shown at once: systems declare first what matters most."""


class ParametersPanel(QWidget):
    """Nothing is in use before *Apply*: a change has every rating calculated anew."""

    def __init__(self, theme: Theme, panel: SkillPanel) -> None:
        super().__init__()
        self._theme, self._panel = theme, panel
        self._system = ""
        self._in_use: ParameterSet | None = None
        self.fitted: Fitted | None = None
        self.fields: list[ParameterField] = []
        self._all, self._columns = False, _COLUMNS
        self.section = Section(theme)
        self.title = Text(theme, role="text2", size=12, weight=QFont.Weight.DemiBold)
        self.work = WorkBar(theme, "fit", panel)
        self.fit, self.apply, self.reset = (
            Button(theme, words) for words in (_("Fit to this record"), _("Apply"), _("Set back"))
        )
        self.more = LinkButton(theme, "")
        self.told = sentence(theme)
        self._grid_box = QWidget()
        self._grid = QGridLayout(self._grid_box)
        self._lay_out()
        self.fit.clicked.connect(self._start_fit)
        self.apply.clicked.connect(self._apply)
        self.reset.clicked.connect(self._set_back)
        self.more.clicked.connect(self._show_more)
        self.work.busy.connect(lambda busy: self.fit.setVisible(not busy))

    def _lay_out(self) -> None:
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addStretch(1)
        for widget in (self.work, self.fit):
            head.addWidget(widget)
        steps = QHBoxLayout()
        steps.setSpacing(8)
        steps.addWidget(self.more)
        steps.addStretch(1)
        steps.addWidget(self.reset)
        steps.addWidget(self.apply)
        self.section.column.addLayout(head)
        self.section.column.addWidget(self._grid_box)
        self.section.column.addWidget(self.told)
        self.section.column.addLayout(steps)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.section)

    def show_parameters(self, system: str, parameters: ParameterSet) -> None:
        """Show a system's parameters as they are in use; what is being edited stays while they are the same."""
        if system != self._system:
            self._system, self.fitted = system, None
            self._make_fields()
        elif parameters == self._in_use:
            return
        self._in_use = parameters
        for field in self.fields:
            field.show_value(parameters.default[field.parameter.name])
        self._tell("")

    def _make_fields(self) -> None:
        self.title.setText(_("Parameters of {system}").format(system=system_title(self._system)))
        for field in self.fields:
            field.deleteLater()
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.fields = [ParameterField(self._theme, each) for each in SYSTEMS[self._system].declared]
        for field in self.fields:
            field.edited.connect(lambda: self._tell(""))
        self._all = False
        self._arrange()
        self._choose_columns()

    def _usual(self) -> list[ParameterField]:
        """Extras that are off by default are not among them."""
        return [field for field in self.fields if field.parameter.default is not None][:_USUAL]

    def _ordered(self) -> list[ParameterField]:
        usual = self._usual()
        return [*usual, *(field for field in self.fields if field not in usual)]

    def _arrange(self) -> None:
        """The usual ones first; all others only when asked for."""
        usual = self._usual()
        for place, field in enumerate(self._ordered()):
            line, column = divmod(place, self._columns)
            for part, widget in enumerate((field.title, field.editor, field.note)):
                self._grid.addWidget(widget, line, column * _PARTS + part)
                widget.setVisible(self._all or place < len(usual))
        beside = self._columns > 1
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(column * _PARTS + 2, int(beside))
        self._grid.setColumnMinimumWidth(_PARTS - 1, 16 if beside else 0)
        self._grid.setColumnStretch(_PARTS - 1, int(not beside))
        self.more.setVisible(len(usual) < len(self.fields))
        self.more.setText(_("Fewer") if self._all else _("All {n} parameters").format(n=len(self.fields)))
        self.more.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fields stand beside each other where their titles and notes fit."""
        super().resizeEvent(event)
        self._choose_columns()

    def _choose_columns(self) -> None:
        shown = [field.widths for field in self._ordered() if self._all or field in self._usual()]
        beside = [shown[column::_COLUMNS] for column in range(_COLUMNS)]
        needed = sum(max(part) for widths in beside for part in zip(*widths, strict=True))
        columns = _COLUMNS if self.width() >= needed + _SPACES_PX else 1
        if columns != self._columns:
            self._columns = columns
            self._arrange()

    def _show_more(self) -> None:
        self._all = not self._all
        self._arrange()
        self._choose_columns()

    # Steps

    @property
    def problem(self) -> str:
        """What is wrong with the first field that is; empty where nothing is."""
        return next((problem for field in self.fields if (problem := field.problem)), "")

    def edited(self) -> ParameterSet | None:
        """What the fields say, in every mode that has no value of its own; None where one cannot be read."""
        if self._in_use is None or self.problem:
            return None
        values = {field.parameter.name: field.value for field in self.fields}
        return ParameterSet(values, self._in_use.modes)

    def _tell(self, words: str) -> None:
        problem, edited = self.problem, self.edited()
        self.told.set_role("warning" if problem else "text2")
        self.told.setText(problem or words)
        self.told.setVisible(bool(problem or words))
        self.apply.setEnabled(edited is not None and edited != self._in_use)
        default = {field.parameter.name: field.parameter.default for field in self.fields}
        self.reset.setEnabled(
            self._in_use is not None and (self._in_use.default != default or bool(self._in_use.modes))
        )

    def _start_fit(self) -> None:
        system = self._system
        self._panel.fit(lambda fitted: self._take_fitted(system, fitted))

    def _take_fitted(self, system: str, fitted: Fitted) -> None:
        """Show what was fitted in the fields, beside the defaults; it is in use only after *Apply*."""
        if system != self._system:
            return
        self.fitted = fitted
        for field in self.fields:
            field.show_value(fitted.parameters.default[field.parameter.name])
        self._choose_columns()
        self._tell(_gain_words(fitted))

    def _apply(self) -> None:
        if (edited := self.edited()) is not None:
            self._panel.set_parameters(edited)

    def _set_back(self) -> None:
        self._panel.set_parameters(None)


def _gain_words(fitted: Fitted) -> str:
    """What was learnt from, and what it is worth on the rounds that were not."""
    learnt = _("Fitted on the first {n} rounds.").format(n=points_words(fitted.learnt))
    if fitted.before is None or fitted.after is None:
        return f"{learnt} {_('No round is left to say what that gains.')}"
    if fitted.after < fitted.before:
        template = _("On the {n} others its log loss is {after} instead of {before} ({change}). Apply it to use it.")
    else:
        template = _("On the {n} others that gains nothing: its log loss is {after} instead of {before} ({change}).")
    gain = template.format(
        n=points_words(fitted.scored),
        after=points_words(fitted.after, 3),
        before=points_words(fitted.before, 3),
        change=change_words(fitted.after - fitted.before, 3),
    )
    return f"{learnt} {gain}"
