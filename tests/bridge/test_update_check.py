"""Update check: off without an address, at most once a day, and only reported."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from fake_skill_services import FakeService, Reply, run_service
from pytestqt.qtbot import QtBot

from browser_app.bridge import update_check
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.update_check import DAY_S, UpdateChecker
from browser_app.diagnostics import internal_errors
from browser_app.storage.database import open_database
from browser_app.storage.setting_declarations import UPDATE_CHECK_URL
from browser_app.storage.settings_store import Settings
from browser_app.storage.ui_state import UiState


class UpdateCheckFixture:
    """An update checker with an adjustable clock, and the page that it reads."""

    def __init__(self, folder: Path, web: FakeService) -> None:
        self.now, self.page, self.web = 1_000_000.0, Reply(200, b"99.1.0\n"), web
        self.database = open_database(folder)
        self.background = BackgroundTasks()
        self.settings = LiveSettings(Settings(folder), self.background)
        self.problems: list[str] = []
        self.checker = self.restart()

    def restart(self) -> UpdateChecker:
        """Return the checker of the next program start."""
        checker = UpdateChecker(self.settings, UiState(self.database), self.background, lambda: self.now)
        checker.check_failed.connect(self.problems.append)
        return checker

    def saved(self) -> object:
        """Return what the next start will read."""
        return UiState(self.database).get("releases")


@pytest.fixture
def env(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[UpdateCheckFixture]:
    monkeypatch.setattr(update_check, "FIRST_CHECK_DELAY_MS", 1)
    created: list[UpdateCheckFixture] = []
    with run_service(lambda path, query, headers: created[0].page) as web:
        created.append(UpdateCheckFixture(tmp_path, web))
        yield created[0]
        created[0].checker.close()
        created[0].settings.close()
        created[0].database.close()


def set_address(env: UpdateCheckFixture) -> None:
    env.settings.set(UPDATE_CHECK_URL, f"{env.web.base}/releases")


def test_no_request_without_address(qtbot: QtBot, env: UpdateCheckFixture) -> None:
    assert env.settings.get(UPDATE_CHECK_URL) == ""
    env.checker.start()
    env.checker.check()
    qtbot.wait(50)
    assert (env.web.requests, env.checker.news) == ([], "")


def test_reports_newer_version(qtbot: QtBot, env: UpdateCheckFixture) -> None:
    env.checker.start()
    with qtbot.waitSignal(env.checker.news_changed):
        set_address(env)
    assert "99.1.0" in env.checker.news
    assert env.web.requests == ["/releases"]


def test_one_request_per_day(qtbot: QtBot, env: UpdateCheckFixture) -> None:
    set_address(env)
    with qtbot.waitSignal(env.checker.news_changed):
        env.checker.check()
    env.now += DAY_S - 1
    qtbot.waitUntil(lambda: "99.1.0" in str(env.saved()))
    env.checker.close()
    env.checker = env.restart()
    env.checker.start()
    env.checker.check()
    assert "99.1.0" in env.checker.news
    assert len(env.web.requests) == 1
    env.now += 2
    env.page = Reply(200, b"99.2.0\n")
    with qtbot.waitSignal(env.checker.news_changed):
        env.checker.check()
    assert "99.2.0" in env.checker.news
    assert len(env.web.requests) == 2


@pytest.mark.parametrize("page", [Reply(500), Reply(200, b"hello"), Reply(200, b"<html>99.1.0</html>")])
def test_bad_page_fails_once_daily(qtbot: QtBot, env: UpdateCheckFixture, page: Reply) -> None:
    env.page = page
    set_address(env)
    with qtbot.waitSignal(env.checker.check_failed):
        env.checker.check()
    env.checker.check()
    qtbot.wait(50)
    assert len(env.problems) == len(env.web.requests) == 1
    assert env.checker.news == ""


@pytest.mark.parametrize("page", [b"0.0.9", b"0.1.0"])
def test_older_version_is_no_news(
    qtbot: QtBot, env: UpdateCheckFixture, page: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_check, "__version__", "0.1.0")
    env.page = Reply(200, page)
    set_address(env)
    env.checker.check()
    qtbot.waitUntil(lambda: page.decode() in str(env.saved()))
    assert env.checker.news == ""


def test_news_end_without_address(qtbot: QtBot, env: UpdateCheckFixture) -> None:
    env.checker.start()
    with qtbot.waitSignal(env.checker.news_changed):
        set_address(env)
    with qtbot.waitSignal(env.checker.news_changed):
        env.settings.set(UPDATE_CHECK_URL, "")
    assert env.checker.news == ""


@pytest.mark.parametrize("stored", [{"at": "now"}, [1], {"address": 3, "at": 1e9, "newest": None}])
def test_ignores_damaged_state(qtbot: QtBot, env: UpdateCheckFixture, stored: Mapping[str, object]) -> None:
    UiState(env.database).set("releases", stored)
    qtbot.waitUntil(lambda: env.saved() == stored)
    env.checker = env.restart()
    set_address(env)
    with qtbot.waitSignal(env.checker.news_changed):
        env.checker.check()


@pytest.mark.parametrize("address", ["http://example.org/releases", "ftp://example.org", "https://", "newest"])
def test_address_must_be_https(env: UpdateCheckFixture, address: str) -> None:
    with pytest.raises(ValueError, match="https"):
        env.settings.set(UPDATE_CHECK_URL, address)


@pytest.mark.expects_log
def test_internal_error_fails_check(
    qtbot: QtBot, env: UpdateCheckFixture, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    set_address(env)
    for number in range(1, 4):
        monkeypatch.setattr(update_check, "find_newest_release", lambda _body: 1 // 0)
        env.now += DAY_S
        with qtbot.waitSignal(env.checker.check_failed):
            env.checker.check()
        assert internal_errors.counts() == {"ZeroDivisionError while checking for a newer version": number}
    assert env.problems == ["stopped by an internal error"] * 3
    assert sum(record.levelname == "ERROR" for record in caplog.records) == 1
    monkeypatch.undo()
    env.now += DAY_S
    with qtbot.waitSignal(env.checker.news_changed):
        env.checker.check()
