"""Services on loopback are asked for the user's skill: when, about whom, and what is kept and told of it."""

import socket
import time
from collections.abc import Callable, Iterator

import pytest
from patience import LIMIT_S
from pytestqt.qtbot import QtBot
from skill_services import ACCOUNT, FINGERPRINT, KEY, PRIVATE, SKILLS, VANITY, Running, running, steam, xonstat

from browser_app.application.skill_web_services import SERVICE_DEADLINE_S, ServiceFetcher, ServiceUrls
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.skill import skill_service_poller as module
from browser_app.bridge.skill.skill_service_poller import SkillServicePoller
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.network import http_client
from browser_app.paths import user_paths
from browser_app.player.rate_limited_fetcher import FetchError, FetchRequest
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.storage.own_skill.skill_sample_store import LoggedQuery, StoredIdentity
from browser_app.storage.setting_declarations import OWN_SKILL, QUERY_STEAM_SKILL, QUERY_XONSTAT_SKILL
from browser_app.storage.user_session import UserSession


class Rig:
    """The sources of a user, and the services that they ask."""

    def __init__(self, bot: QtBot, session: UserSession, background: BackgroundTasks, bases: ServiceUrls) -> None:
        self.bot, self.session, self.bases = bot, session, bases
        self.settings = LiveSettings(session.settings, background)
        self.key: str | None = KEY
        self.sources = self.make()

    def make(self) -> SkillServicePoller:
        session = self.session
        self.sources = SkillServicePoller(
            self.settings, session.identities, session.skill_samples, session.query_log, lambda: self.key, self.bases
        )
        return self.sources

    def know(self, game: str, kind: str, value: str) -> None:
        self.session.identities.add(StoredIdentity(game, kind, value))

    def start(self) -> None:
        with self.bot.waitSignal(self.sources.changed):
            self.sources.start()

    def state(self, kind: SkillSourceKind) -> SkillSourceState:
        game = "xonotic" if kind is SkillSourceKind.XONSTAT else "ns2"
        return next(state for state in self.sources.states(game) if state.kind is kind)

    def wait(self, done: Callable[[], object]) -> None:
        self.bot.waitUntil(lambda: bool(done()))

    def log(self) -> list[LoggedQuery]:
        self.session.database.flush()
        return self.session.query_log.newest()


@pytest.fixture
def steam_web() -> Iterator[Running]:
    with running(steam) as web:
        yield web


@pytest.fixture
def xonstat_web() -> Iterator[Running]:
    with running(xonstat) as web:
        yield web


@pytest.fixture
def rig(qtbot: QtBot, steam_web: Running, xonstat_web: Running) -> Iterator[Rig]:
    background = BackgroundTasks()
    with UserSession(user_paths()) as session:
        rig = Rig(qtbot, session, background, ServiceUrls(steam_web.base, xonstat_web.base))
        yield rig
        rig.sources.close()
        rig.settings.close()
    background.close()


def test_nobody_is_asked_before_the_user_wants_it(rig: Rig, steam_web: Running, xonstat_web: Running) -> None:
    rig.know("ns2", "steam", ACCOUNT)
    rig.know("xonotic", "xonotic", FINGERPRINT)
    rig.start()
    rig.sources.sample(now=True)
    rig.bot.wait(50)
    assert steam_web.asked == xonstat_web.asked == []
    assert rig.log() == []
    assert rig.state(SkillSourceKind.STEAM) == SkillSourceState(SkillSourceKind.STEAM, "ns2", is_enabled=False)


def test_switched_on_they_are_asked_at_once(rig: Rig, steam_web: Running, xonstat_web: Running) -> None:
    rig.know("ns2", "steam", ACCOUNT)
    rig.know("xonotic", "xonotic", FINGERPRINT)
    rig.know("xonotic", "name", "moth*")
    rig.start()
    rig.settings.set(QUERY_STEAM_SKILL, True)
    rig.settings.set(QUERY_XONSTAT_SKILL, True)
    rig.wait(lambda: rig.state(SkillSourceKind.STEAM).points and rig.state(SkillSourceKind.XONSTAT).points)
    state = rig.state(SkillSourceKind.STEAM)
    assert (state.is_enabled, state.points, state.error) == (True, 1771, "")
    assert state.read_at == pytest.approx(time.time(), abs=60)
    assert state.steam is not None
    assert (state.steam.marine, state.steam.alien_commander) == (1557, 1731)
    state = rig.state(SkillSourceKind.XONSTAT)
    assert (state.points, state.sd) == SKILLS["ctf"]
    assert {mode: tuple(each) for mode, each in state.modes.items()} == SKILLS
    assert steam_web.asked == [f"/ISteamUserStats/GetUserStatsForGame/v2/?appid=4920&steamid={ACCOUNT}&key={KEY}"]
    quoted = FINGERPRINT.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D")
    assert xonstat_web.asked == [
        f"/skill?hashkey={quoted}",
        "/player/4711/skill?game_type_cd=",
        "/games?player_id=4711",
    ]
    assert [game.map for game in state.games] == ["catharsis", "bloodrage", "implosion"]
    log = rig.log()
    assert [(each.host, each.answer) for each in log] == [
        ("127.0.0.1", "3 games"),
        ("127.0.0.1", "skill in 2 modes"),
        ("127.0.0.1", "skill 1771"),
    ]
    assert KEY not in repr(log)


def test_what_was_said_is_kept_and_not_asked_again_within_the_hour(rig: Rig, steam_web: Running) -> None:
    rig.know("ns2", "steam", ACCOUNT)
    rig.settings.set(QUERY_STEAM_SKILL, True)
    rig.start()
    rig.wait(lambda: rig.state(SkillSourceKind.STEAM).points)
    rig.session.database.flush()
    (sample,) = rig.session.skill_samples.samples_of("steam", "ns2")
    assert sample.values == {
        "points": 1771, "offset": -214, "commander": 1931, "commander_offset": 200, "adagrad_sum": 0.25,
    }  # fmt: skip
    rig.sources.close()
    rig.make()
    rig.start()
    assert rig.state(SkillSourceKind.STEAM).points == 1771
    rig.sources.sample()
    rig.bot.wait(50)
    assert len(steam_web.asked) == 1
    rig.sources.sample(now=True)
    rig.wait(lambda: len(rig.log()) == 2)
    assert len(steam_web.asked) == 2


def test_an_hour_old_number_is_asked_for_at_the_start(rig: Rig, steam_web: Running) -> None:
    rig.know("ns2", "steam", ACCOUNT)
    rig.settings.set(QUERY_STEAM_SKILL, True)
    rig.session.skill_samples.add("steam", "ns2", ACCOUNT, time.time() - 3601, {"points": 1700.0}).result()
    told: list[float | None] = []
    rig.sources.changed.connect(lambda: told.append(rig.state(SkillSourceKind.STEAM).points))
    rig.start()
    rig.wait(lambda: 1771 in told)
    assert told[0] == 1700
    rig.session.database.flush()
    assert [sample.values["points"] for sample in rig.session.skill_samples.samples_of("steam", "ns2")] == [1700, 1771]
    state = rig.state(SkillSourceKind.STEAM)
    assert state.sample_count == 2
    assert state.first_sample_at == pytest.approx(time.time() - 3601, abs=60)


def test_a_number_from_the_future_is_asked_for_anew(rig: Rig) -> None:
    rig.know("ns2", "steam", ACCOUNT)
    rig.settings.set(QUERY_STEAM_SKILL, True)
    rig.session.skill_samples.add("steam", "ns2", ACCOUNT, time.time() + 1e6, {"points": 1700.0}).result()
    rig.start()
    rig.wait(lambda: rig.state(SkillSourceKind.STEAM).points == 1771)


def test_it_is_asked_every_hour_while_the_program_runs(
    rig: Rig, steam_web: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SAMPLE_INTERVAL_S", 0.2)
    monkeypatch.setattr(module, "_TIMER_TOLERANCE_S", 0.0)
    monkeypatch.setattr(module, "_MIN_DELAY_MS", 10)
    rig.know("ns2", "steam", ACCOUNT)
    rig.settings.set(QUERY_STEAM_SKILL, True)
    rig.start()
    rig.wait(lambda: len(steam_web.asked) >= 3)
    rig.settings.set(QUERY_STEAM_SKILL, False)
    rig.wait(lambda: not rig.sources._is_busy)
    count = len(steam_web.asked)
    rig.bot.wait(400)
    assert len(steam_web.asked) == count
    assert not rig.state(SkillSourceKind.STEAM).is_enabled


def test_every_account_is_asked_about_and_what_went_wrong_is_told(rig: Rig, steam_web: Running) -> None:
    rig.know("ns2", "steam", PRIVATE)
    rig.know("ns2", "steam", ACCOUNT)
    rig.settings.set(QUERY_STEAM_SKILL, True)
    rig.start()
    rig.wait(lambda: rig.state(SkillSourceKind.STEAM).points)
    state = rig.state(SkillSourceKind.STEAM)
    assert (state.points, "not public" in state.error) == (1771, True)
    assert len(steam_web.asked) == 2


def test_without_a_key_steam_is_not_asked(rig: Rig, steam_web: Running) -> None:
    rig.key = None
    rig.know("ns2", "steam", ACCOUNT)
    rig.settings.set(QUERY_STEAM_SKILL, True)
    rig.start()
    rig.wait(lambda: rig.state(SkillSourceKind.STEAM).error)
    assert "Needs a Steam Web API key" in rig.state(SkillSourceKind.STEAM).error
    assert steam_web.asked == []
    assert rig.log() == []
    rig.key = KEY
    rig.sources.sample(now=True)
    rig.wait(lambda: rig.state(SkillSourceKind.STEAM).points)
    assert rig.state(SkillSourceKind.STEAM).error == ""


def test_without_an_identity_nobody_is_asked_and_it_is_said(rig: Rig, steam_web: Running, xonstat_web: Running) -> None:
    rig.settings.set(QUERY_STEAM_SKILL, True)
    rig.settings.set(QUERY_XONSTAT_SKILL, True)
    rig.know("xonotic", "steam", ACCOUNT)
    rig.start()
    assert "Steam id is not known" in rig.state(SkillSourceKind.STEAM).error
    assert "fingerprint is not known" in rig.state(SkillSourceKind.XONSTAT).error
    assert steam_web.asked == xonstat_web.asked == []
    rig.know("ns2", "steam", ACCOUNT)
    rig.sources.identities_changed()
    rig.wait(lambda: rig.state(SkillSourceKind.STEAM).points)


def test_a_value_is_counted_once_however_many_games_were_played_meanwhile(rig: Rig) -> None:
    samples, modes = rig.session.skill_samples, {"ctf": [1796.0, 88.0]}
    told: tuple[dict[str, object], ...] = (
        {"modes": modes, "games": []},
        {"modes": modes, "games": [[900.0, "ctf", "dance", "vapor"]]},
        {"modes": {"ctf": [1801.0, 87.0]}, "games": []},
    )
    began = time.time() - 60
    for number, each in enumerate(told):
        samples.add("xonstat", "xonotic", FINGERPRINT, began + number, each).result()
    rig.know("xonotic", "xonotic", FINGERPRINT)
    rig.settings.set(QUERY_XONSTAT_SKILL, True)
    rig.start()
    state = rig.state(SkillSourceKind.XONSTAT)
    assert (state.points, state.sample_count, state.first_sample_at) == (1801.0, 2, began)


def test_a_typed_number_is_a_source(rig: Rig) -> None:
    assert rig.state(SkillSourceKind.TYPED) == SkillSourceState(SkillSourceKind.TYPED, "ns2", is_enabled=False)
    with rig.bot.waitSignal(rig.sources.changed):
        rig.settings.set(OWN_SKILL, {"ns2": 1500.0})
    assert rig.state(SkillSourceKind.TYPED) == SkillSourceState(
        SkillSourceKind.TYPED, "ns2", is_enabled=True, points=1500.0
    )
    assert [state.kind for state in rig.sources.states("quake3")] == [SkillSourceKind.TYPED]


def test_a_chosen_address_is_looked_up(rig: Rig) -> None:
    rig.settings.set(QUERY_STEAM_SKILL, True)
    told: list[str] = []
    rig.sources.find_account(VANITY, told.append, told.append)
    rig.wait(lambda: told)
    rig.sources.find_account("nobody", told.append, lambda why: told.append(f"no: {why}"))
    rig.wait(lambda: len(told) == 2)
    assert told == [ACCOUNT, "no: No profile on Steam has that address."]
    questions: list[LoggedQuery] = []
    rig.session.database.flush()
    rig.sources.load_query_log(questions.extend)
    rig.wait(lambda: len(questions) == 2)
    assert questions[0].answer == "No Steam profile has that address."


def test_no_address_is_looked_up_while_steam_is_switched_off(rig: Rig, steam_web: Running) -> None:
    told: list[str] = []
    rig.sources.find_account(VANITY, told.append, told.append)
    rig.wait(lambda: told)
    assert told == ["Requests to Steam are off. Turn them on under “Sources”."]
    assert (steam_web.asked, rig.log()) == ([], [])


def test_in_the_demo_nobody_outside_is_asked(rig: Rig) -> None:
    rig.sources.close()
    rig.bases = ServiceUrls(None, None)
    rig.make()
    rig.know("ns2", "steam", ACCOUNT)
    rig.settings.set(QUERY_STEAM_SKILL, True)
    rig.start()
    told: list[str] = []
    rig.sources.find_account(VANITY, told.append, told.append)
    rig.wait(lambda: told)
    assert told[0] == rig.state(SkillSourceKind.STEAM).error == "The demo does not contact online services."
    assert rig.log() == []


def test_a_silent_service_holds_up_nothing(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "READ_TIMEOUT_S", 3 * LIMIT_S)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        rig.sources.close()
        rig.bases = ServiceUrls(f"http://127.0.0.1:{listener.getsockname()[1]}")
        rig.make()
        rig.know("ns2", "steam", ACCOUNT)
        rig.settings.set(QUERY_STEAM_SKILL, True)
        rig.start()
        connection, _ = listener.accept()
        began = time.monotonic()
        rig.sources.close()
        assert time.monotonic() - began < SERVICE_DEADLINE_S / 2
        connection.close()


def test_a_question_has_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_client, "READ_TIMEOUT_S", 3 * LIMIT_S)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        began = time.monotonic()
        with pytest.raises(FetchError, match="no answer within"):
            ServiceFetcher(CancelToken(), deadline_s=0.1)(FetchRequest(url, {}, "nothing"))
        assert time.monotonic() - began < LIMIT_S
