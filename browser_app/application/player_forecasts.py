"""Forecasts of the players on servers, learned from stored samples."""

import logging
import time
from collections.abc import Iterable

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryStatus
from browser_app.protocols.address import Address
from browser_app.ranking.player_forecast import Forecaster, ForecastModel
from browser_app.storage.server_samples import ServerSampleStore
from browser_app.storage.storage_errors import StorageError

_log = logging.getLogger(__name__)


def learn_forecast_models(
    samples: ServerSampleStore, addresses: Iterable[Address]
) -> dict[Address, ForecastModel | None]:
    """Return the forecast model of each server; None where its past supports no forecast.

    Raises:
        StorageError: the database cannot be read.
    """
    forecasters = {address: Forecaster(*series) for address, series in samples.hourly_players(addresses).items()}
    return {address: each.model if each.is_supported else None for address, each in forecasters.items()}


def update_forecasts(catalogue: Catalogue, now: float) -> None:
    """Recompute the forecasts of all servers at `now` (Unix time, s); there is none for a server without an answer."""
    answered = (catalogue.status == QueryStatus.OK) & ~catalogue.old
    catalogue.forecasts.update(np.where(answered, catalogue.players, np.nan), catalogue.usable_slots, now)


def forecast_players(catalogue: Catalogue, samples: ServerSampleStore) -> None:
    """Learn from the stored samples of all servers that answered, and forecast their players. Slow."""
    rows = np.flatnonzero(catalogue.status == QueryStatus.OK)
    addresses = [catalogue.targets[row].address for row in rows.tolist()]
    try:
        catalogue.forecasts.set_models(learn_forecast_models(samples, addresses))
    except StorageError as error:
        _log.info("No forecasts: %s", error)
    catalogue.forecasts.assign_rows(rows, addresses)
    update_forecasts(catalogue, time.time())
