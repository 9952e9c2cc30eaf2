"""Second start of the program: it passes its link to the window and ends."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from program_runner import PROCESS_TIMEOUT_S

LINK = "readyroom://join?server=quake3://127.0.0.1:9"
FIRST = """
import sys
import browser_app.window_app as window_app
from browser_app.__main__ import main

show_window = window_app.WindowProgram.show

def show(program, *state):
    show_window(program, *state)
    controller = program.window.link_controller
    open_links = controller.open_links
    def report_links(urls):
        open_links(urls)
        print("asks" if controller.dialog else "shows", *urls, flush=True)
    controller.open_links = report_links
    print("open", flush=True)

window_app.WindowProgram.show = show
sys.argv = ["ready-room", *sys.argv[1:]]
sys.exit(main())
"""


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    home.mkdir(parents=True)
    settings = home / "settings" / "settings.toml"
    settings.parent.mkdir()
    settings.write_text("[scan]\nat_start = false\n")  # no traffic to other machines
    return os.environ | {"QT_QPA_PLATFORM": "offscreen", "HOME": str(home)}


@contextmanager
def _window(environment: dict[str, str], *args: str) -> Iterator["subprocess.Popen[str]"]:
    """Run a window that prints the links it is given."""
    process = subprocess.Popen(
        [sys.executable, "-c", FIRST, *args],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert _line(process).startswith("open")
        assert _line(process).strip() == "shows"  # its own start had no link
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def first(environment: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """A running window."""
    with _window(environment) as process:
        yield process


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def _start(environment: dict[str, str], *args: str) -> "subprocess.CompletedProcess[str]":
    line = [sys.executable, "-m", "browser_app", *args]
    return subprocess.run(line, env=environment, capture_output=True, text=True, timeout=PROCESS_TIMEOUT_S, check=False)


def test_second_start_passes_link(first: "subprocess.Popen[str]", environment: dict[str, str]) -> None:
    second = _start(environment, LINK)
    assert second.returncode == 0
    assert "ready-room: " in second.stderr
    assert _line(first).split() == ["asks", LINK]
    assert _start(environment).returncode == 0
    assert _line(first).split()[0] in ("asks", "shows")


def test_link_to_this_machine_goes_to_open_demo(first: "subprocess.Popen[str]", environment: dict[str, str]) -> None:
    with _window(environment, "--demo", "1") as demo:
        assert _start(environment, LINK).returncode == 0
        assert _line(demo).split() == ["asks", LINK]
        assert _start(environment).returncode == 0
        assert _line(first).strip() == "shows"


def test_bad_link_is_not_passed(first: "subprocess.Popen[str]", environment: dict[str, str]) -> None:
    second = _start(environment, "readyroom://join?server=a2s://127.0.0.1:9&exec=x")
    assert second.returncode == 2
    assert "unknown: exec" in second.stderr
    assert first.poll() is None


@pytest.mark.posix
def test_start_after_kill(first: "subprocess.Popen[str]", environment: dict[str, str], home: Path) -> None:
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert any(stat.S_ISSOCK(path.stat().st_mode) for path in (home / "run").iterdir())
    line = [sys.executable, "-c", FIRST]
    with subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as again:
        try:
            assert _line(again).startswith("open")
        finally:
            again.kill()


def test_link_without_protocol_and_display(environment: dict[str, str]) -> None:
    bare = {
        key: value for key, value in environment.items() if key not in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    }
    result = _start(bare, "127.0.0.1:9")
    assert result.returncode == 2
    assert "a2s://127.0.0.1:9" in result.stderr
