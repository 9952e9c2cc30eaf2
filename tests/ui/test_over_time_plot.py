"""Over time in a window: keys, pointer, wheel, ranges, overlays, files, and that pyqtgraph is not there before."""

import csv
import io
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from over_time_rig import BEGIN, DAY, history
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from skill_view_rig import FakePanel, shown

from browser_app.bridge.skill.shown import GameRecord, Shown
from browser_app.player.own_history import OwnHistory
from browser_app.player.sampled_course import SampledCourse
from browser_app.player.sources import SourceKind
from browser_app.ui.palette import LIGHT, PALETTES
from browser_app.ui.skill.over_time.overlay_picker import Offer, OverlayPicker
from browser_app.ui.skill.over_time.page import OverTimePage
from browser_app.ui.skill.over_time.ranges import RangeChoice
from browser_app.ui.skill.over_time.words import round_words
from browser_app.ui.texts import THIN_SPACE
from browser_app.ui.theme import Theme

SIZE = (1000, 620)


class Panel(FakePanel):
    """Answers what can be laid over."""

    def __init__(self, first: Shown) -> None:
        super().__init__(first)
        self.answers: list[tuple[Callable[[OwnHistory], object], dict[str, str | None]]] = []
        self.courses: tuple[SampledCourse, ...] = ()

    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, name)

    def other_history(
        self, then: Callable[[OwnHistory], object], *, player: str | None = None, system: str | None = None
    ) -> None:
        self.answers.append((then, {"player": player, "system": system}))

    def sampled(self, then: Callable[[Sequence[SampledCourse]], object]) -> None:
        then(self.courses)

    def players(self, then: Callable[[Sequence[tuple[str, str, int]]], object]) -> None:
        then([("p0", "me", 214), ("p7", "moth", 61), ("p1", "harrow", 57)])


def data(of: OwnHistory) -> Shown:
    """The user with these rounds."""
    return Shown(GameRecord("ns2", "Natural Selection 2", 642, len(of)), of.system, of, shown().now, 0.0, False)


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, "light")


@pytest.fixture
def panel() -> Panel:
    return Panel(data(history()))


@pytest.fixture
def page(theme: Theme, panel: Panel, qtbot: QtBot) -> OverTimePage:
    page = OverTimePage(theme, panel)
    qtbot.addWidget(page)
    qtbot.addWidget(page.header_controls())
    page.resize(*SIZE)
    page.show()
    page.activateWindow()
    qtbot.waitExposed(page)
    page.show_data(panel.shown)
    QApplication.processEvents()
    return page


def viewport(page: OverTimePage) -> QWidget:
    widget: QWidget = page.plot.stage.widget.viewport()
    return widget


def spot(page: OverTimePage, point: int) -> QPoint:
    """Where a round is drawn, in the graphics' own pixels."""
    stage, trace = page.plot.stage, page._picture.trace if page._picture else None
    assert trace is not None
    at = QPointF(float(stage.scale.left(trace.time[point])), float(stage.scale.top(trace.value[point])))
    inside: QPoint = stage.widget.mapFromScene(stage.view.mapToScene(at))
    return inside


def seen_days(page: OverTimePage) -> float:
    return (page.plot.stage.scale.last - page.plot.stage.scale.first) / DAY


def turn_wheel(page: OverTimePage, steps: int, where: QPoint) -> None:
    view = viewport(page)
    event = QWheelEvent(
        QPointF(where), QPointF(view.mapToGlobal(where)), QPoint(), QPoint(0, 120 * steps),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)


def test_the_keys_walk_the_rounds_and_bring_them_into_sight(page: OverTimePage, qtbot: QtBot) -> None:
    plot, told = page.plot, history()
    wanted: list[str] = []
    page.round_wanted.connect(wanted.append)
    page.ranges.choose(1)
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert plot.point == 213
    assert plot.accessibleDescription() == round_words(told, 213).spoken
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert plot.accessibleDescription() == round_words(told, 212).spoken
    qtbot.keyClick(plot, Qt.Key.Key_Home)
    assert plot.point == 0
    assert plot.points.start == 0
    assert plot.points.stop > 0
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert plot.point == 0
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert wanted == ["r0"]
    qtbot.keyClick(plot, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == round_words(told, 0).spoken
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert plot.point == -1
    assert plot.accessibleDescription().endswith(tuple("0123456789"))  # the picture as a whole


def test_the_pointer_tells_the_round_under_it_and_a_double_click_opens_it(page: OverTimePage, qtbot: QtBot) -> None:
    wanted: list[str] = []
    page.round_wanted.connect(wanted.append)
    qtbot.mouseMove(viewport(page), spot(page, 40))
    assert abs(page.plot.point - 40) <= 1
    qtbot.mouseDClick(viewport(page), Qt.MouseButton.LeftButton, pos=spot(page, 40))
    assert wanted == [f"r{page.plot.point}"]


def test_wheel_and_keys_zoom_and_the_newest_stays_reachable(page: OverTimePage, qtbot: QtBot) -> None:
    whole = seen_days(page)
    turn_wheel(page, 4, QPoint(500, 200))
    zoomed = seen_days(page)
    assert zoomed < whole * 0.8
    qtbot.keyClick(page.plot, Qt.Key.Key_Minus)
    assert seen_days(page) > zoomed
    turn_wheel(page, -60, QPoint(500, 200))
    first, last = page.plot.stage.scale.first, page.plot.stage.scale.last
    assert first <= page.plot._picture.trace.time[0]  # type: ignore[union-attr]
    assert (last - first) < 3 * whole * DAY
    turn_wheel(page, 400, QPoint(500, 200))
    assert seen_days(page) >= 2 / 24 - 1e-6


def test_dragging_moves_the_time_and_not_the_values(page: OverTimePage, qtbot: QtBot) -> None:
    page.ranges.choose(2)
    before = page.plot.stage.scale
    view = viewport(page)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(400, 200))
    for left in range(410, 520, 10):
        qtbot.mouseMove(view, QPoint(left, 260))
        QApplication.processEvents()
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPoint(520, 260))
    after = page.plot.stage.scale
    assert after.last < before.last
    assert after.last - after.first == pytest.approx(before.last - before.first)


@pytest.mark.parametrize(("place", "days"), [(0, 1), (1, 7), (2, 30), (3, 91)])
def test_a_range_ends_at_the_newest_round(page: OverTimePage, place: int, days: float) -> None:
    page.ranges.choose(place)
    assert days <= seen_days(page) <= days * 1.1
    assert page.plot.points.stop == 214
    page.ranges.choose(5)
    assert page.plot.points == slice(0, 214)
    assert page.note.text().startswith("214 rounds, ")


def test_the_range_is_a_menu_where_there_is_no_room_for_the_switch(theme: Theme, qtbot: QtBot) -> None:
    ranges = RangeChoice(theme)
    qtbot.addWidget(ranges)
    ranges.show()
    chosen: list[int] = []
    ranges.chosen.connect(chosen.append)
    for width, switch in ((400, True), (120, False), (400, True)):
        ranges.resize(width, 28)
        assert (ranges.switch.isHidden(), ranges.menu.isHidden()) == (not switch, switch)
    ranges.menu.chosen.emit("1")
    assert chosen == [1]
    assert (ranges.menu.text(), ranges.switch.currentIndex()) == ("Week", 1)
    qtbot.mouseClick(ranges.switch, Qt.MouseButton.LeftButton, pos=ranges.switch.tabRect(1).center())
    assert chosen == [1, 1]  # once more: back to the newest


def drawn(picture: QImage, color: str, left: int, right: int) -> bool:
    """Whether a colour is anywhere between two columns."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), np.uint32).reshape(plain.height(), plain.width()) & 0xFFFFFF
    return bool((pixels[:, left:right] == int(color.removeprefix("#"), 16)).any())


def test_nothing_is_drawn_across_a_gap(page: OverTimePage) -> None:
    trace = page._picture.trace  # type: ignore[union-attr]
    before = int(trace.starts[1]) - 1
    picture = viewport(page).grab().toImage()
    left, right = spot(page, before).x(), spot(page, before + 1).x()
    assert right - left > 50
    assert drawn(picture, LIGHT.plot1, left - 60, left - 2)
    assert drawn(picture, LIGHT.plot1, right + 2, right + 60)
    assert not drawn(picture, LIGHT.plot1, left + 8, right - 8)


def test_outcomes_differ_by_shape_and_colour(page: OverTimePage) -> None:
    pictures = []
    for outcome in (1.0, 0.0, 0.5):
        page.show_data(data(history(30, outcome=np.full(30, outcome))))
        QApplication.processEvents()
        pictures.append(viewport(page).grab().toImage())
    for number, role in enumerate(("win", "loss", "draw")):
        assert [drawn(picture, getattr(LIGHT, role), 60, SIZE[0]) for picture in pictures] == [
            place == number for place in range(3)
        ]


def test_colours_follow_the_theme_at_once(page: OverTimePage, theme: Theme) -> None:
    for name in ("dark", "contrast", "light"):
        theme.choose(name)
        QApplication.processEvents()
        picture = viewport(page).grab().toImage()
        assert picture.pixelColor(3, 3) == QColor(PALETTES[name].surface)
        left, right = spot(page, 0).x(), spot(page, 40).x()
        assert drawn(picture, PALETTES[name].plot1, left, right)


def test_a_hundred_thousand_rounds_are_drawn_without_signs_and_say_so(page: OverTimePage, panel: Panel) -> None:
    many = history(100_000, days=2000.0)
    panel.show(data(many))
    page.show_data(panel.shown)
    page.ranges.choose(0)
    page.ranges.choose(5)
    assert page.plot.crowded
    viewport(page).grab()
    assert page.note.text().endswith("Zoom in to see single rounds.")
    scale = page.plot.stage.scale
    for extreme in (many.after.argmin(), many.after.argmax()):
        assert scale.low < many.after[extreme] < scale.high


def test_time_runs_from_left_to_right_in_every_language(page: OverTimePage, qapp: QApplication) -> None:
    page.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    QApplication.processEvents()
    assert spot(page, 0).x() < spot(page, 213).x()
    axis, view = page.plot.stage._left, page.plot.stage.view
    assert axis.scenePos().x() < view.scenePos().x()


def test_a_player_is_laid_over_on_the_same_scale(page: OverTimePage, panel: Panel, qtbot: QtBot) -> None:
    control = page.overlay
    qtbot.mouseClick(control.button, Qt.MouseButton.LeftButton)
    assert "moth, 61 rounds" in control.picker.lines()
    assert not any(line.startswith("me,") for line in control.picker.lines())
    qtbot.keyClicks(control.picker.field, "mot")
    assert control.picker.lines() == ["moth, 61 rounds"]
    qtbot.keyClick(control.picker.field, Qt.Key.Key_Return)
    then, asked = panel.answers.pop()
    assert asked == {"player": "p7", "system": None}
    then(history(61, seed=8, start=2100.0, player="p7"))
    assert control.button.text() == "moth"
    assert "moth" in page.legend.accessibleName()
    assert page.plot.stage.scale.high > 2100
    qtbot.mouseClick(control.button, Qt.MouseButton.LeftButton)
    assert page.plot.stage.scale.high < 2100
    assert "moth" not in page.legend.accessibleName()


def test_another_system_has_a_scale_of_its_own(page: OverTimePage, panel: Panel) -> None:
    before = page.plot.stage.scale
    page.overlay.choose(page.overlay.offers()[0])
    then, asked = panel.answers.pop()
    assert asked == {"player": None, "system": "trueskill2"}
    then(history(start=1.2, system="trueskill2"))
    assert page.plot.stage.scale == before
    assert "TrueSkill 2, right scale" in page.legend.accessibleName()


def steam(*points: float, since: float = BEGIN + 20 * DAY, identity: str = "42") -> SampledCourse:
    """Values of the game, each read for 3 of 4 days."""
    times = np.array([since + 4 * DAY * number for number in range(len(points))])
    doubt = np.full(len(points), np.nan)
    return SampledCourse(SourceKind.STEAM, identity, "", times, times + 3 * DAY, np.array(points), doubt)


def xonstat(*points: float) -> SampledCourse:
    course = steam(*points)
    return replace(course, source=SourceKind.XONSTAT, mode="ctf", sd=np.full(len(points), 88.0))


def lay(page: OverTimePage, panel: Panel, *courses: SampledCourse) -> None:
    """Lay the first one over, from the menu."""
    panel.courses = courses
    page.overlay.button.click()
    page.overlay.choose(next(offer for offer in page.overlay.offers() if offer.key.startswith("sampled:")))
    page.overlay.picker.close()
    QApplication.processEvents()


def on_line(page: OverTimePage, number: int) -> QPoint:
    """In the middle of where a value of the service holds, in the graphics' own pixels."""
    stage, course = page.plot.stage, page._picture.sampled if page._picture else None
    assert course is not None
    beside = page.plot._axes.beside(stage.scale)
    at = QPointF(float(beside.left(course.since[number] + 2 * DAY)), float(beside.top(course.points[number])))
    inside: QPoint = stage.widget.mapFromScene(stage.view.mapToScene(at))
    return inside


def test_without_samples_none_are_offered(page: OverTimePage) -> None:
    page.overlay.button.click()
    assert not any(offer.key.startswith("sampled:") for offer in page.overlay.offers())
    assert "p7" in page.overlay.offers()[-2].key


def test_what_the_game_said_is_laid_over_on_the_same_scale(page: OverTimePage, panel: Panel, qtbot: QtBot) -> None:
    lay(page, panel, steam(2100.0, 2140.0, 2120.0))
    assert page.overlay.picker.lines()[2] == "What the game said, 3 samples"
    assert "What the game said, sampled" in page.legend.accessibleName()
    assert page._entries()[1].kind == "sampled"
    assert page.plot.stage.scale.high > 2140
    assert page.plot._axes.right is None
    description = page.plot.accessibleDescription()
    assert ". What the game said, 3 samples, 17 Apr" in description
    assert description.endswith(f"the last one 2{THIN_SPACE}120")
    assert drawn(page.plot.grab().toImage(), LIGHT.plot2, 60, 980)
    qtbot.mouseMove(viewport(page), on_line(page, 1))
    assert (page.plot.point, page.plot.sample) == (-1, 1)
    told = page.plot.accessibleDescription()
    assert told.startswith(f"What the game said: 2{THIN_SPACE}140. Read from 21 Apr")
    qtbot.mouseMove(viewport(page), spot(page, 40))
    assert page.plot.sample == -1
    assert page.plot.point >= 0


def test_keys_walk_what_was_read(page: OverTimePage, panel: Panel, qtbot: QtBot) -> None:
    qtbot.keyClick(page.plot, Qt.Key.Key_PageUp)
    assert page.plot.sample == -1
    lay(page, panel, steam(1600.0, 1610.0))
    for key, sample in ((Qt.Key.Key_PageUp, 1), (Qt.Key.Key_PageUp, 0), (Qt.Key.Key_PageDown, 1)):
        qtbot.keyClick(page.plot, key)
        assert page.plot.sample == sample
    qtbot.keyClick(page.plot, Qt.Key.Key_Escape)
    assert page.plot.sample == -1


def test_another_scale_is_on_the_right(page: OverTimePage, panel: Panel) -> None:
    before = page.plot.stage.scale
    lay(page, panel, xonstat(24.0, 25.5))
    assert (page.plot.stage.scale.low, page.plot.stage.scale.high) == (before.low, before.high)
    assert "What XonStat said, ctf, sampled, right scale" in page.legend.accessibleName()
    assert page.plot._axes.over is not None
    low, high = page.plot._axes.over
    assert low < 24.0 < 25.5 < high


def test_values_read_after_the_last_round_come_into_sight(page: OverTimePage, panel: Panel) -> None:
    last = float(page._picture.trace.time[-1])  # type: ignore[union-attr]
    lay(page, panel, steam(1600.0, 1610.0, since=last + 200 * DAY))
    assert page.plot.stage.scale.last >= last + 207 * DAY
    page.ranges.choose(1)
    assert page.plot.points == slice(214, 214)  # the week up to the newest reading
    assert drawn(page.plot.grab().toImage(), LIGHT.plot2, 60, 980)


def test_new_readings_are_shown_at_once(page: OverTimePage, panel: Panel) -> None:
    lay(page, panel, steam(1600.0))
    panel.courses = (steam(1600.0, 1610.0),)
    page.show_sources()
    assert page._picture is not None
    assert page._picture.sampled is not None
    assert page._picture.sampled.points.tolist() == [1600.0, 1610.0]
    page.overlay.take_off()
    page.show_sources()
    assert page.overlay.overlay is None


def test_csv_has_what_was_read_as_rows_of_their_own(page: OverTimePage, panel: Panel) -> None:
    lay(page, panel, xonstat(1796.4, 1800.25))
    rows = list(csv.DictReader(io.StringIO(content(page, "csv").decode())))
    assert [row["kind"] for row in rows] == ["round"] * 214 + ["sampled"] * 2
    assert {name: value for name, value in rows[-1].items() if value} == {
        "series": "What XonStat said, ctf, sampled, right scale",
        "started": "2026-04-21T10:00:00+00:00",
        "duration_s": "259200.0",
        "mode": "ctf",
        "after": "1800.25",
        "sd": "88.0",
        "sd_from": "xonstat",
        "kind": "sampled",
    }


def test_an_answer_that_comes_too_late_is_not_shown(page: OverTimePage, panel: Panel) -> None:
    page.overlay.choose(Offer("player:p7", "moth"))
    late = panel.answers.pop()[0]
    page.overlay.take_off()
    late(history(61, seed=8))
    assert page.overlay.overlay is None
    page.overlay.choose(Offer("player:p7", "moth"))
    panel.answers.pop()[0](history(61, seed=8))
    page.show_data(None)
    assert page.overlay.overlay is None
    assert not page.overlay.button.isEnabled()


def test_the_picker_shows_few_lines_and_finds_all(theme: Theme, qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    picker = OverlayPicker(theme, parent)
    chosen: list[Offer] = []
    picker.chosen.connect(chosen.append)
    picker.show_offers([Offer(f"player:{number}", f"name {number}") for number in range(5000)])
    assert len(picker.lines()) == 200
    picker.field.setText("4999")
    picker.field.textEdited.emit("4999")
    assert picker.lines() == ["name 4999"]
    qtbot.keyClick(picker.field, Qt.Key.Key_Enter)
    assert chosen == [Offer("player:4999", "name 4999")]


def content(page: OverTimePage, kind: str) -> bytes:
    return page._content(kind)()


def test_csv_has_a_header_and_all_digits(page: OverTimePage) -> None:
    told = history()
    rows = list(csv.DictReader(io.StringIO(content(page, "csv").decode())))
    assert len(rows) == 214
    assert [float(row["after"]) for row in rows] == told.after.tolist()
    assert [float(row["chance"]) for row in rows] == told.probability.tolist()
    assert rows[0]["started"].startswith("2026-03-28T")
    assert rows[0]["started"].endswith("+00:00")
    assert {row["series"] for row in rows} == {"You"}
    assert rows[0]["server"] == ""


def test_csv_has_the_overlay_too_and_no_formulas(page: OverTimePage, panel: Panel) -> None:
    page.overlay.choose(Offer("player:p7", "=cmd()"))
    panel.answers.pop()[0](history(5, maps=("=1+1", "b", "c"), map=np.zeros(5, np.int32), sd=np.full(5, np.nan)))
    rows = list(csv.DictReader(io.StringIO(content(page, "csv").decode())))
    assert len(rows) == 219
    assert rows[-1]["series"] == "'=cmd()"
    assert rows[-1]["map"] == "'=1+1"
    assert rows[-1]["sd"] == rows[-1]["sd_from"] == ""


def test_svg_is_lines_and_text_and_stays_on_its_page(page: OverTimePage) -> None:
    page.ranges.choose(2)
    root = ET.fromstring(content(page, "svg"))  # noqa: S314 (the program's own)
    tags = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert "image" not in tags
    assert tags.count("circle") > 5
    assert tags.count("polyline") >= 2
    texts = [element.text or "" for element in root.iter() if element.tag.endswith("text")]
    assert any("Natural Selection 2, NS2 logistic" in text for text in texts)
    assert "won" in texts
    width = float((root.get("viewBox") or "").split()[2])
    for element in root.iter():
        if element.tag.endswith("polyline"):
            lefts = [float(pair.split(",")[0]) for pair in (element.get("points") or "").split()]
            assert min(lefts) >= -60
            assert max(lefts) <= width


def test_png_is_the_plot_twice_as_fine(page: OverTimePage) -> None:
    picture = QImage.fromData(content(page, "png"))
    assert picture.width() == 2 * (page.plot.width() + 32)
    assert drawn(picture, LIGHT.plot1, 120, picture.width() - 40)


def test_a_file_is_asked_for_without_stopping_the_window_and_written(
    page: OverTimePage, qtbot: QtBot, tmp_path: Path
) -> None:
    page.write("csv")
    dialog = page.exports.dialog
    assert isinstance(dialog, QFileDialog)
    assert dialog.selectedFiles()[0].endswith("ns2-ns2.csv")
    with qtbot.waitSignal(page.told) as told:
        dialog.fileSelected.emit(str(tmp_path / "mine.csv"))
    assert told.args == ["Written: mine.csv"]
    assert (tmp_path / "mine.csv").read_bytes() == content(page, "csv")
    dialog.close()
    assert page.exports.dialog is None


def test_a_file_that_cannot_be_written_is_told(page: OverTimePage, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(page.told) as told:
        page.exports.write(tmp_path / "no" / "where.csv", lambda: lambda: b"")
    assert told.args is not None
    assert told.args[0].startswith("where.csv could not be written: No such file")


def test_without_rounds_there_is_nothing_and_without_ratings_it_is_said(page: OverTimePage, panel: Panel) -> None:
    page.show_data(None)
    assert page.note.text() == ""
    assert page.plot.accessibleDescription() == ""
    unrated = history(3, after=np.full(3, np.nan), why=("one side empty",) * 3)
    page.show_data(data(unrated))
    assert page.note.text() == "None of your rounds could be rated."
    page.plot.setFocus()


def test_a_doubt_that_is_an_estimate_is_said_to_be(page: OverTimePage) -> None:
    page.show_data(data(history(sd_from="gradients")))
    assert "9 in 10 band, estimated" in page.legend.accessibleName()
    rows = csv.DictReader(io.StringIO(content(page, "csv").decode()))
    assert {row["sd_from"] for row in rows} == {"gradients"}
    page.show_data(data(history()))
    assert "estimated" not in page.legend.accessibleName()
    rows = csv.DictReader(io.StringIO(content(page, "csv").decode()))
    assert {row["sd_from"] for row in rows} == {"system"}


def test_modes_that_are_rated_apart_are_shown_apart(theme: Theme, qtbot: QtBot) -> None:
    first = shown("trueskill2")
    page = OverTimePage(theme, Panel(first))
    qtbot.addWidget(page)
    qtbot.addWidget(page.header_controls())
    page.show_data(first)
    assert page._picture is not None
    modes = set(first.history.mode[page._picture.trace.row].tolist())
    assert len(modes) == 1
    mode = first.history.modes[modes.pop()]
    assert f"You, mode {mode}" in page.legend.accessibleName()
    other = next(offer for offer in page.overlay.offers() if offer.key.startswith("mode:"))
    page.overlay.choose(other)
    assert len(page._picture.trace) + len(page.overlay.overlay.course) == int((~np.isnan(first.history.after)).sum())  # type: ignore[union-attr]


def test_pyqtgraph_is_loaded_by_the_page_and_not_by_the_window(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from unittest.mock import MagicMock\n"
        "from browser_app.app import run\n"
        "assert run(sys.argv[1:]) == 0\n"
        "import browser_app.ui.skill.pages, browser_app.ui.skill.over_time.page, browser_app.ui.skill.systems.page\n"
        "assert 'pyqtgraph' not in sys.modules, 'window'\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from browser_app.ui.theme import Theme\n"
        "app = QApplication.instance() or QApplication([])\n"
        "page = browser_app.ui.skill.over_time.page.OverTimePage(Theme(app), MagicMock())\n"
        "assert 'pyqtgraph' in sys.modules, 'page'\n"
    )
    picture, nobody = tmp_path / "window.png", tmp_path / "servers.json"
    nobody.write_text('{"servers": []}', encoding="utf-8")
    command = ("screenshot", "--master", f"file:{nobody}", "--view", "skill", str(picture))
    subprocess.run([sys.executable, "-c", program, *command], check=True, timeout=60)
    assert picture.exists()
