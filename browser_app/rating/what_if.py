"""What a round to come would do to a player's rating."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A round to come, for one of its players; changes are as displayed (ns2: points).

    Attributes:
        chance: of his team: of winning if there is no draw, of first place among more than two; None: nothing says.
        win, lose, draw: the change of his rating by each outcome.
        unknown: how many of the round's players the run knows nothing of; they count as newcomers.
        why: why the system does not rate such a round (the changes are 0 then); None: it does.
    """

    chance: float | None
    win: float
    lose: float
    draw: float
    unknown: int
    why: str | None = None
