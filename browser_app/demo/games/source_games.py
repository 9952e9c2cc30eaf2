"""Demo servers that answer A2S queries."""

from typing import Final

from browser_app.demo.games.game_spec import GameMode, GameSpec

_NS2_MAPS = (
    "ns2_veil", "ns2_tram", "ns2_summit", "ns2_derelict", "ns2_biodome", "ns2_origin", "ns2_docking", "ns2_eclipse",
    "ns2_kodiak", "ns2_mineshaft", "ns2_refinery", "ns2_descent", "ns2_unearthed", "ns2_caged", "ns2_metro",
)  # fmt: skip

NS2: Final = GameSpec(
    id="ns2",
    share=3.0,
    appid=4920,
    folder="naturalselection2",
    version="344",
    modes={
        "ns2": GameMode("ns2", _NS2_MAPS),
        "siege": GameMode("siege", ("sg_hollow", "sg_stoneage", "sg_trimsiege", "sg_domesiege")),
        "combat": GameMode("combat", ("co_core", "co_faceoff", "co_pulse", "co_veil")),
    },
    slots=(24, 20, 24, 18, 16, 24, 32, 12),
    server_names=(
        "Lanternfish Veil EU", "Third Hive Frankfurt", "Sunday Overflow", "Clan night, ask first", "Siege after work",
        "Vent Crawlers 32 slots", "Seeders welcome", "Rusty Onos, full house", "Bootcamp for Gorges", "Skulk School",
        "Res Node Rally", "Hydra Row | shine", "The Cyst Garden", "Alien Commander Wanted", "Powernode Pub",
        "Fade to Black UK", "Marine Start Tavern", "Lerk Season", "Phase Gate Express", "No Shade in Veil",
    ),
    server_name_nouns=("Hive", "Onos", "Skulk Den", "Cyst Garden", "Phase Gate", "Extractor", "Armory",
                       "Lerk Roost", "Harvester"),
    extra_info={"tickrate": "30", "sv_dyndns": ""},
)  # fmt: skip

TF2: Final = GameSpec(
    id="tf2",
    share=3.5,
    appid=440,
    folder="tf",
    version="9543365",
    modes={
        "pl": GameMode("payload", ("pl_upward", "pl_badwater", "pl_barnblitz", "pl_swiftwater_final1", "pl_goldrush")),
        "koth": GameMode("koth", ("koth_harvest_final", "koth_viaduct", "koth_lakeside_final", "koth_product_rcx")),
        "cp": GameMode("cp", ("cp_process_final", "cp_dustbowl", "cp_gullywash_final1", "cp_steel", "cp_gorge")),
        "ctf": GameMode("ctf", ("ctf_2fort", "ctf_turbine", "ctf_doublecross", "ctf_well")),
        "plr": GameMode("plr", ("plr_hightower", "plr_pipeline")),
    },
    slots=(24, 32, 24, 32, 18, 24),
    server_names=(
        "24/7 Harvest", "Payload Pensioners", "Quiet Corner, no crits", "Beginners’ Dustbowl", "2Fort, all night",
        "Turbine Social Club", "Hightower Hats", "Sniper-free Sundays", "Old Mercs | alltalk | 100 % stock",
        "Badwater Lunch Break", "Engineer’s Allotment", "Process of Elimination", "Pyro Crossing", "Teufort Town Hall",
    ),
    server_name_nouns=("Payload", "Dustbowl", "Sentry Nest", "Intel Room", "Cart", "Respawn", "Teleporter",
                       "Badlands", "Hat Shop"),
    extra_info={"tf_medieval": "0", "sm_nextmap": "pl_upward", "sv_tags": ""}
    | {f"sm_plugin_{number:02}_version": "1.12.0.7177" for number in range(50)},  # too many for one packet
)  # fmt: skip

A2S_GAMES: Final = (NS2, TF2)
