"""Fake servers whose replies can change, fake games that run, a secret store."""

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from loopback_servers import quake3, serving
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S
from window_helpers import AppDriver, FakeGame, buttons_by_text

from browser_app.bridge.join_queries import SlotMonitorTiming
from browser_app.paths import user_paths
from browser_app.protocols.address import Address
from browser_app.protocols.quake.quake3 import Quake3Player
from browser_app.storage.setting_declarations import PLAY_NOW_COUNTDOWN_S
from browser_app.storage.setting_types import Setting
from browser_app.storage.user_storage import UserStorage
from browser_app.ui.play.password_prompt import PasswordDialog
from browser_app.ui.widgets.notification_bar import NotificationBar

SLOTS = 4
SECRET = "s3same!"  # noqa: S105 (a made-up one)
FAST_SLOT_MONITOR = SlotMonitorTiming(interval_s=0.1, silence_limit_s=LIMIT_S)


class FakeArenaServer:
    """Replies as an OpenArena server with the given info values.

    Counts the requests.
    """

    def __init__(self, name: str, players: int = 1, **info: str) -> None:
        self.name, self.players, self.info = name, players, dict(info)
        self.silent = False
        self.request_count = 0
        self.next_player_counts: list[int] = []
        """Player counts of the next replies, one per reply."""
        self.use_next_counts = threading.Event()
        """`next_player_counts` is used only once this is set."""

    def __call__(self, request: bytes) -> Iterable[bytes]:
        self.request_count += 1
        if self.silent:
            return ()
        if self.next_player_counts and self.use_next_counts.is_set():
            self.players = self.next_player_counts.pop(0)
        players = [Quake3Player(f"player {number}", "0", 40, None) for number in range(self.players)]
        values = {"sv_hostname": self.name, "sv_maxclients": str(SLOTS), "sv_privateClients": "0"} | self.info
        return quake3(players, **values)(request)


class LongRunningGame(FakeGame):
    """A fake game that runs until `end`."""

    def __init__(self, folder: Path, command: str, status: int = 0) -> None:
        super().__init__(folder, command)
        self._end = folder / f"{command}.end"
        program = folder / command
        lines = program.read_text()
        wait = f'n=0; while [ ! -e "{self._end}" ] && [ $n -lt 3000 ]; do sleep 0.02; n=$((n+1)); done; exit {status}\n'
        program.write_text(lines + wait)

    def end(self) -> None:
        """Let the game exit soon."""
        self._end.touch()


class MemorySecretStore:
    """A secret store that holds passwords in memory, with keyring's interface."""

    def __init__(self) -> None:
        self.passwords: dict[str, str] = {}

    def get_password(self, service: str, username: str) -> str | None:  # noqa: ARG002 (keyring's signature)
        return self.passwords.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:  # noqa: ARG002
        self.passwords[username] = password

    def delete_password(self, service: str, username: str) -> None:  # noqa: ARG002
        del self.passwords[username]


def save_setting(setting: Setting[Any], value: Any) -> None:
    """Save a setting before the program starts."""
    with UserStorage(user_paths()) as storage:
        storage.settings.set(setting, value)


@contextmanager
def game_on_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str = "openarena", status: int = 0
) -> Iterator[LongRunningGame]:
    """Put the fake game on the path and end it after the test."""
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    game = LongRunningGame(folder, command, status)
    yield game
    game.end()


@contextmanager
def open_app_with(
    bot: QtBot, qt_app: QApplication, *servers: FakeArenaServer, countdown_s: float = 0.0
) -> Iterator[AppDriver]:
    """Open the program on these servers and wait for the first scan."""
    with UserStorage(user_paths()) as storage:
        storage.settings.set(PLAY_NOW_COUNTDOWN_S, countdown_s)
    with (
        serving(*servers) as addresses,
        AppDriver(bot, qt_app, *(f"--server=quake3://{each}" for each in addresses)) as app,
    ):
        app.program.storage.secrets._has_searched = True  # no secret store, whatever this machine has
        app.open()
        app.scanned()
        app.window.join_controller.slot_wait._slot_monitor.timing = FAST_SLOT_MONITOR
        yield app


def row_of_server(app: AppDriver, fake: FakeArenaServer) -> int:
    """Return the server's row in the catalogue."""
    names = [app.catalogue.name[server] for server in range(len(app.catalogue))]
    return names.index(fake.name)


def select_row_of(app: AppDriver, fake: FakeArenaServer) -> int:
    """Select the server's row, focus the table and wait for the inspector's query."""
    server = row_of_server(app, fake)
    app.table.select_server(server)
    app.settle()
    app.table.setFocus()
    return server


def connect_address(app: AppDriver, server: int) -> Address:
    """Return the address that the game gets."""
    info = app.catalogue.server_info(server)
    assert info is not None
    return info.connect


def prompt_bar(app: AppDriver) -> NotificationBar:
    return app.window.join_controller.prompts.notification_bar


def click_button(app: AppDriver, text: str) -> None:
    """Click a button of the prompt."""
    app.bot.mouseClick(buttons_by_text(prompt_bar(app))[text], Qt.MouseButton.LeftButton)


def press_enter_on(app: AppDriver, arena: FakeArenaServer) -> int:
    """Press Enter on the server's row."""
    server = select_row_of(app, arena)
    app.press(Qt.Key.Key_Return)
    return server


def password_dialog(app: AppDriver) -> PasswordDialog:
    """Wait for the password dialog."""
    app.wait(lambda: app.window.join_controller.passwords.dialog is not None)
    found = app.window.join_controller.passwords.dialog
    assert found is not None
    app.wait(found.isVisible)
    return found


def add_secret_store(app: AppDriver) -> MemorySecretStore:
    """Give the system a secret store."""
    store, secrets = MemorySecretStore(), app.program.storage.secrets
    secrets._store, secrets._has_searched = store, True
    return store


def enter_password(app: AppDriver, password: str) -> None:
    """Type the password and press Enter."""
    dialog = password_dialog(app)
    app.bot.keyClicks(dialog.field, password)
    app.bot.keyClick(dialog.field, Qt.Key.Key_Return)
