"""Demo servers of Doom, QuakeWorld, HexenWorld and Quake II."""

from typing import Final

from browser_app.demo.games.game_spec import GameMode, GameSpec

_DOOM_FILES: Final = {"iwad": "freedoom2.wad", "wads": ""}

QUAKEWORLD_GAME: Final = GameSpec(
    id="quakeworld",
    share=0.7,
    version="MVDSV 0.36",
    modes={
        "4on4": GameMode("4on4", ("dm3", "dm2", "e1m2")),
        "duel": GameMode("1on1", ("dm4", "aerowalk", "ztndm3"), teams=0),
        "2on2": GameMode("2on2", ("dm4", "dm6", "cmt4")),
        "ffa": GameMode("ffa", ("dm3", "dm6", "e1m5"), teams=0),
    },
    slots=(8, 4, 16, 26),
    server_names=("The Abandoned Base", "Nailgun Nights", "Rocket Bath House", "Bunny Hop Bergen", "Vertical Tavern"),
    server_name_nouns=("Nailgun", "Grenade", "Shaft", "Ziggurat", "Slipgate"),
    extra_info={"*gamedir": "qw", "timelimit": "20", "fraglimit": "0", "teamplay": "2", "deathmatch": "1"},
)

HEXENWORLD_GAME: Final = GameSpec(
    id="hexenworld",
    share=0.2,
    version="0.27",
    modes={"ffa": GameMode("ffa", ("hwdm1", "hwdm2", "rider1a"), teams=0)},
    slots=(8, 16),
    server_names=("Paladin Parlour", "Blackmarsh"),
    server_name_nouns=("Crusader", "Necromancer", "Assassin"),
    extra_info={"*gamedir": "hw", "deathmatch": "1"},
)

QUAKE2_GAME: Final = GameSpec(
    id="quake2",
    share=0.6,
    version="8.30 x86_64 Linux",
    modes={
        "dm": GameMode("dm", ("q2dm1", "q2dm8", "fact3"), teams=0),
        "ctf": GameMode("ctf", ("q2ctf1", "q2ctf4")),
        "tdm": GameMode("tdm", ("q2duel1", "q2dm2")),
    },
    slots=(16, 12, 24),
    server_names=("The Edge of Town", "Railgun Recital", "Lithium Lounge", "Strogg Social Club"),
    server_name_nouns=("Railgun", "Hyperblaster", "Stroggos", "Tank"),
    extra_info={"gamename": "baseq2", "protocol": "34", "timelimit": "20", "fraglimit": "30"},
)

ZANDRONUM_GAME: Final = GameSpec(
    id="zandronum",
    share=0.5,
    version="3.2-r230709-1914 on Linux 6.1.0-amd64",
    modes={
        "coop": GameMode("0", ("MAP01", "MAP07", "MAP11"), teams=0),
        "survival": GameMode("1", ("MAP02", "MAP15"), teams=0),
        "ctf": GameMode("12", ("MAP03", "MAP06")),
        "dm": GameMode("3", ("MAP01", "MAP05"), teams=0),
    },
    slots=(8, 16, 32),
    server_names=("Imp Encounter Group", "Barrels O’ Folk", "Cyberdemon Crèche", "Keycard Lost and Found"),
    server_name_nouns=("Imp", "Revenant", "Cacodemon", "Keycard", "Shotgun"),
    extra_info={"iwad": "freedoom2.wad", "wads": "barrel-maps.wad bigger-barrels.pk3"},
)

ODAMEX_GAME: Final = GameSpec(
    id="odamex",
    share=0.3,
    version="10.6.0",
    modes={
        "coop": GameMode("0", ("MAP01", "MAP10"), teams=0),
        "dm": GameMode("1", ("MAP01", "MAP07"), teams=0),
        "ctf": GameMode("3", ("MAP01", "MAP02")),
    },
    slots=(8, 12, 16),
    server_names=("Zip Tie Duel Den", "Computer Station CTF"),
    server_name_nouns=("Plasma", "Chaingun", "Backpack"),
    extra_info=_DOOM_FILES,
)

CHOCOLATE_DOOM_GAME: Final = GameSpec(
    id="chocolatedoom",
    share=0.2,
    version="Chocolate Doom 3.1.0",
    modes={"": GameMode("", ("",), teams=0)},
    slots=(4,),
    server_names=("Hangar Four",),
    server_name_nouns=("Hangar", "Toxin Refinery", "Phobos"),
)

DOOM_AND_QUAKE_GAMES: Final = (
    QUAKEWORLD_GAME, HEXENWORLD_GAME, QUAKE2_GAME, ZANDRONUM_GAME, ODAMEX_GAME, CHOCOLATE_DOOM_GAME,
)  # fmt: skip
