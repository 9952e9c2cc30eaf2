"""Leaderboards of a record, equal to the forward pass and the summary."""

from dataclasses import replace

import numpy as np
import pytest
from player_rounds import ME, generate_record

from browser_app.player.leaderboard import RecordLeaderboards, build_leaderboards
from browser_app.player.own_history import compute_own_history
from browser_app.player.own_predictions import RunCheckpoints
from browser_app.player.skill_summary import MIN_RANKED_ROUNDS
from browser_app.player.skill_summary_builder import build_skill_summary
from browser_app.rating.forward_pass import ForwardPass
from browser_app.rating.leaderboards import compute_leaderboards
from browser_app.rating.system_registry import RATING_SYSTEMS, create_rating_system

RECORD = generate_record()


def create_leaderboards(system: str, last: int = len(RECORD), own_id: str | None = ME) -> RecordLeaderboards:
    checkpoints = RunCheckpoints(create_rating_system(system), RECORD)
    rated_rounds = checkpoints.rated_rounds(last)
    return build_leaderboards(RECORD, checkpoints.run_before(last), create_rating_system(system), rated_rounds, own_id)


@pytest.mark.parametrize("system", RATING_SYSTEMS)
@pytest.mark.parametrize("last", [0, 60, len(RECORD)])
def test_boards_equal_forward_pass(system: str, last: int) -> None:
    forward = ForwardPass(create_rating_system(system).new_run(RECORD))
    forward.advance_to(last)
    leaderboards = create_leaderboards(system, last)
    unit = forward.run.points_per_unit
    expected = {
        mode: [(player, unit * value) for player, value in players]
        for mode, players in compute_leaderboards(forward).items()
    }
    boards = {board.mode: list(zip(board.ids, board.rating.tolist(), strict=True)) for board in leaderboards.boards}
    boards.pop("", None)
    assert boards == expected
    assert leaderboards.rounds == len(forward.rated_rounds)


@pytest.mark.parametrize("system", ["ns2", "trueskill2"])
def test_full_history_of_first_rounds(system: str) -> None:
    rated, first = create_rating_system(system), RECORD.first_rounds(60)
    run = rated.solve(first)
    assert run is not None
    leaderboards = build_leaderboards(RECORD, run, rated, RunCheckpoints(rated, RECORD).rated_rounds(60), ME)
    assert leaderboards.last_start == RECORD.started[-1]
    expected = rated.solve(first)
    assert expected is not None
    forward = ForwardPass(expected)
    forward.advance_to(60)
    boards = {board.mode: board.ids for board in leaderboards.boards if board.mode}
    assert boards == {
        mode: tuple(player for player, _value in players) for mode, players in compute_leaderboards(forward).items()
    }


@pytest.mark.parametrize("system", RATING_SYSTEMS)
def test_first_board_equals_summary(system: str) -> None:
    rated = create_rating_system(system)
    run = rated.new_run(RECORD)
    summary = build_skill_summary(run, rated, compute_own_history(RECORD, rated, ME, game="ns2", run=run))
    board = next(each for each in create_leaderboards(system).boards if each.mode == summary.mode)
    enough = board.rounds >= MIN_RANKED_ROUNDS
    assert board.ids[board.own_row] == ME
    assert board.rating[board.own_row] == pytest.approx(summary.value)
    assert summary.rank == 1 + int((board.rating[enough] > board.rating[board.own_row]).sum())
    assert summary.ranked_players == int(enough.sum())


@pytest.mark.parametrize("system", ["ns2", "trueskill2"])
def test_uncertainty_is_known(system: str) -> None:
    for board in create_leaderboards(system).boards:
        assert (board.sd > 0).all()


@pytest.mark.parametrize("adagrad_sum", [np.nan, 0.002])
@pytest.mark.parametrize("full_history", [False, True])
def test_uncertainty_equals_summary(adagrad_sum: float, full_history: bool) -> None:
    rated, rows = create_rating_system("ns2"), len(RECORD.player)
    record = replace(RECORD, skill=np.full(rows, 1500.0), adagrad_sum=np.full(rows, adagrad_sum))
    checkpoints, run = RunCheckpoints(rated, record), rated.start_run(record, full_history=full_history)
    now = build_skill_summary(run, rated, compute_own_history(record, rated, ME, game="ns2", run=run))
    for board in build_leaderboards(record, run, rated, checkpoints.rated_rounds(len(record)), ME).boards:
        board_values = [float(column[board.own_row]) for column in (board.sd, board.low, board.high)]
        assert board_values == pytest.approx([now.sd, now.low, now.high])
    assert now.value is not None
    assert (now.high or 0.0) >= now.value >= (now.low or 0.0)


def test_elo_has_no_uncertainty() -> None:
    assert all(np.isnan(board.sd).all() for board in create_leaderboards("elo-xonstat").boards)


def test_names_are_ranked_alphabetically() -> None:
    board = create_leaderboards("ns2").boards[0]
    assert [board.names[row] for row in np.argsort(board.name_rank)] == sorted(board.names, key=str.casefold)


def test_unrated_user_has_no_row() -> None:
    assert {board.own_row for board in create_leaderboards("ns2", own_id=None).boards} == {-1}
    assert {board.own_row for board in create_leaderboards("ns2", own_id="stranger").boards} == {-1}
