"""Demo servers of games in worlds of blocks: Luanti and Minecraft.

Their worlds have no maps, and those of Minecraft Java no modes.
"""

from typing import Final

from browser_app.demo.games.game_spec import GameMode, GameSpec

_NO_MAP = ("",)

LUANTI_GAME: Final = GameSpec(
    id="luanti",
    share=0.8,
    version="5.10.0",
    modes={
        game: GameMode(game, _NO_MAP, teams=0)
        for game in ("minetest_game", "mineclonia", "mineclone2", "capturetheflag", "exile")
    },
    slots=(20, 30, 15, 50),
    server_names=("Pebble Harbour", "Mese Mornings", "Cobble Commons", "Your Land? Our Land!", "Node Nursery"),
    server_name_nouns=("Cobble", "Mese", "Sapling", "Node", "Lantern Cave", "Skyblock"),
    extra_info={"mapgen": "v7", "privs": "interact, shout"},
)

MINECRAFT_JAVA: Final = GameSpec(
    id="minecraft",
    share=1.1,
    version="Paper 1.21.4",
    colours="minecraft",
    modes={"": GameMode("", _NO_MAP, teams=0)},
    slots=(20, 50, 100, 30, 200),
    server_names=("Beet Farm Survival", "Redstone Rest Home", "The Slow Mine", "Village Green SMP", "Creeper Crossing",
           "Cartographers’ Club", "One Block at a Time"),
    server_name_nouns=("Survival", "SMP", "Redstone", "Skyblock", "Villager", "Nether", "Copper"),
)  # fmt: skip

MINECRAFT_BEDROCK: Final = GameSpec(
    id="bedrock",
    share=0.5,
    version="1.21.50",
    colours="minecraft",
    modes={
        "survival": GameMode("Survival", ("Bedrock level", "Lowlands", "Island"), teams=0),
        "creative": GameMode("Creative", ("Flat", "Workshop"), teams=0),
        "adventure": GameMode("Adventure", ("Temple", "Parkour"), teams=0),
    },
    slots=(10, 20, 30),
    server_names=("Pocket Realm of Peat", "Touchscreen Tavern", "Axolotl Allotment"),
    server_name_nouns=("Realm", "Pocket", "Axolotl", "Honeycomb", "Slime Chunk"),
)

BLOCK_GAMES: Final = (LUANTI_GAME, MINECRAFT_JAVA, MINECRAFT_BEDROCK)
