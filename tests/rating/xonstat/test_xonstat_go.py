"""xonstat-go: its check value and an independent computation.

openskill's Bradley-Terry where comparable.
"""

import math

import openskill.models
import pytest
from hypothesis import given
from xonstat_helpers import assert_same_ratings, duel, histories, longest, modes_found, rated_field, run_of

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.xonstat.xonstat_go import XonStatGoSystem

MODES = {"duel", "dm", "ca", "ctf", "tdm", "ka", "ft"}


def test_first_duel() -> None:
    """Two newcomers, the lesser time share 0.91527 of the round.

    1601.303 and 1398.697, both ± 339.719.
    """
    share = 101.303 / (350.0**2 / math.sqrt(2 * 350.0**2 + 2 * 175.0**2) / 2)
    players = [
        Player("a", [Stint("a", 0.0, 600.0)], score=24.0),
        Player("b", [Stint("b", 0.0, 600.0 * share)], score=11.0),
    ]
    run = run_of(XonStatGoSystem, [Round("1", ("a", "b"), players, 0.0, 600.0, (1, 2), mode="duel")])
    assert rated_field(run, "a", "mean") == pytest.approx(1601.303, abs=1e-3)
    assert rated_field(run, "b", "mean") == pytest.approx(1398.697, abs=1e-3)
    assert rated_field(run, "a", "sd") == rated_field(run, "b", "sd") == pytest.approx(339.719, abs=1e-3)


def test_duel_agrees_with_openskill() -> None:
    """The site's c has 2β² for two players, like Weng and Lin's.

    openskill adds κ, its least variance.
    """
    model = openskill.models.BradleyTerryFull(mu=1500.0, sigma=350.0, beta=175.0, kappa=1e-4, tau=0.0)
    ratings = {name: model.rating() for name in "ab"}
    games = [("a", "b"), ("a", "b"), ("b", "a"), ("a", "b")]
    for winner, loser in games:
        [[ratings[winner]], [ratings[loser]]] = model.rate([[ratings[winner]], [ratings[loser]]], ranks=[1, 2])
    run = run_of(XonStatGoSystem, [duel(*pair, number) for number, pair in enumerate(games)])
    for name in "ab":
        assert rated_field(run, name, "mean") == pytest.approx(ratings[name].mu, rel=1e-9)
        assert rated_field(run, name, "sd") == pytest.approx(ratings[name].sigma, rel=1e-9)


@given(histories())
def test_agrees_with_independent_computation(history: list[Round]) -> None:
    run = run_of(XonStatGoSystem, history)
    skill: dict[tuple[str, str], tuple[float, float]] = {}
    for game_round in history:
        if game_round.ranks is None or (
            game_round.mode not in MODES and (game_round.game == "xonotic" or game_round.mode == "cts")
        ):
            continue
        if len({stay.team for player in game_round.players for stay in player.stays if stay.leave > stay.enter}) < 2:
            continue
        assert game_round.duration is not None
        rows = []
        for player in game_round.players:
            share = min(1.0, sum(stay.leave - stay.enter for stay in player.stays) / game_round.duration)
            known = player.score is not None and longest(player) is not None and not player.id.startswith("bot#")
            if known and game_round.duration >= 300 and share >= 0.5:
                assert player.score is not None
                rows.append(((player.id, game_round.mode), share, player.score))
        if len(rows) < 2:
            continue
        before = {key: skill.get(key, (1500.0, 350.0)) for key, _, _ in rows}
        for i, (key, k_i, score) in enumerate(rows):
            mu, sigma = before[key]
            omega = delta = 0.0
            for j, (other, k_j, theirs) in enumerate(rows):
                if i == j:
                    continue
                s = 1.0 if score > theirs else 0.0 if score < theirs else 0.5
                c = math.sqrt(sigma**2 + before[other][1] ** 2 + 2 * 175.0**2)
                p = 1 / (1 + math.exp((before[other][0] - mu) / c))
                k = min(k_i, k_j)
                omega += k * sigma**2 / c * (s - p)
                delta += k * (sigma / c) * (sigma**2 / c**2) * p * (1 - p)
            skill[key] = max(0.0, mu + omega), sigma * math.sqrt(max(1e-4, 1 - delta))
    assert_same_ratings(modes_found(run, "mean", "sd"), skill)


def test_short_rounds_are_not_rated() -> None:
    assert run_of(XonStatGoSystem, [duel("a", "b", seconds=299.0)]).skip_reason(0) == "too_few_players"
    assert run_of(XonStatGoSystem, [duel("a", "b", seconds=300.0)]).skip_reason(0) is None
