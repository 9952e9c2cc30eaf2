"""Fixtures: a demo network, programs that show it, a theme for single widgets."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver, OpenApp, open_apps, small_network

from browser_app.demo.demo_network import DemoNetwork
from browser_app.storage.importers import server_list_files
from browser_app.storage.importers.list_file_places import list_possible_files
from browser_app.ui.widgets.theme import Theme


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that replaces the user's own in searches for games' files."""
    folder = tmp_path / "user"
    monkeypatch.setattr(server_list_files, "list_possible_files", lambda *_: list_possible_files("linux", folder, {}))
    return folder


@pytest.fixture(scope="session")
def installed_programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with programs of the network's games that exit at once."""
    folder = tmp_path_factory.mktemp("programs")
    for name in ("openarena", "quake3"):
        program = folder / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    return folder


@pytest.fixture(autouse=True)
def installed_games(installed_programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the network's games installed."""
    monkeypatch.setenv("PATH", str(installed_programs), prepend=os.pathsep)


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """The light theme."""
    theme = Theme(qapp, "light")
    yield theme
    theme.deleteLater()


@pytest.fixture(scope="module")
def network() -> Iterator[DemoNetwork]:
    """One network for all tests of a module, which must not change it."""
    with small_network() as network:
        yield network


@pytest.fixture
def open_app(qtbot: QtBot, qapp: QApplication, network: DemoNetwork) -> Iterator[OpenApp]:
    """Opens programs that share one home folder."""
    with open_apps(qtbot, qapp, network) as open_app:
        yield open_app


@pytest.fixture
def app(open_app: OpenApp) -> AppDriver:
    """The program after its first scan."""
    return open_app()
