"""One player's way through a record under one rating system: what was said before each of his rounds, and after."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from browser_app.player.packed import packed, unpacked
from browser_app.rating.record import Floats, Ints

VERSION = 1
"""Of the form of what is kept in the cache: another one is not read."""


@dataclass(frozen=True)
class OwnHistory:
    """The rounds in which a player was on a team, by start: one entry each in every column.

    Ratings are in displayed units: NS2 points, else the system's own. Times are in seconds since 1970 (UTC). A change
    is ``after − before``: between two rounds time may move a rating as well, and each mode may have one of its own.

    Attributes:
        game: its id. system: its name. player: his id in the record.
        ids: the rounds' ids. round: their indices in the record.
        duration: seconds, NaN where unknown.
        map, mode, team, server: indices into ``maps``, ``modes``, ``teams``, ``servers``; −1 for none. The team is the
            one he was longest on.
        size_mine, size_other: people on his team and on all others, each counted where he was longest.
        share: of the round's time, weighted as the system does, on any team, 0 to 1; NaN without a duration.
        chair: of the same, in the commander's chair.
        probability: of his team, said before the round with everybody's presence as it turned out: P(win | no draw) of
            two teams, P(first place alone) of more; NaN where the round was not rated.
        outcome: 1 won, 0 not, ½ drawn (first place shared), NaN without an outcome.
        before, after: the rating in the round's mode. sd: that of ``after``, NaN where the system has none.
        approximate: whether the record does not tell who was there when.
        why: the reason why the round was not rated, "" where it was.
    """

    game: str
    system: str
    player: str
    maps: tuple[str, ...]
    modes: tuple[str, ...]
    teams: tuple[str, ...]
    servers: tuple[str, ...]

    ids: tuple[str, ...]
    why: tuple[str, ...]
    round: Ints
    started: Floats
    duration: Floats
    map: Ints
    mode: Ints
    team: Ints
    server: Ints
    size_mine: Ints
    size_other: Ints
    share: Floats
    chair: Floats
    probability: Floats
    outcome: Floats
    before: Floats
    after: Floats
    sd: Floats
    approximate: NDArray[np.bool_]

    def __len__(self) -> int:
        """How many rounds."""
        return len(self.ids)

    def to_bytes(self) -> bytes:
        """As they are kept."""
        return packed(self, VERSION)

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """What ``to_bytes`` made.

        Raises:
            ValueError: it is of another version, or damaged.
        """
        return unpacked(cls, content, VERSION)
