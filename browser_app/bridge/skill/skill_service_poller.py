"""Hourly queries of the web services that know the user's skill."""

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from browser_app.application.own_skill.skill_web_services import (
    PUBLIC_SERVICES,
    SKILL_SERVICES,
    ServiceAnswer,
    ServiceFetcher,
    ServiceUrls,
    SkillService,
    answer_values,
    missing_identity_text,
    source_state,
)
from browser_app.bridge.background_tasks import SerialExecutor, ignore_storage_errors
from browser_app.bridge.live_settings import LiveSettings
from browser_app.diagnostics import internal_errors
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.masters.steam.steam_key_request import SteamKeyGetter, SteamKeyRequest
from browser_app.engine.network.request_errors import INTERNAL_ERROR_TEXT, RequestTimeoutError
from browser_app.language import gettext as _
from browser_app.player.rate_limited_fetcher import (
    FetchFunction,
    RateLimitedFetcher,
    RateLimitError,
    SkillSourceError,
)
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.player.steam_web_api import fetch_vanity_steam_id
from browser_app.storage.own_skill import skill_sample_store
from browser_app.storage.setting_declarations import OWN_SKILL, QUERY_STEAM_SKILL

_log = logging.getLogger(__name__)

SAMPLE_INTERVAL_S = 3600.0
_MIN_DELAY_MS = 1000
_TIMER_TOLERANCE_S = 300.0
"""Qt's coarse timers may fire up to 5 % early."""

ServiceIdentity = tuple[SkillSourceKind, str]
"""A service and the identity that was looked up."""


class StoredSampleCount(NamedTuple):
    """Number of stored values of a service, and since when (Unix time, s)."""

    values: int = 0
    since: float | None = None


class SkillServicePoller(QObject):
    """Queries services, stores their answers, and reports the state of each source.

    A disabled service is never queried. Only the user's own identities are looked up. Queries run one at a time, and
    each is logged.

    Signals:
        changed: `states` differs.
        request_logged: the log has one more request.
    """

    changed = Signal()
    request_logged = Signal()
    _call_requested = Signal(object)

    def __init__(
        self,
        settings: LiveSettings,
        identities: skill_sample_store.IdentityStore,
        samples: skill_sample_store.SkillSampleStore,
        request_log: skill_sample_store.RequestLog,
        steam_key: SteamKeyGetter,
        urls: ServiceUrls = PUBLIC_SERVICES,
        fetch: FetchFunction | None = None,
    ) -> None:
        """Prepare polling; nothing is queried before `start`.

        `steam_key` may block. `fetch` replaces the network.
        """
        super().__init__()
        self._settings, self._identities, self._samples, self._log = settings, identities, samples, request_log
        self._steam_key, self._urls = steam_key, urls
        self._cancel_token = CancelToken()
        self._client = RateLimitedFetcher(fetch or ServiceFetcher(self._cancel_token), self._log_request)
        self._executor = SerialExecutor("skill sources")
        self._last_answers: dict[ServiceIdentity, tuple[float, ServiceAnswer]] = {}
        self._sample_counts: dict[ServiceIdentity, StoredSampleCount] = {}
        self._tried_at: dict[ServiceIdentity, float] = {}
        self._retry_at: dict[ServiceIdentity, float] = {}
        """Identities whose query the host's limit delayed."""
        self._problems: dict[ServiceIdentity, str] = {}
        self._queue: list[tuple[SkillService, ServiceIdentity]] = []
        self._is_ready = self._is_busy = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.sample)
        self._call_requested.connect(self._run_call, Qt.ConnectionType.QueuedConnection)
        settings.changed.connect(self._on_setting_changed)

    def start(self, prepare: Callable[[], None] | None = None) -> None:
        """Load stored answers, and query services whose answer is an hour old.

        `prepare` is called before, in the background thread.
        """
        if prepare is not None:
            self._executor.run(prepare)
        self._executor.run(self._load_samples)

    def sample(self, *, now: bool = False) -> None:
        """Query the services whose last query is an hour ago; with `now` all enabled ones.

        The identity with the oldest answer goes first, so that a host's limit never falls on the same one each time.
        """
        if not self._is_ready:
            return
        for service in SKILL_SERVICES:
            for identity in sorted(self._identities_of(service), key=self._answered_at):
                is_due = now or self._due_at(identity) <= time.time() + _TIMER_TOLERANCE_S
                if is_due and (service, identity) not in self._queue:
                    self._queue.append((service, identity))
        self._query_next()
        self._schedule()

    def identities_changed(self) -> None:
        """Apply a change of the user's identities."""
        self.sample()
        self.changed.emit()

    def states(self, game: str) -> tuple[SkillSourceState, ...]:
        """Return the states of a game's sources except the record.

        These are its services, and the entered skill.
        """
        services = [self._source_state(service) for service in SKILL_SERVICES if service.game == game]
        entered = self._settings.get(OWN_SKILL).get(game)
        return (*services, SkillSourceState(SkillSourceKind.ENTERED, game, entered is not None, entered))

    def find_account(self, name: str, callback: Callable[[str], object], on_failure: Callable[[str], object]) -> None:
        """Look up the Steam account of a custom profile URL and call back.

        The callback gets the account, or the reason of a failure. Steam is contacted only where the user allows it.
        """
        if not (self._urls.is_demo or self._settings.get(QUERY_STEAM_SKILL)):
            self._call_requested.emit(
                partial(on_failure, _("Requests to Steam are off. Turn them on under “Sources”."))
            )
            return

        def work() -> None:
            try:
                url = self._url(SkillSourceKind.STEAM)
                account = fetch_vanity_steam_id(self._client, name, self._load_steam_key(), url)
            except SkillSourceError as error:
                self._executor.emit(self._call_requested, partial(on_failure, str(error)))
            except Exception:  # noqa: BLE001 (our own bug with one reply must not leave the user waiting)
                internal_errors.report("looking up a Steam account", SkillSourceKind.STEAM.value)
                self._executor.emit(self._call_requested, partial(on_failure, _(INTERNAL_ERROR_TEXT)))
            else:
                self._executor.emit(self._call_requested, partial(callback, account))

        self._executor.run(work)

    def load_request_log(self, callback: Callable[[Sequence[skill_sample_store.LoggedRequest]], object]) -> None:
        """Call back with the logged requests, newest first."""

        def work() -> None:
            found: Sequence[skill_sample_store.LoggedRequest] = ()
            with ignore_storage_errors("read request log"):
                found = self._log.load_newest()
            self._executor.emit(self._call_requested, partial(callback, found))

        self._executor.run(work)

    def close(self) -> None:
        """Stop querying; no signal follows."""
        self._timer.stop()
        self._cancel_token.cancel()
        self._executor.close()

    # In the GUI thread

    def _is_enabled(self, service: SkillService) -> bool:
        return self._urls.is_demo or self._settings.get(service.setting)

    def _identities_of(self, service: SkillService) -> list[ServiceIdentity]:
        if not self._is_enabled(service) or self._urls.url(service.kind) is None:
            return []
        known = self._identities.find_identities(service.game)
        return [(service.kind, each.value) for each in known if each.kind == service.identity]

    def _answered_at(self, identity: ServiceIdentity) -> float:
        answer = self._last_answers.get(identity)
        return answer[0] if answer else 0.0

    def _due_at(self, identity: ServiceIdentity) -> float:
        retry_at = self._retry_at.get(identity, math.inf)
        if retry_at <= time.time() + SAMPLE_INTERVAL_S + _TIMER_TOLERANCE_S:
            return retry_at
        last = max(self._tried_at.get(identity, 0.0), self._answered_at(identity))
        return last + SAMPLE_INTERVAL_S if last <= time.time() else 0.0  # after the clock was set back, query at once

    def _schedule(self) -> None:
        due = [self._due_at(identity) for service in SKILL_SERVICES for identity in self._identities_of(service)]
        if due and not self._cancel_token.is_cancelled:
            delay_s = min(min(due) - time.time(), SAMPLE_INTERVAL_S)
            self._timer.start(max(_MIN_DELAY_MS, round(delay_s * 1000)))
        else:
            self._timer.stop()

    def _on_setting_changed(self, key: str) -> None:
        if key in (service.setting.key for service in SKILL_SERVICES):
            self.sample()
            self.changed.emit()
        elif key == OWN_SKILL.key:
            self.changed.emit()

    def _source_state(self, service: SkillService) -> SkillSourceState:
        identities = self._identities_of(service)
        is_enabled, is_reachable = self._is_enabled(service), self._urls.url(service.kind) is not None
        problem = next(filter(None, map(self._problems.get, identities)), "")
        if is_enabled and not identities:
            problem = missing_identity_text(service) if is_reachable else _demo_only_text()
        identity = next((each for each in identities if each in self._last_answers), None)
        if identity is None:
            return source_state(service, None, enabled=is_enabled, problem=problem)
        count = self._sample_counts.get(identity, StoredSampleCount())
        state = source_state(service, self._last_answers[identity], enabled=is_enabled, problem=problem)
        return replace(state, sample_count=count.values, first_sample_at=count.since)

    def _query_next(self) -> None:
        """Query the next service that is still enabled."""
        while self._queue and not self._is_busy:
            service, identity = self._queue.pop(0)
            if identity in self._identities_of(service):
                self._is_busy, self._tried_at[identity] = True, time.time()
                self._executor.run(partial(self._query_service, service, identity))

    def _run_call(self, work: Callable[[], object]) -> None:
        if not self._cancel_token.is_cancelled:
            work()

    def _apply_answer(
        self,
        identity: ServiceIdentity,
        at: float,
        answer: ServiceAnswer | None,
        counts: Mapping[ServiceIdentity, StoredSampleCount],
        problem: str,
        retry_at: float | None,
    ) -> None:
        self._sample_counts.update(counts)
        self._retry_at.pop(identity, None)
        if retry_at is not None:
            self._retry_at[identity] = retry_at
        if answer is not None:
            self._last_answers[identity] = at, answer
        self._problems[identity] = problem
        self._is_busy = False
        self._query_next()
        self._schedule()
        self.changed.emit()

    def _apply_stored(
        self,
        last_answers: Mapping[ServiceIdentity, tuple[float, ServiceAnswer]],
        counts: Mapping[ServiceIdentity, StoredSampleCount],
    ) -> None:
        self._last_answers = dict(last_answers) | self._last_answers
        self._sample_counts = dict(counts) | self._sample_counts
        self._is_ready = True
        self.changed.emit()
        self.sample()

    # In the background thread

    def _load_samples(self) -> None:
        samples: list[skill_sample_store.SkillSample] = []
        last_answers: dict[ServiceIdentity, tuple[float, ServiceAnswer]] = {}
        with ignore_storage_errors("read skill samples"):  # without stored answers the services are queried again
            for service in SKILL_SERVICES:
                samples += self._samples.load_samples(service.kind, service.game)
                for identity, last in self._samples.load_latest_samples(service.kind, service.game).items():
                    last_answers[service.kind, identity] = last.until, last.values
        self._executor.emit(self._call_requested, partial(self._apply_stored, last_answers, _count_samples(samples)))

    def _query_service(self, service: SkillService, identity: ServiceIdentity) -> None:
        answer, counts, problem, retry_at = None, dict[ServiceIdentity, StoredSampleCount](), "", None
        try:
            key = self._load_steam_key() if service.needs_key else ""
            answer = service.query(self._client, identity[1], key, self._url(service.kind))
            with ignore_storage_errors("save skill sample"):
                self._samples.add(service.kind, service.game, identity[1], time.time(), answer).result()
                counts = _count_samples(self._samples.load_samples(service.kind, service.game))
        except SkillSourceError as error:
            problem = str(error)
            retry_at = time.time() + error.wait_s if isinstance(error, RateLimitError) else None
            _log.info("%s: %s", service.kind.value, problem)
        except Exception:  # noqa: BLE001 (our own bug with one reply must not end the queries)
            internal_errors.report("querying a skill service", service.kind.value)
            problem = _(INTERNAL_ERROR_TEXT)
        self._executor.emit(
            self._call_requested, partial(self._apply_answer, identity, time.time(), answer, counts, problem, retry_at)
        )

    def _load_steam_key(self) -> str:
        try:
            key = SteamKeyRequest(self._steam_key).get(self._cancel_token)
        except RequestTimeoutError as error:
            raise SkillSourceError(str(error)) from None
        if not key:
            raise SkillSourceError(_("Needs a Steam Web API key. Add it in Settings."))
        return key

    def _url(self, kind: SkillSourceKind) -> str:
        base = self._urls.url(kind)
        if base is None:
            raise SkillSourceError(_demo_only_text())
        return base

    def _log_request(self, time_s: float, host: str, subject: str, answer: str) -> None:
        with ignore_storage_errors("log request"):
            self._log.add(skill_sample_store.LoggedRequest(time_s, host, subject, answer)).result()
        self._executor.emit(self._call_requested, self.request_logged.emit)


def _count_samples(samples: Sequence[skill_sample_store.SkillSample]) -> dict[ServiceIdentity, StoredSampleCount]:
    found: dict[ServiceIdentity, StoredSampleCount] = {}
    last: dict[ServiceIdentity, ServiceAnswer] = {}
    for sample in samples:
        identity, values = (SkillSourceKind(sample.source), sample.identity), answer_values(sample.values)
        before = found.get(identity, StoredSampleCount(0, sample.since))
        found[identity] = StoredSampleCount(before.values + (last.get(identity) != values), before.since)
        last[identity] = values
    return found


def _demo_only_text() -> str:
    return _("The demo does not contact online services.")
