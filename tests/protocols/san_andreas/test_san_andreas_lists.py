"""Lists of San Andreas servers: values, missing fields and damaged documents."""

import json
import struct
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browser_app.catalogue.reply_readers.san_andreas_server_info import (
    read_mta_list,
    read_openmp_list,
    read_vcmp_list,
)
from browser_app.catalogue.server_info import DescribedServer, QueryTarget
from browser_app.games.game_registry import GameRegistry, load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import DescribedListError
from browser_app.protocols.san_andreas import mta_list
from browser_app.protocols.san_andreas.mta_list import parse_mta_list
from browser_app.protocols.san_andreas.samp_lists import parse_openmp_list

NO_GAMES = GameRegistry([])
CORE = {"ip": "192.0.2.7:7777", "hn": "{FF0000}A city", "pc": 3, "pm": 500, "gm": "RP", "la": "English", "pa": True}
ALL_FLAGS = 0x1C_FFFF


def mta_fields(name: bytes = b"#FF0000A town", names: tuple[bytes, ...] = (b"#00FF00Ann", b"Bob")) -> bytes:
    texts = b"".join(bytes([len(each)]) + each for each in (b"mta", name, b"Race", b"None", b"1.6"))
    players = struct.pack(">H", len(names)) + b"".join(bytes([len(each)]) + each for each in names)
    unread = b"\0" + bytes(4) + b"\1xx" + b"\0" + b"\x56\x0d" + b"\0"
    return struct.pack(">HH", 2, 64) + texts + b"\1\0" + players + unread


def mta_record(fields: bytes, host: bytes = b"\xc0\0\2\7", port: int = 22003) -> bytes:
    return mta_list.RECORD_HEADER.pack(mta_list.RECORD_HEADER.size + len(fields), host[::-1], port) + fields


def mta_document(*records: bytes, flags: int = ALL_FLAGS, count: int | None = None) -> bytes:
    head = mta_list.HEADER.pack(0, mta_list.VERSION, flags, 7, len(records) if count is None else count)
    return head + b"".join(records) + b"\x12\x34\x56\x79"


def mta_servers(document: bytes, size: int = 1000) -> list[DescribedServer | None]:
    chunks = (document[first : first + size] for first in range(0, len(document), size))
    return list(read_mta_list(chunks, NO_GAMES))


def test_openmp_list_describes_servers() -> None:
    entries = [{"core": CORE}, {"core": CORE | {"pc": "3"}}, {"core": CORE | {"ip": "224.0.0.1:1"}}, {"core": 1}, 2]
    entries.append({"core": {"ip": "198.51.100.2:7788", "pc": 0, "pm": 0, "hn": 7}})
    first, *bad, last = read_openmp_list([json.dumps(entries).encode()], NO_GAMES)
    assert first is not None
    assert first.target == QueryTarget(Address("192.0.2.7", 7777), "samp", None)
    assert (first.info.name, first.info.players, first.info.max_players, first.info.password) == (
        "A city",
        3,
        500,
        True,
    )
    assert (first.info.mode, first.info.tags, first.info.player_list) == ("RP", ("English",), None)
    assert bad == [None] * 4
    assert last is not None
    assert (last.info.name, last.info.password, last.info.max_players) == ("", None, None)


@pytest.mark.parametrize("document", [b"", b"{}", b'{"core": []}', b"7", b"[1] x", b"[" * 50_000])
def test_other_documents_are_no_openmp_list(document: bytes) -> None:
    with pytest.raises(DescribedListError):
        list(parse_openmp_list([document]))


def test_vcmp_list_holds_addresses() -> None:
    servers = [{"ip": "192.0.2.7", "port": 8192, "is_official": True}, {"ip": "192.0.2.7"}, {"ip": "-", "port": 1}, 3]
    document = json.dumps({"success": True, "servers": servers}).encode()
    target = QueryTarget(Address("192.0.2.7", 8192), "vcmp", None)
    assert list(read_vcmp_list([document], NO_GAMES)) == [target, None, None, None]


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_mta_list_describes_servers(size: int) -> None:
    server, other = mta_servers(mta_document(mta_record(mta_fields()), mta_record(mta_fields(b"B", ()))), size)
    assert server is not None
    assert server.target == QueryTarget(Address("192.0.2.7", 22126), "ase", None)
    assert (server.info.name, server.info.mode, server.info.map, server.info.version) == ("A town", "Race", "", "1.6")
    assert (server.info.players, server.info.max_players, server.info.password) == (2, 64, True)
    assert server.info.connect == Address("192.0.2.7", 22003)
    assert [player.name for player in server.info.player_list or ()] == ["Ann", "Bob"]
    assert other is not None
    assert (other.info.name, other.info.player_list) == ("B", None)


def test_mta_fields_without_flag_are_unknown() -> None:
    (server,) = mta_servers(mta_document(mta_record(b"\2Ab"), flags=mta_list.NAME))
    assert server is not None
    info = server.info
    assert (info.name, info.players, info.max_players, info.password) == ("Ab", None, None, None)


def test_bad_mta_records_are_skipped() -> None:
    good = mta_record(mta_fields())
    bad = mta_record(b"\0"), mta_record(mta_fields(), b"\xe0\0\0\1"), mta_record(mta_fields(), port=65500)
    assert [server is None for server in mta_servers(mta_document(*bad, good))] == [True, True, True, False]


def test_wrong_mta_documents_are_reported() -> None:
    good = mta_document(mta_record(mta_fields()))
    for document in (b"\0\1" + good[2:], good[:2] + b"\0\0" + good[4:], mta_document(b"\0\7"), b"<html>"):
        with pytest.raises(DescribedListError):
            mta_servers(document)
    servers = read_mta_list([mta_document(mta_record(mta_fields()), count=2)[:-4]], NO_GAMES)
    assert next(servers) is not None
    with pytest.raises(DescribedListError):
        next(servers)


@settings(max_examples=60)
@given(st.data())
def test_damaged_lists_raise_nothing_else(data: st.DataObject) -> None:
    mta = mta_document(mta_record(mta_fields()), mta_record(mta_fields()))
    openmp = json.dumps([{"core": CORE}]).encode()
    for document, read in ((mta, parse_mta_list), (openmp, parse_openmp_list)):
        at = data.draw(st.integers(0, len(document) - 1))
        changed = document[:at] + bytes([data.draw(st.integers(0, 255))]) + document[at + 1 :]
        for damaged in (document[:at], changed):
            with suppress(DescribedListError):
                list(read([damaged]))


def test_games_of_listed_servers() -> None:
    games = load_games(resource_folder() / "games")
    (samp,) = read_openmp_list([json.dumps([{"core": CORE}]).encode()], games)
    (mta,) = read_mta_list([mta_document(mta_record(mta_fields()))], games)
    assert samp is not None
    assert mta is not None
    assert (samp.target.game, mta.target.game) == ("samp", "mta")
    assert mta.info.connect == Address("192.0.2.7", 22003)
