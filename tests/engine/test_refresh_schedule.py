"""Automatic queries: their rate, their order and their budget."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from browser_app.catalogue.catalogue_columns import Bools, RowIds
from browser_app.engine.masters.master_poll import MasterState
from browser_app.engine.masters.master_schedule import MasterSchedule
from browser_app.engine.query.query_timing import PACES
from browser_app.engine.refresh_schedule import (
    FIRST_VARIATION,
    INFO_PACKETS,
    MAX_SHARE_OF_PACE,
    PLAYERS_PACKETS,
    SILENT_PACKETS,
    VARIATION,
    RefreshBatch,
    RefreshCandidates,
    RefreshPeriods,
    RefreshSchedule,
)

PERIODS = RefreshPeriods(in_sight_s=30.0, all_s=300.0)
TICK_S = 2.0
NORMAL_LIMIT = PACES["normal"].packets_per_s * MAX_SHARE_OF_PACE
GENTLE_LIMIT = PACES["gentle"].packets_per_s * MAX_SHARE_OF_PACE


def mask(size: int, *rows: range) -> Bools:
    """Return a mask that is true in these rows."""
    result = np.zeros(size, np.bool_)
    for each in rows:
        result[each] = True
    return result


def candidates_of(size: int, in_sight: range = range(30)) -> RefreshCandidates:
    """Return rows of which every fourth has players."""
    populated = np.arange(size) % 4 == 0
    return RefreshCandidates(np.ones(size, np.bool_), mask(size, in_sight), mask(size), populated)


@dataclass
class Simulation:
    """A schedule whose queries are answered before the next batch."""

    candidates: RefreshCandidates
    limit: float = NORMAL_LIMIT
    periods: RefreshPeriods = PERIODS
    silent: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    schedule: RefreshSchedule = field(default_factory=lambda: RefreshSchedule(seed=1))
    now_s: float = 0.0
    packets: list[int] = field(default_factory=list)
    """Of each batch."""
    queried_s: dict[int, list[float]] = field(default_factory=dict)
    with_players: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.schedule.next_batch(self.candidates, self.periods, self.limit, self.now_s)
        self.answer(np.arange(len(self.candidates.queryable)))  # as after a manual refresh

    def answer(self, rows: RowIds) -> None:
        failed = self.silent[rows] if len(self.silent) else np.zeros(len(rows), np.bool_)
        self.schedule.record(rows, failed, self.now_s)

    def step(self) -> RefreshBatch:
        """Take one batch."""
        self.now_s += TICK_S
        batch = self.schedule.next_batch(self.candidates, self.periods, self.limit, self.now_s)
        rows = np.concatenate((batch.info_rows, batch.player_rows))
        for row in rows.tolist():
            self.queried_s.setdefault(row, []).append(self.now_s)
        self.with_players |= set(batch.player_rows.tolist())
        self.packets.append(INFO_PACKETS * len(batch.info_rows) + PLAYERS_PACKETS * len(batch.player_rows))
        self.answer(rows)
        return batch

    def run(self, seconds: float) -> None:
        for _step in range(round(seconds / TICK_S)):
            self.step()

    def longest_gap_s(self, rows: range, since_s: float) -> float:
        """Return the longest time between two queries of a row of these after `since_s`."""
        gaps = []
        for row in rows:
            times = [since_s, *(each for each in self.queried_s.get(row, ()) if each > since_s), self.now_s]
            gaps.append(max(np.diff(times)))
        return float(max(gaps))


def test_rows_once_per_period() -> None:
    simulation = Simulation(candidates_of(2000))
    simulation.run(1200.0)
    warm_s = 600.0
    assert simulation.longest_gap_s(range(30), warm_s) <= VARIATION[1] * PERIODS.in_sight_s + 2 * TICK_S
    assert simulation.longest_gap_s(range(30, 2000), warm_s) <= VARIATION[1] * PERIODS.all_s + 10 * TICK_S


def test_packets_are_within_budget() -> None:
    simulation = Simulation(candidates_of(2000))
    simulation.run(1200.0)
    warm = simulation.packets[300:]
    assert np.mean(warm) / TICK_S == pytest.approx(17.5, abs=1.0)
    assert max(warm) / TICK_S <= 36.0
    assert max(simulation.packets) <= NORMAL_LIMIT * TICK_S


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "most"), [(NORMAL_LIMIT, 19_000), (GENTLE_LIMIT, 4_700)])
def test_player_lists_of_all_fit_up_to(limit: float, most: int) -> None:
    for size, fits in ((most, True), (most + 1_000, False)):
        simulation = Simulation(candidates_of(size), limit)
        simulation.run(420.0)
        listed = simulation.with_players - set(range(30))
        assert len(listed) == (np.count_nonzero(simulation.candidates.populated[30:]) if fits else 0)
        assert sum(simulation.packets) <= limit * simulation.now_s


@pytest.mark.slow
def test_small_budget_keeps_sight_fresh() -> None:
    simulation = Simulation(candidates_of(20_000), GENTLE_LIMIT)
    simulation.run(600.0)
    assert simulation.longest_gap_s(range(30), 60.0) <= VARIATION[1] * PERIODS.in_sight_s + 2 * TICK_S
    assert sum(simulation.packets) <= GENTLE_LIMIT * simulation.now_s


def test_small_budget_keeps_preferred() -> None:
    candidates = replace(candidates_of(20_000), preferred=mask(20_000, range(1000, 1010)))
    simulation = Simulation(candidates, GENTLE_LIMIT)
    simulation.run(60.0)
    assert simulation.with_players == {*range(0, 30, 4), 1000, 1004, 1008}


@pytest.mark.parametrize("size", [60, 2000])
def test_new_rows_in_sight_come_soon(size: int) -> None:
    simulation = Simulation(candidates_of(size))
    simulation.run(240.0)
    simulation.candidates = candidates_of(size, range(30, 60))
    came_s = simulation.now_s
    last_s = {row: simulation.queried_s.get(row, [0.0])[-1] for row in range(30, 60)}
    stale = [row for row, queried_s in last_s.items() if came_s - queried_s > PERIODS.in_sight_s]
    simulation.run(20.0)
    assert len(stale) > 20
    assert all(simulation.queried_s.get(row, [0.0])[-1] > came_s for row in stale)


def test_no_query_after_a_refresh() -> None:
    simulation = Simulation(candidates_of(200, range(0)))
    simulation.candidates = replace(simulation.candidates, populated=mask(200))
    simulation.run(FIRST_VARIATION[0] * PERIODS.all_s - TICK_S)
    assert not simulation.queried_s
    simulation.run(PERIODS.all_s)
    assert len(simulation.queried_s) == 200


def test_unknown_players_come_first() -> None:
    simulation = Simulation(candidates_of(400, range(0)))
    simulation.run(2 * PERIODS.in_sight_s)
    assert simulation.with_players == set(range(0, 400, 4))
    assert simulation.queried_s.keys() == simulation.with_players


@pytest.mark.slow
def test_unresponsive_rows_come_less_often() -> None:
    simulation = Simulation(candidates_of(100, range(0)), silent=mask(100, range(50)))
    simulation.run(10 * PERIODS.all_s)
    silent = sum(len(simulation.queried_s.get(row, ())) for row in range(50))
    alive = sum(len(simulation.queried_s.get(row, ())) for row in range(50, 100))
    assert silent <= 0.35 * alive
    assert simulation.longest_gap_s(range(50), 0.0) <= 8 * VARIATION[1] * PERIODS.all_s + 10 * TICK_S
    simulation.silent = mask(100)
    simulation.run(9 * PERIODS.all_s)
    answered_s = simulation.now_s
    simulation.run(3 * PERIODS.all_s)
    assert simulation.longest_gap_s(range(100), answered_s) <= VARIATION[1] * PERIODS.all_s + 10 * TICK_S


def test_unresponsive_rows_cost_three() -> None:
    size = 20_000
    simulation = Simulation(candidates_of(size, range(0)), GENTLE_LIMIT, silent=mask(size, range(size)))
    simulation.run(120.0)
    queries = sum(map(len, simulation.queried_s.values()))
    assert SILENT_PACKETS * queries <= GENTLE_LIMIT * simulation.now_s


def test_gap_is_not_caught_up_with() -> None:
    simulation = Simulation(candidates_of(2000))
    simulation.run(60.0)
    simulation.now_s += 3600.0
    simulation.step()
    assert simulation.packets[-1] <= 10.0 * NORMAL_LIMIT


def test_unqueryable_are_left_out() -> None:
    candidates = replace(candidates_of(100), queryable=mask(100, range(10)))
    simulation = Simulation(candidates)
    simulation.run(300.0)
    assert simulation.queried_s.keys() == set(range(10))


def test_empty_has_no_batch() -> None:
    simulation = Simulation(candidates_of(0, range(0)))
    simulation.run(10.0)
    assert not simulation.queried_s


def test_master_is_due_by_period() -> None:
    schedule = MasterSchedule()
    assert schedule.due_urls(["a", "b"], 600.0, 0.0) == ["a", "b"]
    schedule.record([MasterState("a", ok=True, is_done=True)], [], 0.0)
    assert schedule.due_urls(["a", "b"], 600.0, 599.0) == ["b"]
    assert schedule.due_urls(["a"], 600.0, 600.0) == ["a"]


def test_failed_master_waits_longer() -> None:
    schedule, now_s, gaps = MasterSchedule(), 0.0, []
    state = MasterState("a", error="no answer", is_done=True)
    for _failure in range(7):
        schedule.record([state], ["a"], now_s)
        asked_s = now_s
        while not schedule.due_urls(["a"], 600.0, now_s):
            now_s += 60.0
        gaps.append(now_s - asked_s)
    assert gaps == [1200.0, 2400.0, 4800.0, 9600.0, 9600.0, 9600.0, 9600.0]
    schedule.record([MasterState("a", ok=True, is_done=True)], [], now_s)
    assert schedule.due_urls(["a"], 600.0, now_s + 600.0) == ["a"]


def test_cancelled_master_keeps_its_backoff() -> None:
    schedule = MasterSchedule()
    failed = MasterState("a", error="no answer", is_done=True)
    schedule.record([failed], ["a"], 0.0)
    schedule.record([failed], ["a"], 100.0)
    for cancelled in (MasterState("a"), MasterState("a", error="cancelled", is_done=True)):
        schedule.record([cancelled], [], 200.0)
        assert schedule.due_urls(["a"], 600.0, 200.0 + 4 * 600.0 - 1.0) == []
        assert schedule.due_urls(["a"], 600.0, 200.0 + 4 * 600.0) == ["a"]
