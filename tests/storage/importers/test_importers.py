"""Parsers of other programs' server lists.

Real files, damaged ones, and arbitrary bytes.
"""

import json
import struct
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.address import Address
from browser_app.storage.importers.imported_server import ImportedServer, ServerListKind, UnreadableListError
from browser_app.storage.importers.ns2_server_lists import parse_ns2_list
from browser_app.storage.importers.quake_favourites import (
    ADDRESS_BYTES_BY_RECORD,
    MAX_CACHED_FAVOURITES,
    MAX_CACHED_SERVERS,
    parse_darkplaces_favourites,
    parse_ioquake3_cache,
)
from browser_app.storage.importers.steam_server_browser import MAX_VDF_DEPTH, parse_steam_server_browser, parse_vdf

STEAM = b"""\
"Filters"
{
\t"gamelist"\t\t"4920"\t// a comment
\t"Favorites"
\t{
\t\t"1"
\t\t{
\t\t\t"name"\t\t"A \\"quoted\\" name"
\t\t\t"address"\t\t"192.0.2.1:27016"
\t\t\t"LastPlayed"\t\t"0"
\t\t\t"appid"\t\t"4920"
\t\t\t"accountid"\t\t"0"
\t\t}
\t\t"2" { "address" "nonsense" }
\t}
\t"History"
\t{
\t\t"1" { "name" "Elsewhere" "address" "192.0.2.2:27015" "LastPlayed" "1700000000" "appid" "440" }
\t}
}
"""


def test_steam_favourites_and_history() -> None:
    assert parse_steam_server_browser(STEAM) == [
        ImportedServer(Address("192.0.2.1", 27016), ServerListKind.FAVOURITE, True, 'A "quoted" name', 4920),
        ImportedServer(Address("192.0.2.2", 27015), ServerListKind.PLAYED, True, "Elsewhere", 440, 1700000000.0),
    ]


def test_steam_keys_ignore_case() -> None:
    assert (
        len(parse_steam_server_browser(STEAM.replace(b"Favorites", b"favorites").replace(b"Filters", b"filters"))) == 2
    )


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'"a" {', "unexpected end"),
        (b'"a"', "unexpected end"),
        (b'"a" "b"\n}', "line 2: unexpected closing brace"),
        (b"\n\n{}", "line 3: block without a name"),
        (b'"a" "b', "line 1: unreadable"),
        (b'"a" {' * (MAX_VDF_DEPTH + 2), "line 1: "),
    ],
)
def test_bad_vdf_names_line(data: bytes, problem: str) -> None:
    with pytest.raises(UnreadableListError, match=problem):
        parse_vdf(data)


@pytest.mark.parametrize(
    ("read", "start"), [(parse_vdf, b'"'), (parse_darkplaces_favourites, b'seta net_slist_favorites "')]
)
def test_unterminated_text_takes_little_memory(read: Callable[[bytes], object], start: bytes) -> None:
    """A file of 16 MiB took over a gigabyte."""
    tracemalloc.start()
    try:
        with suppress(UnreadableListError):
            read(start + b"a" * (1 << 20))
        assert tracemalloc.get_traced_memory()[1] < 24 << 20
    finally:
        tracemalloc.stop()


def test_vdf_words_blocks_and_conditions() -> None:
    text = b'\xef\xbb\xbfbare "word" [$WIN32]\nBlock{ inner "a\\nb" } // end'
    assert parse_vdf(text) == {"bare": "word", "block": {"inner": "a\nb"}}


@pytest.mark.parametrize(
    "data",
    [
        b'{"192.0.2.1:27015": true, "192.0.2.2:27015": false, "x": true}',
        b'["192.0.2.1:27015"]',
        b'[{"address": "192.0.2.1:27015", "name": ""}, {"version": 1, "192.0.2.1:27015": true}]',
    ],
)
def test_all_formats_of_ns2_favourites(data: bytes) -> None:
    assert parse_ns2_list(data, ServerListKind.FAVOURITE) == [
        ImportedServer(Address("192.0.2.1", 27015), ServerListKind.FAVOURITE)
    ]


def test_ns2_history_has_names_and_times() -> None:
    data = b'[{"address": "192.0.2.1:27015", "lastConnect": 1700000000, "name": "Ours", "passworded": false}]'
    (server,) = parse_ns2_list(data, ServerListKind.PLAYED)
    assert (server.name, server.played_at) == ("Ours", 1700000000.0)


@pytest.mark.parametrize("time", [10**400, 1e300, float("inf"), -1, True, "1"])
def test_invalid_time_is_unknown(time: object) -> None:
    data = json.dumps([{"address": "192.0.2.1:27015", "lastConnect": time}]).encode()
    assert [server.played_at for server in parse_ns2_list(data, ServerListKind.PLAYED)] == [None]


@pytest.mark.parametrize("data", [b"", b"null", b"3", b"{", b"[" * 100_000])
def test_bad_ns2_list_is_rejected(data: bytes) -> None:
    with pytest.raises(UnreadableListError):
        parse_ns2_list(data, ServerListKind.FAVOURITE)


def test_xonotic_favourites_and_keys() -> None:
    key = "A" * 43 + "="
    config = (
        'seta "name" "net_slist_favorites"\n'
        'seta "net_slist_favorites" "192.0.2.9:1"\n'
        f'seta "net_slist_favorites" "192.0.2.1:26001 example.org [2001:db8::1]:26000 {key} :::"\n'
    )
    servers, keys = parse_darkplaces_favourites(config.encode())
    assert [str(server.address) for server in servers] == [
        "192.0.2.1:26001",
        "example.org:26000",
        "[2001:db8::1]:26000",
    ]
    assert keys == [f"d0:{key}"]


@pytest.mark.parametrize("char", ["\x1b", "\u202e", "\x7f", "ä"])
def test_xonotic_key_of_other_characters_is_left_out(char: str) -> None:
    assert parse_darkplaces_favourites(f"seta net_slist_favorites {char * 44}".encode()) == ([], [])


@pytest.mark.parametrize("line", ["seta net_slist_favorites 192.0.2.1", 'set net_slist_favorites "192.0.2.1"'])
def test_xonotic_quotes_are_optional(line: str) -> None:
    (server,), _ = parse_darkplaces_favourites(line.encode())
    assert server.address == Address("192.0.2.1", 26000)


def test_config_without_favourites() -> None:
    assert parse_darkplaces_favourites(b'seta "net_slist_favorites" ""\n') == ([], [])
    assert parse_darkplaces_favourites(b"\xff\x00\n") == ([], [])


def _build_cache(record: int, *servers: tuple[int, bytes, bytes, int, bytes]) -> bytes:
    rest = (MAX_CACHED_SERVERS + MAX_CACHED_FAVOURITES) * record
    data = bytearray(struct.pack("<iii", 3, len(servers), rest) + bytes(rest))
    for number, (kind, ipv4, ipv6, port, name) in enumerate(servers):
        at = 12 + (MAX_CACHED_SERVERS + number) * record
        data[at : at + 26] = struct.pack("<i4s16s", kind, ipv4, ipv6) + struct.pack(">H", port)
        name_at = at + ADDRESS_BYTES_BY_RECORD[record]
        data[name_at : name_at + len(name)] = name
    return bytes(data)


@pytest.mark.parametrize("record", ADDRESS_BYTES_BY_RECORD)
def test_ioquake3_favourites_of_all_builds(record: int) -> None:
    data = _build_cache(
        record,
        (4, bytes([192, 0, 2, 1]), bytes(16), 27960, b"^1Red ^7house\0left over"),
        (5, bytes(4), bytes.fromhex("20010db8" + "00" * 11 + "01"), 27961, b"Six"),
        (0, bytes(4), bytes(16), 27960, b"bad address"),
    )
    assert parse_ioquake3_cache(data) == [
        ImportedServer(Address("192.0.2.1", 27960), ServerListKind.FAVOURITE, True, "Red house"),
        ImportedServer(Address("2001:db8::1", 27961), ServerListKind.FAVOURITE, True, "Six"),
    ]


def test_unknown_cache_is_rejected() -> None:
    good = _build_cache(184)
    for data in (b"", good[:-1], good + b"x", struct.pack("<iii", 0, 129, len(good) - 12) + good[12:], b"\xff" * 12):
        with pytest.raises(UnreadableListError):
            parse_ioquake3_cache(data)


@given(st.binary(max_size=400) | st.text('{}"\\/ \nab[]1.:', max_size=80).map(str.encode))
def test_any_bytes_are_parsed_or_rejected(data: bytes) -> None:
    for read in (
        parse_steam_server_browser,
        parse_ioquake3_cache,
        lambda data: parse_ns2_list(data, ServerListKind.PLAYED),
    ):
        with suppress(UnreadableListError):
            assert isinstance(read(data), list)
    assert all(key.startswith("d0:") for key in parse_darkplaces_favourites(data)[1])
