"""Failing master servers, unknown servers, a lost network and a full disk."""

import errno
import os

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_rig import OpenRoom, Room, endless_scans, open_rooms, small_network

from browser_app.bridge import system_monitors
from browser_app.demo.network_faults import MasterFault, NetworkFaults
from browser_app.engine.query.udp_sockets import UdpSocket
from browser_app.paths import user_paths
from browser_app.storage.storage_errors import StorageError

NOBODY = "json+http://127.0.0.1:9/servers.json"
"""The discard port, on which nothing listens."""


def test_failed_master_is_named(open_room: OpenRoom, network) -> None:  # type: ignore[no-untyped-def]
    good = next(url for url in network.sources.masters if url.startswith("dpmaster"))
    room = open_room(f"--master={good}", f"--master={NOBODY}")
    texts = room.window.status_bar.shown_texts()
    assert "Master servers 1/2" in texts
    assert "1 failed" in texts
    assert NOBODY in room.window.status_bar.master_failures[0]
    assert room.servers()
    assert room.window.servers_view.list_banner.isHidden()


def test_no_servers_names_the_reason(open_room: OpenRoom) -> None:
    room = open_room(f"--master={NOBODY}")
    what, why = room.window.servers_view.empty_page.shown_texts()
    assert what == "No servers."
    assert why.startswith(f"{NOBODY}: ")
    assert room.play_bar.shown_texts()[0] == "No servers yet"
    first = room.live.poll
    room.rest()
    room.bot.mouseClick(room.window.servers_view.empty_page.action_button, Qt.MouseButton.LeftButton)
    assert room.live.poll is not first
    assert room.live.is_running
    room.scanned()


def test_before_the_first_refresh(open_room: OpenRoom) -> None:
    room = open_room(shown=False)
    assert room.window.servers_view.empty_page.shown_texts() == ("No servers yet.", "Refresh to load the list.")
    assert room.window.servers_view.empty_page.action_button.text() == "Refresh"


def test_lost_network_keeps_rows(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    sending = True
    real = UdpSocket.__init__

    def init(self: UdpSocket, *args: object) -> None:
        real(self, *args)  # type: ignore[arg-type]
        send = self.sendto

        def sendto(data: bytes, address: tuple[str, int]) -> int:
            if not sending:
                raise OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH))
            return send(data, address)

        self.sendto = sendto

    monkeypatch.setattr(UdpSocket, "__init__", init)
    with small_network(servers=9) as network, open_rooms(qtbot, qapp, network) as open_room:
        room = open_room()
        before = set(room.names())
        sending = False
        room.live.refresh()
        room.wait(lambda: room.window.servers_view.list_banner.shown_texts()[0] == "No network connection.")
        assert not room.window.servers_view.list_banner.isHidden()
        assert set(room.names()) == before
        room.scanned()
        assert set(room.names()) == before
        assert room.window.servers_view.list_banner.action_button.text() == "Try now"
        sending = True
        room.live.retry_timer.setInterval(0)
        room.wait(lambda: room.live.is_running)
        room.scanned()
        assert room.window.servers_view.list_banner.isHidden()
        assert not any(row.is_silent for row in room.model.rows(0, 8))


def test_refreshes_after_sleep(room: Room) -> None:
    before, watch = set(room.servers()), room.program.sleep_monitor
    now_s = watch._checked_s
    watch._clock = lambda: now_s
    polls = room.live.poll
    now_s += system_monitors.SLEEP_CHECK_MS / 1000 + 5  # other processes had the processor
    watch.check()
    assert not any("slept" in text for text in room.window.status_bar.shown_texts())
    room.rest()
    now_s += 3 * 3600
    watch.check()
    assert any(text.startswith("The computer slept for 3 h") for text in room.window.status_bar.shown_texts())
    assert set(room.servers()) == before
    room.wait(lambda: room.live.poll is not polls and not room.live.is_running)
    assert set(room.servers()) == before
    room.live.pause()
    polls = room.live.poll
    now_s += 3 * 3600
    watch.check()
    assert room.live.poll is polls


def test_full_disk_is_reported_once(room: Room) -> None:
    database, status = room.program.session.database, room.window.status_bar
    told: list[str] = []
    room.program.storage_monitor.problem_changed.connect(told.append)

    def pragma(words: str) -> int:
        (value,) = database.write(lambda connection: connection.execute(f"PRAGMA {words}").fetchone()).result()
        return int(value)

    pragma(f"max_page_count = {pragma('page_count')}")
    for _ in range(2):
        with pytest.raises(StorageError):
            database.write(
                lambda connection: connection.execute("CREATE TABLE big AS SELECT zeroblob(1000000)")
            ).result()
    room.wait(lambda: told)
    assert status.shown_texts()[-2].startswith("Not saved (database: the disk is full)")
    assert status.shown_texts()[-2].endswith(f"free some space ({user_paths().data})")
    pragma("max_page_count = 1000000")
    room.wait(lambda: len(told) == 2)
    assert status.shown_texts()[-2] == "Saving works again"
    status._message_timer.setInterval(0)
    room.wait(lambda: len(status.shown_texts()) and "Saving" not in " ".join(status.shown_texts()))


def test_stop_keeps_answers(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    endless_scans(monkeypatch)
    with (
        small_network(servers=40, dead=0.5, faults=NetworkFaults(masters={"quake3": MasterFault.DEAD})) as network,
        open_rooms(qtbot, qapp, network) as open_room,
    ):
        room = open_room(scanned=False)
        button = room.window.refresh_button
        room.wait(lambda: room.live.is_running and room.servers())
        assert button.accessibleName() == "Stop (Esc)"
        assert "lost" not in " ".join(room.window.status_bar.shown_texts())  # packets still on their way are not lost
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        room.scanned()
        assert "lost" in " ".join(room.window.status_bar.shown_texts())
        assert button.accessibleName() == "Refresh (F5)"
        shown = len(room.servers())
        assert shown
        room.table.setFocus()
        room.rest()
        room.press(Qt.Key.Key_F5)
        assert room.live.is_running
        room.press(Qt.Key.Key_Escape)
        room.scanned()
        assert len(room.servers()) >= shown
