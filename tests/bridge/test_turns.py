"""Long work in turns: one piece after another, the interpreter as it was afterwards, and an end that is waited for."""

import gc
import sys
import threading

from browser_app.bridge.background_tasks import SerialExecutor


def test_pieces_are_done_in_order_and_the_end_waits_for_them() -> None:
    turns, done, go_on = SerialExecutor("work"), list[int](), threading.Event()

    def first() -> None:
        go_on.wait()
        done.append(1)

    turns.run(first)
    turns.run(lambda: done.append(2))
    assert not done
    go_on.set()
    turns.close()
    assert done == [1, 2]


def test_the_interpreter_is_left_as_it_was() -> None:
    before, seen = (sys.getswitchinterval(), gc.get_threshold()), list[float]()
    turns = SerialExecutor("work")
    turns.run(lambda: seen.append(sys.getswitchinterval()))
    turns.close()
    assert seen[0] < before[0]
    assert (sys.getswitchinterval(), gc.get_threshold()) == before


def test_nothing_to_wait_for() -> None:
    SerialExecutor("work").close()
