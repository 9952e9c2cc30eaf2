"""Conversion of replies to `ServerInfo`, including hostile and recorded ones."""

import json
import time
import timeit
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from a2s_samples import a2s_info
from hypothesis import given
from hypothesis import strategies as st
from recorded_data import expected_recordings

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import PlayerInfo, QueryTarget, ServerInfo
from browser_app.catalogue.suspicion import SuspicionMark, suspicions_of
from browser_app.games.game_registry import GameRegistry, load_games
from browser_app.paths import resource_folder
from browser_app.protocols.a2s.a2s import A2SInfo, A2SPlayer, A2SReply
from browser_app.protocols.a2s.a2s_parser import parse_info
from browser_app.protocols.address import Address
from browser_app.protocols.quake.quake3 import Quake3Player, Quake3Reply
from browser_app.protocols.quake.quake3 import parse_quake3_reply as read_status
from browser_app.protocols.query_session import QueryParts

QUERY = Address("192.0.2.1", 27016)


@cache
def _games() -> GameRegistry:
    return load_games(resource_folder() / "games")


def _info(**changes: object) -> A2SInfo:
    ns2 = {"map": "ns2_veil", "folder": "Natural Selection 2", "game": "NS2", "appid": 4920, "players": 14}
    return a2s_info(**ns2 | {"version": "1.0.0.0", "port": None, "keywords": None} | changes)


def _a2s(reply: A2SReply, game: str | None = None, want: QueryParts = QueryParts.ALL) -> ServerInfo:
    return read_reply(reply, QueryTarget(QUERY, "a2s", game), _games(), want)


def _quake3(
    info: dict[str, str],
    players: list[Quake3Player] | None = None,
    *,
    protocol: str = "quake3",
    game: str | None = None,
    want: QueryParts = QueryParts.ALL,
) -> ServerInfo:
    reply = Quake3Reply(info, None if players is None else tuple(players))
    return read_reply(reply, QueryTarget(QUERY, protocol, game), _games(), want)


# A2S


def test_bots_are_not_players() -> None:
    found = _a2s(A2SReply(_info()))
    assert (found.players, found.bots, found.max_players, found.spectators) == (12, 2, 24, None)
    assert _a2s(A2SReply(_info(players=1, bots=3))).players == 0


def test_a2s_leaves_rest_unknown() -> None:
    found = _a2s(A2SReply(_info(appid=999_999, folder="nothing we know")))
    assert found.game is None
    assert (found.reserved, found.joinable, found.performance, found.server_skill) == (None, None, None, None)
    assert (found.rookie_only, found.player_list, found.rules) == (None, None, None)


@pytest.mark.parametrize(
    ("appid", "port", "connect"), [(4920, 27099, 27099), (4920, None, 27015), (4920, 0, 27015), (440, None, 27016)]
)
def test_connect_uses_game_port(appid: int, port: int | None, connect: int) -> None:
    assert _a2s(A2SReply(_info(appid=appid, port=port))).connect == Address("192.0.2.1", connect)


def test_reply_decides_game() -> None:
    assert _a2s(A2SReply(_info(appid=440)), game="ns2").game == "tf2"
    assert _a2s(A2SReply(_info(appid=999_999)), game="ns2").game is None
    assert _a2s(A2SReply(_info(appid=None, folder="?")), game="ns2").game == "ns2"


def test_controls_separate_words() -> None:
    assert _a2s(A2SReply(_info(name="\x01evil\n\tx  y\0"))).name == "evil x y"


def test_ns2_tags() -> None:
    tags = "344|siege|M|149|25|12|99|P_S644|R_S4|rookie_only|shine"
    found = _a2s(A2SReply(_info(keywords=tags)))
    assert (found.version, found.mode, found.mode_name) == ("344", "siege", "Siege")
    assert (found.performance, found.quality, found.reserved) == (12.0, 99.0, 4)
    assert (found.server_skill, found.rookie_only) == (644.0, True)
    assert "shine" in found.tags
    assert found.quick_play is True
    assert _a2s(A2SReply(_info(keywords="344|ns2|ignore_playnow"))).quick_play is False
    assert _a2s(A2SReply(_info(appid=440, keywords="ignore_playnow"))).quick_play is None


@pytest.mark.parametrize(
    ("keywords", "rules", "players", "skill"),
    [
        ("344|ns2|M|149|25|12|99|P_S0", None, 0, None),
        ("344|ns2|M|149|25|12|99|P_S0", None, 5, 0.0),
        ("344|ns2|M|149|25|12|99", None, 5, None),
        ("344|ns2|M|149|25|12|99", {b"AverageSkill": b"1234.5"}, 5, 1234.5),
        ("344|ns2|M|149|25|12|99", {b"AverageSkill": b"nan"}, 5, None),
        ("344|ns2|M|149|25|12|99", {b"AverageSkill": b"-nan"}, 5, None),
        ("344|ns2|M|149|25|12|99", {b"AverageSkill": b"0"}, 0, None),
        (None, {b"AverageSkill": b"900"}, 3, 900.0),
    ],
)
def test_empty_has_no_mean_skill(
    keywords: str | None, rules: dict[bytes, bytes] | None, players: int, skill: float | None
) -> None:
    reply = A2SReply(_info(keywords=keywords, players=players, bots=0), rules=rules)
    assert _a2s(reply).server_skill == skill


def test_rust_counts_from_tags() -> None:
    found = _a2s(A2SReply(_info(appid=252490, players=94, bots=0, keywords="oxide,mp300,cp280,qp9,v1344")))
    assert (found.players, found.max_players) == (280, 300)


@pytest.mark.parametrize(
    ("steam_id", "key"), [(85568392923044780, "steam:85568392923044780"), (90096642544037896, None)]
)
def test_persistent_steam_id_is_key(steam_id: int, key: str | None) -> None:
    assert _a2s(A2SReply(_info(steam_id=steam_id))).stable_key == key


def test_a2s_players_and_rules() -> None:
    players = (
        A2SPlayer("Ann\x1b[2J", 7, 61.5),
        A2SPlayer("", 0, -1.0),
        A2SPlayer("B", 1, float("nan")),
        A2SPlayer("C", 1, -57.0),
    )
    found = _a2s(A2SReply(_info(bots=0), players, {b"mp_\xff": b"a\x00\xe2\x80\xaeb"}))
    assert found.player_list == (
        PlayerInfo("Ann [2J", 7.0, 61.5, None, None, False),
        PlayerInfo("", 0.0, None, None, None, False),
        PlayerInfo("B", 1.0, None, None, None, False),
        PlayerInfo("C", 1.0, -57.0, None, None, False),
    )
    assert [row.time_on_server_s for row in found.player_list] == [61.5, None, None, None]
    assert found.rules == {"mp_\ufffd": "a b"}
    with_bots = _a2s(A2SReply(_info(bots=1), players))
    assert [row.bot for row in with_bots.player_list or ()] == [None] * 4


@pytest.mark.parametrize(
    ("times", "mark"), [((-7.0, 20.0, 535.0), SuspicionMark.NEGATIVE_TIME), ((-1.0, -0.1, 20.0), SuspicionMark(0))]
)
def test_negative_times_but_unknown_minus_one(times: tuple[float, ...], mark: SuspicionMark) -> None:
    found = _a2s(A2SReply(_info(bots=0), tuple(A2SPlayer("Ann", 7, seconds) for seconds in times)))
    assert suspicions_of(found, found.player_list or ()) == mark


def test_unrequested_parts_are_dropped() -> None:
    reply = A2SReply(_info(), (A2SPlayer("Ann", 1, 1.0),), {b"a": b"b"})
    found = _a2s(reply, want=QueryParts.INFO)
    assert (found.player_list, found.rules) == (None, None)
    found = _quake3({"mapname": "q3dm17"}, [Quake3Player("Ann", "1", 50, None)], want=QueryParts.INFO)
    assert (found.players, found.player_list, found.rules) == (1, None, None)


# Quake III and its family

STATUS = {
    "sv_hostname": "^1Red ^7Server", "mapname": "q3dm17", "g_gametype": "4", "sv_maxclients": "16",
    "sv_privateClients": "2", "g_needpass": "1", "version": "ioq3 1.36", "gamename": "baseq3", "protocol": "68",
}  # fmt: skip


def test_player_lines_are_counted() -> None:
    lines = [
        Quake3Player("^2Ann", "5", 50, None),
        Quake3Player("new", "0", 999, None),
        Quake3Player("Bot", "9", 0, None),
    ]
    found = _quake3(STATUS, lines)
    assert (found.game, found.name, found.coloured_name) == ("quake3", "Red Server", "^1Red ^7Server")
    assert (found.players, found.bots, found.spectators) == (2, 1, None)
    assert (found.max_players, found.reserved, found.password) == (16, 2, True)
    assert (found.mode, found.mode_name, found.version) == ("ctf", "Capture the Flag", "ioq3 1.36")
    assert found.player_list is not None
    assert found.player_list[0] == PlayerInfo("Ann", 5.0, None, 50.0, None, False)
    assert found.player_list[2] == PlayerInfo("Bot", 9.0, None, None, None, True)
    assert found.rules is not None
    assert found.rules["sv_hostname"] == "Red Server"
    assert found.connect == QUERY


@pytest.mark.parametrize(
    ("counts", "players", "bots"),
    [
        ({"clients": "5", "g_humanplayers": "3"}, 3, 2),
        ({"clients": "5"}, 5, None),
        ({"clients": "5", "bots": "4"}, 5, 4),
        ({}, None, None),
        ({"clients": "99999999999999"}, None, None),
        ({"clients": "-3"}, None, None),
        ({"clients": "²"}, None, None),
    ],
)
def test_info_counts_from_keys(counts: dict[str, str], players: int | None, bots: int | None) -> None:
    found = _quake3({"hostname": "A", "sv_maxclients": "8", "gametype": "4", "protocol": "68", **counts}, game="quake3")
    assert (found.players, found.bots, found.player_list) == (players, bots, None)
    assert (found.max_players, found.reserved, found.mode) == (8, None, "ctf")


def test_warsow_spectators_by_score() -> None:
    info = {"gamename": "Warsow", "g_needpass": "0", "gametype": "bomb", "sv_maxclients": "32"}
    lines = [Quake3Player("a", "-9999", 8, 0), Quake3Player("b", "2", 11, 3), Quake3Player("c", "1", 0, 2)]
    found = _quake3(info, lines)
    assert (found.players, found.bots, found.spectators) == (1, 1, 1)
    assert (found.mode, found.password) == ("bomb", False)
    assert _quake3(info, []).spectators == 0


def test_fivem_counts() -> None:
    info = {
        "sv_maxclients": "512", "clients": "387", "gamename": "CitizenFX", "protocol": "4",
        "hostname": "^1Los ^7Santos", "gametype": "Roleplay", "mapname": "San Andreas", "iv": "1234",
    }  # fmt: skip
    found = _quake3(info, None, protocol="fivem")
    assert (found.game, found.name, found.mode, found.map) == ("fivem", "Los Santos", "Roleplay", "San Andreas")
    assert (found.players, found.max_players, found.bots, found.spectators) == (387, 512, None, None)
    assert _quake3(info | {"sv_maxclients": "2049"}, None, protocol="fivem").max_players is None
    assert _quake3(info, None).max_players is None  # more than the engines of Quake III have


XONOTIC = {
    "gamename": "Xonotic", "modname": "data", "gameversion": "806", "sv_maxclients": "16", "clients": "9", "bots": "2",
    "mapname": "dance", "hostname": "^x0F0Duel ^7place", "protocol": "3",
    "qcstatus": "ctf:0.8.6:P0:S7:F6:TINVALID:MXonotic::score!!:caps!!:5:9:14:8",
    "d0_blind_id": "1 HSALTRUJf4ShAOk+oZDUOtijIquc73hCoO9tai62qRE=@Xon//KssdlzGk",
}  # fmt: skip


def _xonotic(changes: dict[str, str] | None = None, players: list[Quake3Player] | None = None) -> ServerInfo:
    return _quake3({**XONOTIC, **(changes or {})}, players, protocol="darkplaces")


def test_clients_include_spectators() -> None:
    lines = [
        Quake3Player("plays", "36.0465", 40, 1), Quake3Player("watches", "-666", 41, None),
        Quake3Player("watches too", "0", 42, 0), Quake3Player("bot", "3", 0, 2), Quake3Player("idle bot", "-666", 0, 0),
    ]  # fmt: skip
    found = _xonotic(players=lines)
    assert (found.players, found.bots, found.spectators, found.max_players) == (5, 2, 2, 16)
    rows = found.player_list or ()
    assert [(row.score, row.spectator, row.bot) for row in rows[:4]] == [
        (pytest.approx(36.0465), False, False), (None, True, False), (None, True, False), (3.0, False, True),
    ]  # fmt: skip


def test_spectators_need_player_list() -> None:
    found = _xonotic()
    assert (found.players, found.spectators, found.player_list) == (7, None, None)
    assert _xonotic({"bots": "-1"}).players == 9
    assert _xonotic({"clients": "1", "bots": "5"}).players == 0


def test_darkplaces_full_status_roles() -> None:
    lines = [Quake3Player("a", "12,3:human:spectator", 40, None), Quake3Player("b", "12,3:bot", 5, None)]
    rows = _xonotic(players=lines).player_list or ()
    assert [(row.score, row.spectator, row.bot) for row in rows] == [(None, True, False), (12.0, False, True)]


def test_xonotic_qcstatus() -> None:
    found = _xonotic()
    assert (found.game, found.name) == ("xonotic", "Duel place")
    assert (found.mode, found.mode_name, found.version) == ("ctf", "Capture the Flag", "0.8.6")
    assert (found.joinable, found.password, found.reserved) == (True, None, None)
    assert found.stable_key == "d0:HSALTRUJf4ShAOk+oZDUOtijIquc73hCoO9tai62qRE="
    assert found.tags == ()


@pytest.mark.parametrize("wrong", [" ", "\x01", "\x7f", "\u202e", "\u0130"])
def test_stable_key_is_printable(wrong: str) -> None:
    assert _xonotic({"d0_blind_id": f"1 {'A' * 44}@"}).stable_key == "d0:" + "A" * 44
    assert _xonotic({"d0_blind_id": f"1 {'A' * 43}{wrong}@"}).stable_key is None


@pytest.mark.parametrize(
    ("qcstatus", "joinable", "mode", "tags"),
    [
        ("duel:git:P191:S0:F5:MXDF::fastest<!!", False, "duel", ("XDF",)),
        ("surv:0.8.6:P0::score", None, "surv", ()),
        ("nonsense", None, None, ()),
        ("", None, None, ()),
    ],
)
def test_other_xonotic_states(qcstatus: str, joinable: bool | None, mode: str | None, tags: tuple[str, ...]) -> None:
    found = _xonotic({"qcstatus": qcstatus})
    assert (found.joinable, found.mode, found.tags) == (joinable, mode, tags)


@pytest.mark.parametrize(
    ("gameversion", "version"), [("806", "0.8.6"), ("700", "0.7.0"), ("20503", "2.5.3"), ("65535", "git"), ("x", "git")]
)
def test_version_as_game_shows_it(gameversion: str, version: str) -> None:
    assert _xonotic({"gameversion": gameversion, "qcstatus": "dm:git:P0"}).version == version


# Hostile texts


def test_texts_are_plain_and_short() -> None:
    nasty = "\x1b[31m\u202eevil\n" + "x" * 10_000
    found = _quake3({**STATUS, "sv_hostname": nasty, "mapname": nasty, "g_gametype": nasty, "version": nasty})
    for text in (found.name, found.map, found.mode, found.version):
        assert text is not None
        assert text.startswith("[31mevil xxx")
        assert text.isprintable()
        assert len(text) <= 128
    assert len(found.coloured_name) <= 512
    name = _a2s(A2SReply(_info(name=nasty, map=nasty, keywords=nasty * 10))).name
    assert name.startswith("[31mevil")
    assert len(name) <= 128


def test_mode_of_control_characters_is_unknown() -> None:
    assert _quake3({**STATUS, "g_gametype": "\x14"}).mode is None


_LINES = st.builds(
    Quake3Player, st.text(), st.text(min_size=1), st.integers(-999, 9999), st.none() | st.integers(-5, 20)
)


@given(
    st.dictionaries(st.sampled_from([*STATUS, *XONOTIC, "pswrd", "fs_game", "g_humanplayers"]), st.text()),
    st.none() | st.lists(_LINES),
    st.sampled_from(["quake3", "darkplaces"]),
)
def test_any_quake3_reply_is_read(info: dict[str, str], players: list[Quake3Player] | None, protocol: str) -> None:
    found = _quake3(info, players, protocol=protocol)
    assert all(count is None or 0 <= count < 100_000 for count in (found.players, found.bots, found.max_players))
    assert found.rules is not None
    assert not any(unicodedata.category(char) == "Cc" for value in found.rules.values() for char in value)


@given(st.text(), st.none() | st.text(), st.integers(0, 255), st.integers(0, 255), st.integers(0, 2**64 - 1))
def test_any_a2s_reply_is_read(name: str, keywords: str | None, players: int, bots: int, steam_id: int) -> None:
    for appid in (4920, 252490, 440, None):
        found = _a2s(
            A2SReply(_info(name=name, keywords=keywords, players=players, bots=bots, steam_id=steam_id, appid=appid))
        )
        assert found.players is not None
        assert found.players >= 0


# Recorded replies


def _records(path: Path, *queries: str) -> Iterator[dict[str, object]]:
    for text in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(text)
        if record["query"] in queries and len(record["datagrams"]) == 1:
            yield record


def test_recorded_quake3_replies(data_dir: Path) -> None:
    seen = 0
    for record in _records(data_dir / "packets" / "quake3.jsonl", "status", "info"):
        expected, kinds = record["expected"], record["kinds"]
        reply = read_status(bytes.fromhex(record["datagrams"][0]))  # type: ignore[index]
        protocol = "darkplaces" if "darkplaces" in kinds else "quake3"  # type: ignore[operator]
        found = read_reply(reply, QueryTarget(QUERY, protocol, None), _games())
        info, lines = expected["info"], expected.get("players", [])  # type: ignore[index, attr-defined]
        assert found.max_players == int(info["sv_maxclients"]), record["id"]
        assert found.map == info["mapname"], record["id"]
        if protocol == "quake3" and record["query"] == "status":
            people = [line for line in lines if line["ping"] != 0 and line["score"] != -9999]
            assert found.players == len(people), record["id"]
        assert found.name, record["id"]
        assert "^7" not in found.name, record["id"]
        seen += 1
    assert seen >= expected_recordings(data_dir).quake3_status_replies


def test_recorded_a2s_replies(data_dir: Path) -> None:
    seen = 0
    for record in _records(data_dir / "packets" / "a2s.jsonl", "info"):
        expected = record["expected"]
        reply = A2SReply(parse_info(bytes.fromhex(record["datagrams"][0])[4:]))  # type: ignore[index]
        found = read_reply(reply, QueryTarget(QUERY, "a2s", None), _games())
        if found.game != "rust" and {"players", "bots", "max_players"} <= expected.keys():  # type: ignore[attr-defined]
            assert found.players == max(0, expected["players"] - expected["bots"]), record["id"]  # type: ignore[index]
            assert found.max_players == (expected["max_players"] or None), record["id"]  # type: ignore[index]
            seen += 1
        assert found.name.isprintable(), record["id"]
    assert seen >= expected_recordings(data_dir).a2s_counted


def test_reading_is_fast() -> None:
    reply = A2SReply(_info(appid=440, keywords="alltalk,increased_maxplayers,nocrits"))
    target, games = QueryTarget(QUERY, "a2s", None), _games()
    times = timeit.repeat(
        lambda: read_reply(reply, target, games), timer=time.thread_time, number=50, repeat=200
    )  # many short ones: some are not disturbed on a busy machine, either
    assert min(times) / 50 < 30e-6  # the goal is 5 µs


def test_impossible_slots_unknown() -> None:
    assert _xonotic({"sv_maxclients": "64"}).max_players == 64
    assert _xonotic({"sv_maxclients": "255"}).max_players == 255
    assert _xonotic({"sv_maxclients": "256"}).max_players is None
    assert _xonotic({"sv_maxclients": "0"}).max_players is None
    assert _quake3({**STATUS, "sv_privateClients": "256"}).reserved is None


def test_version_from_generic_key() -> None:
    urban_terror = {"gamename": "q3urt43", "version": "ioq3-urt 4.3.4", "g_modversion": "4.3.4"}
    assert _quake3(urban_terror).version == "4.3.4"
    del urban_terror["g_modversion"]
    found = _quake3(urban_terror)
    assert (found.game, found.version) == ("urbanterror", "ioq3-urt 4.3.4")


def test_game_port_from_master() -> None:
    target = QueryTarget(Address("192.0.2.7", 27016), "a2s", "ns2", 28123)
    assert read_reply(A2SReply(_info(port=None)), target, _games()).connect.port == 28123
    assert read_reply(A2SReply(_info(port=27099)), target, _games()).connect.port == 27099
