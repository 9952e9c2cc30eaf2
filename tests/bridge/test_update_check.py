"""The look for newer versions: off until an address is named, once a day, and only told."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from skill_services import Reply, Running, running

from browser_app.bridge import update_check
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.update_check import DAY_S, UpdateChecker
from browser_app.storage.database import open_database
from browser_app.storage.setting_declarations import UPDATE_CHECK_URL
from browser_app.storage.settings_store import Settings
from browser_app.storage.ui_state import UiState


class Desk:
    """A check with a clock to turn, and the page that it asks."""

    def __init__(self, folder: Path, web: Running) -> None:
        self.now, self.page, self.web = 1_000_000.0, Reply(200, b"99.1.0\n"), web
        self.database = open_database(folder)
        self.background = BackgroundTasks()
        self.settings = LiveSettings(Settings(folder), self.background)
        self.problems: list[str] = []
        self.check = self.again()

    def again(self) -> UpdateChecker:
        """The check of the next start of the program."""
        check = UpdateChecker(self.settings, UiState(self.database), self.background, lambda: self.now)
        check.check_failed.connect(self.problems.append)
        return check

    def written(self) -> object:
        """What the next start will read."""
        return UiState(self.database).get("releases")


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(update_check, "FIRST_CHECK_DELAY_MS", 1)
    desks: list[Desk] = []
    with running(lambda path, query, headers: desks[0].page) as web:
        desks.append(Desk(tmp_path, web))
        yield desks[0]
        desks[0].check.close()
        desks[0].settings.close()
        desks[0].database.close()


def switch_on(desk: Desk) -> None:
    desk.settings.set(UPDATE_CHECK_URL, f"{desk.web.base}/releases")


def test_nobody_is_asked_until_an_address_is_named(qtbot: QtBot, desk: Desk) -> None:
    assert desk.settings.get(UPDATE_CHECK_URL) == ""
    desk.check.start()
    desk.check.check()
    qtbot.wait(50)
    assert (desk.web.asked, desk.check.news) == ([], "")


def test_a_newer_version_is_told_and_nothing_of_the_user_is_sent(qtbot: QtBot, desk: Desk) -> None:
    desk.check.start()
    with qtbot.waitSignal(desk.check.news_changed):
        switch_on(desk)
    assert "99.1.0" in desk.check.news
    assert desk.web.asked == ["/releases"]


def test_it_is_asked_once_a_day_by_all_starts_together_and_remembered(qtbot: QtBot, desk: Desk) -> None:
    switch_on(desk)
    with qtbot.waitSignal(desk.check.news_changed):
        desk.check.check()
    desk.now += DAY_S - 1
    qtbot.waitUntil(lambda: "99.1.0" in str(desk.written()))
    desk.check.close()
    desk.check = desk.again()
    desk.check.start()
    desk.check.check()
    assert "99.1.0" in desk.check.news
    assert len(desk.web.asked) == 1
    desk.now += 2
    desk.page = Reply(200, b"99.2.0\n")
    with qtbot.waitSignal(desk.check.news_changed):
        desk.check.check()
    assert "99.2.0" in desk.check.news
    assert len(desk.web.asked) == 2


@pytest.mark.parametrize("page", [Reply(500), Reply(200, b"hello"), Reply(200, b"<html>99.1.0</html>")])
def test_a_page_that_does_not_say_is_told_and_not_asked_again_today(qtbot: QtBot, desk: Desk, page: Reply) -> None:
    desk.page = page
    switch_on(desk)
    with qtbot.waitSignal(desk.check.check_failed):
        desk.check.check()
    desk.check.check()
    qtbot.wait(50)
    assert len(desk.problems) == len(desk.web.asked) == 1
    assert desk.check.news == ""


@pytest.mark.parametrize("page", [b"0.0.9", b"0.1.0"])
def test_older_versions_and_this_one_are_no_news(
    qtbot: QtBot, desk: Desk, page: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_check, "__version__", "0.1.0")
    desk.page = Reply(200, page)
    switch_on(desk)
    desk.check.check()
    qtbot.waitUntil(lambda: page.decode() in str(desk.written()))
    assert desk.check.news == ""


def test_news_end_with_the_address(qtbot: QtBot, desk: Desk) -> None:
    desk.check.start()
    with qtbot.waitSignal(desk.check.news_changed):
        switch_on(desk)
    with qtbot.waitSignal(desk.check.news_changed):
        desk.settings.set(UPDATE_CHECK_URL, "")
    assert desk.check.news == ""


@pytest.mark.parametrize("kept", [{"at": "now"}, [1], {"address": 3, "at": 1e9, "newest": None}])
def test_what_another_version_has_kept_does_no_harm(qtbot: QtBot, desk: Desk, kept: Mapping[str, object]) -> None:
    UiState(desk.database).set("releases", kept)
    qtbot.waitUntil(lambda: desk.written() == kept)
    desk.check = desk.again()
    switch_on(desk)
    with qtbot.waitSignal(desk.check.news_changed):
        desk.check.check()


@pytest.mark.parametrize("address", ["http://example.org/releases", "ftp://example.org", "https://", "newest"])
def test_only_pages_that_nobody_on_the_way_can_change(desk: Desk, address: str) -> None:
    with pytest.raises(ValueError, match="https"):
        desk.settings.set(UPDATE_CHECK_URL, address)
