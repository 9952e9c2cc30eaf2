"""Generated rounds and skill samples of the demo user.

They depend on the seed and the week: until the next Monday the same rounds are generated.
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
from browser_app.player.demo_player import DemoRounds, DemoSample
from browser_app.player.skill_sources import SkillSourceKind

SKILL_HISTORY_DAYS: Final = 42
_STEAM_IDENTITY, _XONOTIC_IDENTITY = USER_IDENTITIES[0], USER_IDENTITIES[-1]
_PLAY_PROBABILITY: Final = 0.45
"""Share of days with play."""
_STEP_POINTS: Final = 14.0
"""Points between two days with play."""


def make_skill_history(now: float) -> Iterator[DemoSample]:
    """Return two samples per day of play, until some hours before `now` (Unix, s)."""
    rng = random.Random(SKILL_HISTORY_DAYS)  # noqa: S311 (simulation, not cryptography)
    played = [day for day in range(SKILL_HISTORY_DAYS, 0, -1) if rng.random() < _PLAY_PROBABILITY]
    away = [rng.gauss(0.0, _STEP_POINTS) for _day in played]
    for place, day in enumerate(played):
        still = sum(away[place:])  # steps that cancel out
        for ago in (day * DAY_S, day * DAY_S - 3 * HOUR_S):
            yield DemoSample(
                SkillSourceKind.STEAM,
                _STEAM_IDENTITY,
                now - ago,
                {"points": round(ns2_skill(_STEAM_IDENTITY.value) - still)},
            )
            modes = {mode: (round(mu - still, 1), sigma) for mode, (mu, sigma) in XONSTAT_SKILLS.items()}
            yield DemoSample(SkillSourceKind.XONSTAT, _XONOTIC_IDENTITY, now - ago, {"modes": modes, "games": []})


def make_user_rounds(now: float, local_time: ToLocalTime, seed: int) -> Iterator[DemoRounds]:
    """Return each game's rounds up to the week of `now` (Unix time, s), and its name.

    `local_time` maps times to the user's local time.
    """
    today = local_time(now)
    midnight = now // 1 - today.tm_hour * HOUR_S - today.tm_min * 60 - today.tm_sec
    monday = midnight - today.tm_wday * DAY_S
    first = local_time(monday + DAY_S / 2)
    week = f"{first.tm_year}-{first.tm_mon:02}-{first.tm_mday:02}"
    yield DemoRounds(f"demo ns2 until {week}", partial(make_ns2_rounds, monday, seed))
    yield DemoRounds(f"demo xonotic until {week}", partial(make_xonotic_rounds, monday, seed))
