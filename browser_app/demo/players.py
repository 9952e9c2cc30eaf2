"""Who plays in the demo player's record: himself, and people who are on the demo network's servers too."""

import random
from collections.abc import Mapping
from typing import Final

from browser_app.demo.wording import NICKNAMES, nickname
from browser_app.player.identities import STEAM_BASE, Identity, IdentityKind

NAME: Final = "kittiwake"
"""What the demo player calls himself."""
ACCOUNTS: Final = (4_210_662_118, 4_288_035_407)
"""His Steam accounts, the first is in use now; Steam has given no number as high to anybody."""
FINGERPRINT: Final = "DemoDemoDemoDemoDemoDemoDemoDemoDemoDemoDem="
"""Of his Xonotic key; no key has it."""
IDENTITIES: Final = (
    *(Identity("ns2", IdentityKind.STEAM, str(STEAM_BASE + account)) for account in ACCOUNTS),
    Identity("xonotic", IdentityKind.XONOTIC, FINGERPRINT),
)
PARAMETERS: Final[Mapping[tuple[str, str], Mapping[str, object]]] = {
    ("ns2", "ns2"): {"start": 30.0, "k": 20.0, "theta": 1.5}
}
"""A start at 1,500 points puts everybody where his servers say they are; k and theta say the same of a full history."""


def others(count: int, rng: random.Random) -> list[str]:
    """Names of so many people, each another: first those whom one meets on every server."""
    names = list(NICKNAMES)
    rng.shuffle(names)
    taken = {NAME, *names}
    while len(names) < count:
        names.append(nickname(taken, rng))
        taken.add(names[-1])
    return names[:count]
