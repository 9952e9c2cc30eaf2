"""Servers that change while they are watched, games that run until they are ended, and a secret store in memory."""

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from loopback_servers import quake3, serving
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S
from window_helpers import AppDriver, FakeGame

from browser_app.bridge.join_queries import SlotWatchTiming
from browser_app.launch.game_process import _running_processes
from browser_app.paths import user_paths
from browser_app.protocols.address import Address
from browser_app.protocols.quake3 import Quake3Player
from browser_app.storage.setting_declarations import PLAY_NOW_COUNTDOWN_S
from browser_app.storage.setting_types import Setting
from browser_app.storage.user_session import UserSession

SLOTS = 4
QUICK = SlotWatchTiming(interval_s=0.1, silence_limit_s=LIMIT_S)


class Arena:
    """An OpenArena server that says what it is told to say; counts how often it was asked."""

    def __init__(self, name: str, players: int = 1, **info: str) -> None:
        self.name, self.players, self.info = name, players, dict(info)
        self.silent = False
        self.asked = 0
        self.plans: list[int] = []
        """Players in the next answers, one an answer."""
        self.planning = threading.Event()
        """The plans hold only once this is set."""

    def __call__(self, request: bytes) -> Iterable[bytes]:
        self.asked += 1
        if self.silent:
            return ()
        if self.plans and self.planning.is_set():
            self.players = self.plans.pop(0)
        people = [Quake3Player(f"player {number}", "0", 40, None) for number in range(self.players)]
        told = {"sv_hostname": self.name, "sv_maxclients": str(SLOTS), "sv_privateClients": "0"} | self.info
        return quake3(people, **told)(request)


class Game(FakeGame):
    """A game that runs until `end`."""

    def __init__(self, folder: Path, command: str, status: int = 0) -> None:
        super().__init__(folder, command)
        self._end = folder / f"{command}.end"
        program = folder / command
        lines = program.read_text()
        wait = f'n=0; while [ ! -e "{self._end}" ] && [ $n -lt 3000 ]; do sleep 0.02; n=$((n+1)); done; exit {status}\n'
        program.write_text(lines + wait)

    def end(self) -> None:
        """It ends soon."""
        self._end.touch()


class MemoryStore:
    """A secret store that keeps what it is given."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def get_password(self, service: str, username: str) -> str | None:  # noqa: ARG002 (as keyring calls it)
        return self.kept.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:  # noqa: ARG002
        self.kept[username] = password

    def delete_password(self, service: str, username: str) -> None:  # noqa: ARG002
        del self.kept[username]


def set_before(setting: Setting[Any], value: Any) -> None:
    """Change a setting before the program starts."""
    with UserSession(user_paths()) as session:
        session.settings.set(setting, value)


@contextmanager
def a_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str = "openarena", status: int = 0
) -> Iterator[Game]:
    """The game on the path; it has ended when the test has."""
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    game = Game(folder, command, status)
    yield game
    game.end()
    while _running_processes:
        _running_processes.pop().wait(LIMIT_S)


@contextmanager
def a_room(bot: QtBot, qt_app: QApplication, *arenas: Arena, countdown_s: float = 0.0) -> Iterator[AppDriver]:
    """The program over these servers, when they have been asked; in the order of their names."""
    with UserSession(user_paths()) as session:
        session.settings.set(PLAY_NOW_COUNTDOWN_S, countdown_s)
    with (
        serving(*arenas) as addresses,
        AppDriver(bot, qt_app, *(f"--server=quake3://{each}" for each in addresses)) as app,
    ):
        app.program.session.secrets._has_searched = True  # whatever this machine has, there is no secret store
        app.open()
        app.scanned()
        app.window.join_controller.slot_wait._slot_watch.timing = QUICK
        yield app


def server_of(app: AppDriver, arena: Arena) -> int:
    """Its row in the catalogue."""
    names = [app.catalogue.name[server] for server in range(len(app.catalogue))]
    return names.index(arena.name)


def select(app: AppDriver, arena: Arena) -> int:
    """Select its row in the table, which gets the focus, and let the inspector ask for its players."""
    server = server_of(app, arena)
    app.table.select_server(server)
    app.settle()
    app.table.setFocus()
    return server


def connect_of(app: AppDriver, server: int) -> Address:
    """What its game is told."""
    facts = app.catalogue.server_info(server)
    assert facts is not None
    return facts.connect
