"""The panel that edits, fits and resets a system's parameters."""

from collections.abc import Mapping, Sequence

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QWidget

from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.rating.evaluation.parameter_fit import FitResult
from browser_app.rating.fit_steps import FitStep
from browser_app.rating.rating_parameters import ParameterSet, ParameterValue, resolve_parameters
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.ui.skill.rating_format import format_change, format_points, system_title
from browser_app.ui.skill.systems.parameter_file_controller import ParameterFileController
from browser_app.ui.skill.systems.rating_parameter_grid import RatingParameterField, RatingParameterGrid
from browser_app.ui.skill.systems.rating_parameter_text import preset_title
from browser_app.ui.skill.systems.skill_task_progress import SkillTaskProgress
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.buttons import LinkButton, MenuButton
from browser_app.ui.widgets.page_elements import PageSection, create_wrapping_label
from browser_app.ui.widgets.theme import Theme


class RatingParametersPanel(QWidget):
    """Edits, fits and resets parameters.

    *Apply* uses them, which recalculates every rating.
    """

    def __init__(self, theme: Theme, skill_model: SkillModel) -> None:
        super().__init__()
        self._theme, self._skill_model = theme, skill_model
        self._system = ""
        self._in_use: ParameterSet | None = None
        self._edited_modes: Mapping[str, Mapping[str, ParameterValue]] = {}
        """The modes' own values that go with the fields."""
        self.grid = RatingParameterGrid(theme)
        self.section = PageSection(theme)
        self.title_label = Label(theme, role="text2", size=12, weight=QFont.Weight.DemiBold)
        self.preset_menu = MenuButton(theme, _("Preset"))
        self.preset_menu.setToolTip(_("Fill the fields with named values"))
        self.fit_progress = SkillTaskProgress(theme, "fit", skill_model)
        self.fit_button, self.apply_button, self.reset_button = (
            Button(theme, words) for words in (_("Fit to rounds"), _("Apply"), _("Reset"))
        )
        self.more_link = LinkButton(theme, "")
        self.load_link, self.save_link = LinkButton(theme, _("Load…")), LinkButton(theme, _("Save…"))
        self.files = ParameterFileController(self)
        self.message_label = create_wrapping_label(theme)
        self._build_layout()
        self.preset_menu.value_chosen.connect(self._fill_preset)
        self.fit_button.clicked.connect(self._start_fit)
        self.apply_button.clicked.connect(self._apply_edits)
        self.reset_button.clicked.connect(self._reset_parameters)
        self.more_link.clicked.connect(self._toggle_more)
        self.load_link.clicked.connect(lambda: self.files.ask_to_load(self._system))
        self.save_link.clicked.connect(self._save_edits)
        self.files.parameters_loaded.connect(self._on_loaded)
        self.files.status_reported.connect(self._show_message)
        self.grid.value_edited.connect(lambda: self._show_message(""))
        self.fit_progress.busy_changed.connect(self._update_head)

    def _build_layout(self) -> None:
        head = fill_box(
            QHBoxLayout(), self.title_label, Stretch(), self.preset_menu, self.fit_progress, self.fit_button
        )
        links = (self.more_link, self.load_link, self.save_link)
        steps = fill_box(QHBoxLayout(), *links, Stretch(), self.reset_button, self.apply_button)
        content = self.section.content_layout
        fill_box(content, head, self.grid, self.message_label, steps, spacing=content.spacing())
        fill_box(QHBoxLayout(self), self.section)

    def show_parameters(self, system: str, parameters: ParameterSet) -> None:
        """Show the parameters in use; edits are kept while those do not change."""
        if system != self._system:
            self._system = system
            self.title_label.setText(_("Parameters of {system}").format(system=system_title(system)))
            self.grid.show_parameters(RATING_SYSTEMS[system].declared_parameters)
            self._update_head()
            self._update_more_link()
        elif parameters == self._in_use:
            return
        self._in_use = parameters
        self._fill_fields(parameters)
        self._show_message("")

    def _update_head(self) -> None:
        """Show the progress of a fit instead of the button and the preset menu.

        These would start another fit or change the fields.
        """
        busy = self.fit_progress.is_busy
        self.fit_button.setVisible(not busy)
        self.preset_menu.setVisible(not busy and bool(RATING_SYSTEMS[self._system].presets))

    def _fill_fields(self, parameters: ParameterSet) -> None:
        """Show these parameters in the fields; *Apply* uses them."""
        self._edited_modes = parameters.modes
        for field in self.fields:
            field.set_value(parameters.default[field.parameter.name])

    @property
    def fields(self) -> Sequence[RatingParameterField]:
        """A field for each parameter, in declared order."""
        return self.grid.fields

    def _toggle_more(self) -> None:
        self.grid.show_all(not self.grid.shows_all)
        self._update_more_link()

    def _update_more_link(self) -> None:
        all_ = _("All {n} parameters").format(n=len(self.fields))
        self.more_link.setVisible(self.grid.has_more)
        self.more_link.setText(_("Fewer") if self.grid.shows_all else all_)
        self.more_link.updateGeometry()

    # Actions

    @property
    def problem(self) -> str:
        """What is wrong with the first invalid field; empty if none is."""
        return next((problem for field in self.fields if (problem := field.problem)), "")

    def edited_parameters(self) -> ParameterSet | None:
        """Return the edited values with the modes' own values; None if a field is invalid."""
        if self._in_use is None or self.problem:
            return None
        values = {field.parameter.name: field.value for field in self.fields}
        return ParameterSet(values, self._edited_modes)

    def _show_message(self, message: str) -> None:
        problem, edited = self.problem, self.edited_parameters()
        self.message_label.set_color_role("warning" if problem else "text2")
        self.message_label.setText(problem or message)
        self.message_label.setVisible(bool(problem or message))
        self.apply_button.setEnabled(edited is not None and edited != self._in_use)
        self._update_presets(edited)
        default = {field.parameter.name: field.parameter.default for field in self.fields}
        self.save_link.setEnabled(edited is not None)
        self.reset_button.setEnabled(
            self._in_use is not None and (self._in_use.default != default or bool(self._in_use.modes))
        )

    def _update_presets(self, edited: ParameterSet | None) -> None:
        """Show the preset that the fields have, if any."""
        presets = RATING_SYSTEMS[self._system].presets
        current = next((name for name in presets if edited == _preset_parameters(self._system, name)), "")
        self.preset_menu.show_choices([(name, preset_title(name)) for name in presets], current)
        if not current:
            self.preset_menu.setText(_("Preset"))

    def _fill_preset(self, name: str) -> None:
        self._fill_fields(_preset_parameters(self._system, name))
        self._show_message("")

    def _start_fit(self) -> None:
        system = self._system
        self._skill_model.queries.fit_parameters(lambda fitted: self._on_fitted(system, fitted))

    def _on_fitted(self, system: str, fitted: FitResult) -> None:
        """Show the fitted values and their gain."""
        if system != self._system:
            return
        self._fill_fields(fitted.parameters)
        self._show_message(" ".join([_fit_result_text(fitted), *_fit_steps_texts(fitted.steps)]))

    def _on_loaded(self, system: str, parameters: ParameterSet, file: str) -> None:
        """Show the loaded values."""
        if system == self._system:
            self._fill_fields(parameters)
            self._show_message(_("Loaded from {file}. Select Apply to use them.").format(file=file))

    def _save_edits(self) -> None:
        if (edited := self.edited_parameters()) is not None:
            self.files.ask_to_save(self._system, edited)

    def _apply_edits(self) -> None:
        if (edited := self.edited_parameters()) is not None:
            self._skill_model.set_parameters(edited)

    def _reset_parameters(self) -> None:
        self._skill_model.set_parameters(None)


def _preset_parameters(system: str, preset: str) -> ParameterSet:
    declared = RATING_SYSTEMS[system].declared_parameters
    return resolve_parameters(declared, preset=RATING_SYSTEMS[system].presets[preset])


def _fit_result_text(fitted: FitResult) -> str:
    """Return on how many rounds the fit is based, and its gain on the other rounds."""
    words = ngettext("Fitted to the first {n} round.", "Fitted to the first {n} rounds.", fitted.training_rounds)
    fitted_to = words.format(n=format_points(fitted.training_rounds))
    if fitted.loss_before is None or fitted.loss_after is None:
        gain = _("No rounds are left to measure the gain.")
        return f"{fitted_to} {gain}"
    if fitted.loss_after < fitted.loss_before:
        words = ngettext(
            "On the other round, log loss is {after} instead of {before} ({change}). Select Apply to use it.",
            "On the other {n} rounds, log loss is {after} instead of {before} ({change}). Select Apply to use it.",
            fitted.scored_pairs,
        )
    else:
        words = ngettext(
            "No gain on the other round: log loss is {after} instead of {before} ({change}).",
            "No gain on the other {n} rounds: log loss is {after} instead of {before} ({change}).",
            fitted.scored_pairs,
        )
    gain = words.format(
        n=format_points(fitted.scored_pairs),
        after=format_points(fitted.loss_after, 3),
        before=format_points(fitted.loss_before, 3),
        change=format_change(fitted.loss_after - fitted.loss_before, 3),
    )
    return f"{fitted_to} {gain}"


def _fit_steps_texts(steps: Sequence[FitStep]) -> list[str]:
    """Return which parts of the model the fit kept, and which not."""
    kept = list(dict.fromkeys(_(step.title) for step in steps[1:] if step.kept))
    left_out = list(dict.fromkeys(title for step in steps[1:] if (title := _(step.title)) not in kept))
    texts = [_("Kept: {parts}.").format(parts="; ".join(kept))] if kept else []
    return texts + ([_("Tried and left out: {parts}.").format(parts="; ".join(left_out))] if left_out else [])
