"""Score: published values, and a second implementation in plain Python."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.games.game_profile import RankingConstants
from browser_app.games.game_registry import load_games
from browser_app.paths import resource_folder
from browser_app.ranking.ranking_inputs import RankingConstantsTable, RankingInputs
from browser_app.ranking.score_factors import SCORE_FACTORS
from browser_app.ranking.server_score import compute_gains, compute_scores

BLOG = RankingConstants(slot_cap=math.inf)
IN_GAME = RankingConstants(
    viability_weight=0.5,
    seeding_weight=0.5,
    slot_cap=24,
    ping_centre_ms=150,
    performance_times_quality=True,
    full=0.5,
    full_spares_favourites=True,
    password=0.02,
    empty=0.5,
    ranked=1.5,
    friends=1.2,
    recently_left=0.5,
    other_mode=0.6,
    blocked=1e-6,
)
NAN = math.nan


def total(constants: RankingConstants, /, **values: float) -> float:
    return float(compute_scores(RankingInputs.from_values(**values), RankingConstantsTable([constants])).total[0])


def factor(name: str, constants: RankingConstants = BLOG, /, **values: float) -> float:
    inputs = RankingInputs.from_values(**values)
    return float(compute_scores(inputs, RankingConstantsTable([constants])).factors[name][0])


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        *[(0, 0.00863), (1, 0.01366), (6, 0.12407), (9, 0.36502), (11, 0.56095)],
        *[(12, 0.61533), (16, 0.55162), (20, 0.51572), (24, 0.02584)],
    ],
)
def test_published_values_of_seed_formula(players: int, expected: float) -> None:
    for constants in (BLOG, load_games(resource_folder() / "games")["ns2"].ranking):
        score = total(constants, players=players, usable_slots=24, ping_ms=50, performance=50)
        assert score == pytest.approx(expected, abs=0.5e-5)


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        *[(0, 0.00898), (1, 0.02811), (6, 0.23639), (9, 0.64329), (11, 0.91317)],
        *[(12, 0.95298), (16, 0.71962), (20, 0.34031), (24, 0.34568)],
    ],
)
def test_published_values_of_in_game_formula(players: int, expected: float) -> None:
    values = {"usable_slots": 20, "ping_ms": 50, "performance": 60, "quality": 85, "ranked": True}
    assert total(IN_GAME, players=players, **values) == pytest.approx(expected, abs=1e-5)


def test_published_example() -> None:
    values = {"players": 14, "usable_slots": 24, "ping_ms": 80, "performance": 20}
    skills = {"server_skill": 2000, "player_skill": 1200}
    assert total(BLOG, **values, **skills) == pytest.approx(0.207958, abs=1e-6)
    assert total(BLOG, **values, **skills, favourite=True) == pytest.approx(0.415915, abs=0.5e-6)


def test_seeding_is_slope_of_viability() -> None:
    for players in range(40):
        seeds = 201.714 * math.exp(players / 2) / (403.429 + math.exp(players / 2)) ** 2
        alone = replace(BLOG, viability_weight=0.0, seeding_weight=1.0)
        ours = factor("players", alone, players=players, usable_slots=players + 2)
        assert ours == pytest.approx(seeds, rel=4e-6)


# --- second implementation in plain Python


def plain_logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def plain_main_factors(row: dict[str, float], c: RankingConstants) -> list[float]:
    players, slots, favourite = row["players"], row["usable_slots"], bool(row["favourite"])
    v = plain_logistic(c.viability_steepness * (players - c.viability_midpoint))
    room = max(0.0, min(slots, c.slot_cap) - players - 1)
    performance = row["performance"]
    if c.performance_times_quality and not math.isnan(row["quality"]):
        performance *= row["quality"] / 100
    if math.isnan(performance):
        graded = 0.5 if row["reports_performance"] else 1.0
    else:
        graded = plain_logistic(c.performance_steepness * performance)
    skill = 1.0
    difference = abs(row["server_skill"] - row["player_skill"])
    if players >= 2 and not math.isnan(difference):
        skill = math.exp(-c.skill_weight * difference * math.sqrt(players - 1) / c.skill_deviation)
    full = players >= slots or not row["can_join"]
    return [
        c.viability_weight * v + c.seeding_weight * c.viability_steepness * v * (1 - v) * room,
        plain_logistic((c.ping_centre_ms - row["ping_ms"]) / c.ping_width_ms),
        graded,
        skill,
        c.full if full and not (favourite and c.full_spares_favourites) else 1.0,
        c.favourite if favourite else 1.0,
    ]


def plain_score(row: dict[str, float], c: RankingConstants) -> float:
    spared = row["favourite"] or row["friends"]
    extras = [
        c.password if row["password"] and not spared else 1.0,
        c.empty if row["players"] == 0 else 1.0,
        c.ranked if row["ranked"] and not row["other_mode"] else 1.0,
        *(getattr(c, name) if row[name] else 1.0 for name in ("friends", "recently_left", "other_mode", "blocked")),
    ]
    return math.prod(plain_main_factors(row, c) + extras)


def maybe(values: st.SearchStrategy[float]) -> st.SearchStrategy[float]:
    return st.one_of(values, st.just(NAN))


FLAGS = ("favourite", "password", "ranked", "friends", "recently_left", "other_mode", "blocked")
SERVERS = st.fixed_dictionaries(
    {
        "players": st.integers(0, 80).map(float),
        "usable_slots": st.integers(0, 80).map(float),
        "ping_ms": st.floats(0, 2000),
        "performance": maybe(st.floats(-99, 100)),
        "quality": maybe(st.floats(0, 100)),
        "server_skill": maybe(st.floats(0, 6000)),
        "player_skill": maybe(st.floats(0, 6000)),
        "reports_performance": st.booleans(),
        "can_join": st.booleans(),
        **{name: st.booleans() for name in FLAGS},
    }
)
NUMBERS = ("players", "usable_slots", "ping_ms", "performance", "quality", "server_skill", "player_skill")
ANYTHING = st.fixed_dictionaries(
    {name: st.floats() for name in NUMBERS}
    | {name: st.booleans() for name in (*FLAGS, "can_join", "reports_performance")}
)


@given(SERVERS, st.sampled_from([BLOG, IN_GAME]))
def test_equals_plain_python(row: dict[str, float], constants: RankingConstants) -> None:
    assert total(constants, **row) == pytest.approx(plain_score(row, constants), rel=1e-11, abs=1e-300)


@given(st.lists(SERVERS, min_size=1, max_size=8))
def test_rows_score_independently(rows: list[dict[str, float]]) -> None:
    columns = {name: np.array([row[name] for row in rows], dtype=np.float64) for name in rows[0]}
    rules = np.arange(len(rows), dtype=np.intp) % 2
    scores = compute_scores(RankingInputs(**columns, constants_row=rules), RankingConstantsTable([BLOG, IN_GAME]))  # type: ignore[arg-type] # by name
    alone = [total((BLOG, IN_GAME)[i % 2], **row) for i, row in enumerate(rows)]
    np.testing.assert_allclose(scores.total, alone, rtol=1e-13)
    np.testing.assert_allclose(scores.total, np.prod(list(scores.factors.values()), axis=0), rtol=1e-12)


@given(ANYTHING)
def test_no_input_overflows(row: dict[str, float]) -> None:
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        inputs = RankingInputs.from_values(**row)
        table = RankingConstantsTable([IN_GAME])
        scores = compute_scores(inputs, table)
        gains = compute_gains(inputs, table)
    unranked = math.isnan(row["players"]) or math.isnan(row["ping_ms"])
    assert np.isnan(scores.total[0]) == unranked
    assert np.isnan(gains[0]) == unranked
    assert unranked or scores.total[0] >= 0


@given(SERVERS, st.floats(0, 2000), st.sampled_from([BLOG, IN_GAME]))
def test_lower_ping_never_scores_less(row: dict[str, float], other: float, constants: RankingConstants) -> None:
    near, far = sorted((row["ping_ms"], other))
    assert total(constants, **{**row, "ping_ms": near}) >= total(constants, **{**row, "ping_ms": far})


# --- cases that the formula leaves open


def test_unknown_skill_and_performance() -> None:
    here = {"players": 12.0, "usable_slots": 24.0, "ping_ms": 50.0}
    assert factor("skill", **here, server_skill=2000) == 1
    assert factor("skill", **here, player_skill=2000) == 1
    assert factor("performance", **here) == 1
    assert factor("performance", **here, reports_performance=True) == 0.5
    assert factor("performance", IN_GAME, **here, performance=0, quality=NAN) == 0.5


def test_skill_needs_two_players() -> None:
    skills = {"server_skill": 3000.0, "player_skill": 1000.0}
    assert factor("skill", players=1, **skills) == 1
    assert factor("skill", players=2, **skills) == pytest.approx(math.exp(-0.1 * 20 / math.sqrt(12)), rel=1e-14)


def test_unranked_without_ping_or_players() -> None:
    assert math.isnan(total(BLOG, players=12, usable_slots=24))
    assert math.isnan(total(BLOG, ping_ms=50, usable_slots=24))


def test_unknown_slots_are_neutral() -> None:
    unknown = total(BLOG, players=12, ping_ms=50)
    assert unknown == pytest.approx(total(BLOG, players=12, usable_slots=13, ping_ms=50), rel=1e-14)
    assert factor("joinable", players=12) == 1
    assert factor("joinable", players=12, can_join=False) == 0.05


def test_exempt_favourites_and_friends() -> None:
    full = {"players": 24.0, "usable_slots": 24.0, "favourite": True}
    assert factor("joinable", BLOG, **full) == 0.05
    assert factor("joinable", IN_GAME, **full) == 1
    assert factor("password", IN_GAME, password=True) == 0.02
    assert factor("password", IN_GAME, password=True, favourite=True) == 1
    assert factor("password", IN_GAME, password=True, friends=True) == 1
    unspared = replace(IN_GAME, password_spares_favourites=False, password_spares_friends=False)
    assert factor("password", unspared, password=True, favourite=True, friends=True) == 0.02


def test_extra_factors_are_off_by_default() -> None:
    expected = {"ranked": 1.5, "friends": 1.2, "recently_left": 0.5, "other_mode": 0.6, "blocked": 1e-6}
    for name, value in expected.items():
        assert factor(name, IN_GAME, **{name: True}) == value
        assert factor(name, BLOG, **{name: True}) == 1
    assert factor("empty", IN_GAME, players=0) == 0.5
    assert factor("ranked", IN_GAME, ranked=True, other_mode=True) == 1
    assert factor("forecast", players=6, usable_slots=24, forecast=1.25) == 1.25
    assert factor("forecast", players=6, usable_slots=24) == 1


def test_forecast_lifts_no_score_above_1() -> None:
    best = {"usable_slots": 24.0, "ping_ms": 0.0, "performance": 100.0}
    for players in range(24):
        plain = total(BLOG, players=players, **best)
        lifted = total(BLOG, players=players, forecast=2.0, **best)
        assert plain <= lifted <= min(1.0, 2.0 * plain)
        assert total(BLOG, players=players, forecast=0.5, **best) == pytest.approx(0.5 * plain)
    crowded = {"players": 13.0, "usable_slots": 64.0}  # here the formula itself exceeds 1
    assert factor("players", **crowded) > 1
    assert factor("forecast", forecast=2.0, **crowded) == 1


def test_order_of_factors() -> None:
    assert list(SCORE_FACTORS)[:6] == ["players", "ping", "performance", "skill", "joinable", "favorite"]


# --- gain


def test_gain_formula() -> None:
    row = {"players": 11.0, "usable_slots": 24.0, "ping_ms": 80.0, "performance": 20.0, "favourite": True}
    change = plain_logistic(0.0) - plain_logistic(-0.5)
    others = total(BLOG, **row) / factor("players", **row)
    gained = compute_gains(RankingInputs.from_values(**row), RankingConstantsTable([BLOG]))
    assert gained[0] == pytest.approx(change * others, rel=1e-12)


def test_full_server_has_no_gain() -> None:
    table = RankingConstantsTable([IN_GAME])
    assert (
        compute_gains(RankingInputs.from_values(players=20, usable_slots=20, ping_ms=20, favourite=True), table)[0] == 0
    )
    assert (
        compute_gains(RankingInputs.from_values(players=12, usable_slots=20, ping_ms=20, can_join=False), table)[0] == 0
    )
    assert compute_gains(RankingInputs.from_values(players=12, usable_slots=20, ping_ms=20), table)[0] > 0


def test_unranked_server_has_unknown_gain() -> None:
    table = RankingConstantsTable([BLOG])
    assert math.isnan(compute_gains(RankingInputs.from_values(usable_slots=20, ping_ms=20, can_join=False), table)[0])
    assert math.isnan(compute_gains(RankingInputs.from_values(players=20, usable_slots=20), table)[0])
