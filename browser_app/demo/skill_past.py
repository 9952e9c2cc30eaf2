"""What Steam and XonStat would have said of the demo player in the weeks before: it ends near what they say now."""

import random
from collections.abc import Iterator
from typing import Final

from browser_app.demo.evenings import DAY_S, HOUR_S
from browser_app.demo.players import IDENTITIES
from browser_app.demo.skill_services import SKILLS, skill_of
from browser_app.player.given import GivenSample
from browser_app.player.sources import SourceKind

DAYS: Final = 42
_STEAM, _XONOTIC = IDENTITIES[0], IDENTITIES[-1]
_PLAYED: Final = 0.45
"""On so many days he played."""
_STEP: Final = 14.0
"""Points, from one such day to another."""


def said_before(now: float) -> Iterator[GivenSample]:
    """Twice a day of play, up to some hours before `now` (Unix time, s); of another day the same numbers come again."""
    rng = random.Random(DAYS)  # noqa: S311 (made-up numbers)
    played = [day for day in range(DAYS, 0, -1) if rng.random() < _PLAYED]
    away = [rng.gauss(0.0, _STEP) for _day in played]
    for place, day in enumerate(played):
        still = sum(away[place:])  # it comes to nothing
        for ago in (day * DAY_S, day * DAY_S - 3 * HOUR_S):
            yield GivenSample(SourceKind.STEAM, _STEAM, now - ago, {"points": round(skill_of(_STEAM.value) - still)})
            modes = {mode: (round(mu - still, 1), sigma) for mode, (mu, sigma) in SKILLS.items()}
            yield GivenSample(SourceKind.XONSTAT, _XONOTIC, now - ago, {"modes": modes, "games": []})
