"""Lists on the web that are all that is known of a game's servers."""

import json
from collections.abc import Callable, Iterable, Iterator

import pytest

from browser_app.catalogue.reply_readers import listed_server_info as lists
from browser_app.catalogue.reply_readers.space_station_server_info import read_space_station_list
from browser_app.catalogue.server_info import DescribedServer, ServerInfo
from browser_app.games.game_registry import GameRegistry
from browser_app.protocols.address import Address
from browser_app.protocols.master_lists.described_list import DescribedListError
from browser_app.protocols.server_code import code_address

Read = Callable[[Iterable[bytes], GameRegistry], Iterator[DescribedServer | None]]

OPENRA = {
    "name": "Ore Lords", "address": "192.0.2.7:1234", "state": 1, "players": 2, "maxplayers": 8, "bots": 1,
    "spectators": 1, "mod": "ra", "modtitle": "Red Alert", "version": "release-20250330", "protected": True,
    "map": "abc", "location": "Austria",
    "clients": [{"name": "Ann", "isbot": False, "isspectator": True}, {"name": "Easy AI", "isbot": True}, 7],
}  # fmt: skip
BEAMMP = {
    "ip": "192.0.2.7", "port": "30814", "sname": "^l^bTouge ^rEvening", "players": "2", "maxplayers": "10",
    "map": "/levels/west_coast_usa/info.json", "version": "2.2", "password": False, "tags": "Freeroam, Lang:German",
    "playerslist": "Ann;Bob;", "owner": "Ada", "modlist": "",
}  # fmt: skip
VINTAGE_STORY = {
    "serverName": "Copper Age", "serverIP": "192.0.2.7:42420", "playstyle": {"id": "surviveandbuild"}, "players": "3",
    "maxPlayers": "16", "gameVersion": "1.20.4", "hasPassword": True, "whitelisted": True, "gameDescription": "Hi",
}  # fmt: skip
NORTHSTAR = {
    "id": "0123456789abcdef", "name": "Attrition", "description": "Hi", "playerCount": 9, "maxPlayers": 16,
    "map": "mp_glitch", "playlist": "aitdm", "hasPassword": False,
}  # fmt: skip
STATION = {"address": "ss14s://station.example.org/server/a", "statusData": {"name": "A", "players": 5}}


def read_one(read: Read, document: object, games: GameRegistry) -> ServerInfo:
    ((server),) = read([json.dumps(document).encode()], games)
    assert server is not None
    assert (server.target.protocol, server.target.address) == ("listed", server.info.connect)
    assert server.target.game == server.info.game
    return server.info


def test_openra_list(games: GameRegistry) -> None:
    info = read_one(lists.read_openra_list, [OPENRA], games)
    assert (info.game, info.name, info.connect) == ("openra-ra", "Ore Lords", Address("192.0.2.7", 1234))
    assert (info.players, info.max_players, info.bots, info.spectators) == (2, 8, 1, 1)
    assert (info.version, info.password, info.closed) == ("release-20250330", True, False)
    assert [(each.name, each.bot, each.spectator) for each in info.player_list or ()] == [
        ("Ann", False, True),
        ("Easy AI", True, None),
    ]
    unnamed = read_one(lists.read_openra_list, [OPENRA | {"clients": []}], games)
    assert (unnamed.players, unnamed.player_list) == (info.players, None)
    assert read_one(lists.read_openra_list, [OPENRA | {"clients": [], "players": 0}], games).player_list == ()
    begun = read_one(lists.read_openra_list, [OPENRA | {"state": 2}], games)
    assert (begun.joinable, begun.closed) == (False, True)
    assert read_one(lists.read_openra_list, [OPENRA | {"mod": "other"}], games).game is None


def test_beammp_list(games: GameRegistry) -> None:
    info = read_one(lists.read_beammp_list, [BEAMMP], games)
    assert (info.game, info.name, info.connect) == ("beammp", "Touge Evening", Address("192.0.2.7", 30814))
    assert (info.players, info.max_players, info.map, info.version) == (2, 10, "west_coast_usa", "2.2")
    assert (info.password, info.tags) == (False, ("Freeroam", "Lang:German"))
    assert info.language == "de"
    assert [each.name for each in info.player_list or ()] == ["Ann", "Bob"]
    assert dict(info.rules or {}) == {"owner": "Ada"}


def test_vintage_story_list(games: GameRegistry) -> None:
    info = read_one(lists.read_vintage_story_list, {"status": "ok", "data": [VINTAGE_STORY]}, games)
    assert (info.game, info.name, info.connect) == ("vintagestory", "Copper Age", Address("192.0.2.7", 42420))
    assert (info.players, info.max_players, info.mode, info.version) == (3, 16, "surviveandbuild", "1.20.4")
    assert (info.password, info.tags) == (True, ("whitelisted",))


def test_northstar_list(games: GameRegistry) -> None:
    info = read_one(lists.read_northstar_list, [NORTHSTAR], games)
    assert (info.game, info.name) == ("northstar", "Attrition")
    assert info.connect == code_address("northstar", "0123456789abcdef")
    assert (info.players, info.max_players, info.map, info.mode) == (9, 16, "mp_glitch", "aitdm")
    assert info.password is False


def test_stations_behind_proxy_have_codes(games: GameRegistry) -> None:
    info = read_one(read_space_station_list, [STATION], games)
    assert (info.game, info.players) == ("ss14", 5)
    assert info.connect == code_address("ss14s", "station.example.org/server/a")


@pytest.mark.parametrize(
    ("read", "entry"),
    [
        (lists.read_openra_list, OPENRA | {"address": "224.0.0.1:1234"}),
        (lists.read_openra_list, OPENRA | {"address": None}),
        (lists.read_beammp_list, BEAMMP | {"port": "70000"}),
        (lists.read_beammp_list, BEAMMP | {"ip": "-bad-"}),
        (lists.read_northstar_list, NORTHSTAR | {"id": "a b"}),
        (lists.read_northstar_list, NORTHSTAR | {"id": 7}),
        (read_space_station_list, STATION | {"address": "ss14s://a b"}),
    ],
)
def test_entry_without_server(read: Read, entry: object, games: GameRegistry) -> None:
    assert list(read([json.dumps([entry, "x"]).encode()], games)) == [None, None]


@pytest.mark.parametrize(
    ("read", "entry"),
    [(lists.read_openra_list, OPENRA), (lists.read_beammp_list, BEAMMP)],
)
def test_wrong_values_are_unknown(read: Read, entry: dict[str, object], games: GameRegistry) -> None:
    kept = {"address", "ip", "port"}
    info = read_one(read, [{key: value if key in kept else {"odd": [1]} for key, value in entry.items()}], games)
    assert (info.name, info.players, info.max_players, info.version, info.password) == ("", None, None, None, None)
    assert not info.player_list
    assert not info.rules


@pytest.mark.parametrize(
    ("read", "entry", "key"),
    [
        (lists.read_openra_list, OPENRA, "maxplayers"),
        (lists.read_beammp_list, BEAMMP, "maxplayers"),
        (lists.read_northstar_list, NORTHSTAR, "maxPlayers"),
    ],
)
def test_no_slots_are_unknown(read: Read, entry: dict[str, object], key: str, games: GameRegistry) -> None:
    assert read_one(read, [entry | {key: 0}], games).max_players is None


def test_document_of_another_kind(games: GameRegistry) -> None:
    with pytest.raises(DescribedListError):
        list(lists.read_openra_list([b'{"servers": []}'], games))
    with pytest.raises(DescribedListError):
        list(lists.read_vintage_story_list([b"[]"], games))
