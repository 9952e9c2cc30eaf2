"""Recording of server samples, and trends and forecasts from them.

Samples go to the database's thread every few seconds, so that a killed program loses only the last ones. Reading,
thinning and learning run in another thread; the catalogue is accessed in the GUI thread only.
"""

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from browser_app import runtime_tuning
from browser_app.application.player_forecasts import (
    LEARN_BATCH_SIZE,
    learn_forecast_models,
    servers_to_forecast,
    update_forecasts,
)
from browser_app.bridge.background_tasks import BackgroundTasks, SerialExecutor, ignore_storage_errors
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue_columns import ChangeSet, RowIds
from browser_app.catalogue.player_trends import SLOT_COUNT, SLOT_S, TrendArray, arrange_in_slots, slot_at
from browser_app.catalogue.sample_series import SampleSeries
from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.protocols.address import Address
from browser_app.ranking.player_forecast import ForecastModel
from browser_app.storage.server_samples import SeriesBatches, ServerSample, ServerSampleStore
from browser_app.storage.storage_errors import StorageError

_log = logging.getLogger(__name__)


class SampleSeriesReader:
    """Reads series of samples in background threads."""

    def __init__(self, samples: ServerSampleStore, background: BackgroundTasks) -> None:
        self._samples, self._background = samples, background

    def read(self, address: Address, callback: Callable[[SampleSeries], object]) -> None:
        """Call back with all stored samples of a server.

        The series is empty where the database cannot be read.
        """
        self._background.run(lambda: self._load_series(address), callback)

    def _load_series(self, address: Address) -> SampleSeries:
        try:
            return self._samples.load_series(address)
        except StorageError as error:
            _log.info("Could not read the samples of %s: %s", address, error)
            return SampleSeries.from_rows([])


SAVE_DELAY_MS = 5_000
"""A killed program loses the samples of this time at most."""
SAVE_BATCH_SIZE = 2_000
"""Samples of one transaction: other writers wait no longer than for these."""
MAINTENANCE_INTERVAL_MS = 3_600_000
FIRST_MAINTENANCE_MS = 20_000
"""Delay of the first maintenance after the start, unless the first poll ends before."""
ADVANCE_INTERVAL_MS = 60_000
"""Trends advance at this interval even while no server answers."""
NOTIFY_DELAY_MS = 200
"""Models arrive in many small batches; the window is notified when they pause for this long."""


class SampleRecorder(QObject):
    """Records samples of the server list.

    Updates the catalogue's `trends` and `forecasts`.

    Signals:
        samples_saved: samples were handed to the database's thread.
        history_changed: trends and forecasts have changed: more samples were read, or time has passed.
    """

    samples_saved = Signal()
    history_changed = Signal()
    _slots_read = Signal(object, object, int)
    _models_learned = Signal(object)

    def __init__(
        self,
        server_list: ServerListController,
        samples: ServerSampleStore,
        max_rows: Callable[[], int],
        simulated_past: SeriesBatches | None = None,
    ) -> None:
        """Prepare recording; nothing is read before `start`.

        `simulated_past` returns samples up to a time in batches, for a network that has no stored past.
        """
        super().__init__(server_list)
        self._server_list, self._samples = server_list, samples
        self.max_rows, self._simulated_past = max_rows, simulated_past
        self.stored_rows: int | None = None
        """Stored samples after the last thinning; None before."""
        self._unsaved_results: list[QueryResult] = []
        self._executor = SerialExecutor("samples")
        self._closed = False
        self._save_timer = QTimer(self, singleShot=True, interval=SAVE_DELAY_MS)
        self._save_timer.timeout.connect(self.save)
        self._maintenance_timer = QTimer(self, singleShot=True, interval=FIRST_MAINTENANCE_MS)
        self._maintenance_timer.timeout.connect(self.run_maintenance)
        self._advance_timer = QTimer(self, interval=ADVANCE_INTERVAL_MS)
        self._advance_timer.timeout.connect(self._advance_time)
        self._notify_timer = QTimer(self, singleShot=True, interval=NOTIFY_DELAY_MS)
        self._notify_timer.timeout.connect(self.history_changed)
        server_list.results_received.connect(self._queue_results)
        server_list.changed.connect(self._on_list_changed)
        server_list.running_changed.connect(lambda running: self._on_poll_changed(running=running))
        for signal, slot in ((self._slots_read, self._apply_slots), (self._models_learned, self._apply_models)):
            signal.connect(slot, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        """Read the samples of the last hours; older ones are read after the start."""
        self._executor.run(self._read_slots)
        self._maintenance_timer.start()
        self._advance_timer.start()

    def save(self) -> None:
        """Hand unsaved samples to the database's thread.

        Silent servers are left out while the network is down: no query reached them.
        """
        self._save_timer.stop()
        poll = self._server_list.poll
        if poll is not None and poll.progress.is_network_down:
            self._unsaved_results = [result for result in self._unsaved_results if result.info is not None]
        results = iter(self._unsaved_results)
        while batch := list(islice(results, SAVE_BATCH_SIZE)):
            self._samples.add(map(_sample_of, batch))
        self._unsaved_results = []
        if not self._closed:
            self.samples_saved.emit()

    def run_maintenance(self) -> None:
        """Thin the stored samples to their limit and learn from them.

        Runs once an hour anyway.
        """
        if self._closed:
            return
        self._maintenance_timer.start(MAINTENANCE_INTERVAL_MS)
        self._executor.run(self._thin_and_learn)

    def close(self) -> None:
        """Hand over the last samples and end the background work; no signal follows."""
        if self._closed:
            return
        self._closed = True
        self.save()
        for timer in (self._save_timer, self._maintenance_timer, self._advance_timer, self._notify_timer):
            timer.stop()
        self._executor.close()

    # In the GUI thread

    def _queue_results(self, results: Sequence[QueryResult]) -> None:
        if self._closed:
            return
        self._unsaved_results += results
        if not self._save_timer.isActive():
            self._save_timer.start()

    def _on_list_changed(self, changes: ChangeSet) -> None:
        c = self._server_list.catalogue
        c.trends.forget(changes.removed)
        c.forecasts.forget(changes.removed)
        addresses = [c.targets[row].address for row in changes.added.tolist()]
        c.trends.assign_rows(changes.added, addresses)
        c.forecasts.assign_rows(changes.added, addresses)
        fresh = (c.status[changes.ids] == QueryStatus.OK) & ~c.saved[changes.ids]
        c.trends.record_players(changes.ids[fresh], c.players[changes.ids[fresh]], time.time())
        self._update_forecasts()

    def _update_forecasts(self) -> None:
        update_forecasts(self._server_list.catalogue, time.time())

    def _advance_time(self) -> None:
        self._server_list.catalogue.trends.advance(time.time())
        self._update_forecasts()
        self.history_changed.emit()

    def _apply_slots(self, addresses: Sequence[Address], slots: TrendArray, first: int) -> None:
        if not self._closed:
            trend = self._server_list.catalogue.trends
            trend.advance(time.time())
            trend.set_past(addresses, slots, first)
            trend.assign_rows(*self._rows_of(addresses))
            self._notify_timer.start()

    def _apply_models(self, models: Mapping[Address, ForecastModel | None]) -> None:
        if not self._closed:
            forecasts = self._server_list.catalogue.forecasts
            forecasts.set_models(models)
            forecasts.assign_rows(*self._rows_of(models))
            self._update_forecasts()
            self._notify_timer.start()

    def _rows_of(self, addresses: Iterable[Address]) -> tuple[RowIds, list[Address]]:
        """Return the rows that have one of these addresses, with their addresses.

        New rows are assigned when they are added.
        """
        row_of = self._server_list.catalogue.row_of
        rows = {row: address for address in addresses if (row := row_of(address)) is not None}
        return np.array(list(rows), np.intp), list(rows.values())

    def _on_poll_changed(self, *, running: bool) -> None:
        if (
            not running
            and self._maintenance_timer.isActive()
            and self._maintenance_timer.interval() == FIRST_MAINTENANCE_MS
        ):
            self.run_maintenance()

    # In the background thread. `Database.problem` reports failing writes; where reading fails there is nothing to
    # show.

    def _read_slots(self) -> None:
        now = time.time()
        first = slot_at(now) - SLOT_COUNT + 1
        addresses: list[Address] = []
        samples = np.empty((0, 3))
        with ignore_storage_errors("read recent samples"):
            self._store_simulated_past(now)
            addresses, samples = self._samples.load_players_by_slot(first, SLOT_S)
        self._executor.emit(self._slots_read, addresses, arrange_in_slots(samples, len(addresses), first), first)

    def _store_simulated_past(self, now: float) -> None:
        for batch in self._simulated_past(now) if self._simulated_past is not None else ():
            if self._closed:
                return
            self._samples.add_series(batch).result()

    def _thin_and_learn(self) -> None:
        now = time.time()
        with ignore_storage_errors("thin samples"):
            self.stored_rows = self._samples.thin(now, self.max_rows(), lambda: not self._closed)
        with ignore_storage_errors("read samples to learn from"):
            known = iter(servers_to_forecast(self._samples, now))
            while not self._closed and (batch := list(islice(known, LEARN_BATCH_SIZE))):
                self._executor.emit(self._models_learned, learn_forecast_models(self._samples, batch))
        runtime_tuning.release_free_memory()


def _sample_of(result: QueryResult) -> ServerSample:
    info = result.info
    if info is None:
        return ServerSample(result.target.address, result.received_at, None, None, None)
    return ServerSample(result.target.address, result.received_at, info.players, info.bots, result.ping_ms)
