"""Player counts of the last six hours."""

import numpy as np

from browser_app.catalogue.player_trends import (
    MIN_KNOWN_SLOTS,
    SLOT_COUNT,
    SLOT_S,
    PlayerTrends,
    arrange_in_slots,
    slot_at,
)
from browser_app.protocols.address import Address

NOW = 1_800_000 * float(SLOT_S)
HERE, THERE = Address("127.0.0.1", 27015), Address("127.0.0.2", 27015)


def rows(*numbers: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.intp]]":
    return np.array(numbers, np.intp)


def known_players(trend: PlayerTrends, row: int) -> list[float]:
    """Return the known players of a row, oldest first."""
    slots = trend.slots_of(rows(row))[0]
    return [float(value) for value in slots[~np.isnan(slots)]]


def test_slots_keep_last_value() -> None:
    trend = PlayerTrends()
    for minutes, players in ((0, 4.0), (10, 6.0), (15, 8.0), (16, np.nan)):
        trend.record_players(rows(2), np.array([players]), NOW + minutes * 60)
    assert trend.slots_of(rows(2))[0, -2:].tolist() == [6, 8]
    assert known_players(trend, 1) == []
    assert known_players(trend, 1000) == []
    trend.advance(NOW + SLOT_COUNT * SLOT_S)
    assert known_players(trend, 2) == [8]
    trend.advance(NOW + 90 * SLOT_S)
    assert known_players(trend, 2) == []


def test_clock_set_back_is_harmless() -> None:
    trend = PlayerTrends()
    trend.record_players(rows(0), np.array([5.0]), NOW)
    trend.record_players(rows(0), np.array([6.0]), NOW - 7200)
    assert known_players(trend, 0) == [6]
    trend.record_players(rows(0), np.array([7.0]), NOW - 7200 + SLOT_S)  # not only when the clock is at NOW again
    assert known_players(trend, 0) == [6, 7]
    assert trend.newest_slot == slot_at(NOW - 7200) + 1


def test_past_keeps_newer_values() -> None:
    trend = PlayerTrends()
    first = slot_at(NOW) - SLOT_COUNT + 1
    samples = [(place, first + slot, 10.0 * place + slot) for place in (0, 1) for slot in range(SLOT_COUNT)]
    past = np.array([*samples, (0, first - 3, 99.0), (1, first + SLOT_COUNT, 99.0)])
    trend.set_past([HERE, THERE], arrange_in_slots(past, 2, first), first)
    trend.record_players(rows(3), np.array([2.0]), NOW + SLOT_S)
    trend.assign_rows(rows(3, 70), [HERE, Address("127.0.0.9", 1)])
    assert known_players(trend, 3) == [*range(1, SLOT_COUNT), 2]
    assert known_players(trend, 70) == []
    trend.assign_rows(rows(71), [THERE])
    assert known_players(trend, 71) == [10.0 + slot for slot in range(1, SLOT_COUNT)]


def test_change_of_players() -> None:
    trend = PlayerTrends()
    for slot in range(MIN_KNOWN_SLOTS):
        known = rows(0, 1) if slot else rows(0)
        trend.record_players(known, np.array([3.0, 7.0])[: len(known)] + slot, NOW + slot * SLOT_S)
    changes = trend.changes(rows(0, 1, 2))
    assert changes[0] == MIN_KNOWN_SLOTS - 1
    assert np.isnan(changes[1:]).all()  # fewer known slots than needed, and none at all
    trend.record_players(rows(0), np.array([np.nan]), NOW + SLOT_COUNT * SLOT_S)
    assert np.isnan(trend.changes(rows(0))[0])  # the first of its four slots is more than six hours old
