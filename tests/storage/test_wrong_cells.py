"""Cells of every wrong type in every column of every table.

Left out, reported, and left in the file.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest
from round_objects import build_round_object, number_lines

from browser_app.protocols.address import Address
from browser_app.storage import database_schema
from browser_app.storage.database import Database
from browser_app.storage.database_file import connect
from browser_app.storage.keyring_store import Secrets, ServerPasswords
from browser_app.storage.own_skill.ratings_cache import RatingsCache
from browser_app.storage.own_skill.round_store import RoundStore, WatchedFolderStore
from browser_app.storage.own_skill.skill_sample_store import IdentityStore, RequestLog, SkillSampleStore
from browser_app.storage.saved_servers import load_servers
from browser_app.storage.server_samples import ServerSampleStore
from browser_app.storage.ui_state import UiState
from browser_app.storage.user_lists.alert_store import AlertStore
from browser_app.storage.user_lists.friend_store import FriendStore
from browser_app.storage.user_lists.pending_server_store import PendingServers
from browser_app.storage.user_lists.saved_filter_store import SavedFilterStore
from browser_app.storage.user_lists.search_alert_store import SearchAlertStore
from browser_app.storage.user_lists.server_list_store import BlockList, FavouriteStore, PendingFavouriteKeys
from browser_app.storage.user_lists.server_text_store import ServerTextStore
from browser_app.storage.user_lists.visit_history_store import VisitHistory

CELLS = ("NULL", "7", "-3", str(2**62), "0.5", "9e999", "'text'", "''", "CAST(x'ff' AS TEXT)", "x'00ff'")
"""Null, numbers, infinity, texts, a text that is not UTF-8 and bytes, as SQL."""

A, B = Address("192.0.2.1", 1), Address("192.0.2.2", 2)
NOW = 1_700_000_000.0
INFO = '{{"game": "ns2", "name": "", "map": "", "connect": ["192.0.2.{}", 1], "players": 1, "bots": 0, '
INFO += '"spectators": null, "max_players": 8}}'
ROWS: Mapping[str, Callable[[int], tuple[object, ...]]] = {
    "saved_servers": lambda n: (f"192.0.2.{n}", n, "a2s", "ns2", 30.5, NOW, INFO.format(n)),
    "favourites": lambda n: (f"192.0.2.{n}", n, "a2s", "ns2", f"key {n}", "name", NOW, "play.example.org"),
    "visits": lambda n: (n, NOW, NOW, f"192.0.2.{n}", n, "a2s", "ns2", "name", "map", 3, 30.5, 0.5, ""),
    "blocked": lambda n: ("address", f"192.0.2.{n}:{n}", NOW),
    "saved_passwords": lambda n: (f"192.0.2.{n}", n, "ns2", "key", f"192.0.2.{n}", n),
    "notes": lambda n: (f"192.0.2.{n}", n, "a note"),
    "corrected_countries": lambda n: (f"192.0.2.{n}", n, "DE"),
    "launch_arguments": lambda n: (f"192.0.2.{n}", n, "-x"),
    "friends": lambda n: ("name", f"player {n}", "friends", NOW),
    "alerts": lambda n: (f"192.0.2.{n}", n, "players", 3, "name", NOW),
    "search_alerts": lambda n: ("player", f"player {n}", NOW),
    "sampled_servers": lambda n: (n, f"192.0.2.{n}", n),
    "samples": lambda n: (300, n, int(NOW) // 300 * 300, 2, 2, 3.5, 3, 4, 0.0, 30.5),
    "ui_state": lambda n: (f"key {n}", "[]"),
    "saved_filters": lambda n: (f"filter {n}", "ping<80", n),
    "identities": lambda n: ("ns2", "steam", f"{n}", NOW),
    "skill_samples": lambda n: (n, "steam", "ns2", f"me {n}", NOW, NOW, "{}"),
    "watched_folders": lambda n: (f"/rounds {n}", NOW),
    "watched_files": lambda n: (f"/rounds/{n}", 3, 4, None),
    "web_queries": lambda n: (n, NOW, "host", "subject", "answer"),
    "ratings_cache": lambda n: (f"key {n}", b"ratings"),
}
"""Two valid rows of each table but those of rounds; of these the first one is damaged."""


def count_saved_servers(database: Database) -> int:
    servers: list[Any] = []
    load_servers(database, servers.extend, now=-1e12)
    return len(servers)


def count_favourites(database: Database) -> int:
    store = FavouriteStore(database)
    assert store.create_matcher()
    return len([str(each.address) for each in store])


def count_visits(database: Database) -> int:
    store = VisitHistory(database)
    assert store.match_recently_left(NOW)
    assert store.last_played()
    assert len(store.load_visits(B)) == 1
    assert len(store.load_visits(A)) <= 1
    return len(store.last_played())


def count_blocked(database: Database) -> int:
    store = BlockList(database)
    assert store.create_matcher()
    return len(list(store))


def count_friends(database: Database) -> int:
    store = FriendStore(database)
    assert store.build_friend_list()
    return len(store)


def count_ui_state(database: Database) -> int:
    state = UiState(database)
    assert not list(PendingServers(state))
    assert not list(PendingFavouriteKeys(state))
    return len(state.keys(""))


def count_sampled_servers(database: Database) -> int:
    store = ServerSampleStore(database)
    servers, rows = store.load_players_by_slot(0, 300)
    hourly = store.load_hourly_players([A, B])
    assert set(rows[:, 0].tolist()) <= set(range(len(servers)))
    assert set(hourly.server.tolist()) <= {0, 1}
    assert len(store.load_series(B).players) == 1
    assert store.find_servers_known_before(NOW) == []
    return len(servers)


def count_stored_rounds(database: Database) -> int:
    store, exported = RoundStore(database), list[Any]()
    assert store.count_rounds()
    assert store.read_state_stamp("ns2")
    assert len(store.load_rounds("ns2", ("ann", "bob")).record) >= 1
    return min(store.export_rounds(exported.append), len(store.load_files()))


LOADERS: Mapping[str, Callable[[Database], int]] = {
    "saved_servers": count_saved_servers,
    "favourites": count_favourites,
    "visits": count_visits,
    "blocked": count_blocked,
    "saved_passwords": lambda database: len(ServerPasswords(database, Secrets()).create_matcher().addresses),
    "notes": lambda database: len(ServerTextStore(database, "notes").all()),
    "corrected_countries": lambda database: len(ServerTextStore(database, "corrected_countries").all()),
    "launch_arguments": lambda database: len(ServerTextStore(database, "launch_arguments").all()),
    "friends": count_friends,
    "alerts": lambda database: len(AlertStore(database)),
    "search_alerts": lambda database: len(SearchAlertStore(database)),
    "sampled_servers": count_sampled_servers,
    "samples": count_sampled_servers,
    "ui_state": count_ui_state,
    "saved_filters": lambda database: len(SavedFilterStore(database)),
    "rounds": count_stored_rounds,
    "round_files": count_stored_rounds,
    "rounds_of_files": count_stored_rounds,
    "ratings_cache": lambda database: sum(RatingsCache(database).get(key) == b"ratings" for key in ("key 1", "key 2")),
    "identities": lambda database: len(IdentityStore(database)),
    "skill_samples": lambda database: len(SkillSampleStore(database).load_latest_samples("steam", "ns2")),
    "watched_folders": lambda database: len(WatchedFolderStore(database)),
    "watched_files": lambda database: len(WatchedFolderStore(database).load_seen_files()),
    "web_queries": lambda database: len(RequestLog(database).load_newest()),
}
UNREPORTED_COLUMNS = {
    "samples": {"span", "server", "time", "queries", "replies", "players", "low", "high", "bots", "ping_ms"},
    "sampled_servers": {"id"},
    "saved_servers": {"last_answer"},
    "ratings_cache": {"key", "value"},
    "rounds": {"game", "superseded_by"},
    "skill_samples": {"source", "game"},
}
"""Columns whose rows may be left out without a message: recorded or computed, or not asked for."""


@pytest.fixture(scope="module")
def content() -> bytes:
    """A database with two rows in each table, whose columns take cells of any type."""
    connection = connect(":memory:")
    for statement in database_schema._TABLES:
        untyped = re.sub(r" (TEXT|REAL|BLOB)\b( NOT NULL)?| INTEGER\b(?! PRIMARY)( NOT NULL)?", "", statement)
        connection.execute(untyped.replace("WITHOUT ROWID", ""))
    connection.execute(f"PRAGMA user_version = {database_schema.SCHEMA_VERSION}")
    database = Database(connection, None)
    for number in (1, 2):
        RoundStore(database).add_file(
            f"/file {number}", "rounds", number_lines(build_round_object(f"r{number}", number))
        )
        for table, row in ROWS.items():
            values = row(number)
            places = ", ".join("?" * len(values))
            database.execute(f"INSERT INTO {table} VALUES ({places})", values).result()  # noqa: S608
    serialized = database.write(lambda connection: connection.serialize()).result()
    database.close()
    return serialized


@contextmanager
def open_damaged_copy(content: bytes, change: str) -> Iterator[Database | None]:
    """Yield a copy with a change, such as a text for a number; None if that fails."""
    connection = connect(":memory:")
    connection.deserialize(content)
    try:
        connection.execute(change)
    except sqlite3.IntegrityError:
        connection.close()
        yield None
        return
    database = Database(connection, None)
    try:
        yield database
    finally:
        database.close()


@pytest.mark.parametrize("table", LOADERS)
def test_every_cell_of(table: str, content: bytes) -> None:
    count_rows, unreported = LOADERS[table], UNREPORTED_COLUMNS.get(table, set())
    with open_damaged_copy(content, "SELECT 1") as database:
        assert database is not None
        assert count_rows(database) == 2
        columns = [row[1] for row in database.fetch_all(f"PRAGMA table_info({table})")]
    for column, cell in product(columns, CELLS):
        change = f"UPDATE {table} SET {column} = {cell} WHERE rowid = (SELECT min(rowid) FROM {table})"  # noqa: S608
        with open_damaged_copy(content, change) as database:
            if database is None:
                continue
            loaded = count_rows(database)
            is_reported = any(f" {table} " in text for text in database.unreadable_texts)
            assert loaded == 2 or (loaded == 1 and (is_reported or column in unreported)), change
            assert database.fetch_all(f"SELECT 1 FROM {table} WHERE {column} IS {cell}"), change  # noqa: S608


def test_rounds_are_imported_beside_damaged_ones(content: bytes) -> None:
    for cell in CELLS:
        change = f"UPDATE rounds SET object = {cell}, content = {cell} WHERE number = 1"  # noqa: S608
        with open_damaged_copy(content, change) as database:
            assert database is not None
            store = RoundStore(database)
            counts = store.add_file(
                "/more", "rounds", number_lines(build_round_object("r1", 1), build_round_object("r2", 2))
            )
            assert counts.rounds == 2
            store.remove_file("/file 1").result()
            assert {each.file for each in store.load_files()} == {"/more", "/file 2"}
            assert len(store.load_rounds("ns2").record) == 2


def test_damaged_samples_are_not_thinned(content: bytes) -> None:
    for column, cell in product(("queries", "replies", "players", "low", "ping_ms"), CELLS):
        with open_damaged_copy(content, f"UPDATE samples SET {column} = {cell} WHERE server = 1") as database:  # noqa: S608
            assert database is not None
            ServerSampleStore(database).thin(NOW + 30 * 86400)
            hours = database.fetch_all("SELECT server FROM samples WHERE span = 3600 ORDER BY server")
            assert hours in ([(1,), (2,)], [(2,)]), (column, cell)
