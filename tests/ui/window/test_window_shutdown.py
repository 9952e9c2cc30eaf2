"""The program ends at once whatever it is doing.

The guards in conftest check that nothing is left.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from timeouts import LIMIT_S, wait_until
from window_helpers import AppDriver, OpenApp, open_apps, small_network, use_endless_timeouts

from browser_app.demo.demo_network import DemoNetwork
from browser_app.paths import user_paths
from browser_app.rounds.iso_time import format_iso_time
from browser_app.storage.setting_declarations import PLAY_NOW_COUNTDOWN_S, PLAY_NOW_SCOPE
from browser_app.storage.user_storage import UserStorage

AT_ONCE_S = LIMIT_S
"""Much less than what is interrupted would take."""


@pytest.fixture
def half_unresponsive(monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoNetwork]:
    """A network whose servers are half dead, with endless timeouts."""
    use_endless_timeouts(monkeypatch)
    with small_network(servers=60, dead=0.5) as network:
        yield network


@pytest.fixture
def open_slow_app(qtbot: QtBot, qapp: QApplication, half_unresponsive: DemoNetwork) -> Iterator[OpenApp]:
    with open_apps(qtbot, qapp, half_unresponsive) as open_app:
        yield open_app


def close(app: AppDriver) -> float:
    """Close the window and the program; return the duration in seconds."""
    began_s = time.monotonic()
    app.window.close()
    app.end()
    return time.monotonic() - began_s


def test_during_scan(open_slow_app: OpenApp) -> None:
    app = open_slow_app(scanned=False)
    app.wait(lambda: app.live.is_running and app.live.poll and app.live.poll.progress.sent)
    assert close(app) < AT_ONCE_S
    app.bot.wait(50)


def test_during_play_now_check(open_slow_app: OpenApp, half_unresponsive: DemoNetwork) -> None:
    app = open_slow_app(scanned=False)
    app.wait(lambda: app.window.play_now_controller.current_choice >= 0)
    for server in half_unresponsive.servers:
        server.responder = None
    app.play_now_bar.button.click()
    app.wait(app.window.play_now_popover.isVisible)
    assert close(app) < AT_ONCE_S
    with app.bot.assertNotEmitted(app.program.backend.play_now.run_finished, wait=50):
        pass
    assert not app.play_now_bar.is_counting_down


def test_during_play_now_search(open_app: OpenApp) -> None:
    with UserStorage(user_paths()) as storage:
        storage.settings.set(PLAY_NOW_SCOPE, "players>=200")
    app = open_app()
    app.play_now_bar.button.click()
    app.wait(app.window.play_now_popover.isVisible)
    assert close(app) < AT_ONCE_S


def test_countdown_starts_nothing(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    with UserStorage(user_paths()) as storage:
        storage.settings.set(PLAY_NOW_COUNTDOWN_S, 0.2)
    app = open_app()
    monkeypatch.setattr(app.program.backend.server_launcher, "check_launch", lambda _: None)
    monkeypatch.setattr(app.program.backend.server_launcher, "launch", lambda *_: pytest.fail("a game was started"))
    app.window.join_controller.join(app.window.play_now_controller.current_choice)
    counting = [app.play_now_bar.is_counting_down]
    assert close(app) < AT_ONCE_S
    counting.append(app.play_now_bar.is_counting_down)
    assert counting == [True, False]
    with app.bot.assertNotEmitted(app.play_now_bar.countdown_finished, wait=400):
        pass


def test_during_import(app: AppDriver, tmp_path: Path) -> None:
    """The file is imported as a whole or not at all."""
    file, reports = tmp_path / "rounds.jsonl", list[object]()
    file.write_text("".join(json.dumps(_round(number)) + "\n" for number in range(6000)))
    app.window.show_skill("rounds")
    importer = app.program.backend.skill_backend.importer
    importer.progress_changed.connect(reports.append)
    importer.import_paths([file], lambda _results: None)
    app.wait(lambda: reports)
    assert close(app) < AT_ONCE_S
    assert None not in reports
    with UserStorage(user_paths()) as storage:
        assert [each.rounds for each in storage.round_store.load_files()] in ([], [6000])


def _round(number: int) -> dict[str, object]:
    stays = [{"team": "marines", "enter": 0, "leave": 60}]
    return {
        "id": f"r{number}",
        "game": "ns2",
        "started": format_iso_time(1714593600.0 + 100 * number),
        "duration": 60,
        "teams": ["marines", "aliens"],
        "winner": "aliens",
        "players": [{"id": "ann", "stays": stays}, {"id": "bob", "stays": [stays[0] | {"team": "aliens"}]}],
    }


def test_closing_twice(app: AppDriver) -> None:
    assert close(app) < AT_ONCE_S
    assert close(app) < AT_ONCE_S
    app.live.refresh()
    app.live.query(0)
    assert not app.live.is_running


def child_pids(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def program(*arguments: str) -> Iterator[tuple["subprocess.Popen[str]", Callable[[str], float]]]:
    """Start the real program in a process.

    Yield it and a function that waits for a timing (ms since its start).
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "browser_app", *arguments],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "READY_ROOM_TIMINGS": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None

    def wait_for(event: str) -> float:
        for line in process.stderr or ():
            if line.startswith("{") and (said := json.loads(line))["event"] == event:
                return float(said["ms"])
        raise AssertionError(f"the program ended without {event}")

    try:
        yield process, wait_for
    finally:
        process.kill()
        process.stderr.close()
        process.wait()


@pytest.mark.linux
def test_ctrl_c_ends_window_and_demo() -> None:
    with program("--demo=40") as (process, wait_for):
        times = [wait_for(event) for event in ("first_paint", "first_answer", "scan_done")]
        assert times == sorted(times)
        children = child_pids(process.pid)
        assert children
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT_S) == 130
        assert wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


@pytest.mark.linux
def test_ctrl_c_ends_screenshot(tmp_path: Path, slow_network: DemoNetwork) -> None:
    masters = [f"--master={url}" for url in slow_network.sources.masters if url.startswith("dpmaster")]
    with program("screenshot", str(tmp_path / "window.png"), *masters) as (process, wait_for):
        wait_for("first_answer")
        process.send_signal(signal.SIGINT)
        assert process.wait(LIMIT_S) == 130
    assert not (tmp_path / "window.png").exists()


@pytest.fixture
def slow_network() -> Iterator[DemoNetwork]:
    """A network with enough dead servers that a scan takes seconds."""
    with small_network(servers=40, dead=0.5) as network:
        yield network
