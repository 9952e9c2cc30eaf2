"""The page Systems: comparison table, plots and choices."""

import re
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from systems_helpers import FakeComparisonModel, compared, comparison, row

from browser_app.application.own_skill.skill_state import WorkProgress
from browser_app.rating.evaluation.forecast_scores import wilson_interval
from browser_app.rating.system_registry import create_rating_system
from browser_app.ui.skill.systems.rating_parameters_panel import RatingParametersPanel
from browser_app.ui.skill.systems.rolling_loss_plot import _pixel_extremes
from browser_app.ui.skill.systems.systems_comparison_model import BRIER, COMPARISON_COLUMNS, LOSS_DIFFERENCE, SYSTEM
from browser_app.ui.skill.systems.systems_comparison_table import SystemComparisonTable
from browser_app.ui.skill.systems.systems_comparison_text import comparison_headline
from browser_app.ui.skill.systems.systems_page import OWN_ROUNDS, SystemsPage
from browser_app.ui.widgets.buttons import MenuButton
from browser_app.ui.widgets.theme import Theme


def test_table_matches_comparison(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    skill_model.comparing.pop()[0](compared())
    model = page.table.table_model
    assert [each.name for each in model.rows] == [each.name for each in compared().systems]
    first = model.rows[0]
    assert first.log_loss is not None
    assert f"Log loss {first.log_loss:.3f}" in model.row_accessible_text(0)
    best = [each.name for each in model.rows].index(compared().best or "")
    assert "best here" in model.row_accessible_text(best)
    judge = next(place for place, each in enumerate(model.rows) if each.name == "ns2")
    assert "used for this game" in model.row_accessible_text(judge)
    silent = next(place for place, each in enumerate(model.rows) if each.log_loss is None)
    assert model.cell_text(silent, BRIER) == "–"
    assert model.headerData(LOSS_DIFFERENCE, Qt.Orientation.Horizontal) == COMPARISON_COLUMNS[LOSS_DIFFERENCE].title
    copied = [line.split("\t") for line in model.to_tsv().splitlines()]
    assert float(copied[1][2]) == first.log_loss
    assert page.headline_label.text() == comparison_headline(compared())


def test_clicks_change_plotted_systems(page: SystemsPage, skill_model: FakeComparisonModel, qtbot: QtBot) -> None:
    rows = [row("trueskill2", 0.0), row("elo-blog", 0.01, 0.1), row("xonstat-go", 0.02, 0.1), row("ns2", 0.03, 0.1)]
    skill_model.comparing.pop()[0](comparison(*rows))
    table = page.table
    assert list(table.table_model.plotted_series) == ["trueskill2", "elo-blog", "ns2"]
    assert table.current_system == "trueskill2"
    for place in (2, 2, 1):
        middle = table.visualRect(table.table_model.index(place, SYSTEM)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert list(table.table_model.plotted_series) == ["trueskill2", "ns2"]
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert list(table.table_model.plotted_series) == ["trueskill2", "elo-blog", "ns2"]
    assert table.current_system == "elo-blog"
    assert "elo-blog" not in page.point_label.text()
    assert page.point_label.text().endswith("Bars and counts: XonStat Elo (2012 blog).")
    assert len({series.role for series in table.table_model.plotted_series.values()}) == 3


def test_cached_table_repaints_on_changes(qapp: QApplication, qtbot: QtBot) -> None:
    table = SystemComparisonTable(Theme(qapp, "light"))
    qtbot.addWidget(table)
    table.table_model.show_comparison(compared(), "ns2")
    table.resize(620, table.height())
    table.show()
    qtbot.waitExposed(table)
    other = next(place for place, each in enumerate(table.table_model.rows) if each.name != "ns2")
    middle = table.visualRect(table.table_model.index(other, SYSTEM)).center()
    pictures = [table.viewport().grab().toImage()]
    assert table.viewport().grab().toImage() == pictures[0]
    for step in (
        lambda: qtbot.mouseMove(table.viewport(), middle),
        lambda: table.table_model.toggle_plotted(other),
        lambda: table.table_model.set_active_system(table.table_model.rows[other].name),
        lambda: table.resize(700, table.height()),
    ):
        step()
        qtbot.waitUntil(lambda: table.viewport().grab().toImage() not in pictures)
        pictures.append(table.viewport().grab().toImage())


def test_at_most_five_scored_systems_plotted(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    names = ("ns2", "trueskill2", "trueskill", "elo-blog", "xonstat-go", "constant")
    silent = row("elo-xonstat", 0.0, log_loss=None, calibration=())
    skill_model.comparing.pop()[0](comparison(*(row(name, 0.01) for name in names), silent))
    model = page.table.table_model
    for place in range(7):
        if model.rows[place].name not in model.plotted_series:
            model.toggle_plotted(place)
    assert len(model.plotted_series) == 5
    assert "elo-xonstat" not in model.plotted_series


def test_calibration_points_by_keyboard(page: SystemsPage, skill_model: FakeComparisonModel, qtbot: QtBot) -> None:
    skill_model.comparing.pop()[0](comparison(row("ns2", 0.0)))
    plot = page.calibration_plot
    assert plot.point_count() == 9  # one bin is empty
    plot.setFocus()
    qtbot.keyClick(plot, Qt.Key.Key_Home)
    low, high = wilson_interval(0.1, 20)
    words = plot.accessibleDescription()
    assert words == page.point_label.text()
    assert re.findall(r"\d+", words) == ["2", "15", "10", "20", "95", *(f"{100 * each:.0f}" for each in (low, high))]
    assert len(plot.values_text().splitlines()) == 10


def test_rolling_loss_describes_all_plotted(page: SystemsPage, skill_model: FakeComparisonModel, qtbot: QtBot) -> None:
    skill_model.comparing.pop()[0](comparison(row("ns2", 0.0), row("trueskill2", 0.018, 0.1)))
    page.rolling_plot.setFocus()
    assert page.rolling_plot.accessibleDescription() == "Round 642: NS2 logistic 0.600, TrueSkill 2 0.618"
    assert page.rolling_plot.values_text().splitlines()[1] == "150\t0.6\t0.618"
    page.rolling_plot.grab()


def test_axes_are_not_mirrored(page: SystemsPage, skill_model: FakeComparisonModel, qapp: QApplication) -> None:
    skill_model.comparing.pop()[0](comparison(row("ns2", 0.0), row("trueskill2", 0.018, 0.1)))
    plots = (page.calibration_plot, page.rolling_plot)
    plain = [plot.grab().toImage() for plot in plots]
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        QApplication.processEvents()
        assert [plot.grab().toImage() for plot in plots] == plain
        table = page.table
        assert table.columnViewportPosition(LOSS_DIFFERENCE) < table.columnViewportPosition(SYSTEM)
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def test_rolling_loss_with_too_few_rounds(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    empty = replace(comparison(row("ns2", 0.0)), rolling_round=np.zeros(0, np.int32), rolling={"ns2": np.zeros(0)})
    skill_model.comparing.pop()[0](empty)
    page.rolling_plot.grab()
    page.rolling_plot.setFocus()
    assert page.rolling_plot.accessibleDescription() == ""


def test_narrow_page_puts_comparison_first(page: SystemsPage) -> None:
    def corners() -> tuple[QPoint, QPoint]:
        QApplication.processEvents()
        return tuple(each.mapTo(page, QPoint(0, 0)) for each in (page.table, page.calibration_plot))  # type: ignore[return-value]

    table, plot = corners()
    assert plot.x() < table.x()
    page.resize(740, 900)
    table, plot = corners()
    assert plot.x() == table.x()
    assert plot.y() > table.y()
    assert page.table.width() <= 740


def test_long_parameter_titles_use_one_column(
    skill_model: FakeComparisonModel, qapp: QApplication, qtbot: QtBot
) -> None:
    parameters = RatingParametersPanel(Theme(qapp, "light"), skill_model)
    qtbot.addWidget(parameters)
    parameters.show_parameters("ns2", skill_model.parameters)
    parameters.show()
    for width, columns in ((800, 2), (420, 1), (800, 2)):
        parameters.resize(width, 600)
        QApplication.processEvents()
        shown = [each for each in parameters.fields if each.editor.isVisible()]
        assert len({each.editor.geometry().x() for each in shown}) == columns
        assert all(each.note_label.width() >= each.note_label.sizeHint().width() for each in shown)


def test_all_parameters_stand_in_rows(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    for width in range(1000, 1400, 40):  # at some, the common ones are in two columns and all of them in one
        page.resize(width, 900)
        page.parameters_panel.grid.show_all(False)
        QApplication.processEvents()
        page.parameters_panel.grid.show_all(True)
        QApplication.processEvents()
        for each in page.parameters_panel.fields:
            top, bottom = each.editor.geometry().top(), each.editor.geometry().bottom()
            assert top < each.title_label.geometry().center().y() < bottom, each.parameter.name
            assert top < each.note_label.geometry().center().y() < bottom, each.parameter.name


def test_compares_again_only_on_changes(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    assert [mine for _then, mine in skill_model.comparing] == [False]
    skill_model.comparing[0][0](compared())
    page.show_data(skill_model.state)
    skill_model.system = "trueskill2"
    skill_model.parameters = create_rating_system("trueskill2").parameters
    page.show_data(skill_model.state)
    assert len(skill_model.comparing) == 1  # another active system changes no chances
    skill_model.parameters = create_rating_system("trueskill2", v0=0.3).parameters
    page.show_data(skill_model.state)
    assert len(skill_model.comparing) == 2
    skill_model.games = (replace(skill_model.games[0], rounds=500),)
    page.show_data(skill_model.state)
    assert len(skill_model.comparing) == 3
    skill_model.comparing[2][0](comparison(row("ns2", 0.0)))
    skill_model.comparing[1][0](compared())
    assert len(page.table.table_model.rows) == 1  # the other answer is outdated


def test_dropped_request_is_repeated(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    page.show_data(skill_model.state)
    assert len(skill_model.comparing) == 2
    skill_model.progress_changed.emit(WorkProgress("compare", 1, 9))
    page.show_data(skill_model.state)
    assert len(skill_model.comparing) == 2
    skill_model.progress_changed.emit(None)
    page.show_data(skill_model.state)
    assert len(skill_model.comparing) == 3


def test_cancelled_comparison_waits_for_user(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    skill_model.progress_changed.emit(WorkProgress("compare", 1, 9))
    page.comparison_progress.cancel_button.click()
    skill_model.progress_changed.emit(None)
    page.show_data(skill_model.state)
    assert len(skill_model.comparing) == 1
    assert page.compare_link.isVisibleTo(page)
    page.compare_link.click()
    assert len(skill_model.comparing) == 2
    assert not page.compare_link.isVisibleTo(page)


def test_own_rounds_can_be_compared(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    game = skill_model.games[0]
    assert page.rounds_menu.text() == f"{game.rounds} rounds, {game.own_rounds} of them yours"
    page.rounds_menu.value_chosen.emit(OWN_ROUNDS)
    assert skill_model.comparing[-1][1]
    assert page.rounds_menu.text() == f"{game.own_rounds} rounds of yours"


def test_only_the_header_chooses_the_system(page: SystemsPage, skill_model: FakeComparisonModel) -> None:
    skill_model.comparing.pop()[0](compared())
    menus = [menu for menu in page.findChildren(MenuButton) if "trueskill2" in dict(menu.choices)]
    assert menus == []
    assert page.table.table_model.active_system == skill_model.system


def test_progress_and_cancel(page: SystemsPage, skill_model: FakeComparisonModel, qtbot: QtBot) -> None:
    fit = page.parameters_panel
    page.resize(990, 900)  # the narrowest with two columns
    QApplication.processEvents()
    width = page.table.width()
    for percent in (0, 9, 62):
        skill_model.progress_changed.emit(WorkProgress("fit", percent, 100))
        QApplication.processEvents()
        assert page.table.width() == width
    assert not fit.preset_menu.isVisibleTo(page)
    assert fit.fit_progress.isVisibleTo(page)
    assert fit.fit_progress.share_label.text() == "62\u00a0%"
    assert not fit.fit_button.isVisibleTo(page)
    assert not page.comparison_progress.isVisibleTo(page)
    qtbot.mouseClick(fit.fit_progress.cancel_button, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    assert skill_model.calls[-1] == ("cancel",)
    skill_model.progress_changed.emit(None)
    assert not fit.fit_progress.isVisibleTo(page)
    assert fit.fit_button.isVisibleTo(page)
    assert fit.preset_menu.isVisibleTo(page)
    skill_model.progress_changed.emit(WorkProgress("compare", 0, 0))
    assert page.comparison_progress.isVisibleTo(page)
    assert page.comparison_progress.share_label.text() == ""


@given(st.lists(st.tuples(st.floats(0, 20), st.floats(0, 100)), min_size=1, max_size=200))
def test_thinned_line_keeps_extremes(points: list[tuple[float, float]]) -> None:
    left, top = np.array(sorted(points)).T
    seen = _pixel_extremes(left, top)
    assert (np.diff(seen) > 0).all()
    for pixel in np.unique(left.astype(int)):
        all_of, kept = top[left.astype(int) == pixel], top[seen][left[seen].astype(int) == pixel]
        assert 1 <= len(kept) <= 2
        assert (kept.min(), kept.max()) == (all_of.min(), all_of.max())
