"""Simulated links: rates of loss, delay and duplicates, the same for one seed."""

import itertools
import statistics

import pytest

from browser_app.demo.faults.network_faults import NetworkFaults
from browser_app.demo.sockets.simulated_link import SimulatedLink


@pytest.mark.parametrize("loss", [0.0, 0.03, 0.5, 1.0])
def test_loss_is_near_rate(loss: float) -> None:
    link = SimulatedLink(40, 5, NetworkFaults(), loss=loss)
    rate = statistics.fmean(link.drop_next() for _ in range(20_000))
    assert rate == pytest.approx(loss, abs=0.01)


def test_losses_have_no_pattern() -> None:
    link = SimulatedLink(40, 6, NetworkFaults(), loss=0.5)
    drops = [link.drop_next() for _ in range(20_000)]
    pairs = statistics.fmean(first and second for first, second in itertools.pairwise(drops))
    assert pairs == pytest.approx(0.25, abs=0.02)


def test_same_seed_gives_same_link() -> None:
    faults = NetworkFaults(jumps=0.1)
    first, second, other = (SimulatedLink(40, seed, faults, loss=0.2, jitter_ms=5) for seed in (9, 9, 10))
    drawn = [[(link.drop_next(), link.next_delay_ns()) for _ in range(100)] for link in (first, second, other)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_exact_link_waits_exactly() -> None:
    link = SimulatedLink(41.5, 1, NetworkFaults())
    assert {link.next_delay_ns() for _ in range(100)} == {41_500_000}


def test_jitter_only_adds() -> None:
    link = SimulatedLink(40, 1, NetworkFaults(), jitter_ms=8)
    waits = [link.next_delay_ns() / 1e6 for _ in range(5000)]
    assert min(waits) >= 40
    assert max(waits) < 48
    assert statistics.median(waits) < 42


def test_jumps_are_separate_delays() -> None:
    link = SimulatedLink(40, 1, NetworkFaults(reorder=0.2, jumps=0.1, jump_ms=300))
    waits = [link.next_delay_ns() / 1e6 for _ in range(5000)]
    assert set(waits) == {40, 70, 340, 370}
    assert statistics.fmean(wait in (340, 370) for wait in waits) == pytest.approx(0.1, abs=0.02)
    assert statistics.fmean(wait in (70, 370) for wait in waits) == pytest.approx(0.2, abs=0.02)


def test_duplicates_are_near_rate() -> None:
    link = SimulatedLink(40, 2, NetworkFaults(duplicates=0.3))
    assert statistics.fmean(link.duplicate_next() for _ in range(5000)) == pytest.approx(0.3, abs=0.03)
