"""elo-xonstat: the original program's values, and another computation."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from xonstat_helpers import assert_same_ratings, duel, histories, longest, modes_found, rated_field, run_of

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.xonstat.elo_xonstat import EloXonStatSystem

MODES = {"duel", "dm", "ca", "ctf", "tdm", "ka", "ft"}


def test_published_duel() -> None:
    """A report's duel: 24 against 11 in 600 s.

    1121.86 against 551.022, beyond 32 rounds: +3.1975 and −3.0529.
    """
    for ping, up, down in ((True, 3.1975, -3.0529), (False, 3.4848, -3.3273)):
        won, lost = _changes(1121.86, 551.022, ping=ping)
        assert won == pytest.approx(up, abs=5e-5)
        assert lost == pytest.approx(down, abs=5e-5)


def _changes(one: float, other: float, *, ping: bool) -> tuple[float, float]:
    run = EloXonStatSystem(resolve_parameters(EloXonStatSystem.declared_parameters)).new_run(
        build_record([_report(ping=ping)])
    )
    run._rating[:] = [one, other]
    run._rounds[:] = [32, 32]
    run.update(0)
    return run._rating[0] - one, run._rating[1] - other


def _report(*, ping: bool) -> Round:
    players = [
        Player("a", [Stint("a", 0.0, 575.133)], score=24.0, ping=38.2556 if ping else None),
        Player("b", [Stint("b", 0.0, 549.2)], score=11.0, ping=44.4549 if ping else None),
    ]
    return Round("1", ("a", "b"), players, 0.0, 600.032776, (1, 2), mode="duel")


@given(histories())
def test_agrees_with_independent_computation(history: list[Round]) -> None:
    run = run_of(EloXonStatSystem, history)
    rating: dict[tuple[str, str], float] = {}
    games: dict[tuple[str, str], int] = {}
    for game_round in history:
        if game_round.ranks is None or (
            game_round.mode not in MODES and (game_round.game == "xonotic" or game_round.mode == "cts")
        ):
            continue
        if len({stay.team for player in game_round.players for stay in player.stays if stay.leave > stay.enter}) < 2:
            continue
        assert game_round.duration is not None
        end, rows = math.floor(game_round.duration), []
        for player in game_round.players:
            alive = min(end, math.floor(sum(stay.leave - stay.enter for stay in player.stays)))
            if player.id.startswith("bot#") or player.score is None or longest(player) is None:
                continue
            if alive >= 120 and alive >= end / 2:
                key = (player.id, game_round.mode)
                k = min(1, alive / 600) * (1 - 0.8 * min(games.get(key, 0), 32) / 32)
                rows.append((key, k, player.score / alive, player.ping))
        if len(rows) < 2:
            continue
        gains = _gains(rows, rating, duel=game_round.mode == "duel")
        for (key, k, _, _), gain in zip(rows, gains, strict=True):
            rating[key] = max(100.0, rating.get(key, 100.0) + 200 * k * gain / (len(rows) - 1))
            games[key] = games.get(key, 0) + 1
    assert_same_ratings(
        modes_found(run, "rating", "rounds"), {key: (value, games[key]) for key, value in rating.items()}
    )


Row = tuple[tuple[str, str], float, float, float | None]


def _gains(rows: list[Row], rating: dict[tuple[str, str], float], *, duel: bool) -> list[float]:
    gains = [0.0] * len(rows)
    for j in range(len(rows)):
        for i in range(j):
            (key_i, _, s_i, p_i), (key_j, _, s_j, p_j) = rows[i], rows[j]
            shift = min(0.0, s_i, s_j)
            s_i, s_j = s_i - shift, s_j - shift
            real = s_i / (s_i + s_j) if s_i + s_j else 0.5
            if duel:
                real = 0.5 if real == 0.5 else float(real > 0.5)
            difference = max(-400.0, min(400.0, rating.get(key_i, 100.0) - rating.get(key_j, 100.0)))
            e = 1 / (1 + 10 ** (-difference / 400))
            r = 0.5 if p_i is None or p_j is None or p_i + p_j == 0 else p_i / (p_i + p_j)
            e2 = min(1.0, max(0.0, e + 0.2 * (0.5 - r)))
            a_i, a_j = real - e2, e2 - real
            if e > 0.5:
                a_i = max(0, a_i) if real > 0.5 else (2 * real - 1) * e
            elif real > 0.5:
                a_j = (1 - 2 * real) * (1 - e)
            else:
                a_j = max(0, a_j)
            gains[i] += a_i
            gains[j] += a_j
    return gains


def test_rating_stays_above_floor() -> None:
    run = run_of(EloXonStatSystem, [duel("a", "b", number) for number in range(20)])
    assert rated_field(run, "b") == 100.0
    assert rated_field(run, "a") > 100.0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"mode": "cts"}, "mode_not_rated:cts"),
        ({"mode": "whatever", "game": "xonotic"}, "mode_not_rated:whatever"),
        ({"ranks": None}, "no_outcome"),
    ],
)
def test_skip_reasons(change: dict[str, object], reason: str) -> None:
    run = run_of(EloXonStatSystem, [replace(duel("a", "b"), **change)])  # type: ignore[arg-type]
    assert run.skip_reason(0) == reason
    assert run.rated_players() == {}


def test_short_time_is_not_rated() -> None:
    assert run_of(EloXonStatSystem, [duel("a", "b", seconds=119.9)]).skip_reason(0) == "too_few_players"
    assert run_of(EloXonStatSystem, [duel("a", "b", seconds=120.0)]).skip_reason(0) is None


@pytest.mark.parametrize(("ranked", "rated"), [(None, True), (True, True), (False, False)])
def test_unranked_player_is_not_rated(ranked: bool | None, rated: bool) -> None:
    game_round = duel("a", "b")
    game_round = replace(game_round, players=[game_round.players[0], replace(game_round.players[1], ranked=ranked)])
    assert (run_of(EloXonStatSystem, [game_round]).skip_reason(0) is None) == rated


def test_ping_term_is_tenth_at_most() -> None:
    quick = Player("a", [Stint("a", 0.0, 600.0)], score=10.0, ping=0.0)
    slow = Player("b", [Stint("b", 0.0, 600.0)], score=10.0, ping=200.0)
    game_round = Round("1", ("a", "b"), [quick, slow], 0.0, 600.0, (1, 1), mode="duel")
    run = EloXonStatSystem(resolve_parameters(EloXonStatSystem.declared_parameters)).new_run(build_record([game_round]))
    assert run.prediction(0).probability == pytest.approx(0.6)
    forecast = run.forecast(0)
    assert forecast is not None
    assert forecast.probability == 0.5  # pings are unknown before the round
