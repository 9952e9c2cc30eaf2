"""The closed form of two teams at any distance against 60 digits.

Extreme seasons must not break it.
"""

import math

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trueskill2_helpers import finished, played, present_player, skill

from browser_app.rating.trueskill2.team_chances import result_derivatives, two_team_chances

pytestmark = pytest.mark.slow

GAP = st.floats(0.0, 6.0).map(lambda power: 10.0**power) | st.floats(0.0, 8.0)
SIGN = st.sampled_from([1.0, -1.0])
MARGIN = st.sampled_from([0.0, 1e-3, 0.7, 3.0])


@settings(deadline=None)
@given(GAP, SIGN, st.floats(0.1, 50.0), MARGIN, st.sampled_from([1, -1]))
def test_win_gradients(gap: float, sign: float, c2: float, margin: float, outcome: int) -> None:
    """gradient = ∂ log Φ(x)/∂t and curvature = −∂² log Φ(x)/∂t² with x = (±t − ε)/c."""
    t = gap * sign
    gradient, curvature = result_derivatives(t, c2, margin, outcome)
    with mpmath.workdps(60):
        c = mpmath.sqrt(mpmath.mpf(c2))
        x = (outcome * mpmath.mpf(t) - mpmath.mpf(margin)) / c
        # Φ/φ by the confluent function, which no exponential limits
        v = 1 / (mpmath.exp(x * x / 2) * mpmath.sqrt(mpmath.pi / 2) * mpmath.erfc(-x / mpmath.sqrt(2)))
        expected, curve = outcome * v / c, v * (v + x) / c**2
    assert gradient == pytest.approx(float(expected), rel=1e-11, abs=1e-300)
    assert curvature == pytest.approx(float(curve), rel=1e-9, abs=1e-13)


@settings(max_examples=12, deadline=None)
@given(st.floats(-30.0, 30.0), st.floats(0.1, 50.0), st.sampled_from([1e-3, 0.7, 3.0]))
def test_draw_gradients(t: float, c2: float, margin: float) -> None:
    """By the moments of N(t, c²) within ± ε.

    gradient = (mean − t)/c², curvature = (1 − variance/c²)/c².
    """
    gradient, curvature = result_derivatives(t, c2, margin, 0)
    nearest = min(max(t, -margin), margin)
    with mpmath.workdps(40):
        log_peak = (nearest - mpmath.mpf(t)) ** 2
        ends = [margin * (k / 2.0 - 1.0) for k in range(5)]

        def moment(power: int) -> mpmath.mpf:
            return mpmath.quad(lambda d: d**power * mpmath.exp((log_peak - (d - t) ** 2) / (2 * c2)), ends)

        mean, square = moment(1) / moment(0), moment(2) / moment(0)
        expected, curve = float((mean - t) / c2), float((1 - (square - mean**2) / c2) / c2)
    assert gradient == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert curvature == pytest.approx(curve, rel=1e-9, abs=1e-12)


@given(GAP, SIGN, st.floats(0.1, 50.0), MARGIN)
def test_chances_are_in_range(gap: float, sign: float, c2: float, margin: float) -> None:
    chances, turned = two_team_chances(gap * sign, c2, margin), two_team_chances(-gap * sign, c2, margin)
    assert math.fsum(chances.first_place) + chances.draw == pytest.approx(1.0, abs=1e-15)
    assert chances.first_place == turned.first_place[::-1]
    assert chances.probability is not None
    assert 0.0 <= chances.probability <= 1.0
    assert (chances.probability > 0.5) == (sign > 0 and gap > 0) or chances.probability == 0.5


def test_extreme_win_differs_from_loss() -> None:
    chances = two_team_chances(1e-3, 1e-6, 0.1)
    assert chances.first_place == (0.0, 0.0)
    with mpmath.workdps(60):
        a, b = (mpmath.erfc((mpmath.mpf(0.1) - t) / mpmath.sqrt(mpmath.mpf(2e-6))) for t in (0.001, -0.001))
        expected = float(a / (a + b))
    assert chances.probability == pytest.approx(1.0 / (1.0 + float(b / a)), rel=1e-9)
    assert chances.probability == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("t", [0.3, 37.0, 39.0, -2000.0])
def test_log_odds_are_exact_in_tails(t: float) -> None:
    with mpmath.workdps(60):
        a, b = (mpmath.erfc((mpmath.mpf(0.1) - sign * t) / mpmath.sqrt(2)) for sign in (1, -1))
        expected = float(mpmath.log(a / b))
    assert two_team_chances(t, 1.0, 0.1).log_odds[0][1] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("gap", [1e2, 1e4, 1e8])
@pytest.mark.parametrize("ranks", [(2, 1), (1, 1)])
def test_upsets_stay_finite(gap: float, ranks: tuple[int, int]) -> None:
    """A squad that should win by `gap` does not, again and again."""
    strong = [present_player(name, 0, 1.0, squad="s") for name in "ab"]
    run = finished([played(i, [strong, "cd"], ranks) for i in range(5)], {"squad_offset": [0.0, gap]})
    for name in "abcd":
        mean, sd = skill(run, name)
        assert math.isfinite(mean)
        assert 0.0 < sd < math.sqrt(0.4) + 0.05
    assert skill(run, "a")[0] < 1.0 < skill(run, "c")[0]


def test_season_longer_than_one_block() -> None:
    """Eqs. (1)-(4) as printed, over 4,200 duels of 30 people in two modes."""
    all_players = [f"p{i}" for i in range(30)]
    pairs = [(all_players[k * 7 % 30], all_players[(k * 7 + 1 + k % 29) % 30]) for k in range(4200)]
    rounds = [played(k, [[a], [b]], mode="xy"[k % 2]) for k, (a, b) in enumerate(pairs)]
    run = finished(rounds, {"tau2": 0.0, "draw_margin": 0.0})
    mean = {(name, mode): 1.0 for name in all_players for mode in "xy"}
    var = dict.fromkeys(mean, 0.4)
    for k, pair in enumerate(pairs):
        a, b = ((name, "xy"[k % 2]) for name in pair)
        c = math.sqrt(var[a] + var[b] + 2.0)
        x = (mean[a] - mean[b]) / c
        v = math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi) / (0.5 * math.erfc(-x / math.sqrt(2.0)))
        for key, sign in ((a, 1.0), (b, -1.0)):
            mean[key] += sign * var[key] * v / c
            var[key] += 1e-3 - var[key] ** 2 * v * (v + x) / c**2
    found = [value for name, mode in mean for value in skill(run, name, mode)]
    expected = [value for key, m in mean.items() for value in (m, math.sqrt(var[key]))]
    assert found == pytest.approx(expected, abs=1e-9)
