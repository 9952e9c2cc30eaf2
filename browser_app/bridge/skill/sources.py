"""The services that know the user's skill, asked once an hour while the program runs, each only when it is wanted."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill.web_fetch import WebFetch
from browser_app.bridge.skill.web_sources import (
    REAL,
    WEB_SOURCES,
    Bases,
    Told,
    WebSource,
    no_identity,
    state_of,
    values_of,
)
from browser_app.bridge.turns import Turns
from browser_app.engine.delivery import MasterLate
from browser_app.engine.secret_store import KeyOnce, SteamKey
from browser_app.engine.stop import Stop
from browser_app.language import gettext as _
from browser_app.player.asking import Asked, Asking, Fetch, SourceError
from browser_app.player.sources import SourceKind, SourceState
from browser_app.player.steam_vanity import ask_whose
from browser_app.storage.asked import AskedLog, KeptQuestion
from browser_app.storage.declared import ASK_STEAM, MY_SKILL
from browser_app.storage.errors import StorageError
from browser_app.storage.identities import Identities
from browser_app.storage.skill_samples import SkillSample, SkillSamples

EVERY_S = 3600.0
_SOON_MS = 1000
_EARLY_S = 300.0
"""Qt's timers may be a twentieth early."""

Who = tuple[SourceKind, str]
"""A source and the identity that it was asked about."""


class Kept(NamedTuple):
    """How many values of a source are kept, and since when (Unix time, s)."""

    values: int = 0
    since: float | None = None


class SkillSources(QObject):
    """Asks, keeps what was said, and tells how each source stands.

    Kept true: a source that is switched off is not asked; nobody is asked about anybody but the user's identities; one
    question is asked at a time, and each is noted.

    Signals:
        changed: `states` differs.
        asked: one more question stands in the log.
    """

    changed = Signal()
    asked = Signal()
    _told = Signal(object)

    def __init__(
        self,
        settings: LiveSettings,
        identities: Identities,
        samples: SkillSamples,
        log: AskedLog,
        steam_key: SteamKey,
        bases: Bases = REAL,
        fetch: Fetch | None = None,
    ) -> None:
        """`steam_key` may block. `fetch`: the network unless another one is given."""
        super().__init__()
        self._settings, self._identities, self._samples, self._log = settings, identities, samples, log
        self._steam_key, self._bases = steam_key, bases
        self._stop = Stop()
        self._asking = Asking(fetch or WebFetch(self._stop), self._note)
        self._turns = Turns("skill sources")
        self._said: dict[Who, tuple[float, Told]] = {}
        self._kept: dict[Who, Kept] = {}
        self._tried: dict[Who, float] = {}
        self._problems: dict[Who, str] = {}
        self._waiting: list[tuple[WebSource, Who]] = []
        self._ready = self._busy = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.sample)
        self._told.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        settings.changed.connect(self._setting_changed)

    def start(self, before: Callable[[], None] | None = None) -> None:
        """Bring back what was said before, and ask where that is an hour ago.

        `before` is done first, beside the window.
        """
        if before is not None:
            self._turns.run(before)
        self._turns.run(self._read)

    def sample(self, *, now: bool = False) -> None:
        """Ask those whose hour is over; with `now` all that are switched on."""
        if not self._ready:
            return
        for source in WEB_SOURCES:
            for who in self._wanted(source):
                if (now or self._due(who) <= time.time() + _EARLY_S) and (source, who) not in self._waiting:
                    self._waiting.append((source, who))
        self._go_on()
        self._schedule()

    def identities_changed(self) -> None:
        """The user is somebody else, or somebody more."""
        self.sample()
        self.changed.emit()

    def states(self, game: str) -> tuple[SourceState, ...]:
        """How the sources of a game stand, the record left out: the services that know the game, and what was typed."""
        services = [self._state(source) for source in WEB_SOURCES if source.game == game]
        typed = self._settings.get(MY_SKILL).get(game)
        return (*services, SourceState(SourceKind.TYPED, game, typed is not None, typed))

    def find_account(self, name: str, then: Callable[[str], object], failed: Callable[[str], object]) -> None:
        """Ask Steam, if it may be asked at all, whose profile has a chosen address: the account, or why not."""
        if not (self._bases.invited or self._settings.get(ASK_STEAM)):
            self._told.emit(partial(failed, _("Nothing is sent to Steam unless it is switched on: see “Sources”.")))
            return

        def work() -> None:
            try:
                account = ask_whose(self._asking, name, self._key(), self._base(SourceKind.STEAM))
            except SourceError as error:
                self._told.emit(partial(failed, str(error)))
            else:
                self._told.emit(partial(then, account))

        self._turns.run(work)

    def questions(self, then: Callable[[Sequence[KeptQuestion]], object]) -> None:
        """Call back with what was asked of whom, newest first."""

        def work() -> None:
            try:
                found = self._log.newest()
            except StorageError:
                found = []
            self._told.emit(partial(then, found))

        self._turns.run(work)

    def close(self) -> None:
        """Ask no more; nothing is told."""
        self._timer.stop()
        self._stop.set()
        self._turns.close()

    # On the window's thread

    def _on(self, source: WebSource) -> bool:
        return self._bases.invited or self._settings.get(source.setting)

    def _wanted(self, source: WebSource) -> list[Who]:
        if not self._on(source) or self._bases.of(source.kind) is None:
            return []
        known = self._identities.of(source.game)
        return [(source.kind, each.value) for each in known if each.kind == source.identity]

    def _due(self, who: Who) -> float:
        said = self._said.get(who)
        last = max(self._tried.get(who, 0.0), said[0] if said else 0.0)
        return last + EVERY_S if last <= time.time() else 0.0  # a clock that was set back keeps nobody waiting

    def _schedule(self) -> None:
        due = [self._due(who) for source in WEB_SOURCES for who in self._wanted(source)]
        if due and not self._stop.is_set:
            self._timer.start(max(_SOON_MS, min(round((min(due) - time.time()) * 1000), round(EVERY_S * 1000))))
        else:
            self._timer.stop()

    def _setting_changed(self, key: str) -> None:
        if key in (source.setting.key for source in WEB_SOURCES):
            self.sample()
            self.changed.emit()
        elif key == MY_SKILL.key:
            self.changed.emit()

    def _state(self, source: WebSource) -> SourceState:
        wanted = self._wanted(source)
        on, reachable = self._on(source), self._bases.of(source.kind) is not None
        problem = next(filter(None, map(self._problems.get, wanted)), "")
        if on and not wanted:
            problem = no_identity(source) if reachable else _nobody_outside()
        who = next((each for each in wanted if each in self._said), None)
        if who is None:
            return state_of(source, None, on=on, problem=problem)
        kept = self._kept.get(who, Kept())
        state = state_of(source, self._said[who], on=on, problem=problem)
        return replace(state, kept=kept.values, kept_since=kept.since)

    def _go_on(self) -> None:
        """Ask the next one, if it is still wanted."""
        while self._waiting and not self._busy:
            source, who = self._waiting.pop(0)
            if who in self._wanted(source):
                self._busy, self._tried[who] = True, time.time()
                self._turns.run(partial(self._ask, source, who))

    def _tell(self, work: Callable[[], object]) -> None:
        if not self._stop.is_set:
            work()

    def _take(self, who: Who, at: float, told: Told | None, kept: Mapping[Who, Kept], problem: str) -> None:
        self._kept.update(kept)
        if told is not None:
            self._said[who] = at, told
        self._problems[who] = problem
        self._busy = False
        self._go_on()
        self._schedule()
        self.changed.emit()

    def _begin(self, said: Mapping[Who, tuple[float, Told]], kept: Mapping[Who, Kept]) -> None:
        self._said, self._kept = dict(said) | self._said, dict(kept) | self._kept
        self._ready = True
        self.changed.emit()
        self.sample()

    # On the other thread

    def _read(self) -> None:
        kept: list[SkillSample] = []
        try:
            for source in WEB_SOURCES:
                kept += self._samples.of(source.kind, source.game)
        except StorageError:  # there is nothing to show then; it is asked anew
            kept = []
        last = sorted(kept, key=lambda sample: sample.until)
        said = {(SourceKind(sample.source), sample.identity): (sample.until, sample.told) for sample in last}
        self._told.emit(partial(self._begin, said, _kept(kept)))

    def _ask(self, source: WebSource, who: Who) -> None:
        told, kept, problem = None, dict[Who, Kept](), ""
        try:
            key = self._key() if source.needs_key else ""
            told = source.ask(self._asking, who[1], key, self._base(source.kind))
            with suppress(StorageError):
                self._samples.add(source.kind, source.game, who[1], time.time(), told).result()
                kept = _kept(self._samples.of(source.kind, source.game))
        except SourceError as error:
            problem = str(error)
        self._told.emit(partial(self._take, who, time.time(), told, kept, problem))

    def _key(self) -> str:
        try:
            key = KeyOnce(self._steam_key).get(self._stop)
        except MasterLate as error:
            raise SourceError(str(error)) from None
        if not key:
            raise SourceError(_("Needs a Steam Web API key: the settings have a place for it."))
        return key

    def _base(self, kind: SourceKind) -> str:
        base = self._bases.of(kind)
        if base is None:
            raise SourceError(_nobody_outside())
        return base

    def _note(self, asked: Asked) -> None:
        with suppress(StorageError):
            self._log.add(KeptQuestion(asked.time, asked.host, asked.what, asked.answer)).result()
        self._told.emit(self.asked.emit)


def _kept(samples: Sequence[SkillSample]) -> dict[Who, Kept]:
    found: dict[Who, Kept] = {}
    last: dict[Who, Told] = {}
    for sample in samples:
        who, values = (SourceKind(sample.source), sample.identity), values_of(sample.told)
        before = found.get(who, Kept(0, sample.since))
        found[who] = Kept(before.values + (last.get(who) != values), before.since)
        last[who] = values
    return found


def _nobody_outside() -> str:
    return _("Nobody outside this machine is asked in the demo.")
