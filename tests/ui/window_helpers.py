"""The whole window program on a small loopback network, and simulated user input."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S

from browser_app.app import start_demo
from browser_app.application.app_context import AppContext
from browser_app.bridge.server_list_controller import CarriedOverList
from browser_app.commands import window_command
from browser_app.commands.arguments.command_arguments import CommandParser
from browser_app.demo.demo_network import DemoNetwork
from browser_app.engine import play_now_run
from browser_app.engine.query import scanner
from browser_app.engine.query.query_timing import QueryTiming
from browser_app.games import load_games, load_presets
from browser_app.paths import resource_folder, user_paths
from browser_app.storage.user_storage import UserStorage
from browser_app.ui.servers.server_columns import SERVER_COLUMNS
from browser_app.ui.widgets.basic_widgets import Button
from browser_app.ui.widgets.dialogs import EntryListDialog
from browser_app.ui.widgets.notification_bar import NotificationBar
from browser_app.window_app import WindowProgram

COLUMN_INDEX = {column.key: place for place, column in enumerate(SERVER_COLUMNS)}
NO_TICK_MS = 10_000_000
"""The list is not refreshed automatically during a test, however slow the machine is."""
GAMES = load_games(resource_folder() / "games")


def small_network(**changes: object) -> DemoNetwork:
    """Return a network of a few near servers whose players do not change."""
    wanted = {
        "servers": 24,
        "latency_ms": (2.0, 12.0),
        "simulate_players": False,
        "games": ("openarena", "quake3"),
    } | changes
    return DemoNetwork(**wanted)  # type: ignore[arg-type]


def use_endless_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make timeouts so long that no scan with silent servers ends during a test."""
    endless = QueryTiming(waits_s=(3 * LIMIT_S,), late_reply_wait_s=3 * LIMIT_S)
    monkeypatch.setattr(scanner, "QueryTiming", lambda: endless)
    monkeypatch.setattr(play_now_run, "VERIFY_TIMING", endless)


def buttons_by_text(bar: NotificationBar) -> dict[str, Button]:
    """Return the buttons of a notification bar by their text."""
    return {button.text(): button for button in bar._buttons}


def set_clock(monkeypatch: pytest.MonkeyPatch, jump_s: float) -> None:
    """Set the wall clock ahead, or back; the monotonic clock goes on."""
    read_clock = time.time
    monkeypatch.setattr(time, "time", lambda: read_clock() + jump_s)


class AppDriver:
    """One run of the program with its window; leaving the context ends it."""

    def __init__(
        self,
        bot: QtBot,
        qt_app: QApplication,
        *sources: str,
        size: tuple[int, int] = (1280, 800),
        carried_over: CarriedOverList | None = None,
    ) -> None:
        self.bot = bot
        parser = CommandParser()
        context = AppContext(
            GAMES,
            load_presets(resource_folder() / "ranking"),
            lambda *, demo: UserStorage(user_paths()),
            start_demo,
            lambda _: 0,
            lambda _: None,
        )
        window_command.add_arguments(parser, context)
        self.program = WindowProgram(
            window_command.window_options_from_arguments(parser.parse_args(sources)),
            context,
            qt_app,
            "light",
            carried_over=carried_over,
        )
        self.window, self.live, self.catalogue = (
            self.program.window,
            self.program.backend.server_list,
            self.program.backend.catalogue,
        )
        self.table, self.model, self.play_now_bar = (
            self.window.servers_view.table,
            self.window.servers_view.table_model,
            self.window.play_now_bar,
        )
        self._size = size
        self.refresh_timer = self.program.backend.list_refresher._timer
        self.refresh_timer.setInterval(NO_TICK_MS)

    def open(self) -> None:
        """Show the window as after the first run."""
        self.program.storage.ui_state.set("welcomed", True)
        self.program.show()
        self.window.resize(*self._size)  # the offscreen screen is smaller, and the program fits its window into it
        self.window.activateWindow()
        self.bot.waitExposed(self.window)

    def wait(self, condition: Callable[[], object]) -> None:
        """Process events until a condition is true."""
        self.bot.waitUntil(lambda: bool(condition()))

    def scanned(self) -> None:
        """Wait for the end of a poll that is running or about to start."""
        self.wait(lambda: self.live.poll is not None and not self.live.is_running)

    def settle(self) -> None:
        """Wait until Play Now has chosen and the selected server's details have arrived."""
        self.wait(lambda: self.catalogue.installed_games is not None)
        self.wait(lambda: not self.window.play_now_controller._refresh_timer.isActive())
        controller = self.window.servers_view.inspector_controller
        if controller.server >= 0:
            self.wait(lambda: not controller._is_querying and not controller._query_timer.isActive())

    def raise_last_server(self) -> int:
        """Give the last server that is not selected the best ping; return the server."""
        server = next(server for server in reversed(self.servers()) if server != self.table.selected_server())
        self.catalogue.ping_ms[server] = 0.1
        self.live.rescore()
        return server

    def rest(self) -> None:
        """Pretend that the last refresh was long ago."""
        self.window.refresh_controller._last_refresh_s = -math.inf

    def refresh(self) -> None:
        """Refresh and wait for the end."""
        self.live.refresh()
        self.scanned()

    def names(self) -> list[str]:
        """Return the names in the table from top to bottom."""
        return [row.name for row in self.model.rows(0, self.model.rowCount() - 1)]

    def servers(self) -> list[int]:
        """Return the servers in the table from top to bottom."""
        return [int(server) for server in self.model.order]

    def cell(self, row: int, column: str) -> QPoint:
        """Return the middle of a cell."""
        return self.table.visualRect(self.model.index(row, COLUMN_INDEX[column])).center()

    def click(self, row: int, column: str) -> None:
        """Click a cell."""
        self.bot.mouseClick(self.table.viewport(), Qt.MouseButton.LeftButton, pos=self.cell(row, column))

    def click_header(self, column: str) -> None:
        """Click a column's title."""
        header = self.table.header
        left = header.sectionViewportPosition(COLUMN_INDEX[column])
        self.bot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(left + 8, 12))

    def shown_alert(self) -> str:
        """Return the text of the shown alert, without its time; empty if there is none."""
        bar = self.window.user_lists_controller.alerts_controller.alert_bar.notification_bar
        headline, details = bar.shown_texts()
        return " · ".join([headline, *details.split(" · ")[1:]]) if bar.isVisible() else ""

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the focused widget."""
        QTest.keyClick(self.window.focusWidget() or self.window, key, modifier)

    def write(self, text: str) -> None:
        """Type a text into the focused widget."""
        QTest.keyClicks(self.window.focusWidget(), text)

    def filter(self, text: str) -> None:
        """Type a filter and wait until it is applied."""
        self.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        with self.bot.waitSignal(self.window.filter_field.filter_edited):
            self.write(text)

    def point_at(self, row: int) -> None:
        """Move the pointer over a row."""
        viewport, where = self.table.viewport(), self.cell(row, "name")
        place = QPointF(where)
        QApplication.sendEvent(viewport, QEnterEvent(place, place, QPointF(viewport.mapToGlobal(where))))
        self.bot.mouseMove(viewport, pos=where + QPoint(1, 0))
        self.bot.mouseMove(viewport, pos=where)

    def move_pointer_away(self) -> None:
        """Move the pointer off the rows."""
        QApplication.sendEvent(self.table.viewport(), QEvent(QEvent.Type.Leave))

    def menu(self) -> QMenu:
        """Wait for the open menu and return it."""
        self.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        return menu

    def end(self) -> None:
        """Close the window and end the program."""
        self.program.__exit__(None, None, None)

    def __enter__(self) -> Self:
        self.program.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.program.__exit__(kind, error, trace)
        self.window.deleteLater()


OpenApp = Callable[..., AppDriver]


def entry_texts(dialog: EntryListDialog) -> list[str]:
    """Return each entry's texts joined to one line."""
    items = (dialog.tree.topLevelItem(place) for place in range(dialog.tree.topLevelItemCount()))
    return [" ".join(item.text(c) for c in range(dialog.tree.columnCount())) for item in items if item is not None]


@contextmanager
def open_apps(bot: QtBot, qt_app: QApplication, network: DemoNetwork) -> Iterator[OpenApp]:
    """Yield a function that opens programs on the network's servers or given sources.

    All are closed at the end.
    """
    with ExitStack() as ends:

        def open_app(
            *sources: str,
            shown: bool = True,
            scanned: bool = True,
            size: tuple[int, int] = (1280, 800),
            carried_over: CarriedOverList | None = None,
        ) -> AppDriver:
            servers = (f"--server={url}" for url in network.sources.servers)
            app = ends.enter_context(
                AppDriver(bot, qt_app, *(sources or servers), size=size, carried_over=carried_over)
            )
            if shown:
                app.open()
            if shown and scanned:
                app.scanned()
                app.settle()
            return app

        yield open_app


class FakeGame:
    """A fake game that records its arguments."""

    def __init__(self, folder: Path, command: str) -> None:
        self._record = folder / f"{command}.arguments"
        folder.mkdir(parents=True, exist_ok=True)
        program = folder / command
        program.write_text(
            f'#!/bin/sh\nprintf "%s\\n" "$@" > "{self._record}.new" && mv "{self._record}.new" "{self._record}"\n'
        )
        program.chmod(0o755)

    @property
    def was_started(self) -> bool:
        """Whether it was started."""
        return self._record.exists()

    @property
    def arguments(self) -> list[str] | None:
        """The recorded arguments, None before the start."""
        return self._record.read_text().splitlines() if self.was_started else None
