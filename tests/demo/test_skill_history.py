"""Generated skill samples of the demo user, which end at the present skill."""

from browser_app.demo.demo_names import USER_IDENTITIES
from browser_app.demo.user import demo_skill_services
from browser_app.demo.user.demo_rounds import SKILL_HISTORY_DAYS, make_skill_history
from browser_app.player.skill_sources import SkillSourceKind

NOW = 1_800_000_000.0


def test_past_is_in_order_until_now() -> None:
    said = [each for each in make_skill_history(NOW) if each.source is SkillSourceKind.STEAM]
    times, points = [each.time for each in said], [each.values["points"] for each in said]
    assert times == sorted(times)
    assert NOW - SKILL_HISTORY_DAYS * 86400 <= times[0] < times[-1] < NOW
    assert abs(points[-1] - demo_skill_services.ns2_skill(USER_IDENTITIES[0].value)) < 50
    assert len(set(points)) > 10


def test_next_day_has_same_numbers() -> None:
    assert [each.values for each in make_skill_history(NOW)] == [
        each.values for each in make_skill_history(NOW + 86400)
    ]
