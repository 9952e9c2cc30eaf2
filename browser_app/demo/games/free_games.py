"""Demo servers of free games of single kinds, and of Mumble."""

from typing import Final

from browser_app.demo.games.game_spec import GameMode, GameSpec

_NO_MAP = ("",)
"""Servers report none."""
_STATIONS = ("Bagel", "Box", "Core", "Fland", "Marathon", "Meta", "Omega", "Saltern")

SPACE_STATION_GAME: Final = GameSpec(
    id="ss14",
    share=0.4,
    version="",
    modes={
        "secret": GameMode("Secret", _STATIONS, teams=0),
        "extended": GameMode("Extended", _STATIONS, teams=0),
        "traitor": GameMode("Traitor", _STATIONS, teams=0),
    },
    slots=(80, 60, 100, 40),
    server_names=("Lagrange Five [Medium roleplay]", "Cargo Cult Frontier", "Airlock Anonymous"),
    server_name_nouns=("Airlock", "Cargo", "Lagrange", "Singularity", "Crew"),
)
MINDUSTRY_GAME: Final = GameSpec(
    id="mindustry",
    share=0.4,
    version="official 146",
    modes={
        "survival": GameMode("survival", ("Frozen Forest", "The Craters", "Ruinous Shores"), teams=0),
        "pvp": GameMode("pvp", ("Veins", "Glacier")),
        "attack": GameMode("attack", ("Fungal Pass", "Nuclear Complex"), teams=0),
    },
    slots=(20, 30, 16),
    server_names=("Copper Conveyor", "Router Chains Welcome", "Silicon Evening"),
    server_name_nouns=("Router", "Conveyor", "Thorium", "Silicon"),
)
OPENTTD_GAME: Final = GameSpec(
    id="openttd",
    share=0.4,
    version="14.1",
    modes={
        "temperate": GameMode("0", ("256×256", "512×256"), teams=0),
        "arctic": GameMode("1", ("512×512",), teams=0),
        "tropic": GameMode("2", ("1024×1024",), teams=0),
    },
    slots=(10, 15, 25),
    server_names=("Coal to the Coast", "Slow Trains Only", "Maglev Monday"),
    server_name_nouns=("Railways", "Canal", "Depot", "Tram"),
)

BZFLAG_GAME: Final = GameSpec(
    id="bzflag",
    share=0.3,
    version="BZFS0221",
    modes={
        "offa": GameMode("2", _NO_MAP, teams=0),
        "ctf": GameMode("1", _NO_MAP),
        "rabbit": GameMode("3", _NO_MAP, teams=0),
    },
    slots=(20, 40, 16),
    server_names=("Tank Wash", "Jumping Turtles"),
    server_name_nouns=("Tanks", "Ricochet", "Flags", "Hix"),
)

ARMAGETRON_GAME: Final = GameSpec(
    id="armagetron",
    share=0.3,
    version="0.2.9.2.3",
    colours="armagetron",
    has_plain_player_names=True,
    modes={"": GameMode("", _NO_MAP, teams=0)},
    slots=(16, 12),
    server_names=("Sumo Sunday", "Walls Have Feelings"),
    server_name_nouns=("Fortress", "Sumo", "Grid", "Wall"),
    extra_info={"options": "Everybody for themself", "url": "https://example.net/"},
)

SUPERTUXKART_GAME: Final = GameSpec(
    id="supertuxkart",
    share=0.3,
    version="",
    modes={
        "race": GameMode("3", ("hacienda", "lighthouse", "snowmountain"), teams=0),
        "soccer": GameMode("6", ("soccer_field", "icy_soccer_field")),
        "timetrial": GameMode("4", ("zengarden", "volcano_island"), teams=0),
    },
    slots=(8, 12),
    server_names=("Penguin Pit Stop", "Banana Boulevard"),
    server_name_nouns=("Karts", "Nitro", "Bubblegum", "Gnu"),
)

MUMBLE_SERVERS: Final = GameSpec(
    id="mumble",
    share=0.2,
    version="1.4.230",
    modes={"": GameMode("", _NO_MAP, teams=0)},
    slots=(50, 100),
    server_names=("Quiet Corner",),
    server_name_nouns=("Voices", "Chatter"),
)

SRB2_GAME: Final = GameSpec(
    id="srb2",
    share=0.3,
    version="2.2.15",
    modes={
        "coop": GameMode("Co-op", ("GREENFLOWER ZONE 1", "TECHNO HILL ZONE 2", "DEEP SEA ZONE 1"), teams=0),
        "race": GameMode("Race", ("ARID CANYON ZONE 2", "RED VOLCANO ZONE 1"), teams=0),
        "ctf": GameMode("CTF", ("LIME FOREST ZONE", "LOST PALACE ZONE")),
    },
    slots=(8, 16, 32),
    server_names=("Springs and Thoks", "Emerald Hunt Hour"),
    server_name_nouns=("Spring", "Ring", "Shield"),
)
SRB2KART_GAME: Final = GameSpec(
    id="srb2kart",
    share=0.2,
    version="1.6",
    modes={
        "race": GameMode("2", ("Dark Race", "Sunbeam Paradise Zone 1"), teams=0),
        "battle": GameMode("3", ("Malachite Hideout", "Clash Carnival"), teams=0),
    },
    slots=(8, 12, 16),
    server_names=("Drift Till Dawn", "Orbinaut Alley"),
    server_name_nouns=("Kart", "Drift", "Turbo"),
)
RING_RACERS_GAME: Final = GameSpec(
    id="ringracers",
    share=0.2,
    version="2.3",
    modes={
        "race": GameMode("Race", ("Northern District Zone", "Panic City"), teams=0),
        "battle": GameMode("Battle", ("Power Plant", "Meadow Match Zone"), teams=0),
    },
    slots=(8, 16),
    server_names=("Tether Ticket", "Sliptide Sunday"),
    server_name_nouns=("Ring", "Tether", "Gear"),
)

FREE_GAMES: Final = (
    MINDUSTRY_GAME,
    OPENTTD_GAME,
    BZFLAG_GAME,
    ARMAGETRON_GAME,
    SUPERTUXKART_GAME,
    MUMBLE_SERVERS,
    SRB2_GAME,
    SRB2KART_GAME,
    RING_RACERS_GAME,
)
