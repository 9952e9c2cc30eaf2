"""The Play Now bar: its button, countdown and keys."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from browser_app.ui.play.play_now_bar import PLAY_BUTTON_HEIGHT, PLAY_BUTTON_WIDTH, PlayNowBar, PlayNowState
from browser_app.ui.widgets.theme import Theme


@pytest.fixture
def bar(qtbot: QtBot, qapp: QApplication) -> PlayNowBar:
    bar = PlayNowBar(Theme(qapp, "light"))
    qtbot.addWidget(bar)
    bar.resize(700, 60)
    bar.show()
    return bar


def test_same_place_plays_and_cancels(qtbot: QtBot, bar: PlayNowBar) -> None:
    bar.show_choice("Lanternfish Veil EU", ["13/24  34 ms"], ["A full game is on and has room."])
    with qtbot.waitSignal(bar.play_requested):
        qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    before = bar.button.geometry()
    bar.show_busy("Checking 3 servers again…", "The game starts after this check.")
    assert bar.button.geometry() == before
    assert (before.width(), before.height()) == (PLAY_BUTTON_WIDTH, PLAY_BUTTON_HEIGHT)
    with qtbot.waitSignal(bar.cancel_requested):
        qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))


def test_press_without_eligible_server_plays(qtbot: QtBot, bar: PlayNowBar) -> None:
    bar.show_nothing("No suitable server right now", "37 are full.")
    assert bar.button.state is PlayNowState.NONE_ELIGIBLE
    with qtbot.waitSignal(bar.play_requested):
        qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))


def test_notice_leaves_button_ready(qtbot: QtBot, bar: PlayNowBar) -> None:
    for can_play, state in ((True, PlayNowState.READY), (False, PlayNowState.NONE_ELIGIBLE)):
        bar.show_notice("Game started: A", "The game is starting.", can_play=can_play)
        assert bar.button.state is state


def test_menu_part_opens_menu(qtbot: QtBot, bar: PlayNowBar) -> None:
    bar.show_choice("A", ["1/2"], ["Near you."])
    with qtbot.waitSignal(bar.button.menu_requested):
        qtbot.mouseClick(bar.button.menu_button, Qt.MouseButton.LeftButton)


def test_longest_sentence_that_fits_is_shown(bar: PlayNowBar) -> None:
    whole, short = "Best of 183 of 200 shown: 7 playing, 9 slots free, 13 ms; a good game.", "A good game."
    bar.show_choice("A", ["1/2"], [whole, short])
    for width, shown in ((900, whole), (320, short)):
        bar.resize(width, 60)
        QApplication.processEvents()
        assert bar._sentence_label.visible_text == shown
        assert bar.shown_texts()[2] == whole
    bar.resize(200, 60)
    QApplication.processEvents()
    assert bar._sentence_label.visible_text.endswith("…")


def test_game_is_shortened_or_left_out(bar: PlayNowBar) -> None:
    games = ["OpenArena, ctf on oasago2", "OpenArena", "OA"]
    bar.show_choice("Capturing every evening", games, ["A good game."])
    shown = []
    for width in range(900, 200, -4):
        bar.resize(width, 60)
        QApplication.processEvents()
        shown.append(bar._game_label.visible_text)
    assert list(dict.fromkeys(shown)) == [*games, ""]
    assert bar.shown_texts()[1] == games[0]


class Clock:
    """A clock set by the test."""

    def __init__(self) -> None:
        self.now_ms = 0

    def start(self) -> None:
        self.now_ms = 0

    def elapsed(self) -> int:
        return self.now_ms


def test_countdown_finishes_once(qtbot: QtBot, bar: PlayNowBar) -> None:
    bar._clock = clock = Clock()  # type: ignore[assignment]
    over: list[int] = []
    bar.countdown_finished.connect(lambda: over.append(clock.now_ms))
    bar.start_countdown("Joining “A”", "Still the best of 3.", 0.4)
    assert bar.is_counting_down
    assert "Starts in 0.4 s." in bar.shown_texts()[2]
    clock.now_ms = 300
    qtbot.waitUntil(lambda: "Starts in 0.1 s." in bar.shown_texts()[2])
    assert over == []
    clock.now_ms = 400
    qtbot.waitUntil(lambda: not bar.is_counting_down)
    qtbot.wait(100)
    assert over == [400]


def test_cancelled_countdown_does_not_finish(qtbot: QtBot, bar: PlayNowBar) -> None:
    bar.start_countdown("Joining “A”", "Still the best of 3.", 0.4)
    with qtbot.assertNotEmitted(bar.countdown_finished, wait=800):
        qtbot.mouseClick(bar.button, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    assert not bar.is_counting_down


def test_keys_press_button(qtbot: QtBot, bar: PlayNowBar) -> None:
    bar.show_choice("A", ["1/2"], ["Near you."])
    with qtbot.waitSignal(bar.play_requested):
        qtbot.keyClick(bar.button, Qt.Key.Key_Space)
