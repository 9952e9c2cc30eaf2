"""Demo servers of Teeworlds and DDNet."""

from typing import Final

from browser_app.demo.games.game_spec import GameMode, GameSpec

DDNET: Final = GameSpec(
    id="ddnet",
    share=1.1,
    version="0.6.4, 18.9",
    modes={
        "race": GameMode("DDraceNetwork", ("Kobra 4", "Multeasymap", "Sunny Side Up", "Gold Mine", "Stronghold",
                "Just Fly", "Linear", "Tsunami"), teams=0),
        "gores": GameMode("Gores", ("gores_easy_1", "Thorn Alley", "Spike Garden"), teams=0),
        "block": GameMode("Block", ("BlmapChill", "ChillBlock5", "Copy Love Box"), teams=0),
        "fng": GameMode("fng2", ("fng2_small", "fng2_wide", "fng_drip"), teams=2),
    },
    slots=(64, 16, 64, 32, 24),
    server_names=("Hook and Hammer Novice", "Freeze Line Frankfurt", "Tee Party Brutal", "Moderate Mornings",
           "Gores on Toast", "Block Party Oslo", "Swap Corner", "Dummy Drag School"),
    server_name_nouns=("Hookline", "Tee Time", "Freeze", "Hammerfly", "Weak Hook", "Dummy", "Checkpoint"),
)  # fmt: skip

TEEWORLDS: Final = GameSpec(
    id="teeworlds",
    share=0.5,
    version="0.7.5",
    modes={
        "dm": GameMode("DM", ("dm1", "dm2", "dm6", "dm8"), teams=0),
        "ctf": GameMode("CTF", ("ctf1", "ctf5", "ctf5_spikes", "ctf7")),
        "tdm": GameMode("TDM", ("dm3", "dm7")),
        "lms": GameMode("LMS", ("lms1",), teams=0),
    },
    slots=(16, 8, 12, 16),
    server_names=("Grenade Garden DM", "Sixteen Tees CTF", "Laser and Lemonade"),
    server_name_nouns=("Grenade", "Shotgun", "Ninja", "Heart and Shield", "Rifle"),
)  # fmt: skip

TEEWORLDS_GAMES: Final = (DDNET, TEEWORLDS)
