"""The program as a process: exit statuses, streams, Ctrl-C, files, broken pipes."""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from measurements import best_of
from program_runner import (
    DISPLAY_VARIABLES,
    PROCESS_TIMEOUT_S,
    PROGRAM_COMMAND,
    Program,
    changed_environment,
    run_process,
)
from timeouts import LIMIT_S, wait_until

from browser_app.paths import resource_folder

WITHOUT_DISPLAY: dict[str, str | None] = dict.fromkeys(DISPLAY_VARIABLES)


def start_program(words: Sequence[str], env: Mapping[str, str | None] | None = None) -> subprocess.Popen[str]:
    """Start the program in a process group of its own, as a shell does."""
    return subprocess.Popen(
        [*PROGRAM_COMMAND, *words],
        env=changed_environment(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )


def child_ids(pid: int) -> set[int]:
    """Return the process ids of a process's children."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return {int(word) for word in text.split()}


def is_running(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.parametrize(
    ("words", "place"),
    [
        (["bogus"], "bogus"),
        (["list", "--bogus"], "--bogus"),
        (["list", "--serv=a2s://127.0.0.1:1"], "--serv"),
        (["list", "--server=127.0.0.1:27015"], "a2s://127.0.0.1:27015"),
        (["list", "--server=a2s://127.0.0.1"], "port"),
        (["list", "--server=a2s://127.0.0.1:0"], "port"),
        (["list", "--server=a2s://127.0.0.1:70000"], "70000"),
        (["list", "--server=steam://127.0.0.1:27015"], "steam"),
        (["list", "--server=a2s://::1:27015"], "brackets"),
        (["list", "--server=a2s://224.0.0.1:27015"], "224.0.0.1"),
        (["list", "--game=hl3"], "hl3"),
        (["list", "--master=http://127.0.0.1/"], "http://127.0.0.1/"),
        (["list", "--master=dpmaster://127.0.0.1:27950"], "dpmaster://127.0.0.1:27950"),
        (["list", "--master=steam-web+https://127.0.0.1/"], "appid"),
        (["list", "--master=file:missing.json"], "missing.json"),
        (["list", "--demo=0"], "--demo"),
        (["list", "--demo=many"], "--demo"),
        (["list", "--demo=70000"], "60000"),
        (["list", "--filter=players>>3"], "character 9"),
        (["list", "--filter=(full"], "bracket"),
        (["list", "--sort=best"], "best"),
        (["list", "--limit=0"], "--limit"),
        (["list", "--limit=1.5"], "--limit"),
        (["list", "--limit=1_0"], "--limit"),
        (["list", "--skill=nan"], "--skill"),
        (["list", "--preset=mine"], "mine"),
        (["list", "--pace=warp"], "warp"),
        (["list", "--format=xml"], "xml"),
        (["list", "--pace=unlimited", "--server=a2s://192.0.2.1:27015"], "--pace unlimited: 192.0.2.1:27015"),
        (["list", "--pace=unlimited", "--master=dpmaster://192.0.2.1:27950//71"], "--pace unlimited"),
        (["info"], "name one server"),
        (["info", "--demo=3"], "the sources contain 3"),
        (["info", "a2s://127.0.0.1:1", "--server=a2s://127.0.0.1:2"], "the sources contain 2"),
        (["info", "--master=dpmaster://192.0.2.1:27950//71", "--pace=unlimited"], "--pace unlimited: dpmaster://192"),
        (["info", "nowhere"], "nowhere"),
        (["play", "--attempts=0"], "--attempts"),
        (["play", "--filter=players>>3", "--demo=5"], "--filter"),
        (["demo", "--servers=0"], "--servers"),
        (["demo", "--latency=9-3"], "--latency"),
        (["demo", "--loss=2"], "--loss"),
        (["fit", "--system=ns2"], "FILE or --record is required"),
        (["screenshot"], "FILE"),
        (["screenshot", "x.png", "--size=big"], "--size"),
        (["screenshot", "x.png", "--view=skill", "--page=nosuch"], "over-time"),
        (["--bogus"], "--bogus"),
    ],
)
def test_bad_usage_names_option(program: Program, words: list[str], place: str) -> None:
    result = program(*words)
    assert result.status == 2
    assert place in result.err
    assert result.out == ""
    assert re.fullmatch(r"ready-room: .+\n", result.err)  # one line, without argparse's own words


def test_bad_usage_refers_to_help(program: Program) -> None:
    assert program("list", "--limit=x").err == (
        "ready-room: --limit: not a whole number: 'x'; see 'ready-room list --help'\n"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ('{"servers": [', "not JSON"),
        ("[]", "servers"),
        ('{"servers": 3}', "servers"),
        ('{"servers": ["a2s://192.0.2.1:27015", 7]}', "servers[1]"),
        ('{"servers": [{"address": "192.0.2.1:27015", "protocol": "steam"}]}', "servers[0]"),
        ('{"servers": [{"protocol": "a2s"}]}', "address"),
    ],
)
def test_broken_list_file_is_named(program: Program, tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "list.json"
    file.write_text(text)
    result = program("list", f"--master=file:{file}", "--format=json")
    assert result.status == 2
    assert str(file) in result.err
    assert reason in result.err
    assert result.out == ""


def test_broken_profile_is_named(program: Program, home: Path) -> None:
    folder = home / "settings" / "games"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text('name = "Mine"\nprotocol = "smoke signals"\n')
    result = program("score", "--players=1", "--max-players=2", "--ping=3")
    assert result.status == 2
    assert "mine.toml: " in result.err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('rating_system = "glicko"', ":1: rating_system: 'glicko' is not one of ns2"),
        (
            'masters = ["file:a", "http://b/"]',
            ":1: masters[1]: “http://b/” is not a master server URL; known forms: dp",
        ),
        ('masters = ["dpmaster://b"]', ":1: masters[0]: “dpmaster://b” does not match dpmaster://HOST:PORT/GAMENAME/P"),
    ],
)
def test_profile_error_names_word(program: Program, home: Path, line: str, message: str) -> None:
    folder = home / "settings" / "games"
    folder.mkdir(parents=True)
    shipped = (resource_folder() / "games" / "squad.toml").read_text(encoding="utf-8")
    file = folder / "squad.toml"
    key = line.partition(" ")[0]
    other_lines = "\n".join(each for each in shipped.splitlines() if not each.startswith(key))
    file.write_text(f"{line}\n{other_lines}", encoding="utf-8")
    result = program("list", "--server=a2s://127.0.0.1:1")
    assert result.status == 2
    assert f"{file}{message}" in result.err


@pytest.mark.parametrize(
    ("words", "text", "message"),
    [
        (["list", "--demo=3"], "[scan]\npace = 3\n", ":2: scan.pace: must be one of"),
        (["play", "--demo=3"], '[play_now]\nfilter = "ping<"\n', ":2: play_now.filter: “ping” needs a value"),
        (["play", "--demo=3"], '[play_now]\nfilter = "ping<\n', ":2: not valid TOML: "),
        (["list"], '[games]\n\nplayed = ["hl3"]\n', ":3: games.played: "),
        (["list"], '[games]\nmasters = ["http://127.0.0.1/"]\n', ":2: games.masters: "),
        (["info", "--demo=1"], "scan = 3\ngames = 3", ":1: scan: must be a table\nready-room: "),
    ],
)
def test_wrong_setting_is_named(program: Program, home: Path, words: list[str], text: str, message: str) -> None:
    (home / "settings").mkdir(parents=True)
    (home / "settings" / "settings.toml").write_text(text)
    result = program(*words)
    assert result.status == 2
    assert f"ready-room: {home / 'settings' / 'settings.toml'}{message}" in result.err
    assert "--filter" not in result.err
    assert result.out == ""


def test_unknown_setting_is_reported(program: Program, home: Path) -> None:
    (home / "settings").mkdir(parents=True)
    (home / "settings" / "settings.toml").write_text('[scan]\npase = "fast"\n')
    result = program("list", "--demo=3", "--format=json")
    assert result.status == 0
    (message,) = result.err.splitlines()
    assert message.startswith(f"ready-room: {home / 'settings' / 'settings.toml'}:2: scan.pase: ")
    assert "scan.pace" in message
    assert len(result.servers) == 3


def test_messages_on_stderr(home: Path) -> None:
    result = run_process("list", "--demo=6", "--format=json")
    assert result.status == 0
    assert result.err == ""
    assert len(result.servers) == 6
    no_answer = run_process("list", "--master=json+http://127.0.0.1:1/list.json", "--format=json")
    assert no_answer.status == 3
    assert no_answer.json["servers"] == []
    assert "ready-room: " in no_answer.err
    assert run_process("list", "--demo=6", "--filter=players>500", "--format=csv").status == 1
    assert run_process("list", "--demo=6", "--limit=none").status == 2


def test_writes_only_to_home(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    moved = {name: str(elsewhere) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "TMPDIR")}
    program_home = tmp_path / "program home"
    result = run_process("play", "--demo=6", "--dry-run", env={**moved, "READY_ROOM_HOME": str(program_home)})
    assert result.status in (0, 1)
    assert list(program_home.rglob("*.sqlite"))
    assert list(elsewhere.rglob("*")) == []


def test_timings_are_json_lines() -> None:
    result = run_process("list", "--demo=6", "--format=json", env={"READY_ROOM_TIMINGS": "1"})
    lines = [json.loads(line) for line in result.err.splitlines()]
    assert [line["event"] for line in lines] == ["start", "first_answer", "scan_done"]
    times = [line["ms"] for line in lines]
    assert times == sorted(times)
    assert len(result.servers) == 6


def test_no_display_prints_list() -> None:
    result = run_process("--demo=6", env=WITHOUT_DISPLAY)
    assert result.status == 0
    assert "no display" in result.err
    assert "Score" in result.out
    assert len(result.out.splitlines()) == 7


@pytest.mark.linux
@pytest.mark.parametrize("whole_group", [False, True])
def test_ctrl_c_ends_scan(whole_group: bool) -> None:
    def measure_s() -> float:
        with start_program(["list", "--demo=400", "--pace=gentle", "--format=json"]) as process:
            assert wait_until(lambda: child_ids(process.pid))
            children = child_ids(process.pid)
            time.sleep(0.3)  # somewhere in the scan
            duration_s = interrupt_and_measure_s(process, whole_group)
        assert wait_until(lambda: not any(is_running(pid) for pid in children))
        return duration_s

    assert best_of(measure_s, 2) < 2


@pytest.mark.linux
@pytest.mark.parametrize("after_s", [0.0, 0.1, 0.2])
def test_ctrl_c_ends_start(after_s: float) -> None:
    def measure_s() -> float:
        with start_program(["list", "--demo=400", "--pace=gentle"], {"READY_ROOM_TIMINGS": "1"}) as process:
            assert process.stderr is not None
            assert json.loads(process.stderr.readline())["event"] == "start"  # Python itself has started
            time.sleep(after_s)  # somewhere in the start
            return interrupt_and_measure_s(process, whole_group=True)

    assert best_of(measure_s, 2) < 2


def interrupt_and_measure_s(process: subprocess.Popen[str], whole_group: bool) -> float:
    """Interrupt the process, check how it ends, and return the seconds until then."""
    started_s = time.monotonic()
    (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PROCESS_TIMEOUT_S)
    duration_s = time.monotonic() - started_s
    assert process.returncode == 130
    assert [line for line in err.splitlines() if not line.startswith("{")] == ["ready-room: interrupted"]
    assert out == ""
    return duration_s


@pytest.mark.linux
def test_ctrl_c_ends_demo() -> None:
    with start_program(["demo", "--servers=5"]) as process:
        assert process.stdout is not None
        assert len(json.loads(process.stdout.readline())["servers"]) == 5
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(LIMIT_S) == 130


@pytest.mark.posix
@pytest.mark.parametrize(
    "words",
    [
        ["list", "--demo=5", "--format=json"],
        ["list", "--demo=5", "--format=csv"],
        ["list", "--demo=5"],
        ["score", "--players=1", "--max-players=2", "--ping=3", "--format=table"],
        ["--help"],
    ],
)
def test_closed_pipe_is_no_error(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = subprocess.run(
            [*PROGRAM_COMMAND, *words],
            stdout=writing,
            stderr=subprocess.PIPE,
            env=changed_environment(),
            check=False,
            timeout=PROCESS_TIMEOUT_S,
        )
    finally:
        os.close(writing)
    assert result.returncode == 0
    assert result.stderr == b""


@pytest.mark.linux
def test_full_disk_is_reported() -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [*PROGRAM_COMMAND, "list", "--demo=5"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=changed_environment(),
            text=True,
            check=False,
            timeout=PROCESS_TIMEOUT_S,
        )
    assert result.returncode == 2
    assert result.stderr == "ready-room: No space left on device\n"
