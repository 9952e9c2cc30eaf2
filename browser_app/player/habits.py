"""With whom, where and when somebody wins more or less than the ratings expect: luck told from habit."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["map", "team", "hour", "mate", "rival"]
Verdict: TypeAlias = Literal["good", "bad", "lucky", "unlucky", "as expected", "too few"]


@dataclass(frozen=True, slots=True)
class Habit:
    """Rounds that have something in common.

    Attributes:
        kind: what. name: map, team, hour of the day ("0" to "23", local time), or the other player's id.
        title: what to show: the name as it was last told, for players; else ``name``.
        rounds: rated rounds of this kind with an outcome; a draw counts half a win.
        expected: wins that the chances said before these rounds add up to.
        wins: what they became.
        low, high: wins that luck alone reaches, 9 times in 10.
        chance: how likely luck alone strays at least so far to either side (two-sided), 0 to 1.
        verdict: "good" or "bad" where luck is no explanation, minding how many rows were looked at; "lucky" or
            "unlucky" where the row alone would look so, but among so many rows one does by luck; else "as expected";
            "too few" where luck alone would reach everything.
    """

    kind: Kind
    name: str
    title: str
    rounds: int
    expected: float
    wins: float
    low: float
    high: float
    chance: float
    verdict: Verdict
