"""Generated samples of demo servers, which end at their present state."""

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from forecast_fit import fit_forecaster

from browser_app.catalogue.sample_series import SampleSeries, hourly_means
from browser_app.demo.demo_network import DemoNetwork
from browser_app.demo.population import DemoServerState
from browser_app.demo.scenario import ServerSpec
from browser_app.demo.server_history import MAX_HISTORY_SERVERS, SERVER_HISTORY_DAYS, make_server_history
from browser_app.protocols.address import Address

NOW = 1_800_000_000.0


def playing(server: DemoServerState) -> int:
    return sum(not person.is_bot and not person.is_spectator for person in server.players)


def planned(servers: int, dead: float = 0.0) -> list[tuple[Address, ServerSpec]]:
    parts = DemoNetwork(servers=servers, dead=dead).specs
    return [(Address(f"127.0.{number // 250}.{number % 250}", 1), part) for number, part in enumerate(parts)]


def sample_histories(servers: Sequence[tuple[Address, ServerSpec]], seed: int = 1) -> dict[Address, SampleSeries]:
    return {
        address: series
        for portion in make_server_history(servers, NOW, time.gmtime, seed)
        for address, series in portion.items()
    }


def test_past_leads_to_now() -> None:
    servers = planned(40)
    past = sample_histories(servers)
    assert len(past) == 40
    for address, part in servers:
        series, server = past[address], part.server
        assert SERVER_HISTORY_DAYS - 1 <= series.days <= SERVER_HISTORY_DAYS
        assert (np.diff(series.time) > 0).all()
        assert series.time[-1] + series.span[-1] <= NOW
        assert series.low.min() >= 0
        assert series.high.max() <= server.max_players - server.reserved
        assert (series.low <= series.players).all()
        assert (series.players <= series.high).all()
        here = min(playing(server), server.max_players - server.reserved)
        assert abs(series.players[-1] - here) <= max(2, 0.15 * here)


def test_evenings_have_most_players() -> None:
    hours = [hourly_means(series) for series in sample_histories(planned(40)).values()]
    evening = np.mean([players[(hour // 3600) % 24 == 20].mean() for hour, players in hours])
    morning = np.mean([players[(hour // 3600) % 24 == 6].mean() for hour, players in hours])
    assert evening > 3 * morning
    assert sum(fit_forecaster(*each).is_supported for each in hours) > 20


def test_seed_decides_history() -> None:
    first, again = (sample_histories(planned(20, dead=0.5)) for _ in range(2))
    other = sample_histories(planned(20, dead=0.5), seed=2)
    assert len(first) == 10
    address = next(iter(first))
    assert np.array_equal(first[address].players, again[address].players)
    assert not np.array_equal(first[address].players, other[address].players)


def test_large_network_has_less_past() -> None:
    (_, dead), *_ = planned(1, dead=1.0)
    servers = [(Address("127.0.0.1", number + 1), dead) for number in range(MAX_HISTORY_SERVERS + 9)]
    alive = [(address, replace(part, is_alive=True)) for address, part in servers[MAX_HISTORY_SERVERS - 1 :]]
    assert list(sample_histories([*servers[: MAX_HISTORY_SERVERS - 1], *alive])) == [alive[0][0]]
