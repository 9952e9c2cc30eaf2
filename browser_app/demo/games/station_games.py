"""Demo servers of Space Station 14."""

from typing import Final

from browser_app.demo.games.game_spec import GameMode, GameSpec
from browser_app.protocols.query_protocols import SPACE_STATION

_STATIONS = ("Bagel", "Box", "Core", "Fland", "Marathon", "Meta", "Omega", "Saltern")

SPACE_STATION_GAME: Final = GameSpec(
    id="ss14",
    title="Space Station 14",
    protocol=SPACE_STATION,
    share=0.4,
    port=1212,
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

STATION_GAMES: Final = (SPACE_STATION_GAME,)
