"""Demo servers of Mindustry."""

from typing import Final

from browser_app.demo.games.game_spec import GameMode, GameSpec
from browser_app.protocols.query_protocols import MINDUSTRY

MINDUSTRY_GAME: Final = GameSpec(
    id="mindustry",
    title="Mindustry",
    protocol=MINDUSTRY,
    share=0.4,
    port=6567,
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
MINDUSTRY_GAMES: Final = (MINDUSTRY_GAME,)
