"""Replies of QuakeWorld, Quake II and the games on its engine as server info."""

import json
from pathlib import Path

import numpy as np
import pytest
from family_servers import exchanges
from recorded_data import ADDED, data_folders

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.protocols.quake.quake2 import STATUS_HEADER as QUAKE2_HEADER
from browser_app.protocols.quake.quake2 import parse_quake2_reply
from browser_app.protocols.quake.quakeworld import STATUS_HEADER, parse_quakeworld_reply

GAMES = load_games(resource_folder() / "games")
SERVER = Address("192.0.2.7", 27500)


def quakeworld(infostring: str, *lines: str) -> ServerInfo:
    data = STATUS_HEADER + "\n".join((infostring, *lines, "")).encode("latin-1")
    return read_reply(parse_quakeworld_reply(data), QueryTarget(SERVER, "quakeworld", None), GAMES)


def quake2(infostring: str, *lines: str) -> ServerInfo:
    return quake2_info(QUAKE2_HEADER + "\n".join((infostring, *lines, "")).encode("latin-1"))


def quake2_info(data: bytes) -> ServerInfo:
    return read_reply(parse_quake2_reply(data), QueryTarget(SERVER, "quake2", None), GAMES)


def test_recorded_server_has_players_and_spectators() -> None:
    (busy,) = (each for each in exchanges("quakeworld") if each.what == "status 151, two players and a spectator")
    reply = parse_quakeworld_reply(busy.replies[0])
    info = read_reply(reply, QueryTarget(SERVER, "quakeworld", None), GAMES)
    assert (info.game, info.name, info.map, info.mode, info.version) == (
        "quakeworld", "Rog brown", "room", "ffa", "MVDSV 0.35",
    )  # fmt: skip
    assert (info.players, info.spectators, info.bots, info.max_players) == (2, 1, 0, 8)
    assert info.player_list is not None
    assert [(each.name, each.team, each.score) for each in info.player_list] == [
        ("Razor", 1, 0.0), ("Bo", 2, 0.0), ("Watcher", None, None),
    ]  # fmt: skip


@pytest.mark.parametrize("version", ["QTV 1.09", "qwfwd 1.2"])
def test_proxies_have_no_players(version: str) -> None:
    info = quakeworld(rf"\*version\{version}\maxclients\128\hostname\Relay", '1 0 5 30 "Bo" "" 0 0 "red"')
    assert (info.players, info.max_players, info.joinable, info.closed) == (None, None, False, True)
    assert info.mode == version.partition(" ")[0].lower()
    assert info.mode_name in ("QTV broadcast", "Proxy")
    catalogue = Catalogue(GAMES)
    catalogue.merge(
        [QueryResult(QueryTarget(SERVER, "quakeworld", None), QueryStatus.OK, info, None, 9.0, False, 1, 1.0)]
    )
    catalogue.rescore()
    assert np.isnan(catalogue.score[0])


@pytest.mark.parametrize(
    ("infostring", "mode"),
    [
        (r"\hostname\x\mode\4on4\teamplay\2", "4on4"),
        (r"\hostname\x\mode\1on1", "duel"),
        (r"\hostname\x\teamplay\2\deathmatch\1", "tdm"),
        (r"\hostname\x\deathmatch\3\maxclients\2", "duel"),
        (r"\hostname\x\deathmatch\3\maxclients\16", "ffa"),
        (r"\hostname\x\deathmatch\0\coop\1", "coop"),
        (r"\hostname\x", None),
    ],
)
def test_mode_follows_from_rules(infostring: str, mode: str | None) -> None:
    assert quakeworld(infostring).mode == mode


@pytest.mark.parametrize(("bits", "password"), [("", False), (r"\needpass\1", True), (r"\needpass\2", False)])
def test_password_for_players_counts(bits: str, password: bool) -> None:
    assert quakeworld(rf"\hostname\x{bits}").password is password


@pytest.mark.parametrize(
    ("infostring", "game"),
    [
        (r"\hostname\x\gamename\baseq2\protocol\34", "quake2"),
        (r"\hostname\x\gamename\action\protocol\34", "aq2"),
        (r"\hostname\x\gamename\Monkey Mod\protocol\32", "kingpin"),
        (r"\hostname\x\gamename\Alien Arena\protocol\34", "alienarena"),
        (r"\hostname\x\gamename\paintball2\protocol\34", "paintball2"),
        (r"\sv_hostname\x\sv_max_clients\8", "quetoo"),
    ],
)
def test_games_on_the_engine_are_distinguished(infostring: str, game: str) -> None:
    assert quake2(infostring).game == game


def test_bots_have_no_ping() -> None:
    info = quake2(r"\hostname\x\mapname\q2dm1\maxclients\16\needpass\0\deathmatch\1", '3 40 "Bo"', '9 0 "Grunt"')
    assert (info.players, info.bots, info.spectators, info.max_players) == (1, 1, None, 16)
    assert (info.mode, info.password, info.tags) == ("dm", False, ())


@pytest.mark.further_recordings
def test_recorded_quake2_servers() -> None:
    folder = data_folders()[ADDED]
    rows = [json.loads(line) for line in (folder / "packets/other_quake2.jsonl").read_text("utf-8").splitlines()]
    for row in rows:
        info, expected = quake2_info(bytes.fromhex(row["datagrams"][0])), row["expected"]
        assert info.game == ("kingpin" if "Kingpin" in row["game"] else "quake2")
        assert (info.map, info.max_players) == (expected["mapname"], int(expected["maxclients"]))
        assert (info.players or 0) + (info.bots or 0) == expected["clients"]
    (status, *_) = recorded(folder / "families/quake2.jsonl")
    assert (status.name, status.map, status.players, status.bots) == ("RigQ2", "rig", 0, 2)


def recorded(file: Path) -> list[ServerInfo]:
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [quake2_info(bytes.fromhex(row["response_hex"])) for row in rows if row["what"].startswith("status")]
