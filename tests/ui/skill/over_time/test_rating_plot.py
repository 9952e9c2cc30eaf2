"""The rating plot in a window: keys, pointer, wheel, ranges, import of pyqtgraph."""

import csv
import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from over_time_helpers import (
    DAY,
    SIZE,
    FakeOverlayModel,
    export_bytes,
    has_color,
    history,
    point_position,
    state_of,
    viewport,
)
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from skill_view_helpers import example_state

from browser_app.ui.skill.over_time.over_time_page import OverTimePage, TimeRangePicker
from browser_app.ui.skill.over_time.over_time_text import round_tooltip
from browser_app.ui.widgets.palette import LIGHT, PALETTES
from browser_app.ui.widgets.theme import Theme


def seen_days(page: OverTimePage) -> float:
    return (page.plot.plot_view.transform.last - page.plot.plot_view.transform.first) / DAY


def turn_wheel(page: OverTimePage, steps: int, where: QPoint) -> None:
    view = viewport(page)
    event = QWheelEvent(
        QPointF(where), QPointF(view.mapToGlobal(where)), QPoint(), QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)


def test_keys_step_through_rounds(page: OverTimePage, qtbot: QtBot) -> None:
    plot, example = page.plot, history()
    requested: list[str] = []
    page.round_requested.connect(requested.append)
    page.time_range_picker.select(1)
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert plot.highlighted_round == 213
    assert plot.accessibleDescription() == round_tooltip(example, 213).accessible_text
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert plot.accessibleDescription() == round_tooltip(example, 212).accessible_text
    qtbot.keyClick(plot, Qt.Key.Key_Home)
    assert plot.highlighted_round == 0
    assert plot.visible_points.start == 0
    assert plot.visible_points.stop > 0
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert plot.highlighted_round == 0
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert requested == ["r0"]
    qtbot.keyClick(plot, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == round_tooltip(example, 0).accessible_text
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert plot.highlighted_round == -1
    assert plot.accessibleDescription().startswith("7 rounds, ")  # the summary again


def test_pointer_highlights_round(page: OverTimePage, qtbot: QtBot) -> None:
    requested: list[str] = []
    page.round_requested.connect(requested.append)
    qtbot.mouseMove(viewport(page), point_position(page, 40))
    assert abs(page.plot.highlighted_round - 40) <= 1
    qtbot.mouseDClick(viewport(page), Qt.MouseButton.LeftButton, pos=point_position(page, 40))
    assert requested == [f"r{page.plot.highlighted_round}"]


def test_wheel_and_keys_zoom(page: OverTimePage, qtbot: QtBot) -> None:
    whole = seen_days(page)
    turn_wheel(page, 4, QPoint(500, 200))
    zoomed = seen_days(page)
    assert zoomed < whole * 0.8
    qtbot.keyClick(page.plot, Qt.Key.Key_Minus)
    assert seen_days(page) > zoomed
    turn_wheel(page, -60, QPoint(500, 200))
    first, last = page.plot.plot_view.transform.first, page.plot.plot_view.transform.last
    assert first <= page.plot._plot_data.curve.time[0]  # type: ignore[union-attr]
    assert (last - first) < 3 * whole * DAY
    turn_wheel(page, 400, QPoint(500, 200))
    assert seen_days(page) >= 2 / 24 - 1e-6


def test_dragging_scrolls_time_only(page: OverTimePage, qtbot: QtBot) -> None:
    page.time_range_picker.select(2)
    before = page.plot.plot_view.transform
    view = viewport(page)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(400, 200))
    for left in range(410, 520, 10):
        qtbot.mouseMove(view, QPoint(left, 260))
        QApplication.processEvents()
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(520, 260))
    after = page.plot.plot_view.transform
    assert after.last < before.last
    assert after.last - after.first == pytest.approx(before.last - before.first)


@pytest.mark.parametrize(("place", "days"), [(0, 1), (1, 7), (2, 30), (3, 91)])
def test_time_range_ends_at_newest_round(page: OverTimePage, place: int, days: float) -> None:
    page.time_range_picker.select(place)
    assert days <= seen_days(page) <= days * 1.1
    assert page.plot.visible_points.stop == 214
    page.time_range_picker.select(5)
    assert page.plot.visible_points == slice(0, 214)
    assert page.note_label.text().startswith("214 rounds, ")


def test_narrow_range_picker_is_menu(theme: Theme, qtbot: QtBot) -> None:
    ranges = TimeRangePicker(theme)
    qtbot.addWidget(ranges)
    ranges.show()
    chosen: list[int] = []
    ranges.range_chosen.connect(chosen.append)
    for width, switch in ((400, True), (120, False), (400, True)):
        ranges.resize(width, 28)
        assert (ranges.segments.isHidden(), ranges.menu.isHidden()) == (not switch, switch)
    ranges.menu.value_chosen.emit("1")
    assert chosen == [1]
    assert (ranges.menu.text(), ranges.segments.currentIndex()) == ("Week", 1)
    qtbot.mouseClick(ranges.segments, Qt.MouseButton.LeftButton, pos=ranges.segments.tabRect(1).center())
    assert chosen == [1, 1]  # chosen again: back to the newest round


def test_gaps_are_not_bridged(page: OverTimePage) -> None:
    curve = page._plot_data.curve  # type: ignore[union-attr]
    before = int(curve.segment_starts[1]) - 1
    picture = viewport(page).grab().toImage()
    left, right = point_position(page, before).x(), point_position(page, before + 1).x()
    assert right - left > 50
    assert has_color(picture, LIGHT.plot1, left - 60, left - 2)
    assert has_color(picture, LIGHT.plot1, right + 2, right + 60)
    assert not has_color(picture, LIGHT.plot1, left + 8, right - 8)


def test_outcome_markers_differ(page: OverTimePage) -> None:
    pictures = []
    for outcome in (1.0, 0.0, 0.5):
        state = state_of(history(30, doubt=False, outcome=np.full(30, outcome)))
        page.show_data(replace(state, now=replace(state.now, tier=None)))  # no labels with antialiased greys
        QApplication.processEvents()
        pictures.append(viewport(page).grab().toImage())
    for number, role in enumerate(("win", "loss", "draw")):
        assert [has_color(picture, getattr(LIGHT, role), 60, SIZE[0]) for picture in pictures] == [
            place == number for place in range(3)
        ]


def test_colours_follow_theme(page: OverTimePage, theme: Theme) -> None:
    for name in ("dark", "contrast", "light"):
        theme.set_theme(name)
        QApplication.processEvents()
        picture = viewport(page).grab().toImage()
        assert picture.pixelColor(3, 3) == QColor(PALETTES[name].surface)
        left, right = point_position(page, 0).x(), point_position(page, 40).x()
        assert has_color(picture, PALETTES[name].plot1, left, right)


def test_many_rounds_have_no_markers(page: OverTimePage, skill_model: FakeOverlayModel) -> None:
    many = history(100_000, days=2000.0)
    skill_model.show(state_of(many))
    page.show_data(skill_model.state)
    page.time_range_picker.select(0)
    page.time_range_picker.select(5)
    assert page.plot.is_crowded
    viewport(page).grab()
    assert page.note_label.text().endswith("Zoom in to see individual rounds.")
    scale = page.plot.plot_view.transform
    for extreme in (many.after.argmin(), many.after.argmax()):
        assert scale.low < many.after[extreme] < scale.high


def test_time_axis_is_not_mirrored(page: OverTimePage, qapp: QApplication) -> None:
    page.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    QApplication.processEvents()
    assert point_position(page, 0).x() < point_position(page, 213).x()
    axis, view = page.plot.plot_view._left_axis, page.plot.plot_view.view_box
    assert axis.scenePos().x() < view.scenePos().x()


def test_empty_and_unrated_histories(page: OverTimePage, skill_model: FakeOverlayModel) -> None:
    page.show_data(None)
    assert page.note_label.text() == ""
    assert page.plot.accessibleDescription() == ""
    unrated = history(3, after=np.full(3, np.nan), skip_reason=("one_side_empty",) * 3)
    page.show_data(state_of(unrated))
    assert page.note_label.text() == "None of your rounds could be rated."


def test_note_explains_constant_hindsight(page: OverTimePage) -> None:
    of = example_state().history
    flat = replace(of, before=np.full(len(of), 1200.0), after=np.full(len(of), 1200.0))
    hint = "With hindsight, this system has one rating for all rounds."
    page.show_data(replace(state_of(flat), full_history=True))
    assert page.note_label.text().endswith(hint)
    page.show_data(state_of(flat))
    assert hint not in page.note_label.text()
    page.plot.setFocus()


def test_estimated_uncertainty_is_labelled(page: OverTimePage) -> None:
    page.show_data(state_of(history(sd_from="gradients")))
    assert "90 % range, estimated" in page.legend.accessibleName()
    rows = csv.DictReader(io.StringIO(export_bytes(page, "csv").decode()))
    assert {row["sd_from"] for row in rows} == {"gradients"}
    page.show_data(state_of(history()))
    assert "estimated" not in page.legend.accessibleName()
    rows = csv.DictReader(io.StringIO(export_bytes(page, "csv").decode()))
    assert {row["sd_from"] for row in rows} == {"system"}


def test_separate_modes_are_separate_curves(theme: Theme, qtbot: QtBot) -> None:
    first = example_state("trueskill2")
    page = OverTimePage(theme, FakeOverlayModel(first))
    qtbot.addWidget(page)
    qtbot.addWidget(page.header_controls())
    page.show_data(first)
    assert page._plot_data is not None
    modes = set(first.history.mode[page._plot_data.curve.history_row].tolist())
    assert len(modes) == 1
    mode = first.history.modes[modes.pop()]
    assert f"Your rating in {mode}" in page.legend.accessibleName()
    other = next(offer for offer in page.overlay_controller.options() if offer.key.startswith("mode:"))
    page.overlay_controller.choose(other)
    overlay = page.overlay_controller.overlay
    assert overlay is not None
    assert len(page._plot_data.curve) + len(overlay.curve) == int((~np.isnan(first.history.after)).sum())


def test_pyqtgraph_is_imported_by_page_only(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from unittest.mock import MagicMock\n"
        "from browser_app.app import run_program\n"
        "assert run_program(sys.argv[1:]) == 0\n"
        "import browser_app.ui.skill.skill_pages, browser_app.ui.skill.over_time.over_time_page\n"
        "import browser_app.ui.skill.systems.systems_page\n"
        "assert 'pyqtgraph' not in sys.modules, 'window'\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from browser_app.ui.widgets.theme import Theme\n"
        "app = QApplication.instance() or QApplication([])\n"
        "page = browser_app.ui.skill.over_time.over_time_page.OverTimePage(Theme(app), MagicMock())\n"
        "assert 'pyqtgraph' in sys.modules, 'page'\n"
    )
    picture, nobody = tmp_path / "window.png", tmp_path / "servers.json"
    nobody.write_text('{"servers": []}', encoding="utf-8")
    command = ("screenshot", "--master", f"file:{nobody}", "--view", "skill", str(picture))
    subprocess.run([sys.executable, "-c", program, *command], check=True)
    assert picture.exists()
