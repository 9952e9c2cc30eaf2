"""Turns of threads that parse the lists of master servers."""

import threading
from collections.abc import Iterator

import pytest
from timeouts import LIMIT_S, wait_until

from browser_app.engine.masters.parsing_turns import MIN_CHUNK_BYTES, ListParsing, ParsingTurns


class Queue:
    """Threads that wait for a turn, by name, and the order in which they got one."""

    def __init__(self, turns: ParsingTurns) -> None:
        self.order: list[str] = []
        self._turns = turns
        self._threads: list[threading.Thread] = []

    def enter(self, name: str, taken_s: float) -> None:
        thread = threading.Thread(target=self._take_turn, args=(name, taken_s), daemon=True)
        thread.start()
        self._threads.append(thread)
        assert wait_until(lambda: len(self._turns._waiting) == len(self._threads))

    def _take_turn(self, name: str, taken_s: float) -> None:
        self._turns.acquire(taken_s)
        self.order.append(name)
        self._turns.release()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(LIMIT_S)


def test_list_with_least_time_is_next() -> None:
    turns = ParsingTurns()
    queue = Queue(turns)
    turns.acquire(0.0)
    for name, taken_s in (("long", 9.0), ("first of two", 1.0), ("second", 1.0), ("new", 0.0)):
        queue.enter(name, taken_s)
    turns.release()
    queue.join()
    assert queue.order == ["new", "first of two", "second", "long"]
    turns.acquire(0.0)  # free again


def test_own_time_is_counted() -> None:
    turns = ParsingTurns()
    queue, parsing = Queue(turns), ListParsing(turns)
    with parsing:
        queue.enter("new", 0.0)
        sum(range(100_000))
        parsing.yield_turn()
        assert queue.order == ["new"]


def test_others_parse_while_chunks_arrive() -> None:
    turns = ParsingTurns()
    busy: list[bool] = []

    def drip() -> Iterator[bytes]:
        for _ in range(2 * MIN_CHUNK_BYTES + 5):
            busy.append(turns._is_taken)
            yield b"x"

    with ListParsing(turns) as parsing:
        parts = [(len(part), turns._is_taken) for part in parsing.receive(drip())]
    assert parts == [(MIN_CHUNK_BYTES, True), (MIN_CHUNK_BYTES, True), (5, True)]
    assert not any(busy)


def test_errors_end_turn() -> None:
    turns = ParsingTurns()

    def lost() -> Iterator[bytes]:
        yield b""
        raise OSError

    with pytest.raises(OSError), ListParsing(turns) as parsing:  # noqa: PT011 (raised above)
        list(parsing.receive(lost()))
    assert not turns._is_taken
