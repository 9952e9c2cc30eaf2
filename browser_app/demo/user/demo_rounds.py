"""Generated rounds and skill samples of the demo user.

Everything follows from the seed and the week: until the next Monday the same rounds come again.
"""

import random
from collections.abc import Iterator
from functools import partial
from typing import Final

from browser_app.catalogue.sample_series import ToLocalTime
from browser_app.demo.demo_names import USER_IDENTITIES
from browser_app.demo.user.demo_ns2_rounds import make_ns2_rounds
from browser_app.demo.user.demo_schedule import DAY_S, HOUR_S
from browser_app.demo.user.demo_skill_services import XONSTAT_SKILLS, ns2_skill
from browser_app.demo.user.demo_xonotic_rounds import make_xonotic_rounds
from browser_app.player.skill_sources import SkillSourceKind
from browser_app.player.supplied_player import SuppliedRounds, SuppliedSample

SKILL_HISTORY_DAYS: Final = 42
_STEAM_IDENTITY, _XONOTIC_IDENTITY = USER_IDENTITIES[0], USER_IDENTITIES[-1]
_PLAY_PROBABILITY: Final = 0.45
"""On so many days he played."""
_STEP_POINTS: Final = 14.0
"""Points, from one such day to another."""


def make_skill_history(now: float) -> Iterator[SuppliedSample]:
    """Twice a day of play, up to some hours before `now` (Unix time, s); of another day the same numbers come again."""
    rng = random.Random(SKILL_HISTORY_DAYS)  # noqa: S311 (made-up numbers)
    played = [day for day in range(SKILL_HISTORY_DAYS, 0, -1) if rng.random() < _PLAY_PROBABILITY]
    away = [rng.gauss(0.0, _STEP_POINTS) for _day in played]
    for place, day in enumerate(played):
        still = sum(away[place:])  # it comes to nothing
        for ago in (day * DAY_S, day * DAY_S - 3 * HOUR_S):
            yield SuppliedSample(
                SkillSourceKind.STEAM,
                _STEAM_IDENTITY,
                now - ago,
                {"points": round(ns2_skill(_STEAM_IDENTITY.value) - still)},
            )
            modes = {mode: (round(mu - still, 1), sigma) for mode, (mu, sigma) in XONSTAT_SKILLS.items()}
            yield SuppliedSample(SkillSourceKind.XONSTAT, _XONOTIC_IDENTITY, now - ago, {"modes": modes, "games": []})


def make_user_rounds(now: float, local_time: ToLocalTime, seed: int) -> Iterator[SuppliedRounds]:
    """The rounds of each game up to the week of `now` (Unix time, s), which has a name of its own.

    `local_time` says what time it was for the player.
    """
    today = local_time(now)
    midnight = now // 1 - today.tm_hour * HOUR_S - today.tm_min * 60 - today.tm_sec
    monday = midnight - today.tm_wday * DAY_S
    first = local_time(monday + DAY_S / 2)
    week = f"{first.tm_year}-{first.tm_mon:02}-{first.tm_mday:02}"
    yield SuppliedRounds(f"demo ns2 until {week}", partial(make_ns2_rounds, monday, seed))
    yield SuppliedRounds(f"demo xonotic until {week}", partial(make_xonotic_rounds, monday, seed))
