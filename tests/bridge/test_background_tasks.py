"""Serial executor: order of tasks, interpreter settings, and the wait at its end."""

import gc
import sys
import threading

from browser_app.bridge.background_tasks import SerialExecutor


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
