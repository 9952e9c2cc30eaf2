"""The skill that Natural Selection 2 keeps of a player in Steam's user stats (its own service ended in 2022)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SteamSkill:
    """What the game says of a player. None: not told. Points as the game shows them."""

    points: float | None
    """The average of marine and alien."""
    offset: float | None = None
    """Marine is that plus this, alien that minus this."""
    commander: float | None = None
    commander_offset: float | None = None
    adagrad_sum: float | None = None
    """Sum of squared gradients: the larger, the surer."""
    commander_adagrad_sum: float | None = None
