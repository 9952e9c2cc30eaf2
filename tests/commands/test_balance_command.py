"""`balance`: one unplayed round through the command line."""

import math
from pathlib import Path
from typing import Any

import pytest
from round_samples import a_history, a_round, printed, refusal, round_file, stay

from browser_app.rating.system_registry import RATING_SYSTEMS

UNEVEN = {player: "marines" if player in "abcd" else "aliens" for player in "abcdefgh"}


def one_player(name: str, **keys: Any) -> dict[str, Any]:
    return {**a_round(name, {}), "players": [{"id": "a", "stays": [], **keys}]}


def balanced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], match: dict[str, Any], *options: str
) -> dict[str, Any]:
    history = round_file(tmp_path, "history.jsonl", a_history())
    return printed(capsys, "balance", round_file(tmp_path, "next.jsonl", [match]), "--rounds", history, *options)


def worth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, tuple[float, float]]:
    """s + o and s − o of everybody after the history."""
    history = round_file(tmp_path, "history.jsonl", a_history())
    players = printed(capsys, "rate", history, "--system", "ns2")["players"]
    return {name: (of["skill"] + of["offset"], of["skill"] - of["offset"]) for name, of in players.items()}


def test_the_teams_are_even_and_the_swaps_lead_to_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = balanced(tmp_path, capsys, a_round("next", UNEVEN))
    assert answer["system"] == "ns2"
    teams = {"marines": set("abcd"), "aliens": set("efgh")}
    for one, other in answer["swaps"]:
        teams["marines"] ^= {one, other}
        teams["aliens"] ^= {one, other}
    assert answer["swaps"]
    assert {team: set(players) for team, players in answer["teams"].items()} == teams
    assert answer["moved"] == []


def test_the_difference_is_of_per_team_skills_and_the_chances_are_the_systems(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    on = worth(tmp_path, capsys)
    assert any(first != second for first, second in on.values())
    answer = balanced(tmp_path, capsys, a_round("next", UNEVEN))

    def difference(marines: str | list[str]) -> float:
        return sum(first if player in marines else -second for player, (first, second) in on.items())

    assert answer["difference"] == pytest.approx(difference(answer["teams"]["marines"]), abs=1e-12)
    assert answer["before"] == pytest.approx(1 / (1 + math.exp(-difference("abcd") / 8)), abs=1e-12)
    assert answer["after"] == pytest.approx(1 / (1 + math.exp(-answer["difference"] / 8)), abs=1e-12)
    assert abs(answer["after"] - 0.5) < abs(answer["before"] - 0.5)


@pytest.mark.parametrize("system", RATING_SYSTEMS)
def test_every_system_balances(tmp_path: Path, capsys: pytest.CaptureFixture[str], system: str) -> None:
    answer = balanced(tmp_path, capsys, a_round("next", UNEVEN), "--system", system)
    assert [len(players) for players in answer["teams"].values()] == [4, 4]
    assert abs(answer["after"] - 0.5) <= abs(answer["before"] - 0.5)


def test_who_has_no_stays_is_placed_and_left_out_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    standing = {player: team for player, team in UNEVEN.items() if player not in "gh"}
    with_them = balanced(tmp_path, capsys, a_round("next", {**standing, "g": None, "h": None}))
    without = balanced(tmp_path, capsys, a_round("next", standing))
    assert with_them["before"] == without["before"]
    assert sorted(player for team in with_them["teams"].values() for player in team) == sorted(UNEVEN)
    assert [len(team) for team in with_them["teams"].values()] == [4, 4]
    assert balanced(tmp_path, capsys, a_round("next", dict.fromkeys("abcdef")))["before"] is None


def test_commanders_and_the_locked_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    swapped = balanced(tmp_path, capsys, a_round("next", UNEVEN))["swaps"][0]
    held = a_round("next", UNEVEN)
    for player in held["players"]:
        if player["id"] == swapped[0]:
            player["commanding"] = [stay("marines", 5, 50)]
        if player["id"] == swapped[1]:
            player["locked"] = True
    teams = balanced(tmp_path, capsys, held)["teams"]
    assert swapped[0] in teams["marines"]
    assert swapped[1] in teams["aliens"]


def test_wishes_are_heard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = a_round("next", dict.fromkeys("uvwx"))
    match["players"][0] |= {"prefers": "aliens", "friends": ["x", "someone else"]}
    assert printed(capsys, "balance", round_file(tmp_path, "next.jsonl", [match]))["teams"]["aliens"] == ["u", "x"]


def test_a_large_team_gives_one_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = balanced(tmp_path, capsys, a_round("next", {**UNEVEN, "e": "marines"}))
    assert [len(team) for team in answer["teams"].values()] == [4, 4]
    assert len(answer["moved"]) == 1
    assert answer["moved"][0] in "abcde"


def test_without_a_history_sizes_are_all_there_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = printed(capsys, "balance", round_file(tmp_path, "next.jsonl", [a_round("next", UNEVEN)]))
    assert answer["teams"] == {"marines": list("abcd"), "aliens": list("efgh")}
    assert answer["swaps"] == []
    assert answer["before"] == answer["after"] == 0.5


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        ([], "next.jsonl: has no round"),
        ([a_round("one", UNEVEN), a_round("two", UNEVEN)], "next.jsonl:2: one round is balanced at a time"),
        ([a_round("r3", UNEVEN)], "next.jsonl:1: id: has been played"),
        ([a_round("three", {}, teams=["a", "b", "c"])], "next.jsonl:1: teams: a balance is of two, not 3"),
        (
            [one_player("wish", prefers="bots")],
            "next.jsonl:1: players[0].prefers: 'bots' is none of the",
        ),
        (
            [{**one_player("played", prefers="x"), "winner": None, "duration": 9}],
            "next.jsonl:1: players[0].prefers: 'x' is none of the",
        ),
        ([one_player("type", locked=1)], "next.jsonl:1: players[0].locked: "),
    ],
)
def test_what_cannot_be_balanced_is_refused_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rounds: list[dict[str, Any]], said: str
) -> None:
    history = round_file(tmp_path, "history.jsonl", a_history())
    assert said in refusal(capsys, "balance", round_file(tmp_path, "next.jsonl", rounds), "--rounds", history)
