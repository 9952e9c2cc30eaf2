"""Replies of Zandronum, Odamex and Chocolate Doom as server info."""

from dataclasses import replace

import pytest

from browser_app.catalogue.reply_readers.server_info_readers import read_reply
from browser_app.catalogue.server_info import QueryTarget, ServerInfo
from browser_app.games import load_games
from browser_app.games.game_files import GameFiles
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.protocols.doom.chocolate_doom import IN_GAME, ChocolateDoomReply
from browser_app.protocols.doom.odamex import OdamexPlayer, OdamexReply, OdamexVersion
from browser_app.protocols.doom.zandronum import ZandronumPlayer, ZandronumRefusal, ZandronumReply

GAMES = load_games(resource_folder() / "games")
ZANDRONUM = ZandronumReply(
    "3.2-r230709 on Linux 6.1", "Rig", "", "MAP01", 16, 8, ("a.wad", "b.pk3"), 12, iwad="doom2.wad", password=False,
    join_password=True, limits={"fraglimit": 20}, player_count=3, has_teams=True, team_count=2,
    players=(
        ZandronumPlayer("\x1c[Gold]Bo", 7, 40, is_spectator=False, is_bot=False, team=1, minutes=12),
        ZandronumPlayer("Grunt", 5, 0, is_spectator=False, is_bot=True, team=0, minutes=0),
        ZandronumPlayer("\x1cgEve", 0, 90, is_spectator=True, is_bot=False, team=None, minutes=3),
    ),
    optional_wads=frozenset({1}), patches=("x.deh",), mode_name="Capture the Flag",
)  # fmt: skip
ODAMEX = OdamexReply(
    "10.6.0", "stable", {"sv_hostname": "Rig", "sv_gametype": "1", "sv_maxplayers": "2", "sv_maxclients": "8"},
    True, "MAP02", None, (), ("ODAMEX.WAD", "doom2.wad", "c.wad"),
    (OdamexPlayer("Bo", None, 40, 12, False, -3), OdamexPlayer("Eve", None, 90, 1, True, 0)),
)  # fmt: skip


def info_of(protocol: str, reply: object) -> ServerInfo:
    return read_reply(reply, QueryTarget(Address("192.0.2.7", 10666), protocol, None), GAMES)


def test_zandronum_counts_bots_and_spectators_apart() -> None:
    info = info_of("zandronum", ZANDRONUM)
    assert (info.game, info.name, info.map, info.mode, info.mode_name) == (
        "zandronum", "Rig", "MAP01", "ctf", "Capture the Flag",
    )  # fmt: skip
    assert (info.players, info.bots, info.spectators, info.max_players) == (1, 1, 1, 8)
    assert (info.version, info.password, info.joinable, info.tags) == ("3.2-r230709", True, None, ("a.wad", "b.pk3"))
    assert info.player_list is not None
    assert [(each.name, each.team, each.score, each.ping_ms) for each in info.player_list] == [
        ("Bo", 2, 7.0, 40.0), ("Grunt", 1, 5.0, None), ("Eve", None, None, 90.0),
    ]  # fmt: skip
    assert info.game_files == GameFiles("doom2.wad", ("a.wad", "b.pk3"), frozenset({"b.pk3"}), ("x.deh",))
    assert info.rules is not None
    assert dict(info.rules) == {
        "iwad": "doom2.wad", "wads": "a.wad, b.pk3 (optional)", "patches": "x.deh", "fraglimit": "20",
    }  # fmt: skip


@pytest.mark.parametrize(("code", "shown"), [("SWE", "SWE"), ("XIP", None), ("XUN", None)])
def test_countries_that_are_none_are_left_out(code: str, shown: str | None) -> None:
    rules = info_of("zandronum", replace(ZANDRONUM, country=code)).rules
    assert rules is not None
    assert rules.get("country") == shown


def test_full_zandronum_server_cannot_be_joined() -> None:
    assert info_of("zandronum", replace(ZANDRONUM, max_clients=3)).joinable is False


def test_refusals_show_presence_only() -> None:
    for protocol, reply in (("zandronum", ZandronumRefusal(is_banned=False)), ("odamex", OdamexVersion("9.0.0"))):
        info = info_of(protocol, reply)
        assert (info.game, info.players, info.max_players, info.is_ping_only) == (protocol, None, None, True)


def test_odamex_names_its_files() -> None:
    info = info_of("odamex", ODAMEX)
    assert (info.game, info.name, info.mode, info.version, info.password) == ("odamex", "Rig", "duel", "10.6.0", True)
    assert (info.players, info.spectators, info.max_players) == (1, 1, 2)
    assert info.game_files == GameFiles("doom2.wad", ("c.wad",))
    assert info.rules is not None
    assert (info.rules["iwad"], info.rules["wads"], info.rules["sv_maxclients"]) == ("doom2.wad", "c.wad", "8")
    no_wads = info_of("odamex", replace(ODAMEX, wads=()))
    assert no_wads.game_files == GameFiles("", ())


def test_begun_chocolate_doom_games_cannot_be_joined() -> None:
    waiting, begun = (
        info_of("chocolate-doom", ChocolateDoomReply("Chocolate Doom 3.0.0", state, 2, 4, "Rig"))
        for state in (0, IN_GAME)
    )
    assert (waiting.game, waiting.name, waiting.players, waiting.max_players) == ("chocolatedoom", "Rig", 2, 4)
    assert (waiting.joinable, begun.joinable) == (None, False)
    assert (waiting.closed, begun.closed) == (False, True)
