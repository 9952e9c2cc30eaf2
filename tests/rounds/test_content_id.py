"""Content id: equal for reports of one round, otherwise different."""

import copy
import csv
import gzip
import json
import os
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from round_file_helpers import ROUND, build_round, write_rounds

from browser_app.rounds.round_file import convert_round
from browser_app.rounds.round_identity import CONTENT_ID_BYTES, compute_content_id
from browser_app.rounds.round_reader import stream_objects
from browser_app.rounds.round_source import UNDATED, RoundFileSource

pytestmark = pytest.mark.slow

SECONDS = st.integers(0, 600) | st.floats(0, 600).map(lambda value: round(value, 3))
COUNTS = st.none() | st.integers(-5, 50) | st.floats(-5, 50)


@st.composite
def rounds(draw: st.DrawFn) -> dict[str, Any]:
    teams = draw(st.lists(st.sampled_from(["marines", "aliens", "red", "blue"]), min_size=2, max_size=3, unique=True))
    ids = draw(st.lists(st.text("abcdef", min_size=1, max_size=3), max_size=4, unique=True))

    def draw_stints() -> list[dict[str, Any]]:
        times = draw(st.lists(st.tuples(SECONDS, SECONDS, st.sampled_from(teams)), max_size=2))
        return [{"team": team, "enter": min(a, b), "leave": max(a, b)} for a, b, team in times]

    outcomes: list[dict[str, str | None]] = [{}, {"winner": None}, {"winner": teams[0]}, {"winner": teams[1]}]
    return {
        "id": draw(st.text(max_size=5)),
        "game": "ns2",
        "map": draw(st.sampled_from(["veil", "tram"])),
        "mode": draw(st.sampled_from(["ns2", "siege"])),
        "started": draw(
            st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)).map(lambda time: f"{time.isoformat()}Z")
        ),
        "duration": draw(st.integers(1, 900)),
        "teams": teams,
        **draw(st.sampled_from(outcomes)),
        "players": [
            {"id": name, "kills": draw(COUNTS), "squad": draw(st.sampled_from([None, 1, 2])), "stays": draw_stints()}
            | {"commanding": draw_stints(), "quit": draw(st.sampled_from([None, False, True])), "ping": draw(COUNTS)}
            for name in ids
        ],
    }


def compute_id(round_object: dict[str, Any]) -> bytes:
    return compute_content_id(convert_round(round_object), is_undated=round_object.get(UNDATED) is True)


def draw_respelling(value: Any, draw: Callable[[st.SearchStrategy[Any]], Any]) -> Any:
    """Return an equal round, spelled differently.

    The order of keys, unknown keys and spellings of numbers are others.
    """
    match value:
        case dict():
            items = draw(st.permutations([(key, draw_respelling(each, draw)) for key, each in value.items()]))
            return {**({"said by": "somebody"} if draw(st.booleans()) else {}), **dict(items)}
        case list():
            return [draw_respelling(each, draw) for each in value]
        case int() if not isinstance(value, bool) and draw(st.booleans()):
            return float(value)
        case _:
            return value


@settings(max_examples=50)
@given(rounds(), st.data())
def test_spelling_does_not_change_id(round_object: dict[str, Any], data: st.DataObject) -> None:
    squad = {1: "b", 2: "a", None: None}
    again: dict[str, Any] = draw_respelling(copy.deepcopy(round_object), data.draw)
    again |= {"id": "another", "started": round_object["started"].replace("Z", "+00:00"), "server": "somewhere"}
    again["teams"] = data.draw(st.permutations(round_object["teams"]))
    again["players"] = data.draw(st.permutations(again["players"]))
    for player in again["players"]:
        player |= {"name": "somebody else", "squad": squad[player["squad"]], "locked": True}
        player["stays"] = [*player["stays"], {"team": round_object["teams"][0], "enter": 7, "leave": 7}]
    through_json = msgspec.json.decode(json.dumps(again), type=dict[str, Any])
    assert compute_id(through_json) == compute_id(round_object)
    assert len(compute_id(round_object)) == CONTENT_ID_BYTES


OTHERS = {
    "game": "xonotic",
    "map": "tanith",
    "mode": "combat",
    "started": "2024-05-01T20:00:00.001Z",
    "duration": 600.5,
    "teams": ["marines", "onos"],
    "winner": "marines",
    "races": {"marines": "alien"},
    "players": [],
}
PLAYERS_OTHERS = {
    "id": "eve",
    "kills": 4,
    "deaths": 0,
    "score": 0.25,
    "ping": 31,
    "quit": True,
    "ranked": False,
    "skill": 0,
    "commander_adagrad_sum": 0.5,
    "stays": [{"team": "aliens", "enter": 0, "leave": 599}],
    "commanding": [{"team": "aliens", "enter": 0, "leave": 1}],
}


@pytest.mark.parametrize("key", OTHERS)
def test_other_round_has_other_id(key: str) -> None:
    of_nobody = {"players": [], "winner": "marines"} if key == "teams" else {}
    assert compute_id(build_round(**of_nobody | {key: OTHERS[key]})) != compute_id(build_round(**of_nobody))


def test_other_outcome_has_other_id() -> None:
    outcomes: list[dict[str, Any]] = [
        {"winner": None},
        {"winner": ...},
        {"winner": ..., "ranks": {"marines": 1, "aliens": 2}},
    ]
    assert len({compute_id(build_round(**outcome)) for outcome in ({}, *outcomes)}) == 4
    assert compute_id(build_round(winner=..., ranks={"aliens": 3, "marines": 9})) == compute_id(ROUND)


@pytest.mark.parametrize("key", PLAYERS_OTHERS)
def test_other_player_data_has_other_id(key: str) -> None:
    ann, bob = ROUND["players"]
    assert compute_id(build_round(players=[ann, bob | {key: PLAYERS_OTHERS[key]}])) != compute_id(ROUND)


def test_squads_count_but_not_their_names() -> None:
    def squads(*names: str | int | None) -> dict[str, Any]:
        return build_round(players=[{"id": str(number), "squad": name} for number, name in enumerate(names)])

    assert compute_id(squads("x", "x", "y")) == compute_id(squads(2, 2, 1))
    assert compute_id(squads("x", "x", None)) == compute_id(squads("y", "y", ""))
    assert compute_id(squads("x", "x", "y")) != compute_id(squads("x", "y", "y"))


def test_times_after_end_are_ignored() -> None:
    def build_leaver(at: float) -> dict[str, Any]:
        return build_round(players=[{"id": "bob", "stays": [{"team": "aliens", "enter": 0, "leave": at}]}])

    assert compute_id(build_leaver(600.4)) == compute_id(build_leaver(600))
    assert compute_id(build_leaver(599.9)) != compute_id(build_leaver(600))


def test_undated_round_uses_its_id() -> None:
    guess = build_round(undated=True)
    assert compute_id(guess) == compute_id(guess | {"started": "2020-01-01T00:00:00Z"})
    assert compute_id(guess) != compute_id(guess | {"id": "r2"})
    assert compute_id(guess) != compute_id(ROUND)


def test_repeated_round_has_its_own_id() -> None:
    round_ = convert_round(ROUND)
    assert len({compute_content_id(round_, repeat_number=number) for number in range(3)}) == 3
    assert compute_content_id(round_, repeat_number=0) == compute_content_id(round_)


def test_same_id_from_csv_and_gzip(tmp_path: Path) -> None:
    stay = {"team": "aliens", "enter": 0, "leave": 600}
    round_object = build_round(
        winner="marines",
        players=[{"id": "bob", "stays": [stay]}, {"id": "ann", "kills": 3, "stays": [stay | {"team": "marines"}]}],
    )
    packed = tmp_path / "rounds.gz"
    packed.write_bytes(gzip.compress(Path(write_rounds(tmp_path, round_object)).read_bytes()))
    columns = ("id", "game", "map", "mode", "started", "duration", "winner", "player", "team", "kills")
    with (tmp_path / "rounds.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(columns)
        for player, team, kills in (("bob", "aliens", ""), ("ann", "marines", "3.0")):
            start = "2024-05-01T22:00:00+02:00"
            table.writerow(("7", "ns2", "ns2_summit", "ns2", start, "600.0", "marines", player, team, kills))
    for path in (packed, tmp_path / "rounds.csv"):
        ((_, round_object),) = stream_objects(RoundFileSource(str(path)))
        assert compute_id(round_object) == compute_id(round_object)


@pytest.mark.parametrize("folder", ["ns2plus", "xonstat"])
def test_file_time_does_not_change_id(tmp_path: Path, data_dir: Path, folder: str) -> None:
    ids = set()
    originals = sorted((data_dir / folder).iterdir())
    for original in originals:
        copied = tmp_path / original.name
        shutil.copyfile(original, copied)
        os.utime(copied, (1e9, 1e9))
        (first,), (again,) = (
            [compute_id(each) for _, each in stream_objects(RoundFileSource(str(p)))] for p in (original, copied)
        )
        assert first == again
        ids.add(first)
    assert len(ids) == len(originals)


_FIGURES = (
    *("timePlayed", "timeBuilding", "commanderTime", "kills", "assists", "deaths", "killstreak", "hits", "onosHits"),
    *("misses", "pdmg", "sdmg", "score"),
)


def test_ns2plus_and_wonitor_have_same_id(tmp_path: Path, data_dir: Path) -> None:
    for file in sorted((data_dir / "ns2plus").iterdir())[:5]:
        document = json.loads(file.read_bytes())
        for player in document["PlayerStats"].values():
            player |= {team: [player[team].get(key, 0) for key in _FIGURES] for team in ("1", "2") if team in player}
        post = tmp_path / "posts.txt"
        post.write_text(urlencode({"messageType": "NS2PlusStats", "data": json.dumps(document)}) + "\n")
        ((_, saved),), ((_, posted),) = (list(stream_objects(RoundFileSource(str(path)))) for path in (file, post))
        assert compute_id(saved) == compute_id(posted)
