"""Demo servers of multiplayer modifications of GTA games."""

from typing import Final

from browser_app.demo.games.game_spec import GameMode, GameSpec

_NO_MAP = ("",)
"""Servers report none."""

SAMP_GAME: Final = GameSpec(
    id="samp",
    share=0.8,
    version="omp 1.3.1.2748",
    colours="braces",
    has_plain_player_names=True,
    modes={
        "roleplay": GameMode("Roleplay v4", ("San Andreas", "Los Santos"), teams=0),
        "freeroam": GameMode("Freeroam/Stunts", ("San Andreas",), teams=0),
        "cops": GameMode("Cops and Robbers", ("San Fierro", "Las Venturas"), teams=0),
        "deathmatch": GameMode("DM", ("LVDM",), teams=0),
    },
    slots=(50, 100, 150, 50, 200),
    server_names=("Grove Street Gardeners", "Los Santos Night Bus", "Vinewood Valet Roleplay", "Desert Drift Freeroam",
           "Mount Chiliad Cycling"),
    server_name_nouns=("Grove", "San Fierro", "Roleplay", "Stunt", "Ganton", "Ferry"),
    extra_info={"weather": "10", "worldtime": "12:00", "weburl": "example.net", "lagcomp": "On", "artwork": "No"},
)  # fmt: skip

VCMP_GAME: Final = GameSpec(
    id="vcmp",
    share=0.3,
    version="04rel006",
    modes={
        "deathmatch": GameMode("Deathmatch", _NO_MAP, teams=0),
        "stunts": GameMode("Stunt and race", _NO_MAP, teams=0),
    },
    slots=(50, 100, 30),
    server_names=("Ocean Drive Deathmatch", "Malibu After Dark"),
    server_name_nouns=("Ocean Drive", "Malibu", "Starfish", "Hyman"),
)

MTA_GAME: Final = GameSpec(
    id="mta",
    share=0.6,
    version="1.6",
    colours="hash",
    modes={
        "race": GameMode("race", ("Cape Run", "Hydro Power", "Chiliad Descent", "Canal Sprint"), teams=0),
        "play": GameMode("play", ("None",), teams=0),
        "roleplay": GameMode("Roleplay", ("None",), teams=0),
        "dd": GameMode("Destruction Derby", ("Cross the Line", "Pyramid Scheme"), teams=0),
    },
    slots=(32, 64, 128, 50),
    server_names=("Chiliad Race Club", "Canal Street Racers", "Derby and Doughnuts", "Quiet Roleplay Bayside"),
    server_name_nouns=("Race", "Derby", "Drift", "Bayside", "Angel Pine"),
    extra_info={"site": "example.net"},
)

FIVEM_GAME: Final = GameSpec(
    id="fivem",
    share=0.8,
    version="4",
    colours="quake3",
    has_plain_player_names=True,
    modes={
        "roleplay": GameMode("ESX Roleplay", ("San Andreas",), teams=0),
        "freeroam": GameMode("Freeroam", ("fivem-map-skater", "fivem-map-hipster"), teams=0),
        "racing": GameMode("Street racing", ("San Andreas",), teams=0),
    },
    slots=(48, 64, 32, 128),
    server_names=("Paleto Bay Postal Service", "Sandy Shores Sheriffs", "Blaine County Buses", "Mirror Park Motors"),
    server_name_nouns=("Paleto", "Sandy Shores", "Roleplay", "Mirror Park", "Del Perro"),
    extra_info={"gamename": "CitizenFX", "protocol": "4"},
)

OPEN_WORLD_GAMES: Final = (SAMP_GAME, VCMP_GAME, MTA_GAME, FIVEM_GAME)
