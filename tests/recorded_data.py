"""Folders of recorded data for tests, and what is known about their files.

`tests/data` is always there. A folder of further recordings in the same layout is used as well if READY_ROOM_DATA names
one or `shared/data` is beside the checkout.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
OWN, ADDED = "own", "added"


def data_folders() -> dict[str, Path]:
    """Return the folders by name.

    Raises:
        FileNotFoundError: READY_ROOM_DATA names no folder.
    """
    named = os.environ.get("READY_ROOM_DATA")
    added = Path(named or CHECKOUT.parent / "shared" / "data")
    if named and not added.is_dir():
        raise FileNotFoundError(f"READY_ROOM_DATA names no folder: {added}")
    return {OWN: CHECKOUT / "tests" / "data"} | ({ADDED: added} if added.is_dir() else {})


@dataclass(frozen=True)
class ExpectedRecordings:
    """Facts about one folder that its files do not state themselves.

    Taken from its README and its sources.

    Attributes:
        a2s_replies: least number of replies by query.
        a2s_servers: least number of servers with A2S replies.
        a2s_compared: least number of Source info replies that another reader reads, too.
        a2s_counted: least number of info replies that state players, bots and slots.
        ns2_tags: what the tags of a Natural Selection 2 server say.
        ns2_average_skill: what its rules say.
        quake3_replies: least number of replies of the Quake III family.
        quake3_status_replies: least number of those that convert to a server.
        quake3_players: least number of players in them.
        quake3_games: games, as the records name them, that must be among them.
        steam_games: games, as the records name them, by the profile that claims their info replies.
        other_replies: least number of replies of other protocols.
        season: file with a season.
        season_size: rounds, players, draws and rounds without a result.
        season_tested: decided rounds of the second half of its finished ones.
        ns2plus_files: number of files of NS2+.
        ns2plus_broken: one of them, to be damaged.
        ns2plus_both_teams: players who were on both teams in a round.
        ns2plus_draws: rounds without a winner.
        xonotic_rounds: number of match reports and event logs.
        reports: mode, numbers of players, bots and spectators, and the winner, by match report.
        quits: whether each player quit, by match report.
        ranks: ranks of teams, by match report.
        duel: file of a duel, its start and its players' values.
        free_for_all: file of a match without teams, and ranks that its players' keys do not state.
        event_log: mode, map, duration, ranks, and score, deaths and time of the players.
        refused_texts: least number of refused match reports and logs when numbers are replaced by text.
    """

    a2s_replies: dict[str, int]
    a2s_servers: int
    a2s_compared: int
    a2s_counted: int
    ns2_tags: dict[str, Any]
    ns2_average_skill: float | None
    quake3_replies: int
    quake3_status_replies: int
    quake3_players: int
    quake3_games: set[str]
    steam_games: dict[str, set[str]]
    other_replies: int
    season: str
    season_size: tuple[int, int, int, int]
    season_tested: int
    ns2plus_files: int
    ns2plus_broken: str
    ns2plus_both_teams: int
    ns2plus_draws: int
    xonotic_rounds: int
    reports: dict[str, tuple[str, int, int, int, str | None]]
    quits: dict[str, list[bool]]
    ranks: dict[str, dict[str, int]]
    duel: tuple[str, str | None, list[dict[str, Any]]]
    free_for_all: tuple[str, dict[str, int]]
    event_log: tuple[str, str, float, list[int], list[tuple[float, float, float]]]
    refused_texts: tuple[int, int]


FACTS = {
    OWN: ExpectedRecordings(
        a2s_replies={"info": 41, "players": 32, "rules": 29},
        a2s_servers=40,
        a2s_compared=37,
        a2s_counted=38,
        ns2_tags={
            "build": 344,
            "mode": "ns2",
            "performance": 40,
            "quality": 88,
            "skill": 1830,
            "reserved": 2,
            "rookie_only": False,
        },
        ns2_average_skill=1830.5,
        quake3_replies=26,
        quake3_status_replies=26,
        quake3_players=29,
        quake3_games={"Nexuiz", "OpenArena"},
        steam_games={
            "7dtd": {"7 Days to Die"},
            "blackmesa": {"Black Mesa"},
            "cs16": {"Counter-Strike 1.6"},
            "css": {"Counter-Strike: Source"},
            "fof": {"Fistful of Frags"},
            "gmod": {"Garry's Mod"},
            "halflife": {"Half Life"},
            "hl2dm": {"Half Life 2: Deathmatch"},
            "insurgency": {"Insurgency"},
            "l4d2": {"Left 4 Dead 2"},
            "ns2": {"Natural Selection 2"},
            "rust": {"Rust"},
            "tf2": {"Team Fortress 2"},
            "theship": {"The Ship"},
        },
        other_replies=52,
        season="season.jsonl.gz",
        season_size=(1200, 80, 2, 1),
        season_tested=599,
        ns2plus_files=6,
        ns2plus_broken="1660000000.json",
        ns2plus_both_teams=3,
        ns2plus_draws=1,
        xonotic_rounds=8,
        reports={
            "bots": ("dm", 1, 4, 0, "player#5@7.1600000007.257"),
            "ca": ("ca", 8, 0, 1, "red"),
            "cts": ("cts", 1, 0, 0, "61"),
            "dm": ("dm", 10, 0, 2, None),
            "duel": ("duel", 2, 0, 1, "61"),
            "ft": ("ft", 1, 7, 0, "blue"),
            "kh": ("kh", 2, 6, 0, None),
        },
        quits={"ca": [False] * 5 + [True] + [False] * 2, "dm": [False] * 9 + [True]},
        ranks={"kh": {"yellow": 1, "pink": 2, "blue": 3, "red": 4}},
        duel=(
            "own.duel.txt",
            "2020-09-13T12:26:41Z",
            [
                {
                    "id": "61",
                    "name": "🔥Ida!",
                    "stays": [{"team": "61", "enter": 0.0, "leave": 575.25}],
                    "kills": 24.0,
                    "deaths": 12.0,
                    "score": 24.0,
                    "quit": False,
                    "ranked": None,
                },
                {"score": 11.0, "deaths": 25.0, "stays": [{"team": "62", "enter": 0.0, "leave": 549.5}]},
            ],
        ),
        free_for_all=("own.dm.txt", {"player#11@2.1600000002.252": 0}),
        event_log=(
            "dm",
            "pumphouse",
            417.0,
            [1, 3, 2],
            [(30.0, 12.0, 412.0), (21.0, 17.0, 285.0), (29.0, 24.0, 409.0)],
        ),
        refused_texts=(250, 5),
    ),
    ADDED: ExpectedRecordings(
        a2s_replies={"info": 90, "players": 90, "rules": 60},
        a2s_servers=90,
        a2s_compared=81,
        a2s_counted=51,
        ns2_tags={
            "build": 274,
            "mode": "ns2",
            "performance": 12,
            "quality": 99,
            "skill": 644,
            "reserved": None,
            "rookie_only": False,
        },
        ns2_average_skill=None,
        quake3_replies=20,
        quake3_status_replies=16,
        quake3_players=301,
        quake3_games={
            "Quake 3 Server",
            "Quake III Arena",
            "Quake III Arena (CPMA)",
            "Star Wars Jedi Knight: Jedi Academy",
            "Urban Terror",
            "Warsow",
            "Wolfenstein Enemy Territory",
            "Xonotic",
            "Call of Duty",
            "Call of Duty 2",
            "Call of Duty 4",
            "Call of Duty: Modern Warfare 2",
            "Call of Duty: United Offensive",
            "Solder of Fortune II",
        },
        steam_games={
            "7dtd": {"7 Days to Die"},
            "aapg": {"America's Army: Proving Grounds"},
            "ark": {"ARK: Survival Evolved", "Conan Exiles"},  # the source misnames one of them
            "arma2oa": {"Armed Assault 2: Operation Arrowhead"},
            "arma3": {"Arma3", "Armed Assault 3"},
            "atlas": {"Atlas"},
            "barotrauma": {"Barotrauma"},
            "battalion1944": {"Battalion 1944"},
            "blackmesa": {"Black Mesa"},
            "brink": {"Brink"},
            "citadel": {"Citadel"},
            "conan": {"Conan Exiles"},
            "cs16": {"Counter-Strike 1.5", "Counter-Strike 1.6"},  # 1.5 states its folder only
            "cs2": {"Counter-Strike: Global Offensive"},
            "css": {"Counter-Strike: Source"},
            "czero": {"Counter-Strike: Condition Zero"},
            "darkandlight": {"Dark and Light"},
            "daysofwar": {"Days of War"},
            "dayz": {"DayZ Standalone"},
            "dayzmod": {"DayZ Mod"},
            "fof": {"Fistful of Frags", "Half Life 2: Deathmatch"},  # the source misnames one of them
            "fortressforever": {"Fortress Forever"},
            "gmod": {"Garry's Mod"},
            "halflife": {"Half Life"},
            "hll": {"Hell Let Loose"},
            "insurgency": {"Insurgency"},
            "jc3mp": {"Just Cause 3"},
            "kf2": {"Killing Floor 2"},
            "l4d": {"Left 4 Dead"},
            "l4d2": {"Left 4 Dead 2"},
            "lifeisfeudal": {"Life is Feudal"},
            "modiverse": {"Modiverse"},
            "mordhau": {"MORDHAU"},
            "mw3": {"Call of Duty: Modern Warfare 3"},
            "ns2": {"Natural Selection 2"},
            "pixark": {"PixARK"},
            "quakelive": {"Quake Live"},
            "rfactor": {"rFactor"},
            "rfactor2": {"rFactor 2", "rFactor2"},
            "ro2": {"Red Orchestra 2", "Rising Storm 2"},
            "rs2": {"Rising Storm 2"},
            "rust": {"Rust"},
            "spaceengineers": {"Space Engineers"},
            "squad44": {"Post Scriptum"},
            "stormworks": {"Stormworks"},
            "svencoop": {"GRAV Online", "Sven Co-op 4.8"},  # the source misnames one of them
            "tf2": {"Team Fortress 2"},
            "theforest": {"The Forrest"},
            "theship": {"The Ship"},
            "unturned": {"Unturned"},
            "valheim": {"Valheim"},
            "vrising": {"V Rising"},
            "wurm": {"Wurm Unlimited"},
            "zomboid": {"Project Zomboid"},
        },
        other_replies=50,
        season="cwl_2018.jsonl.gz",
        season_size=(2881, 166, 2, 1),
        season_tested=1439,
        ns2plus_files=40,
        ns2plus_broken="1630089535.json",
        ns2plus_both_teams=9,
        ns2plus_draws=1,
        xonotic_rounds=8,
        reports={
            "ca_normal": ("ca", 7, 0, 3, "red"),
            "cts_normal": ("cts", 1, 0, 0, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
            "dm_mirio_quit": ("dm", 9, 0, 5, None),
            "duel_normal": ("duel", 2, 2, 0, "61"),
            "ft_normal": ("ft", 1, 10, 0, None),
            "kh_normal": ("kh", 1, 9, 0, None),
            "overkill_normal": ("dm", 1, 4, 0, "player#5@0.552585"),
        },
        quits={"ca_normal": [False, True, True, *[False] * 4]},
        ranks={"kh_normal": {"yellow": 1, "pink": 2, "blue": 3, "red": 4}},
        duel=(
            "test.duel_normal.txt",
            "2017-12-24T14:27:13Z",
            [
                {
                    "id": "61",
                    "name": "🔥Dodger🔥",
                    "stays": [{"team": "61", "enter": 0.0, "leave": 575.133}],
                    "kills": 24.0,
                    "deaths": 12.0,
                    "score": 24.0,
                    "ping": 38.2556,
                    "quit": False,
                    "ranked": None,
                },
                {
                    "score": 11.0,
                    "deaths": 25.0,
                    "ping": 44.4549,
                    "stays": [{"team": "59", "enter": 0.0, "leave": 549.2}],
                },
            ],
        ),
        free_for_all=("resources.dm_mirio_quit.abridged.txt", {"NOT_A_HASHKEY": 9}),
        event_log=("dm", "darkzone", 317.0, [1, 3, 2], [(30.0, 32.0, 312.0), (21.0, 17.0, 185.0), (29.0, 34.0, 309.0)]),
        refused_texts=(250, 5),
    ),
}
"""What tests expect of each folder; the README of the added one names its sources."""


def expected_recordings(folder: Path) -> ExpectedRecordings:
    """Return the facts about one of the folders."""
    return next(FACTS[name] for name, path in data_folders().items() if path == folder)
