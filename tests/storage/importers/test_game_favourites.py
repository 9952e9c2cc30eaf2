"""Favourites in the files of single games and their launchers.

Files as the games write them, and damaged ones.
"""

import json
import sqlite3
import struct
import time
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.protocols.server_code import code_address
from browser_app.storage.importers.bzflag_favourites import REPLY_BYTES, TEXT_BYTES, parse_bzflag_cache
from browser_app.storage.importers.console_favourites import (
    parse_armagetron_bookmarks,
    parse_kept_servers,
    parse_own_commands,
)
from browser_app.storage.importers.imported_server import ImportedServer, ServerListKind, UnreadableListError
from browser_app.storage.importers.ini_favourites import (
    parse_doomseeker_servers,
    parse_odamex_launcher,
    parse_openttd_favourites,
    parse_unreal_favourites,
)
from browser_app.storage.importers.list_file_places import list_possible_files
from browser_app.storage.importers.luanti_favourites import parse_luanti_json, parse_luanti_text
from browser_app.storage.importers.minecraft_servers import parse_minecraft_servers
from browser_app.storage.importers.quake_favourites import parse_ezquake_list, parse_quake2_address_book
from browser_app.storage.importers.san_andreas_favourites import parse_mta_favourites, parse_samp_favourites
from browser_app.storage.importers.server_list_files import convert_to_favourite, find_server_lists
from browser_app.storage.importers.space_station_favourites import parse_space_station_favourites
from browser_app.storage.importers.teeworlds_favourites import parse_teeworlds_favourites
from browser_app.storage.importers.vintage_story_favourites import parse_vintage_story_favourites


def build_favourite(host: str, port: int, name: str = "", protocol: str = "") -> ImportedServer:
    return ImportedServer(Address(host, port), ServerListKind.FAVOURITE, name=name, protocol=protocol)


def encode_nbt_text(text: str) -> bytes:
    return struct.pack(">H", len(text.encode())) + text.encode()


def encode_nbt_string(name: str, value: str) -> bytes:
    return b"\x08" + encode_nbt_text(name) + encode_nbt_text(value)


def build_minecraft_file(*entries: bytes) -> bytes:
    servers = b"\x09" + encode_nbt_text("servers") + b"\x0a" + struct.pack(">i", len(entries)) + b"".join(entries)
    odd = (
        b"\x0b"
        + encode_nbt_text("ints")
        + struct.pack(">i2i", 2, 1, 2)
        + b"\x06"
        + encode_nbt_text("double")
        + bytes(8)
    )
    return b"\x0a\0\0" + odd + servers + b"\0"


def build_minecraft_entry(name: str, place: str, *, hidden: bool = False) -> bytes:
    return (
        encode_nbt_string("icon", "x" * 99)
        + encode_nbt_string("ip", place)
        + encode_nbt_string("name", name)
        + (b"\x01" + encode_nbt_text("hidden") + bytes([hidden]) + b"\0")
    )


def encode_samp_text(text: bytes) -> bytes:
    return struct.pack("<I", len(text)) + text


def build_samp_entry(host: bytes, port: int, name: bytes) -> bytes:
    return (
        encode_samp_text(host)
        + struct.pack("<I", port)
        + encode_samp_text(name)
        + encode_samp_text(b"secret")
        + encode_samp_text(b"rcon")
    )


MINECRAFT = build_minecraft_file(
    build_minecraft_entry("\xa7cA \xa7rworld", "play.example.org"),
    build_minecraft_entry("Other", "192.0.2.7:25570"),
    build_minecraft_entry("Direct", "192.0.2.8", hidden=True),
    build_minecraft_entry("Bad", "a b"),
)
SAMP = struct.pack("<4sII", b"SAMP", 1, 3) + (
    build_samp_entry(b"192.0.2.7", 7777, b"{FF0000}\xc3\xee\xf0\xee\xe4")
    + build_samp_entry(b"not a host", 1, b"")
    + build_samp_entry(b"samp.example.org", 7778, b"B")
)
MTA = b"""<mainconfig><server_passwords><server host="192.0.2.9" password="secret" /></server_passwords>
<recently_played_servers><recently_played_server host="192.0.2.8" port="22003" /></recently_played_servers>
<favourite_servers>
  <favourite_server host="192.0.2.7" port="22003" /><favourite_server port="22005" host="mta.example.org" />
  <favourite_server host="192.0.2.7" port="0" /><favourite_server host="" /></favourite_servers></mainconfig>
"""
TEEWORLDS = b"""cl_name "add_favorite"
add_favorite "192.0.2.7:8303" "secret"
add_favorite "tee.example.org"
add_favorite "[2001:db8::7]:8304" allow_ping
add_favorite tw-0.7+udp://192.0.2.8:8303
add_favorite other://192.0.2.9:1
add_favorite
begin_favorite_group
add_favorite nonsense:x
add_favorite 192.0.2.10:8303
add_favorite tw-0.7+udp://192.0.2.10:8303
end_favorite_group
add_favorite 192.0.2.11:8303
"""
LUANTI = json.dumps(
    [
        {"name": "A world", "address": "luanti.example.org", "port": 30000, "description": "x"},
        {"name": 5, "address": "2001:db8::7", "port": "30001"},
        {"name": "No port", "address": "192.0.2.7"},
        {"address": 1},
        2,
    ]
).encode()
LUANTI_TEXT = b"[server]\nA world\nluanti.example.org\n30000\nx\n\n[server]\nB\n192.0.2.7\nport\n\n[server]\n"


EZQUAKE = b"""192.0.2.7:27501 A server
qw.example.org

# comment : x
"""
QUAKE2 = b"""bind ADR0 "connect"
set adr0 "192.0.2.7:27911"
set adr1 ""
seta adr15 "q2.example.org"
set address "192.0.2.9"
"""
CUBE2 = b"""// servers that should never be cleared from the server list

keepserver 192.0.2.7 28795
keepserver "cube.example.org" 28785 "secret"
keepserver 192.0.2.8

// servers connected to are added here automatically
addserver 192.0.2.9 28785
keepserver "a b" 1
"""
OPENTTD = b"""[network]
server_name = [servers]
[servers]
192.0.2.7:3980 =
ttd.example.org
+aBcD1234 =
+not/a code
bad host:1

[bans]
192.0.2.9
"""
ARMAGETRON = b"""BOOKMARK_0_NAME 0xff0000Rig\\ Arma
BOOKMARK_0_ADDRESS 192.0.2.7
BOOKMARK_0_PORT 4535
BOOKMARK_1_ADDRESS\x20
BOOKMARK_2_NAME No address
BOOKMARK_3_ADDRESS arma.example.org
"""
UNREAL = b"""[Other]\r
Favorites[0]=No\\192.0.2.9\\1\\True\r
[UBrowser.UBrowserFavoritesFact]\r
FavoriteCount=3\r
Favorites[0]=R\xefg\\192.0.2.7\\7778\\True\r
Favorites[1]=\\ut.example.org\\8888\\False\r
Favorites[2]=Bad\\a b\\1\\True\r
[Engine.Player]\r
"""
DOOMSEEKER = b"""[Doomseeker]
CustomServers="(Zandronum;192.0.2.7;10667;1)(Odamex;oda.example.org;10666;1),(SRB2;192.0.2.8;5029;1)(Chocolate%20Doom;192.0.2.9;2342)(Zandronum;192.0.2.10;10666;0)(Zandronum;192.0.2.11;0;1)"
"""
ODALAUNCH = b"""[CustomServers]
NumberOfServers=2
[CustomServers/0]
Address=192.0.2.7
Port=10668
[CustomServers/0/Substitute]
Address=192.0.2.9
Port=1
[CustomServers/1]
Port=10666
"""
VINTAGE_STORY = json.dumps(
    {
        "stringListSettings": {
            "multiplayerservers": ["A world,192.0.2.7:42421,secret", "B,vs.example.org", "C", 5, "D,a b,"]
        }
    }
).encode()


def build_launcher_database(*statements: str) -> bytes:
    """Return a database as Space Station 14's launcher leaves it."""
    with closing(sqlite3.connect(":memory:")) as database:
        for statement in statements:
            database.execute(statement)
        if not statements:
            database.execute(
                "CREATE TABLE FavoriteServer (Address TEXT PRIMARY KEY NOT NULL, Name TEXT, RaiseTime DATETIME)"
            )
            rows = [
                ("ss14://192.0.2.7:1213", "A station"),
                ("ss14s://ss14.example.org/one/", None),
                ("ss14://ss14.example.org/", "B"),
                ("https://192.0.2.9", "No"),
                ("ss14://a b", "No"),
            ]
            database.executemany("INSERT INTO FavoriteServer (Address, Name) VALUES (?, ?)", rows)
        database.commit()
        content = bytearray(database.serialize())
    content[18:20] = b"\2\2"
    return bytes(content)


SPACE_STATION = build_launcher_database()


def build_bzflag_entry(address: str, description: str, *, is_favourite: bool) -> bytes:
    texts = b"".join(
        text.encode().ljust(TEXT_BYTES, b"\0") for text in (address, description, address.split(":", maxsplit=1)[0])
    )
    return texts + b"\0\x38\3\3".ljust(REPLY_BYTES, b"\0") + bytes([is_favourite]) + bytes(4)


BZFLAG = (
    build_bzflag_entry("192.0.2.7:5155", "192.0.2.7:5155; Tanks", is_favourite=True)
    + build_bzflag_entry("192.0.2.9:5154", "192.0.2.9:5154; Listed", is_favourite=False)
    + build_bzflag_entry("bz.example.org", "", is_favourite=True)
    + build_bzflag_entry("a b", "", is_favourite=True)
)


def test_bzflag_favourites_are_marked_entries() -> None:
    assert parse_bzflag_cache(BZFLAG) == [
        build_favourite("192.0.2.7", 5155, "Tanks"),
        build_favourite("bz.example.org", 5154),
    ]
    with pytest.raises(UnreadableListError):
        parse_bzflag_cache(BZFLAG[:-1])


def test_ezquake_lists() -> None:
    assert parse_ezquake_list(EZQUAKE) == [
        build_favourite("192.0.2.7", 27501),
        build_favourite("qw.example.org", 27500),
    ]


def test_quake2_address_book() -> None:
    assert parse_quake2_address_book(QUAKE2) == [
        build_favourite("192.0.2.7", 27911),
        build_favourite("q2.example.org", 27910),
    ]


def test_cube2_servers_that_are_kept() -> None:
    kept = [
        build_favourite("192.0.2.7", 28795),
        build_favourite("cube.example.org", 28785),
        build_favourite("192.0.2.8", 28785),
    ]
    assert parse_kept_servers(CUBE2, 28785) == kept
    assert parse_own_commands(CUBE2, 28785) == [*kept, build_favourite("192.0.2.9", 28785)]


def test_openttd_favourites_with_invite_codes() -> None:
    assert parse_openttd_favourites(OPENTTD) == [
        build_favourite("192.0.2.7", 3980),
        build_favourite("ttd.example.org", 3979),
        ImportedServer(code_address("openttd", "+aBcD1234"), ServerListKind.FAVOURITE, protocol="listed"),
    ]
    assert parse_openttd_favourites(b"[network]\n") == []


def test_armagetron_bookmarks() -> None:
    assert parse_armagetron_bookmarks(ARMAGETRON) == [
        build_favourite("192.0.2.7", 4535, "Rig Arma"),
        build_favourite("arma.example.org", 4534),
    ]


def test_unreal_favourites_have_query_ports() -> None:
    expected = [build_favourite("192.0.2.7", 7778, "Rïg"), build_favourite("ut.example.org", 8888)]
    assert parse_unreal_favourites(UNREAL) == [replace(each, is_query_address=True) for each in expected]


def test_doomseeker_pins_servers_of_several_games() -> None:
    assert parse_doomseeker_servers(DOOMSEEKER) == [
        replace(build_favourite("192.0.2.7", 10667), game="zandronum"),
        replace(build_favourite("oda.example.org", 10666), game="odamex"),
        replace(build_favourite("192.0.2.9", 2342), game="chocolatedoom"),
    ]


def test_odamex_launcher_has_own_servers() -> None:
    assert parse_odamex_launcher(ODALAUNCH) == [build_favourite("192.0.2.7", 10668)]


def test_vintage_story_favourites() -> None:
    assert parse_vintage_story_favourites(VINTAGE_STORY) == [
        build_favourite("192.0.2.7", 42421, "A world"),
        build_favourite("vs.example.org", 42420, "B"),
    ]
    assert parse_vintage_story_favourites(b'{"stringListSettings": []}') == []


def test_space_station_favourites() -> None:
    proxied = code_address("ss14s", "ss14.example.org/one")
    assert parse_space_station_favourites(SPACE_STATION) == [
        build_favourite("192.0.2.7", 1213, "A station"),
        ImportedServer(proxied, ServerListKind.FAVOURITE, protocol="listed"),
        build_favourite("ss14.example.org", 1212, "B"),
    ]


ENDLESS_VIEW = """CREATE VIEW FavoriteServer AS
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS Address, i AS Name FROM n"""

COMPUTED_COLUMN = """CREATE TABLE FavoriteServer (
    n INTEGER, Address TEXT AS (hex(zeroblob(500000 * n))), Name TEXT AS ('A'))"""
"""Of values that SQL computes, each longer than the file."""


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"SQLite format 3\0",
        SPACE_STATION[:4000],
        build_launcher_database("CREATE TABLE Other (Address TEXT)"),
        build_launcher_database("CREATE TABLE FavoriteServer (Name TEXT)"),
        build_launcher_database(ENDLESS_VIEW),
        build_launcher_database(COMPUTED_COLUMN, "INSERT INTO FavoriteServer (n) VALUES (1)"),
    ],
)
def test_bad_launcher_databases_are_reported(data: bytes) -> None:
    with pytest.raises(UnreadableListError):
        parse_space_station_favourites(data)


def test_openings_without_an_end_take_no_time() -> None:
    """They took minutes, and time that grew with their square."""
    began_s = time.process_time()
    assert parse_mta_favourites(b"<favourite_servers>" * 40_000) == []
    assert time.process_time() - began_s < 10


def test_minecraft_servers() -> None:
    assert parse_minecraft_servers(MINECRAFT) == [
        build_favourite("play.example.org", 25565, "A world"),
        build_favourite("192.0.2.7", 25570, "Other"),
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x1f\x8b\x08",
        b"\x0a\0\0\0",
        b"\x0a\0\0\x63\0\0",
        b"\x0a\0\0" + b"\x0a\0\0" * 1000,
        b"\x0a\0\0\x09\0\0" + b"\x09\0\0\0\1" * 1000,
        b"\x0a\0\0\x09\0\0\x00\x7f\xff\xff\xff",
        b"\x0a\0\0\x07\0\0\xff\xff\xff\xf0",
        b"\x0a\0\0\x09\0\0\x0a\0\2\0\0" + bytes(1 << 17),
    ],
)
def test_bad_minecraft_files_are_reported(data: bytes) -> None:
    with pytest.raises(UnreadableListError):
        parse_minecraft_servers(data)


def test_samp_favourites() -> None:
    assert parse_samp_favourites(SAMP) == [
        build_favourite("192.0.2.7", 7777, "Город"),
        build_favourite("samp.example.org", 7778, "B"),
    ]
    for bad in (SAMP[:-1], b"SAMP", b"XAMP" + SAMP[4:], SAMP[:12] + b"\xff" * 4, SAMP[:14]):
        with pytest.raises(UnreadableListError):
            parse_samp_favourites(bad)


def test_mta_favourites() -> None:
    assert parse_mta_favourites(MTA) == [build_favourite("192.0.2.7", 22003), build_favourite("mta.example.org", 22005)]
    assert parse_mta_favourites(b"<!DOCTYPE x [<!ENTITY a 'b'>]>") == []


def test_teeworlds_favourites() -> None:
    assert parse_teeworlds_favourites(TEEWORLDS) == [
        build_favourite("192.0.2.7", 8303),
        build_favourite("tee.example.org", 8303),
        build_favourite("2001:db8::7", 8304),
        build_favourite("192.0.2.8", 8303, protocol="teeworlds07"),
        build_favourite("192.0.2.10", 8303),
        build_favourite("192.0.2.11", 8303),
    ]


def test_luanti_favourites() -> None:
    first = build_favourite("luanti.example.org", 30000, "A world")
    assert parse_luanti_json(LUANTI) == [first, build_favourite("2001:db8::7", 30001)]
    assert parse_luanti_text(LUANTI_TEXT) == [first]
    for bad in (b"{}", b"[", b"\xff"):
        with pytest.raises(UnreadableListError):
            parse_luanti_json(bad)


@settings(max_examples=60)
@given(st.data())
def test_damaged_files_raise_nothing_else(data: st.DataObject) -> None:
    for whole, read in (
        (MINECRAFT, parse_minecraft_servers),
        (SAMP, parse_samp_favourites),
        (MTA, parse_mta_favourites),
        (TEEWORLDS, parse_teeworlds_favourites),
        (LUANTI, parse_luanti_json),
        (LUANTI_TEXT, parse_luanti_text),
        (EZQUAKE, parse_ezquake_list),
        (QUAKE2, parse_quake2_address_book),
        (CUBE2, partial(parse_own_commands, default_port=28785)),
        (OPENTTD, parse_openttd_favourites),
        (BZFLAG, parse_bzflag_cache),
        (ARMAGETRON, parse_armagetron_bookmarks),
        (UNREAL, parse_unreal_favourites),
        (DOOMSEEKER, parse_doomseeker_servers),
        (ODALAUNCH, parse_odamex_launcher),
        (VINTAGE_STORY, parse_vintage_story_favourites),
        (SPACE_STATION, parse_space_station_favourites),
    ):
        at = data.draw(st.integers(0, len(whole) - 1))
        changed = whole[:at] + bytes([data.draw(st.integers(0, 255))]) + whole[at + 1 :]
        for damaged in (whole[:at], changed):
            with suppress(UnreadableListError):
                read(damaged)


FILES = {
    "linux": {
        ".local/share/ddnet/settings_ddnet.cfg": TEEWORLDS,
        ".teeworlds/settings07.cfg": b'add_favorite "192.0.2.7:8303"\n',
        ".minetest/client/serverlist/favoriteservers.json": LUANTI,
        ".local/share/PrismLauncher/instances/My pack/minecraft/servers.dat": MINECRAFT,
        ".wine/drive_c/users/ann/Documents/GTA San Andreas User Files/SAMP/USERDATA.DAT": SAMP,
        ".ezquake/sb/unbound.txt": EZQUAKE,
        ".yq2/baseq2/config.cfg": QUAKE2,
        ".sauerbraten/servers.cfg": CUBE2,
        ".redeclipse/autoexec.cfg": CUBE2,
        ".config/openttd/openttd.cfg": OPENTTD,
        ".armagetronad/var/user.cfg": ARMAGETRON,
        ".bzf/cache/BZFS0221_1-Servers.bzs": BZFLAG,
        ".local/share/Space Station 14/launcher/settings.db": SPACE_STATION,
        ".config/VintagestoryData/clientsettings.json": VINTAGE_STORY,
        ".utpg/System/UnrealTournament.ini": UNREAL,
        ".config/doomseeker/doomseeker.ini": DOOMSEEKER,
        ".odalaunch": ODALAUNCH,
    },
    "win32": {
        "AppData/Roaming/DDNet/settings_ddnet.cfg": TEEWORLDS,
        "AppData/Roaming/.minecraft/servers.dat": MINECRAFT,
        "Documents/GTA San Andreas User Files/SAMP/USERDATA.DAT": SAMP,
        "Programs/MTA San Andreas 1.6/MTA/config/coreconfig.xml": MTA,
        "Documents/OpenTTD/openttd.cfg": OPENTTD,
        "AppData/Roaming/Space Station 14/launcher/settings.db": SPACE_STATION,
    },
    "darwin": {
        "Library/Application Support/minecraft/servers.dat": MINECRAFT,
        "Library/Application Support/minetest/client/serverlist/favoriteservers.txt": LUANTI_TEXT,
        "Library/Application Support/Space Station 14/launcher/settings.db": SPACE_STATION,
        "Documents/OpenTTD/openttd.cfg": OPENTTD,
    },
}


@pytest.mark.parametrize("platform", FILES)
def test_files_are_found(platform: str, tmp_path: Path) -> None:
    games = load_games(resource_folder() / "games")
    for name, content in FILES[platform].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    files = list_possible_files(platform, tmp_path, {"PROGRAMFILES(X86)": str(tmp_path / "Programs")})
    contents = {content.path.relative_to(tmp_path).as_posix(): content for content in find_server_lists(files)}
    assert contents.keys() == FILES[platform].keys()
    assert not any(content.problem for content in contents.values())
    favourites = [
        convert_to_favourite(games, file.source, server, 0.0) for file in contents.values() for server in file.servers
    ]
    assert {each.game for each in favourites} <= set(games)
    found = {(each.game, each.protocol, each.address) for each in favourites}
    if platform == "linux":
        assert ("odamex", "odamex", Address("oda.example.org", 10666)) in found
        assert ("ut", "gamespy1", Address("192.0.2.7", 7778)) in found
        assert ("sauerbraten", "cube2", Address("192.0.2.7", 28796)) in found
        assert ("openttd", "listed", code_address("openttd", "+aBcD1234")) in found
        assert ("ss14", "ss14", Address("192.0.2.7", 1213)) in found
    if platform == "win32":
        assert ("mta", "ase", Address("192.0.2.7", 22126)) in {
            (each.game, each.protocol, each.address) for each in favourites
        }
        assert ("ddnet", "teeworlds07") in {(each.game, each.protocol) for each in favourites}
