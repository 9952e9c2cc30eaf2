"""The `balance` command."""

import math
from pathlib import Path
from typing import Any

import pytest
from round_samples import make_history, make_round, run_json, run_refused, stay, write_rounds

from browser_app.rating.system_registry import RATING_SYSTEMS

UNEVEN = {player: "marines" if player in "abcd" else "aliens" for player in "abcdefgh"}


def one_player(name: str, **keys: Any) -> dict[str, Any]:
    return {**make_round(name, {}), "players": [{"id": "a", "stays": [], **keys}]}


def run_balance(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], match: dict[str, Any], *options: str
) -> dict[str, Any]:
    history = write_rounds(tmp_path, "history.jsonl", make_history())
    return run_json(capsys, "balance", write_rounds(tmp_path, "next.jsonl", [match]), "--rounds", history, *options)


def skills_by_team(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[float, float]]:
    """Return s + o and s − o of each player after the history."""
    history = write_rounds(tmp_path, "history.jsonl", make_history())
    players = run_json(capsys, "rate", history, "--system", "ns2")["players"]
    return {name: (of["skill"] + of["offset"], of["skill"] - of["offset"]) for name, of in players.items()}


def test_swaps_lead_to_teams(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = run_balance(tmp_path, capsys, make_round("next", UNEVEN))
    assert answer["system"] == "ns2"
    teams = {"marines": set("abcd"), "aliens": set("efgh")}
    for one, other in answer["swaps"]:
        teams["marines"] ^= {one, other}
        teams["aliens"] ^= {one, other}
    assert answer["swaps"]
    assert {team: set(players) for team, players in answer["teams"].items()} == teams
    assert answer["moved"] == []


def test_difference_by_team_skills(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    on = skills_by_team(tmp_path, capsys)
    assert any(first != second for first, second in on.values())
    answer = run_balance(tmp_path, capsys, make_round("next", UNEVEN))

    def difference(marines: str | list[str]) -> float:
        return sum(first if player in marines else -second for player, (first, second) in on.items())

    assert answer["difference"] == pytest.approx(difference(answer["teams"]["marines"]), abs=1e-12)
    assert answer["before"] == pytest.approx(1 / (1 + math.exp(-difference("abcd") / 8)), abs=1e-12)
    assert answer["after"] == pytest.approx(1 / (1 + math.exp(-answer["difference"] / 8)), abs=1e-12)
    assert abs(answer["after"] - 0.5) < abs(answer["before"] - 0.5)


@pytest.mark.parametrize("system", RATING_SYSTEMS)
def test_every_system_balances(tmp_path: Path, capsys: pytest.CaptureFixture[str], system: str) -> None:
    answer = run_balance(tmp_path, capsys, make_round("next", UNEVEN), "--system", system)
    assert [len(players) for players in answer["teams"].values()] == [4, 4]
    assert abs(answer["after"] - 0.5) <= abs(answer["before"] - 0.5)


def test_unassigned_are_placed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    standing = {player: team for player, team in UNEVEN.items() if player not in "gh"}
    with_them = run_balance(tmp_path, capsys, make_round("next", {**standing, "g": None, "h": None}))
    without = run_balance(tmp_path, capsys, make_round("next", standing))
    assert with_them["before"] == without["before"]
    assert sorted(player for team in with_them["teams"].values() for player in team) == sorted(UNEVEN)
    assert [len(team) for team in with_them["teams"].values()] == [4, 4]
    assert run_balance(tmp_path, capsys, make_round("next", dict.fromkeys("abcdef")))["before"] is None


def test_locked_players_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    swapped = run_balance(tmp_path, capsys, make_round("next", UNEVEN))["swaps"][0]
    held = make_round("next", UNEVEN)
    for player in held["players"]:
        if player["id"] == swapped[0]:
            player["commanding"] = [stay("marines", 5, 50)]
        if player["id"] == swapped[1]:
            player["locked"] = True
    teams = run_balance(tmp_path, capsys, held)["teams"]
    assert swapped[0] in teams["marines"]
    assert swapped[1] in teams["aliens"]


def test_preferences_are_respected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = make_round("next", dict.fromkeys("uvwx"))
    match["players"][0] |= {"prefers": "aliens", "friends": ["x", "someone else"]}
    assert run_json(capsys, "balance", write_rounds(tmp_path, "next.jsonl", [match]))["teams"]["aliens"] == ["u", "x"]


def test_uneven_sizes_move_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = run_balance(tmp_path, capsys, make_round("next", {**UNEVEN, "e": "marines"}))
    assert [len(team) for team in answer["teams"].values()] == [4, 4]
    assert len(answer["moved"]) == 1
    assert answer["moved"][0] in "abcde"


def test_teams_stay_unrated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = run_json(capsys, "balance", write_rounds(tmp_path, "next.jsonl", [make_round("next", UNEVEN)]))
    assert answer["teams"] == {"marines": list("abcd"), "aliens": list("efgh")}
    assert answer["swaps"] == []
    assert answer["before"] == answer["after"] == 0.5


@pytest.mark.parametrize(
    ("rounds", "message"),
    [
        ([], "next.jsonl: "),
        ([make_round("one", UNEVEN), make_round("two", UNEVEN)], "next.jsonl:2: "),
        ([make_round("r3", UNEVEN)], "next.jsonl:1: id: "),
        ([make_round("three", {}, teams=["a", "b", "c"])], "next.jsonl:1: teams: "),
        (
            [one_player("wish", prefers="bots")],
            "next.jsonl:1: players[0].prefers: 'bots' is no",
        ),
        (
            [{**one_player("played", prefers="x"), "winner": None, "duration": 9}],
            "next.jsonl:1: players[0].prefers: 'x' is no",
        ),
        ([one_player("type", locked=1)], "next.jsonl:1: players[0].locked: "),
    ],
)
def test_bad_round_names_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rounds: list[dict[str, Any]], message: str
) -> None:
    history = write_rounds(tmp_path, "history.jsonl", make_history())
    assert message in run_refused(capsys, "balance", write_rounds(tmp_path, "next.jsonl", rounds), "--rounds", history)
