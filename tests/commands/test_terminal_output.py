"""What is printed where, whatever streams, encoding and terminal the program is given."""

import json
import os
import re
import subprocess
from collections.abc import Sequence

import pytest
from loopback_servers import a2s, serving
from program_runner import COMMAND, PROCESS_TIMEOUT_S, Program, environment

NAME = "Café ’42’ \N{SNOWMAN}"
FAST = "--pace=unlimited"


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def run_without(closed: Sequence[int], *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program without some of the three standard streams."""
    shell = " ".join(['"$@"', *(f"{number}>&-" for number in closed)])
    return subprocess.run(
        ["/bin/sh", "-c", shell, "sh", *COMMAND, *words],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PROCESS_TIMEOUT_S,
        check=False,
    )


@pytest.mark.posix
@pytest.mark.parametrize("closed", [[0], [2], [0, 2]])
def test_without_standard_error_the_result_is_the_same(closed: list[int]) -> None:
    ran = run_without(closed, "list", "--demo=3", "--format=json")
    assert ran.returncode == 0
    assert len(json.loads(ran.stdout)["servers"]) == 3
    assert run_without(closed, "list", "--sort=nosuch").returncode == 2
    assert run_without(closed, "list", "--server=a2s://127.0.0.1:1", "--limit=x").returncode == 2
    nobody = run_without(closed, "list", "--master=json+http://127.0.0.1:1/x", "--format=csv")
    assert (nobody.returncode, len(nobody.stdout.splitlines())) == (3, 1)


@pytest.mark.posix
@pytest.mark.parametrize(
    ("words", "status"), [(["list", "--demo=3"], 2), (["--help"], 0), (["--version"], 0), (["list", "--help"], 0)]
)
def test_without_standard_output_nothing_breaks(words: list[str], status: int) -> None:
    for closed in ([1], [0, 1]):
        ran = run_without(closed, *words)
        assert ran.returncode == status
        assert "Traceback" not in ran.stderr
    assert run_without([0, 1, 2], *words).returncode == status


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("form", ["json", "csv", "table"])
def test_no_name_is_too_much_for_an_encoding(encoding: str, form: str) -> None:
    with serving(a2s(name=NAME)) as (address,):
        ran = subprocess.run(
            [*COMMAND, "list", f"--server=a2s://{address}", FAST, f"--format={form}"],
            env=environment({"PYTHONIOENCODING": encoding}),
            capture_output=True,
            timeout=PROCESS_TIMEOUT_S,
            check=False,
        )
    assert (ran.returncode, ran.stderr) == (0, b"")
    out = ran.stdout.decode(encoding)
    if form == "json":
        assert json.loads(out)["servers"][0]["name"] == NAME
    else:
        name = NAME if encoding == "utf-8" else NAME.replace("’", "'")
        assert name.encode(encoding, "backslashreplace").decode(encoding) in out


def test_columns_stand_in_line_where_the_terminal_has_no_dash() -> None:
    with serving(a2s(name="A name that is worth its room – and more", players=12, bots=0)) as (address,):
        seen = {"PYTHONIOENCODING": "ascii", "FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": "120"}
        ran = subprocess.run(
            [*COMMAND, "list", f"--server=a2s://{address}", FAST],
            env=environment(seen),
            capture_output=True,
            timeout=PROCESS_TIMEOUT_S,
            check=False,
        )
    head, row = re.sub(r"\x1b\[\d*m", "", ran.stdout.decode("ascii")).splitlines()
    assert "worth its room - and more" in row
    assert len(row) == len(head)
    assert row.index("-  127.0.0.1") == head.index("Skill") + 4  # nobody tells this server's skill


def test_what_is_said_is_for_every_terminal_too() -> None:
    ran = subprocess.run(
        [*COMMAND, "rate", "--system=ns2", "no – such – file"],
        env=environment({"PYTHONIOENCODING": "ascii"}),
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 2
    assert b"no - such - file" in ran.stderr


def test_the_help_of_every_command_is_for_every_terminal() -> None:
    for name in ("list", "info", "play", "score", "demo", "screenshot"):
        ran = subprocess.run(
            [*COMMAND, name, "--help"], env=environment({"PYTHONIOENCODING": "ascii"}), capture_output=True, check=False
        )
        assert (ran.returncode, ran.stderr) == (0, b"")


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
def test_numbers_are_whole_on_every_terminal(
    program: Program, monkeypatch: pytest.MonkeyPatch, columns: int, titles: list[str], name: str
) -> None:
    for variable, value in (("FORCE_COLOR", "1"), ("TERM", "xterm"), ("COLUMNS", str(columns))):
        monkeypatch.setenv(variable, value)
    with serving(a2s(name="A name that is worth its room", players=12, bots=0)) as (address,):
        ran = program("list", f"--server=a2s://{address}", FAST)
    head, row = re.sub(r"\x1b\[\d*m", "", ran.out).splitlines()
    assert head.split() == titles
    assert "12/24" in row
    assert name in row
    assert max(len(head), len(row)) <= columns


def test_a_dash_begins_a_value_too(program: Program) -> None:
    with serving(a2s(name="Full", players=24, bots=0), a2s(name="Free", players=3, bots=0)) as addresses:
        sources = [f"--server=a2s://{address}" for address in addresses]
        free = program("list", *sources, FAST, "--format", "json", "--filter", "-full")
        fewest = program("list", *sources, FAST, "--format", "json", "--sort", "-players")
        assert program("list", *sources, FAST, "--filter", "--lan").status == 2
        assert program("list", *sources, FAST, "--sort", "--format=json").status == 2
    assert [server["name"] for server in free.servers] == ["Free"]
    assert [server["name"] for server in fewest.servers] == ["Free", "Full"]


def test_a_home_that_cannot_be_made_is_told_in_plain_words(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READY_ROOM_HOME", os.devnull + "/home")
    with serving(a2s()) as (address,):
        ran = program("list", f"--server=a2s://{address}", FAST, "--format=json")
    assert "Errno" not in ran.err
    assert os.devnull in ran.err
