"""The `balance` command."""

import math
from pathlib import Path
from typing import Any

import pytest
from round_samples import make_history, make_round, make_stay, run_json, run_refused, write_rounds

from browser_app.rating.system_registry import RATING_SYSTEMS

UNEVEN = {player: "marines" if player in "abcd" else "aliens" for player in "abcdefgh"}


def one_player(name: str, **keys: Any) -> dict[str, Any]:
    return {**make_round(name, {}), "players": [{"id": "a", "stays": [], **keys}]}


def run_balance(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game_round: dict[str, Any], *options: str
) -> dict[str, Any]:
    history = write_rounds(tmp_path, "history.jsonl", make_history())
    return run_json(
        capsys, "balance", write_rounds(tmp_path, "next.jsonl", [game_round]), "--rounds", history, *options
    )


def skills_by_team(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[float, float]]:
    """Return s + o and s − o of each player after the history."""
    history = write_rounds(tmp_path, "history.jsonl", make_history())
    players = run_json(capsys, "rate", history, "--system", "ns2")["players"]
    return {
        name: (values["skill"] + values["offset"], values["skill"] - values["offset"])
        for name, values in players.items()
    }


def test_swaps_lead_to_teams(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = run_balance(tmp_path, capsys, make_round("next", UNEVEN))
    assert output["system"] == "ns2"
    teams = {"marines": set("abcd"), "aliens": set("efgh")}
    for player, partner in output["swaps"]:
        teams["marines"] ^= {player, partner}
        teams["aliens"] ^= {player, partner}
    assert output["swaps"]
    assert {team: set(players) for team, players in output["teams"].items()} == teams
    assert output["moved"] == []


def test_difference_by_team_skills(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    skills = skills_by_team(tmp_path, capsys)
    assert any(first != second for first, second in skills.values())
    output = run_balance(tmp_path, capsys, make_round("next", UNEVEN))

    def difference(marines: str | list[str]) -> float:
        return sum(first if player in marines else -second for player, (first, second) in skills.items())

    assert output["difference"] == pytest.approx(difference(output["teams"]["marines"]), abs=1e-12)
    assert output["before"] == pytest.approx(1 / (1 + math.exp(-difference("abcd") / 8)), abs=1e-12)
    assert output["after"] == pytest.approx(1 / (1 + math.exp(-output["difference"] / 8)), abs=1e-12)
    assert abs(output["after"] - 0.5) < abs(output["before"] - 0.5)


@pytest.mark.parametrize("system", RATING_SYSTEMS)
def test_every_system_balances(tmp_path: Path, capsys: pytest.CaptureFixture[str], system: str) -> None:
    output = run_balance(tmp_path, capsys, make_round("next", UNEVEN), "--system", system)
    assert [len(players) for players in output["teams"].values()] == [4, 4]
    assert abs(output["after"] - 0.5) <= abs(output["before"] - 0.5)


def test_unassigned_are_placed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assigned = {player: team for player, team in UNEVEN.items() if player not in "gh"}
    with_them = run_balance(tmp_path, capsys, make_round("next", {**assigned, "g": None, "h": None}))
    without = run_balance(tmp_path, capsys, make_round("next", assigned))
    assert with_them["before"] == without["before"]
    assert sorted(player for team in with_them["teams"].values() for player in team) == sorted(UNEVEN)
    assert [len(team) for team in with_them["teams"].values()] == [4, 4]
    assert run_balance(tmp_path, capsys, make_round("next", dict.fromkeys("abcdef")))["before"] is None


def test_locked_players_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    swapped = run_balance(tmp_path, capsys, make_round("next", UNEVEN))["swaps"][0]
    game_round = make_round("next", UNEVEN)
    for player in game_round["players"]:
        if player["id"] == swapped[0]:
            player["commanding"] = [make_stay("marines", 5, 50)]
        if player["id"] == swapped[1]:
            player["locked"] = True
    teams = run_balance(tmp_path, capsys, game_round)["teams"]
    assert swapped[0] in teams["marines"]
    assert swapped[1] in teams["aliens"]


def test_preferences_are_respected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game_round = make_round("next", dict.fromkeys("uvwx"))
    game_round["players"][0] |= {"prefers": "aliens", "friends": ["x", "someone else"]}
    assert run_json(capsys, "balance", write_rounds(tmp_path, "next.jsonl", [game_round]))["teams"]["aliens"] == [
        "u",
        "x",
    ]


def test_uneven_sizes_move_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = run_balance(tmp_path, capsys, make_round("next", {**UNEVEN, "e": "marines"}))
    assert [len(team) for team in output["teams"].values()] == [4, 4]
    assert len(output["moved"]) == 1
    assert output["moved"][0] in "abcde"


def test_teams_stay_unrated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = run_json(capsys, "balance", write_rounds(tmp_path, "next.jsonl", [make_round("next", UNEVEN)]))
    assert output["teams"] == {"marines": list("abcd"), "aliens": list("efgh")}
    assert output["swaps"] == []
    assert output["before"] == output["after"] == 0.5


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
