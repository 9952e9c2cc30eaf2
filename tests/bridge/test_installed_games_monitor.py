"""The monitor of installed games: what it finds, and when it looks again."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from browser_app.application.game_finder import GameFinder
from browser_app.bridge import installed_games_monitor
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.installed_games_monitor import InstalledGamesMonitor
from browser_app.catalogue.catalogue import Catalogue
from browser_app.games import load_games
from browser_app.paths import resource_folder, user_paths
from browser_app.storage.setting_declarations import GAME_PROGRAMS
from browser_app.storage.settings_store import Settings

GAMES = load_games(resource_folder() / "games")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that is the whole PATH."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    return folder


def install(file: Path) -> str:
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return str(file)


@pytest.fixture
def settings() -> Settings:
    return Settings(user_paths().settings)


@pytest.fixture
def monitor(qapp: QApplication, programs: Path, settings: Settings) -> Iterator[InstalledGamesMonitor]:
    background = BackgroundTasks()
    yield InstalledGamesMonitor(Catalogue(GAMES), GameFinder(GAMES, settings, {}).find_all, background)
    background.close()


def scan(qtbot: QtBot, monitor: InstalledGamesMonitor) -> frozenset[str] | None:
    with qtbot.waitSignal(monitor.changed):
        monitor.scan()
    return monitor._catalogue.installed_games


def test_unknown_before_first_scan(monitor: InstalledGamesMonitor) -> None:
    assert monitor._catalogue.installed_games is None


def test_games_that_come_and_go(qtbot: QtBot, monitor: InstalledGamesMonitor, programs: Path) -> None:
    assert scan(qtbot, monitor) == frozenset()
    program = install(programs / "openarena")
    assert scan(qtbot, monitor) == frozenset({"openarena"})
    Path(program).unlink()
    assert scan(qtbot, monitor) == frozenset()


def test_own_program(qtbot: QtBot, monitor: InstalledGamesMonitor, settings: Settings, tmp_path: Path) -> None:
    settings.set(GAME_PROGRAMS, {"ns2": install(tmp_path / "my ns2")})
    assert scan(qtbot, monitor) == frozenset({"ns2"})


def test_focus_scans_again(
    qtbot: QtBot,
    qapp: QApplication,
    monitor: InstalledGamesMonitor,
    programs: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert scan(qtbot, monitor) == frozenset()
    install(programs / "openarena")
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)  # too soon
    assert monitor._catalogue.installed_games == frozenset()
    monkeypatch.setattr(installed_games_monitor, "MIN_RESCAN_INTERVAL_S", 0.0)
    with qtbot.waitSignal(monitor.changed):
        qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert monitor._catalogue.installed_games == {"openarena"}


def test_requests_during_scan_are_one_more_scan(qtbot: QtBot, qapp: QApplication) -> None:
    scans, may_finish, background = list[int](), threading.Event(), BackgroundTasks()

    def find_games() -> list[str]:
        scans.append(len(scans))
        may_finish.wait()
        return [f"game {scans[-1]}"]

    monitor = InstalledGamesMonitor(Catalogue(GAMES), find_games, background)
    for _ in range(4):
        monitor.scan()
    may_finish.set()
    qtbot.waitUntil(lambda: monitor._catalogue.installed_games == frozenset({"game 1"}))
    assert scans == [0, 1]
    background.close()
