"""Demo servers of games on the Cube engines."""

from typing import Final

from browser_app.demo.games.game_spec import GameMode, GameSpec

_CTF_MAPS = ("reissen", "forge", "l_ctf", "mach2", "tejen")

SAUERBRATEN_GAME: Final = GameSpec(
    id="sauerbraten",
    share=0.5,
    version="260",
    colours="cube2",
    has_plain_player_names=True,
    modes={
        "instactf": GameMode("12", _CTF_MAPS),
        "efficctf": GameMode("17", _CTF_MAPS),
        "ffa": GameMode("0", ("complex", "turbine", "dock"), teams=0),
        "coop": GameMode("1", ("", "garden"), teams=0),
    },
    slots=(16, 24, 12),
    server_names=("Roast of the Day", "Gravy Boat Instagib", "Potato Dumpling CTF", "Slow Cooked"),
    server_name_nouns=("Insta", "Roast", "Gravy", "Ogro", "Efficiency"),
)

RED_ECLIPSE_GAME: Final = GameSpec(
    id="redeclipse",
    share=0.3,
    version="2.0.9",
    colours="cube2",
    has_plain_player_names=True,
    modes={
        "ctf": GameMode("3", ("bath", "dutility", "stone")),
        "dm": GameMode("2", ("absorption", "ghost", "wet"), teams=0),
        "race": GameMode("6", ("hinder", "purge"), teams=0),
    },
    slots=(16, 24),
    server_names=("Parkour Porch", "Total Eclipse of the Map"),
    server_name_nouns=("Eclipse", "Parkour", "Plasma", "Impulse"),
)

ASSAULT_CUBE_GAME: Final = GameSpec(
    id="assaultcube",
    share=0.4,
    version="1201",
    colours="cube2",
    has_plain_player_names=True,
    modes={
        "ctf": GameMode("5", ("ac_desert", "ac_mines", "ac_sunset")),
        "tosok": GameMode("11", ("ac_complex", "ac_snow")),
        "dm": GameMode("2", ("ac_douze", "ac_arabian"), teams=0),
    },
    slots=(12, 16, 14),
    server_names=("Crate Stackers", "Twelve Cubes Tall", "Sunset Shift"),
    server_name_nouns=("Desert", "Sniper", "Crate", "Mines"),
)

TESSERACT_GAME: Final = GameSpec(
    id="tesseract",
    share=0.2,
    version="2",
    colours="cube2",
    modes={
        "rctf": GameMode("5", ("aastha", "ot")),
        "pdm": GameMode("2", ("complex", "turbine"), teams=0),
    },
    slots=(8, 12),
    server_names=("Fourth Dimension Allotment",),
    server_name_nouns=("Railgun", "Pulse", "Hypercube"),
)

CUBE_GAMES: Final = (SAUERBRATEN_GAME, RED_ECLIPSE_GAME, ASSAULT_CUBE_GAME, TESSERACT_GAME)
