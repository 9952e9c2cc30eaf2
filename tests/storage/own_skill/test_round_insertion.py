"""Several reports of one round become one round with the most complete content."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from round_objects import build_round_object, number_lines

from browser_app.rounds.round_reader import stream_objects
from browser_app.rounds.round_source import RoundFileSource
from browser_app.storage.own_skill.round_store import RoundStore

ENDED = 1_700_000_900
PLAYERS = ("11", "12", "13", "14", "15", "16")


def build_counts(index: int) -> dict[str, int]:
    return {"kills": 3 + index, "deaths": 2 * index, "assists": 1, "score": 10 * index}


def write_ns2plus(folder: Path, winner: int = 1, player_ids: tuple[str, ...] = PLAYERS) -> Path:
    """NS2+ file of a round of fifteen minutes."""
    players = {
        name: {"playerName": f"p{name}", "lastTeam": 1 + index % 2}
        | {str(1 + index % 2): {"timePlayed": 900.0 - 60 * index, **build_counts(index)}}
        for index, name in enumerate(player_ids)
    }
    info = {"roundDate": ENDED, "roundLength": 900.4, "mapName": "ns2_veil", "winningTeam": winner}
    server = {"name": "Third Hive", "ip": "192.0.2.1", "port": 27015}
    file = folder / f"{ENDED}.json"
    file.write_text(json.dumps({"RoundInfo": info, "ServerInfo": server, "PlayerStats": players}))
    return file


def write_match_end(folder: Path, written: float = ENDED + 1, name: str = "Third Hive") -> Path:
    """Return the match-end post of the same round.

    Each player joined a minute after the previous one.
    """
    players = [
        {"steamId": int(name), "nickname": f"p{name}", "teamNumber": 1 + index % 2, **build_counts(index)}
        | {
            f"debug_{('marine', 'alien')[index % 2]}EntranceTimes": [60.0 * index],
            f"debug_{('marine', 'alien')[index % 2]}ExitTimes": [],
        }
        for index, name in enumerate(PLAYERS)
    ]
    file = folder / "end.json"
    file.write_text(
        json.dumps({"mapName": "ns2_veil", "gameTime": 900.0, "winner": 1, "name": name, "players": players})
    )
    os.utime(file, (written, written))
    return file


def add_file(store: RoundStore, file: Path, form: str) -> tuple[int, int, int, set[str]]:
    added = store.add_file(str(file), form, stream_objects(RoundFileSource(str(file)), form))
    return added.rounds, added.new, added.improved, set(added.new_details)


def list_stint_starts(store: RoundStore) -> list[float]:
    return sorted(store.load_rounds("ns2").record.stays.enter.tolist())


def test_post_and_ns2plus_file_are_one_round(store: RoundStore, tmp_path: Path) -> None:
    file, post = write_ns2plus(tmp_path), write_match_end(tmp_path)
    assert add_file(store, file, "ns2plus") == (1, 1, 0, set())
    assert list_stint_starts(store) == [0.0] * 6
    assert add_file(store, post, "ns2-match-end") == (1, 0, 1, {"times"})
    stored_rounds = store.load_rounds("ns2")
    assert store.count_rounds() == {"ns2": 1}
    assert list_stint_starts(store) == [0.0, 60.0, 120.0, 180.0, 240.0, 300.0]
    assert stored_rounds.record.started.tolist() == [ENDED - 900.4], "the date is still that of the file that has one"
    assert stored_rounds.is_approximate.tolist() == [False]
    before = store.read_state_stamp("ns2")
    assert add_file(store, post, "ns2-match-end") == add_file(store, file, "ns2plus") == (1, 0, 0, set())
    assert store.read_state_stamp("ns2") == before


def test_skills_of_superseded_report_are_kept(store: RoundStore, tmp_path: Path) -> None:
    """The post knows when players joined, the file of NS2+ how good they are."""
    file, post = write_ns2plus(tmp_path), write_match_end(tmp_path)
    content = json.loads(file.read_bytes())
    content["PlayerStats"][PLAYERS[0]] |= {"hiveSkill": 1407, "adagrad": 0.25}
    file.write_text(json.dumps(content))
    add_file(store, post, "ns2-match-end")
    assert add_file(store, file, "ns2plus") == (1, 0, 1, {"date", "skills"})
    record, exported = store.load_rounds("ns2").record, list[dict[str, Any]]()
    store.export_rounds(exported.append)
    assert record.players(0)[0] == PLAYERS[0]
    assert (record.skill[0], record.adagrad_sum[0], record.stays.enter[1]) == (1407.0, 0.25, 60.0)
    assert np.isnan(record.skill[1:]).all()
    assert [player.get("skill") for player in exported[0]["players"]][:2] == [1407.0, None]
    store.remove_file(str(file)).result()
    assert np.isnan(store.load_rounds("ns2").record.skill).all()


def test_later_report_adds_date(store: RoundStore, tmp_path: Path) -> None:
    add_file(store, write_match_end(tmp_path, ENDED + 40_000_000), "ns2-match-end")
    assert add_file(store, write_ns2plus(tmp_path), "ns2plus") == (1, 0, 1, {"date"})
    stored_rounds = store.load_rounds("ns2")
    assert (stored_rounds.record.started.tolist(), stored_rounds.is_approximate.tolist()) == ([ENDED - 900.4], [False])
    assert stored_rounds.servers == ("Third Hive",)


@pytest.mark.parametrize("removed", ["ns2plus", "ns2-match-end"])
def test_removal_keeps_other_report(store: RoundStore, tmp_path: Path, removed: str) -> None:
    files = {"ns2plus": write_ns2plus(tmp_path), "ns2-match-end": write_match_end(tmp_path)}
    alone = {}
    for form, file in files.items():
        add_file(store, file, form)
        stored_rounds = store.load_rounds("ns2")
        alone[form] = (
            stored_rounds.record.ids,
            stored_rounds.record.started.tolist(),
            list_stint_starts(store),
            stored_rounds.is_approximate.tolist(),
        )
        store.remove_file(str(file)).result()
    for form, file in files.items():
        add_file(store, file, form)
    store.remove_file(str(files[removed])).result()
    (remaining,) = files.keys() - {removed}
    stored_rounds = store.load_rounds("ns2")
    assert (
        stored_rounds.record.ids,
        stored_rounds.record.started.tolist(),
        list_stint_starts(store),
        stored_rounds.is_approximate.tolist(),
    ) == alone[remaining]
    store.remove_file(str(files[remaining])).result()
    assert store.count_rounds() == {}


def test_removal_in_any_order(store: RoundStore, tmp_path: Path) -> None:
    """The round stays under one id of its own until its last report is removed."""
    plan = build_round_object("x", map="ns2_veil", players=PLAYERS, mode="ns2", server="Third Hive")
    del plan["winner"], plan["duration"]
    plan["started"] = "2023-11-14T22:13:20Z"
    plan["id"] = f"ns2 192.0.2.1:27015 {ENDED}"
    store.add_file("/plan", "rounds", number_lines(plan))
    assert add_file(store, write_ns2plus(tmp_path), "ns2plus")[1:] == (0, 1, {"outcome"})
    assert add_file(store, write_match_end(tmp_path), "ns2-match-end")[1:] == (0, 1, {"times"})
    for file in (str(tmp_path / f"{ENDED}.json"), str(tmp_path / "end.json")):
        assert len(store.load_rounds("ns2").record) == 1
        store.remove_file(file).result()
    assert store.load_rounds("ns2").record.ids == [plan["id"]]
    store.remove_file("/plan").result()
    assert store.count_rounds() == {}


def test_different_stay_separate(store: RoundStore, tmp_path: Path) -> None:
    """Another winner, other players, another server, or no date and another length."""
    add_file(store, write_match_end(tmp_path, name="Elsewhere"), "ns2-match-end")
    for folder in ("winner", "other_players"):
        (tmp_path / folder).mkdir()
    assert add_file(store, write_ns2plus(tmp_path), "ns2plus")[1] == 1
    assert add_file(store, write_ns2plus(tmp_path / "winner", winner=2), "ns2plus")[1] == 1
    assert (
        add_file(store, write_ns2plus(tmp_path / "other_players", player_ids=("21", "22", *PLAYERS[2:])), "ns2plus")[1]
        == 1
    )
    assert store.count_rounds() == {"ns2": 4}


def test_finished_replaces_upcoming(store: RoundStore) -> None:
    plan = build_round_object("final", 3)
    del plan["winner"], plan["duration"]
    plan["players"] = [{"id": name} for name in ("ann", "bob")]
    store.add_file("/plan", "rounds", number_lines(plan, build_round_object("other", 9)))
    added = store.add_file("/results", "rounds", number_lines(build_round_object("final", 4, ("bob", "ann"))))
    assert (added.rounds, added.new, added.improved, set(added.new_details)) == (1, 0, 1, {"outcome"})
    record = store.load_rounds("ns2").record
    assert record.ids == ["final", "other"]
    assert [record.players(k) for k in range(2)] == [("bob", "ann"), ("ann", "bob")]
    assert store.add_file("/plan", "rounds", number_lines(plan, build_round_object("other", 9)))[:3] == (2, 0, 0)
    assert store.count_rounds() == {"ns2": 2}
    store.remove_file("/results").result()
    assert store.load_rounds("ns2").record.ids == ["final", "other"]


def test_complete_replaces_partial(store: RoundStore) -> None:
    cut = build_round_object("cut", 1, ("ann", "bob"), duration=300.0, map="veil")
    del cut["winner"]
    for player in cut["players"]:
        player["stays"][0]["leave"] = 300
    whole = build_round_object("whole", 1, ("ann", "bob", "cid"), map="veil")
    store.add_file("/whole", "rounds", number_lines(whole))
    assert store.add_file("/cut", "rounds", number_lines(cut))[:3] == (1, 0, 0)
    assert store.load_rounds("ns2").record.ids == ["whole"]
    store.add_file("/far", "rounds", number_lines(build_round_object("plan", 30, map="veil")))
    assert len(store.load_rounds("ns2").record) == 2


def test_unfinished_reports_become_one_round(store: RoundStore) -> None:
    """The longest is kept, until a finished one comes."""
    early, late, end = (
        build_round_object(name, players=("ann", "bob", "cid", "dot"), map="veil", duration=length, winner=winner)
        for name, length, winner in (("a", 200.0, ""), ("b", 400.0, ""), ("c", 600.0, "aliens"))
    )
    for each in (early, late):
        del each["winner"]
        for player in each["players"]:
            player["stays"][0]["leave"] = each["duration"]
    added = [
        store.add_file(f"/{number}", "rounds", number_lines(each)).new for number, each in enumerate((late, early, end))
    ]
    assert added == [1, 0, 0]
    record = store.load_rounds("ns2").record
    assert (len(record), record.duration.tolist(), record.finished.tolist()) == (1, [600.0], [True])
    store.remove_file("/2").result()
    assert store.load_rounds("ns2").record.duration.tolist() == [400.0]


def test_similar_rounds_of_one_file_stay_separate(store: RoundStore) -> None:
    """A hand-made series with counts in only some of the rounds."""
    series = [build_round_object(name, map="veil") for name in ("1", "2", "3")]
    counted = [build_round_object(name, map="veil") for name in ("1", "2", "3")]
    for each in counted:
        each["players"][0]["kills"] = int(each["id"])
    assert store.add_file("/a", "rounds", number_lines(*series))[1] == 3
    assert store.add_file("/b", "rounds", number_lines(*counted))[1] == 3, "the matching round is ambiguous"
    assert store.add_file("/c", "rounds", number_lines(counted[0]))[1] == 0


def test_report_without_players_is_merged(store: RoundStore) -> None:
    empty = build_round_object("post", 1, (), map="veil", server="S")
    full = build_round_object("stats", 1, ("ann", "bob"), map="veil", server="S")
    added = store.add_file("/log", "wonitor", number_lines(empty, full))
    assert (added.new, added.improved, set(added.new_details)) == (1, 1, {"players"})
    assert store.load_rounds("ns2").record.ids == ["stats"]
