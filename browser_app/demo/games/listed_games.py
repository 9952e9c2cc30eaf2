"""Demo servers of games that are only known from lists."""

from typing import Final

from browser_app.demo.games.game_spec import GameMode, GameSpec

OPENRA_GAME: Final = GameSpec(
    id="openra-ra",
    share=0.3,
    version="release-20250330",
    modes={"ra": GameMode("ra", ("",), teams=0)},
    slots=(2, 4, 8),
    server_names=("Beginners welcome", "Ore Lords 2v2"),
    server_name_nouns=("Ore", "Harvester", "Skirmish"),
)
BEAMMP_GAME: Final = GameSpec(
    id="beammp",
    share=0.3,
    version="2.2",
    modes={"freeroam": GameMode("Freeroam", ("gridmap_v2", "west_coast_usa", "utah"), teams=0)},
    slots=(10, 20, 30),
    server_names=("Crawl and Crash", "Touge Evening"),
    server_name_nouns=("Drift", "Derby", "Crawl"),
)
VINTAGE_STORY_GAME: Final = GameSpec(
    id="vintagestory",
    share=0.3,
    version="1.20.4",
    modes={
        "survive": GameMode("surviveandbuild", ("",), teams=0),
        "creative": GameMode("creativebuilding", ("",), teams=0),
    },
    slots=(16, 32),
    server_names=("Copper Age Village", "Temporal Calm"),
    server_name_nouns=("Village", "Kiln", "Drifter"),
)
NORTHSTAR_GAME: Final = GameSpec(
    id="northstar",
    share=0.3,
    version="",
    modes={
        "aitdm": GameMode("aitdm", ("mp_glitch", "mp_angel_city")),
        "ps": GameMode("ps", ("mp_eden", "mp_homestead")),
    },
    slots=(16, 12),
    server_names=("Attrition All Night", "Pilots Only"),
    server_name_nouns=("Attrition", "Pilots", "Frontier"),
)
WARZONE_GAME: Final = GameSpec(
    id="warzone2100",
    share=0.3,
    version="4.5.5",
    modes={"skirmish": GameMode("", ("Sk-Rush", "Sk-Startup", "Sk-Concrete Playground"), teams=0)},
    slots=(2, 4, 8, 10),
    server_names=("Rush 2v2 Evening", "Oil and Derricks"),
    server_name_nouns=("Derrick", "Factory", "Skirmish"),
)
LISTED_GAMES: Final = (OPENRA_GAME, BEAMMP_GAME, VINTAGE_STORY_GAME, NORTHSTAR_GAME, WARZONE_GAME)
