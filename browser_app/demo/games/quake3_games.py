"""Demo servers of the Quake III family."""

from typing import Final

from browser_app.demo.games.game_spec import GameMode, GameSpec

XONOTIC: Final = GameSpec(
    id="xonotic",
    share=4.0,
    version="806",
    colours="xonotic",
    gamename="Xonotic",
    master_gamename="Xonotic",
    master_protocol=3,
    modes={
        "ctf": GameMode("ctf", ("stormkeep", "dance", "courtfun", "nexballarena", "implosion", "vorix")),
        "ca": GameMode("ca", ("darkzone", "silentsiege", "techassault", "warfare")),
        "dm": GameMode("dm", ("solarium", "glowplant", "drain", "xoylent", "runningmanctf"), teams=0),
        "duel": GameMode("duel", ("aerowalk", "bloodrage_v2", "stormkeep", "darkzone"), teams=0),
        "tdm": GameMode("tdm", ("boil", "opium", "space-elevator", "finalrage")),
        "ft": GameMode("ft", ("leave_em_behind", "trident", "afterslime")),
        "cts": GameMode("cts", ("xcs_pyramid", "slopestyle", "bumblebee_cts"), teams=0),
    },
    slots=(16, 20, 12, 24, 8, 16, 32, 2),
    server_names=(
        "Overkill and Tea", "Clan Arena Cellar", "Copper Lanes CTF", "Instagib Attic", "Warehouse Duel One",
        "Stormkeep Regulars", "Nexgun Nursery", "Blaster Ballet", "Freeze Tag Fjord", "Speedrun Shed",
        "Votable: everything", "Hook Night Helsinki", "Laser Jump Lounge", "Mortar & Pestle", "Solarium Sunrise",
    ),
    server_name_nouns=("Stormkeep", "Instagib", "Nexgun", "Overkill", "Duel Pit", "Flag Run", "Vortex",
                       "Crylink", "Hookshot"),
)  # fmt: skip

NEXUIZ: Final = GameSpec(
    id="nexuiz",
    share=0.5,
    version="2.5.2",
    colours="xonotic",
    gamename="Nexuiz",
    master_gamename="Nexuiz",
    master_protocol=3,
    modes={
        "dm": GameMode("dm", ("aggressor", "bloodprison", "desertfactory", "strength"), teams=0),
        "ctf": GameMode("ctf", ("capturecity", "runningmanctf", "facing_worlds_nex", "basement")),
    },
    slots=(16, 8, 12),
    server_names=("Museum of Nexuiz 2.5.2", "Aggressor Anonymous", "Still Here CTF"),
    server_name_nouns=("Aggressor", "Desert Factory", "Nex", "Electro", "Strength"),
)

OPENARENA: Final = GameSpec(
    id="openarena",
    share=2.0,
    version="ioq3+oa 1.36_GIT_unknown-2018-12-08 linux-x86_64 Dec 28 2018",
    colours="quake3",
    gamename="baseoa",
    master_protocol=71,
    modes={
        "ffa": GameMode("0", ("oa_dm6", "oa_dm1", "aggressor", "kaos2", "oa_rpg3dm2", "delta"), teams=0),
        "ctf": GameMode("4", ("ps37ctf", "oa_ctf4ish", "oasago2", "hydronex2", "mlctf1beta")),
        "tdm": GameMode("3", ("oa_minia", "am_thornish", "suspended")),
        "tourney": GameMode("1", ("ztn3tourney1", "oa_reptctf1", "wrackdm17"), teams=0),
        "elimination": GameMode("8", ("oa_bases3", "islandctf", "ce1m7")),
    },
    slots=(16, 12, 20, 8, 24),
    server_names=(
        "Gravel Pit FFA", "Old Bones CTF", "Rocket Greenhouse", "Penguin Parade", "Railgun Reading Room",
        "Low Gravity Lodge", "Arena of Patience", "Lag-free Lisbon", "All Rockets, No Rush", "Tourney Backroom",
    ),
    server_name_nouns=("Rocket", "Railgun", "Gauntlet", "Quad", "Lightning", "Gravel Pit", "Bounce Pad", "Frag Cafe"),
    extra_info={"com_gamename": "Quake3Arena", "com_protocol": "71", "dmflags": "0", "fraglimit": "35",
                "timelimit": "20",
           "sv_dlRate": "500", "sv_floodProtect": "1", "sv_minPing": "0", "sv_maxPing": "0", "bot_minplayers": "0"},
)  # fmt: skip

QUAKE3: Final = GameSpec(
    id="quake3",
    share=1.2,
    version="Q3 1.32c linux-i386 May  8 2006",
    colours="quake3",
    gamename="baseq3",
    master_protocol=68,
    modes={
        "ffa": GameMode("0", ("q3dm17", "q3dm6", "q3dm13", "q3dm1"), teams=0),
        "tourney": GameMode("1", ("q3tourney2", "q3tourney4", "q3dm7"), teams=0),
        "ctf": GameMode("4", ("q3ctf1", "q3ctf2", "q3ctf4")),
        "tdm": GameMode("3", ("q3dm7", "q3dm14", "q3tourney6")),
    },
    slots=(16, 12, 8, 20),
    server_names=("The Longest Yard, still", "Camping Grounds", "Vertical Vengeance", "Space CTF Sundays",
                  "Q3DM6 forever"),
    server_name_nouns=("Longest Yard", "Quad Damage", "Mega Health", "Strafe Jump", "Plasma", "Tourney"),
    extra_info={"dmflags": "0", "fraglimit": "20", "timelimit": "15", "sv_punkbuster": "0", "sv_floodProtect": "1",
           "sv_maxRate": "25000", "sv_minPing": "0", "sv_maxPing": "0", ".Location": "Earth"},
)  # fmt: skip

UNVANQUISHED: Final = GameSpec(
    id="unvanquished",
    share=1.2,
    version="Unvanquished 0.55.4",
    colours="daemon",
    gamename="unv",
    master_gamename="UNVANQUISHED",
    master_protocol=86,
    modes={"team": GameMode("team", ("plat23", "chasm", "parpax", "perseus", "antares", "spacetracks",
           "yocto", "vega"))},
    slots=(24, 20, 16, 32),
    server_names=("Station Seven", "Dretch Nursery", "Overmind’s Overtime", "Reactor Rebuilders", "Granger Gardening",
           "Tyrant Tea Room", "Parpax Parish Council"),
    server_name_nouns=("Reactor", "Overmind", "Dretch", "Tyrant", "Granger", "Egg Room", "Telenode"),
    extra_info={"daemonver": "0.55.4", "abi": "4", "pure": "1", "timelimit": "45"},
)  # fmt: skip

WARFORK: Final = GameSpec(
    id="warfork",
    share=0.9,
    version="2.1",
    colours="warsow",
    gamename="Warfork",
    master_gamename="Warfork",
    master_protocol=26,
    modes={
        "ca": GameMode("ca", ("wfca1", "wfca2", "wca3")),
        "bomb": GameMode("bomb", ("wbomb1", "wbomb2", "wbomb6")),
        "ffa": GameMode("ffa", ("wfdm2", "wfdm5", "wfdm13"), teams=0),
        "duel": GameMode("duel", ("wfda1", "wfdm4", "wfda5"), teams=0),
        "race": GameMode("race", ("gu3#2-pro", "amt-freestyle2", "hangtime3"), teams=0),
    },
    slots=(10, 12, 16, 8),
    server_names=("Ca Academy", "Bomb Squad Leftovers", "Dash Diner", "Walljump Weekly", "Race Against the Rain"),
    server_name_nouns=("Dash", "Walljump", "Electrobolt", "Bomb Site", "Ramp Slide"),
    extra_info={"fs_game": "basewf", "g_antilag": "1", "g_instagib": "0", "g_match_score": "", "g_match_time": "",
           "sv_mm_enable": "0", "sv_pure": "1", "sv_skilllevel": "1", "g_race_gametype": "0"},
)  # fmt: skip

QUAKE3_GAMES: Final = (XONOTIC, NEXUIZ, OPENARENA, QUAKE3, UNVANQUISHED, WARFORK)
