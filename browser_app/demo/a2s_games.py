"""Sheets of the games that speak A2S."""

from typing import Final

from browser_app.demo.sheet import GameSheet, Mode

_NS2_MAPS = (
    "ns2_veil", "ns2_tram", "ns2_summit", "ns2_derelict", "ns2_biodome", "ns2_origin", "ns2_docking", "ns2_eclipse",
    "ns2_kodiak", "ns2_mineshaft", "ns2_refinery", "ns2_descent", "ns2_unearthed", "ns2_caged", "ns2_metro",
)  # fmt: skip

NS2: Final = GameSheet(
    id="ns2",
    title="Natural Selection 2",
    protocol="a2s",
    share=3.0,
    port=27015,
    query_offset=1,
    appid=4920,
    folder="naturalselection2",
    version="344",
    modes={
        "ns2": Mode("ns2", _NS2_MAPS),
        "siege": Mode("siege", ("sg_hollow", "sg_stoneage", "sg_trimsiege", "sg_domesiege")),
        "combat": Mode("combat", ("co_core", "co_faceoff", "co_pulse", "co_veil")),
    },
    slots=(24, 20, 24, 18, 16, 24, 32, 12),
    bots=True,
    names=(
        "Lanternfish Veil EU", "Third Hive Frankfurt", "Sunday Overflow", "Clan night, ask first", "Siege after work",
        "Vent Crawlers 32 slots", "Seeders welcome", "Rusty Onos, full house", "Bootcamp for Gorges", "Skulk School",
        "Res Node Rally", "Hydra Row | shine", "The Cyst Garden", "Alien Commander Wanted", "Powernode Pub",
        "Fade to Black UK", "Marine Start Tavern", "Lerk Season", "Phase Gate Express", "No Shade in Veil",
    ),
    nouns=("Hive", "Onos", "Skulk Den", "Cyst Garden", "Phase Gate", "Extractor", "Armory", "Lerk Roost", "Harvester"),
    extra={"tickrate": "30", "sv_dyndns": ""},
)  # fmt: skip

TF2: Final = GameSheet(
    id="tf2",
    title="Team Fortress",
    protocol="a2s",
    share=3.5,
    port=27015,
    appid=440,
    folder="tf",
    version="9543365",
    modes={
        "pl": Mode("payload", ("pl_upward", "pl_badwater", "pl_barnblitz", "pl_swiftwater_final1", "pl_goldrush")),
        "koth": Mode("koth", ("koth_harvest_final", "koth_viaduct", "koth_lakeside_final", "koth_product_rcx")),
        "cp": Mode("cp", ("cp_process_final", "cp_dustbowl", "cp_gullywash_final1", "cp_steel", "cp_gorge")),
        "ctf": Mode("ctf", ("ctf_2fort", "ctf_turbine", "ctf_doublecross", "ctf_well")),
        "plr": Mode("plr", ("plr_hightower", "plr_pipeline")),
    },
    slots=(24, 32, 24, 32, 18, 24),
    bots=True,
    names=(
        "24/7 Harvest", "Payload Pensioners", "Quiet Corner, no crits", "Beginners’ Dustbowl", "2Fort, all night",
        "Turbine Social Club", "Hightower Hats", "Sniper-free Sundays", "Old Mercs | alltalk | 100 % stock",
        "Badwater Lunch Break", "Engineer’s Allotment", "Process of Elimination", "Pyro Crossing", "Teufort Town Hall",
    ),
    nouns=("Payload", "Dustbowl", "Sentry Nest", "Intel Room", "Cart", "Respawn", "Teleporter", "Badlands", "Hat Shop"),
    extra={
        "mp_friendlyfire": "0", "mp_maxrounds": "0", "mp_timelimit": "30", "mp_winlimit": "3", "sv_alltalk": "1",
        "sv_cheats": "0", "sv_gravity": "800", "sv_maxspeed": "320", "sv_pausable": "0", "sv_voiceenable": "1",
        "tf_birthday": "0", "tf_overtime_nag": "0", "tf_use_fixed_weaponspreads": "1", "tf_weapon_criticals": "0",
        "tf_damage_disablespread": "1", "tf_forced_holiday": "0", "tf_medieval": "0", "tf_arena_use_queue": "1",
        "sm_nextmap": "pl_upward", "sourcemod_version": "1.12.0.7177", "metamod_version": "1.12.0-dev+1219V",
        "sv_footsteps": "1", "sv_friction": "4", "sv_stepsize": "18", "sv_waterfriction": "1", "sv_tags": "",
        "mp_autoteambalance": "1", "mp_teams_unbalance_limit": "1", "mp_scrambleteams_auto": "1", "coop": "0",
        "decalfrequency": "10", "deathmatch": "1", "mp_allowNPCs": "1", "mp_fadetoblack": "0", "mp_falldamage": "0",
        "mp_flashlight": "0", "mp_footsteps": "1", "mp_forceautoteam": "0", "mp_forcecamera": "1", "mp_fraglimit": "0",
        "mp_holiday_nogifts": "0", "mp_respawnwavetime": "10.0", "mp_stalemate_enable": "0",
        "mp_teamlist": "hgrunt;scientist", "mp_teamplay": "0", "mp_tournament": "0", "mp_weaponstay": "0",
        "nextlevel": "", "r_AirboatViewDampenDamp": "1.0", "r_JeepViewDampenDamp": "1.0", "sv_accelerate": "10",
        "sv_airaccelerate": "10", "sv_bounce": "0",
        "sv_noclipaccelerate": "5", "sv_noclipspeed": "5", "sv_password": "0", "sv_registration_successful": "1",
        "sv_rollangle": "0", "sv_rollspeed": "200", "sv_specaccelerate": "5", "sv_specnoclip": "1", "sv_specspeed": "3",
        "soap_version": "4.1.1", "rtv_changetime": "0", "rtv_needed": "0.60", "mapchooser_extended_version": "1.10.2",
        "nativevotes_version": "1.3.1", "tf_gamemode_payload": "1", "tf_spawn_glows_duration": "10",
        "sbpp_version": "1.7.0", "advertisements_version": "2.1.0", "basic_respawn_time_blue": "5", "sv_contact": "",
        "sv_steamgroup": "", "sv_stopspeed": "100", "sv_vote_quorum_ratio": "0.6", "sv_wateraccelerate": "10",
    },
)  # fmt: skip

A2S_GAMES: Final = (NS2, TF2)
