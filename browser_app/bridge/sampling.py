"""Every answer and every silence kept over time, and what the kept past tells brought back into the catalogue.

Samples go to the database's own thread every few seconds, so that a killed program loses only the last ones. Reading,
thinning and learning are the work of another thread; the catalogue is touched on the window's thread only.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from browser_app.bridge.live_list import LiveList
from browser_app.bridge.turns import Turns
from browser_app.catalogue.changes import ChangeSet
from browser_app.catalogue.columns import Rows
from browser_app.catalogue.facts import Answer, Status
from browser_app.catalogue.trend import SLOT_S, SLOTS, Floats32, in_slots, slot_of
from browser_app.protocols.address import Address
from browser_app.ranking.forecast import LEAST_WEEKS, WEEK_H, Forecaster, Habits
from browser_app.storage.errors import StorageError
from browser_app.storage.samples import HOUR_S, Past, Sample, Samples

SAVE_MS = 5_000
"""What a killed program loses at most."""
AT_ONCE = 2_000
"""So many samples are one transaction: others that write wait no longer."""
CHORES_MS = 3_600_000
FIRST_CHORES_MS = 20_000
"""So long the start goes first, unless its poll has ended before."""
PASSING_MS = 60_000
"""While nobody answers time passes all the same."""
TELL_MS = 200
"""What is learnt comes in many small portions; the window hears of it when they pause."""
_LEARN_AT_ONCE = 20


class Sampling(QObject):
    """Samples what the live list hears; keeps the catalogue's `trend` and `forecasts` up to date.

    Signals:
        saved: samples were handed to the database's thread.
        recalled: more of the past was found, or time has passed: trends and forecasts are new.
    """

    saved = Signal()
    recalled = Signal()
    _slots_read = Signal(object, object, int)
    _learnt = Signal(object)

    def __init__(
        self, live: LiveList, samples: Samples, most_rows: Callable[[], int], past: Past | None = None
    ) -> None:
        """`past`: what is to be taken for the past up to a time, in portions; of a network that has none."""
        super().__init__(live)
        self._live, self._samples, self.most_rows, self._past = live, samples, most_rows, past
        self.rows: int | None = None
        """So many are kept, as of the last thinning."""
        self._heard: list[Answer] = []
        self._turns = Turns("samples")
        self._closed = False
        self._save_timer = QTimer(self, singleShot=True, interval=SAVE_MS)
        self._save_timer.timeout.connect(self.save)
        self._chores_timer = QTimer(self, singleShot=True, interval=FIRST_CHORES_MS)
        self._chores_timer.timeout.connect(self.do_chores)
        self._passing_timer = QTimer(self, interval=PASSING_MS)
        self._passing_timer.timeout.connect(self._pass)
        self._tell_timer = QTimer(self, singleShot=True, interval=TELL_MS)
        self._tell_timer.timeout.connect(self.recalled)
        live.answered.connect(self._hear)
        live.changed.connect(self._changed)
        live.running_changed.connect(lambda running: self._poll_changed(running=running))
        for signal, slot in ((self._slots_read, self._recall), (self._learnt, self._learn)):
            signal.connect(slot, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        """Bring back the last hours; the rest of the past comes when the start is over."""
        self._turns.run(self._read_slots)
        self._chores_timer.start()
        self._passing_timer.start()

    def save(self) -> None:
        """Hand over what was heard since. Without a network nobody was silent: nobody was asked."""
        self._save_timer.stop()
        poll = self._live.poll
        if poll is not None and poll.progress.network_down:
            self._heard = [answer for answer in self._heard if answer.facts is not None]
        heard = iter(self._heard)
        while some := list(islice(heard, AT_ONCE)):
            self._samples.add(map(_sample, some))
        self._heard = []
        if not self._closed:
            self.saved.emit()

    def do_chores(self) -> None:
        """Thin what is kept to what it may take, and learn from it; otherwise once an hour."""
        if self._closed:
            return
        self._chores_timer.start(CHORES_MS)
        self._turns.run(self._thin_and_learn)

    def close(self) -> None:
        """Hand over the last samples and end the work in hand; no signal follows."""
        if self._closed:
            return
        self._closed = True
        self.save()
        for timer in (self._save_timer, self._chores_timer, self._passing_timer, self._tell_timer):
            timer.stop()
        self._turns.close()

    # On the window's thread

    def _hear(self, answers: Sequence[Answer]) -> None:
        if self._closed:
            return
        self._heard += answers
        if not self._save_timer.isActive():
            self._save_timer.start()

    def _changed(self, changes: ChangeSet) -> None:
        c = self._live.catalogue
        addresses = [c.targets[row].address for row in changes.added.tolist()]
        c.trend.settle(changes.added, addresses)
        c.forecasts.settle(changes.added, addresses)
        fresh = (c.status[changes.ids] == Status.OK) & ~c.old[changes.ids]
        c.trend.hear(changes.ids[fresh], c.players[changes.ids[fresh]], time.time())
        self._look()

    def _look(self) -> None:
        c = self._live.catalogue
        heard = (c.status == Status.OK) & ~c.old
        c.forecasts.look(np.where(heard, c.players, np.nan), c.usable_slots, time.time())

    def _pass(self) -> None:
        self._live.catalogue.trend.advance(time.time())
        self._look()
        self.recalled.emit()

    def _recall(self, addresses: Sequence[Address], slots: Floats32, first: int) -> None:
        if not self._closed:
            trend = self._live.catalogue.trend
            trend.advance(time.time())
            trend.remember(addresses, slots, first)
            trend.settle(*self._in_sight(addresses))
            self._tell_timer.start()

    def _learn(self, habits: Mapping[Address, Habits | None]) -> None:
        if not self._closed:
            forecasts = self._live.catalogue.forecasts
            forecasts.learn(habits)
            forecasts.settle(*self._in_sight(habits))
            self._look()
            self._tell_timer.start()

    def _in_sight(self, addresses: Iterable[Address]) -> tuple[Rows, list[Address]]:
        """Those of them that have rows; the others get theirs when they come."""
        rows = {row: address for address in addresses if (row := self._live.catalogue.id_of(address)) is not None}
        return np.array(list(rows), np.intp), list(rows.values())

    def _poll_changed(self, *, running: bool) -> None:
        if not running and self._chores_timer.isActive() and self._chores_timer.interval() == FIRST_CHORES_MS:
            self.do_chores()

    # On the other thread. Where writing fails `Database.problem` says so; where reading fails there is nothing to show.

    def _read_slots(self) -> None:
        now = time.time()
        first = slot_of(now) - SLOTS + 1
        addresses: list[Address] = []
        samples = np.empty((0, 3))
        with suppress(StorageError):
            self._put_past(now)
            addresses, samples = self._samples.by_slot(first, SLOT_S)
        self._slots_read.emit(addresses, in_slots(samples, len(addresses), first), first)

    def _put_past(self, now: float) -> None:
        for portion in self._past(now) if self._past is not None else ():
            if self._closed:
                return
            self._samples.put(portion).result()

    def _thin_and_learn(self) -> None:
        now = time.time()
        with suppress(StorageError):
            self.rows = self._samples.thin(now, self.most_rows(), lambda: not self._closed)
        with suppress(StorageError):
            known = iter(self._samples.long_known(now - LEAST_WEEKS * WEEK_H * HOUR_S))
            while not self._closed and (some := list(islice(known, _LEARN_AT_ONCE))):
                self._learnt.emit(learn(self._samples, some))


def _sample(answer: Answer) -> Sample:
    facts = answer.facts
    if facts is None:
        return Sample(answer.target.address, answer.received_at, None, None, None)
    return Sample(answer.target.address, answer.received_at, facts.players, facts.bots, answer.ping_ms)


def learn(samples: Samples, addresses: Iterable[Address]) -> dict[Address, Habits | None]:
    """The habits of these servers; None where the past supports no forecast.

    Raises:
        StorageError: the file cannot be read.
    """
    learnt = {address: Forecaster(*past) for address, past in samples.hours(addresses).items()}
    return {address: each.habits if each.supported else None for address, each in learnt.items()}
