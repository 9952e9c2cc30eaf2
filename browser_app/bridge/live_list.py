"""The live list: carries the engine's answers into the catalogue, in batches, on the window's thread.

Kept true: the catalogue is touched on the window's thread only; while nothing is asked no timer runs.
"""

import time
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from browser_app.bridge import full_collections
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Answer, KnownServer, Status, Target
from browser_app.engine.masters import keeps_old_list
from browser_app.engine.poll import Poll
from browser_app.engine.scan import Scan
from browser_app.games.profile import RankingConstants
from browser_app.language import gettext as _
from browser_app.timings import mark

DRAIN_MS = 50
DRAIN_AT_ONCE = 500
RESCORE_MS = 330
FRAME_MS = 17
AGAIN_MS = 10_000
"""So long after a poll that ended without a network the next one begins by itself."""


class LiveList(QObject):
    """Owns the catalogue and what is being asked.

    Signals:
        answered: a sequence of `Answer`s, before they are taken in.
        changed: a `ChangeSet`, after answers were taken in.
        rescored: scores and factors were worked out anew.
        progressed: the poll in hand has moved on, or remembering began; look at `poll` and `remembering`.
        running_changed: a poll began or ended.
    """

    answered = Signal(object)
    changed = Signal(object)
    rescored = Signal()
    progressed = Signal()
    running_changed = Signal(bool)

    def __init__(
        self,
        catalogue: Catalogue,
        start_poll: Callable[[Sequence[Target]], Poll],
        ask: Callable[[Target], Scan],
        own_skill: Callable[[], Mapping[str, float]],
        preset: Callable[[], RankingConstants | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.catalogue = catalogue
        self.poll: Poll | None = None
        """The poll in hand or, when it has ended, the last one."""
        self._start_poll, self._ask = start_poll, ask
        self._own_skill, self._preset = own_skill, preset
        self._running = False
        self._remembering = False
        self._refresh_wanted = False
        self._closed = False
        self._paused = False
        self._asked: list[Scan] = []
        self._answered = False
        self._began_at, self._began_s = time.time(), time.monotonic()
        self._heard_s: dict[int, float] = {}
        """By server: when its last answer of this run was taken in, on the monotonic clock."""
        self._listed: dict[str, int] = {}
        self._when_over: list[Callable[[], None]] = []
        self._drain_timer = QTimer(self)
        self._drain_timer.setInterval(DRAIN_MS)
        self._drain_timer.timeout.connect(self._drain)
        self._rescore_timer = QTimer(self)
        self._rescore_timer.setSingleShot(True)
        self._rescore_timer.setInterval(RESCORE_MS)
        self._rescore_timer.setTimerType(Qt.TimerType.PreciseTimer)  # a coarse one would fall in with the other
        self._rescore_timer.timeout.connect(self._score)
        # Scores, order and answers each get a frame of their own: in one piece they would hold one up.
        self._tell_timer = QTimer(self, singleShot=True, interval=FRAME_MS)
        self._tell_timer.timeout.connect(self.rescored)

        self.again_timer = QTimer(self)
        """Runs from the end of a poll without a network to the next poll."""
        self.again_timer.setSingleShot(True)
        self.again_timer.setInterval(AGAIN_MS)
        self.again_timer.timeout.connect(self.refresh)

    @property
    def running(self) -> bool:
        """A poll is in hand."""
        return self._running

    @property
    def remembering(self) -> bool:
        """The list of an earlier run is being read; a refresh waits for its end."""
        return self._remembering

    def begin_remembering(self) -> None:
        """Servers of an earlier run come by `remember` from now on."""
        self._remembering = True
        full_collections.put_off()
        self.progressed.emit()

    def remember(self, servers: Sequence[KnownServer]) -> None:
        """Show servers of an earlier run, marked old; the first ones at once. Not after `close`."""
        if self._closed:
            return
        self.changed.emit(self.catalogue.remember(servers))
        if not self._rescore_timer.isActive():
            self._rescore_timer.start()
            self.rescore()

    def end_remembering(self) -> None:
        """All have come: ask them, if that was wanted meanwhile. Not after `close`."""
        if self._closed:
            return
        self._remembering = False
        full_collections.allow()
        self.rescore()
        if self._refresh_wanted:
            self.refresh()

    def refresh(self) -> None:
        """Ask all masters and servers; every server known already is asked at once too. Not after `close`."""
        if self._running or self._closed:
            return
        self._refresh_wanted = self._remembering
        if self._remembering:
            return
        self.again_timer.stop()
        full_collections.put_off()  # before the poll makes its objects
        try:
            self.poll = self._start_poll(self.catalogue.targets)
        except BaseException:
            full_collections.allow()
            raise
        self._set_running(True)
        self._drain_timer.start()

    def refresh_then(self, over: Callable[[], None]) -> None:
        """Refresh, or let the refresh in hand go on, and call `over` when it has ended."""
        self._when_over.append(over)
        self.refresh()

    def when_over(self, then: Callable[[], None]) -> None:
        """Call `then` when the poll in hand has ended; at once where there is none."""
        if self._running:
            self._when_over.append(then)
        else:
            then()

    def stop(self) -> None:
        """Stop asking; what has come stays."""
        if self.poll is not None and self._running:
            self.poll.cancel()

    @property
    def paused(self) -> bool:
        """Nobody is to be asked but by the user's own hand."""
        return self._paused

    def pause(self) -> None:
        """A game needs the line: stop, and begin nothing that the user does not ask for, until `resume`."""
        self._paused = True
        self.again_timer.stop()
        self.stop()

    def resume(self) -> None:
        """The line is free again."""
        self._paused = False

    def ask(self, server: int) -> None:
        """Ask one server for everything: its players and rules too. Not after `close`."""
        if self._closed:
            return
        self._asked.append(self._ask(self.catalogue.targets[server]))
        self._drain_timer.start()

    def close(self) -> None:
        """End everything that is being asked; no signal follows."""
        self._closed = True
        for _each in range(self._running + self._remembering):
            full_collections.allow()
        self._running = self._remembering = False
        for timer in (self._drain_timer, self._rescore_timer, self._tell_timer, self.again_timer):
            timer.stop()
        for each in (self.poll, *self._asked):
            if each is not None:
                each.cancel()

    def master_failures(self) -> list[str]:
        """What went wrong with masters in this poll, a line each; an empty list after a full one is a failure."""
        failures = []
        for state in self.poll.masters if self.poll is not None else ():
            if state.error:
                failures.append(f"{state.url}: {state.error}")
            elif keeps_old_list(self._listed.get(state.url, 0), state):
                failures.append(_("{master}: an empty list; the old one is kept").format(master=state.url))
        return failures

    def take(self, answers: Sequence[Answer]) -> None:
        """Merge answers, from wherever they came."""
        if not answers:
            return
        if not self._answered:
            self._answered = True
            mark("first_answer")
        self.answered.emit(answers)
        changes = self.catalogue.merge(answers)
        heard = changes.ids[self.catalogue.status[changes.ids] == Status.OK]
        self._heard_s.update(dict.fromkeys(heard.tolist(), time.monotonic()))
        self.changed.emit(changes)
        if not self._rescore_timer.isActive():
            self._rescore_timer.start()

    def rescore(self) -> None:
        """Work out all scores now."""
        self._score()
        self._tell_timer.stop()
        self.rescored.emit()

    def _score(self) -> None:
        self.catalogue.rescore(self._own_skill(), self._preset())
        self._tell_timer.start()
        if self._drain_timer.isActive():
            self._drain_timer.start()

    def _drain(self) -> None:
        self.take(self._batch())
        self._asked = [scan for scan in self._asked if scan.answers or not scan.finished.is_set()]
        if self._running and self.poll is not None:
            self.progressed.emit()
            if self.poll.finished and not self.poll.scan.answers:
                self._end()
        if not self._running and not self._asked:
            self._drain_timer.stop()

    def _batch(self) -> list[Answer]:
        scans = [*self._asked, *([self.poll.scan] if self.poll is not None else [])]
        batch: list[Answer] = []
        for scan in scans:
            while scan.answers and len(batch) < DRAIN_AT_ONCE:
                batch.append(scan.answers.popleft())
        return batch

    def _end(self) -> None:
        mark("scan_done")
        self.rescore()
        self._set_running(False)
        if self.poll is not None and self.poll.progress.network_down and not self._paused:
            self.again_timer.start()
        for state in self.poll.masters if self.poll is not None else ():
            if not keeps_old_list(self._listed.get(state.url, 0), state):
                self._listed[state.url] = state.servers
        waiting, self._when_over = self._when_over, []
        for over in waiting:
            over()

    def _set_running(self, running: bool) -> None:
        self._running = running
        if not running:
            full_collections.allow()
        self.running_changed.emit(running)

    def seconds_since_answer(self, server: int) -> float:
        """Age of what is known of a server, s, never below 0; NaN where it never answered."""
        heard_s = self._heard_s.get(server)
        if heard_s is not None:
            return time.monotonic() - heard_s
        return self.age_s(float(self.catalogue.last_answer[server]))

    def age_s(self, told_at: float) -> float:
        """Seconds since a moment of an earlier run, given as Unix time; never below 0, NaN for NaN.

        The wall clock is read once a run, so that setting it while the program runs makes nothing older or younger.
        """
        age_s = self._began_at - told_at + time.monotonic() - self._began_s
        return age_s if age_s != age_s else max(0.0, age_s)
