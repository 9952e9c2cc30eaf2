"""Export and import of all the user's lists, with the lines of problems."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browser_app.catalogue.server_info import QueryTarget
from browser_app.paths import UserPaths
from browser_app.protocols.address import Address
from browser_app.protocols.json_parser import JSONPath, find_line_numbers
from browser_app.storage.user_lists import lists_file, lists_merge, saved_list_servers
from browser_app.storage.user_lists.alert_store import AlertKind, ServerAlert
from browser_app.storage.user_lists.friend_store import Friend, FriendKind
from browser_app.storage.user_lists.lists_file import (
    LISTS_FORMAT,
    MAX_REPORTED_PROBLEMS,
    MAX_SAVED_FILTERS,
    ExportedLists,
    ListsFileError,
    collect_lists,
    encode_lists,
    parse_lists,
)
from browser_app.storage.user_lists.lists_merge import ListMergeCounts, merge_lists
from browser_app.storage.user_lists.saved_list_servers import SavedListServer
from browser_app.storage.user_lists.search_alert_store import SearchAlert, SearchAlertKind
from browser_app.storage.user_lists.server_list_store import BlockEntry, BlockKind, Favourite
from browser_app.storage.user_storage import UserStorage

pytestmark = pytest.mark.slow

A, B = Address("192.0.2.1", 27015), Address("2001:db8::1", 26000)
NAMED = Address("play.example.org", 25565)
HEAD = {"format": LISTS_FORMAT, "version": 1}


def _open_storage(folder: Path) -> UserStorage:
    return UserStorage(UserPaths(folder / "settings", folder / "data", folder / "cache"))


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[UserStorage]:
    with _open_storage(tmp_path / "mine") as storage:
        yield storage


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[UserStorage]:
    with _open_storage(tmp_path / "other") as storage:
        yield storage


def _fill(storage: UserStorage) -> None:
    storage.favourites.add(Favourite(A, 'Ours "★"', 2.5, "a2s", "ns2", "steam:1"))
    storage.favourites.add(Favourite(B, "", 3.0, host_name="play.example.org"))
    storage.favourite_keys.add(["d0pk:far"])
    storage.notes.set(A, "two\nlines")
    storage.corrected_countries.set(A, "DE")
    storage.blocked.add(BlockKind.ADDRESS, str(B), 1.0)
    storage.blocked.add(BlockKind.NETWORK, "192.0.2.0/24", 2.0)
    storage.blocked.add(BlockKind.NAME, "*casino*", 3.0)
    storage.friends.add_all(
        [Friend(FriendKind.NAME, "Ann", "team", 1.0), Friend(FriendKind.PATTERN, "[x]*", "friends", 2.0)]
    )
    storage.saved_filters.save("NS2 near", "game:ns2 ping<80")
    storage.saved_list_servers.add([QueryTarget(NAMED, "minecraft", "minecraft"), QueryTarget(A, "a2s", None)])
    storage.saved_list_servers.update_target(NAMED, QueryTarget(B, "minecraft", "minecraft", host_name=NAMED.host))
    storage.alerts.set(ServerAlert(A, AlertKind.PLAYERS, 10, "Ours", 1.0))
    storage.alerts.set(ServerAlert(B, AlertKind.SLOT, 0, "", 2.0))
    storage.search_alerts.add(SearchAlert(SearchAlertKind.PLAYER, "moth*", 3.0))
    storage.search_alerts.add(SearchAlert(SearchAlertKind.FILTER, "NS2 near", 4.0))


def _parse(**lists: object) -> ExportedLists:
    return parse_lists(json.dumps(HEAD | lists).encode(), 7.0)


def test_export_round_trip(storage: UserStorage, empty: UserStorage) -> None:
    _fill(storage)
    lists = collect_lists(storage)
    read = parse_lists(encode_lists(lists), 0.0)
    assert read == lists
    assert merge_lists(empty, read) == ListMergeCounts(2, 1, 1, 3, 2, 1, 1, 4, saved_list_servers=2)
    assert collect_lists(empty) == lists


def test_saved_list_servers_are_limited(storage: UserStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_list_servers, "MAX_SAVED_LIST_SERVERS", 1)
    servers = [{"listed": str(each), "protocol": "a2s"} for each in (A, B)] + [{"listed": str(A), "protocol": "none"}]
    read = _parse(saved_list_servers=servers)
    assert read.problems == ("saved_list_servers[2] (line 1): protocol: unknown, “none”",)
    assert merge_lists(storage, read) == ListMergeCounts(saved_list_servers=1, saved_list_servers_left_out=1)
    assert [*storage.saved_list_servers] == [SavedListServer(A, QueryTarget(A, "a2s", None))]


def test_second_import_is_no_change(storage: UserStorage) -> None:
    _fill(storage)
    before = collect_lists(storage)
    assert merge_lists(storage, before) == ListMergeCounts()
    assert collect_lists(storage) == before


def test_merge_keeps_existing(storage: UserStorage) -> None:
    _fill(storage)
    theirs = ExportedLists(
        favourites=(Favourite(A, "Their words", 9.0), Favourite(B, "Now with a name", 9.0, "darkplaces", "xonotic")),
        notes=((A, "another"), (B, "new")),
        friends=(Friend(FriendKind.NAME, "ANN", "others", 9.0),),
        saved_filters=(("ns2 NEAR", "ping<20"),),
    )
    assert merge_lists(storage, theirs) == ListMergeCounts(favourites=0, notes=2, saved_filters=1)
    assert list(storage.favourites) == [
        Favourite(A, 'Ours "★"', 2.5, "a2s", "ns2", "steam:1"),
        Favourite(B, "Now with a name", 3.0, "darkplaces", "xonotic", host_name="play.example.org"),
    ]
    assert storage.notes.all() == {A: "two\nlines\n\nanother", B: "new"}
    assert [friend.group for friend in storage.friends if friend.value == "Ann"] == ["team"]
    assert dict(storage.saved_filters) == {"NS2 near": "game:ns2 ping<80", "ns2 NEAR (2)": "ping<20"}


def test_paragraphs_merge_once(storage: UserStorage) -> None:
    storage.notes.set(A, "not bad at all\n\ngood evenings")
    theirs = ExportedLists(notes=((A, "bad"), (A, "good evenings")))
    assert merge_lists(storage, theirs) == ListMergeCounts(notes=1)
    assert storage.notes.all() == {A: "not bad at all\n\ngood evenings\n\nbad"}
    assert merge_lists(storage, theirs) == ListMergeCounts()


def test_favourite_key_not_pending(storage: UserStorage) -> None:
    storage.favourites.add(Favourite(A, "", 1.0, stable_key="known"))
    theirs = ExportedLists(
        favourites=(Favourite(B, "", 1.0, stable_key="theirs"),), favourite_keys=("known", "theirs", "far")
    )
    assert merge_lists(storage, theirs) == ListMergeCounts(favourites=1, favourite_keys=1)
    assert list(storage.favourite_keys) == ["far"]


def test_merge_survives_restart(tmp_path: Path, storage: UserStorage) -> None:
    _fill(storage)
    storage.close()
    with _open_storage(tmp_path / "mine") as again:
        assert len(again.favourites) == 2
        assert list(again.favourite_keys) == ["d0pk:far"]
        assert dict(again.saved_filters) == {"NS2 near": "game:ns2 ping<80"}


def test_one_transaction_per_list(storage: UserStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction per entry would block the window for seconds."""
    here = [Address("192.0.2.1", port) for port in range(1, 301)]
    lists = ExportedLists(
        favourites=tuple(Favourite(each, "", 1.0) for each in here),
        notes=tuple((each, "a note") for each in here),
        blocked=tuple(BlockEntry(BlockKind.ADDRESS, str(each), 1.0) for each in here),
        friends=tuple(Friend(FriendKind.NAME, f"player {n}", "friends", 1.0) for n in range(300)),
        saved_filters=tuple((f"filter {n}", f"players>={n}") for n in range(300)),
        alerts=(
            *(ServerAlert(each, AlertKind.SLOT, 0, "", 1.0) for each in here),
            *(SearchAlert(SearchAlertKind.PLAYER, f"player {n}", 1.0) for n in range(50)),
        ),
    )
    writes, changes = list[object](), list[int]()
    write = storage.database.write

    def counted(work: Callable[[sqlite3.Connection], None], **options: bool) -> Future[None]:
        writes.append(work)
        return write(work, **options)

    monkeypatch.setattr(storage.database, "write", counted)
    storage.saved_filters.on_change = lambda: changes.append(len(storage.saved_filters))
    assert merge_lists(storage, lists) == ListMergeCounts(300, 0, 300, 300, 300, 300, 0, 350)
    assert len(writes) == 7
    assert changes == [300]


def test_repeats_count_once(storage: UserStorage) -> None:
    theirs = ExportedLists(
        favourites=(Favourite(A, "", 1.0), Favourite(A, "Named", 2.0, "a2s")),
        notes=((A, "one"), (A, "two"), (A, "one")),
        blocked=(BlockEntry(BlockKind.NAME, "*casino*", 1.0), BlockEntry(BlockKind.NAME, "*casino*", 2.0)),
        saved_filters=(("near", "ping<80"), ("NEAR", "ping<80"), ("Near", "ping<20")),
    )
    assert merge_lists(storage, theirs) == ListMergeCounts(favourites=1, notes=2, blocked=1, saved_filters=2)
    assert list(storage.favourites) == [Favourite(A, "Named", 1.0, "a2s")]
    assert storage.notes.all() == {A: "one\n\ntwo"}
    assert dict(storage.saved_filters) == {"near": "ping<80", "Near (2)": "ping<20"}


def test_bad_entries_are_reported() -> None:
    lists = _parse(
        favourites=[{"address": "192.0.2.1:27015"}, {"address": "192.0.2.1"}, 3, {"address": "x:1", "protocol": "ftp"}],
        favourite_keys=["far", 3, ""],
        notes=[{"address": "192.0.2.1:1"}],
        blocked=[{"kind": "colour", "value": "red"}, {"kind": "network", "value": "x"}],
        friends=[{"kind": "name", "value": ""}, {"kind": "name", "value": "Bo", "group": "enemies"}],
        saved_filters=[{"name": "x", "expression": "players>>1"}, {"name": "", "expression": ""}],
        hats=[],
    )
    assert lists.favourites == (Favourite(A, "", 7.0),)
    assert lists.favourite_keys == ("far",)
    places = [problem.split(":")[0] for problem in lists.problems]
    assert places == [
        "hats",
        "favourites[1] (line 1)",
        "favourites[2] (line 1)",
        "favourites[3] (line 1)",
        "favourite_keys[1] (line 1)",
        "favourite_keys[2] (line 1)",
        "notes[0] (line 1)",
        "blocked[0] (line 1)",
        "blocked[1] (line 1)",
        "friends[0] (line 1)",
        "friends[1] (line 1)",
        "saved_filters[0] (line 1)",
        "saved_filters[1] (line 1)",
    ]


def test_many_problems_take_one_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    walks = list[int]()

    def counted(body: bytes, paths: Sequence[JSONPath]) -> dict[JSONPath, int]:
        walks.append(len(paths))
        return find_line_numbers(body, paths)

    monkeypatch.setattr(lists_file, "find_line_numbers", counted)
    text = json.dumps(HEAD)[:-1] + ',\n"notes": [' + ",\n".join("0" * 500) + '], "friends": [0], "hats": []}'
    problems = parse_lists(text.encode(), 7.0).problems
    assert problems[:3] == (
        "hats: unknown, ignored",
        "notes[0] (line 2): not an object",
        "notes[1] (line 3): not an object",
    )
    assert (problems[-1], len(problems)) == ("301 more problems", 1 + MAX_REPORTED_PROBLEMS + 1)
    assert walks == [MAX_REPORTED_PROBLEMS]


@pytest.mark.parametrize("time", [10**400, float("inf"), float("nan"), 1e300, True, "1"])
def test_invalid_time_is_reported(time: object) -> None:
    (problem,) = _parse(favourites=[{"address": "192.0.2.1:27015", "added_at": time}]).problems
    assert problem == "favourites[0] (line 1): added_at: not a time"


def test_problem_has_line_of_entry() -> None:
    data = encode_lists(ExportedLists(favourites=(Favourite(A, "", 1.0), Favourite(B, "", 1.0))))
    broken = data.replace(str(B).encode(), b"nonsense")
    (problem,) = parse_lists(broken, 0.0).problems
    line = broken[: broken.index(b"nonsense")].count(b"\n")  # the entry's brace is on the line before
    assert problem.startswith(f"favourites[1] (line {line}): ")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a file of lists"),
        (b"a letter", "not a file of lists"),
        (b"[]", "not a file of lists"),
        (b'{"servers": []}', "not a file of lists"),
        (b'{"format": "ready-room lists",\n "version": 1', "damaged in line 2: "),
        (b'{"format": "ready-room lists", "notes": "\xff"}', "damaged in line 1: the text is not UTF-8"),
        (json.dumps({"format": LISTS_FORMAT, "version": 2}).encode(), "version 2"),
        (json.dumps({"format": LISTS_FORMAT}).encode(), "version None"),
        (b"[" * 300_000, "not a file of lists"),
        (b'{"format": "ready-room lists", "notes": ' + b"[" * 300_000, "damaged: too many objects"),
    ],
)
def test_other_files_are_rejected(data: bytes, reason: str) -> None:
    with pytest.raises(ListsFileError, match=reason):
        parse_lists(data, 0.0)


def test_no_passwords_in_export(storage: UserStorage) -> None:
    _fill(storage)
    assert b"password" not in encode_lists(collect_lists(storage)).lower()


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_entry = st.dictionaries(
    st.sampled_from(("address", "name", "text", "kind", "value", "group", "added_at", "expression", "protocol")), _json
)


@settings(max_examples=50)
@given(
    st.dictionaries(st.sampled_from(tuple(ExportedLists.__dataclass_fields__)), _json | st.lists(_entry, max_size=3))
)
def test_any_lists_are_parsed(lists: dict[str, object]) -> None:
    with suppress(ListsFileError):
        read = parse_lists(json.dumps(HEAD | lists).encode(), 0.0)
        assert parse_lists(encode_lists(read), 0.0) == replace(read, problems=())


def test_saved_filters_are_limited(storage: UserStorage) -> None:
    saved = [{"name": f"n{number}", "expression": "ping<80"} for number in range(MAX_SAVED_FILTERS + 1)]
    lists = parse_lists(json.dumps(HEAD | {"saved_filters": saved}).encode(), 1.0)
    (problem,) = lists.problems
    assert problem.startswith(f"saved_filters: more than {MAX_SAVED_FILTERS}")
    assert merge_lists(storage, lists) == ListMergeCounts(saved_filters=MAX_SAVED_FILTERS)


def test_existing_alerts_stay(storage: UserStorage) -> None:
    _fill(storage)
    before = (*storage.alerts, *storage.search_alerts)
    theirs = _parse(
        alerts=[
            {"kind": "players", "address": str(A), "players": 3},
            {"kind": "friend", "address": str(A)},
            {"kind": "player", "value": "MOTH*"},
        ]
    )
    assert theirs.problems == ()
    assert merge_lists(storage, theirs) == ListMergeCounts(alerts=1)
    assert {*storage.alerts, *storage.search_alerts} == {*before, ServerAlert(A, AlertKind.FRIEND, 0, "", 7.0)}


@pytest.mark.parametrize(
    ("alert", "reason"),
    [
        ({"kind": "nonsense", "address": "192.0.2.1:1"}, "kind: unknown, “nonsense”"),
        ({"kind": "players", "address": "192.0.2.1:1"}, "players: not from 1 to 255"),
        ({"kind": "players", "address": "192.0.2.1:1", "players": "3"}, "players: not a number"),
        ({"kind": "slot", "address": "192.0.2.1:1", "players": 3}, "players: not from 0 to 0"),
        ({"kind": "slot"}, "address: missing"),
        ({"kind": "pattern", "value": "*"}, "a pattern needs at least one letter"),
        ({"kind": "filter"}, "value: missing"),
    ],
)
def test_bad_alert_names_its_place(alert: dict[str, object], reason: str) -> None:
    read = _parse(alerts=[alert])
    assert read.alerts == ()
    assert read.problems == (f"alerts[0] (line 1): {reason}",)


def test_imported_alerts_are_limited(storage: UserStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists_merge, "MAX_IMPORTED_ALERTS", 2)
    monkeypatch.setattr(lists_merge, "MAX_SEARCH_ALERTS", 1)
    alerts = [{"kind": "slot", "address": f"192.0.2.{n}:1"} for n in range(1, 6)]
    alerts += [{"kind": "player", "value": f"player {n}"} for n in range(5)]
    assert merge_lists(storage, _parse(alerts=alerts)) == ListMergeCounts(alerts=3, alerts_left_out=7)
    assert (len(storage.alerts), len(storage.search_alerts)) == (2, 1)
    assert merge_lists(storage, _parse(alerts=alerts)) == ListMergeCounts(alerts_left_out=7)
