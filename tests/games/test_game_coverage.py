"""What is told of the proof of each game, and the games of another browser."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from browser_app.games import GameProfile, load_games
from browser_app.games.game_profile import PROOFS
from browser_app.paths import resource_folder

GAMES = load_games(resource_folder() / "games")
REAL_SERVERS = Path(__file__).resolve().parent.parent / "real"

XQF_GAMES: Mapping[str, str] = {
    "QuakeWorld": "quakeworld", "Quake II": "quake2", "Quake III Arena": "quake3",
    "Return to Castle Wolfenstein": "rtcw", "Wolfenstein: Enemy Territory": "et", "Enemy Territory: Legacy": "et",
    "Voyager Elite Force": "eliteforce",
    "HexenWorld": "hexenworld", "Half-Life (old)": "halflife", "Half-Life": "halflife", "Half-Life 2": "hl2dm",
    "Kingpin": "kingpin", "Soldier of Fortune 2": "sof2", "Unreal": "unreal", "Unreal Tournament": "ut",
    "UT 2003": "ut2003", "UT 2004": "ut2004", "Rune": "rune", "Postal 2": "postal2", "Descent 3": "descent3",
    "Serious Sam": "serioussam", "Serious Sam TSE": "serioussamse", "Medal of Honor": "mohaa", "Call of Duty": "cod",
    "Call of Duty: United Offensive": "coduo", "Call of Duty 2": "cod2", "Call of Duty 4": "cod4",
    "Battlefield 1942": "bf1942", "Jedi Outcast": "jedioutcast", "Jedi Academy": "jediacademy", "Nexuiz": "nexuiz",
    "Rexuiz": "rexuiz", "Xonotic": "xonotic", "Warsow": "warsow", "Warfork": "warfork", "Tremulous": "tremulous",
    "Tremulous GPP": "tremulous", "TremFusion": "tremulous", "Unvanquished": "unvanquished",
    "OpenArena": "openarena", "OpenTTD": "openttd", "Q3 Rally": "q3rally", "World of Padman": "worldofpadman",
    "Urban Terror": "urbanterror", "Reaction": "reaction", "Smokin' Guns": "smokinguns", "ZEQ2 Lite": "zeq2",
    "Turtle Arena": "turtlearena", "Alien Arena": "alienarena", "Action Quake 2": "aq2", "Paintball 2": "paintball2",
    "Quetoo": "quetoo", "Teeworlds": "teeworlds", "DDNet": "ddnet",
}  # fmt: skip
"""Games that XQF knows → ours, by the names in its list of games."""
XQF_GAMES_LEFT_OUT: Mapping[str, str] = {
    "Quake": "answers control packets of its own; no server of it could be asked, and few are left",
    "Quake 4": "speaks Doom 3's protocol, and no list of its servers is left",
    "Doom 3": "speaks a protocol of its own, and no list of its servers is left",
    "ET: Quake Wars": "speaks Doom 3's protocol, and no list of its servers is left",
    "Hexen II": "answers Quake's control packets; no server of it could be asked",
    "SiN": "answers as Quake II does, but nothing known tells it apart, and no list names its servers",
    "Soldier of Fortune": "answers as Quake II does, but nothing known tells it apart, and no list names its servers",
    "Heretic II": "answers as Quake II does, but nothing known tells it apart, and no list names its servers",
    "D-Day: Normandy": "is a modification of Quake II, whose servers are listed as Quake II's",
    "Tribes 2": "speaks a protocol of its own, of which there is no recording",
    "America's Army": "was shut down by its publisher; its successor is listed (aapg)",
    "Savage": "speaks a protocol of its own, and no list of its servers is left",
    "NetPanzer": "has a list of its own kind, of which there is no recording",
    "Call of Duty: World at War": "has no list that other programs may read",
    "Cocaine Diesel": "has no master server that is known to be left",
    "Generic GameSpy": "is no game: a single server is added as gamespy1://HOST:PORT",
}
"""Those that we leave out, and why."""


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_proof_and_day_are_listed(game: GameProfile) -> None:
    assert game.proof in PROOFS
    assert date.fromisoformat(game.checked) >= date(2026, 11, 1)


def test_other_browsers_games_have_profile_or_reason() -> None:
    assert {game for game in XQF_GAMES.values() if game not in GAMES} == set()
    assert not XQF_GAMES.keys() & XQF_GAMES_LEFT_OUT.keys()
    assert len(XQF_GAMES) + len(XQF_GAMES_LEFT_OUT) == 70
    assert all(len(reason.split()) > 5 for reason in XQF_GAMES_LEFT_OUT.values())


def test_servers_that_prove_games_are_in_tests() -> None:
    texts = "".join(file.read_text(encoding="utf-8").lower() for file in REAL_SERVERS.glob("test_real_*.py"))
    proved = [game for game in GAMES.values() if game.proof == "server"]
    assert len(proved) >= 10
    assert [game.id for game in proved if game.id not in texts and game.protocol not in texts] == []
