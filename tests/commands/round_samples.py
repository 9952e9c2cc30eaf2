"""Round files for tests of the rating commands, and runs of these commands."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from browser_app.app import run_program

TEAMS = ("marines", "aliens")


def make_stay(team: str, enter: float = 0.0, leave: float = 900.0) -> dict[str, Any]:
    return {"team": team, "enter": enter, "leave": leave}


def make_round(name: str, players: Mapping[str, str | None], **keys: Any) -> dict[str, Any]:
    """Return a round with players on teams (None: not assigned yet)."""
    return {
        "id": name,
        "started": "2021-03-04T05:06:07Z",
        "teams": list(TEAMS),
        "players": [{"id": player, "stays": [make_stay(team)] if team else []} for player, team in players.items()],
        **keys,
    }


def make_history(rounds: int = 24) -> list[dict[str, Any]]:
    """Return rounds in changing teams, mostly won by players early in the alphabet."""
    history = []
    for number in range(rounds):
        order = Random(number).sample("abcdefgh", 8)
        teams = {player: TEAMS[seat % 2] for seat, player in enumerate(order)}
        marines, aliens = (sum(ord(player) for player in teams if teams[player] == team) for team in TEAMS)
        started = f"2021-01-{1 + number:02}T00:00:00Z"
        winner = TEAMS[marines > aliens]
        history.append(make_round(f"r{number}", teams, started=started, duration=900, winner=winner))
    return history


def write_rounds(folder: Path, name: str, rounds: Sequence[Mapping[str, Any]]) -> str:
    path = folder / name
    path.write_text("".join(json.dumps(each) + "\n" for each in rounds), "utf-8")
    return str(path)


def run_json(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> dict[str, Any]:
    """Run a command, check its status and return its output."""
    exit_status = run_program(words)
    out, err = capsys.readouterr()
    assert exit_status == status, err
    output: dict[str, Any] = json.loads(out)
    return output


def run_refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command that must refuse its input and return its message."""
    assert run_program(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err
