"""Turns of threads that parse the lists of master servers."""

import threading
from collections.abc import Iterator

import pytest
from timeouts import LIMIT_S, wait_until

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters import parsing_turns
from browser_app.engine.masters.parsing_turns import (
    RESTS_PER_TURN,
    SLICE_S,
    ListParsing,
    ParsingTurns,
)
from browser_app.engine.masters.target_sink import MasterPollContext, TargetSink
from browser_app.engine.network.address_rules import NetworkScope
from browser_app.protocols.address import Address


class TurnQueue:
    """Threads that wait for a turn, by name, and the order in which they got one."""

    def __init__(self, turns: ParsingTurns) -> None:
        self.order: list[str] = []
        self._turns = turns
        self._threads: list[threading.Thread] = []

    def enter(self, name: str, taken_s: float) -> None:
        number = self._turns.next_number()
        thread = threading.Thread(target=self._take_turn, args=(name, number, taken_s), daemon=True)
        thread.start()
        self._threads.append(thread)
        assert wait_until(lambda: len(self._turns._waiting) == len(self._threads))

    def _take_turn(self, name: str, number: int, taken_s: float) -> None:
        self._turns.acquire(number, taken_s)
        self.order.append(name)
        self._turns.release()

    def join(self) -> None:
        for thread in self._threads:
            thread.join(LIMIT_S)


def test_list_with_least_time_is_next() -> None:
    turns = ParsingTurns()
    queue = TurnQueue(turns)
    turns.acquire(0, 0.0)
    for name, taken_s in (("long", 9.0), ("first of two", 1.0011), ("second", 1.001), ("new", 0.0)):
        queue.enter(name, taken_s)
    turns.release()
    queue.join()
    assert queue.order == ["new", "first of two", "second", "long"]
    turns.acquire(0, 0.0)  # free again


def test_others_work_while_one_waits() -> None:
    turns = ParsingTurns()
    parsing = ListParsing(turns)
    taken: list[bool] = []

    def note() -> None:
        taken.append(turns._is_taken)

    def names() -> Iterator[str]:
        for name in "ab":
            note()
            yield name

    with parsing:
        with parsing, parsing.waiting(), parsing.waiting():
            note()
        note()
        for _name in parsing.wait_for_each(names()):
            note()
    with parsing.waiting():
        note()
    assert taken == [False, True, False, True, False, True, False]


def test_errors_end_turn() -> None:
    turns = ParsingTurns()
    parsing = ListParsing(turns)
    with pytest.raises(OSError), parsing, parsing.waiting():  # noqa: PT011 (raised here)
        raise OSError
    assert not turns._is_taken


class FakeProcessorTime:
    """Replaces `time` in `parsing_turns`.

    Processor time passes when `work` is called, wall time when it rests.
    """

    def __init__(self) -> None:
        self._time_s = 0.0
        self.turns_s: list[float] = []
        """Processor time from each rest to the next."""
        self._rested_at_s = 0.0
        self.rest_s = 0.0

    def thread_time(self) -> float:
        return self._time_s

    def sleep(self, seconds: float) -> None:
        self.turns_s.append(self._time_s - self._rested_at_s)
        self._rested_at_s = self._time_s
        self.rest_s += seconds

    def work(self, seconds: float) -> None:
        self._time_s += seconds


@pytest.fixture
def processor(monkeypatch: pytest.MonkeyPatch) -> FakeProcessorTime:
    processor = FakeProcessorTime()
    monkeypatch.setattr(parsing_turns, "time", processor)
    return processor


def servers(count: int) -> list[QueryTarget]:
    return [QueryTarget(Address(f"8.8.{n >> 8}.{n & 255}", 27960), "quake3", None) for n in range(count)]


def assert_share_of_processor(processor: FakeProcessorTime, total_s: float, longest_s: float) -> None:
    assert sum(processor.turns_s) == pytest.approx(total_s)
    assert max(processor.turns_s) <= longest_s + 1e-9
    assert processor.rest_s == pytest.approx(RESTS_PER_TURN * total_s)


def test_list_goes_on_until_others_have_taken_less(processor: FakeProcessorTime) -> None:
    turns = ParsingTurns()
    queue, parsing = TurnQueue(turns), ListParsing(turns)
    with parsing:
        queue.enter("new", 0.0)
        processor.work(0.007)
        parsing.yield_turn()
        assert queue.order == []
        processor.work(0.002)
        parsing.yield_turn()
        assert queue.order == ["new"]


def test_costly_entries_end_turn(processor: FakeProcessorTime) -> None:
    def entries() -> Iterator[QueryTarget]:
        for server in servers(2_000):
            processor.work(0.0001)
            yield server

    TargetSink(lambda _: None, MasterPollContext()).add_entries(entries(), NetworkScope.INTERNET)
    assert_share_of_processor(processor, 0.2, SLICE_S + 16 * 0.0001)


def test_large_datagram_is_added_in_turns(processor: FakeProcessorTime) -> None:
    sink = TargetSink(lambda batch: processor.work(len(batch) * 0.00001), MasterPollContext())
    with sink.parsing:
        sink.add(servers(2_000), NetworkScope.INTERNET)
    assert sink.count == 2_000
    assert_share_of_processor(processor, 0.02, 2 * 64 * 0.00001)
