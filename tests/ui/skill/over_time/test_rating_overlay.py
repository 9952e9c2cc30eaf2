"""Overlays of the rating plot: players, other systems and sampled values."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from over_time_helpers import BEGIN, DAY, FakeOverlayModel, export_bytes, has_color, history, point_position, viewport
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from browser_app.number_text import GROUP_SEPARATOR
from browser_app.player.skill_sources import SkillSampleSeries, SkillSourceKind
from browser_app.ui.skill.over_time.over_time_page import OverTimePage
from browser_app.ui.skill.over_time.rating_overlay_controller import OverlayOption, OverlayPopup
from browser_app.ui.widgets.palette import LIGHT
from browser_app.ui.widgets.theme import Theme


def option_texts(popup: OverlayPopup) -> list[str]:
    """Return the texts of the listed options."""
    model = popup.list_view.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_player_overlay_shares_scale(page: OverTimePage, skill_model: FakeOverlayModel, qtbot: QtBot) -> None:
    control = page.overlay_controller
    qtbot.mouseClick(control.button, Qt.MouseButton.LeftButton)
    assert "moth, 61 rounds" in option_texts(control.popup)
    assert not any(line.startswith("me,") for line in option_texts(control.popup))
    qtbot.keyClicks(control.popup.search_edit, "mot")
    assert option_texts(control.popup) == ["moth, 61 rounds"]
    qtbot.keyClick(control.popup.search_edit, Qt.Key.Key_Return)
    then, query = skill_model.answers.pop()
    assert query == {"player": "p7", "system": None}
    then(history(61, seed=8, start=2100.0, player="p7"))
    assert control.button.text() == "moth"
    assert "moth" in page.legend.accessibleName()
    assert page.plot.plot_view.transform.high > 2100
    qtbot.mouseClick(control.button, Qt.MouseButton.LeftButton)
    assert page.plot.plot_view.transform.high < 2100
    assert "moth" not in page.legend.accessibleName()


def test_other_system_has_own_scale(page: OverTimePage, skill_model: FakeOverlayModel) -> None:
    before = page.plot.plot_view.transform
    page.overlay_controller.choose(page.overlay_controller.options()[0])
    then, query = skill_model.answers.pop()
    assert query == {"player": None, "system": "trueskill2"}
    then(history(start=1.2, system="trueskill2"))
    assert page.plot.plot_view.transform == before
    assert "TrueSkill 2, right scale" in page.legend.accessibleName()


def steam(*points: float, since: float = BEGIN + 20 * DAY, identity: str = "42") -> SkillSampleSeries:
    """Return in-game skill values, each read on 3 of 4 days."""
    times = np.array([since + 4 * DAY * number for number in range(len(points))])
    doubt = np.full(len(points), np.nan)
    return SkillSampleSeries(SkillSourceKind.STEAM, identity, "", times, times + 3 * DAY, np.array(points), doubt)


def xonstat(*points: float) -> SkillSampleSeries:
    course = steam(*points)
    return replace(course, source=SkillSourceKind.XONSTAT, mode="ctf", sd=np.full(len(points), 88.0))


def overlay_samples(page: OverTimePage, skill_model: FakeOverlayModel, *courses: SkillSampleSeries) -> None:
    """Choose the first of these series in the popup."""
    skill_model.courses = courses
    page.overlay_controller.button.click()
    page.overlay_controller.choose(
        next(offer for offer in page.overlay_controller.options() if offer.key.startswith("sampled:"))
    )
    page.overlay_controller.popup.close()
    QApplication.processEvents()


def on_line(page: OverTimePage, number: int) -> QPoint:
    """Return the middle of a sample's line, in widget coordinates."""
    view, course = page.plot.plot_view, page._plot_data.sampled_overlay if page._plot_data else None
    assert course is not None
    beside = page.plot._axes.overlay_transform(view.transform)
    at = QPointF(float(beside.x(course.first_read[number] + 2 * DAY)), float(beside.y(course.points[number])))
    inside: QPoint = view.widget.mapFromScene(view.view_box.mapToScene(at))
    return inside


def test_no_sample_options_without_samples(page: OverTimePage) -> None:
    page.overlay_controller.button.click()
    assert not any(offer.key.startswith("sampled:") for offer in page.overlay_controller.options())
    assert "p7" in page.overlay_controller.options()[-2].key


def test_sample_overlay_shares_scale(page: OverTimePage, skill_model: FakeOverlayModel, qtbot: QtBot) -> None:
    overlay_samples(page, skill_model, steam(2100.0, 2140.0, 2120.0))
    assert option_texts(page.overlay_controller.popup)[2] == "In-game skill, 3 samples"
    assert "In-game skill, sampled" in page.legend.accessibleName()
    assert page._legend_entries()[1].kind == "sampled"
    assert page.plot.plot_view.transform.high > 2140
    assert page.plot._axes.right_ticks is None
    description = page.plot.accessibleDescription()
    assert "In-game skill, 3 samples, 17 Apr" in description
    assert description.endswith(f"latest 2{GROUP_SEPARATOR}120")
    assert has_color(page.plot.grab().toImage(), LIGHT.plot2, 60, 980)
    qtbot.mouseMove(viewport(page), on_line(page, 1))
    assert (page.plot.highlighted_round, page.plot.highlighted_sample) == (-1, 1)
    description = page.plot.accessibleDescription()
    assert description.startswith(f"In-game skill: 2{GROUP_SEPARATOR}140. Read from 21 Apr")
    qtbot.mouseMove(viewport(page), point_position(page, 40))
    assert page.plot.highlighted_sample == -1
    assert page.plot.highlighted_round >= 0


def test_page_keys_step_through_samples(page: OverTimePage, skill_model: FakeOverlayModel, qtbot: QtBot) -> None:
    qtbot.keyClick(page.plot, Qt.Key.Key_PageUp)
    assert page.plot.highlighted_sample == -1
    overlay_samples(page, skill_model, steam(1600.0, 1610.0))
    for key, sample in ((Qt.Key.Key_PageUp, 1), (Qt.Key.Key_PageUp, 0), (Qt.Key.Key_PageDown, 1)):
        qtbot.keyClick(page.plot, key)
        assert page.plot.highlighted_sample == sample
    qtbot.keyClick(page.plot, Qt.Key.Key_Escape)
    assert page.plot.highlighted_sample == -1


def test_samples_of_other_scale_use_right_axis(page: OverTimePage, skill_model: FakeOverlayModel) -> None:
    before = page.plot.plot_view.transform
    overlay_samples(page, skill_model, xonstat(24.0, 25.5))
    assert (page.plot.plot_view.transform.low, page.plot.plot_view.transform.high) == (before.low, before.high)
    assert "XonStat skill, ctf, sampled, right scale" in page.legend.accessibleName()
    assert page.plot._axes.overlay_range is not None
    low, high = page.plot._axes.overlay_range
    assert low < 24.0 < 25.5 < high


def test_newer_samples_become_visible(page: OverTimePage, skill_model: FakeOverlayModel) -> None:
    last = float(page._plot_data.curve.time[-1])  # type: ignore[union-attr]
    overlay_samples(page, skill_model, steam(1600.0, 1610.0, since=last + 200 * DAY))
    assert page.plot.plot_view.transform.last >= last + 207 * DAY
    page.time_range_picker.select(1)
    assert page.plot.visible_points == slice(214, 214)  # the week up to the newest reading
    assert has_color(page.plot.grab().toImage(), LIGHT.plot2, 60, 980)


def test_new_samples_update_overlay(page: OverTimePage, skill_model: FakeOverlayModel) -> None:
    overlay_samples(page, skill_model, steam(1600.0))
    skill_model.courses = (steam(1600.0, 1610.0),)
    page.show_sources()
    assert page._plot_data is not None
    assert page._plot_data.sampled_overlay is not None
    assert page._plot_data.sampled_overlay.points.tolist() == [1600.0, 1610.0]
    page.overlay_controller.remove_overlay()
    page.show_sources()
    assert page.overlay_controller.overlay is None


def test_csv_has_sample_rows(page: OverTimePage, skill_model: FakeOverlayModel) -> None:
    overlay_samples(page, skill_model, xonstat(1796.4, 1800.25))
    rows = list(csv.DictReader(io.StringIO(export_bytes(page, "csv").decode())))
    assert [row["kind"] for row in rows] == ["round"] * 214 + ["sampled"] * 2
    assert {name: value for name, value in rows[-1].items() if value} == {
        "series": "XonStat skill, ctf, sampled, right scale",
        "started": "2026-04-21T10:00:00+00:00",
        "duration_s": "259200.0",
        "mode": "ctf",
        "after": "1800.25",
        "sd": "88.0",
        "sd_from": "xonstat",
        "kind": "sampled",
    }


def test_player_name_is_no_markup(page: OverTimePage, skill_model: FakeOverlayModel) -> None:
    page.overlay_controller.choose(OverlayOption("player:p7", '<img src="//x/y.png">moth'))
    skill_model.answers.pop()[0](history(61, seed=8))
    assert "&lt;img" in page.overlay_controller.button.toolTip()
    assert "<img" not in page.overlay_controller.button.toolTip()


def test_late_overlay_is_dropped(page: OverTimePage, skill_model: FakeOverlayModel) -> None:
    page.overlay_controller.choose(OverlayOption("player:p7", "moth"))
    late = skill_model.answers.pop()[0]
    page.overlay_controller.remove_overlay()
    late(history(61, seed=8))
    assert page.overlay_controller.overlay is None
    page.overlay_controller.choose(OverlayOption("player:p7", "moth"))
    skill_model.answers.pop()[0](history(61, seed=8))
    page.show_data(None)
    assert page.overlay_controller.overlay is None
    assert not page.overlay_controller.button.isEnabled()


def test_popup_limits_matches(theme: Theme, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    picker = OverlayPopup(theme, parent)
    chosen: list[OverlayOption] = []
    picker.option_chosen.connect(chosen.append)
    picker.show_options([OverlayOption(f"player:{number}", f"name {number}") for number in range(5000)])
    assert len(option_texts(picker)) == 200
    picker.search_edit.setText("4999")
    picker.search_edit.textEdited.emit("4999")
    assert option_texts(picker) == ["name 4999"]
    qtbot.keyClick(picker.search_edit, Qt.Key.Key_Enter)
    assert chosen == [OverlayOption("player:4999", "name 4999")]


@pytest.mark.parametrize("kind", ["system:elo-xonstat", "player:p7"])
def test_unrated_overlay_is_empty(page: OverTimePage, skill_model: FakeOverlayModel, kind: str) -> None:
    page.overlay_controller.choose(OverlayOption(kind, "Another"))
    unrated = history(5, after=np.full(5, np.nan), before=np.full(5, np.nan), sd=np.full(5, np.nan))
    skill_model.answers.pop()[0](unrated)
    assert page.overlay_controller.overlay is not None
    assert page.overlay_controller.overlay.title == "Another, no rated rounds"
    page.grab()
    assert export_bytes(page, "svg")
    assert export_bytes(page, "csv").count(b"Another") == 5
