"""The rounds that the demo's player and his servers have kept.

Everything follows from the seed and the week: until the next Monday the same rounds come again.
"""

from collections.abc import Iterator
from functools import partial

from browser_app.catalogue.week import LocalTime
from browser_app.demo.evenings import DAY_S, HOUR_S
from browser_app.demo.ns2_record import ns2_rounds
from browser_app.demo.xonotic_record import xonotic_rounds
from browser_app.player.given import GivenRounds


def kept_rounds(now: float, local: LocalTime, seed: int) -> Iterator[GivenRounds]:
    """The rounds of each game up to the week of `now` (Unix time, s), which has a name of its own.

    `local` says what time it was for the player.
    """
    today = local(now)
    midnight = now // 1 - today.tm_hour * HOUR_S - today.tm_min * 60 - today.tm_sec
    monday = midnight - today.tm_wday * DAY_S
    first = local(monday + DAY_S / 2)
    week = f"{first.tm_year}-{first.tm_mon:02}-{first.tm_mday:02}"
    yield GivenRounds(f"demo ns2 until {week}", partial(ns2_rounds, monday, seed))
    yield GivenRounds(f"demo xonotic until {week}", partial(xonotic_rounds, monday, seed))
