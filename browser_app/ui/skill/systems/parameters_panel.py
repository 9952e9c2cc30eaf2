"""The parameters of the system that judges: edited, fitted to the record, and set back."""

from collections.abc import Sequence

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QWidget

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
from browser_app.ui.skill.systems.parameter_grid import ParameterGrid
from browser_app.ui.skill.systems.work_bar import WorkBar
from browser_app.ui.theme import Theme


class ParametersPanel(QWidget):
    """Nothing is in use before *Apply*: a change has every rating calculated anew."""

    def __init__(self, theme: Theme, panel: SkillPanel) -> None:
        super().__init__()
        self._theme, self._panel = theme, panel
        self._system = ""
        self._in_use: ParameterSet | None = None
        self.fitted: Fitted | None = None
        self.grid = ParameterGrid(theme)
        self.section = Section(theme)
        self.title = Text(theme, role="text2", size=12, weight=QFont.Weight.DemiBold)
        self.work = WorkBar(theme, "fit", panel)
        self.fit, self.apply, self.reset = (
            Button(theme, words) for words in (_("Fit to this record"), _("Apply"), _("Set back"))
        )
        self.more = LinkButton(theme, "")
        self.told = sentence(theme)
        self._lay_out()
        self.fit.clicked.connect(self._start_fit)
        self.apply.clicked.connect(self._apply)
        self.reset.clicked.connect(self._set_back)
        self.more.clicked.connect(self._show_more)
        self.grid.edited.connect(lambda: self._tell(""))
        self.work.busy.connect(lambda busy: self.fit.setVisible(not busy))

    def _lay_out(self) -> None:
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
        self.section.column.addWidget(self.grid)
        self.section.column.addWidget(self.told)
        self.section.column.addLayout(steps)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.section)

    def show_parameters(self, system: str, parameters: ParameterSet) -> None:
        """Show a system's parameters as they are in use; what is being edited stays while they are the same."""
        if system != self._system:
            self._system, self.fitted = system, None
            self.title.setText(_("Parameters of {system}").format(system=system_title(system)))
            self.grid.show_parameters(SYSTEMS[system].declared)
            self._name_more()
        elif parameters == self._in_use:
            return
        self._in_use = parameters
        for field in self.fields:
            field.show_value(parameters.default[field.parameter.name])
        self._tell("")

    @property
    def fields(self) -> Sequence[ParameterField]:
        """One a parameter, in the order in which the system declares them."""
        return self.grid.fields

    def _show_more(self) -> None:
        self.grid.show_all(not self.grid.all_shown)
        self._name_more()

    def _name_more(self) -> None:
        all_ = _("All {n} parameters").format(n=len(self.fields))
        self.more.setVisible(self.grid.has_more)
        self.more.setText(_("Fewer") if self.grid.all_shown else all_)
        self.more.updateGeometry()

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
