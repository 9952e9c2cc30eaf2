"""Curves of factors on the score page.

They unfold, follow their factor and can be read aloud.
"""

import math

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from browser_app.games.game_profile import RankingConstants
from browser_app.ranking.factor_curve import compute_factor_curve
from browser_app.ranking.ranking_inputs import RankingInputs
from browser_app.ranking.score_explanation import explain_score
from browser_app.ui.inspector.factor_curve_view import FactorCurveView, one_more_player_text
from browser_app.ui.inspector.factor_row import FactorRowWidget
from browser_app.ui.inspector.score_page import ScorePage
from browser_app.ui.widgets.theme import Theme

USUAL = {
    "players": 9.0, "usable_slots": 24.0, "ping_ms": 62.0, "performance": 8.0, "server_skill": 1800.0,
    "player_skill": 1400.0,
}  # fmt: skip


@pytest.fixture
def page(qtbot: QtBot, qapp: QApplication) -> ScorePage:
    page = ScorePage(Theme(qapp, "light"))
    qtbot.addWidget(page)
    page.resize(303, 700)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    show(page)
    return page


def show(page: ScorePage, **changes: float) -> None:
    explanation = explain_score(RankingInputs.from_values(**(USUAL | changes)), RankingConstants())
    page.show_explanation(explanation, 1, 1, explanation.score, "")


def settle() -> None:
    """Deliver layout requests."""
    for _level in range(3):  # row, page
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


def curve_view(row: FactorRowWidget) -> FactorCurveView:
    (view,) = row.findChildren(FactorCurveView)
    return view


def visual_order(page: ScorePage) -> list[str]:
    return sorted(
        (name for name, row in page.factor_rows.items() if row.isVisible()), key=lambda name: page.factor_rows[name].y()
    )


def test_key_shows_and_hides_curve(page: ScorePage) -> None:
    settle()
    row, height = page.factor_rows["players"], page.minimumHeight()
    QTest.keyClick(row.curve_button, Qt.Key.Key_Space)
    settle()
    view = curve_view(row)
    assert view.isVisible()
    expanded_height = page.minimumHeight()
    assert expanded_height > height + 80
    assert "Hide" in row.curve_button.accessibleName()
    QTest.keyClick(row.curve_button, Qt.Key.Key_Space)
    settle()
    assert not view.isVisible()
    assert page.minimumHeight() < expanded_height - 80


def test_click_on_first_line_shows_curve(page: ScorePage) -> None:
    row = page.factor_rows["ping"]
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(8, 12))
    assert curve_view(row).isVisible()


def test_plot_description_begins_with_the_server(page: ScorePage) -> None:
    row = page.factor_rows["players"]
    row.curve_button.click()
    plot = curve_view(row).plot
    plot.setFocus()
    assert plot.accessibleDescription().startswith("Now players 9: factor 0.")
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert plot.accessibleDescription().startswith("players 10: factor 0.")
    assert plot.values_text().splitlines()[0] == "players\tFactor"
    assert len(plot.values_text().splitlines()) == 26


def test_one_more_player_is_described_in_words(page: ScorePage) -> None:
    row, more = (
        page.factor_rows["players"],
        explain_score(RankingInputs.from_values(**(USUAL | {"players": 10.0})), RankingConstants()),
    )
    row.curve_button.click()
    text = curve_view(row).change_label.text()
    assert text.startswith("With one more player (10): factor 0.")
    assert text.endswith(f"→ {more.score:.3f}.")
    page.factor_rows["ping"].curve_button.click()
    assert not curve_view(page.factor_rows["ping"]).change_label.isVisible()


def test_unchanged_numbers_are_not_repeated() -> None:
    explanation = explain_score(
        RankingInputs.from_values(**(USUAL | {"players": 40.0, "usable_slots": 64.0, "player_skill": math.nan})),
        RankingConstants(),
    )
    curve = compute_factor_curve(explanation.server, "players")
    assert curve is not None
    assert one_more_player_text(curve) == "With one more player (41), factor and score stay the same."


def test_tab_key_follows_visual_order(page: ScorePage) -> None:
    for name in ("ping", "players"):
        page.factor_rows[name].curve_button.click()
    for changes in ({}, {"ping_ms": 400.0}):
        show(page, **changes)
        settle()
        first, *others = [
            row for name in visual_order(page) for row in page.factor_rows[name].focus_order() if row.isVisible()
        ]
        first.setFocus()
        for widget in others:
            page.focusNextChild()
            assert page.focusWidget() is widget


def test_curve_stays_with_its_factor(page: ScorePage) -> None:
    page.factor_rows["skill"].curve_button.click()
    first = visual_order(page)
    show(page, ping_ms=400.0, server_skill=1400.0)
    settle()
    assert visual_order(page) != first
    assert curve_view(page.factor_rows["skill"]).isVisible()
    assert not page.factor_rows["ping"].findChildren(FactorCurveView)


def test_unknown_input_hides_curve(page: ScorePage) -> None:
    row = page.factor_rows["skill"]
    row.curve_button.click()
    show(page, player_skill=float("nan"))
    assert not row.curve_button.isVisible()
    assert not curve_view(row).isVisible()
    show(page)
    assert curve_view(row).isVisible()


def test_neutral_factors_fold_into_one_line(page: ScorePage) -> None:
    counting = visual_order(page)
    assert "favorite" not in counting
    assert {"players", "ping"} <= set(counting)
    assert " × 1" not in page._product_label.text()
    number = int(page.neutral_button.text().split()[0])
    page.neutral_button.click()
    settle()
    assert visual_order(page)[: len(counting)] == counting
    assert len(visual_order(page)) == len(counting) + number
    show(page, favourite=True)
    assert int(page.neutral_button.text().split()[1]) == number - 1  # a favourite counts
    page.neutral_button.click()
    assert "favorite" in visual_order(page)


def test_missing_password_is_not_folded_away(page: ScorePage) -> None:
    assert "joinable" not in visual_order(page)
    show(page, password=True)
    assert "joinable" in visual_order(page)
    show(page, password=True, password_saved=True)
    assert "joinable" not in visual_order(page)


def test_factor_of_yes_and_no_has_no_button(page: ScorePage) -> None:
    page.neutral_button.click()
    assert not page.factor_rows["favorite"].curve_button.isVisible()
    assert page.factor_rows["joinable"].curve_button.isVisible()
