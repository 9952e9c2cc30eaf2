"""Edge triggers fire once when their condition becomes true."""

import pytest

from browser_app.bridge.alerts.alert_monitor import REARM_S, EdgeTrigger


@pytest.mark.parametrize(
    ("checks", "fired"),
    [
        ([(0, False), (60, True), (120, True)], [60]),
        ([(0, True), (60, True)], []),  # met when the alert was set
        ([(0, True), (60, False), (120, True)], []),
        ([(0, False), (60, True), (120, False), (180, True), (240, False), (300, True)], [60]),
        ([(0, False), (60, True), (120, False), (120 + REARM_S, False), (500, True)], [60, 500]),
        ([(0, False), (60, True), (120, False), (119 + REARM_S, False), (500, True)], [60]),
    ],
)
def test_fires_on_rising_edges(checks: list[tuple[float, bool]], fired: list[float]) -> None:
    trigger = EdgeTrigger()
    assert [now for now, met in checks if trigger.update(now, met=met)] == fired


def test_fires_at_once_after_unmet_check() -> None:
    assert EdgeTrigger(was_unmet_before=True).update(0.0, met=True)
