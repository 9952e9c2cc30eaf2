"""Polling of skill services: when, for whom, what is shown and stored."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from fake_skill_services import (
    ACCOUNT,
    FINGERPRINT,
    KEY,
    PRIVATE,
    SKILLS,
    VANITY,
    FakeService,
    run_service,
    steam,
    xonstat,
)
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S

from browser_app.application.own_skill.skill_web_services import (
    SERVICE_DEADLINE_S,
    SKILL_SERVICES,
    ServiceFetcher,
    ServiceUrls,
)
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill import skill_service_poller
from browser_app.bridge.skill.skill_service_poller import SkillServicePoller
from browser_app.diagnostics import internal_errors
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.network import http_client
from browser_app.paths import user_paths
from browser_app.player import rate_limited_fetcher
from browser_app.player.rate_limited_fetcher import FetchError, FetchRequest
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.storage.own_skill.skill_sample_store import LoggedRequest, StoredIdentity
from browser_app.storage.setting_declarations import OWN_SKILL, QUERY_STEAM_SKILL, QUERY_XONSTAT_SKILL
from browser_app.storage.user_storage import UserStorage


class PollerFixture:
    """A service poller with its user and services."""

    def __init__(self, bot: QtBot, storage: UserStorage, background: BackgroundTasks, urls: ServiceUrls) -> None:
        self.bot, self.storage, self.urls = bot, storage, urls
        self.settings = LiveSettings(storage.settings, background)
        self.key: str | None = KEY
        self.poller = self.create_poller()

    def create_poller(self) -> SkillServicePoller:
        storage = self.storage
        self.poller = SkillServicePoller(
            self.settings, storage.identities, storage.skill_samples, storage.request_log, lambda: self.key, self.urls
        )
        return self.poller

    def add_identity(self, game: str, kind: str, value: str) -> None:
        self.storage.identities.add(StoredIdentity(game, kind, value))

    def start(self) -> None:
        with self.bot.waitSignal(self.poller.changed):
            self.poller.start()

    def state(self, kind: SkillSourceKind) -> SkillSourceState:
        game = "xonotic" if kind is SkillSourceKind.XONSTAT else "ns2"
        return next(state for state in self.poller.states(game) if state.kind is kind)

    def wait(self, done: Callable[[], object]) -> None:
        self.bot.waitUntil(lambda: bool(done()))

    def log(self) -> list[LoggedRequest]:
        self.storage.database.flush()
        return self.storage.request_log.load_newest()


@pytest.fixture
def steam_web() -> Iterator[FakeService]:
    with run_service(steam) as web:
        yield web


@pytest.fixture
def xonstat_web() -> Iterator[FakeService]:
    with run_service(xonstat) as web:
        yield web


@pytest.fixture
def env(qtbot: QtBot, steam_web: FakeService, xonstat_web: FakeService) -> Iterator[PollerFixture]:
    background = BackgroundTasks()
    with UserStorage(user_paths()) as storage:
        env = PollerFixture(qtbot, storage, background, ServiceUrls(steam_web.base, xonstat_web.base))
        yield env
        env.poller.close()
        env.settings.close()
    background.close()


def test_disabled_services_are_not_queried(
    env: PollerFixture, steam_web: FakeService, xonstat_web: FakeService
) -> None:
    env.add_identity("ns2", "steam", ACCOUNT)
    env.add_identity("xonotic", "xonotic", FINGERPRINT)
    env.start()
    env.poller.sample(now=True)
    env.bot.wait(50)
    assert steam_web.requests == xonstat_web.requests == []
    assert env.log() == []
    assert env.state(SkillSourceKind.STEAM) == SkillSourceState(SkillSourceKind.STEAM, "ns2", is_enabled=False)


def test_enabled_services_are_queried_at_once(
    env: PollerFixture, steam_web: FakeService, xonstat_web: FakeService
) -> None:
    env.add_identity("ns2", "steam", ACCOUNT)
    env.add_identity("xonotic", "xonotic", FINGERPRINT)
    env.add_identity("xonotic", "name", "moth*")
    env.start()
    env.settings.set(QUERY_STEAM_SKILL, True)
    env.settings.set(QUERY_XONSTAT_SKILL, True)
    env.wait(lambda: env.state(SkillSourceKind.STEAM).points and env.state(SkillSourceKind.XONSTAT).points)
    state = env.state(SkillSourceKind.STEAM)
    assert (state.is_enabled, state.points, state.error) == (True, 1771, "")
    assert state.read_at == pytest.approx(time.time(), abs=60)
    assert state.steam is not None
    assert (state.steam.marine, state.steam.alien_commander) == (1557, 1731)
    state = env.state(SkillSourceKind.XONSTAT)
    assert (state.points, state.sd) == SKILLS["ctf"]
    assert {mode: tuple(each) for mode, each in state.modes.items()} == SKILLS
    assert steam_web.requests == [f"/ISteamUserStats/GetUserStatsForGame/v2/?appid=4920&steamid={ACCOUNT}&key={KEY}"]
    quoted = FINGERPRINT.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D")
    assert xonstat_web.requests == [
        f"/skill?hashkey={quoted}",
        "/player/4711/skill?game_type_cd=",
        "/games?player_id=4711",
    ]
    assert [game.map for game in state.games] == ["catharsis", "bloodrage", "implosion"]
    log = env.log()
    assert [(each.host, each.answer) for each in log] == [
        ("127.0.0.1", "3 rounds"),
        ("127.0.0.1", "skill in 2 modes"),
        ("127.0.0.1", "skill 1\u202f771"),
    ]
    assert KEY not in repr(log)


def test_no_second_query_within_an_hour(env: PollerFixture, steam_web: FakeService) -> None:
    env.add_identity("ns2", "steam", ACCOUNT)
    env.settings.set(QUERY_STEAM_SKILL, True)
    env.start()
    env.wait(lambda: env.state(SkillSourceKind.STEAM).points)
    env.storage.database.flush()
    (sample,) = env.storage.skill_samples.load_samples("steam", "ns2")
    assert sample.values == {
        "points": 1771, "offset": -214, "commander": 1931, "commander_offset": 200, "adagrad_sum": 0.25,
    }  # fmt: skip
    env.poller.close()
    env.create_poller()
    env.start()
    assert env.state(SkillSourceKind.STEAM).points == 1771
    env.poller.sample()
    env.bot.wait(50)
    assert len(steam_web.requests) == 1
    env.poller.sample(now=True)
    env.wait(lambda: len(env.log()) == 2)
    assert len(steam_web.requests) == 2


def test_start_updates_old_answer(env: PollerFixture, steam_web: FakeService) -> None:
    env.add_identity("ns2", "steam", ACCOUNT)
    env.settings.set(QUERY_STEAM_SKILL, True)
    env.storage.skill_samples.add("steam", "ns2", ACCOUNT, time.time() - 3601, {"points": 1700.0}).result()
    received: list[float | None] = []
    env.poller.changed.connect(lambda: received.append(env.state(SkillSourceKind.STEAM).points))
    env.start()
    env.wait(lambda: 1771 in received)
    assert received[0] == 1700
    env.storage.database.flush()
    assert [sample.values["points"] for sample in env.storage.skill_samples.load_samples("steam", "ns2")] == [
        1700,
        1771,
    ]
    state = env.state(SkillSourceKind.STEAM)
    assert state.sample_count == 2
    assert state.first_sample_at == pytest.approx(time.time() - 3601, abs=60)


def test_answer_from_future_is_updated(env: PollerFixture) -> None:
    env.add_identity("ns2", "steam", ACCOUNT)
    env.settings.set(QUERY_STEAM_SKILL, True)
    env.storage.skill_samples.add("steam", "ns2", ACCOUNT, time.time() + 1e6, {"points": 1700.0}).result()
    env.poller._retry_at[SkillSourceKind.STEAM, ACCOUNT] = time.time() + 1e6  # set while the clock was ahead
    env.start()
    env.wait(lambda: env.state(SkillSourceKind.STEAM).points == 1771)


def test_polls_hourly(env: PollerFixture, steam_web: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skill_service_poller, "SAMPLE_INTERVAL_S", 0.2)
    monkeypatch.setattr(skill_service_poller, "_TIMER_TOLERANCE_S", 0.0)
    monkeypatch.setattr(skill_service_poller, "_MIN_DELAY_MS", 10)
    env.add_identity("ns2", "steam", ACCOUNT)
    env.settings.set(QUERY_STEAM_SKILL, True)
    env.start()
    env.wait(lambda: len(steam_web.requests) >= 3)
    env.settings.set(QUERY_STEAM_SKILL, False)
    env.wait(lambda: not env.poller._is_busy)
    count = len(steam_web.requests)
    env.bot.wait(400)
    assert len(steam_web.requests) == count
    assert not env.state(SkillSourceKind.STEAM).is_enabled


def test_queries_every_account(env: PollerFixture, steam_web: FakeService) -> None:
    env.add_identity("ns2", "steam", PRIVATE)
    env.add_identity("ns2", "steam", ACCOUNT)
    env.settings.set(QUERY_STEAM_SKILL, True)
    env.start()
    env.wait(lambda: env.state(SkillSourceKind.STEAM).points)
    state = env.state(SkillSourceKind.STEAM)
    assert (state.points, "not public" in state.error) == (1771, True)
    assert len(steam_web.requests) == 2


class FakeXonStat:
    """XonStat without a network; every key has a skill."""

    def __init__(self) -> None:
        self.keys: list[str] = []

    def __call__(self, request: FetchRequest) -> bytes:
        if not request.url.endswith("/skill"):
            return b"[]"
        self.keys.append(request.query["hashkey"])
        return json.dumps([{"player_id": len(self.keys), "game_type_cd": "ctf", "mu": 1500, "sigma": 90}]).encode()


FINGERPRINTS = [letter * 43 + "=" for letter in "abcd"]


@pytest.fixture
def xonstat_env(env: PollerFixture) -> tuple[PollerFixture, FakeXonStat]:
    """Return a user with four keys.

    Their queries take more requests than XonStat is sent in ten minutes.
    """
    service, storage = FakeXonStat(), env.storage
    env.poller.close()
    env.poller = SkillServicePoller(
        env.settings, storage.identities, storage.skill_samples, storage.request_log, str, env.urls, service
    )
    for fingerprint in FINGERPRINTS:
        env.add_identity("xonotic", "xonotic", fingerprint)
    env.settings.set(QUERY_XONSTAT_SKILL, True)
    return env, service


def test_every_key_is_queried_in_turn(
    xonstat_env: tuple[PollerFixture, FakeXonStat], monkeypatch: pytest.MonkeyPatch
) -> None:
    env, service = xonstat_env
    monkeypatch.setattr(rate_limited_fetcher, "WINDOW_S", 0.5)
    monkeypatch.setattr(skill_service_poller, "_TIMER_TOLERANCE_S", 0.0)
    monkeypatch.setattr(skill_service_poller, "_MIN_DELAY_MS", 10)
    env.start()
    env.wait(lambda: "Too many requests" in env.state(SkillSourceKind.XONSTAT).error)
    assert service.keys == FINGERPRINTS[:3]
    env.wait(lambda: service.keys == FINGERPRINTS)
    env.wait(lambda: not env.state(SkillSourceKind.XONSTAT).error)


def test_oldest_answer_is_updated_first(xonstat_env: tuple[PollerFixture, FakeXonStat]) -> None:
    env, service = xonstat_env
    samples, modes = env.storage.skill_samples, {"modes": {"ctf": [1500.0, 90.0]}, "games": []}
    for hours, fingerprint in enumerate(FINGERPRINTS, 1):
        samples.add("xonstat", "xonotic", fingerprint, time.time() - hours * 7200, modes).result()
    env.start()
    env.wait(lambda: "Too many requests" in env.state(SkillSourceKind.XONSTAT).error)
    assert service.keys == FINGERPRINTS[:0:-1]


def test_steam_needs_key(env: PollerFixture, steam_web: FakeService) -> None:
    env.key = None
    env.add_identity("ns2", "steam", ACCOUNT)
    env.settings.set(QUERY_STEAM_SKILL, True)
    env.start()
    env.wait(lambda: env.state(SkillSourceKind.STEAM).error)
    assert "Needs a Steam Web API key" in env.state(SkillSourceKind.STEAM).error
    assert steam_web.requests == []
    assert env.log() == []
    env.key = KEY
    env.poller.sample(now=True)
    env.wait(lambda: env.state(SkillSourceKind.STEAM).points)
    assert env.state(SkillSourceKind.STEAM).error == ""


def test_missing_identity_is_reported(env: PollerFixture, steam_web: FakeService, xonstat_web: FakeService) -> None:
    env.settings.set(QUERY_STEAM_SKILL, True)
    env.settings.set(QUERY_XONSTAT_SKILL, True)
    env.add_identity("xonotic", "steam", ACCOUNT)
    env.start()
    assert "Steam ID" in env.state(SkillSourceKind.STEAM).error
    assert "key" in env.state(SkillSourceKind.XONSTAT).error
    assert steam_web.requests == xonstat_web.requests == []
    env.add_identity("ns2", "steam", ACCOUNT)
    env.poller.identities_changed()
    env.wait(lambda: env.state(SkillSourceKind.STEAM).points)


def test_counts_values_not_games(env: PollerFixture) -> None:
    samples, modes = env.storage.skill_samples, {"ctf": [1796.0, 88.0]}
    received: tuple[dict[str, object], ...] = (
        {"modes": modes, "games": []},
        {"modes": modes, "games": [[900.0, "ctf", "dance", "vapor"]]},
        {"modes": {"ctf": [1801.0, 87.0]}, "games": []},
    )
    began = time.time() - 60
    for number, each in enumerate(received):
        samples.add("xonstat", "xonotic", FINGERPRINT, began + number, each).result()
    env.add_identity("xonotic", "xonotic", FINGERPRINT)
    env.settings.set(QUERY_XONSTAT_SKILL, True)
    env.start()
    state = env.state(SkillSourceKind.XONSTAT)
    assert (state.points, state.sample_count, state.first_sample_at) == (1801.0, 2, began)


def test_entered_skill_is_source(env: PollerFixture) -> None:
    assert env.state(SkillSourceKind.ENTERED) == SkillSourceState(SkillSourceKind.ENTERED, "ns2", is_enabled=False)
    with env.bot.waitSignal(env.poller.changed):
        env.settings.set(OWN_SKILL, {"ns2": 1500.0})
    assert env.state(SkillSourceKind.ENTERED) == SkillSourceState(
        SkillSourceKind.ENTERED, "ns2", is_enabled=True, points=1500.0
    )
    assert [state.kind for state in env.poller.states("quake3")] == [SkillSourceKind.ENTERED]


def test_find_account(env: PollerFixture) -> None:
    env.settings.set(QUERY_STEAM_SKILL, True)
    received: list[str] = []
    env.poller.find_account(VANITY, received.append, received.append)
    env.wait(lambda: received)
    env.poller.find_account("nobody", received.append, lambda why: received.append(f"no: {why}"))
    env.wait(lambda: len(received) == 2)
    assert received[0] == ACCOUNT
    assert received[1].startswith("no: ")
    queries: list[LoggedRequest] = []
    env.storage.database.flush()
    env.poller.load_request_log(queries.extend)
    env.wait(lambda: len(queries) == 2)
    assert received[1] == f"no: {queries[0].answer}"


@pytest.mark.expects_log
def test_internal_errors_end_no_queries(env: PollerFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    env.add_identity("ns2", "steam", ACCOUNT)
    env.add_identity("xonotic", "xonotic", FINGERPRINT)
    env.settings.set(QUERY_XONSTAT_SKILL, True)
    env.settings.set(QUERY_STEAM_SKILL, True)

    def fail(*_: object) -> dict[str, Any]:
        raise RuntimeError

    failing = tuple(replace(service, query=fail) for service in SKILL_SERVICES)
    monkeypatch.setattr(skill_service_poller, "SKILL_SERVICES", failing)
    env.start()
    env.wait(lambda: all(env.state(kind).error for kind in (SkillSourceKind.STEAM, SkillSourceKind.XONSTAT)))
    assert env.state(SkillSourceKind.STEAM).error == "stopped by an internal error"
    monkeypatch.setattr(skill_service_poller, "fetch_vanity_steam_id", fail)
    received: list[str] = []
    env.poller.find_account(VANITY, lambda _account: pytest.fail("found"), received.append)
    env.wait(lambda: received)
    assert internal_errors.counts() == {
        "RuntimeError while querying a skill service": 2,
        "RuntimeError while looking up a Steam account": 1,
    }
    monkeypatch.undo()
    env.poller.sample(now=True)
    env.wait(lambda: not env.state(SkillSourceKind.XONSTAT).error)


def test_find_account_with_steam_off(env: PollerFixture, steam_web: FakeService) -> None:
    received: list[str] = []
    env.poller.find_account(VANITY, lambda _account: pytest.fail("found"), received.append)
    env.wait(lambda: received)
    assert (steam_web.requests, env.log()) == ([], [])


def test_demo_queries_no_service(env: PollerFixture) -> None:
    env.poller.close()
    env.urls = ServiceUrls(None, None)
    env.create_poller()
    env.add_identity("ns2", "steam", ACCOUNT)
    env.settings.set(QUERY_STEAM_SKILL, True)
    env.start()
    received: list[str] = []
    env.poller.find_account(VANITY, lambda _account: pytest.fail("found"), received.append)
    env.wait(lambda: received)
    assert received == [env.state(SkillSourceKind.STEAM).error]
    assert env.log() == []


def test_close_does_not_wait_for_service(env: PollerFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "READ_TIMEOUT_S", 3 * LIMIT_S)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        env.poller.close()
        env.urls = ServiceUrls(f"http://127.0.0.1:{listener.getsockname()[1]}")
        env.create_poller()
        env.add_identity("ns2", "steam", ACCOUNT)
        env.settings.set(QUERY_STEAM_SKILL, True)
        env.start()
        connection, _ = listener.accept()
        began = time.monotonic()
        env.poller.close()
        assert time.monotonic() - began < SERVICE_DEADLINE_S / 2
        connection.close()


def test_request_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "READ_TIMEOUT_S", 3 * LIMIT_S)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        began = time.monotonic()
        with pytest.raises(FetchError, match="no answer within"):
            ServiceFetcher(CancelToken(), deadline_s=0.1)(FetchRequest(url, {}, "nothing"))
        assert time.monotonic() - began < LIMIT_S
