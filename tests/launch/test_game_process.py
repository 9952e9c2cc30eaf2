"""Games are really started: fake programs write down their arguments."""

import json
import logging
import os
import sys
from pathlib import Path

import pytest
from timeouts import LIMIT_S

from browser_app import paths
from browser_app.games import load_games
from browser_app.launch.game_process import start_game
from browser_app.launch.installed_games import GameInstallation, find_installations
from browser_app.launch.launch_arguments import LaunchError
from browser_app.launch.launch_plan import LaunchPlan, plan_launch
from browser_app.protocols.address import Address

pytestmark = pytest.mark.posix

GAMES = load_games(paths.resource_folder() / "games")
WORD = "pw{host}"
SERVER = Address("192.0.2.7", 27016)

STAND_IN = """#!{python}
import json, os, sys
call = {{
    "argv": sys.argv[1:],
    "folder": os.getcwd(),
    "own_session": os.getsid(0) == os.getpid(),
    "streams": [os.fstat(stream).st_rdev == os.stat(os.devnull).st_rdev for stream in (0, 1, 2)],
    "key": os.environ.get("READY_ROOM_STEAM_KEY"),
    "kept": os.environ.get("STAND_IN"),
}}
with open({report!r}, "w") as file:
    json.dump(call, file)
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that is the whole PATH, with a home without any game."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("READY_ROOM_STEAM_KEY", "secret")
    monkeypatch.setenv("STAND_IN", "here")
    return folder


def fake_program(folder: Path, name: str) -> Path:
    """Create an executable that writes its arguments to the returned file."""
    report = folder / f"{name}.json"
    program = folder / name
    program.write_text(STAND_IN.format(python=sys.executable, report=str(report)))
    program.chmod(0o755)
    return report


def plan(game: str, connect: Address = SERVER, password: str | None = None) -> LaunchPlan:
    return plan_launch(GAMES[game], connect, find_installations(GAMES[game]), password=password)


def run(launch_plan: LaunchPlan, report: Path) -> dict[str, object]:
    assert start_game(launch_plan).wait(timeout=LIMIT_S) == 0
    arguments: dict[str, object] = json.loads(report.read_text())
    return arguments


def test_native_game(programs: Path) -> None:
    report = fake_program(programs, "openarena")
    launch_plan = plan("openarena", password=WORD)
    assert run(launch_plan, report) == {
        "argv": ["+password", WORD, "+connect", "192.0.2.7:27016"],
        "folder": str(programs),
        "own_session": True,
        "streams": [True, True, True],
        "key": None,
        "kept": "here",
    }


def test_linked_game_finds_data(programs: Path, tmp_path: Path) -> None:
    game = tmp_path / "game"
    game.mkdir()
    report = fake_program(game, "nexuiz-linux-sdl.sh")
    (programs / "nexuiz").symlink_to(game / "nexuiz-linux-sdl.sh")
    assert run(plan("nexuiz"), report)["folder"] == str(game)


def test_flatpak(programs: Path, tmp_path: Path) -> None:
    report = fake_program(programs, "flatpak")
    (tmp_path / ".local/share/flatpak/app/org.xonotic.Xonotic").mkdir(parents=True)
    launch_plan = plan("xonotic", Address("2001:db8::1", 26000))
    assert launch_plan.method == "flatpak"
    arguments = run(launch_plan, report)
    assert arguments["argv"] == ["run", "org.xonotic.Xonotic", "+connect", "[2001:db8::1]:26000"]
    assert arguments["folder"] == str(tmp_path)


STEAM_URL = "steam://run/4920//%2Bconnect%20192.0.2.7%3A27016%20%2Bpassword%20pw%7Bhost%7D"


@pytest.mark.parametrize("opener", ["steam", "xdg-open"])
@pytest.mark.linux
def test_steam_url_is_opened(programs: Path, opener: str) -> None:
    report = fake_program(programs, opener)
    arguments = run(plan("ns2", password=WORD), report)
    assert arguments["argv"] == [STEAM_URL]
    assert arguments["key"] is None


@pytest.mark.linux
def test_steam_as_flatpak(programs: Path, tmp_path: Path) -> None:
    report = fake_program(programs, "flatpak")
    (tmp_path / ".local/share/flatpak/app/com.valvesoftware.Steam").mkdir(parents=True)
    arguments = run(plan("ns2", password=WORD), report)
    assert arguments["argv"] == ["run", "com.valvesoftware.Steam", STEAM_URL]


@pytest.mark.linux
def test_missing_steam_is_reported(programs: Path) -> None:
    with pytest.raises(LaunchError, match="Steam is not installed"):
        start_game(plan("ns2"))


@pytest.mark.linux
def test_own_url_is_not_for_steam(programs: Path) -> None:
    launch_plan = plan_launch(GAMES["samp"], SERVER, [GameInstallation("url")])
    fake_program(programs, "steam")
    with pytest.raises(LaunchError, match="no program that opens links"):
        start_game(launch_plan)
    arguments = run(launch_plan, fake_program(programs, "xdg-open"))
    assert arguments["argv"] == ["samp://192.0.2.7:27016"]


def test_log_has_no_password(programs: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "browser_app")
    report = fake_program(programs, "openarena")
    run(plan("openarena", password=WORD), report)
    assert "openarena" in caplog.text
    assert WORD not in caplog.text


def test_missing_program(programs: Path) -> None:
    with pytest.raises(LaunchError, match="openarena cannot be started: No such file"):
        start_game(plan("openarena"))


def test_file_that_is_no_program(programs: Path) -> None:
    program = programs / "openarena"
    program.write_bytes(b"\x7fELF, but not really")
    program.chmod(0o755)
    with pytest.raises(LaunchError, match="cannot be started: Exec format error"):
        start_game(plan("openarena"))


def test_next_start_reaps_game(programs: Path) -> None:
    report = fake_program(programs, "openarena")
    launch_plan = plan("openarena")
    first = start_game(launch_plan)
    os.waitid(os.P_PID, first.pid, os.WEXITED | os.WNOWAIT)
    assert first.returncode is None
    run(launch_plan, report)
    assert first.returncode == 0
