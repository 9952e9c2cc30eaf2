"""Stored rounds: each once, files imported whole or not at all."""

import sqlite3
import subprocess
import sys
import zlib
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from round_objects import build_round_object, number_lines

from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_reader import stream_objects
from browser_app.rounds.round_source import RoundFileSource
from browser_app.storage.database import DATABASE_FILE_NAME, Database, open_database
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.storage_errors import StorageError

pytestmark = pytest.mark.slow


def test_second_import_is_no_change(store: RoundStore) -> None:
    rounds = number_lines(build_round_object("r1", 1), build_round_object("r0", 0))
    assert store.add_file("/a", "rounds", rounds)[:2] == (2, 2)
    before = store.read_state_stamp("ns2"), store.load_rounds("ns2").record.ids
    assert store.add_file("/a", "rounds", rounds)[:2] == (2, 0)
    assert (store.read_state_stamp("ns2"), store.load_rounds("ns2").record.ids) == before == ("2-2", ["r0", "r1"])
    ((file, form, count, read_at),) = store.load_files()
    assert (file, form, count) == ("/a", "rounds", 2)
    assert read_at > 0


def test_other_id_is_recognised(store: RoundStore) -> None:
    store.add_file("/a", "rounds", number_lines(build_round_object("r1")))
    assert store.add_file(
        "/b", "csv", number_lines(build_round_object("7", server="elsewhere"), build_round_object("8", 1))
    )[:2] == (2, 1)
    assert store.load_rounds("ns2").record.ids == ["r1", "8"]
    assert {each.file: each.rounds for each in store.load_files()} == {"/a": 1, "/b": 2}


def test_equal_ids_become_unique(store: RoundStore) -> None:
    store.add_file("/a", "rounds", number_lines(build_round_object("r1")))
    store.add_file("/b", "rounds", number_lines(build_round_object("r1", 1, mod="kept")))
    store.add_file("/c", "rounds", number_lines(build_round_object("r1", 2, game="xonotic")))
    first, second = store.load_rounds("ns2").record.ids
    assert first == "r1"
    assert second.startswith("r1#")
    assert store.load_rounds("xonotic").record.ids != ["r1"]
    assert store.add_file("/d", "rounds", number_lines(build_round_object("r1", 1)))[:2] == (1, 0)
    assert store.add_file("/e", "rounds", number_lines(build_round_object(second, 3)))[:2] == (1, 1)
    assert len(set(store.load_rounds("ns2").record.ids)) == 3


def test_equal_rounds_are_kept(store: RoundStore) -> None:
    series = number_lines(build_round_object("first"), build_round_object("second"), build_round_object("third", 1))
    assert store.add_file("/a", "rounds", series)[:2] == (3, 3)
    assert store.add_file("/b", "rounds", series)[:2] == (3, 0)
    assert store.add_file("/c", "rounds", number_lines(build_round_object("alone")))[:2] == (1, 0)
    assert store.load_rounds("ns2").record.ids == ["first", "second", "third"]


@pytest.mark.parametrize(
    ("teams", "shown_teams"),
    [(["re\u202ed", "b\x1b[1mlue"], ("red", "b [1mlue")), (["red", "r\u202eed"], ("red", "r\u202eed"))],
)
def test_texts_of_others_are_plain(store: RoundStore, teams: list[str], shown_teams: tuple[str, ...]) -> None:
    stays = [[{"team": team, "enter": 0, "leave": 600}] for team in teams]
    players = [{"id": "a\u202e", "name": "A\x1b]0;x\x07", "stays": stays[0]}, {"id": "b", "stays": stays[1]}]
    texts = {"map": "ma\u202ep", "mode": "mo\x9bde", "server": "ser\u2066ver", "teams": teams, "winner": teams[0]}
    line = build_round_object("r1") | texts | {"players": players}
    store.add_file("/a", "rounds", number_lines(line))
    stored = store.load_rounds("ns2")
    record = stored.record
    assert (record.maps, record.modes, stored.servers) == (("map",), ("mo de",), ("server",))
    assert set(record.team_names) == set(shown_teams)
    assert dict(zip(record.player_ids, record.player_names, strict=True)) == {"a\u202e": "A ]0;x ", "b": None}


def test_invalid_file_is_rejected(store: RoundStore, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    good = '{"id": "%d", "teams": ["a", "b"], "winner": "a", "started": "2021-01-01", "duration": 60, "players": []}\n'
    bad.write_text("".join(good % number for number in range(600)) + (good % 7))
    with pytest.raises(RoundFileError, match=r"bad\.jsonl:601: id: is also the id of .*bad\.jsonl:8"):
        store.add_file(str(bad), "rounds", stream_objects(RoundFileSource(str(bad))))
    assert store.count_rounds() == {}
    assert store.load_files() == []


def test_full_disk_changes_nothing(store: RoundStore, database: Database) -> None:
    store.add_file("/a", "rounds", number_lines(build_round_object("r1")))
    (pages,) = database.write(lambda connection: connection.execute("PRAGMA page_count").fetchone()).result()
    database.write(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages}").fetchone()).result()
    with pytest.raises(StorageError, match="disk is full"):
        store.add_file("/b", "rounds", number_lines(*(build_round_object(f"s{hour}", hour) for hour in range(1, 700))))
    assert store.count_rounds() == {"ns2": 1}
    assert [each.file for each in store.load_files()] == ["/a"]


def test_round_goes_with_last_file(store: RoundStore) -> None:
    store.add_file("/a", "rounds", number_lines(build_round_object("r1"), build_round_object("r2", 1)))
    store.add_file("/b", "rounds", number_lines(build_round_object("r2", 1), build_round_object("r3", 2)))
    stamps = {store.read_state_stamp("ns2")}
    for file, left in (("/a", ["r2", "r3"]), ("/nowhere", ["r2", "r3"]), ("/b", [])):
        store.remove_file(file).result()
        assert store.load_rounds("ns2").record.ids == left
        stamps.add(store.read_state_stamp("ns2"))
    assert store.load_files() == []
    store.add_file("/a", "rounds", number_lines(build_round_object("r1"), build_round_object("r2", 1)))
    assert store.read_state_stamp("ns2") not in stamps
    assert len(stamps) == 3


def test_rounds_load_in_order(store: RoundStore) -> None:
    rounds = [
        build_round_object("late", 9, server="A", approximate=True),
        build_round_object("early", 2),
        build_round_object("between", 5, server="B"),
    ]
    store.add_file("/a", "rounds", number_lines(*rounds, build_round_object("none", 0, game=None)))
    stored_rounds = store.load_rounds("ns2")
    assert stored_rounds.record.ids == ["early", "between", "late"]
    assert stored_rounds.servers == (None, "B", "A")
    assert stored_rounds.is_approximate.tolist() == [False, False, True]
    assert store.count_rounds() == {"ns2": 3, "": 1}
    assert store.load_rounds("").record.ids == ["none"]
    nothing = store.load_rounds("nothing")
    assert (len(nothing.record), nothing.servers, nothing.is_approximate.tolist()) == (0, (), [])


def test_own_ids_are_merged(store: RoundStore) -> None:
    store.add_file(
        "/a",
        "rounds",
        number_lines(
            build_round_object("new", 0, ("me", "bob")),
            build_round_object("old", 1, ("bob", "once")),
            build_round_object("twice", 2, ("once", "twice")),
            build_round_object("both", 3, ("me", "twice")),
        ),
    )
    record = store.load_rounds("ns2", ("me", "once", "twice")).record
    assert [record.players(k) for k in range(4)] == [("me", "bob"), ("bob", "me"), ("once", "twice"), ("me", "twice")]
    assert store.load_rounds("ns2", ("me",)).record.players(1) == ("bob", "once")
    strangers = store.load_rounds("ns2", ("nowhere", "once", "unheard of")).record
    assert [strangers.players(k) for k in (1, 2)] == [("bob", "nowhere"), ("nowhere", "twice")]


def test_all_keys_are_stored(store: RoundStore, database: Database) -> None:
    stored = build_round_object("r1") | {"build": 344, "players": [{"id": "ann", "assists": 3, "stays": []}]}
    store.add_file("/a", "rounds", number_lines(stored))
    (blob,) = database.read(lambda connection: connection.execute("SELECT object FROM rounds").fetchone())
    assert msgspec.json.decode(zlib.decompress(blob)) == stored


def test_store_works_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with closing(open_database(tmp_path / "file")) as database:
        store = RoundStore(database)
        assert store.add_file("/a", "rounds", number_lines(build_round_object("r1")))[:2] == (1, 1)
        assert store.load_rounds("ns2").record.ids == ["r1"]


_IMPORTER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from browser_app.storage.database import open_database
from browser_app.storage.own_skill.round_store import RoundStore
from round_objects import number_lines, build_round_object

store = RoundStore(open_database(Path(sys.argv[1])))
for file in range(int(sys.argv[3])):
    rounds = number_lines(*(build_round_object(f"{file} {hour}", hour, (f"p{file}",)) for hour in range(50)))
    print(*store.add_file(f"/{file}", "rounds", rounds)[:2], flush=True)
store._database.close()
"""


def start_importer(folder: Path, files: int) -> "subprocess.Popen[str]":
    """A process that imports several files of fifty rounds and prints each result."""
    words = (sys.executable, "-c", _IMPORTER, str(folder), str(Path(__file__).parents[1]), str(files))
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def test_busy_file_is_awaited(
    store: RoundStore, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.write(lambda connection: connection.execute("PRAGMA busy_timeout = 1").fetchone()).result()
    with closing(sqlite3.connect(tmp_path / DATABASE_FILE_NAME, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        database.on_problem = lambda error: other.rollback() if error else None
        assert store.add_file("/a", "rounds", number_lines(build_round_object("r1")))[:2] == (1, 1)
        assert database.problem is None
        other.execute("BEGIN IMMEDIATE")
        database.on_problem = lambda error: None
        monkeypatch.setattr("browser_app.storage.own_skill.round_store._BUSY_TIMEOUT_S", 0.05)
        with pytest.raises(StorageError, match="in use by another program"):
            store.add_file("/b", "rounds", number_lines(build_round_object("r2", 1)))


@pytest.mark.posix
def test_kill_9_leaves_whole_files(tmp_path: Path) -> None:
    with start_importer(tmp_path, 100_000) as process:
        assert process.stdout is not None
        done = sum(1 for _, line in zip(range(8), process.stdout, strict=False) if line == "50 50\n")
        process.kill()
    with closing(open_database(tmp_path)) as database:
        assert database.notice is None
        store = RoundStore(database)
        files = store.load_files()
        assert len(files) >= done == 8
        assert all(each.rounds == 50 for each in files)
        assert len(store.load_rounds("ns2").record) == 50 * len(files)


def test_simultaneous_imports_store_rounds_once(tmp_path: Path) -> None:
    open_database(tmp_path).close()
    with start_importer(tmp_path, 20) as one, start_importer(tmp_path, 20) as other:
        counts = [line.split() for process in (one, other) for line in process.communicate()[0].splitlines()]
    assert one.returncode == other.returncode == 0
    assert sum(int(new) for _, new in counts) == 20 * 50
    with closing(open_database(tmp_path)) as database:
        assert len(RoundStore(database).load_rounds("ns2").record) == 20 * 50
