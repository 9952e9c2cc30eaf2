"""What services would have said of the demo player before: in order, and on the way to what they say now."""

from browser_app.demo import skill_services
from browser_app.demo.players import IDENTITIES
from browser_app.demo.skill_past import DAYS, said_before
from browser_app.player.sources import SourceKind

NOW = 1_800_000_000.0


def test_it_is_in_order_and_ends_near_what_is_said_now() -> None:
    said = [each for each in said_before(NOW) if each.source is SourceKind.STEAM]
    times, points = [each.time for each in said], [each.told["points"] for each in said]
    assert times == sorted(times)
    assert NOW - DAYS * 86400 <= times[0] < times[-1] < NOW
    assert abs(points[-1] - skill_services.skill_of(IDENTITIES[0].value)) < 50
    assert len(set(points)) > 10


def test_another_day_has_the_same_numbers() -> None:
    assert [each.told for each in said_before(NOW)] == [each.told for each in said_before(NOW + 86400)]
