"""The player of the demo: who he is, and the rounds that he and his servers have kept.

Everything follows from the seed and the week: until the next Monday the same rounds come again.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from browser_app.catalogue.week import LocalTime
from browser_app.demo.evenings import DAY_S, HOUR_S
from browser_app.demo.ns2_record import ACCOUNTS, ns2_rounds
from browser_app.demo.xonotic_record import FINGERPRINT, xonotic_rounds
from browser_app.player.identities import STEAM_BASE, Identity, IdentityKind

IDENTITIES: Final = (
    *(Identity("ns2", IdentityKind.STEAM, str(STEAM_BASE + account)) for account in ACCOUNTS),
    Identity("xonotic", IdentityKind.XONOTIC, FINGERPRINT),
)


class Kept(NamedTuple):
    """What was kept of one game, in a week; `rounds` are objects of the round file, in the order of their start."""

    name: str
    rounds: Sequence[dict[str, Any]]


def kept_rounds(now: float, local: LocalTime, seed: int) -> Iterator[Kept]:
    """The rounds of each game up to the week of `now` (Unix time, s), which has a name of its own."""
    today = local(now)
    midnight = now // 1 - today.tm_hour * HOUR_S - today.tm_min * 60 - today.tm_sec
    monday = midnight - today.tm_wday * DAY_S
    first = local(monday + HOUR_S * 12)
    week = f"{first.tm_year}-{first.tm_mon:02}-{first.tm_mday:02}"
    yield Kept(f"demo ns2 until {week}", ns2_rounds(monday, seed))
    yield Kept(f"demo xonotic until {week}", xonotic_rounds(monday, seed))
