"""A beginning is told once, however it flickers."""

import pytest

from browser_app.bridge.alert_watch import REARM_S, EdgeTrigger


@pytest.mark.parametrize(
    ("looks", "told"),
    [
        ([(0, False), (60, True), (120, True)], [60]),
        ([(0, True), (60, True)], []),  # so when it was set
        ([(0, True), (60, False), (120, True)], []),
        ([(0, False), (60, True), (120, False), (180, True), (240, False), (300, True)], [60]),
        ([(0, False), (60, True), (120, False), (120 + REARM_S, False), (500, True)], [60, 500]),
        ([(0, False), (60, True), (120, False), (119 + REARM_S, False), (500, True)], [60]),
    ],
)
def test_only_beginnings_are_told(looks: list[tuple[float, bool]], told: list[float]) -> None:
    trigger = EdgeTrigger()
    assert [now for now, met in looks if trigger.update(now, met=met)] == told


def test_what_was_seen_to_be_off_before_may_begin_at_once() -> None:
    assert EdgeTrigger(was_unmet_before=True).update(0.0, met=True)
