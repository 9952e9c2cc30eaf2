"""Identification of games from recorded replies of real servers."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_data import expected_recordings

from browser_app import paths
from browser_app.games import GameProfile, GameRegistry, load_games

GAMES = load_games(paths.resource_folder() / "games")

RECORDED = {
    "Wolfenstein Enemy Territory": "et",
    "Nexuiz": "nexuiz",
    "OpenArena": "openarena",
    "Star Wars Jedi Knight: Jedi Academy": "jediacademy",
    "Quake 3 Server": "quake3",
    "Quake III Arena": "quake3",
    "Quake III Arena (CPMA)": "quake3",
    "Urban Terror": "urbanterror",
    "Warsow": "warsow",
    "Xonotic": "xonotic",
    "Call of Duty": "cod",
    "Call of Duty 2": "cod2",
    "Call of Duty 4": "cod4",
    "Call of Duty: Modern Warfare 2": "iw4x",
    "Call of Duty: United Offensive": "coduo",
    "Solder of Fortune II": "sof2",  # as the source spells it
}
"""Games in the recordings, and the profile that claims them."""

DEBIAN_OPENARENA_INFO = {
    "voip": "opus",
    "g_needpass": "0",
    "pure": "1",
    "gametype": "0",
    "sv_maxclients": "8",
    "g_humanplayers": "0",
    "clients": "0",
    "mapname": "oa_dm1",
    "hostname": "noname",
    "protocol": "71",
    "gamename": "Quake3Arena",
}
"""Reply of openarena-server 0.8.8+dfsg of Debian 12 to getinfo."""

DEBIAN_OPENARENA_STATUS = {
    "com_protocol": "71",
    "version": "ioq3 1.36+u20221123.70d07d9+dfsg-1/Debian linux-x86_64 Jan  8 2023",
    "com_gamename": "Quake3Arena",
    "g_gametype": "0",
    "mapname": "oa_dm1",
    "sv_maxclients": "8",
    "gamename": "baseoa",
}
"""Reply of that server to getstatus, shortened."""

DEBIAN_NEXUIZ = {
    "gamename": "Nexuiz",
    "modname": "data",
    "gameversion": "20000",
    "sv_maxclients": "8",
    "protocol": "3",
    "qcstatus": "dm:2.5.2::score!!",
}
"""Reply of nexuiz-server 2.5.2+dp of Debian 12 to both, shortened."""


def name_of(game: GameProfile | None) -> str | None:
    return game.id if game else None


def recorded_quake3_servers(data_dir: Path) -> Iterator[tuple[str, str, str | None]]:
    """Yield every record's id, the game that its source names, and the identified one."""
    for line in (data_dir / "packets/quake3.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if "info" in record["expected"]:
            yield record["id"], record["game"], name_of(GAMES.identify_info("quake3", record["expected"]["info"]))


def recorded_steam_servers(data_dir: Path) -> Iterator[tuple[str, str | None]]:
    """Yield the game that every record's source names, and the identified one."""
    for line in (data_dir / "packets/a2s.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["query"] == "info" and "folder" in record["expected"]:
            reply = record["expected"]
            appid = (reply.get("gameid") or 0) & 0xFFFFFF or reply.get("appid")
            yield record["game"], name_of(GAMES.identify(appid=appid, folder=reply["folder"]))


def test_recorded_quake3_servers(data_dir: Path) -> None:
    seen = set()
    for record, named, game in recorded_quake3_servers(data_dir):
        assert game == RECORDED[named], record
        seen.add(named)
    assert seen >= expected_recordings(data_dir).quake3_games


def test_recorded_steam_servers(data_dir: Path) -> None:
    found: dict[str | None, set[str]] = {}
    for named, game in recorded_steam_servers(data_dir):
        found.setdefault(game, set()).add(named)
    assert found == expected_recordings(data_dir).steam_games


@pytest.mark.parametrize(
    ("game", "info"),
    [
        ("openarena", DEBIAN_OPENARENA_INFO),
        ("openarena", DEBIAN_OPENARENA_STATUS),
        ("openarena", DEBIAN_OPENARENA_STATUS | {"gamename": "a mod"}),
        ("openarena", {"version": "ioq3+oa 1.36_SVN1910M linux-x86_64", "protocol": "71", "gamename": "a mod"}),
        ("quake3", DEBIAN_OPENARENA_INFO | {"protocol": "68"}),
        ("quake3", DEBIAN_OPENARENA_STATUS | {"gamename": "cpma", "protocol": "68"}),
        ("quake3", {"version": "Q3 1.32c linux-i386 May  8 2006", "gamename": "osp", "protocol": "68"}),
        ("nexuiz", DEBIAN_NEXUIZ),
        ("xonotic", DEBIAN_NEXUIZ | {"gamename": "Xonotic"}),
        ("urbanterror", {"version": "Q3 1.32b linux-i386", "gamename": "q3ut4", "protocol": "68"}),
        ("urbanterror", {"version": "ioQ3 1.35 urt 4.3.4 linux-x86_64", "gamename": "a mod", "protocol": "68"}),
        ("warsow", {"gamename": "Warsow", "protocol": "22"}),
        ("warfork", {"gamename": "Warfork", "protocol": "26"}),
        ("jediacademy", {"protocol": "26", "truejedi": "0", "wdisable": "0", "gametype": "0"}),
        ("jedioutcast", {"protocol": "16", "truejedi": "0", "wdisable": "0", "gametype": "0"}),
        ("et", {"protocol": "84", "gamename": "et", "balancedteams": "0"}),
        ("et", {"protocol": "84", "gamename": "legacy", "version": "ET Legacy v2.82.1 linux-x86_64"}),
        ("rtcw", {"protocol": "60", "gamename": "main", "version": "Wolf 1.41b-MP linux-i386"}),
        ("rtcw", {"protocol": "57", "gamename": "main"}),
        ("cod", {"protocol": "1", "gamename": "main", "shortversion": "1.1"}),
        (None, {"protocol": "68", "gamename": "main"}),
        ("coduo", {"protocol": "21", "gamename": "CoD:United Offensive"}),
        ("cod2", {"protocol": "118", "gamename": "Call of Duty 2"}),
        ("cod4", {"protocol": "6", "gamename": "Call of Duty 4"}),
        ("sof2", {"protocol": "2004", "gamename": "a mod", "version": "SOF2MP GOLD V1.03 win-x86 Nov  5 2002"}),
        ("eliteforce", {"protocol": "24", "gamename": "baseEF", "version": "ST:V HM v1.20 win-x86 Apr 17 2001"}),
        ("eliteforce", {"protocol": "24", "gamename": "a mod", "version": "ioST:V HM v1.37 win_msvc-x86"}),
        ("turtlearena", {"gamename": "TurtleArena", "version": "Spearmint 1.0.3 linux-x86_64"}),
        ("reaction", {"protocol": "71", "game": "rq3", "version": "ioq3 1.36"}),
        ("zeq2", {"gamename": "base", "version": "zeq2lite 1.36 linux-i386"}),
        ("tremulous", {"protocol": "69", "gamename": "base", "version": "tremulous 1.1.0 linux-x86"}),
        ("unvanquished", {"protocol": "86", "gamename": "unv", "daemonver": "0.54.1"}),
        ("worldofpadman", {"protocol": "72", "com_gamename": "WorldofPadman", "version": "wop 1.7.0"}),
        ("q3rally", {"protocol": "71", "com_gamename": "Q3Rally"}),
        ("smokinguns", {"protocol": "68", "gamename": "smokinguns"}),
        (None, {}),
        (None, {"gamename": ""}),
    ],
)
def test_similar_games_differ(game: str | None, info: dict[str, str]) -> None:
    assert name_of(GAMES.identify_info("quake3", info)) == game


def test_appid_goes_before_folder() -> None:
    assert name_of(GAMES.identify(appid=240, folder="cstrike")) == "css"
    assert name_of(GAMES.identify(appid=0, folder="cstrike")) == "cs16"
    assert name_of(GAMES.identify(appid=0, folder="svencoop")) == "svencoop"
    assert name_of(GAMES.identify(folder="CStrike")) == "cs16"
    assert GAMES.identify(appid=999, folder="cstrike") is None
    assert GAMES.identify() is None


def test_most_specific_match_wins() -> None:
    def game(name: str, *matches: dict[str, str]) -> GameProfile:
        return GameProfile(name, name, name.upper(), "quake3", 1, info_matches=matches)

    games = GameRegistry([game("b", {"x": "1"}), game("a", {"x": "1"}), game("z", {"x": "1", "y": "2"})])
    assert name_of(games.identify_info("quake3", {"x": "1"})) == "a"
    assert name_of(games.identify_info("quake3", {"x": "1", "y": "2"})) == "z"
    assert games.identify_info("quake3", {"y": "2"}) is None


@given(st.dictionaries(st.sampled_from(["gamename", "version", "protocol", "game", "com_gamename"]), st.text()))
def test_any_infostring(info: dict[str, str]) -> None:
    first = GAMES.identify_info("quake3", info)
    assert GAMES.identify_info("quake3", info) is first


def test_long_value_is_truncated() -> None:
    assert GAMES.identify_info("quake3", {"gamename": "x" * 1_000_000}) is None
    assert GAMES.identify_info("quake3", {"gamename": "baseoa" + "x" * 1_000_000}) is GAMES["openarena"]
