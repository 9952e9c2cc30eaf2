"""Demo servers of games with GameSpy's and Unreal Engine 2's protocols."""

from typing import Final

from browser_app.demo.games.game_spec import GameMode, GameSpec

UNREAL_TOURNAMENT: Final = GameSpec(
    id="ut",
    share=0.4,
    version="469",
    gamename="ut",
    modes={
        "ctf": GameMode("CTFGame", ("CTF-Face", "CTF-Coret", "CTF-November")),
        "dm": GameMode("DeathMatchPlus", ("DM-Deck16][", "DM-Morbias][", "DM-Turbine"), teams=0),
    },
    slots=(8, 12, 16, 20),
    server_names=("Facing Worlds Forever", "Low Gravity Lounge", "Deck Sixteen Daily"),
    server_name_nouns=("Facing", "Redeemer", "Flak", "Shock"),
)
BATTLEFIELD_VIETNAM: Final = GameSpec(
    id="bfvietnam",
    share=0.4,
    version="v1.21",
    gamename="bfvietnam",
    modes={"conquest": GameMode("conquest", ("Operation Hastings", "Ia Drang", "Hue 1968"))},
    slots=(32, 64),
    server_names=("Hue at Dusk", "River Patrol"),
    server_name_nouns=("River", "Patrol", "Jungle"),
)
BATTLEFIELD_2: Final = GameSpec(
    id="bf2",
    share=0.3,
    version="1.5.3153-802.0",
    gamename="battlefield2",
    modes={"conquest": GameMode("gpm_cq", ("Strike at Karkand", "Gulf of Oman", "Sharqi Peninsula"))},
    slots=(32, 64),
    server_names=("Karkand Around the Clock", "Infantry at Sharqi"),
    server_name_nouns=("Karkand", "Infantry", "Wake"),
)
UNREAL_TOURNAMENT_2004: Final = GameSpec(
    id="ut2004",
    share=0.3,
    version="3369",
    modes={
        "ons": GameMode("ONSOnslaughtGame", ("ONS-Torlan", "ONS-Dawn")),
        "dm": GameMode("xDeathMatch", ("DM-Rankin", "DM-Deck17"), teams=0),
    },
    slots=(16, 32, 12),
    server_names=("Torlan Tonight", "Rankin Regulars"),
    server_name_nouns=("Torlan", "Onslaught", "Rankin"),
)
GAMESPY_GAMES: Final = (UNREAL_TOURNAMENT, BATTLEFIELD_VIETNAM, BATTLEFIELD_2, UNREAL_TOURNAMENT_2004)
