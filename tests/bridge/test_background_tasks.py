"""Serial executor: order of tasks, interpreter settings, and the wait at its end."""

import gc
import sys
import threading
import weakref

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from timeouts import wait_until

from browser_app.bridge.background_tasks import BackgroundTasks, SerialExecutor, start_background_thread
from browser_app.storage.storage_errors import DatabaseClosedError


def test_close_waits_for_ordered_tasks() -> None:
    executor, done, may_finish = SerialExecutor("work"), list[int](), threading.Event()

    def first() -> None:
        may_finish.wait()
        done.append(1)

    executor.run(first)
    executor.run(lambda: done.append(2))
    assert not done
    may_finish.set()
    executor.close()
    assert done == [1, 2]


def test_restores_interpreter_settings() -> None:
    before, intervals = (sys.getswitchinterval(), gc.get_threshold()), list[float]()
    executor = SerialExecutor("work")
    executor.run(lambda: intervals.append(sys.getswitchinterval()))
    executor.close()
    assert intervals[0] < before[0]
    assert (sys.getswitchinterval(), gc.get_threshold()) == before


def test_close_without_tasks() -> None:
    SerialExecutor("work").close()


def test_work_after_close_ends_silently(monkeypatch: pytest.MonkeyPatch) -> None:
    executor, uncaught = SerialExecutor("work"), list[object]()
    monkeypatch.setattr(threading, "excepthook", uncaught.append)

    def write() -> None:
        raise DatabaseClosedError

    executor.run(write)
    executor.close()
    assert not uncaught


class Owner(QObject):
    """Starts work that refers to it."""

    def __init__(self, background: BackgroundTasks) -> None:
        super().__init__()
        self.may_finish = threading.Event()
        background.run(self.may_finish.wait, self.show)

    def show(self, result: bool) -> None:
        """Take the result."""


@pytest.mark.usefixtures("qapp")
def test_owner_is_deleted_in_gui_thread() -> None:
    before, background, deleted_in = set(threading.enumerate()), BackgroundTasks(), list[threading.Thread]()
    owner = Owner(background)
    may_finish = owner.may_finish
    weakref.finalize(owner, lambda: deleted_in.append(threading.current_thread()))
    background.close()
    del owner, background
    may_finish.set()
    for thread in set(threading.enumerate()) - before:
        thread.join()
    assert not deleted_in
    start_background_thread("another", lambda: None).join()
    assert deleted_in == [threading.main_thread()]


class Sender(QObject):
    """Has a signal."""

    sent = Signal(int)


@pytest.mark.usefixtures("qapp")
def test_task_emits_nothing_after_close() -> None:
    executor, sender, received = SerialExecutor("work"), Sender(), list[int]()
    sender.sent.connect(received.append, Qt.ConnectionType.DirectConnection)
    executor.run(lambda: executor.emit(sender.sent, 1))
    wait_until(lambda: received)
    executor.close()
    executor.run(lambda: executor.emit(sender.sent, 2))
    executor.close()
    assert received == [1]


@pytest.mark.usefixtures("qapp")
def test_nothing_is_started_after_close() -> None:
    background, started = BackgroundTasks(), list[str]()
    background.close()
    background.run(lambda: started.append("work"), lambda _none: started.append("callback"))
    assert not started
    assert not [thread for thread in threading.enumerate() if thread.name == "background"]
