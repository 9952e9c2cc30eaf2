"""Forecasts and trends of the players on servers, from stored samples."""

import logging
import time
from collections.abc import Sequence
from itertools import islice

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import RowIds
from browser_app.catalogue.player_trends import SLOT_COUNT, SLOT_S, arrange_in_slots, slot_at
from browser_app.catalogue.server_info import QueryStatus
from browser_app.protocols.address import Address
from browser_app.ranking.player_forecast import HOUR_S, MIN_WEEKS, WEEK_H, Forecaster, ForecastModel
from browser_app.storage.server_samples import ServerSampleStore
from browser_app.storage.storage_errors import StorageError

_log = logging.getLogger(__name__)

LEARN_BATCH_SIZE = 200
"""Servers learned from at once: more need more memory and are no faster."""


def learn_forecast_models(
    samples: ServerSampleStore, addresses: Sequence[Address]
) -> dict[Address, ForecastModel | None]:
    """Return the forecast model of each server, None where its past is too short.

    Raises:
        StorageError: the database cannot be read.
    """
    forecaster = Forecaster(samples.load_hourly_players(addresses), len(addresses))
    supported = zip(addresses, forecaster.is_supported.tolist(), strict=True)
    return {
        address: forecaster.models.select_server(index) if is_supported else None
        for index, (address, is_supported) in enumerate(supported)
    }


def servers_to_forecast(samples: ServerSampleStore, now: float) -> list[Address]:
    """Return the servers whose past is long enough for a forecast.

    The forecast is made at `now` (Unix time, s).

    Raises:
        StorageError: the database cannot be read.
    """
    return samples.find_servers_known_before(now - MIN_WEEKS * WEEK_H * HOUR_S)


def update_forecasts(catalogue: Catalogue, now: float) -> None:
    """Recompute the forecasts of all servers at `now` (Unix time, s).

    A server without an answer has no forecast.
    """
    answered = (catalogue.status == QueryStatus.OK) & ~catalogue.saved
    catalogue.forecasts.update(np.where(answered, catalogue.players, np.nan), catalogue.usable_slots, now)


def forecast_players(catalogue: Catalogue, samples: ServerSampleStore) -> None:
    """Forecast the players of all servers that answered, from their stored samples.

    Slow.
    """
    now = time.time()
    rows, addresses = _answering_servers(catalogue)
    try:
        answering = set(addresses)
        known = (address for address in servers_to_forecast(samples, now) if address in answering)
        while batch := list(islice(known, LEARN_BATCH_SIZE)):
            catalogue.forecasts.set_models(learn_forecast_models(samples, batch))
    except StorageError as error:
        _log.info("No forecasts: %s", error)
    catalogue.forecasts.assign_rows(rows, addresses)
    update_forecasts(catalogue, now)


def load_trends(catalogue: Catalogue, samples: ServerSampleStore) -> None:
    """Load the players of the last six hours, and add those of now.

    Covers all servers that answered.
    """
    now, trends = time.time(), catalogue.trends
    first = slot_at(now) - SLOT_COUNT + 1
    rows, addresses = _answering_servers(catalogue)
    trends.record_players(rows, catalogue.players[rows], now)
    try:
        known, players = samples.load_players_by_slot(first, SLOT_S)
    except StorageError as error:
        _log.info("No trends: %s", error)
        return
    trends.set_past(known, arrange_in_slots(players, len(known), first), first)
    trends.assign_rows(rows, addresses)


def _answering_servers(catalogue: Catalogue) -> tuple[RowIds, list[Address]]:
    rows = np.flatnonzero(catalogue.status == QueryStatus.OK)
    return rows, [catalogue.targets[row].address for row in rows.tolist()]
