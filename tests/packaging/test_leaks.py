"""The guards of this test run notice what a test leaves behind."""

import logging
import socket
import threading

import pytest
from leaks import active_timers, leftovers, take_snapshot
from log_capture import WarningCatcher
from pytestqt.qtbot import QtBot

SOON_S = 0.05


def test_running_thread_is_found() -> None:
    before, end = take_snapshot(), threading.Event()
    thread = threading.Thread(target=end.wait, name="scanner of a test")
    thread.start()
    (text,) = leftovers(before, SOON_S)
    assert text.startswith("running thread 'scanner of a test'\n")
    assert "in wait" in text  # where it is
    end.set()
    assert leftovers(before) == []


@pytest.mark.linux
def test_open_socket_is_found() -> None:
    before = take_snapshot()
    with socket.socket():
        (leftover,) = leftovers(before, SOON_S)
        assert leftover.startswith("open socket:")
    assert leftovers(before) == []


def test_running_timer_is_found(qtbot: QtBot) -> None:
    from PySide6.QtCore import QTimer

    before, timer = active_timers(), QTimer()
    timer.start(60_000)
    assert active_timers().keys() - before.keys() == {id(timer)}
    timer.stop()
    assert active_timers().keys() == before.keys()


def test_timer_ends_with_widget(qtbot: QtBot) -> None:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QWidget

    before, widget = active_timers(), QWidget()
    timer = QTimer(widget)
    timer.start(60_000)
    widget.deleteLater()
    assert active_timers().keys() == before.keys()


@pytest.mark.expects_log
def test_only_warnings_are_caught() -> None:
    with WarningCatcher() as caught:
        logging.getLogger("a.b").info("less")
        logging.getLogger("a.b").warning("port %d", 7)
    assert caught.lines == ["WARNING a.b: port 7"]
