"""A window with broken files: it opens and names file and reason."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QSystemTrayIcon
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver, OpenApp, buttons_by_text

from browser_app import window_app
from browser_app.app import run_program
from browser_app.application.app_context import AppContext
from browser_app.exit_status import ExitStatus
from browser_app.paths import user_paths
from browser_app.storage import settings_store
from browser_app.storage.database import DATABASE_FILE_NAME
from browser_app.storage.setting_declarations import EXTRA_MASTERS, PLAYED_GAMES, THEME
from browser_app.storage.settings_store import Settings
from browser_app.storage.user_storage import UserStorage


def said(app: AppDriver) -> str:
    return " ".join(app.window.status_bar.shown_texts())


def problems_shown(app: AppDriver) -> str:
    return " ".join(app.window.help_controller.problem_bar.shown_texts())


def test_invalid_settings_are_set_aside(open_app: OpenApp) -> None:
    path = user_paths().settings / "settings.toml"
    path.parent.mkdir(parents=True)
    path.write_text("[window\n")
    app = open_app()
    assert f"{path}:1" in problems_shown(app)
    assert app.servers()
    app.program.settings.set(THEME, "dark")
    app.wait(lambda: Settings(path.parent).get(THEME) == "dark")
    (aside,) = path.parent.glob("settings.toml.broken-*")
    assert aside.read_text() == "[window\n"


def test_broken_database_is_set_aside(open_app: OpenApp) -> None:
    data = user_paths().data
    data.mkdir(parents=True)
    (data / DATABASE_FILE_NAME).write_bytes(b"this is no database, " * 400)
    app = open_app()
    assert DATABASE_FILE_NAME in problems_shown(app)
    assert list(data.glob(f"{DATABASE_FILE_NAME}.broken-*"))
    assert app.servers()


def test_unwritable_home_is_reported(open_app: OpenApp, home: Path) -> None:
    home.write_text("in the way of every folder")  # also stops root, for whom permissions do not count
    app = open_app()
    assert "nothing is saved" in problems_shown(app)
    assert app.servers()
    server = app.servers()[0]
    app.window.servers_view.toggle_favourite(server)
    assert app.catalogue.favourite[server]
    app.program.settings.set(THEME, "dark")
    app.wait(lambda: "Settings not saved" in said(app))
    assert app.program.theme.name == "dark"
    assert home.read_text() == "in the way of every folder"
    home.unlink()
    app.end()
    with UserStorage(user_paths()) as storage:
        assert [favourite.address for favourite in storage.favourites] == [app.catalogue.targets[server].address]
        assert storage.settings.get(THEME) == "dark"


def test_window_reports_without_notifications(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: False)
    server = app.servers()[0]
    app.window.user_lists_controller.alerts_controller.notify_slot_free(server)
    wanted = f"A slot is free on “{app.catalogue.name[server]}”"
    app.wait(lambda: any(text.startswith(wanted) for text in app.window.status_bar.shown_texts()))
    assert app.window.findChildren(QSystemTrayIcon) == []


@pytest.fixture
def own_sources(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[AppDriver]:
    """A program whose settings name an unknown game and an invalid list."""
    listed = tmp_path / "mine.json"
    listed.write_text('{"servers": ["nonsense"]}')
    settings = Settings(user_paths().settings)
    settings.set(PLAYED_GAMES, ("no-such-game", "ns2"))
    settings.set(EXTRA_MASTERS, (f"file:{listed}",))
    with AppDriver(qtbot, qapp) as app:
        yield app


def test_wrong_sources_are_reported(own_sources: AppDriver, tmp_path: Path) -> None:
    first, second = own_sources.program.problems()
    assert "no-such-game" in first
    assert str(tmp_path / "mine.json") in second
    assert [master.url for master in own_sources.program.backend.query_service.selected.sources.masters] == [
        "steam-web+https://api.steampowered.com/?appid=4920"
    ]


def test_problems_stay_until_they_are_closed(own_sources: AppDriver) -> None:
    own_sources.open()
    bar = own_sources.window.help_controller.problem_bar
    assert "no-such-game" in bar.shown_texts()[1]
    assert bar.isVisible()
    assert "no-such-game" not in said(own_sources)
    buttons_by_text(bar)["Copy"].click()
    assert QGuiApplication.clipboard().text().splitlines() == own_sources.program.problems()
    buttons_by_text(bar)["Close"].click()
    own_sources.program._show_persistent_messages()
    assert bar.isHidden()


def test_corrected_source_is_used(own_sources: AppDriver) -> None:
    own_sources.open()
    settings = own_sources.program.settings
    settings.set(PLAYED_GAMES, ("ns2",))
    settings.set(EXTRA_MASTERS, ())
    own_sources.wait(lambda: own_sources.program.problems() == [])
    assert own_sources.window.help_controller.problem_bar.isHidden()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_unsaved_setting_still_applies(app: AppDriver, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(path: Path, data: bytes) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(settings_store, "write_atomically", refuse)
    app.program.settings.set(THEME, "dark")
    app.wait(lambda: "Settings not saved" in said(app))
    assert os.strerror(number) in said(app)
    assert app.program.theme.name == "dark"


def test_two_windows_share_settings(open_app: OpenApp) -> None:
    first, second, folder = open_app(), open_app(), user_paths().settings
    first.program.settings.set(THEME, "dark")
    first.wait(lambda: Settings(folder).get(THEME) == "dark")
    second.program.settings.set(PLAYED_GAMES, ("ns2",))
    second.wait(lambda: Settings(folder).get(PLAYED_GAMES) == ("ns2",))
    assert Settings(folder).get(THEME) == "dark"


def test_broken_game_profile_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    folder = user_paths().settings / "games"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text("name = \n")
    opened: list[AppContext] = []

    def open_window(args: object, context: AppContext) -> int:
        opened.append(context)
        return 0

    monkeypatch.setattr(window_app, "open_window", open_window)
    assert run_program([]) == ExitStatus.SUCCESS
    assert "mine.toml:1" in opened[0].profile_problem
    assert "xonotic" in opened[0].games
    assert run_program(["list", "--server", "quake3://127.0.0.1:1"]) == ExitStatus.USAGE_ERROR
    assert "mine.toml:1" in capsys.readouterr().err
