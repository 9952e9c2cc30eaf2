"""Six weeks of generated samples for demo servers.

Player numbers peak every evening, for longer on weekends, vary around the server's long-term level, and end at the
present number of players.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from browser_app.catalogue.catalogue_columns import Floats
from browser_app.catalogue.sample_series import SampleSeries, ToLocalTime
from browser_app.demo.scenario import ServerSpec
from browser_app.protocols.address import Address

SERVER_HISTORY_DAYS = 42
MAX_HISTORY_SERVERS = 500
"""Samples of more servers would take too long to write."""
_FINE_STEP_S, _HOUR_S, _DAY_S = 300, 3600, 86400
_FINE_DAYS = 2
_SERVERS_PER_BATCH = 5
_SETTLING_TIME_S = 5400.0
"""Before now, in which the generated numbers approach the present ones."""


def make_server_history(
    servers: Sequence[tuple[Address, ServerSpec]], now: float, local_time: ToLocalTime, seed: int
) -> Iterator[Mapping[Address, SampleSeries]]:
    """Return samples of servers up to `now` (Unix time, s), in batches.

    `local_time` maps times to the players' local time, in whole hours from UTC.
    """
    alive = iter([(address, spec) for address, spec in servers[:MAX_HISTORY_SERVERS] if spec.is_alive])
    times = np.arange((now - SERVER_HISTORY_DAYS * _DAY_S) // _HOUR_S * _HOUR_S, now - _FINE_STEP_S, _FINE_STEP_S)
    hours = _local_hours(times, local_time)
    while batch := list(islice(alive, _SERVERS_PER_BATCH)):
        yield {address: _make_series(spec, times, hours, now, seed) for address, spec in batch}


def _local_hours(times: Floats, local_time: ToLocalTime) -> tuple[Floats, Floats]:
    """Return the local hour of each time, and 1 on weekends, else 0."""
    first = local_time(float(times[0]))
    hours = first.tm_hour + (times - times[0]) / _HOUR_S
    weekday = (first.tm_wday + hours // 24) % 7
    return hours % 24, (weekday >= 5).astype(np.float64)


def _make_series(
    spec: ServerSpec, times: Floats, local_hours: tuple[Floats, Floats], now: float, seed: int
) -> SampleSeries:
    rng = np.random.default_rng((abs(seed), spec.server.number))
    players = _simulate_player_counts(spec, times, local_hours, now, rng)
    ping_ms = spec.latency_ms + rng.exponential(1.5, len(times)) + 25 * (_smooth_noise(len(times), 40, rng) > 2.6)
    bots = np.clip(spec.server.bot_count_target - players, 0, None)
    fine_from = int(np.searchsorted(times, (now - _FINE_DAYS * _DAY_S) // _DAY_S * _DAY_S))
    coarse = [column[: fine_from // 12 * 12].reshape(-1, 12) for column in (times, players, bots, ping_ms)]
    fine = [column[fine_from:] for column in (times, players, bots, ping_ms)]
    return SampleSeries(
        time=np.concatenate((coarse[0][:, 0], fine[0])),
        span=np.repeat([float(_HOUR_S), float(_FINE_STEP_S)], [len(coarse[0]), len(fine[0])]),
        answered=np.ones(len(coarse[0]) + len(fine[0])),
        players=np.concatenate((coarse[1].mean(axis=1), fine[1])),
        low=np.concatenate((coarse[1].min(axis=1), fine[1])),
        high=np.concatenate((coarse[1].max(axis=1), fine[1])),
        bots=np.concatenate((coarse[2].mean(axis=1), fine[2])),
        ping_ms=np.concatenate((coarse[3].mean(axis=1), fine[3])),
    )


def _simulate_player_counts(
    spec: ServerSpec, times: Floats, local_hours: tuple[Floats, Floats], now: float, rng: np.random.Generator
) -> Floats:
    hour, weekend = local_hours
    server = spec.server
    peak = 20.5 + rng.normal(0, 1.2) - 1.5 * weekend
    width = 2.6 + rng.uniform(0, 1.5) + 1.8 * weekend
    distance = np.abs((hour - peak + 12) % 24 - 12)
    wave = np.exp(-0.5 * (distance / width) ** 2)
    player_counts = server.max_players * min(1.1, 1.5 * server.fill_ratio) * (0.06 + 0.94 * wave)
    player_counts = player_counts + np.sqrt(player_counts) * (
        0.6 * _smooth_noise(len(times), 24, rng) + 0.3 * _smooth_noise(len(times), 4, rng)
    )
    present = sum(not person.is_bot and not person.is_spectator for person in server.players)
    player_counts += (present - player_counts[-1]) * np.exp((times - now) / _SETTLING_TIME_S)
    return np.clip(np.round(player_counts), 0, server.max_players - server.reserved)


def _smooth_noise(length: int, node_distance: int, rng: np.random.Generator) -> Floats:
    """Return noise with a deviation of about 1.

    It is interpolated between nodes that are `node_distance` samples apart.
    """
    nodes = rng.normal(0, 1.2, length // node_distance + 2)
    return np.interp(np.arange(length) / node_distance, np.arange(len(nodes)), nodes)
