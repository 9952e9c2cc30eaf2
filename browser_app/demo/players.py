"""Who plays in the demo player's record: himself, and people who are on the demo network's servers too."""

import random
from typing import Final, NamedTuple

from browser_app.demo.wording import NICKNAMES, nickname

NAME: Final = "kittiwake"
"""What the demo player calls himself."""


class Somebody(NamedTuple):
    """A player as a record knows him."""

    id: str
    name: str


def others(count: int, rng: random.Random) -> list[str]:
    """Names of so many people, each another: first those whom one meets on every server."""
    names = list(NICKNAMES)
    rng.shuffle(names)
    taken = {NAME, *names}
    while len(names) < count:
        names.append(nickname(taken, rng))
        taken.add(names[-1])
    return names[:count]
