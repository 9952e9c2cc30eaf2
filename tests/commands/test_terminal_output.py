"""Output for closed streams, encodings and terminal widths."""

import json
import math
import os
import re
import subprocess
from collections.abc import Sequence

import pytest
from loopback_servers import a2s, serving
from program_runner import PROCESS_TIMEOUT_S, PROGRAM_COMMAND, Program, changed_environment
from rich.table import Table

from browser_app.commands.output.terminal_output import create_console, format_json

NAME = "Café ’42’ \N{SNOWMAN}"
FAST = "--pace=unlimited"


def run_without(closed: Sequence[int], *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program with some of the three standard streams closed."""
    shell = " ".join(['"$@"', *(f"{number}>&-" for number in closed)])
    return subprocess.run(
        ["/bin/sh", "-c", shell, "sh", *PROGRAM_COMMAND, *words],
        env=changed_environment(),
        capture_output=True,
        text=True,
        timeout=PROCESS_TIMEOUT_S,
        check=False,
    )


@pytest.mark.posix
@pytest.mark.parametrize("closed", [[0], [2], [0, 2]])
def test_works_without_stderr(closed: list[int]) -> None:
    result = run_without(closed, "list", "--demo=3", "--format=json")
    assert result.returncode == 0
    assert len(json.loads(result.stdout)["servers"]) == 3
    assert run_without(closed, "list", "--sort=nosuch").returncode == 2
    assert run_without(closed, "list", "--server=a2s://127.0.0.1:1", "--limit=x").returncode == 2
    no_answer = run_without(closed, "list", "--master=json+http://127.0.0.1:1/x", "--format=csv")
    assert (no_answer.returncode, len(no_answer.stdout.splitlines())) == (3, 1)


@pytest.mark.posix
@pytest.mark.parametrize(
    ("words", "status"), [(["list", "--demo=3"], 2), (["--help"], 0), (["--version"], 0), (["list", "--help"], 0)]
)
def test_works_without_stdout(words: list[str], status: int) -> None:
    for closed in ([1], [0, 1]):
        result = run_without(closed, *words)
        assert result.returncode == status
        assert "Traceback" not in result.stderr
    assert run_without([0, 1, 2], *words).returncode == status


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("form", ["json", "csv", "table"])
def test_any_name_in_any_encoding(encoding: str, form: str) -> None:
    with serving(a2s(name=NAME)) as (address,):
        result = subprocess.run(
            [*PROGRAM_COMMAND, "list", f"--server=a2s://{address}", FAST, f"--format={form}"],
            env=changed_environment({"PYTHONIOENCODING": encoding}),
            capture_output=True,
            timeout=PROCESS_TIMEOUT_S,
            check=False,
        )
    assert (result.returncode, result.stderr) == (0, b"")
    out = result.stdout.decode(encoding)
    if form == "json":
        assert json.loads(out)["servers"][0]["name"] == NAME
    else:
        name = NAME if encoding == "utf-8" else NAME.replace("’", "'")
        assert name.encode(encoding, "backslashreplace").decode(encoding) in out


def test_columns_align_in_ascii() -> None:
    with serving(a2s(name="A name that is worth its room – and more", players=12, bots=0)) as (address,):
        terminal_environment = {"PYTHONIOENCODING": "ascii", "FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": "120"}
        result = subprocess.run(
            [*PROGRAM_COMMAND, "list", f"--server=a2s://{address}", FAST],
            env=changed_environment(terminal_environment),
            capture_output=True,
            timeout=PROCESS_TIMEOUT_S,
            check=False,
        )
    head, row = re.sub(r"\x1b\[\d*m", "", result.stdout.decode("ascii")).splitlines()
    assert "worth its room - and more" in row
    assert len(row) == len(head)
    assert row.index("-  127.0.0.1") == head.index("Skill") + 4  # the skill of this server is unknown


def test_messages_in_ascii() -> None:
    result = subprocess.run(
        [*PROGRAM_COMMAND, "rate", "--system=ns2", "no – such – file"],
        env=changed_environment({"PYTHONIOENCODING": "ascii"}),
        capture_output=True,
        check=False,
    )
    assert result.returncode == 2
    assert b"no - such - file" in result.stderr


def test_help_in_ascii() -> None:
    for name in ("list", "info", "play", "score", "demo", "screenshot"):
        result = subprocess.run(
            [*PROGRAM_COMMAND, name, "--help"],
            env=changed_environment({"PYTHONIOENCODING": "ascii"}),
            capture_output=True,
            check=False,
        )
        assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("columns", "titles", "name"),
    [
        (20, ["Score", "Ping", "Players"], ""),
        (40, ["Score", "Ping", "Players", "Name"], "A name that is wo…"),
        (60, ["Score", "Ping", "Players", "Game", "Name", "Map"], "A name that…"),
        (80, ["Score", "Ping", "Players", "Game", "Name", "Map"], "A name that is worth its room"),
        (120, ["Score", "Ping", "Players", "Game", "Name", "Map", "Mode", "Skill", "Address"], "worth its room"),
    ],
)
def test_numbers_fit_every_width(
    program: Program, monkeypatch: pytest.MonkeyPatch, columns: int, titles: list[str], name: str
) -> None:
    for variable, value in (("FORCE_COLOR", "1"), ("TERM", "xterm"), ("COLUMNS", str(columns))):
        monkeypatch.setenv(variable, value)
    with serving(a2s(name="A name that is worth its room", players=12, bots=0)) as (address,):
        result = program("list", f"--server=a2s://{address}", FAST)
    head, row = re.sub(r"\x1b\[\d*m", "", result.out).splitlines()
    assert head.split() == titles
    assert "12/24" in row
    assert name in row
    assert max(len(head), len(row)) <= columns


def test_values_may_start_with_dash(program: Program) -> None:
    with serving(a2s(name="Full", players=24, bots=0), a2s(name="Free", players=3, bots=0)) as addresses:
        sources = [f"--server=a2s://{address}" for address in addresses]
        free = program("list", *sources, FAST, "--format", "json", "--filter", "-full")
        fewest = program("list", *sources, FAST, "--format", "json", "--sort", "-players")
        assert program("list", *sources, FAST, "--filter", "--lan").status == 2
        assert program("list", *sources, FAST, "--sort", "--format=json").status == 2
    assert [server["name"] for server in free.servers] == ["Free"]
    assert [server["name"] for server in fewest.servers] == ["Free", "Full"]


def test_unusable_home_is_reported(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READY_ROOM_HOME", os.devnull + "/home")
    with serving(a2s()) as (address,):
        result = program("list", f"--server=a2s://{address}", FAST, "--format=json")
    assert "Errno" not in result.err
    assert os.devnull in result.err


CONTROLS = "\x1b]0;x\x07 \x9b2J \u202eback"


def test_json_does_not_control_terminal() -> None:
    text = format_json({CONTROLS: [CONTROLS], "nan": math.nan}, indent=2)
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*text}
    assert json.loads(text) == {CONTROLS: [CONTROLS], "nan": None}


def test_console_does_not_control_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    console, table = create_console(), Table("Map")
    table.add_row(CONTROLS)
    console.print(CONTROLS, markup=False, highlight=False)
    console.print(table)
    output = capsys.readouterr().out
    assert output.count("\ufffd]0;x") == 2
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & {*output}
