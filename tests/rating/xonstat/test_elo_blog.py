"""elo-blog: the author's printed numbers, and an independent computation."""

import pytest
from hypothesis import given
from xonstat_helpers import assert_same_ratings, duel, histories, longest, modes_found, rated_field, run_of

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.xonstat.elo_blog import EloBlogSystem


def test_printed_example() -> None:
    """As in the blog: 350 against 450, both beyond 32 rounds.

    ±14.40 and ±25.60 (to four places: 14.3974, 25.6026).
    """
    # One round with a great stake brings two newcomers 100 points apart: 200 (1 − ½) / 2 each.
    apart = duel("Mirio", "Antibody", 0)
    for winner, loser, change in (("Mirio", "Antibody", 14.3974), ("Antibody", "Mirio", 25.6026)):
        before = run_of(EloBlogSystem, [apart], k_start=100.0, k_games=1.0)
        after = run_of(EloBlogSystem, [apart, duel(winner, loser, 1)], k_start=100.0, k_games=1.0, k_end=40.0)
        won = rated_field(after, winner) - rated_field(before, winner)
        lost = rated_field(after, loser) - rated_field(before, loser)
        assert rated_field(before, "Mirio") - rated_field(before, "Antibody") == pytest.approx(100.0)
        assert won == pytest.approx(change, abs=5e-5)
        assert lost == pytest.approx(-change, abs=5e-5)


def test_k_falls_from_200_to_40() -> None:
    draws = [duel("a", "b", number, draw=True) for number in range(33)]  # equals that draw stay equal
    for played, stake in ((0, 200.0), (16, 120.0), (32, 40.0), (33, 40.0)):
        run = run_of(EloBlogSystem, [*draws[:played], duel("a", "b", 99)])
        assert rated_field(run, "a") == pytest.approx(100.0 + stake / 2)


def test_stake_follows_time_played() -> None:
    """As in the blog: 800 of 1,000 seconds are 80 % of the stake."""
    players = [Player("a", [Stint("x", 200.0, 1000.0)]), Player("b", [Stint("y", 0.0, 1000.0)])]
    run = run_of(EloBlogSystem, [Round("1", ("x", "y"), players, 0.0, 1000.0, (1, 2))])
    assert rated_field(run, "a") == pytest.approx(100.0 + 0.8 * 100.0)
    assert rated_field(run, "b") == pytest.approx(0.0)  # no floor


def test_win_over_three_is_mean_of_three() -> None:
    lone = Player("a", [Stint("x", 0.0, 600.0)])
    others = [Player(name, [Stint("y", 0.0, 600.0)]) for name in "bcd"]
    earlier = [duel("b", "z", -2), duel("y", "c", -1)]
    before = run_of(EloBlogSystem, earlier)
    run = run_of(EloBlogSystem, [*earlier, Round("1", ("x", "y"), [lone, *others], 0.0, 600.0, (1, 2), mode="duel")])
    expected = [
        1.0 / (1.0 + 10 ** ((rated_field(before, name) if name in before.rated_players() else 100.0) / 400 - 0.25))
        for name in "bcd"
    ]
    assert rated_field(run, "a") == pytest.approx(100.0 + 200.0 * sum(expected) / 3)


def test_modes_are_separate() -> None:
    run = run_of(EloBlogSystem, [duel("a", "b", 0, mode="ctf"), duel("a", "b", 1), duel("b", "a", 2)])
    assert modes_found(run, "rating", "rounds")["a", "ctf"] == (200.0, 1)
    assert rated_field(run, "a", "rounds") == 2


def test_strengths_do_not_overflow() -> None:
    run = run_of(EloBlogSystem, [duel("a", "b", number) for number in range(50)], k_start=10000.0, k_end=10000.0)
    assert 100.0 < rated_field(run, "a") < 1e6


@given(histories())
def test_agrees_with_independent_computation(history: list[Round]) -> None:
    run = run_of(EloBlogSystem, history)
    ratings: dict[tuple[str, str], float] = {}
    rounds: dict[tuple[str, str], int] = {}
    for game_round in history:
        if game_round.ranks is None:
            continue
        rank = dict(zip(game_round.teams, game_round.ranks, strict=True))
        present = {p.id: longest(p) for p in game_round.players}
        members = {name: team for name, team in present.items() if team is not None}
        if len(set(members.values())) < 2:
            continue
        changes = {}
        for player in game_round.players:
            if player.id not in members:
                continue
            own = ratings.get((player.id, game_round.mode), 100.0)
            pairs = []
            for other, team in members.items():
                if team != members[player.id]:
                    score = 0.5 + 0.5 * (
                        (rank[team] > rank[members[player.id]]) - (rank[team] < rank[members[player.id]])
                    )
                    q_own, q_other = 10 ** (own / 400), 10 ** (ratings.get((other, game_round.mode), 100.0) / 400)
                    pairs.append(score - q_own / (q_own + q_other))
            k = 200 - 160 * min(32, rounds.get((player.id, game_round.mode), 0)) / 32
            alive = sum(stay.leave - stay.enter for stay in player.stays)
            assert game_round.duration is not None
            changes[player.id] = k * min(1.0, alive / game_round.duration) * sum(pairs) / len(pairs)
        for name, change in changes.items():
            key = (name, game_round.mode)
            ratings[key] = ratings.get(key, 100.0) + change
            rounds[key] = rounds.get(key, 0) + 1
    assert_same_ratings(
        modes_found(run, "rating", "rounds"), {key: (value, rounds[key]) for key, value in ratings.items()}
    )


@given(histories())
def test_chances_sum_to_one(history: list[Round]) -> None:
    run = run_of(EloBlogSystem, history)
    for k in range(len(run.record)):
        forecast = run.forecast(k)
        if forecast is not None:
            assert sum(forecast.first_place) == pytest.approx(1.0)
            assert all(chance >= 0 for chance in forecast.first_place)


def test_skip_reasons() -> None:
    on = Player("a", [Stint("x", 0.0, 60.0)])
    rounds = [
        Round("1", ("x", "y"), [on, Player("b", [Stint("y", 0.0, 60.0)])], 0.0, 60.0),
        Round("2", ("x", "y"), [on], 1.0, 60.0, (1, 2)),
    ]
    run = run_of(EloBlogSystem, rounds)
    assert [run.skip_reason(k) for k in range(2)] == ["no_outcome", "one_side_empty"]
    assert run.forecast(1) is None
    assert run.rated_players() == {}
