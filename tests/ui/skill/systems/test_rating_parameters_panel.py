"""The parameters on the page Systems: edited, fitted, in files."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot
from systems_helpers import FakeComparisonModel

from browser_app.application.parameter_file import ParameterFile
from browser_app.rating.evaluation.parameter_fit import FitResult
from browser_app.rating.fit_steps import FitStep
from browser_app.rating.rating_parameters import ParameterSet
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system
from browser_app.ui.skill.systems.rating_parameter_grid import RatingParameterField
from browser_app.ui.skill.systems.systems_page import SystemsPage


def field(page: SystemsPage, name: str) -> RatingParameterField:
    return next(each for each in page.parameters_panel.fields if each.parameter.name == name)


def write(page: SystemsPage, qtbot: QtBot, name: str, text: str) -> None:
    line = field(page, name).editor.findChild(QLineEdit)
    assert isinstance(line, QLineEdit)
    line.selectAll()
    qtbot.keyClicks(line, text) if text else qtbot.keyClick(line, Qt.Key.Key_Delete)


def test_parameters_show_defaults(page: SystemsPage) -> None:
    rate = field(page, "c")
    assert rate.title_label.text() == "Constant rate c"
    assert rate.value == 2.4
    assert rate.note_label.text() == "default 1"
    assert rate.editor.toolTip() == "constant part of the learning rate\nIn files and on the command line: c"
    assert [each.title_label.isVisibleTo(page) for each in page.parameters_panel.fields].count(True) == 8
    page.parameters_panel.more_link.click()
    assert all(each.title_label.isVisibleTo(page) for each in page.parameters_panel.fields)


def test_edited_parameter_needs_apply(page: SystemsPage, skill_model: FakeComparisonModel, qtbot: QtBot) -> None:
    parameters = page.parameters_panel
    assert not parameters.apply_button.isEnabled()
    write(page, qtbot, "c", "3,5")
    parameters.apply_button.click()
    used = skill_model.used.pop()
    assert used is not None
    assert used.default == {**skill_model.parameters.default, "c": 3.5}
    field(page, "per_team")._choose_option("no")
    parameters.apply_button.click()
    used = skill_model.used.pop()
    assert used is not None
    assert used.default["per_team"] == "no"
    parameters.reset_button.click()
    assert skill_model.used == [None]


@pytest.mark.parametrize("text", ["-1", "x", "nan", "1e999", "", "1 2"])
def test_invalid_value_is_rejected(page: SystemsPage, qtbot: QtBot, text: str) -> None:
    write(page, qtbot, "c", text)
    assert page.parameters_panel.message_label.text().startswith("Constant rate c: enter a number")
    assert page.parameters_panel.message_label.isVisibleTo(page)
    assert not page.parameters_panel.apply_button.isEnabled()
    write(page, qtbot, "c", "2.4")
    assert not page.parameters_panel.message_label.isVisibleTo(page)


def test_unedited_values_keep_precision(page: SystemsPage, skill_model: FakeComparisonModel, qtbot: QtBot) -> None:
    skill_model.parameters = create_rating_system("ns2", c=1 / 3, a=2 / 3).parameters
    page.show_data(skill_model.state)
    write(page, qtbot, "a", "0.5")
    page.parameters_panel.apply_button.click()
    used = skill_model.used.pop()
    assert used is not None
    assert used.default["c"] == 1 / 3


def test_edits_survive_updates(page: SystemsPage, skill_model: FakeComparisonModel, qtbot: QtBot) -> None:
    write(page, qtbot, "c", "7")
    page.show_data(skill_model.state)
    assert field(page, "c").value == 7.0


def test_fit_shows_gain_and_needs_apply(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    page.parameters_panel.fit_button.click()
    better = ParameterSet({**skill_model.parameters.default, "c": 3.25}, {})
    skill_model.fitting.pop()(FitResult(better, 449, 190, 0.612, 0.604))
    assert field(page, "c").note_label.text() == "default 1"
    assert page.parameters_panel.message_label.text() == (
        "Fitted to the first 449 rounds. On the other 190 rounds, log loss is 0.604 instead of 0.612 (−0.008). "
        "Select Apply to use it."
    )
    assert field(page, "c").value == 3.25
    assert not skill_model.used
    page.parameters_panel.apply_button.click()
    assert skill_model.used == [better]
    page.parameters_panel.fit_button.click()
    skill_model.fitting.pop()(FitResult(better, 449, 190, 0.604, 0.612))
    assert "log loss is 0.612 instead of 0.604 (+0.008)" in page.parameters_panel.message_label.text()


def test_fit_names_helpful_parts(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    tried = (
        ("start", "Basic parameters", True),
        ("bias", "Side and map", False),
        ("squads", "Squads", True),
        ("w", "Time weights", False),
    )
    better = skill_model.parameters
    steps = tuple(FitStep(name, title, {}, 90, 0.69, 0.68, 0.01, kept, better) for name, title, kept in tried)
    page.parameters_panel.fit_button.click()
    skill_model.fitting.pop()(FitResult(better, 449, 190, 0.612, 0.604, steps))
    text = page.parameters_panel.message_label.text()
    assert text.endswith(" Kept: Squads. Tried and left out: Side and map; Time weights.")


def test_fitted_modes_are_applied(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    page.parameters_panel.fit_button.click()
    better = ParameterSet(skill_model.parameters.default, {"siege": {"c": 3.25}})
    skill_model.fitting.pop()(FitResult(better, 449, 0, None, None))
    page.parameters_panel.apply_button.click()
    assert skill_model.used == [better]


def test_preset_fills_fields(page: SystemsPage, skill_model: FakeComparisonModel, qtbot: QtBot) -> None:
    panel = page.parameters_panel
    assert panel.preset_menu.text() == "Preset"
    skill_model.system, skill_model.parameters = "trueskill2", create_rating_system("trueskill2").parameters
    page.show_data(skill_model.state)
    assert panel.preset_menu.text() == "Shooter"
    assert [title for _, title in panel.preset_menu.choices] == ["Shooter", "Halo 5", "Classic TrueSkill"]
    panel.preset_menu.value_chosen.emit("halo5")
    assert (panel.preset_menu.text(), field(page, "m0").value, skill_model.used) == ("Halo 5", 3.0, [])
    write(page, qtbot, "v0", "1.5")
    assert panel.preset_menu.text() == "Preset"
    panel.preset_menu.value_chosen.emit("classic")
    panel.apply_button.click()
    assert skill_model.used == [create_rating_system("trueskill2", "classic").parameters]


def test_system_without_presets_has_no_menu(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    skill_model.system, skill_model.parameters = "elo-blog", create_rating_system("elo-blog").parameters
    page.show_data(skill_model.state)
    assert not page.parameters_panel.preset_menu.isVisibleTo(page)


def test_saved_parameters_are_loaded_again(
    page: SystemsPage, skill_model: FakeComparisonModel, qtbot: QtBot, tmp_path: Path
) -> None:
    panel, path = page.parameters_panel, tmp_path / "parameters.json"
    own = ParameterSet(skill_model.parameters.default, {"siege": {"c": 3.25}})
    panel.files.save_file("ns2", own, path)
    qtbot.waitUntil(lambda: panel.message_label.text() == "Saved: parameters.json")
    assert ParameterFile.read(str(path), ["ns2"]).parameters(RATING_SYSTEMS["ns2"]) == own
    write(page, qtbot, "c", "9")
    panel.files.load_file("ns2", path)
    qtbot.waitUntil(lambda: field(page, "c").value == own.default["c"])
    assert panel.message_label.text() == "Loaded from parameters.json. Select Apply to use them."
    panel.apply_button.click()
    assert skill_model.used == [own]


def test_file_dialogs_of_parameters(page: SystemsPage, qtbot: QtBot) -> None:
    panel = page.parameters_panel
    qtbot.mouseClick(panel.load_link, Qt.MouseButton.LeftButton)
    dialog = panel.files.dialog
    assert dialog is not None
    assert dialog.fileMode() == QFileDialog.FileMode.ExistingFile
    qtbot.mouseClick(panel.save_link, Qt.MouseButton.LeftButton)
    assert panel.files.dialog is not dialog
    assert panel.files.dialog is not None
    assert panel.files.dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
    panel.files.dialog.close()
    qtbot.waitUntil(lambda: panel.files.dialog is None)
    write(page, qtbot, "c", "x")
    assert not panel.save_link.isEnabled()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"system": "ns2",\n"default": {"c": -1}}', ":2: default.c: must be"),
        ('{"system": "elo-blog", "default": {}}', ":1: system: must be ns2"),
        ("not JSON", ":1: "),
        (None, "No such file"),
    ],
)
def test_bad_parameter_file_changes_nothing(
    page: SystemsPage, qtbot: QtBot, tmp_path: Path, text: str | None, problem: str
) -> None:
    panel, path = page.parameters_panel, tmp_path / "parameters.json"
    if text is not None:
        path.write_text(text, "utf-8")
    before = panel.edited_parameters()
    panel.files.load_file("ns2", path)
    qtbot.waitUntil(lambda: "The parameters cannot be used: " in panel.message_label.text())
    assert problem in panel.message_label.text()
    assert panel.edited_parameters() == before


def test_fit_of_other_system_is_dropped(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    page.parameters_panel.fit_button.click()
    skill_model.system, skill_model.parameters = "trueskill2", create_rating_system("trueskill2").parameters
    page.show_data(skill_model.state)
    before = page.parameters_panel.message_label.text()
    skill_model.fitting.pop()(FitResult(create_rating_system("ns2").parameters, 1, 0, None, None))
    assert page.parameters_panel.message_label.text() == before
