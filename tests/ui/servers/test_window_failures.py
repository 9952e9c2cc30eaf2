"""Failing master servers, unknown servers, a lost network and a full disk."""

import errno
import os

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_helpers import GAMES, AppDriver, OpenApp, open_apps, small_network, use_endless_timeouts

from browser_app.bridge import system_monitors
from browser_app.demo.faults.network_faults import MasterFault, NetworkFaults
from browser_app.engine import master_results
from browser_app.engine.masters.master_poll import MasterState
from browser_app.engine.network.url_redaction import redact_url
from browser_app.engine.query.udp_sockets import UdpSocket
from browser_app.paths import user_paths
from browser_app.storage.storage_errors import StorageError
from browser_app.ui.status_bar import StatusBar
from browser_app.ui.widgets.theme import Theme

DEAD_MASTER = "json+http://127.0.0.1:9/servers.json"
"""The discard port, on which nothing listens."""


def test_failed_master_is_named(open_app: OpenApp, network) -> None:  # type: ignore[no-untyped-def]
    good = next(url for url in network.sources.masters if url.startswith("dpmaster"))
    app = open_app(f"--master={good}", f"--master={DEAD_MASTER}")
    texts = app.window.status_bar.shown_texts()
    assert "Master servers 1/2" in texts
    assert "1 failed" in texts
    assert DEAD_MASTER in app.window.status_bar.master_failures[0]
    assert app.servers()
    assert app.window.servers_view.list_banner.isHidden()


@pytest.mark.parametrize(
    ("is_online", "headline"), [(True, "No master server answered"), (False, "No network connection")]
)
def test_no_servers_names_cause(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch, is_online: bool, headline: str
) -> None:
    monkeypatch.setattr(master_results, "has_internet_route", lambda: is_online)
    app = open_app(f"--master={DEAD_MASTER}")
    page = app.window.servers_view.empty_page
    assert page.shown_texts()[0] == headline
    assert page._note_label.text().startswith(f"{DEAD_MASTER}: " if is_online else "")
    assert app.play_now_bar.shown_texts()[0] == headline  # Play Now does not claim to wait for anything
    assert app.live.retry_timer.isActive()
    first = app.live.poll
    app.rest()
    app.bot.mouseClick(app.window.servers_view.empty_page.action_button, Qt.MouseButton.LeftButton)
    assert app.live.poll is not first
    assert app.live.is_running
    app.scanned()


def test_before_first_refresh(open_app: OpenApp) -> None:
    app = open_app(shown=False)
    assert app.window.servers_view.empty_page.shown_texts() == ("No servers yet", "Refresh to load the list.")
    assert app.window.servers_view.empty_page.action_button.text() == "Refresh"


def test_missing_key_is_no_failure(theme: Theme, qtbot: QtBot) -> None:
    bar = StatusBar(theme)
    qtbot.addWidget(bar)
    bar.show_masters(5, ["steam: needs a key", "steam: needs a key"], 5, 2)
    assert (bar.masters_button.text(), bar.masters_button.warning) == ("Master servers 5/5", "2 need a key")
    bar.show_masters(4, ["steam: needs a key", "other: no answer"], 5, 1)
    assert (bar.masters_button.text(), bar.masters_button.warning) == ("Master servers 4/5", "1 failed")


def test_game_names_its_unreachable_masters(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = (redact_url(url) for url in GAMES["xonotic"].masters)
    states = [MasterState(first, error="no answer", is_done=True)]
    monkeypatch.setattr(type(app.live), "master_states", property(lambda _: states))
    view = app.window.servers_view
    view.sidebar.select_list("game:xonotic")
    headline, reason = view.empty_page.shown_texts()
    assert "Xonotic" in headline
    assert reason == f"{first}: no answer"
    states.append(MasterState(others[0], ok=True, is_done=True))
    view.list_status_controller.refresh()
    assert "Xonotic" not in view.empty_page.shown_texts()[0]


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
    with small_network(servers=9) as network, open_apps(qtbot, qapp, network) as open_app:
        app = open_app()
        before = set(app.names())
        sending = False
        app.live.refresh()
        app.wait(lambda: app.window.servers_view.list_banner.shown_texts()[0] == "No network connection")
        assert not app.window.servers_view.list_banner.isHidden()
        assert set(app.names()) == before
        app.scanned()
        assert set(app.names()) == before
        assert app.window.servers_view.list_banner.action_button.text() == "Try again"
        sending = True
        app.live.retry_timer.setInterval(0)
        app.wait(lambda: app.live.is_running)
        app.scanned()
        assert app.window.servers_view.list_banner.isHidden()
        assert not any(row.is_unresponsive for row in app.model.rows(0, 8))


def test_refreshes_after_sleep(app: AppDriver) -> None:
    before, watch = set(app.servers()), app.program.sleep_monitor
    now_s = watch._checked_s
    watch._clock = lambda: now_s
    polls = app.live.poll
    now_s += system_monitors.SLEEP_CHECK_MS / 1000 + 5  # other processes had the processor
    watch.check()
    assert not any("asleep" in text for text in app.window.status_bar.shown_texts())
    app.rest()
    now_s += 3 * 3600
    watch.check()
    assert any(text.startswith("The computer was asleep for 3 h") for text in app.window.status_bar.shown_texts())
    assert set(app.servers()) == before
    app.wait(lambda: app.live.poll is not polls and not app.live.is_running)
    assert set(app.servers()) == before
    app.live.pause()
    polls = app.live.poll
    now_s += 3 * 3600
    watch.check()
    assert app.live.poll is polls


def test_full_disk_is_reported_once(app: AppDriver) -> None:
    database, status = app.program.storage.database, app.window.status_bar
    received: list[str] = []
    shown: list[tuple[str, bool]] = []

    def on_problem_changed(problem: str) -> None:
        """Keep what the status bar shows then.

        Another write that fits may succeed soon after.
        """
        received.append(problem)
        shown.append((status.shown_texts()[-2], status._traffic_label.isHidden()))

    app.program.storage_monitor.problem_changed.connect(on_problem_changed)

    def pragma(words: str) -> int:
        (value,) = database.write(lambda connection: connection.execute(f"PRAGMA {words}").fetchone()).result()
        return int(value)

    pragma(f"max_page_count = {pragma('page_count')}")
    for _ in range(2):
        with pytest.raises(StorageError):
            database.write(
                lambda connection: connection.execute("CREATE TABLE big AS SELECT zeroblob(1000000)")
            ).result()
    app.wait(lambda: received)
    text, is_traffic_hidden = shown[0]
    assert text.startswith("Not saved (database: the disk is full)")
    assert f"free some space ({user_paths().data})." in text
    assert is_traffic_hidden
    pragma("max_page_count = 1000000")
    app.wait(lambda: not received[-1])
    assert all(map(str.__ne__, received, received[1:]))
    assert status.shown_texts()[-2] == "Saving works again"
    status._message_timer.setInterval(0)
    app.wait(lambda: len(status.shown_texts()) and "Saving" not in " ".join(status.shown_texts()))
    assert status._traffic_label.isVisible()
    app.program.storage_monitor.problem_changed.emit(received[0])
    app.wait(lambda: "free some space" in status._message_label.visible_text)


def test_stop_keeps_answers(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    use_endless_timeouts(monkeypatch)
    with (
        small_network(servers=40, dead=0.5, faults=NetworkFaults(masters={"quake3": MasterFault.DEAD})) as network,
        open_apps(qtbot, qapp, network) as open_app,
    ):
        app = open_app(scanned=False)
        button = app.window.refresh_button
        app.wait(lambda: app.live.is_running and app.servers())
        assert button.accessibleName() == "Stop (Esc)"
        assert "lost" not in " ".join(app.window.status_bar.shown_texts())  # packets still on their way are not lost
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        app.scanned()
        assert "lost" in " ".join(app.window.status_bar.shown_texts())
        assert button.accessibleName() == "Refresh (F5)"
        shown = len(app.servers())
        assert shown
        app.table.setFocus()
        app.rest()
        app.press(Qt.Key.Key_F5)
        assert app.live.is_running
        app.press(Qt.Key.Key_Escape)
        app.scanned()
        assert len(app.servers()) >= shown
