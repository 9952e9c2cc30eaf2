"""Exported rounds: an import elsewhere gives the same record."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from round_objects import build_round_object, number_lines

from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.storage.database import Database, open_database
from browser_app.storage.own_skill.round_store import RoundStore

NAMES = st.sampled_from(["ann", "bob", "cid", "dora", "eve"])
EXTRA_KEYS = st.fixed_dictionaries(
    {},
    optional={
        "winner": st.sampled_from([None, "aliens"]),
        "duration": st.floats(600, 5000),
        "map": st.sampled_from(["veil", "tram"]),
        "mode": st.sampled_from(["ns2", "siege"]),
        "game": st.sampled_from(["ns2", "xonotic"]),
        "server": st.sampled_from(["one", "two"]),
        "approximate": st.booleans(),
        "undated": st.booleans(),
        "weather": st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3), max_size=2),
    },
)


@st.composite
def round_objects(draw: st.DrawFn) -> dict[str, Any]:
    """Return a round; several have equal ids or describe the same round."""
    players = draw(st.lists(NAMES, min_size=2, unique=True))
    one = build_round_object(
        draw(st.sampled_from(["r1", "r2", "r3"])), draw(st.integers(0, 3)), players, **draw(EXTRA_KEYS)
    )
    counts = st.fixed_dictionaries(
        {}, optional={"kills": st.integers(0, 9), "quit": st.booleans(), "skill": st.integers(0, 3000)}
    )
    return one | {"players": [player | draw(counts) for player in one["players"]]}


def store_files(store: RoundStore, files: list[list[dict[str, Any]]]) -> None:
    for number, rounds in enumerate(files):
        unique = {each["id"]: each for each in rounds}
        store.add_file(f"/{number}", "rounds", number_lines(*unique.values()))


def export_all(store: RoundStore) -> list[dict[str, Any]]:
    """Return the exported rounds as a reader of their JSON sees them."""
    exported: list[dict[str, Any]] = []
    assert store.export_rounds(exported.append) == len(exported)
    return [msgspec.json.decode(msgspec.json.encode(each)) for each in exported]


def compute_ratings(record: RoundRecord) -> list[Any]:
    """Return the ratings of every system."""
    systems = [system(resolve_parameters(system.declared_parameters)) for system in RATING_SYSTEMS.values()]
    runs = [system.new_run(record) for system in systems]
    for run in runs:
        run.update_range(0, len(record))
    return [run.rated_players() for run in runs]


@pytest.mark.slow
@settings(max_examples=20)
@given(files=st.lists(st.lists(round_objects(), max_size=4), min_size=1, max_size=3))
def test_export_keeps_ratings(files: list[list[dict[str, Any]]]) -> None:
    with TemporaryDirectory() as here, TemporaryDirectory() as there:
        databases = [open_database(Path(folder)) for folder in (here, there)]
        try:
            _check_export(RoundStore(databases[0]), RoundStore(databases[1]), files)
        finally:
            for database in databases:
                database.close()


def _check_export(store: RoundStore, copy: RoundStore, files: list[list[dict[str, Any]]]) -> None:
    store_files(store, files)
    copy.add_file("/exported", "rounds", number_lines(*export_all(store)))
    assert copy.count_rounds() == store.count_rounds()
    for game in store.count_rounds():
        one, other = store.load_rounds(game), copy.load_rounds(game)
        assert other.record.ids == one.record.ids
        assert other.servers == one.servers
        assert compute_ratings(other.record) == compute_ratings(one.record)
    assert export_all(copy) == export_all(store)


def test_only_rounds_of_the_game(database: Database) -> None:
    store = RoundStore(database)
    store_files(store, [[build_round_object("r1"), build_round_object("r2", 1, game="xonotic")]])
    exported: list[dict[str, Any]] = []
    store.export_rounds(exported.append, "xonotic")
    assert [each["id"] for each in exported] == ["r2"]


def test_known_date_replaces_guess(database: Database) -> None:
    store = RoundStore(database)
    counts = [{"kills": 5, "deaths": 2}, {"kills": 3, "deaths": 4}]
    dated, guessed = build_round_object("dated", server="elsewhere"), build_round_object("guessed", 5, undated=True)
    for each in (dated, guessed):
        each["players"] = [player | count for player, count in zip(each["players"], counts, strict=True)]
    dated |= {"approximate": True}
    store_files(store, [[guessed], [dated]])
    (exported,) = export_all(store)
    assert exported["started"] == "2021-01-01T00:00:00Z"
    assert exported["id"] == "guessed"
    assert exported["server"] == "elsewhere"
    assert "undated" not in exported
