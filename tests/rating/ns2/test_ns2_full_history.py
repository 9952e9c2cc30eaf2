"""The full-history solution against scipy and an objective of the test's own."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ns2_helpers import NAMES, TEAMS, ReferenceModel, full_round, rounds, system
from numpy.typing import NDArray
from scipy import optimize

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.ns2.ns2_full_history import NS2FullHistoryRun
from browser_app.rating.ns2.ns2_solver import _line_search, maximise
from browser_app.rating.record.record_builder import build_record

pytestmark = pytest.mark.slow

Floats = NDArray[np.float64]


def solved(history: Sequence[Round], **given: Any) -> NS2FullHistoryRun:
    return system(**given).solve(build_record(history))


class PlainPosterior:
    """f over (skills, commander skills[, offsets]) of the names.

    The reference model's log-odds are linear in them.
    """

    def __init__(
        self,
        history: Sequence[Round],
        k: float,
        theta: float,
        strength: float | None = None,
        offset_sd: float | None = None,
    ) -> None:
        self.k, self.theta, plain = k, theta, ReferenceModel(bias_strength=strength)
        self.offset_sd, self.size = offset_sd, (2 if offset_sd is None else 3) * len(NAMES)
        rated = [game_round for game_round in history if plain.unrated(game_round) is None]
        for game_round in rated:
            plain.update(game_round)  # for its win rates
        plain.o.clear()
        self.won = np.array([{(1, 2): 1.0, (2, 1): 0.0, (1, 1): 0.5}[_ranks(game_round)] for game_round in rated])
        self.bias = self._log_odds(plain, rated, np.zeros(self.size))
        columns = [self._log_odds(plain, rated, unit) - self.bias for unit in np.eye(self.size)]
        self.matrix = np.array(columns).T.reshape(len(rated), self.size)

    def _log_odds(self, plain: ReferenceModel, rated: Sequence[Round], x: Floats) -> Floats:
        parts = [dict(zip(NAMES, part.tolist(), strict=True)) for part in np.split(x, self.size // len(NAMES))]
        plain.s, plain.x, plain.o = (*parts, {})[:3]
        return np.array([plain.log_odds(game_round) for game_round in rated])

    def loss(self, x: Floats) -> float:
        log_odds = self.matrix @ x + self.bias
        likelihood = (self.won * log_odds - np.logaddexp(0.0, log_odds)).sum()
        skills, offsets = np.split(x, [2 * len(NAMES)])
        with np.errstate(divide="ignore"):
            prior = ((self.k - 1.0) * np.log(skills) if self.k > 1.0 else 0.0) - skills / self.theta
        spread = 0.0 if self.offset_sd is None else float(np.sum(offsets**2)) / (2.0 * self.offset_sd**2)
        return -float(likelihood + np.sum(prior)) + spread

    def slope(self, x: Floats) -> Floats:
        chance = 0.5 + 0.5 * np.tanh((self.matrix @ x + self.bias) / 2.0)
        skills, offsets = np.split(x, [2 * len(NAMES)])
        prior = ((self.k - 1.0) / skills if self.k > 1.0 else np.zeros_like(skills)) - 1.0 / self.theta
        if self.offset_sd is not None:
            prior = np.concatenate([prior, -offsets / self.offset_sd**2])
        return np.asarray(-(self.matrix.T @ (self.won - chance)) - prior, np.float64)


def _ranks(game_round: Round) -> tuple[int, int]:
    first, second = game_round.ranks or (0, 0)
    return first, second


def _estimates(run: NS2FullHistoryRun, unknown: float) -> Floats:
    players: Any = run.rated_players()
    return np.array([players.get(n, {}).get(key, unknown) for key in ("skill", "commander") for n in NAMES])


@settings(max_examples=25)
@given(rounds(12), st.floats(1.05, 6.0), st.floats(0.5, 6.0), st.sampled_from([None, 5.0]))
def test_equals_optimum_of_scipy(history: Sequence[Round], k: float, theta: float, strength: float | None) -> None:
    bias: dict[str, Any] = {"bias": "none"} if strength is None else {"bias": "record", "bias_strength": strength}
    run = solved(history, k=k, theta=theta, **bias)
    assert run.gradient_norm <= 1e-7
    plain = PlainPosterior(history, k, theta, strength)
    found = _estimates(run, (k - 1.0) * theta)
    assert found * plain.slope(found) == pytest.approx(np.zeros(len(found)), abs=1e-7)
    best = optimize.minimize(
        plain.loss, np.full(len(found), k * theta), jac=plain.slope, method="L-BFGS-B",
        bounds=[(1e-9, None)] * len(found), options={"ftol": 0.0, "gtol": 1e-9, "maxiter": 1000},
    )  # fmt: skip
    assert plain.loss(found) <= float(best.fun) + 1e-10
    assert found == pytest.approx(best.x, rel=1e-3, abs=1e-6)


def uncounted_round() -> Round:
    """Return a round without information: offsets stay exactly 0."""
    stays = {"a": Stint("Aliens", 0.0, 1.0), "b": Stint("Marines", 0.0, 6.0), "c": Stint("Marines", 0.0, 1.0)}
    played = [Player(name, [stay], [stay] if name == "c" else []) for name, stay in stays.items()]
    return Round("0", ("Marines", "Aliens"), played, 0.0, 6.0, (1, 2))


@settings(max_examples=25)
@given(rounds(12), st.floats(1.0, 6.0), st.floats(0.5, 6.0), st.floats(0.1, 10.0))
@example([uncounted_round()], 5.0, 5.0, 1.0)
def test_solved_offsets_equal_optimum_of_scipy(
    history: Sequence[Round], k: float, theta: float, offset_sd: float
) -> None:
    run = solved(history, k=k, theta=theta, offsets="yes", offset_sd=offset_sd)
    assert run.gradient_norm <= 1e-7
    plain = PlainPosterior(history, k, theta, offset_sd=offset_sd)
    players: Any = run.rated_players()
    offsets = np.array([players.get(name, {}).get("offset", 0.0) for name in NAMES])
    found = np.concatenate([_estimates(run, (k - 1.0) * theta), offsets])
    skills = 2 * len(NAMES)
    best = optimize.minimize(
        plain.loss, np.concatenate([np.full(skills, k * theta), np.zeros(len(NAMES))]), jac=plain.slope,
        method="L-BFGS-B", bounds=[(1e-9 if k > 1.0 else 0.0, None)] * skills + [(None, None)] * len(NAMES),
        options={"ftol": 0.0, "gtol": 1e-9, "maxiter": 1000},
    )  # fmt: skip
    assert plain.loss(found) <= float(best.fun) + 1e-9
    assert offsets == pytest.approx(best.x[skills:], rel=1e-3, abs=1e-5)


def test_offsets_distinguish_sides() -> None:
    """Who wins as marine and loses as alien has an offset and an average skill."""
    history = [
        full_round("ab", "cd", 0, number=2 * k) if k % 2 else full_round("cd", "ab", 0, number=2 * k + 1)
        for k in range(30)
    ]
    run = solved(history, offsets="yes")
    players: Any = run.rated_players()
    assert all(players[name]["offset"] > 3.0 for name in "abcd")
    assert players["a"]["skill"] == pytest.approx(players["c"]["skill"], rel=1e-6)
    fair, prediction = solved(history).forecast(0), run.forecast(0)
    assert fair is not None
    assert prediction is not None
    assert fair.probability == pytest.approx(0.5, abs=1e-9)
    assert (prediction.probability or 0.0) > 0.9
    shared = solved(history, offsets="yes", per_team="no")
    assert [shared._skills.offset[p] for p in range(4)] == [0.0] * 4


@settings(max_examples=25)
@given(rounds(12), st.floats(0.5, 20.0))
def test_optimality_at_bound_for_k_1(history: Sequence[Round], theta: float) -> None:
    """Conditions of an optimum on s ≥ 0: zero slope above 0, no upward slope at 0.

    It need not be the only one.
    """
    run = solved(history, k=1.0, theta=theta)
    plain = PlainPosterior(history, 1.0, theta, None)
    found = _estimates(run, 0.0)
    loses = plain.slope(found)
    assert found * loses == pytest.approx(np.zeros(len(found)), abs=1e-7)
    assert np.all(loses >= -1e-7 / theta)
    assert np.all(found >= 0.0)
    best = optimize.minimize(
        plain.loss, np.full(len(found), theta), jac=plain.slope, method="L-BFGS-B", bounds=[(0.0, None)] * len(found)
    )
    assert plain.loss(found) <= float(best.fun) + 1e-10


def test_duel_by_hand() -> None:
    """One dimension by hand: n wins each, so s is the same for both.

    With (k − 1)/s = 1/θ.
    """
    history = [full_round("a", "b", k % 2, number=k) for k in range(10)]
    run = solved(history, k=3.0, theta=2.0)
    players: Any = run.rated_players()
    assert players["a"]["skill"] == players["b"]["skill"] == pytest.approx(4.0, rel=1e-9)
    assert players["a"]["points"] == pytest.approx(200.0)
    assert players["a"]["offset"] == 0.0
    assert players["a"]["rounds"] == 10


def test_prior_only_is_at_prior_mode() -> None:
    """c spends equal time on both sides, a never commands.

    The prior's mode is (k − 1) θ.
    """
    c = Player("c", [Stint("Marines", 0, 600), Stint("Aliens", 600, 1200)])
    history = [replace(full_round("a", "b"), players=[*full_round("a", "b").players, c])]
    run = solved(history, k=3.0, theta=2.0, median_round=1e12)
    players: Any = run.rated_players()
    assert players["c"]["skill"] == pytest.approx(4.0)
    assert players["a"]["commander"] == 4.0
    assert players["a"]["skill"] > 4.0 > players["b"]["skill"]


def test_update_changes_nothing() -> None:
    history = [full_round("ab", "cd", 0, number=k) for k in range(20)]
    run = solved(history)
    before = run.prediction(3)
    run.update(3)
    assert run.prediction(3) == before
    assert before.probability is not None
    assert before.probability > 0.9
    assert run.forecast(3) == before
    assert run.summary() == {"gradient_norm": run.gradient_norm, "sd_exact": True}


def test_squared_gradients_at_solution() -> None:
    run = solved([full_round("a", "b"), full_round("a", "b", 1, number=1), full_round("a", "b", number=2)])
    chance = run.prediction(0).probability
    assert chance is not None
    expected = (2.0 * (1.0 - chance) ** 2 + chance**2) / 4.0
    players: Any = run.rated_players()
    assert players["a"]["adagrad_sum"] == pytest.approx(expected, rel=1e-12)
    assert players["a"]["commander_adagrad_sum"] == 0.0


@pytest.mark.parametrize("history", [[], [replace(full_round("a", "b"), ranks=None)]])
def test_record_without_rated_rounds(history: list[Round]) -> None:
    run = solved(history)
    assert run.rated_players() == {}
    assert run.gradient_norm == 0.0


def _league(number: int = 600, players: int = 60, seed: int = 3) -> list[Round]:
    """Create 3 against 3 by chance, with strengths between 0 and 12."""
    random = np.random.default_rng(seed)
    strength = random.uniform(0.0, 12.0, players)
    history = []
    for k in range(number):
        six = random.permutation(players)[:6]
        log_odds = (strength[six[:3]].sum() - strength[six[3:]].sum()) / 6.0
        ranks = (1, 2) if random.random() < 1.0 / (1.0 + math.exp(-log_odds)) else (2, 1)
        all_players = [Player(str(p), [Stint(TEAMS[i // 3], 0, 100)]) for i, p in enumerate(six)]
        history.append(Round(str(k), TEAMS, all_players, float(k), 100.0, ranks))
    return history


@pytest.mark.parametrize("k", [1.0, 1.0001, 1.5, 4.0, 1e3])
@pytest.mark.parametrize("theta", [1e-3, 3.0, 1e4])
def test_converges_for_any_prior(k: float, theta: float) -> None:
    """To 1e-7, or to the precision of doubles of this size.

    Σ a s of s = 1e7 has 1e-9 of rounding, times s.
    """
    run = solved(_league(300), k=k, theta=theta)
    largest = max(run.rating(p, 0).value for p in range(60))
    assert run.gradient_norm <= max(1e-7, 1e-15 * largest**2)


@pytest.mark.parametrize("k", [1.0, 1.3, 4.0])
def test_minorise_maximise_reaches_optimum(k: float) -> None:
    """The article's alternating steps, corrected, reach the same optimum."""
    posterior = solved(_league(), k=k, theta=2.0)._solution.posterior
    point = posterior.evaluate(np.full(60, 2.0 * k))
    for _ in range(3000):
        after = posterior.evaluate(posterior.minorant_maximum(point))
        assert after.value >= point.value - 1e-12 * abs(point.value)
        assert np.all(after.x >= 0.0)
        point = after
    best = maximise(posterior, np.full(60, 2.0 * k))
    assert best.x == pytest.approx(point.x, abs=1e-5)


def test_failed_step_is_minorise_maximise() -> None:
    posterior = solved(_league(), k=2.0, theta=3.0)._solution.posterior
    point = posterior.evaluate(np.full(60, 3.0))
    down = -1e3 * point.gradient
    present, length = _line_search(posterior, point, down)
    assert length == 0.0
    assert np.array_equal(present.x, posterior.minorant_maximum(point))


def test_restart_at_optimum_stays() -> None:
    posterior = solved(_league(), k=2.0, theta=3.0)._solution.posterior
    ends = [maximise(posterior, np.full(60, start)).x for start in (1e-9, 6.0, 1e4)]
    assert ends[0] == pytest.approx(ends[1], rel=1e-6)
    assert ends[2] == pytest.approx(ends[1], rel=1e-6)


def test_article_step_leaves_domain() -> None:
    """Why it was corrected: s ← s + gradient makes skills negative.

    The Gamma prior is not defined there.
    """
    point = solved(_league(), k=1.0, theta=1.0)._solution.posterior.evaluate(np.full(60, 1.0))
    assert np.any(point.x + point.gradient < 0.0)
