"""Good input for every reader, small and written here.

Recorded replies of real servers are added where available.
"""

import gzip
import json
import sqlite3
import struct
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from fuzz_fields import BREAK
from fuzz_protocols import SERVER
from goldsource_encoder import encode_goldsource_info

from browser_app.protocols.a2s import a2s_server
from browser_app.protocols.a2s.a2s import A2SInfo, A2SPlayer
from browser_app.protocols.address import Address
from browser_app.protocols.doom import odamex, zandronum
from browser_app.protocols.master_lists import warzone_list
from browser_app.protocols.minecraft.bedrock import LAN_PORT
from browser_app.protocols.quake import dpmaster_server, quake3_server
from browser_app.protocols.san_andreas import mta_list
from browser_app.protocols.teeworlds import teeworlds06, teeworlds07, teeworlds_master

INFO = A2SInfo(
    protocol=17, name="A server", map="ns2_veil", folder="naturalselection2", game="NS2", appid=4920, players=12,
    max_players=24, bots=2, server_type="d", environment="l", password=False, vac=True, version="344", port=27015,
    steam_id=90071992547409920, spectator_port=None, spectator_name=None, keywords="A|344|ns2|14|80|0|1500|",
    game_id=4920,
)  # fmt: skip
PLAYERS = tuple(A2SPlayer(name, score, 60.5) for name, score in (("Ann", 3), ("^1Bob", -1), ("", 0)))
RULES = {b"AverageSkill": b"1777.25", b"mods[1]": b"1fa", b"sv_cheats": b"0"}
STATUS = {
    "hostname": "^1A ^xf00server", "mapname": "dance", "sv_maxclients": "16", "clients": "3", "bots": "1",
    "gamename": "Xonotic", "protocol": "3", "qcstatus": "ctf:0.8.6:P0:S13:F0:MXonotic::score!!:caps!:5:2:14:1",
}  # fmt: skip
V4, V6 = SERVER, Address("2001:db8::7", 27960)
ON_LAN = Address("192.168.1.7", LAN_PORT)

PLAYER_LINES = b'12 40 "^1Ann"\n-666 0 "Bob \\"x"\n'
MASTER_URLS = (
    b"dpmaster://192.0.2.1:27950/?game=Xonotic&protocol=3",
    b"steam-web:?appid=4920&key=abc",
    b"json+https://example.org/list.json",
    b"file:/nowhere/list.json",
)

ROUND = {
    "id": "r1", "game": "ns2", "map": "ns2_veil", "mode": "ns2", "started": "2024-05-01T20:00:00Z", "duration": 600,
    "winner": "aliens", "teams": ["marines", "aliens"],
    "players": [
        {"id": "ann", "commanding": [{"team": "aliens", "enter": 300, "leave": 400}],
         "stays": [{"team": "marines", "enter": 0, "leave": 200.5}, {"team": "aliens", "enter": 210, "leave": 600}]},
        {"id": "bob", "stays": [{"team": "aliens", "enter": 0, "leave": 600}], "kills": 3, "quit": False},
    ],
}  # fmt: skip
EVENT_LOG = b""":logversion:3
:gamestart:ctf_dance:1540000000.123
:time:2018-10-20 01:46:40
:join:1:1:127.0.0.1:Ann
:join:2:2:bot:[BOT]Eve
:scores:ctf_dance:600
:labels:player:score!!,caps!,kills,deaths
:player:see-labels:10,1,5,2:590:5:1:^1Ann
:player:see-labels:3,0,5,2:590:14:2:Bob
:labels:teamscores:caps!!,score!
:teamscores:see-labels:1,10:5
:teamscores:see-labels:0,3:14
:end
"""
REPORT = b"""V 9
R Xonotic
G ctf
O Xonotic
M dance
I 1540000000.123
S A server
D 600
Q team#5
e scoreboard-caps 1
Q team#14
P abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV0=
i 1
n ^1Ann
t 5
e matches 1
e alivetime 590
e playtime 590
e joins 1
e scoreboardvalid 1
e scoreboard-score 10
P bot#1
i 2
n [BOT]Eve
t 14
e playtime 590
"""
MATCH_END = {
    "mapName": "ns2_veil", "gameTime": 600.0, "winner": 1, "name": "Server",
    "players": [
        {"steamId": 42, "nickname": "ann", "kills": 3, "score": 50, "debug_marineEntranceTimes": [0],
         "debug_marineExitTimes": [600]},
        {"steamId": 7, "nickname": "bob", "alienTime": 590.0, "commanderTime": 20.0},
        {"steamId": 0, "nickname": "bot"},
    ],
}  # fmt: skip
_FIGURES = {"1": [100.5, 0, 50.5, 3, 1, 2, 0, 0, 0, 0, 0, 0, 30], "2": [200, 0, 0, 4, 0, 5, 0, 0, 0, 0, 0, 0, 40]}
_NAMED = {"1": {"timePlayed": 800, "kills": 3}, "2": {"timePlayed": 0}}
SAVESTATS = {
    "RoundInfo": {"roundDate": 1_700_000_900, "roundLength": 900, "mapName": "ns2_tram", "winningTeam": 1},
    "ServerInfo": {"ip": "192.0.2.1", "port": 27015, "name": "S", "buildNumber": 344},
    "PlayerStats": {"7": {"playerName": "ann", "lastTeam": 1, **_NAMED}, "8": {"playerName": "bob", **_NAMED}},
}
_LISTED = {**SAVESTATS, "PlayerStats": {"7": {"playerName": "ann", "lastTeam": 1, **_FIGURES}}}
_ENDED = {"map": "ns2_tram", "length": 900.0, "winner": 2, "time": 1_700_000_900, "serverName": "S"}
WONITOR = "".join(
    urlencode({"messageType": kind, "serverId": "9", "data": json.dumps(data)}) + "\n"
    for kind, data in (("MatchEnd", _ENDED), ("Chat", {}), ("NS2PlusStats", _LISTED))
).encode()
TABLE = b"""id,started,duration,map,winner,player,team,enter,leave,kills,quit,weather
r1,2024-05-01T20:00:00Z,600,tram,B,ann,A,,,3,no,sun
r1,2024-05-01T20:00:00Z,600,tram,B,bob,B,0,100,,,rain
r1,,,,,bob,A,100,600,5,,
"""
LISTS = {
    "format": "ready-room lists", "version": 1,
    "favourites": [{"address": "192.0.2.7:27015", "name": "A", "added_at": 1.5, "protocol": "a2s", "game": "ns2"}],
    "notes": [{"address": "[2001:db8::7]:27960", "text": "good"}],
    "blocked": [{"kind": "network", "value": "192.0.2.0/24"}, {"kind": "name", "value": "bad*"}],
    "friends": [{"kind": "pattern", "value": "an*", "group": "friends"}],
    "saved_filters": [{"name": "full", "expression": "players>=2 -full"}],
}  # fmt: skip
VDF = b""""Filters"
{
 "Favorites" { "1" { "name" "A \\"server\\"" "address" "192.0.2.7:27015" "LastPlayed" "1540000000" "appid" "4920" } }
 "History" { "1" { "address" "192.0.2.8:27015" } } // and no more
}
"""


def _build_launcher_database() -> bytes:
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("PRAGMA page_size = 512")
        database.execute("CREATE TABLE FavoriteServer (Address TEXT PRIMARY KEY NOT NULL, Name TEXT)")
        database.execute("INSERT INTO FavoriteServer VALUES ('ss14://192.0.2.7:1212', 'A'), ('ss14s://a.bc/d', 'B')")
        database.commit()
        return database.serialize()


GAME_FAVOURITES = {
    "Minecraft's servers": (
        b"\x0a\0\0\x0b\0\4ints\0\0\0\1\0\0\0\7\x09\0\7servers\x0a\0\0\0\1"
        b"\x08\0\2ip\0\x09192.0.2.7\x08\0\4name\0\3\xc2\xa7A\x01\0\6hidden\0\0\0"
    ),
    "SA-MP's favourites": struct.pack("<4sIII9sII1sII", b"SAMP", 1, 1, 9, b"192.0.2.7", 7777, 1, b"A", 0, 0),
    "Multi Theft Auto's favourites": (
        b'<favourite_servers><favourite_server host="192.0.2.7" port="22003" /></favourite_servers>'
    ),
    "Teeworlds' favourites": (
        b'add_favorite "192.0.2.7:8303" "x"\nbegin_favorite_group\nadd_favorite tw-0.7+udp://[::1]:1\nend_favorite_group\n'
    ),
    "Luanti's favourites": b'[{"name": "A", "address": "192.0.2.7", "port": 30000, "description": "x"}]',
    "Luanti's old favourites": b"[server]\nA\n192.0.2.7\n30000\nx\n\n",
    "ezQuake's lists": b"192.0.2.7:27500 A\n[::1]:1\n",
    "Quake II's address book": b'set adr0 "192.0.2.7:27910"\nseta adr15 "q2.example.org"\n',
    "Sauerbraten's servers": b'keepserver 192.0.2.7 28785\naddserver "a.example.org" 1 "x"\n',
    "OpenTTD's servers": b"[servers]\n192.0.2.7:3979 =\n+aBcD =\n[bans]\n192.0.2.9\n",
    "BZFlag's cache": b"192.0.2.7:5154".ljust(201, b"\0") + b"a; A".ljust(402, b"\0") + bytes(60) + b"\1" + bytes(4),
    "Armagetron's bookmarks": b"BOOKMARK_0_NAME A\\ b\nBOOKMARK_0_ADDRESS 192.0.2.7\nBOOKMARK_0_PORT 4534\n",
    "Unreal's favourites": b"[UBrowser.UBrowserFavoritesFact]\r\nFavorites[0]=A\\192.0.2.7\\7778\\True\r\n",
    "Doomseeker's servers": b'CustomServers="(Zandronum;192.0.2.7;10666;1)(Chocolate%20Doom;[::1];2342)"\n',
    "Odamex's launcher": b"[CustomServers/0]\nAddress=192.0.2.7\nPort=10666\n[CustomServers/0/Substitute]\n",
    "Vintage Story's settings": b'{"stringListSettings": {"multiplayerservers": ["A,192.0.2.7:42420,x"]}}',
    "Space Station 14's launcher": _build_launcher_database(),
}
SETTINGS = b"""[scan]
pace = "fast"
masters = ["dpmaster://192.0.2.1:27950/?game=Xonotic&protocol=3"]

[window]
theme = "dark"
language = "de"

[people]
friends = ["Ann", "B*"]
"""
FILTERS = (
    b'players:2..10 ping<80 -(full | password) map:ns2_*,"tram" "exact words" game:ns2',
    b"name=a* score>=50 -bots>0 mode:ctf|duel",
    b"country:de,fr full",
)
LINKS = (
    b"192.0.2.7:27015",
    b"steam://connect/192.0.2.7:27015/secret",
    b"connect 192.0.2.7:27015; password secret",
    b"readyroom://join?server=a2s://192.0.2.7:27015&game=ns2",
    b"quake3://connect/[2001:db8::7]:27960",
    b"darkplaces://example.org:26000/",
)
IDENTITIES = (
    b"76561197960265729", b"STEAM_0:1:22202", b"[U:1:44405]", b"https://steamcommunity.com/id/someone/",
    b"ID-Fingerprint: abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO12=", b"Ann*",
)  # fmt: skip


def as_json(value: Any) -> bytes:
    """A document."""
    return json.dumps(value).encode()


def packed(data: bytes) -> bytes:
    """The same compressed, always in the same bytes."""
    return gzip.compress(data, mtime=0)


def a2s_exchanges() -> tuple[bytes, ...]:
    """What servers send: plain, challenged, split."""
    info, players, rules = (
        a2s_server.encode_info(INFO), a2s_server.encode_players(PLAYERS), a2s_server.encode_rules(RULES),
    )  # fmt: skip
    whole = BREAK.join((info, players, rules))
    challenge = a2s_server.encode_challenge(b"\1\2\3\4")
    split = BREAK.join(a2s_server.split_source_reply(info + b"\0" * 2000, 7, size=600))
    gold = encode_goldsource_info(INFO)
    return whole, BREAK.join((challenge, info, challenge, players)), split, info, gold


def quake3_exchanges() -> tuple[bytes, ...]:
    """A status and an info reply."""
    status = quake3_server.encode_status_response(STATUS, (), challenge="token000")
    return status + PLAYER_LINES, quake3_server.encode_info_response(STATUS, challenge="token000"), status


def master_packets() -> tuple[bytes, ...]:
    """Both forms of a master's list."""
    return (
        *dpmaster_server.encode_servers_response([V4] * 5),
        *dpmaster_server.encode_servers_response([V4, V6, V6], extended=True),
    )


def teeworlds_master_packets() -> tuple[bytes, ...]:
    """The token of a master of Teeworlds 0.7, then a part of its list."""
    token = teeworlds07.CONTROL_HEADER + b"ownt" + teeworlds07.TOKEN_MESSAGE + b"srv1"
    record = bytes(10) + b"\xff\xff\xc0\0\2\7\x20\x6f"
    return (BREAK.join((token, b"\x21owntsrv1" + teeworlds_master.LIST_REPLY + record * 3)),)


def requests() -> tuple[bytes, ...]:
    """What servers and masters are sent."""
    head = b"\xff\xff\xff\xff"
    return (
        head + b"TSource Engine Query\0", head + b"U\1\2\3\4", head + b"getstatus token000", head + b"getinfo token000",
        head + b"getservers Xonotic 3 empty full", head + b"getserversExt Xonotic 3 empty full ipv6",
        b"\xff\xff\xff\xffheartbeat DarkPlaces\n",
        teeworlds06.build_info_request_06(1), teeworlds07.build_token_request(b"abcd"),
        teeworlds07.build_info_request_07(b"abcd", b"efgh", 1),
        head + b"status 23\n", zandronum.build_zandronum_request(1), odamex.build_odamex_request(1),
    )  # fmt: skip


def steam_lists() -> tuple[bytes, ...]:
    """Both lists of Steam's Web API, and a community's."""
    server = {
        "addr": "192.0.2.7:27016", "gameport": 27015, "steamid": "90071992547409920", "name": "A", "appid": 4920,
        "gamedir": "ns2", "version": "344", "product": "ns2", "region": 3, "players": 2, "max_players": 24, "bots": 0,
        "map": "ns2_veil", "secure": True, "dedicated": True, "os": "l", "gametype": "a,b",
    }  # fmt: skip
    at = {"addr": "192.0.2.7:27016", "gmsindex": 65534, "appid": 4920, "gamedir": "ns2", "gameport": 27015}
    return (
        as_json({"response": {"servers": [server, server]}}),
        as_json({"response": {"success": True, "servers": [at]}}),
        as_json({"servers": ["a2s://192.0.2.7:27015", {"protocol": "quake3", "address": "[::1]:1", "game": "q"}]}),
    )


HTTP_LIST_ENTRIES: Final[Mapping[str, object]] = {
    "ss14": {
        "address": "ss14://192.0.2.7:1212",
        "statusData": {"name": "A", "players": 4, "soft_max_players": 80, "run_level": 1, "tags": ["rp:low"]},
    },
    "mindustry": {"name": "A", "address": ["192.0.2.7", "play.example.org:6568"]},
    "openra": {"name": "A", "address": "192.0.2.7:1234", "state": 1, "mod": "ra", "players": 2, "maxplayers": 8},
    "beammp": {"ip": "192.0.2.7", "port": "30814", "sname": "^lA", "players": "2", "map": "/levels/utah/info.json"},
    "northstar": {"id": "0123456789abcdef", "name": "A", "playerCount": 9, "maxPlayers": 16, "map": "mp_glitch"},
}
"""An entry of each list that is a list of objects, by the first part of the scheme of its URLs."""


_GAME_INFO = b"\x06\x01" + bytes(14) + b"\x0f\0\0A\x0014.1\0\0\x19\1\0\0\1\0\1\0\1"
_WARZONE_GAME = warzone_list.GAME.pack(
    4,
    b"A",
    b"192.0.2.7",
    4,
    2,
    14,
    0x10003,
    0,
    0,
    b"",
    b"",
    b"Extra",
    2100,
    b"Sk-Rush",
    b"Ann",
    b"4.5.5",
    b"",
    *range(9),
)
_LISTING = (b"\1\x00192.0.2.7:3979\0" + _GAME_INFO, b"\1\0+AbC\0" + _GAME_INFO, b"\0\0")
TEXT_LISTS: Final[Mapping[str, bytes]] = {
    "assaultcube": b"addserver 192.0.2.7 28763 12;\naddserver a.example 28765\n",
    "bzflag": b"NOTICE: hello\na.example:5154 BZFS0221 " + bytes(range(29)).hex().encode() + b" 192.0.2.7 A title\n",
    "supertuxkart": b"<list><servers><server>"
    b'<server-info ip="3221225991" port="2759" name="A" max_players="8" current_players="1" game_mode="3"/>'
    b'<players><player-info username="Ann"/></players></server></servers></list>',
    "mumble": b'<servers><server name="A" ip="192.0.2.7" port="64738"/><server ip="a.example" port="1"/></servers>',
    **dict.fromkeys(
        ("srb2", "srb2kart", "ringracers"), b"33\n192.0.2.7 5029 My%20Server v2.2.15\n\n192.0.2.8 5030 Ann\n"
    ),
    "warzone2100": b"\0\0\0\1" + _WARZONE_GAME + b"\0\0\0\xc8\0\0\0\2Hi\0\0\0\1\0\0\0\2" + _WARZONE_GAME * 2,
    "openttd": b"".join((3 + len(each)).to_bytes(2, "little") + b"\5" + each for each in _LISTING),
}
"""A list of each other form that is not JSON, by the first part of the scheme of its URLs."""


def described_lists(form: str) -> tuple[bytes, ...]:
    """A list of servers in one of the forms of single games."""
    if form == "openmp":
        core = {
            "ip": "192.0.2.7:7777", "hn": "A", "pc": 2, "pm": 50, "gm": "RP", "la": "English", "pa": False,
            "vn": "omp 1.5.8", "omp": True, "pr": False,
        }  # fmt: skip
        return (as_json([{"ip": core["ip"], "core": core}]),)
    if form in TEXT_LISTS:
        return (TEXT_LISTS[form],)
    if form == "quake2":
        return (b"192.0.2.7:27910\n192.0.2.8:27911\n", b"\xc0\0\2\7\x6d\x06\xc0\0\2\x08\x6d\x07")
    if form == "vcmp":
        return (as_json({"success": True, "servers": [{"ip": "192.0.2.7", "port": 8192, "is_official": True}]}),)
    if form == "mta":
        texts = (b"mta", b"#FF0000A", b"Race", b"None", b"1.6")
        fields = struct.pack(">HH", 2, 64) + b"".join(bytes([len(each)]) + each for each in texts)
        fields += b"\1\0" + struct.pack(">H", 2) + b"\3Ann\3Bob" + b"\0"
        record = mta_list.RECORD_HEADER.pack(mta_list.RECORD_HEADER.size + len(fields), b"\7\2\0\xc0", 22003) + fields
        return (mta_list.HEADER.pack(0, mta_list.VERSION, 0x1FFF, 1, 2) + record * 2 + b"\x12\x34\x56\x79",)
    if form == "luanti":
        server = {
            "address": "192.0.2.7", "port": 30000, "name": "A", "gameid": "minetest", "version": "5.9.0", "clients": 1,
            "clients_max": 20, "clients_list": ["Ann"], "mods": ["x"], "pvp": True, "description": "x",
        }  # fmt: skip
        return (as_json({"list": [server]}),)
    if form == "vintagestory":
        server = {"serverName": "A", "serverIP": "192.0.2.7:42420", "players": "2", "maxPlayers": "16"}
        return (as_json({"status": "ok", "data": [server]}),)
    if form in HTTP_LIST_ENTRIES:
        return (as_json([HTTP_LIST_ENTRIES[form]]),)
    client = {"name": "Ann", "clan": "x", "country": -1, "score": 5, "is_player": True}
    info = {
        "name": "A", "version": "0.6.4", "game_type": "DM", "passworded": False, "max_players": 16, "max_clients": 16,
        "map": {"name": "dm1"}, "clients": [client],
    }  # fmt: skip
    return (as_json({"servers": [{"addresses": ["tw-0.6+udp://192.0.2.7:8303"], "info": info}]}),)


def player_answers() -> tuple[bytes, ...]:
    """What Steam and XonStat say of a player."""
    stats = [{"name": "skill", "value": 1500}, {"name": "skill_offset", "value": 20}, {"name": "adagrad", "value": 2.5}]
    skill = {"player_id": 7, "game_type_cd": "ctf", "mu": 1200.5, "sigma": 80.0}
    game = {"game_type_cd": "ctf", "create_dt": "2018-10-20T01:46:40Z", "map_name": "dance", "server_name": "^1A"}
    return (
        as_json({"playerstats": {"steamID": "76561197960265729", "stats": stats}}),
        as_json({"response": {"steamid": "76561197960265729", "success": 1}}),
        as_json([skill, {**skill, "game_type_cd": "duel"}]),
        as_json([game, game]),
    )


def ioquake3_cache() -> bytes:
    """One favourite among 128 places; the rest is zeros."""
    address = struct.pack("<i4s16s2s", 4, b"\xc0\0\2\7", bytes(16), b"\x69\x87")
    record = address.ljust(32, b"\0") + b"^1A".ljust(132, b"\0")
    size = 164 * (4096 + 128)
    return struct.pack("<iii", 0, 1, size) + bytes(164 * 4096) + record + bytes(164 * 127)


def recorded(folders: Sequence[Path], name: str) -> tuple[bytes, ...]:
    """Exchanges of real servers, at most 200 of one file of records."""
    paths = [folder / "packets" / f"{name}.jsonl" for folder in folders]
    lines = [line for path in paths if path.is_file() for line in path.read_text(encoding="utf-8").splitlines()[:200]]
    entries = map(json.loads, lines)
    return tuple(BREAK.join(map(bytes.fromhex, entry["datagrams"])) for entry in entries)


def recorded_rounds(folders: Sequence[Path]) -> tuple[bytes, ...]:
    """Recorded files of rounds that are small."""
    patterns = ("xonstat/*", "ns2plus/*.json")
    paths = sorted(path for folder in folders for pattern in patterns for path in folder.glob(pattern))
    return tuple(path.read_bytes() for path in paths if path.stat().st_size < 32_768)
