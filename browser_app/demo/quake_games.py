"""Sheets of the games of the Quake III family and of the DarkPlaces engine."""

from typing import Final

from browser_app.demo.sheet import GameSheet, Mode

XONOTIC: Final = GameSheet(
    id="xonotic",
    title="Xonotic",
    protocol="darkplaces",
    share=4.0,
    port=26000,
    version="806",
    colours="xonotic",
    bots=True,
    spectators=True,
    gamename="Xonotic",
    master_gamename="Xonotic",
    master_protocol=3,
    modes={
        "ctf": Mode("ctf", ("stormkeep", "dance", "courtfun", "nexballarena", "implosion", "vorix")),
        "ca": Mode("ca", ("darkzone", "silentsiege", "techassault", "warfare")),
        "dm": Mode("dm", ("solarium", "glowplant", "drain", "xoylent", "runningmanctf"), teams=0),
        "duel": Mode("duel", ("aerowalk", "bloodrage_v2", "stormkeep", "darkzone"), teams=0),
        "tdm": Mode("tdm", ("boil", "opium", "space-elevator", "finalrage")),
        "ft": Mode("ft", ("leave_em_behind", "trident", "afterslime")),
        "cts": Mode("cts", ("xcs_pyramid", "slopestyle", "bumblebee_cts"), teams=0),
    },
    slots=(16, 20, 12, 24, 8, 16, 32, 2),
    names=(
        "Overkill and Tea", "Clan Arena Cellar", "Copper Lanes CTF", "Instagib Attic", "Warehouse Duel One",
        "Stormkeep Regulars", "Nexgun Nursery", "Blaster Ballet", "Freeze Tag Fjord", "Speedrun Shed",
        "Votable: everything", "Hook Night Helsinki", "Laser Jump Lounge", "Mortar & Pestle", "Solarium Sunrise",
    ),
    nouns=("Stormkeep", "Instagib", "Nexgun", "Overkill", "Duel Pit", "Flag Run", "Vortex", "Crylink", "Hookshot"),
)  # fmt: skip

NEXUIZ: Final = GameSheet(
    id="nexuiz",
    title="Nexuiz",
    protocol="darkplaces",
    share=0.5,
    port=26000,
    version="2.5.2",
    colours="xonotic",
    bots=True,
    spectators=True,
    gamename="Nexuiz",
    master_gamename="Nexuiz",
    master_protocol=3,
    modes={
        "dm": Mode("dm", ("aggressor", "bloodprison", "desertfactory", "strength"), teams=0),
        "ctf": Mode("ctf", ("capturecity", "runningmanctf", "facing_worlds_nex", "basement")),
    },
    slots=(16, 8, 12),
    names=("Museum of Nexuiz 2.5.2", "Aggressor Anonymous", "Still Here CTF"),
    nouns=("Aggressor", "Desert Factory", "Nex", "Electro", "Strength"),
)

OPENARENA: Final = GameSheet(
    id="openarena",
    title="OpenArena",
    protocol="quake3",
    share=2.0,
    port=27960,
    version="ioq3+oa 1.36_GIT_unknown-2018-12-08 linux-x86_64 Dec 28 2018",
    colours="quake3",
    bots=True,
    spectators=True,
    gamename="baseoa",
    master_protocol=71,
    modes={
        "ffa": Mode("0", ("oa_dm6", "oa_dm1", "aggressor", "kaos2", "oa_rpg3dm2", "delta"), teams=0),
        "ctf": Mode("4", ("ps37ctf", "oa_ctf4ish", "oasago2", "hydronex2", "mlctf1beta")),
        "tdm": Mode("3", ("oa_minia", "am_thornish", "suspended")),
        "tourney": Mode("1", ("ztn3tourney1", "oa_reptctf1", "wrackdm17"), teams=0),
        "elimination": Mode("8", ("oa_bases3", "islandctf", "ce1m7")),
    },
    slots=(16, 12, 20, 8, 24),
    names=(
        "Gravel Pit FFA", "Old Bones CTF", "Rocket Greenhouse", "Penguin Parade", "Railgun Reading Room",
        "Low Gravity Lodge", "Arena of Patience", "Lag-free Lisbon", "All Rockets, No Rush", "Tourney Backroom",
    ),
    nouns=("Rocket", "Railgun", "Gauntlet", "Quad", "Lightning", "Gravel Pit", "Bounce Pad", "Frag Cafe"),
    extra={"com_gamename": "Quake3Arena", "com_protocol": "71", "dmflags": "0", "fraglimit": "35", "timelimit": "20",
           "sv_dlRate": "500", "sv_floodProtect": "1", "sv_minPing": "0", "sv_maxPing": "0", "bot_minplayers": "0"},
)  # fmt: skip

QUAKE3: Final = GameSheet(
    id="quake3",
    title="Quake III Arena",
    protocol="quake3",
    share=1.2,
    port=27960,
    version="Q3 1.32c linux-i386 May  8 2006",
    colours="quake3",
    bots=True,
    spectators=True,
    gamename="baseq3",
    master_protocol=68,
    modes={
        "ffa": Mode("0", ("q3dm17", "q3dm6", "q3dm13", "q3dm1"), teams=0),
        "tourney": Mode("1", ("q3tourney2", "q3tourney4", "q3dm7"), teams=0),
        "ctf": Mode("4", ("q3ctf1", "q3ctf2", "q3ctf4")),
        "tdm": Mode("3", ("q3dm7", "q3dm14", "q3tourney6")),
    },
    slots=(16, 12, 8, 20),
    names=("The Longest Yard, still", "Camping Grounds", "Vertical Vengeance", "Space CTF Sundays", "Q3DM6 forever"),
    nouns=("Longest Yard", "Quad Damage", "Mega Health", "Strafe Jump", "Plasma", "Tourney"),
    extra={"dmflags": "0", "fraglimit": "20", "timelimit": "15", "sv_punkbuster": "0", "sv_floodProtect": "1",
           "sv_maxRate": "25000", "sv_minPing": "0", "sv_maxPing": "0", ".Location": "Earth"},
)  # fmt: skip

UNVANQUISHED: Final = GameSheet(
    id="unvanquished",
    title="Unvanquished",
    protocol="quake3",
    share=1.2,
    port=27960,
    version="Unvanquished 0.55.4",
    colours="daemon",
    bots=True,
    spectators=True,
    gamename="unv",
    master_gamename="UNVANQUISHED",
    master_protocol=86,
    modes={"team": Mode("team", ("plat23", "chasm", "parpax", "perseus", "antares", "spacetracks", "yocto", "vega"))},
    slots=(24, 20, 16, 32),
    names=("Station Seven", "Dretch Nursery", "Overmind’s Overtime", "Reactor Rebuilders", "Granger Gardening",
           "Tyrant Tea Room", "Parpax Parish Council"),
    nouns=("Reactor", "Overmind", "Dretch", "Tyrant", "Granger", "Egg Room", "Telenode"),
    extra={"daemonver": "0.55.4", "abi": "4", "pure": "1", "timelimit": "45"},
)  # fmt: skip

WARFORK: Final = GameSheet(
    id="warfork",
    title="Warfork",
    protocol="quake3",
    share=0.9,
    port=44400,
    version="2.1",
    colours="warsow",
    bots=True,
    spectators=True,
    gamename="Warfork",
    master_gamename="Warfork",
    master_protocol=26,
    modes={
        "ca": Mode("ca", ("wfca1", "wfca2", "wca3")),
        "bomb": Mode("bomb", ("wbomb1", "wbomb2", "wbomb6")),
        "ffa": Mode("ffa", ("wfdm2", "wfdm5", "wfdm13"), teams=0),
        "duel": Mode("duel", ("wfda1", "wfdm4", "wfda5"), teams=0),
        "race": Mode("race", ("gu3#2-pro", "amt-freestyle2", "hangtime3"), teams=0),
    },
    slots=(10, 12, 16, 8),
    names=("Ca Academy", "Bomb Squad Leftovers", "Dash Diner", "Walljump Weekly", "Race Against the Rain"),
    nouns=("Dash", "Walljump", "Electrobolt", "Bomb Site", "Ramp Slide"),
    extra={"fs_game": "basewf", "g_antilag": "1", "g_instagib": "0", "g_match_score": "", "g_match_time": "",
           "sv_mm_enable": "0", "sv_pure": "1", "sv_skilllevel": "1", "g_race_gametype": "0"},
)  # fmt: skip

QUAKE_GAMES: Final = (XONOTIC, NEXUIZ, OPENARENA, QUAKE3, UNVANQUISHED, WARFORK)
