"""The last six hours: slots that move with time, what is remembered and what is heard."""

import numpy as np

from browser_app.catalogue.trend import LEAST_KNOWN, SLOT_S, SLOTS, Trend, in_slots, slot_of
from browser_app.protocols.address import Address

NOW = 1_800_000 * float(SLOT_S)
HERE, THERE = Address("127.0.0.1", 27015), Address("127.0.0.2", 27015)


def rows(*numbers: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.intp]]":
    return np.array(numbers, np.intp)


def heard(trend: Trend, row: int) -> list[float]:
    """What is known of a row, oldest first."""
    slots = trend.of(rows(row))[0]
    return [float(value) for value in slots[~np.isnan(slots)]]


def test_a_slot_holds_the_last_value_and_moves_on() -> None:
    trend = Trend()
    for minutes, players in ((0, 4.0), (10, 6.0), (15, 8.0), (16, np.nan)):
        trend.hear(rows(2), np.array([players]), NOW + minutes * 60)
    assert trend.of(rows(2))[0, -2:].tolist() == [6, 8]
    assert heard(trend, 1) == []
    assert heard(trend, 1000) == []
    trend.advance(NOW + SLOTS * SLOT_S)
    assert heard(trend, 2) == [8]
    trend.advance(NOW + 90 * SLOT_S)
    assert heard(trend, 2) == []


def test_a_clock_set_back_takes_nothing_away() -> None:
    trend = Trend()
    trend.hear(rows(0), np.array([5.0]), NOW)
    trend.hear(rows(0), np.array([6.0]), NOW - 7200)
    assert heard(trend, 0) == [6]
    assert trend.newest == slot_of(NOW)


def test_memory_waits_for_the_row_and_never_hides_what_was_heard() -> None:
    trend = Trend()
    first = slot_of(NOW) - SLOTS + 1
    samples = [(place, first + slot, 10.0 * place + slot) for place in (0, 1) for slot in range(SLOTS)]
    told = np.array([*samples, (0, first - 3, 99.0), (1, first + SLOTS, 99.0)])
    trend.remember([HERE, THERE], in_slots(told, 2, first), first)
    trend.hear(rows(3), np.array([2.0]), NOW + SLOT_S)
    trend.settle(rows(3, 70), [HERE, Address("127.0.0.9", 1)])
    assert heard(trend, 3) == [*range(1, SLOTS), 2]
    assert heard(trend, 70) == []
    trend.settle(rows(71), [THERE])
    assert heard(trend, 71) == [10.0 + slot for slot in range(1, SLOTS)]


def test_the_change_of_players() -> None:
    trend = Trend()
    for slot in range(LEAST_KNOWN):
        known = rows(0, 1) if slot else rows(0)
        trend.hear(known, np.array([3.0, 7.0])[: len(known)] + slot, NOW + slot * SLOT_S)
    changes = trend.changes(rows(0, 1, 2))
    assert changes[0] == LEAST_KNOWN - 1
    assert np.isnan(changes[1:]).all()  # fewer slots than a trend needs, and none at all
    trend.hear(rows(0), np.array([np.nan]), NOW + SLOTS * SLOT_S)
    assert np.isnan(trend.changes(rows(0))[0])  # the first of its four slots is older than six hours
